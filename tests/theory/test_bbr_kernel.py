"""bbr as Linux 6.18 was recorded sending it: namespaces, a TUN bottleneck, DropTail.

It paces by itself, not by the queueing discipline.

The figures are those of three repetitions in the table of the project's reference measurements
(runs K3, K4a, K5 and K6a: 10 Mbit/s). The steady part is from 10 s, K4a's from 5 s. A range is from
the smallest of the three to the largest. RTT is that of packets on the link: propagation, queue,
transmission.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

import ackclock as ac
from internals import internal
from single_flow import MSS, PACKET, row

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ackclock.results import Result

RATE = 10e6
PROBE_BW, PROBE_RTT = 2, 3
SAMPLE = 0.005
"""As often as the kernel was asked."""


@dataclass(frozen=True)
class Recorded:
    """A scenario and what was seen in it."""

    flows: tuple[str, ...]
    rtt: float
    buffer: int
    duration: int
    steady: int
    goodput: float
    utilisation: float
    mean_rtt: tuple[float, float]
    mean_queue: tuple[float, float]
    bbr: int = 0
    """The flow that the figures below are of."""
    cycle: float = 0.0
    """s"""
    inflight: tuple[float, float] = (0.0, 0.0)
    """Trough and peak of a cycle, packets."""
    probe_rtt: tuple[int, float, float] = (0, 0.0, 0.0)
    """Number in the run, time of the first (s), and length (s)."""
    gains: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Shares of PROBE_BW at 0.75, 1 and 1.25."""


K3 = Recorded(
    flows=("bbr",),
    rtt=0.060,
    buffer=100,
    duration=60,
    steady=10,
    goodput=9.374e6,
    utilisation=0.971,
    mean_rtt=(0.07057, 0.07147),
    mean_queue=(7.6, 8.3),
    cycle=0.517,
    inflight=(55.5, 71.2),
    probe_rtt=(5, 10.07, 0.325),
    gains=(0.099, 0.757, 0.144),
)
K4A = Recorded(
    flows=("bbr",),
    rtt=0.008,
    buffer=100,
    duration=30,
    steady=5,
    goodput=9.564e6,
    utilisation=0.991,
    mean_rtt=(0.01753, 0.01828),
    mean_queue=(6.9, 7.5),
    cycle=0.0867,
    inflight=(13.8, 17.2),
    probe_rtt=(2, 10.01, 0.217),
    gains=(0.071, 0.793, 0.136),
)
K5 = Recorded(
    flows=("bbr", "bbr"),
    rtt=0.060,
    buffer=200,
    duration=100,
    steady=10,
    goodput=9.400e6,
    utilisation=0.974,
    mean_rtt=(0.1436, 0.1477),
    mean_queue=(66.9, 70.2),
    cycle=0.530,
    inflight=(56.0, 66.3),
    probe_rtt=(9, 10.07, 0.387),
    gains=(0.118, 0.758, 0.124),
)
K6A = Recorded(
    flows=("cubic", "bbr"),
    rtt=0.060,
    buffer=50,
    duration=60,
    steady=10,
    goodput=9.463e6,
    utilisation=0.980,
    mean_rtt=(0.1061, 0.1063),
    mean_queue=(36.6, 36.8),
    bbr=1,
    cycle=0.510,
    inflight=(69.1, 87.4),
    probe_rtt=(5, 10.07, 0.350),
    gains=(0.121, 0.756, 0.123),
)
ALL = pytest.mark.parametrize(
    "recorded", [K3, K4A, K5, K6A], ids=["K3", "K4a", "K5-two-flows", "K6a-against-cubic"]
)


@cache
def run(recorded: Recorded) -> Result:
    return ac.run(
        ac.dumbbell(
            flows=[ac.flow(cc) for cc in recorded.flows],
            rate=f"{RATE / 1e6:g}Mbit/s",
            rtt=f"{recorded.rtt * 1e3:g}ms",
            buffer=f"{recorded.buffer} packets",
            duration=f"{recorded.duration}s",
            warmup=f"{recorded.steady}s",
            record={"samples": f"{SAMPLE * 1e3:g}ms"},
        )
    )


@dataclass(frozen=True)
class Machine:
    """bbr's modes and gains over time."""

    time: NDArray[np.float64]
    mode: NDArray[np.float64]
    gain: NDArray[np.float64]

    @classmethod
    def of(cls, recorded: Recorded) -> Machine:
        time, mode = internal(run(recorded), "mode", recorded.bbr)
        return cls(time, mode, internal(run(recorded), "pacing_gain", recorded.bbr)[1])

    def probes(self, since: float) -> NDArray[np.intp]:
        """Where the gain rises above 1 after `since`, s."""
        up = (self.gain[1:] > 1) & (self.gain[:-1] <= 1) & (self.mode[1:] == PROBE_BW)
        at = np.flatnonzero(up) + 1
        return at[self.time[at] > since]

    def dips(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Beginnings and lengths of PROBE_RTT."""
        inside = self.mode == PROBE_RTT
        begins, ends = (
            np.flatnonzero(inside[1:] & ~inside[:-1]) + 1,
            np.flatnonzero(~inside[1:] & inside[:-1]) + 1,
        )
        return self.time[begins], self.time[ends] - self.time[begins][: len(ends)]


def within(value: float, seen: tuple[float, float], tolerance: float) -> bool:
    return seen[0] * (1 - tolerance) <= value <= seen[1] * (1 + tolerance)


# Goodput and utilisation 0.5 %: both are what PROBE_RTT leaves. RTT 3 %, the bar for a simulator
# against the kernel; the queue 5 %.
@ALL
def test_rate_and_delay(recorded: Recorded) -> None:
    result = run(recorded)
    link = row(result, link=True)
    assert result.flows["goodput"].sum() == pytest.approx(recorded.goodput, rel=0.005)
    assert link["utilisation"] == pytest.approx(recorded.utilisation, rel=0.005)
    assert within(
        recorded.rtt + link["queue_delay_mean"] + 8 * PACKET / RATE, recorded.mean_rtt, 0.03
    )
    assert within(link["queue_packets_mean"], recorded.mean_queue, 0.05)


# 5 % of the middle one of all cycles (the kernel's table leaves out those with a PROBE_RTT, after
# which a cycle begins anywhere).
@ALL
def test_gain_cycle(recorded: Recorded) -> None:
    machine = Machine.of(recorded)
    probes = machine.probes(recorded.steady)
    assert float(np.median(np.diff(machine.time[probes]))) == pytest.approx(
        recorded.cycle, rel=0.05
    )
    steady = (machine.mode == PROBE_BW) & (machine.time > recorded.steady)
    shares = [
        float(np.mean(np.abs(machine.gain[steady] - gain) < 0.01)) for gain in (0.75, 1.0, 1.25)
    ]
    assert shares == pytest.approx(recorded.gains, abs=0.02)


# 5 % of the mean over the cycles.
@ALL
def test_inflight(recorded: Recorded) -> None:
    result, machine = run(recorded), Machine.of(recorded)
    probes = machine.probes(recorded.steady)
    samples = result.samples.flows.filter(
        pl.col("flow").cast(pl.String) == result.flows["name"][recorded.bbr]
    )
    inflight = np.interp(
        machine.time, samples["time"].to_numpy(), samples["inflight"].to_numpy() / MSS
    )
    cycles = [inflight[a:b] for a, b in pairwise(probes) if (machine.mode[a:b] == PROBE_BW).all()]
    trough, peak = (float(np.mean([edge(cycle) for cycle in cycles])) for edge in (np.min, np.max))
    assert trough == pytest.approx(recorded.inflight[0], rel=0.05)
    assert peak == pytest.approx(recorded.inflight[1], rel=0.05)


# The first PROBE_RTT comes within 20 ms of ten seconds after the handshake (the kernel counts in
# ticks of 4 ms). Their number in the run is the recorded one. Each lasts as long as the median of
# the recorded within 50 ms: those differ by 40 ms, and a kernel's ticks lie elsewhere.
@ALL
def test_probe_rtt(recorded: Recorded) -> None:
    begins, lengths = Machine.of(recorded).dips()
    count, first, length = recorded.probe_rtt
    assert len(begins) == count
    assert begins[0] == pytest.approx(first, abs=0.020)
    assert lengths == pytest.approx(length, abs=0.050)


# K5: shares of 0.489 to 0.511 and filters of 4.94 to 5.18 Mbit/s in three repetitions: 5 %.
def test_two_flows_share() -> None:
    result = run(K5)
    assert result.flows["goodput"].to_numpy() == pytest.approx(K5.goodput / 2, rel=0.05)
    for flow in (0, 1):
        time, bandwidth = internal(result, "bw", flow)
        assert bandwidth[time > K5.steady].mean() == pytest.approx(5.06e6, rel=0.05)
    assert row(result, link=True)["dropped_packets"] == 0


# K6a: bbr 7.82 to 7.86 Mbit/s, cubic 1.60 to 1.65; 384 to 421 packets dropped, cubic's windows of
# 12 to 18. 5 % of bbr's, which is a quarter of cubic's; losses 25 %.
def test_against_cubic() -> None:
    result = run(K6A)
    cubic, bbr = result.flows["goodput"]
    assert bbr == pytest.approx(7.84e6, rel=0.05)
    assert cubic == pytest.approx(1.62e6, rel=0.25)
    assert within(row(result, link=True)["dropped_packets"], (384, 421), 0.25)


# K3's start: a window of 152 at 0.42 s, held until full pipe at 0.95 s; then 0.34 of the rate for
# 0.16 to 0.18 s; 2 or 3 packets dropped. 20 ms where a time is that of an ACK of the first rounds,
# which quick ACKs and the receiver's timer move about.
def test_startup_and_drain() -> None:
    result = ac.run(
        ac.dumbbell(
            flows=[ac.flow("bbr")],
            rate="10Mbit/s",
            rtt="60ms",
            buffer="100 packets",
            duration="2s",
            record={"samples": "changes"},
        )
    )
    flows = result.samples.flows
    time, mode = internal(result, "mode")
    drain = time[np.flatnonzero(mode == 1)]
    assert drain[0] == pytest.approx(0.95, abs=0.02)
    assert drain[-1] - drain[0] == pytest.approx(0.17, abs=0.02)
    startup = flows.filter(pl.col("time") < 0.9)
    assert startup["cwnd"].max() == 152 * MSS
    # From the filter's 9.653 Mbit/s: 0.1 %.
    assert startup["pacing_rate"].tail(1).item() == pytest.approx(27.594e6, rel=0.001)
    assert 1 <= row(result)["lost_packets"] <= 4


# Recorded beside these: 9.61 and 9.56 Mbit/s throughout at 4 and 8 ms. The collapse after the first
# PROBE_RTT that was published for such paths is that of other implementations' filters. 0.5 %.
@pytest.mark.parametrize(("rtt", "goodput"), [("4ms", 9.61e6), ("8ms", 9.56e6)])
@pytest.mark.parametrize("cc", ["bbr", "bbr-lowlat"])
def test_no_collapse_on_short_paths(cc: str, rtt: str, goodput: float) -> None:
    result = ac.run(
        ac.dumbbell(
            flows=[ac.flow(cc)],
            rate="10Mbit/s",
            rtt=rtt,
            buffer="100 packets",
            duration="30s",
            record={"samples": "1s"},
        )
    )
    assert row(result)["goodput"] == pytest.approx(goodput, rel=0.005)
    acked = result.samples.flows["acked"].to_numpy()
    per_second = np.diff(acked) * 8
    assert per_second[1:].min() > 0.85 * goodput
