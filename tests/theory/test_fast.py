"""FAST: alpha packets of each flow in the queue, for any RTT."""

from __future__ import annotations

import polars as pl
import pytest

import ackclock as ac

PACKET_BITS = 8 * 1500


def bottleneck(result: ac.Result) -> dict[str, float]:
    return result.links.row(by_predicate=pl.col("name") == "bottleneck", named=True)


# 3 %: the windows are whole packets.
@pytest.mark.parametrize(("count", "alpha"), [(1, 20), (4, 20), (4, 50), (10, 10)])
def test_each_flow_queues_alpha_packets(count: int, alpha: int) -> None:
    flows = [ac.flow(f"fast(alpha={alpha})", count=count)]
    network = {"rate": "100Mbit/s", "rtt": "60ms", "buffer": "1000 packets"}
    result = ac.run(
        ac.dumbbell(
            profile="rfc",
            flows=flows,
            duration="20s",
            warmup="10s",
            transport={"delayed_ack": 1},
            **network,
        )
    )
    queue = bottleneck(result)
    assert queue["queue_packets_mean"] == pytest.approx(count * alpha, rel=0.03)
    assert queue["queue_delay_mean"] == pytest.approx(count * alpha * PACKET_BITS / 100e6, rel=0.03)
    assert queue["utilisation"] == pytest.approx(1, abs=1e-3)
    goodput = result.flows["goodput"]
    assert goodput.max() / goodput.min() < 1.03


@pytest.mark.long
def test_whatever_the_rtt() -> None:
    """20, 60 and 120 ms: three equal shares, each with alpha packets.

    They start so that each sees the path empty.
    """
    flows = [
        ac.flow("fast", name=name, start=start, access={"rate": "1Gbit/s", "delay": delay})
        for name, start, delay in (
            ("long", "0ms", "25ms"),
            ("middle", "95ms", "10ms"),
            ("short", "160ms", "0ms"),
        )
    ]
    network = {"rate": "100Mbit/s", "rtt": "20ms", "buffer": "1000 packets"}
    result = ac.run(
        ac.dumbbell(
            profile="rfc",
            flows=flows,
            duration="40s",
            warmup="30s",
            transport={"delayed_ack": 1},
            **network,
        )
    )
    waiting = bottleneck(result)["queue_delay_mean"]
    assert bottleneck(result)["queue_packets_mean"] == pytest.approx(3 * 20, rel=0.05)
    for flow in result.flows.iter_rows(named=True):
        # 5 %: 0.2 ms of error in a base RTT are that much of the 7 ms in the queue.
        assert flow["throughput"] / PACKET_BITS * waiting == pytest.approx(20, rel=0.05), flow[
            "name"
        ]
