"""Rates that change and links that are down: what they carry, and what flows make of it."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ackclock as ac
from single_flow import MSS, PACKET, row

STEPS = {"schedule": [["0s", "20Mbit/s"], ["10s", "5Mbit/s"], ["20s", "20Mbit/s"]]}


def run(cc: str = "cubic", **scenario: Any) -> Any:
    given: dict[str, Any] = {"rate": "20Mbit/s", "rtt": "50ms", "duration": "30s"} | scenario
    return ac.run(ac.dumbbell(profile="rfc", flows=[ac.flow(cc)], **given))


def goodput(result: Any, begin: float, end: float) -> float:
    """Mean of the only flow, bit/s."""
    samples = result.samples.flows.filter(pl.col("time").is_between(begin, end))
    return (
        float(samples["delivered"][-1] - samples["delivered"][0])
        * 8
        / float(samples["time"][-1] - samples["time"][0])
    )


@pytest.mark.parametrize("qdisc", ["fifo", "red"])
@pytest.mark.parametrize("cc", ["reno", "bbr"])
def test_a_schedule_of_one_step_is_the_constant_rate(cc: str, qdisc: str) -> None:
    constant, schedule = (
        run(cc, rate=rate, qdisc=qdisc, duration="10s")
        for rate in ("20Mbit/s", {"schedule": [["0s", "20Mbit/s"]]})
    )
    assert schedule.flows.equals(constant.flows)
    # Analytic links count a packet's wait when it comes, event-driven ones when it leaves;
    # utilisation counts its bytes when it begins.
    at_the_end = pl.exclude("^queue_.*$", "utilisation", "busy_time")
    assert schedule.links.select(at_the_end).equals(constant.links.select(at_the_end))
    assert row(schedule, link=True)["queue_delay_mean"] == pytest.approx(
        row(constant, link=True)["queue_delay_mean"], rel=0.005
    )
    assert row(schedule, link=True)["utilisation"] == pytest.approx(
        row(constant, link=True)["utilisation"], abs=1e-4
    )


# 3 %: the queue may run dry for a moment after the step up, and the first second is slow start.
def test_a_full_link_carries_the_integral_of_its_rate() -> None:
    link = row(run("reno", rate=STEPS, buffer="2bdp", warmup="2s"), link=True)
    capacity = (8 * 20e6 + 10 * 5e6 + 10 * 20e6) / 8
    assert link["delivered_bytes"] == pytest.approx(capacity, rel=0.03)
    assert link["utilisation"] == pytest.approx(link["delivered_bytes"] / capacity, abs=0.001)
    assert link["busy_time"] == pytest.approx(link["utilisation"] * link["measured_time"], rel=1e-9)


@pytest.mark.parametrize(
    ("cc", "share"), [("cubic", 0.95), ("bbr", 0.9), ("bbr3", 0.9), ("reno", 0.85)]
)
def test_a_flow_follows_a_step_down_and_a_step_up(cc: str, share: float) -> None:
    result = run(cc, rate=STEPS)
    samples = result.samples.flows
    window = {}
    for rate, begin, end in ((20e6, 5, 10), (5e6, 15, 20), (20e6, 25, 30)):
        line = rate * MSS / PACKET
        assert share * line < goodput(result, begin, end) <= 1.01 * line, (cc, begin)
        window[begin] = samples.filter(pl.col("time").is_between(begin, end))["cwnd"].mean() / MSS
    # A BDP is 83 packets, then 21 with a buffer of 83: cwnd lies between the BDP and BDP and
    # buffer, except where a model doubles the BDP.
    assert 60 < window[5] < 190
    assert 18 < window[15] < 115
    assert window[15] < 0.75 * window[5]
    assert window[25] > 1.25 * window[15]


def test_a_cycle_of_rates_is_named_after_its_mean() -> None:
    result = run(
        rate={"schedule": [["0s", "20Mbit/s"], ["1s", "0bit/s"]], "period": "2s"},
        buffer="100 packets",
    )
    link = row(result, link=True)
    assert link["rate"] == 10e6
    # All the time that there is a rate, but for the first slow start and the restart after each
    # pause.
    assert 0.9 < link["utilisation"] <= 1.0
    assert link["delivered_bytes"] == pytest.approx(link["utilisation"] * 15 * 20e6 / 8, rel=0.001)


def wire(result: Any, event: str) -> Any:
    packets = result.packets.filter(pl.col("where") == "bottleneck")
    return packets.filter(packets["event"].cast(pl.String) == event)["time_ns"] / 1e9


def test_packets_wait_for_the_end_of_an_outage() -> None:
    result = run(
        outages=[["5s", "5.4s"]], buffer="1bdp", duration="10s", record={"packets": ["bottleneck"]}
    )
    received = wire(result, "receive")
    # One way is 25 ms. The packet that was being sent at 5 s goes on at 5.4 s.
    during = received.filter(received.is_between(5.025, 5.4249))
    assert len(during) == 0
    assert len(received.filter(received.is_between(5.4249, 5.4257))) == 1
    link = row(result, link=True)
    assert link["dropped_wire"] == 0
    assert link["queue_delay_max"] == pytest.approx(0.4 + 83 * PACKET * 8 / 20e6, abs=0.06)
    assert goodput(result, 7, 10) > 0.9 * 20e6 * MSS / PACKET


def test_what_is_sent_in_a_lossy_outage_is_lost() -> None:
    lossy = {"windows": [["5s", "5.1s"]], "lossy": True}
    result = run(outages=lossy, duration="10s", record={"packets": ["bottleneck"]})
    lost = wire(result, "drop-wire")
    # Written down when they begin, a packet's time of 0.6 ms before they end.
    assert lost.min() >= 5.0 - 0.0007
    assert lost.max() < 5.1
    # A window: after that no ACK comes.
    assert 60 < len(lost) == row(result, link=True)["dropped_wire"]
    received = wire(result, "receive")
    assert len(received.filter(received.is_between(5.0251, 5.1249))) == 0
    assert goodput(result, 8, 10) > 0.8 * 20e6 * MSS / PACKET


def test_nothing_depends_on_how_often_it_is_run() -> None:
    scenario = ac.load(
        "scenarios/wifi-acks.toml",
        changes={"duration": "3s", "warmup": "0s", "network.bottleneck.outages": [["1s", "1.2s"]]},
    )
    first, again, other = ac.run(scenario), ac.run(scenario), ac.run(scenario, seed=2)
    assert first.flows.equals(again.flows)
    assert first.links.equals(again.links)
    assert not first.flows.equals(other.flows)
