"""Shapers and policers: the rate, the burst, and what is lost."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ackclock as ac

RATE = 8e6
BURST = 60_000


def bottleneck(result: ac.Result) -> dict[str, Any]:
    return result.links.row(by_predicate=pl.col("name") == "bottleneck", named=True)


def stream(rate: str, **link: Any) -> ac.Result:
    """A constant stream of datagrams over 100 Mbit/s."""
    return ac.run(
        ac.Scenario.parse(
            {
                "duration": "20s",
                "network": {
                    "kind": "dumbbell",
                    "bottleneck": {"rate": "100Mbit/s", "delay": "1ms", **link},
                },
                "flows": [{"name": "stream", "app": {"kind": "cbr", "rate": rate}, "start": "0s"}],
                "record": {"packets": ["bottleneck"]},
            }
        )
    )


def departures(result: ac.Result) -> pl.DataFrame:
    """When packets reached the far end, s from the first, and what had by then, bytes."""
    rows = result.packets.filter(pl.col("event") == "receive")
    return rows.select(
        time=(pl.col("time_ns") - pl.col("time_ns").first()) / 1e9,
        wire_size="wire_size",
        bytes=pl.col("wire_size").cum_sum(),
    )


@pytest.mark.parametrize("offered", ["10Mbit/s", "40Mbit/s"])
def test_a_policer_takes_the_excess_of_a_stream(offered: str) -> None:
    link = bottleneck(stream(offered, policer={"rate": "8Mbit/s", "burst": "60kB"}))
    sent = link["delivered_bytes"] / link["delivered_packets"] * link["arrived_packets"] * 8 / 20
    assert link["dropped_packets"] == link["dropped_policed"] > 0
    # The burst and the ends of the run are 0.4 % of what passes in 20 s.
    assert link["dropped_policed"] / link["arrived_packets"] == pytest.approx(
        1 - RATE / sent, abs=0.005
    )
    assert link["queue_delay_max"] < 1e-3


def test_a_shaper_sends_the_burst_and_then_the_rate() -> None:
    left = departures(
        stream("40Mbit/s", qdisc={"kind": "tbf", "rate": "8Mbit/s", "burst": "60kB"}, limit="1MB")
    )
    size = left["wire_size"].max()
    over = left["bytes"] - left["time"] * RATE / 8
    # Never more than a burst ahead of the rate, but for the time of a packet on the line. And never
    # less, a packet aside, from the moment in which the bucket is empty: 60 kB at 32 Mbit/s too
    # much.
    assert over.max() <= BURST + size
    assert over.filter(left["time"] > 0.02).min() > BURST - 2 * size


def test_tcp_behind_either_gets_the_rate() -> None:
    """CUBIC fills a shaper with 100 ms of queue, and loses a little at a policer without one."""
    shaped = ac.run(
        one_flow(qdisc={"kind": "tbf", "rate": "8Mbit/s", "burst": "60kB", "latency": "100ms"})
    )
    assert bottleneck(shaped)["delivered_bytes"] * 8 / 20 == pytest.approx(RATE, rel=0.01)
    # What tc's limit lets wait behind an empty bucket: latency and burst.
    assert bottleneck(shaped)["queue_delay_max"] == pytest.approx(0.1 + BURST * 8 / RATE, rel=0.03)
    policed = ac.run(one_flow(policer={"rate": "8Mbit/s", "burst": "60kB"}))
    assert 0.8 * RATE < bottleneck(policed)["delivered_bytes"] * 8 / 20 <= 1.001 * RATE
    assert bottleneck(policed)["queue_delay_max"] < 0.01


def one_flow(**link: Any) -> ac.Scenario:
    return ac.Scenario.parse(
        {
            "profile": "rfc",
            "duration": "30s",
            "warmup": "10s",
            "network": {
                "kind": "dumbbell",
                "bottleneck": {"rate": "100Mbit/s", "delay": "20ms", **link},
            },
            "flows": [{"cc": "cubic"}],
        }
    )
