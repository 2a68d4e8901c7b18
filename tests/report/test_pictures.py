"""Figures for print within a page: shorter text of the same drawing."""

import base64
import gzip
import json
import re
import xml.etree.ElementTree as ET

import numpy as np

from ackclock.pages.run.page import picture
from ackclock.pages.run.pictures import Bundle, compact
from ackclock.views.figure import PaperFigure, paper


def _drawing(points: int) -> str:
    with paper():
        figure = PaperFigure(figsize=(3.4, 2.0))
        axes = figure.subplots()
        x = np.linspace(0.0, 1.0, points)
        axes.plot(x, np.where(np.arange(points) == points // 3, 5.0, np.sin(40 * x)))
        axes.fill_between(x, np.sin(40 * x) - 1.0, np.sin(40 * x) + 1.0)
        axes.set_title("a < b & 100 %")
        return figure.svg()


def test_a_compact_figure_is_well_formed_and_much_shorter() -> None:
    svg = _drawing(20_000)
    short = compact(svg)
    assert len(short) < 0.4 * len(svg)
    whole, less = ET.fromstring(svg), ET.fromstring(short)
    assert less.attrib["viewBox"].split()[2:] == whole.attrib["viewBox"].split()[2:]
    assert short.count("<use") == svg.count("<use")
    assert "<metadata" not in short


def test_a_thinned_line_keeps_its_spike_and_its_ends() -> None:
    short = compact(_drawing(5_000))
    [path] = [
        line for line in re.findall(r' d="(m[^"]*)"', short) if "z" not in line and len(line) > 400
    ]
    steps = [tuple(map(float, step.split())) for step in re.findall(r"[ml]([^ml]*)", path)]
    places = np.cumsum(np.array(steps), axis=0)
    # 3.4 inches: the line goes over most of the figure, and the spike stands far above the sine.
    assert places[-1, 0] - places[0, 0] > 150
    assert (places[:, 1].min() < np.sort(places[:, 1])[5:].min() - 10) or len(places) < 50


def test_a_data_address_needs_no_further_escape() -> None:
    address = picture(_drawing(50))
    assert address.startswith("data:image/svg+xml,")
    assert not set('"<>&#') & set(address)


def test_a_bundle_has_every_figure_and_equal_bytes() -> None:
    first, second = Bundle(), Bundle()
    drawings = [_drawing(50), _drawing(60)]
    assert [first.add(svg) for svg in drawings] == [0, 1]
    assert [second.add(svg) for svg in drawings] == [0, 1]
    assert first.text() == second.text()
    unpacked = json.loads(gzip.decompress(base64.b64decode(first.text())))
    assert unpacked == [compact(svg) for svg in drawings]
    assert Bundle().text() == ""
