"""Flow queueing (RFC 8290, tc-fq_pie): equal shares, no queue for a slow sender; unlike fifo."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ackclock as ac
from ackclock.metrics import jain_index

FAIR = ["fq_codel", "fq_pie"]
RATE = 20e6


def run(qdisc: Any, *flows: ac.Flow, **scenario: Any) -> ac.Result:
    options = {"rate": "20Mbit/s", "rtt": "40ms", "duration": "30s", "warmup": "10s", **scenario}
    return ac.run(ac.dumbbell(profile="rfc", flows=list(flows), qdisc=qdisc, **options))


def goodput(result: ac.Result) -> dict[str, float]:
    return dict(result.flows.select("name", "goodput").iter_rows())


# 15 %: each is under a controller of its own, and the sawtooth of one flow under CoDel leaves some
# of its share to the other.
@pytest.mark.long
@pytest.mark.parametrize("qdisc", FAIR)
def test_reno_has_its_half_beside_eight_flows_in_one(qdisc: str) -> None:
    """MulTCP with n = 8 takes eight shares of a fifo, and one here."""
    flows = ac.flow("reno", name="reno"), ac.flow("multcp(n=8)", name="eight")
    fair, fifo = goodput(run(qdisc, *flows)), goodput(run("fifo", *flows))
    assert fair["reno"] == pytest.approx(RATE / 2 * 1448 / 1500, rel=0.15)
    assert fifo["reno"] < 0.25 * RATE


@pytest.mark.parametrize("qdisc", FAIR)
def test_reno_and_cubic_have_equal_shares(qdisc: str) -> None:
    result = run(qdisc, ac.flow("reno", name="reno"), ac.flow("cubic", name="cubic"))
    assert jain_index(result.flows["goodput"]) > 0.99
    assert result.links["utilisation"][0] > 0.93


@pytest.mark.long
@pytest.mark.parametrize("qdisc", FAIR)
def test_reno_has_its_half_beside_a_flood(qdisc: str) -> None:
    """Datagrams at one and a half times the line rate, which nothing slows down."""
    flows = (
        ac.flow("reno", name="reno"),
        ac.flow(name="flood", app={"kind": "cbr", "rate": "30Mbit/s", "packet": "1000 bytes"}),
    )
    # 20 %: of Reno's half its sawtooth under CoDel does not use all.
    assert goodput(run(qdisc, *flows))["reno"] == pytest.approx(RATE / 2, rel=0.2)
    for single in ("fifo", "codel"):
        assert goodput(run(single, *flows))["reno"] < 0.02 * RATE


def test_shares_are_per_connection() -> None:
    """A queue per connection: a transfer over four has four shares of five."""
    result = run("fq_codel", ac.flow("reno", name="one"), ac.flow("reno", name="four", parallel=4))
    shares = goodput(result)
    assert shares["four"] / shares["one"] == pytest.approx(4, rel=0.1)


@pytest.mark.parametrize("qdisc", FAIR)
def test_who_sends_little_does_not_wait(qdisc: str) -> None:
    """A packet per 15 ms beside four CUBIC flows waits for the wire and a new queue's quantum.

    A quantum, 1514 bytes, lets a second packet of 1500 follow: 0.6 + 2 x 0.6 ms. That more than one
    of the four was empty, the rest of whose quanta go first too, is the case for some 2 % of its
    packets under fq_codel, which drops until a queue is empty.
    """
    voice = ac.flow(name="voice", app={"kind": "cbr", "rate": "100kbit/s", "packet": "160 bytes"})
    delays = {}
    for name in (qdisc, "fifo"):
        result = run(name, ac.flow("cubic", count=4), voice)
        base = (
            0.020 + result.streams["sent_bytes"][0] / result.streams["sent_packets"][0] * 8 / RATE
        )
        delays[name] = result.streams["delay_p95"][0] - base
        most = result.streams["delay_max"][0] - base
        assert most < 0.0006 * (1 + 4 * 2) or name == "fifo"
        assert result.streams["lost_packets"][0] == 0 or name == "fifo"
    assert delays[qdisc] < 0.0018
    assert delays["fifo"] > 0.03


def test_marking_flows_lose_nothing() -> None:
    result = run("fq_codel", ac.flow("cubic", count=3), transport={"ecn": "classic"})
    link = result.links.filter(pl.col("name") == "bottleneck").row(0, named=True)
    assert link["marked_packets"] > 0
    assert link["dropped_packets"] == 0
