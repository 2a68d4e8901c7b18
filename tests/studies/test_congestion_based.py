"""Cardwell et al.: printed numbers, and what runs show of BBR's states."""

import numpy as np
import pytest

from ackclock.results import Result
from ackclock.studies.congestion_based import rules
from ackclock.studies.results import Results
from recorded import flow, run


def test_thirty_million_is_cubics_law_and_not_the_inverse_square() -> None:
    assert rules.INVERSE_SQUARE.judge(Results({})).kind == "does not hold"
    assert rules.CUBIC_LOSS.judge(Results({})).kind == "holds"
    assert rules.RECEIVE_BUFFER.judge(Results({})).kind == "holds"


def learning(rate: float, when: float, *, until: float = 2.0) -> Result:
    """A flow that knows nothing of its bandwidth before a time, and all of it from then on."""
    time = np.arange(0, until, 0.001)
    known = np.where(time >= when, rules.PAYLOAD * rate, 0.0)
    return run(flow(time), internals={"flow": {"time": time, "bw": known}})


@pytest.mark.parametrize(("rounds", "kind"), [(5.0, "holds"), (6.0, "holds"), (7.0, "does not hold")])
def test_startup_has_log2_of_the_path_and_one(rounds: float, kind: str) -> None:
    # log2 of 33.3 is 5.06; the first data leave after a round trip.
    found = learning(10e6, 0.04 * (1 + rounds))
    assert rules.round_trips_to_find(found, "10 Mbit/s") == pytest.approx(rounds, abs=0.05)
    assert rules.FOUND.judge(Results({}, {"startup-rates": {"10 Mbit/s": found}})).kind == kind


@pytest.mark.parametrize(("after", "kind"), [(0.5, "holds"), (1.59, "holds"), (1.7, "does not hold"), (9.0, "does not hold")])
def test_five_cycles_are_the_limit(after: float, kind: str) -> None:
    found = learning(20e6, 20.0 + after, until=25.0)
    assert rules.DOUBLED.judge(Results({}, {"steps": {"run": found}})).kind == kind


@pytest.mark.parametrize(("bbr", "cubic", "kind"), [(0.0, 60.0, "holds"), (5.0, 60.0, "in part"), (5.0, 10.0, "does not hold")])
def test_a_drained_queue_is_empty_once(bbr: float, cubic: float, kind: str) -> None:
    time = np.arange(0, 8, 0.01)
    dips = {name: np.where(np.abs(time - 4) < 0.05, low, low + 50) for name, low in (("BBR", bbr), ("CUBIC", cubic))}
    runs = {name: run(flow(time), queue=(time, values)) for name, values in dips.items()}
    assert rules.DRAINED.judge(Results({}, {"first-seconds": runs})).kind == kind


@pytest.mark.parametrize(("probing", "kind"), [(0.98, "holds"), (0.9, "does not hold")])
def test_shares_of_states(probing: float, kind: str) -> None:
    time = np.arange(0, 60, 0.001)
    mode = np.where((time % 1.0) < probing, rules.PROBE_BW, rules.PROBE_RTT)
    found = run(flow(time), internals={"flow": {"time": time, "mode": mode}})
    assert rules.STATES.judge(Results({}, {"steady": {"run": found}})).kind == kind


@pytest.mark.parametrize(("products", "kind"), [(1.0, "holds"), (1.5, "does not hold")])
def test_the_median_of_what_is_out(products: float, kind: str) -> None:
    time = np.arange(0, 60, 0.01)
    found = run(flow(time, inflight=np.full(len(time), 1000 * products * rules.BDP)))
    assert rules.INFLIGHT.judge(Results({}, {"steady": {"run": found}})).kind == kind


def test_the_limit_is_what_is_not_lost() -> None:
    assert rules.limit(0.5) == pytest.approx(0.5 * 96.53e6, rel=1e-3)
