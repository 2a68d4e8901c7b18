"""Ware et al.: the model's error, and what runs show of BBR's state."""

from typing import Any

import numpy as np
import pytest

from ackclock.results import Result
from ackclock.studies.results import Results, Spot
from ackclock_papers.bbr_beside_loss import laws, rules
from recorded import flow, run


class Found:
    """Stands for `Results`: goodputs that are the model's shares times a factor."""

    quick = False

    def __init__(self, factor: float) -> None:
        self._factor = factor

    def spots(self, experiment: str, response: str, at: dict[str, Any] | None = None) -> list[Spot]:  # noqa: ARG002
        path = laws.SLOW if experiment == "over-queue" else laws.FASTER
        stand_ins = []
        for queue in (4, 16):
            share = min(1.0, self._factor * laws.share(queue, 1, path))
            value = share if response == "goodput of BBR" else 1 - share
            labels = {"queue": queue, "bbr_flows": 1}
            stand_ins.append(Spot(labels, dict.fromkeys((1, 2, 3), value * 1000000.0)))
        return stand_ins


@pytest.mark.parametrize(
    ("factor", "kind"), [(1.0, "holds"), (0.97, "holds"), (0.8, "does not hold")]
)
def test_the_median_error_is_of_the_share(factor: float, kind: str) -> None:
    results: Any = Found(factor)
    assert rules.error("cubic", "CUBIC", 0.05).judge(results).kind == kind


def test_shares_are_of_both() -> None:
    results: Any = Found(1.0)
    assert [spot.values[1] for spot in rules.shares(results, "over-queue", {})] == pytest.approx(
        [laws.share(q, 1) for q in (4, 16)]
    )


def test_the_simple_model_ends_at_half() -> None:
    assert rules.half.judge(Results({})).kind == "holds"
    assert laws.cap_of_queue(0.5) == laws.rest_of_queue(0.5)


def recorded(full: float, probe_rtt: float = 0.1, min_rtt: float = 0.04) -> Result:
    """A BBR flow with this share of its window out, so long in PROBE_RTT."""
    time = np.arange(0, 400, 0.1)
    mode = np.where((time % 10) < 10 * probe_rtt, rules.PROBE_RTT, rules.PROBE_BW)
    out = np.where(mode == rules.PROBE_BW, 1e5 * full, 4000.0)
    return run(
        flow(time, name="bbr", cwnd=np.where(mode == rules.PROBE_BW, 1e5, 4000.0), inflight=out),
        internals={"bbr": {"time": time, "mode": mode, "min_rtt": np.full(len(time), min_rtt)}},
    )


@pytest.mark.parametrize(("beside", "kind"), [(1.0, "holds"), (0.6, "in part")])
def test_window_limited_is_seen_where_the_window_is_full(beside: float, kind: str) -> None:
    runs = {
        "CUBIC, 32 BDP": recorded(beside),
        "Reno, 32 BDP": recorded(beside),
        "alone, 32 BDP": recorded(0.5),
    }
    assert rules.window_limited.judge(Results({}, {"curve": runs})).kind == kind


def test_window_limited_alone_is_against_it() -> None:
    runs = {"alone, 32 BDP": recorded(1.0)}
    assert rules.window_limited.judge(Results({}, {"curve": runs})).kind == "does not hold"


@pytest.mark.parametrize(("factor", "kind"), [(1.0, "holds"), (0.7, "does not hold")])
def test_time_in_probe_rtt_is_counted(factor: float, kind: str) -> None:
    runs = {
        f"CUBIC, {queue} BDP": recorded(1.0, factor * laws.probe_share(queue)) for queue in (16, 64)
    }
    assert rules.probing.judge(Results({}, {"curve": runs})).kind == kind


@pytest.mark.parametrize(("factor", "kind"), [(1.0, "holds"), (1.3, "does not hold")])
def test_estimates_are_those_at_the_end(factor: float, kind: str) -> None:
    runs = {
        f"{flows} flows": recorded(1.0, min_rtt=factor * laws.rtt_estimate(flows))
        for flows in (2, 64)
    }
    assert rules.ESTIMATES.judge(Results({}, {"alone": runs})).kind == kind


def test_the_kernels_runs_are_of_cubic_alone() -> None:
    rows = rules.on_the_kernel("cubic")
    assert sorted(rows) == [1, 16]
    assert all(0 < share < 1 for share in rows.values())
    assert rules.on_the_kernel("reno") == {}
