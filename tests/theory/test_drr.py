"""Deficit round robin: shares by quanta, for any mix of senders."""

from __future__ import annotations

from typing import Any

import pytest

import ackclock as ac

RATE = 20e6


def throughputs(flows: list[dict[str, Any]], **qdisc: Any) -> list[float]:
    result = ac.run(
        ac.Scenario.parse(
            {
                "profile": "rfc",
                "duration": "30s",
                "warmup": "10s",
                "network": {
                    "kind": "dumbbell",
                    "bottleneck": {
                        "rate": "20Mbit/s",
                        "delay": "20ms",
                        "limit": "2bdp",
                        "qdisc": {"kind": "drr", **qdisc},
                    },
                },
                "flows": flows,
            }
        )
    )
    return [float(rate) for rate in result.flows["throughput"]]


def test_flows_share_alike_whatever_their_algorithm_and_rtt() -> None:
    flows = [
        {"cc": "reno"},
        {"cc": "cubic"},
        {"cc": "reno", "access": {"delay": "40ms"}},
        {"cc": "bbr"},
    ]
    # Each has a quarter, but for the moments in which a queue of its own was empty: Reno's after a
    # loss, with a limit that all share.
    assert throughputs(flows) == pytest.approx([RATE / 4] * 4, rel=0.06)


def test_priorities_share_by_quanta_beside_a_flood() -> None:
    flows = [
        {"cc": "cubic"},
        {"cc": "cubic", "priority": 1},
        {"app": {"kind": "cbr", "rate": "15Mbit/s"}, "priority": 2},
    ]
    shares = throughputs(flows, by="priority", quanta={"1": "3000 bytes"})
    assert shares[:2] == pytest.approx([RATE / 4, RATE / 2], rel=0.05)
