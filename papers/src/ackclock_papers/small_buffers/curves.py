"""P3's figures over time: network delay, jitter and throughput, a curve for each buffer."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.plot.style import COLOURS, DASHES, GREY, TWO_COLUMNS, new_figure
from ackclock.views.figure import paper
from ackclock_papers.drawing import drawing
from ackclock_papers.small_buffers import measures
from ackclock_papers.small_buffers.readings import AXIS, LITERAL, SAWTOOTH, STATED, WINDOW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from ackclock.results import Result
    from ackclock.studies.results import Results
    from ackclock.views.figure import PaperFigure

BUFFERS = (5, 10, 20, 30, 50)
"""Packets."""
DRAWN = (LITERAL, WINDOW, SAWTOOTH)
"""The readings that are drawn: the most literal one, and those nearest to the paper's figures 2 and
4.
"""


def _keys(reading: str) -> dict[str, Any]:
    """Keys that a reading sets in a scenario, as buffers.toml has them."""
    table = tomllib.loads((Path(__file__).parent / "buffers.toml").read_text(encoding="utf-8"))
    (axis,) = (entry for entry in table["sweep"]["axes"] if entry["name"] == AXIS)
    at = axis["labels"].index(reading)
    return {key: values[at] for key, values in axis.items() if key not in {"name", "labels"}}


def _variant(reading: str, buffer: int) -> str:
    return f"{reading}, {buffer} packets"


VARIANTS = {
    _variant(reading, buffer): {**_keys(reading), "network.bottleneck.limit": f"{buffer} packets"}
    for reading in (*DRAWN, STATED)
    for buffer in BUFFERS
}
"""Keys of curve.toml, by the names of its runs."""


def _panels(height: float) -> tuple[PaperFigure, Sequence[Axes]]:
    figure = new_figure(TWO_COLUMNS, height)
    every = figure.subplots(1, len(DRAWN), sharey=True)
    for axes, reading in zip(every, DRAWN, strict=True):
        axes.set_title(reading, loc="left")
        axes.set(xlabel="Time (s)", xlim=(0, 100))
    return figure, every


def _runs(results: Results, reading: str) -> list[tuple[int, Result]]:
    return [(buffer, results.runs["curve"][_variant(reading, buffer)]) for buffer in BUFFERS]


def _named(figure: PaperFigure, axes: Axes) -> None:
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=len(BUFFERS))


def _printed(axes: Axes, levels: Sequence[tuple[float, str]]) -> None:
    """The paper's numbers as grey lines, named at the right edge."""
    for level, name in levels:
        axes.axhline(level, color=GREY, linewidth=0.8, linestyle=(0, (1, 2)), zorder=1)
        axes.annotate(
            name,
            (1.0, level),
            xycoords=("axes fraction", "data"),
            xytext=(3, 0),
            textcoords="offset points",
            color=GREY,
            fontsize=6,
            va="center",
        )


def delay(results: Results) -> PaperFigure:
    """Draw P3-F2."""
    with paper():
        figure, every = _panels(2.7)
        for axes, reading in zip(every, DRAWN, strict=True):
            for rank, (buffer, run) in enumerate(_runs(results, reading)):
                ends, means = measures.delay_over_time(run)
                axes.plot(
                    ends,
                    1e3 * means,
                    color=COLOURS[rank],
                    linestyle=DASHES[rank],
                    label=f"{buffer} packets",
                )
        _printed(every[-1], ((100, "5"), (300, "20, 30,\n50"), (400, "10")))
        for axes in every[:-1]:
            _printed(axes, ((100, ""), (300, ""), (400, "")))
        every[0].set(ylabel="Network delay (ms)", ylim=(0, 750))
        _named(figure, every[0])
        return figure


def throughput(results: Results) -> PaperFigure:
    """Draw P3-F4."""
    with paper():
        figure, every = _panels(2.7)
        for axes, reading in zip(every, DRAWN, strict=True):
            for rank, (buffer, run) in enumerate(_runs(results, reading)):
                ends, rates = measures.throughput_over_time(run, 2.0)
                axes.plot(
                    ends - 1.0,
                    1e-6 * rates,
                    color=COLOURS[rank],
                    linestyle=DASHES[rank],
                    label=f"{buffer} packets",
                )
        _printed(every[-1], ((12, "5"), (17.98, "30, 50")))
        for axes in every[:-1]:
            _printed(axes, ((12, ""), (17.98, "")))
        every[0].set(ylabel="Throughput of TCP (Mbit/s)", ylim=(0, 20))
        _named(figure, every[0])
        return figure


_JITTER = ((LITERAL, 45), (STATED, 15))
"""The readings whose jitter is drawn, and how far the axis goes, ms."""
_AMPLITUDES = {5: 5, 50: 10}
"""Amplitudes that the paper prints, ms."""


def jitter(results: Results) -> PaperFigure:
    """Draw P3-F3: the paper's amplitude is drawn as two dashed lines."""
    with drawing(TWO_COLUMNS, 3.4, len(_JITTER), len(BUFFERS), sharex=True, sharey="row") as (
        figure,
        every,
    ):
        for row, (reading, most) in zip(every, _JITTER, strict=True):
            for axes, buffer in zip(row, BUFFERS, strict=True):
                times, changes = measures.variations(
                    results.runs["curve"][_variant(reading, buffer)], "film"
                )
                # Thousands of dots as paths would be megabytes of the page.
                axes.plot(times, 1e3 * changes, ",", color=COLOURS[0], rasterized=True)
                if buffer in _AMPLITUDES:
                    for side in (-_AMPLITUDES[buffer], _AMPLITUDES[buffer]):
                        axes.axhline(side, color=COLOURS[5], linewidth=0.8, linestyle=(0, (4, 2)))
                axes.set_title(f"{buffer} packets", loc="left")
                axes.set(ylim=(-most, most), xlim=(0, 100), xticks=[0, 50, 100])
            row[0].set_ylabel(f"{reading}\nJitter (ms)")
        every[-1][len(BUFFERS) // 2].set_xlabel("Time (s)")
        return figure
