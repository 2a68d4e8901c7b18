"""Tail drop against fluid bounds, and waiting against the queue with constant service."""

import numpy as np
import polars as pl
import pytest

import ackclock as ac
from ackclock.theory import md1_wait, overload_drops, slow_start_overshoot
from single_flow import row, run_alone, window

BDP = 20e6 * 0.06 / (8 * 1500)


# 5 %: the fluid's 201 to 501 packets, and a few more that the ACK clock's bursts find no room for;
# the window on learning of it, 2 C.
@pytest.mark.parametrize("delayed_ack", [1, 2])
@pytest.mark.parametrize("buffer", [100, 200, 400])
def test_slow_start_overshoot(buffer: int, delayed_ack: int) -> None:
    result = run_alone(
        "classic+reno",
        rate="20Mbit/s",
        rtt="60ms",
        buffer=f"{buffer} packets",
        duration="4s",
        transport={"delayed_ack": delayed_ack},
        record={"samples": "changes", "packets": ["bottleneck"]},
    )
    drops = result.packets.filter(pl.col("event") == "drop-forced")["time_ns"].to_numpy() / 1e9
    capacity = slow_start_overshoot(BDP, buffer)
    assert np.count_nonzero(drops < drops[0] + 2 * capacity * 0.6e-3) == pytest.approx(
        capacity, rel=0.05
    )
    assert window(result).peaks[0] == pytest.approx(2 * capacity, rel=0.05)
    # The drops last as long as the queue's delay, and no fluid of twice the line rate loses fewer.
    mu = 20e6 / (8 * 1500)
    assert overload_drops(2 * mu, mu, 0.0, capacity / mu) == pytest.approx(capacity)


def test_packets_are_conserved() -> None:
    """Arrived is delivered, dropped, waiting or on the wire; the queue received what was sent."""
    result = run_alone(
        "reno",
        rate="20Mbit/s",
        rtt="60ms",
        buffer="100 packets",
        duration="20s",
        record={"samples": "changes"},
    )
    link, flow = row(result, link=True), row(result)
    waiting = result.samples.links.filter(pl.col("link") == "bottleneck")["queue_packets"][-1]
    inside = link["arrived_packets"] - link["delivered_packets"] - link["dropped_packets"]
    # On the wire: half of a BDP, the forward delay at line rate, and one in transmission.
    assert waiting <= inside <= waiting + BDP / 2 + 1
    assert flow["lost_packets"] == link["dropped_packets"]
    # Besides data the SYN and the handshake's ACK crossed it.
    assert link["arrived_packets"] == flow["sent_packets"] + 2


def test_the_queue_follows_a_limit_that_changes() -> None:
    """A UDP stream of twice the rate fills the queue to each limit; what waits stays."""
    result = ac.run(
        ac.dumbbell(
            rate="12Mbit/s",
            rtt="60ms",
            buffer={"schedule": [["0s", "20 packets"], ["2s", "80 packets"], ["4s", "10 packets"]]},
            flows=[ac.flow(app={"kind": "cbr", "rate": "24Mbit/s", "packet": "1472B"})],
            duration="6s",
            record={"samples": "changes", "packets": ["bottleneck"]},
        )
    )
    samples = result.samples.links.filter(pl.col("link") == "bottleneck")
    time, queue = samples["time"].to_numpy(), samples["queue_packets"].to_numpy()
    for begin, end, limit in ((1, 2, 20), (3, 4, 80), (5, 6, 10)):
        during = queue[(time > begin) & (time < end)]
        assert (during.min(), during.max()) == (limit - 1, limit)
    # A packet leaves each ms, so that 80 fall to 9 in 71 ms; nothing that waited is dropped, and
    # nothing gets in meanwhile.
    below = time[(time > 4) & (queue < 10)][0]
    assert below == pytest.approx(4.071, abs=0.002)
    shrinking = result.packets.filter(pl.col("time_ns").is_between(4_000_000_000, 4_069_000_000))
    events = shrinking.filter(pl.col("where") == "bottleneck")["event"].cast(pl.String).unique()
    assert set(events) == {"drop-forced", "receive"}
    # The queue has room while it grows to 20 and from 20 to 80, by a packet each ms.
    assert result.metric("queue_full_share") == pytest.approx(1 - 0.08 / 6, abs=0.001)


# Poisson writes of a packet each, from a window without bound: an open loop. Waiting is Lindley's
# recursion to a microsecond (SYN and ACK of the handshake are in the mean too); and M/D/1's mean
# within four standard errors of ten batches.
@pytest.mark.long
@pytest.mark.parametrize("load", [0.4, 0.7])
def test_constant_service_and_random_arrivals(load: float) -> None:
    service = 1e-3
    # A second for the handshake: what is written before it is over would come as one burst.
    arrivals = 1.0 + np.cumsum(np.random.default_rng(5).exponential(service / load, 10_000))
    writes = [[f"{round(at * 1e9)}ns", "1448 bytes"] for at in arrivals]
    app = {"kind": "writes", "writes": writes}
    source = ac.flow(
        "reno", initial_window="1000000 packets", app=app, transport={"receive_buffer": "1GB"}
    )
    result = ac.run(
        ac.dumbbell(
            profile="rfc",
            rate="12Mbit/s",
            rtt="20ms",
            buffer="5000 packets",
            flows=[source],
            duration="60s",
            record={"samples": "off"},
        )
    )
    waits = np.zeros_like(arrivals)
    for index, gap in enumerate(np.diff(arrivals), start=1):
        waits[index] = max(0.0, waits[index - 1] + service - gap)
    assert row(result, link=True)["dropped_packets"] == 0
    assert row(result, link=True)["queue_delay_mean"] == pytest.approx(waits.mean(), abs=2e-6)
    batches = waits.reshape(10, -1).mean(axis=1)
    assert abs(waits.mean() - md1_wait(load, service)) < 4 * batches.std(ddof=1) / np.sqrt(10)
