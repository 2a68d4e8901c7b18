"""A rate that varies is drawn beside the goodput, in the figure and in the report."""

import numpy as np
import pytest
from ackclock.report.series import figure

import ackclock as ac
from ackclock import plot


def test_what_could_be_sent_is_drawn_in_the_goodputs_intervals() -> None:
    rate = {"schedule": [["0s", "10Mbit/s"], ["1s", "2Mbit/s"]]}
    result = ac.run(ac.dumbbell(rate=rate, rtt="20ms", flows=[ac.flow("cubic")], duration="2s"))
    (axes,) = plot.rate(result).axes
    (steps,) = (patch for patch in axes.patches if patch.get_label() == "could be sent")
    values, edges, _ = steps.get_data()
    assert edges[-1] == pytest.approx(2.0)
    assert values == pytest.approx(np.where(edges[:-1] < 0.999, 10.0, 2.0))
    (line,) = (trace for trace in figure(result)["data"] if trace["name"] == "could be sent")
    assert line["y"] == pytest.approx(values)
