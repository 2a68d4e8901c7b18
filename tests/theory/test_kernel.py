"""One flow as Linux 6.18 was recorded sending it: namespaces, a TUN bottleneck, DropTail, 60 s.

The figures are the means of three repetitions in the table of the project's reference measurements
(runs K1, K2 and K8; the steady part, from 10 s). Its RTT is that of packets on the link,
propagation, queue and transmission, without delayed ACKs and host time.
"""

from dataclasses import dataclass

import pytest

from single_flow import PACKET, row, run_alone, window


@dataclass(frozen=True)
class Recorded:
    cc: str
    rate: float
    rtt: float
    buffer: int
    goodput: float
    mean_rtt: float
    peak: float
    trough: float
    period: float
    drops: tuple[int, int]


K1 = Recorded("cubic", 10e6, 0.060, 50, 9.653e6, 0.1086, 102.0, 71.0, 3.093, (16, 16))
K2 = Recorded("reno", 10e6, 0.060, 50, 9.648e6, 0.0945, 102.4, 51.0, 4.952, (19, 21))
K8 = Recorded("cubic", 100e6, 0.040, 333, 96.533e6, 0.0692, 670.5, 469.2, 9.33, (16, 17))


# The bars for a simulator against the kernel: goodput 2 %, mean RTT 3 %, peak, trough and period of
# the sawtooth 5 %, losses 25 % or 5.
@pytest.mark.long
@pytest.mark.parametrize("recorded", [K1, K2, K8], ids=["K1-cubic", "K2-reno", "K8-cubic-100M"])
def test_against_the_recorded_kernel(recorded: Recorded) -> None:
    result = run_alone(
        recorded.cc,
        profile="linux",
        rate=f"{recorded.rate / 1e6:g}Mbit/s",
        rtt=f"{recorded.rtt * 1e3:g}ms",
        buffer=f"{recorded.buffer} packets",
        duration="60s",
        warmup="10s",
        record={"samples": "changes"},
    )
    link = row(result, link=True)
    seen = window(result, since=10.0)
    assert row(result)["goodput"] == pytest.approx(recorded.goodput, rel=0.02)
    assert recorded.rtt + link["queue_delay_mean"] + 8 * PACKET / recorded.rate == pytest.approx(
        recorded.mean_rtt, rel=0.03
    )
    assert seen.peaks.mean() == pytest.approx(recorded.peak, rel=0.05)
    assert seen.troughs.mean() == pytest.approx(recorded.trough, rel=0.05)
    assert seen.periods.mean() == pytest.approx(recorded.period, rel=0.05)
    few, many = recorded.drops
    assert min(0.75 * few, few - 5) <= link["dropped_packets"] <= max(1.25 * many, many + 5)


# K2's start: 124 drops in all less 20 in the steady part, and a window of 203 when the first is
# noticed. 5 %.
def test_slow_start_ends_as_recorded() -> None:
    result = run_alone(
        "reno",
        profile="linux",
        rate="10Mbit/s",
        rtt="60ms",
        buffer="50 packets",
        duration="2s",
        record={"samples": "changes"},
    )
    assert window(result).peaks[0] == pytest.approx(203, rel=0.05)
    assert row(result)["lost_packets"] == pytest.approx(104, rel=0.05)
