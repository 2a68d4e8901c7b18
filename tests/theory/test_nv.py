"""NV: at most ten packets queued by a flow that knows its path; and what it does not know."""

from __future__ import annotations

import polars as pl
import pytest

import ackclock as ac


def run(cc: str, duration: str) -> ac.Result:
    network = {"rate": "1Gbit/s", "rtt": "1ms", "buffer": "1000 packets"}
    record = {"samples": "10ms"}
    return ac.run(
        ac.dumbbell(
            profile="rfc",
            flows=[ac.flow(cc)],
            duration=duration,
            transport={"delayed_ack": 1},
            record=record,
            **network,
        )
    )


def queues(result: ac.Result, since: float, until: float) -> pl.Series:
    samples = result.samples.links.filter(
        (pl.col("link") == "bottleneck") & pl.col("time").is_between(since, until)
    )
    return samples["queue_packets"]


@pytest.mark.parametrize("pad", [10, 30])
def test_it_stays_within_two_packets_of_its_pad(pad: int) -> None:
    result = run(f"nv(pad={pad}, reset_period=100)", "5s")
    queue = queues(result, 1, 5)
    assert pad - 2 <= queue.min() <= queue.max() <= pad
    assert result.flows["lost_packets"].sum() == 0


@pytest.mark.long
def test_it_forgets_the_path_and_adds_ten_packets_to_its_own_queue() -> None:
    """NV does so when it renews the smallest RTT after a whole period in its own queue."""
    result = run("nv(reset_period=1)", "12s")
    assert queues(result, 1, 2).max() <= 10
    assert queues(result, 11, 12).min() >= 28
