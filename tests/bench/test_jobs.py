"""The peers are told of the workloads' networks, flows and times as our engine is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import ModuleType


@pytest.fixture
def jobs(bench: ModuleType) -> Any:
    assert bench
    import jobs

    return jobs


def named(jobs: Any, name: str) -> Any:
    return next(job for job in jobs.jobs() if job.name == name)


def said(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_a_dumbbell_is_one_link_and_its_flows(jobs: Any) -> None:
    words = said(named(jobs, "w1-one-reno").text("ns-3"))
    assert ["link", "100000000", "0.02", "333", "fifo", "0"] in words
    (flow,) = [line for line in words if line[0] == "flow"]
    assert flow[:4] == ["flow", "reno", "0", "1"]
    assert 0 <= float(flow[4]) <= 1


def test_loss_and_a_limit_in_packets(jobs: Any) -> None:
    assert ["link", "10000000", "0.006", "10", "fifo", "0.0001"] in said(
        named(jobs, "w6-narrow-window").text("ns-3")
    )
    assert ["link", "1500000", "0.02", "20", "fifo", "0"] in said(
        named(jobs, "w7-heavy-loss").text("ns-2")
    )


def test_a_parking_lot_is_a_chain(jobs: Any) -> None:
    words = said(named(jobs, "w8-parking-lot").text("ns-3"))
    assert [line[1:] for line in words if line[0] == "link"] == [
        ["100000000", "0.005", "10240", "fq_codel", "0"]
    ] * 3
    ends = [(line[2], line[3]) for line in words if line[0] == "flow"]
    assert {pair: ends.count(pair) for pair in ends} == {
        ("0", "3"): 4,
        ("0", "1"): 4,
        ("1", "2"): 4,
        ("2", "3"): 4,
    }


@pytest.mark.long
def test_both_sides_have_the_same_flows_and_the_same_time(jobs: Any) -> None:
    for job in jobs.jobs():
        for peer in ("ns-3", "ns-2"):
            if job.cannot(peer):
                continue
            words, plan = said(job.text(peer)), json.loads(job.ours(peer))
            flows = [line for line in words if line[0] == "flow"]
            assert len(flows) == len(plan["flows"]), job.name
            assert {line[1] for line in flows} == {flow["cc"] for flow in plan["flows"]}
            assert [float(line[4]) for line in flows] == [
                flow["start_ps"] / 1e12 for flow in plan["flows"]
            ]
            (seconds,) = [float(line[1]) for line in words if line[0] == "seconds"]
            assert seconds * 1e12 == pytest.approx(plan["duration_ps"], abs=1)
            assert seconds >= 2 * max(flow["start_ps"] for flow in plan["flows"]) / 1e12, (
                "most of the run has all flows"
            )


def test_what_a_peer_cannot_run_says_why(jobs: Any) -> None:
    assert named(jobs, "w2-ten-bbr").cannot("ns-2") == "has no bbr"
    assert named(jobs, "w2-ten-bbr").cannot("ns-3") is None
    assert named(jobs, "w8-parking-lot").cannot("ns-2") == "has no fq_codel"
    assert named(jobs, "w6-narrow-window, cubic").cannot("ns-2") is None


def test_other_work_is_told(bench: ModuleType) -> None:
    assert bench
    import run

    ours = {"delivered": 1000.0, "loss": 0.01}
    assert run.differences(ours, {"delivered": 960.0, "loss": 0.006}) == []
    assert run.differences(ours, {"delivered": 940.0, "loss": 0.01}) == ["delivered"]
    assert run.differences(ours, {"delivered": 1000.0, "loss": 0.021}) == ["lost"]
    assert run.differences({**ours, "loss": 0.0001}, {"delivered": 1000.0, "loss": 0.0009}) == []
