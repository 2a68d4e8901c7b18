"""Copa's equilibrium and its two modes, on a network.

An ACK per packet, as the paper's receiver sends them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

import ackclock as ac
from ackclock.theory import copa_equilibrium
from internals import internal
from single_flow import row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ackclock.results import Result

RTT = 0.06
PER_PACKET = {"delayed_ack": 1}


def run(deltas: Sequence[float], *, seed: int = 1) -> Result:
    """Flows with these deltas on 100 Mbit/s and 60 ms, 500 packets, in default mode.

    Between 15 and 30 s a flow of 0.5 beside one of 0.25 still has 0.336 to 0.365 of the link, by
    when it started; from 30 s on 0.341.
    """
    flows = [
        ac.flow(f"copa(competitive=false,delta={delta})", start="uniform(0s, 2s)")
        for delta in deltas
    ]
    return ac.run(
        ac.dumbbell(
            profile="rfc",
            flows=flows,
            rate="100Mbit/s",
            rtt="60ms",
            duration="45s",
            warmup="30s",
            seed=seed,
            transport=PER_PACKET,
        )
    )


def queue(result: Result, since: float = 30.0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Times (s) and packets."""
    rows = result.samples.links.filter(
        (pl.col("link").cast(pl.String) == "bottleneck") & (pl.col("time") >= since)
    )
    return rows["time"].to_numpy(), rows["queue_packets"].to_numpy().astype(float)


# 8 % and half a packet; the fluid knows no packets. The highest is that of a swing, 3 packets or a
# tenth from it.
@pytest.mark.long
@pytest.mark.parametrize(
    "deltas", [[0.5], [0.1], [0.5] * 4, [0.1, 0.1], [0.5, 0.25], [0.5, 0.1]], ids=str
)
def test_queue_and_shares_are_the_closed_forms(deltas: list[float]) -> None:
    result = run(deltas)
    expected = copa_equilibrium(deltas)
    _, packets = queue(result)
    assert row(result, link=True)["queue_packets_mean"] == pytest.approx(
        expected.mean, rel=0.08, abs=0.5
    )
    assert np.quantile(packets, 0.99) == pytest.approx(expected.highest, rel=0.1, abs=3)
    assert np.quantile(packets, 0.01) <= 1
    goodput = result.flows["goodput"].to_numpy()
    assert goodput / goodput.sum() == pytest.approx(expected.shares, abs=0.02)
    assert row(result, link=True)["utilisation"] > 0.999
    assert result.flows["lost_packets"].sum() == 0


@pytest.mark.long
def test_the_queue_empties_once_in_five_rtts() -> None:
    result = run([0.1])
    expected = copa_equilibrium([0.1])
    time, packets = queue(result)
    # Upward crossings of the mean after it was a quarter of a swing below.
    crossings, is_low = [], False
    for at, value in zip(time, packets, strict=True):
        if value < expected.mean - expected.highest / 4:
            is_low = True
        elif is_low and value > expected.mean:
            crossings.append(at)
            is_low = False
    rtt = RTT + expected.mean * 1500 * 8 / 100e6
    # 4.7: a whole packet is seen a little sooner than a fluid.
    assert np.diff(crossings).mean() / rtt == pytest.approx(expected.period, rel=0.1)


@pytest.mark.long
@pytest.mark.parametrize("rival", ["reno", "cubic"])
def test_it_competes_while_somebody_fills_the_buffer(rival: str) -> None:
    flows = [ac.flow("copa"), ac.flow(rival, start="10s", stop="40s")]
    result = ac.run(
        ac.dumbbell(
            profile="rfc",
            flows=flows,
            rate="20Mbit/s",
            rtt="40ms",
            duration="60s",
            transport=PER_PACKET,
        )
    )
    time, competing = internal(result, "competing")

    def share(begin: float, end: float) -> float:
        return float(competing[(time >= begin) & (time < end)].mean())

    assert share(2, 10) == 0
    assert share(12, 40) > 0.8
    assert share(44, 60) < 0.05
    # And afterwards its window is as before.
    _, packets = queue(result, since=44)
    assert packets.mean() < 5


def beside(cc: str, rival: str, *, buffer: str = "1bdp", seed: int = 1) -> float:
    """Copa's share of 20 Mbit/s and 40 ms beside one rival.

    The hosts take up to a packet's time, 0.6 ms, for each packet. Without it who is dropped at the
    full queue is a matter of phases (Floyd & Jacobson, Computer Communication Review 21(2), 1991,
    whose remedy this is): Reno's share beside Reno is then 0.08 to 0.92.
    """
    flows = [ac.flow(cc), ac.flow(rival, start="1s")]
    result = ac.run(
        ac.dumbbell(
            profile="rfc",
            flows=flows,
            rate="20Mbit/s",
            rtt="40ms",
            buffer=buffer,
            duration="60s",
            warmup="20s",
            seed=seed,
            access={"delay": "uniform(0ms, 0.5ms)", "jitter": "uniform(0ms, 0.6ms)"},
            transport=PER_PACKET,
            record={"samples": "off"},
        )
    )
    goodput = result.flows["goodput"].to_numpy()
    return float(goodput[0] / goodput.sum())


# The paper promises a fair share on average, not in every run: six seeds give 0.43 to 0.59, with
# four products and CUBIC 0.29 to 0.48. There its competitive mode, which is Reno in 1/delta, is
# beside a growth that is not Reno's; Reno has 0.30 in its place.
@pytest.mark.long
@pytest.mark.parametrize("buffer", ["1bdp", "4bdp"])
@pytest.mark.parametrize("rival", ["reno", "cubic"])
def test_competing_it_has_its_share(rival: str, buffer: str) -> None:
    assert (
        0.35
        < np.mean([beside("copa", rival, buffer=buffer, seed=seed) for seed in (1, 2, 3, 4)])
        < 0.7
    )


@pytest.mark.parametrize("rival", ["reno", "cubic"])
def test_in_default_mode_it_starves(rival: str) -> None:
    assert beside("copa(competitive=false)", rival) < 0.1


# On any path one flow keeps a packet or two per delta: the velocity comes to rest at 1.
@pytest.mark.long
@pytest.mark.parametrize(
    ("rate", "rtt", "duration"),
    [
        ("10Mbit/s", "20ms", 20),
        ("10Mbit/s", "200ms", 60),
        ("50Mbit/s", "40ms", 20),
        ("200Mbit/s", "50ms", 30),
    ],
)
def test_a_flow_alone_comes_to_rest(rate: str, rtt: str, duration: int) -> None:
    result = ac.run(
        ac.dumbbell(
            profile="rfc",
            flows=[ac.flow("copa")],
            rate=rate,
            rtt=rtt,
            duration=f"{duration}s",
            warmup=f"{duration / 2}s",
            transport=PER_PACKET,
        )
    )
    time, velocity = internal(result, "velocity")
    assert velocity[time > duration / 2].max() == 1
    assert row(result, link=True)["utilisation"] > 0.98
    assert row(result, link=True)["queue_packets_mean"] == pytest.approx(2.5, abs=0.8)
