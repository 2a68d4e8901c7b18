"""Slots: packets leave in batches, and the mean wait is a renewal process's."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import ackclock as ac
from single_flow import row


def batched(slot: Any, **scenario: Any) -> Any:
    return ac.run(
        ac.dumbbell(
            profile="rfc",
            rate="50Mbit/s",
            rtt="20ms",
            buffer="2bdp",
            reverse={"slot": slot},
            flows=[ac.flow("cubic", transport={"delayed_ack": 1})],
            duration="10s",
            record={"packets": ["bottleneck.reverse"]},
            **scenario,
        )
    )


def ack_times(result: Any) -> Any:
    packets = result.packets.filter(pl.col("where") == "bottleneck.reverse")
    return packets.filter(packets["event"].cast(pl.String) == "receive")["time_ns"].to_numpy() / 1e9


# With data without a pause the next ACK opens a slot a packet's time after the last one: 0.24 ms of
# 12.
def test_acks_arrive_only_in_slots_and_wait_half_of_one_on_average() -> None:
    result = batched("12ms")
    times = ack_times(result)
    slots = np.unique(times[times > 2])
    assert np.diff(slots).min() >= 0.012
    assert np.diff(slots).mean() == pytest.approx(0.01224, rel=0.03)
    # Fifty ACKs, of 0.24 ms each, to a slot.
    assert len(times[times > 2]) / len(slots) == pytest.approx(51, rel=0.05)
    assert row(result)["goodput"] > 0.9 * 50e6 * 1448 / 1500


def test_the_time_to_a_slot_is_drawn_between_its_bounds() -> None:
    times = ack_times(batched({"min_delay": "5ms", "max_delay": "15ms"}))
    gaps = np.diff(np.unique(times[times > 2]))
    assert gaps.min() >= 0.005
    assert gaps.max() <= 0.0155
    # 800 draws of mean 10 ms and deviation 2.9 ms: 0.1 ms of standard error, four of them and the
    # packet's time allowed.
    assert gaps.mean() == pytest.approx(0.01024, abs=0.0004)


def test_a_slot_holds_so_many_packets() -> None:
    # Eight ACKs per 2 ms are 4000 a second, and the link's 4167 data packets a second have to wait
    # for an ACK.
    times = ack_times(batched({"min_delay": "2ms", "packets": 8}))
    _, counts = np.unique(times[times > 2], return_counts=True)
    assert counts.max() == 8
    assert np.median(counts) == 8


def test_data_leaves_in_bursts_and_queues_for_it() -> None:
    """A batch of ACKs frees a batch of data: half of it waits at the bottleneck on average."""
    smooth, bursts = (
        row(
            ac.run(
                ac.dumbbell(
                    profile="rfc",
                    rate="50Mbit/s",
                    rtt="20ms",
                    buffer="unlimited",
                    reverse=reverse,
                    flows=[ac.flow("reno", transport={"max_cwnd": "60 packets"})],
                    duration="10s",
                    warmup="2s",
                )
            ),
            link=True,
        )
        for reverse in (None, {"slot": "10ms"})
    )
    assert smooth["queue_delay_mean"] < 0.0005
    # The window is out in one burst per slot: the last of n waits for n - 1 others, and the mean is
    # half of that.
    assert bursts["queue_delay_p95"] > 20 * smooth["queue_delay_mean"]
    assert 0.002 < bursts["queue_delay_mean"] < 60 * 1500 * 8 / 50e6 / 2
