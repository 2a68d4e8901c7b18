"""Appenzeller et al.: formulas against printed numbers, and rules that can fail."""

import math

import numpy as np
import pytest

from ackclock.results import Result
from ackclock.studies.results import Results
from ackclock_papers.sizing_buffers import STUDY, laws, rules
from recorded import flow, run


def test_formulas_give_the_printed_numbers() -> None:
    assert laws.utilisation_bound(1e4, 1e6, 1e4) == pytest.approx(0.9899, abs=5e-5)
    assert laws.utilisation_bound(2e4, 1e6, 1e4) == pytest.approx(0.9999997, abs=1e-7)
    assert laws.sawtooth_period(142, 142, 1000) == pytest.approx(30.2, abs=0.05)
    assert laws.window_after(30.246, 142, 1000) == pytest.approx(2 * 142, rel=1e-3)


def test_bursts_double_and_add_up() -> None:
    assert laws.bursts(14) == [2, 4, 8]
    assert laws.bursts(16) == [2, 4, 8, 2]
    assert all(sum(laws.bursts(length)) == length for length in range(1, 100))


def test_short_flows_by_hand() -> None:
    # Bursts of 2, 4 and 8: E[X] = 14/3, E[X^2] = 28, and rho / (2 (1 - rho)) = 2.
    assert laws.mean_short_queue(14) == pytest.approx(2 * 6 - 0.8 * 14 / 6)
    assert laws.short_buffer(14) == pytest.approx(12 * math.log(40))
    assert laws.mean_short_queue(14) > laws.mean_short_queue(16)


def test_every_row_of_the_table_is_a_multiple_of_the_rule() -> None:
    for name, row in laws.FIGURE_15.items():
        packets = row["multiple"] * laws.TABLE_PACKETS / math.sqrt(row["flows"])
        assert row["packets"] == pytest.approx(packets, abs=2.0), name


def sawtooth(period: float, shape: float = 0.5) -> Results:
    """A window cut at 10 s and each period from then on; with shape 1 it grows as a line."""
    time = np.arange(0, 10 + 4.5 * period, 0.05)
    after = np.where(time < 10, time, (time - 10) % period)
    law = (
        np.sqrt(2 * rules.RATE * after + rules.BDP**2)
        if shape == 0.5
        else rules.BDP * (1 + after / period)
    )
    law = np.where(time < 10, 50 + 40 * time, law)
    return Results({}, {"one-curve": {"1 x RTT C": run(flow(time, cwnd=1000.0 * law))}})


@pytest.mark.parametrize(
    ("period", "kind"), [(30.2, "holds"), (31.2, "holds"), (25.0, "does not hold")]
)
def test_the_period_is_that_of_the_cuts(period: float, kind: str) -> None:
    assert rules.period.judge(sawtooth(period)).kind == kind


@pytest.mark.parametrize(("shape", "kind"), [(0.5, "holds"), (1.0, "does not hold")])
def test_the_window_grows_as_a_root(shape: float, kind: str) -> None:
    assert rules.sawtooth.judge(sawtooth(31.0, shape)).kind == kind


def many(deviation: float, *, even: bool = False) -> Result:
    """250 windows whose sum has this deviation; `even`: it is one of two values."""
    time = np.arange(0, 60, 0.1)
    draw = np.random.default_rng(1)
    noise = np.sign(draw.normal(size=len(time))) if even else draw.normal(size=len(time))
    total = 1100 + deviation * noise
    states = ["open"] * len(time)
    return run(
        *(
            flow(time, cwnd=1000 * total / 250, ssthresh=np.full(len(time), 1e9), state=states)
            for _ in range(250)
        )
    )


@pytest.mark.parametrize(("deviation", "kind"), [(10.0, "holds"), (30.0, "does not hold")])
def test_windows_vary_no_more_than_the_bound(deviation: float, kind: str) -> None:
    results = Results({}, {"windows": {"250 connections": many(deviation)}})
    assert rules.deviation.judge(results).kind == kind


@pytest.mark.parametrize(("even", "kind"), [(False, "holds"), (True, "does not hold")])
def test_their_sum_is_normal(even: bool, kind: str) -> None:
    results = Results({}, {"windows": {"250 connections": many(10.0, even=even)}})
    assert rules.normal.judge(results).kind == kind


def test_recovery_does_not_inflate_the_sum() -> None:
    time = np.arange(0, 20, 0.1)
    series = flow(
        time,
        cwnd=np.full(len(time), 9000.0),
        ssthresh=np.full(len(time), 4000.0),
        state=["recovery"] * len(time),
    )
    assert rules.sum_of_windows(run(series))[1].tolist() == [4.0] * 50


def test_printed_numbers_that_disagree_are_told() -> None:
    assert rules.examples.judge(Results({})).kind == "in part"
    assert rules.model_column.judge(Results({})).kind == "in part"
    assert rules.abstract.judge(Results({})).kind == "holds"


def test_the_items_name_what_there_is() -> None:
    assert {item.kind for item in STUDY.items} >= {"system", "formula", "figure", "table", "claim"}
    assert len(STUDY.claims) >= 4
