"""One transfer over several connections (P4): what it gets, and that it arrives once."""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest

import ackclock as ac
from ackclock.metrics import whole
from single_flow import MSS, PACKET

LINK: dict[str, Any] = {
    "rate": "20Mbit/s",
    "rtt": "40ms",
    "buffer": "1bdp",
    "record": {"samples": "off"},
}
PAYLOAD_BPS = 20e6 * MSS / PACKET


def share(striped: ac.Flow, *others: ac.Flow, seed: int = 1, **options: Any) -> float:
    """Of what all flows deliver, what the flow called "big" does."""
    result = ac.run(
        ac.dumbbell(
            profile="rfc",
            flows=[*others, striped],
            duration="90s",
            warmup="10s",
            seed=seed,
            **LINK | options,
        )
    )
    goodput, own = result.value("goodput"), result.value("goodput@big")
    assert goodput is not None
    assert own is not None
    return own / goodput


@pytest.mark.parametrize("parallel", [2, 4, 8])
def test_n_connections_beside_one_get_n_parts_of_the_link(parallel: int) -> None:
    jitter = "uniform(0s, 1s)"
    shares = [
        share(
            ac.flow("reno", name="big", parallel=parallel, start=jitter),
            ac.flow("reno", start=jitter),
            seed=seed,
        )
        for seed in (1, 2, 3)
    ]
    # Which of them loses at a full queue is chance; over 80 s the share of one strays by some
    # percent.
    assert sum(shares) / len(shares) == pytest.approx(parallel / (parallel + 1), abs=0.03)


def test_multcp_takes_more_than_the_connections_that_it_stands_for_where_all_lose_at_once() -> None:
    """Reno: +1 per RTT and a half; MulTCP(4): +4 and an eighth: peaks 2 t and 32 t, 16 to 1."""
    big, reno = ac.flow("multcp(n=4)", name="big"), ac.flow("reno")
    assert share(big, reno) == pytest.approx(16 / 17, abs=0.02)


# Beside Reno's sqrt(3/2) MulTCP has sqrt(2 n^2 - n/2): 0.817 of the link for n = 4, where four
# connections have 0.8. The one Reno loses 170 packets in a run, which leaves its rate 8 % of chance
# and a share 0.012; the mean of four seeds half of that. Three of these are allowed.
@pytest.mark.long
def test_multcp_is_n_connections_where_each_packet_is_lost_by_chance() -> None:
    loss = {"loss": {"kind": "bernoulli", "p": 0.005}, "rate": "200Mbit/s", "buffer": "1bdp"}

    def mean(big: ac.Flow) -> float:
        return sum(share(big, ac.flow("reno"), seed=seed, **loss) for seed in (1, 2, 3, 4)) / 4

    multcp = math.sqrt(2 * 4**2 - 4 / 2)
    assert mean(ac.flow("reno", name="big", parallel=4)) == pytest.approx(4 / 5, abs=0.02)
    assert mean(ac.flow("multcp(n=4)", name="big")) == pytest.approx(
        multcp / (multcp + math.sqrt(3 / 2)), abs=0.02
    )


FILE = {"kind": "file", "size": "3MB"}
WRITES = {
    "kind": "writes",
    "writes": [["0s", "1MB"], ["500ms", "100kB"], ["1s", "1B"], ["2s", "1899999B"]],
}


@pytest.mark.parametrize("app", [FILE, WRITES], ids=["file", "writes"])
@pytest.mark.parametrize("chunk", ["64KiB", "1000B", "1GB"])
def test_three_megabytes_arrive_once_over_all_connections(app: dict[str, Any], chunk: str) -> None:
    flow = ac.flow("reno", name="big", parallel=4, chunk=chunk, app=app)
    loss = {"kind": "bernoulli", "p": 0.01}
    result = ac.run(
        ac.dumbbell(
            profile="rfc",
            flows=[flow, ac.flow("reno", name="other", app=FILE)],
            duration="600s",
            loss=loss,
            **LINK,
        )
    )
    big, *parts = result.flows.filter(pl.col("name") != "other").iter_rows(named=True)
    assert [part["part_of"] for part in parts] == ["big"] * 4
    assert big["goodput_bytes"] == sum(part["goodput_bytes"] for part in parts) == 3_000_000
    assert big["acked_bytes"] == 3_000_000
    assert big["finish_time"] == max(part["finish_time"] for part in parts)
    assert big["fct"] == big["finish_time"] - big["start_time"]
    for counter in (
        "sent_packets",
        "lost_packets",
        "retransmitted_packets",
        "rtt_count",
        "timeouts",
    ):
        assert big[counter] == sum(part[counter] for part in parts)
    assert big["rtt_min"] == min(part["rtt_min"] for part in parts)
    mean = (
        sum(part["rtt_mean"] * part["rtt_count"] for part in parts if part["rtt_count"])
        / big["rtt_count"]
    )
    assert big["rtt_mean"] == pytest.approx(mean, rel=1e-9)


def test_full_segments_are_sent_across_chunks() -> None:
    """64 KiB are no whole segments: the next chunk comes before a small segment is sent."""
    result = ac.run(
        ac.dumbbell(
            profile="rfc",
            flows=[ac.flow("reno", name="big", parallel=4, app=FILE)],
            duration="60s",
            **LINK,
        )
    )
    big = result.flows.row(0, named=True)
    fresh = big["sent_packets"] - big["retransmitted_packets"]
    # Full segments, and at most one smaller at the end of each connection.
    assert 3_000_000 / MSS <= fresh <= 3_000_000 / MSS + 4


def test_four_connections_finish_a_file_on_a_lossy_path_about_four_times_as_fast() -> None:
    """Own losses limit each to 1.22/sqrt(p) = 39 segments, near slow start's end."""
    options = LINK | {"rate": "1Gbit/s", "loss": {"kind": "bernoulli", "p": 0.001}}
    size = {"kind": "file", "size": "30MB"}

    def fct(parallel: int) -> float:
        result = ac.run(
            ac.dumbbell(
                profile="rfc",
                flows=[ac.flow("reno", parallel=parallel, app=size, ssthresh="30 packets")],
                duration="300s",
                **options,
            )
        )
        value = result.value("fct")
        assert value is not None
        return value

    assert fct(1) / fct(4) == pytest.approx(4.0, rel=0.1)


def test_one_connection_is_no_different_from_none() -> None:
    plain = ac.dumbbell(
        profile="rfc", flows=[ac.flow("cubic", name="f", app=FILE)], duration="60s", **LINK
    )
    single = plain.replace({"flows.parallel": 1, "flows.chunk": "1kB"})
    assert single.plan() == plain.plan()


def test_fairness_counts_the_flow_once() -> None:
    flows = [ac.flow("reno", name="one"), ac.flow("reno", name="big", parallel=4)]
    result = ac.run(ac.dumbbell(profile="rfc", flows=flows, duration="20s", **LINK))
    rates = [flow["goodput"] for flow in whole(result.summary()["flows"])]
    assert len(rates) == 2
    assert None not in rates
    single, big = (rate for rate in rates if rate is not None)
    assert result.value("jain_index") == pytest.approx(
        (single + big) ** 2 / (2 * (single**2 + big**2))
    )
    assert result.value("goodput") == pytest.approx(single + big, rel=1e-3)
    assert result.value("goodput.max") == big


def test_a_stop_ends_all_connections() -> None:
    flow = ac.flow("reno", name="big", parallel=3, stop="2s", app={"kind": "file", "size": "1GB"})
    result = ac.run(ac.dumbbell(profile="rfc", flows=[flow], duration="60s", **LINK))
    assert 2.0 < result.end_time < 2.5
    assert result.flows["finish_time"].null_count() == 0


def test_the_same_run_gives_the_same_bytes() -> None:
    scenario = ac.dumbbell(
        profile="rfc",
        flows=[
            ac.flow("cubic", count=2, parallel=3, app=FILE, start="uniform(0s, 1s)"),
            ac.flow("reno", parallel=2),
        ],
        duration="5s",
        **LINK | {"record": {"samples": "changes"}},
    )
    first, second = ac.run(scenario), ac.run(scenario)
    assert first.flows.equals(second.flows)
    assert first.samples.flows.equals(second.samples.flows)
    assert first.summary() == second.summary()


def test_connections_that_find_nothing_to_take_are_warned_of() -> None:
    """100 kB are two chunks."""
    flow = ac.flow("reno", name="big", parallel=8, app={"kind": "file", "size": "100kB"})
    result = ac.run(ac.dumbbell(profile="rfc", flows=[flow], duration="60s", **LINK))
    (warning,) = [warning for warning in result.warnings if "connections" in warning]
    assert warning.startswith("Flow big sent over 2 of 8 connections")
    assert result.flows["goodput_bytes"][0] == 100_000
