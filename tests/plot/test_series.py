from collections.abc import Callable

import numpy as np
import pytest

from ackclock.plot_data.series import (
    BUCKETS,
    band,
    lines,
    minmax,
    queue_series,
    rate_interval,
    rate_lines,
)
from ackclock.results import Result
from ackclock.results.series import flow_series, increments
from fake_core import END, MSS, FakeCore

Make = Callable[..., Result]


def test_a_thinned_line_keeps_every_spike_and_gap_free_order() -> None:
    time = np.linspace(0.0, 100.0, 200_000)
    value = np.sin(time)
    value[[777, 100_001]] = 50.0, -50.0
    thin_time, thin_value = minmax(time, value)
    assert len(thin_time) <= 4 * BUCKETS
    assert (thin_value.max(), thin_value.min()) == (50.0, -50.0)
    assert (thin_time[0], thin_time[-1]) == (time[0], time[-1])
    assert (np.diff(thin_time) > 0).all()


def test_a_short_line_is_left_as_it_is() -> None:
    time = np.linspace(0.0, 1.0, 4 * BUCKETS)
    assert minmax(time, time)[0] is time


def test_thinning_survives_gaps_at_a_single_moment_and_throughout() -> None:
    time = np.linspace(0.0, 1.0, 10_000)
    value = np.where(time < 0.5, np.nan, time)
    _, thinned = minmax(time, value)
    assert np.nanmax(thinned) == 1.0
    assert np.isnan(thinned[0])
    assert np.isnan(minmax(time, np.full(10_000, np.nan))[1]).all()
    assert len(minmax(np.zeros(10_000), np.arange(10_000.0))[0]) <= 4 * BUCKETS


def test_few_flows_are_lines_and_many_are_median_and_quartiles(fake_result: Make) -> None:
    few, many = fake_result(6), fake_result(20)
    drawn = lines(flow_series(few), lambda flow: flow.column("cwnd"), END)
    assert [line.low is None for line in drawn] == [True] * 6
    drawn = lines(flow_series(many), lambda flow: flow.column("cwnd"), END)
    assert [line.label for line in drawn] == [
        "reno: median, quartiles of 10",
        "cos+reno: median, quartiles of 10",
    ]
    for line in drawn:
        assert line.low is not None
        assert line.high is not None
        known = ~np.isnan(line.value)
        assert (line.low[known] <= line.value[known]).all()
        assert (line.value[known] <= line.high[known]).all()


def test_quartiles_are_those_of_the_flows_that_live() -> None:
    values = np.array(
        [[1.0, np.nan], [2.0, np.nan], [3.0, 8.0], [np.nan, np.nan], [4.0, np.nan], [5.0, np.nan]]
    )
    line = band("x", np.array([0.0, 1.0]), values)
    assert line.low is not None
    assert line.high is not None
    assert (line.low[0], line.value[0], line.high[0]) == (2.0, 3.0, 4.0)
    assert (line.low[1], line.value[1], line.high[1]) == (8.0, 8.0, 8.0)


def test_rates_add_up_to_what_was_delivered(fake_result: Make) -> None:
    flows = flow_series(fake_result())
    drawn, interval = rate_lines(flows, END)
    for flow, line in zip(flows, drawn, strict=True):
        # Whole intervals only: the last samples may fall into one that the run does not complete.
        delivered = flow.column("delivered")[-1]
        assert np.nansum(line.value) * interval / 8 == pytest.approx(delivered, abs=2 * MSS)


def test_the_interval_is_a_round_number_of_at_least_two_round_trips(fake_result: Make) -> None:
    flows = flow_series(fake_result())
    assert rate_interval(flows, END) == 0.5  # two RTTs are 0.216 s, a 150th of the run 0.133 s
    assert rate_interval(flows, 300.0) == 2.0


def test_a_counter_that_starts_anew_at_the_warm_up_adds_nothing_negative() -> None:
    assert increments(np.array([1.0, 3.0, 0.0, 2.0, 2.0])).tolist() == [1.0, 2.0, 0.0, 2.0, 0.0]


def test_drops_are_drawn_where_the_queue_was_full(fake_result: Make) -> None:
    (queue,) = queue_series(fake_result())
    core = FakeCore()
    assert queue.name == "bottleneck"
    assert queue.limits == [(0.0, 20)]
    assert queue.red_average is None
    assert queue.drops.count == 20
    assert queue.drops.time.tolist() == core.time[99::100].tolist()
    assert queue.marks.count == 0
