"""When does a bar hold?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ackclock.validation.figures import Key, margin_of
from ackclock.validation.judging import judge
from ackclock.verdicts.judgement import Judgement
from ackclock.verdicts.recorded import within_runs
from observed_runs import RATE, flow_of, run_of

if TYPE_CHECKING:
    from ackclock.metrics.recorded_run import RecordedRun
    from ackclock.validation.judging import Row


def key(measure: str) -> Key:
    return Key(measure, "", measure, "1")


def ends(
    measure: str, kernel: list[float], sent: dict[tuple[str, str], float] | None = None
) -> tuple[float | None, float | None]:
    plain = Judgement(
        case="",
        figure=measure,
        unit="1",
        kind="shown",
        references={"kernel": tuple(kernel)},
        against="kernel",
    )
    judgement = within_runs(plain, margin_of(key(measure), sent or {}))
    return judgement.low, judgement.high


def test_repetitions_are_widened_by_the_bar() -> None:
    assert ends("rtt_mean", [0.098, 0.102]) == pytest.approx((0.095, 0.105))
    assert ends("queue", [1.0]) == (None, None)
    assert ends("period", []) == (None, None)


def test_five_packets_are_let_pass_where_25_percent_are_less() -> None:
    sent = {("sent", ""): 1000.0}
    assert ends("retransmit_share", [0.004], sent) == pytest.approx((-0.001, 0.009))
    assert ends("retransmit_share", [0.1], sent) == pytest.approx((0.075, 0.125))


def test_shares_have_five_points_or_the_kernels_spread() -> None:
    assert ends("share", [0.5, 0.52]) == pytest.approx((0.46, 0.56))
    assert ends("share", [0.4, 0.6]) == pytest.approx((0.3, 0.7))


def test_a_run_holds_against_itself_and_deviations_are_in_units_of_the_bar() -> None:
    kernel = run_of()
    same = judge("name", "what", [kernel, kernel], [kernel])
    assert {row.key.measure for row in same.barred} >= {
        "goodput",
        "rtt_mean",
        "rtt_p95",
        "retransmit_share",
        "period",
    }
    assert not same.misses
    assert {row.deviation for row in same.barred} == {0.0}
    # 1 % less goodput is half of its bar, 4 % twice as much as it lets pass.
    for change, off, holds in ((0.99, -0.5, True), (0.96, -2.0, False)):
        row = next(
            row
            for row in judge(
                "", "", [kernel], [run_of(flow_of(acked=flow_of().acked * change))]
            ).rows
            if row.key.measure == "goodput"
        )
        assert row.deviation == pytest.approx(off)
        assert row.holds is holds


def test_what_only_the_kernel_shows_is_missed_and_what_only_the_simulator_shows_is_shown() -> None:
    calm = run_of(flow_of(state=flow_of().state * 0))
    by_name = {row.key.measure: row for row in judge("", "", [run_of()], [calm]).rows}
    assert by_name["cwnd_peak"].holds is False
    assert by_name["cwnd_peak"].deviation is None
    # Too few for a mean is not none at all: that is what the peak is for.
    assert by_name["period"].holds is None
    by_name = {row.key.measure: row for row in judge("", "", [calm], [run_of()]).rows}
    assert by_name["period"].holds is None
    assert by_name["period"].judgement.mean == pytest.approx(5.0)


def test_the_worst_miss_comes_first() -> None:
    off = flow_of(acked=flow_of().acked * 0.9)
    path = run_of().path
    slow = replace(path, values=path.values * 1.04)
    misses = judge("", "", [run_of()], [run_of(off, path=slow)]).misses
    assert [row.key.measure for row in misses] == ["goodput", "rtt_mean"]


def runs(*goodputs: float) -> list[RecordedRun]:
    return [run_of(flow_of(acked=flow_of().acked * goodput)) for goodput in goodputs]


def goodput_of(kernel: list[RecordedRun], simulated: list[RecordedRun]) -> Row:
    return next(
        row for row in judge("", "", kernel, simulated).rows if row.key.measure == "goodput"
    )


def test_what_chance_explains_is_no_miss_where_there_are_runs_enough() -> None:
    # The kernel has one of two modes each time, and had four times the same: the simulator's mean
    # of both is 10 % off.
    kernel, simulated = runs(1.0, 1.01, 1.0, 1.01), runs(0.8, 1.0, 0.8, 1.0, 0.8, 1.0, 0.8, 1.0)
    row = goodput_of(kernel, simulated)
    assert (row.judgement.kind, row.holds) == ("undecided", True)
    assert row.interval is not None
    assert row.interval[0] < -0.1 * row.judgement.reference_mean < row.interval[1]  # type: ignore[operator]
    # With three of them nobody can say.
    assert goodput_of(kernel[:3], simulated).holds is False
    # Runs that agree with each other say it well.
    assert goodput_of(kernel, runs(0.9, 0.91, 0.9, 0.91)).holds is False
    assert goodput_of(kernel, runs(0.9, 0.9, 0.9, 0.9)).holds is False


def test_the_interval_is_of_the_means_and_none_where_nothing_differs() -> None:
    assert goodput_of(runs(1.0, 1.0), runs(0.9, 0.9)).interval is None
    assert goodput_of(runs(1.0), runs(0.9, 1.0)).interval is None
    row = goodput_of(runs(1.0, 1.1, 1.2, 1.1), runs(1.0, 1.0))
    # The kernel's alone: a standard deviation of 0.0816, four runs, t = 3.182.
    assert row.interval is not None
    half = (row.interval[1] - row.interval[0]) / 2
    assert half == pytest.approx(3.182 * 0.08165 / 2 * RATE, rel=1e-3)
