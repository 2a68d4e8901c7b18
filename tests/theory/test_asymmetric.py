"""A slow way back: ACKs queue and drop, and one is left for k packets (RFC 3449 section 3.1)."""

from __future__ import annotations

from typing import Any

import pytest

import ackclock as ac

FILE = "scenarios/adsl.toml"
FORWARD, BACK = 10e6, 0.25e6
DATA, ACK = 1500, 52
K = (FORWARD / BACK) / (DATA / ACK)


def links(**changes: Any) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    result = ac.run(ac.load(FILE, changes=changes))
    forward, back = (result.links.row(index, named=True) for index in (0, 1))
    return forward, back, result.flows.row(0, named=True)


# 3 %: SACK blocks make ACKs larger after losses.
@pytest.mark.parametrize("back", [0.25, 0.125, 0.0625])
def test_one_ack_returns_for_k_packets(back: float) -> None:
    k = K * BACK / (back * 1e6)
    forward, reverse, flow = links(**{"network.bottleneck.reverse.rate": f"{back}Mbit/s"})
    assert reverse["utilisation"] > 0.99
    assert forward["delivered_packets"] / reverse["delivered_packets"] == pytest.approx(
        k * forward["utilisation"], rel=0.03
    )
    assert reverse["dropped_forced"] > 0
    # The share of ACKs that find no room.
    assert reverse["dropped_packets"] / reverse["arrived_packets"] == pytest.approx(
        1 - 1 / (k * forward["utilisation"]), abs=0.02
    )
    # The queue of 20 is full: an ACK waits for those before it.
    assert reverse["queue_delay_p50"] == pytest.approx(20 * ACK * 8 / (back * 1e6), rel=0.1)
    # Cumulative ACKs and bytes counted: data flows all the same.
    assert flow["goodput"] > 0.9 * FORWARD * 1448 / 1500


def test_delayed_acks_fit_through() -> None:
    # So small a window that the buffer forward takes it: after a loss each packet has its ACK. A
    # Linux host acknowledges the end of each burst besides, and needs 0.79 of the way back.
    forward, reverse, _ = links(
        **{"profile": "rfc", "transport.delayed_ack": 2, "transport.max_cwnd": "40 packets"}
    )
    assert reverse["dropped_packets"] == 0
    # An ACK for two packets: k / 2 of the way back.
    assert reverse["utilisation"] == pytest.approx(K / 2 * forward["utilisation"], rel=0.03)
    assert reverse["queue_delay_p95"] < 3 * ACK * 8 / BACK
