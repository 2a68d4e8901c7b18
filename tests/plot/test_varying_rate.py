"""A rate that varies is drawn beside the goodput, in the figure and in the report."""

import numpy as np
import pytest

import ackclock as ac
from ackclock import plot
from ackclock.pages.run.charts.packing import unpacked
from ackclock.pages.run.charts.timeline import timeline


def test_what_could_be_sent_is_drawn_in_the_goodputs_intervals() -> None:
    rate = {"schedule": [["0s", "10Mbit/s"], ["1s", "2Mbit/s"]]}
    result = ac.run(ac.dumbbell(rate=rate, rtt="20ms", flows=[ac.flow("cubic")], duration="2s"))
    (axes,) = plot.rate(result).axes
    (steps,) = (patch for patch in axes.patches if patch.get_label() == "could be sent")
    values, edges, _ = steps.get_data()
    assert edges[-1] == pytest.approx(2.0)
    assert values == pytest.approx(np.where(edges[:-1] < 0.999, 10.0, 2.0))
    shown = timeline(result)
    goodput = next(panel for panel in shown["panels"] if panel["id"] == "goodput")
    (line,) = (curve for curve in goodput["curves"] if curve["name"] == "the link's rate")
    assert unpacked(line["value"]) == pytest.approx(values, rel=1e-3)
    assert "could be sent" in [curve["name"] for curve in shown["lines"]]
