"""Lines of means, and series of recorded runs."""

import numpy as np
import pytest

from ackclock.plot.style import new_figure
from ackclock.plot.sweep.labels import Look
from ackclock.studies.lines import delivered_rate, internal, line, queue
from ackclock.studies.results import Spot
from recorded import flow, run

LOOK = Look("a", "#000000", "-", "o")


def test_a_line_has_means_and_leaves_out_what_has_no_value() -> None:
    axes = new_figure(3, 2).subplots()
    spots = [Spot({}, {1: 1.0, 2: 3.0}), Spot({}, {}), Spot({}, {1: 5.0, 2: 5.0})]
    assert line(axes, [1, 2, 4], spots, LOOK, scale=10) == (4.0, 50.0, LOOK)
    (drawn,) = (curve for curve in axes.lines if curve.get_marker() == "o")
    assert np.asarray(drawn.get_xydata()).tolist() == [[1.0, 20.0], [4.0, 50.0]]
    assert line(axes, [1], [Spot({}, {})], LOOK) is None


def test_series_are_of_the_flow_and_of_the_bottleneck() -> None:
    time = np.arange(0, 2.0, 0.5)
    result = run(
        flow(time, delivered=1000 * time),
        internals={
            "flow": {"time": time, "bw": [1, 2, 3, 4]},
            "other": {"time": time, "bw": [9, 9, 9, 9]},
        },
        queue=(time, [0, 1, 2, 3]),
    )
    assert internal(result, "bw", "flow")[1].tolist() == [1, 2, 3, 4]
    assert queue(result)[1].tolist() == [0, 1, 2, 3]
    ends, rate = delivered_rate(result.series[0], 0.5)
    assert ends.tolist() == [0.5, 1.0, 1.5]
    assert rate.tolist() == pytest.approx([8000.0] * 3)
