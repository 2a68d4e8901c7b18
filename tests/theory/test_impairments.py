"""Impairments end to end: shares against closed forms, and TCP's answers."""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest

import ackclock as ac

PROBES = 40_000


def probe(**bottleneck: Any) -> ac.Result:
    """A 200-byte datagram on the wire each ms for 40 s, over a link that is a hundredth busy."""
    return ac.run(
        ac.Scenario.parse(
            {
                "duration": "41s",
                "network": {
                    "kind": "dumbbell",
                    "bottleneck": {"rate": "160Mbit/s", "delay": "10ms", **bottleneck},
                },
                "flows": [
                    {
                        "name": "probe",
                        "app": {"kind": "cbr", "rate": "1.6Mbit/s", "packet": "172B"},
                        "stop": "40s",
                    }
                ],
                "record": {"samples": "1s"},
            }
        )
    )


def download(
    cc: str = "reno", transport: dict[str, Any] | None = None, seconds: int = 20, **bottleneck: Any
) -> ac.Result:
    """A flow that has 20 Mbit/s and 60 ms, and a queue of a bdp, to itself."""
    return ac.run(
        ac.Scenario.parse(
            {
                "profile": "rfc",
                "duration": f"{seconds}s",
                "warmup": "5s",
                "network": {
                    "kind": "dumbbell",
                    "bottleneck": {"rate": "20Mbit/s", "delay": "30ms", **bottleneck},
                },
                "flows": [{"name": "flow", "cc": cc, "transport": transport or {}}],
            }
        )
    )


def link(result: ac.Result) -> dict[str, Any]:
    return result.links.row(by_predicate=pl.col("name") == "bottleneck", named=True)


def stream(result: ac.Result) -> dict[str, Any]:
    return result.streams.row(0, named=True)


def flow(result: ac.Result) -> dict[str, Any]:
    return result.flows.row(0, named=True)


def error(p: float, n: int = PROBES) -> float:
    """Five standard errors of a share of independent packets."""
    return 5 * math.sqrt(p * (1 - p) / n)


def test_gilbert_elliott_loses_what_elliott_computed_in_bursts_of_the_mean_length() -> None:
    p, r = 0.02, 0.25
    result = probe(loss={"kind": "gilbert-elliott", "p": p, "r": r})
    lost = result.samples.datagrams.sort("number")["delay"].is_null()
    n, share, c = lost.len(), p / (p + r), 1 - p - r
    assert n >= PROBES
    assert lost.sum() == stream(result)["lost_packets"] == link(result)["dropped_wire"]
    # The variance of the share of a two-state chain.
    assert lost.mean() == pytest.approx(
        share, abs=5 * math.sqrt(share * (1 - share) * (1 + c) / (1 - c) / n)
    )
    bursts = int((lost & ~lost.shift(1, fill_value=False)).sum())
    # Lengths are geometric, with the standard deviation sqrt(1 - r) / r.
    assert lost.sum() / bursts == pytest.approx(
        1 / r, abs=5 * math.sqrt(1 - r) / r / math.sqrt(bursts)
    )


def test_bursts_by_time_lose_their_share_of_a_stream() -> None:
    result = probe(loss={"kind": "bursts", "length": "exponential(20ms)", "gap": "180ms"})
    lost = result.samples.datagrams.sort("number")["delay"].is_null()
    # 200 cycles; with fixed gaps the share of an alternating renewal process has the standard error
    # (1 - p) p / sqrt(n).
    assert lost.mean() == pytest.approx(0.1, abs=5 * 0.1 * 0.9 / math.sqrt(200))
    # A burst of 20 ms is 20 datagrams; bursts of less than 1 ms may lose none.
    bursts = int((lost & ~lost.shift(1, fill_value=False)).sum())
    assert bursts == pytest.approx(200, abs=20)


def test_a_loss_begins_and_ends_with_its_window() -> None:
    result = probe(loss={"kind": "bernoulli", "p": 1.0, "start": "10s", "stop": "12.5s"})
    data = result.samples.datagrams.sort("number")
    lost = data.filter(pl.col("delay").is_null())["number"]
    # A datagram each ms; the link takes 10 us for it.
    assert (lost.len(), lost.max() - lost.min()) == (2500, 2499)


def test_a_loss_in_steps_is_that_of_bernoulli_until_its_next_step() -> None:
    constant = probe(loss={"kind": "bernoulli", "p": 0.02})
    stepped = probe(loss={"schedule": [["0s", "2%"], ["10s", "100%"], ["12s", 0.0]]})
    lost = [
        result.samples.datagrams.sort("number")["delay"].is_null() for result in (constant, stepped)
    ]
    # A datagram each ms; the link takes 10 us for it.
    assert lost[0][:9990].equals(lost[1][:9990])
    assert lost[0][:9990].any()
    assert lost[1][10_000:12_000].all()
    assert not lost[1][12_001:].any()


def test_a_flow_in_backoff_leaves_a_burst_by_time_and_not_one_by_packets() -> None:
    """Bursts of half a second, and of the 833 packets that a full link sends in that time."""
    by_time = download(loss={"kind": "bursts", "length": "500ms", "gap": "5s"}, seconds=60)
    by_packets = download(loss={"kind": "gilbert-elliott", "p": 1 / 8333, "r": 1 / 833}, seconds=60)
    assert flow(by_time)["timeouts"] >= 9
    assert flow(by_time)["goodput"] > 10e6
    assert flow(by_packets)["goodput"] < 2e6


def test_jitter_adds_its_distribution_and_rfc_3550_measures_it() -> None:
    result = probe(jitter={"distribution": "uniform(0ms, 2ms)", "reorder": True})
    figures = stream(result)
    # 10 us of transmission; the mean of n uniform values over 2 ms has the standard error 2 ms /
    # sqrt(12 n).
    assert figures["delay_mean"] == pytest.approx(0.01101, abs=5 * 0.002 / math.sqrt(12 * PROBES))
    assert figures["delay_min"] == pytest.approx(0.01001, abs=1e-6)
    # The mean difference of two such values is a third of 2 ms. The estimate remembers 16 packets,
    # so that its mean has the error of the differences alone: sd 0.24 * 2 ms, over sqrt(n);
    # neighbours correlate, and packets that change places come in another order.
    jitters = result.samples.datagrams["jitter"].drop_nulls()
    assert jitters.mean() == pytest.approx(0.002 / 3, rel=0.05)
    # Packets half of the largest jitter apart change places with probability 1/8.
    assert link(result)["reordered_packets"] / PROBES == pytest.approx(1 / 8, abs=error(1 / 8))
    assert figures["reordered_packets"] == link(result)["reordered_packets"]


def test_jitter_without_reordering_delays_who_comes_after_a_late_one() -> None:
    result = probe(jitter="uniform(0ms, 2ms)")
    assert link(result)["reordered_packets"] == stream(result)["reordered_packets"] == 0
    # The largest of X, Y - 1, both uniform on [0, 2]: (E max - 1 + 1) = 1 + P-weighted surplus E (Y
    # - 1 - X)+ = 1/24 of a ms; a packet two before can no longer matter.
    assert stream(result)["delay_mean"] == pytest.approx(
        0.01001 + 0.001 + 0.001 / 24, abs=5 * 0.002 / math.sqrt(12 * PROBES)
    )


def test_duplicates_and_damage_have_their_shares_and_are_counted_once() -> None:
    result = probe(duplicate={"p": 0.05}, corrupt={"p": 0.02})
    figures, wire = stream(result), link(result)
    assert wire["duplicated_packets"] / PROBES == pytest.approx(0.05, abs=error(0.05))
    # Copies are damaged by themselves.
    assert wire["corrupted_packets"] / (PROBES * 1.05) == pytest.approx(0.02, abs=error(0.02))
    # Lost is who was damaged and had no intact copy; received twice, who had a copy and neither was
    # damaged.
    assert figures["lost_packets"] / PROBES == pytest.approx(
        0.02 * (0.95 + 0.05 * 0.02), abs=error(0.02)
    )
    assert figures["duplicate_packets"] / PROBES == pytest.approx(0.05 * 0.98**2, abs=error(0.05))


def test_a_delay_schedule_is_the_one_way_delay() -> None:
    result = probe(delay_schedule=[["10s", "60ms"], ["20s", "15ms"]])
    delays = result.samples.datagrams.select("sent_time", "delay").sort("sent_time")

    def between(low: float, high: float) -> pl.Series:
        return delays.filter((pl.col("sent_time") > low) & (pl.col("sent_time") < high))["delay"]

    for low, high, delay in ((0.0, 9.9, 10.01e-3), (10.1, 19.9, 60.01e-3), (20.1, 39.9, 15.01e-3)):
        assert between(low, high).min() == pytest.approx(delay, abs=1e-6)
        assert between(low, high).max() == pytest.approx(delay, abs=1e-6)
    # Who left within 45 ms after the step back arrives with the last that took the longer way.
    assert between(20.0005, 20.0015).max() == pytest.approx(60.01e-3 - 2e-3, abs=1.5e-3)
    assert link(result)["reordered_packets"] == 0


def test_damage_is_loss_to_tcp() -> None:
    damaged, lost = download(corrupt={"p": 0.001}), download(loss={"kind": "bernoulli", "p": 0.001})
    assert flow(damaged)["lost_packets"] == pytest.approx(link(damaged)["corrupted_packets"], abs=3)
    # Both are the square-root law's case: other packets are hit, and each run has some thirty
    # losses.
    assert flow(damaged)["goodput"] == pytest.approx(flow(lost)["goodput"], rel=0.25)


def test_duplicates_alone_change_nothing() -> None:
    """D-SACKs for copies that the wire made prove nothing about retransmissions."""
    result, plain = download(cc="cubic", duplicate={"p": 0.02}), download(cc="cubic")
    assert link(result)["duplicated_packets"] > 100
    assert flow(result)["goodput"] == pytest.approx(flow(plain)["goodput"], rel=0.02)
    assert flow(result)["spurious_timeouts"] == 0


def test_copies_do_not_make_losses_look_needless() -> None:
    """More D-SACKs than retransmissions: the network copies (tcp_dsack_seen); losses are real."""
    both = download(cc="cubic", duplicate=0.01, corrupt=0.002, seconds=40)
    lost = download(cc="cubic", corrupt=0.002, seconds=40)
    assert flow(both)["recoveries"] > 20
    # Before there are more, one or two may count.
    assert flow(both)["undos"] <= 2
    # Each has some sixty losses: their rates differ by chance, by a few per cent.
    assert flow(both)["goodput"] == pytest.approx(flow(lost)["goodput"], rel=0.25)


def test_jitter_in_order_makes_no_retransmissions() -> None:
    result = download(transport={"max_cwnd": "1bdp"}, jitter="normal(5ms, 3ms)")
    assert flow(result)["retransmitted_packets"] == 0
    assert flow(result)["lost_packets"] == 0


def test_rack_learns_to_wait_and_three_duplicate_acks_do_not() -> None:
    """Packets up to 10 ms late of 60: a quarter of the RTT covers them (RFC 8985 section 6.2)."""
    late = {"reorder": {"p": 0.01, "extra": "uniform(0ms, 10ms)"}}
    room = {"max_cwnd": "1bdp", "tail_loss_probe": False}
    rack = download(transport={**room, "loss_detection": "rack"}, **late)
    sack = download(transport={**room, "loss_detection": "sack"}, **late)
    assert link(rack)["reordered_packets"] > 180
    assert flow(rack)["lost_packets"] == flow(sack)["lost_packets"] == 0
    assert flow(rack)["retransmitted_packets"] <= 3
    # Ten ms are 16 packets: who is later than three looks lost, and that are four in five.
    assert flow(sack)["retransmitted_packets"] > 0.7 * link(sack)["reordered_packets"]
    assert flow(rack)["goodput"] > 0.9 * 20e6 * 1448 / 1500


def test_racks_sender_learns_from_a_late_original_that_it_sent_again() -> None:
    """A late original, acknowledged after its retransmission, is reordering seen.

    Linux has this in tcp_try_undo_partial.

    Each late segment is overtaken by 16, which looks like a loss at first. From then on the sender
    waits a quarter of the smallest RTT, 15 ms, and the late ones come 10 ms late. The kernel's
    answers to such ACKs are in the random scripts of docs/validation-random.md.
    """
    late = {"reorder": {"p": 0.01, "extra": "10ms"}}
    rack = download(transport={"max_cwnd": "1bdp", "tail_loss_probe": False}, **late)
    assert link(rack)["reordered_packets"] > 150
    assert flow(rack)["retransmitted_packets"] < 0.05 * link(rack)["reordered_packets"]
    assert flow(rack)["goodput"] > 0.9 * 20e6 * 1448 / 1500


def test_a_spurious_retransmission_is_undone() -> None:
    """D-SACKs or timestamps prove each needless, and the window comes back (RFC 3708, RFC 3522)."""
    late = {"reorder": {"p": 0.001, "extra": "25ms"}}
    classic = {"loss_detection": "sack", "tail_loss_probe": False, "max_cwnd": "1bdp"}
    undone = download(transport=classic, **late)
    kept = download(transport={**classic, "undo": False}, **late)
    assert flow(undone)["recoveries"] > 5
    assert flow(undone)["undos"] >= 0.9 * flow(undone)["recoveries"]
    assert flow(kept)["undos"] == 0
    assert flow(undone)["goodput"] > 1.1 * flow(kept)["goodput"]


def test_a_hosts_jitter_keeps_its_packets_in_order() -> None:
    result = ac.run(
        ac.dumbbell(
            profile="rfc",
            rate="10Mbit/s",
            rtt="40ms",
            access={"jitter": "exponential(1ms)"},
            flows=[ac.flow("reno", transport={"max_cwnd": "0.5bdp"})],
            duration="10s",
        )
    )
    assert flow(result)["retransmitted_packets"] == 0
    assert result.links["reordered_packets"].sum() == 0
    # Means of 1 ms at both hosts, and more for who waits behind a late one.
    assert flow(result)["rtt_min"] > 0.04
    assert 0.042 < flow(result)["rtt_mean"] < 0.06
