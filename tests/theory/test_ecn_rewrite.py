"""Rewritten ECN fields end to end: marks that never arrive, and what TCP makes of it."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ackclock as ac


def run(ecn: str = "classic", cc: str = "reno", **bottleneck: Any) -> ac.Result:
    """A flow over RED that marks, with 10 Mbit/s, 40 ms and a buffer of two bdp."""
    return ac.run(
        ac.Scenario.parse(
            {
                "duration": "20s",
                "network": {
                    "kind": "dumbbell",
                    "bottleneck": {
                        "rate": "10Mbit/s",
                        "delay": "20ms",
                        "limit": "2bdp",
                        "qdisc": {"kind": "red", "ecn": True},
                        **bottleneck,
                    },
                },
                "flows": [{"name": "flow", "cc": cc, "transport": {"ecn": ecn}}],
                "record": {"packets": ["bottleneck"]},
            }
        )
    )


def flow(result: ac.Result) -> dict[str, Any]:
    return result.flows.row(0, named=True)


def fields(result: ac.Result, event: str) -> set[int]:
    """The ECN fields of data packets as they enter the link (send) or reach its far end."""
    data = result.packets.filter(
        (pl.col("event").cast(pl.String) == event)
        & (pl.col("is_ack") == 0)
        & (pl.col("length") > 0)
    )
    return set(data["ecn"].unique())


NOT_ECT, ECT1, ECT0, CE = range(4)


def test_marks_that_arrive_are_answered() -> None:
    result = run()
    assert flow(result)["marked_packets"] > 5
    assert flow(result)["ecn_reductions"] > 5
    assert CE in fields(result, "receive")


@pytest.mark.parametrize(("rule", "left"), [("bleach", {NOT_ECT}), ("clear-ce", {ECT0})])
def test_where_no_mark_arrives_the_sender_falls_back_to_loss(rule: str, left: set[int]) -> None:
    result = run(ecn_rewrite=rule)
    row = flow(result)
    # A retransmission carries no ECT (RFC 3168 section 6.1.5).
    assert fields(result, "receive") - {NOT_ECT} == left - {NOT_ECT}
    assert ECT0 in fields(result, "send")
    # The queue marks on, and nobody hears of it until it drops.
    assert row["marked_packets"] > 5 * flow(run())["marked_packets"]
    assert row["ecn_reductions"] == 0
    assert row["lost_packets"] > 0


def test_a_scalable_flow_becomes_a_classic_one_for_the_queue_behind() -> None:
    def second(**first: Any) -> dict[str, Any]:
        link = {"rate": "100Mbit/s", "delay": "5ms", **first}
        last = {"rate": "10Mbit/s", "delay": "5ms", "qdisc": "dualpi2"}
        result = ac.run(
            ac.parking_lot(
                bottlenecks=[link, last],
                flows=[ac.flow("prague", transport={"ecn": "l4s"})],
                duration="10s",
                warmup="2s",
            )
        )
        return result.links.row(by_predicate=pl.col("name") == "bottleneck2", named=True)

    l4s, classic = second(), second(ecn_rewrite="ect1-to-ect0")
    assert l4s["marked_packets"] > 0
    assert classic["marked_packets"] > 0
    # The low-latency queue aims at 1 ms, the classic one at 15 ms.
    assert l4s["queue_delay_mean"] < 0.003
    assert classic["queue_delay_mean"] > 2 * l4s["queue_delay_mean"]
    bleached = second(ecn_rewrite="bleach")
    assert bleached["marked_packets"] == 0
    assert bleached["dropped_early"] > 0
