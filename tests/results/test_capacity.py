"""The bytes that a link could carry, from its plan alone: by hand."""

import doctest

import numpy as np
import pytest

import ackclock as ac
from ackclock.results import capacity

S = 10**12


def link(**service: object) -> dict[str, object]:
    return {"service": service}


def test_steps_periods_and_outages_are_averaged_over_the_intervals() -> None:
    steps = {"kind": "schedule", "rates": [[0, 8], [S, 16]]}
    edges = np.array([0.0, 0.5, 1.5, 2.5, 4.0])
    assert capacity.rates(link(**steps, period_ps=None), edges) == pytest.approx([8, 12, 16, 16])
    assert capacity.rates(link(**steps, period_ps=2 * S), edges) == pytest.approx(
        [8, 12, 12, 40 / 3]
    )
    outages = {"windows": [[S // 2, S]], "period_ps": None}
    assert capacity.rates(link(**steps, period_ps=None, outages=outages), edges) == pytest.approx(
        [8, 8, 16, 16]
    )
    again = {"windows": [[0, S // 2]], "period_ps": S}
    assert capacity.rates(link(**steps, period_ps=None, outages=again), edges) == pytest.approx(
        [0, 4, 8, 32 / 3]
    )


def test_outages_of_a_constant_rate_are_counted() -> None:
    """The plan of an outage has one rate and no period."""
    outages = {"windows": [[0, S // 2]], "period_ps": None}
    service = ac.dumbbell(
        rate="8bit/s",
        rtt="0s",
        buffer="9 packets",
        outages=[["0s", "500ms"]],
        flows=[ac.flow("reno")],
        duration="1s",
    )
    planned = service.plan()["links"][0]["service"]
    assert planned == {"kind": "schedule", "rates": [[0, 8]], "outages": outages}
    assert capacity.rates(link(**planned), np.array([0.0, 1.0, 2.0])) == pytest.approx([4, 8])


def test_a_traces_opportunities_are_counted() -> None:
    trace = {"kind": "trace", "opportunities": "0 1*2 1"}
    # 0, 1, 1, 2 ms, and again from 2 ms on: 2, 3, 3, 4.
    edges = np.array([0.0, 0.0015, 0.0025, 0.0045])
    packet = 12_000
    assert capacity.rates(link(**trace), edges) == pytest.approx(
        [2 * packet / 0.0015, 2 * packet / 0.001, 4 * packet / 0.002]
    )
    outages = {"windows": [[10**9, 3 * 10**9]], "period_ps": None}
    assert capacity.rates(link(**trace, outages=outages), edges) == pytest.approx(
        [0, 0, 4 * packet / 0.002]
    )


def test_a_constant_rate_needs_no_line_of_its_own_and_too_many_steps_are_not_drawn() -> None:
    assert capacity.rates({"rate_bps": 8}, np.array([0.0, 1.0])) is None
    busy = link(kind="schedule", rates=[[0, 8], [1, 16]], period_ps=10**9)
    assert capacity.rates(busy, np.array([0.0, 1e6])) is None


def test_examples() -> None:
    assert doctest.testmod(capacity).failed == 0
