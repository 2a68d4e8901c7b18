"""Vegas and stabilised Vegas: alpha to beta packets queued per flow, and when they are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import ackclock as ac
from single_flow import MSS, row

# An ACK per packet: with delayed ACKs two packets leave at once and the queue goes up and down by
# one.
EACH = {"delayed_ack": 1}


def run(
    cc: str,
    count: int,
    *,
    rtt: str = "60ms",
    rate: str = "10Mbit/s",
    apart: int = 0,
    **scenario: Any,
) -> ac.Result:
    flows = [
        ac.flow(cc, name=f"flow{number}", start=f"{apart * number}s") for number in range(count)
    ]
    network = {
        "rate": f"{count * int(rate.removesuffix('Mbit/s'))}Mbit/s",
        "rtt": rtt,
        "buffer": "4000 packets",
    }
    return ac.run(
        ac.dumbbell(
            profile="rfc",
            flows=flows,
            transport=EACH,
            **network,
            **{"duration": "20s", "warmup": "10s", **scenario},
        )
    )


def queue(result: ac.Result) -> float:
    """Packets, mean over time; the one being transmitted is not among them."""
    return float(
        result.links.row(by_predicate=pl.col("name") == "bottleneck", named=True)[
            "queue_packets_mean"
        ]
    )


# A packet of tolerance, for the whole link: the thresholds are for the window, of which one packet
# is in transmission.
@pytest.mark.parametrize("rtt", ["20ms", "60ms", "120ms"])
@pytest.mark.parametrize(
    ("cc", "alpha", "beta"),
    [("vegas", 2, 4), ("vegas(alpha=1, beta=3)", 1, 3), ("vegas-start+vegas(linux=true)", 2, 4)],
)
@pytest.mark.parametrize("count", [1, 4])
def test_between_alpha_and_beta_packets_per_flow(
    rtt: str, cc: str, alpha: int, beta: int, count: int
) -> None:
    result = run(cc, count, rtt=rtt)
    assert alpha * count - 1 <= queue(result) <= beta * count + 1
    assert result.links["utilisation"].max() == pytest.approx(1, abs=1e-3)
    assert result.flows["lost_packets"].sum() == 0


def test_who_comes_late_takes_the_others_queue_for_the_path() -> None:
    """A latecomer's base RTT holds the others' packets: it queues over beta, and they less."""
    result = run("vegas", 4, apart=10, duration="60s", warmup="45s")
    goodput = result.flows["goodput"].to_list()
    assert goodput == sorted(goodput)
    assert goodput[-1] > 1.5 * goodput[0]
    assert queue(result) > 4 * 4


def windows(result: ac.Result, since: float) -> list[np.ndarray]:
    """Packets, by flow."""
    samples = result.samples.flows.filter(pl.col("time") >= since)
    return [
        samples.filter(pl.col("flow") == name)["cwnd"].to_numpy() / MSS
        for name in result.flows["name"]
    ]


# 5 %: the window moves by less than a packet.
@pytest.mark.long
@pytest.mark.parametrize(("rtt", "count"), [("60ms", 1), ("60ms", 10), ("300ms", 10)])
def test_stabilised_vegas_has_the_equilibrium_of_vegas(rtt: str, count: int) -> None:
    result = run("stabilised-vegas(alpha=3)", count, rtt=rtt, duration="60s", warmup="40s")
    assert queue(result) == pytest.approx(3 * count, rel=0.05, abs=0.5)
    assert result.links["utilisation"].max() == pytest.approx(1, abs=1e-3)


@pytest.mark.long
def test_stabilised_vegas_stands_still_where_one_packet_per_round_trip_is_too_much() -> None:
    """Ten flows see their effect 300 ms late, and each wants exactly three packets queued."""
    spread = {}
    for cc in ("vegas(alpha=3, beta=3)", "stabilised-vegas(alpha=3)"):
        result = run(cc, 10, rtt="300ms", duration="120s", warmup="90s", record={"samples": "50ms"})
        spread[cc] = float(np.mean([window.std() for window in windows(result, 90)]))
        assert queue(result) == pytest.approx(30, rel=0.1)
    # Vegas goes up and down by two packets; its dead band, alpha < beta, is the other way to stop
    # that.
    assert spread["vegas(alpha=3, beta=3)"] > 1
    assert spread["stabilised-vegas(alpha=3)"] < 0.2 * spread["vegas(alpha=3, beta=3)"]


def test_slow_start_ends_before_a_loss_with_a_buffer_of_one_bdp_and_linuxs_does_not() -> None:
    lost = {}
    for cc in ("vegas", "vegas-start(linux=true)+vegas"):
        result = ac.run(
            ac.dumbbell(
                profile="rfc",
                flows=[ac.flow(cc)],
                rate="20Mbit/s",
                rtt="60ms",
                buffer="1bdp",
                duration="10s",
            )
        )
        lost[cc] = row(result)["lost_packets"]
    # Linux judges a round trip by the window that the next one has doubled twice.
    assert lost["vegas"] == 0
    assert lost["vegas-start(linux=true)+vegas"] > 0
