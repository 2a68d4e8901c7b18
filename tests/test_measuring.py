"""Figures that take several runs, against closed forms."""

from typing import Any

import pytest

import ackclock as ac
from ackclock import theory
from ackclock.tools import measuring

LINK: dict[str, Any] = {
    "rate": "10Mbit/s",
    "rtt": "40ms",
    "buffer": "1bdp",
    "duration": "30s",
    "warmup": "10s",
}


def test_a_flow_is_harmed_by_half_by_its_like_and_by_more_by_three() -> None:
    for others, share in ((1, 1 / 2), (3, 3 / 4)):
        flows = [
            ac.flow("reno", name="victim"),
            ac.flow("reno", name="other", count=others, start="uniform(0s, 1s)"),
        ]
        table = measuring.harm_to(ac.dumbbell(flows=flows, **LINK), "victim", seeds=3)
        assert table["seed"].to_list() == [1, 2, 3]
        # Reno flows share to about a fifth over 20 s.
        assert table["harm"].mean() == pytest.approx(share, abs=0.1)
        assert table["harm"].to_list() == pytest.approx(
            (1 - table["together"] / table["solo"]).to_list(), rel=1e-12
        )


def test_delay_is_harmed_where_another_fills_the_queue() -> None:
    flows = [ac.flow("vegas", name="victim"), ac.flow("reno")]
    table = measuring.harm_to(
        ac.dumbbell(flows=flows, **LINK), "victim", metric="rtt.mean", more_is_better=False
    )
    # Alone Vegas keeps 2 to 4 packets in the queue; Reno fills 1 BDP, so RTTs become up to twice as
    # long: between 0.2 and 0.5.
    assert 0.2 < table["harm"][0] < 0.5


def test_the_same_algorithm_is_friendly_and_four_in_one_is_not() -> None:
    def friendly(other: str) -> float:
        flows = [ac.flow("reno", name="standard", start="100ms"), ac.flow(other, name="other")]
        return float(
            measuring.friendliness(ac.dumbbell(flows=flows, **LINK), "standard")["friendliness"][0]
        )

    assert friendly("reno") == 1.0
    # 16 to 1 where all lose at once (docs/parallel.md): 2/17 of its own share.
    assert friendly("multcp(n=4)") < 0.4


def test_the_response_curve_is_the_square_root_law() -> None:
    scenario = ac.dumbbell(
        rate="1Gbit/s",
        rtt="40ms",
        buffer="1bdp",
        flows=[ac.flow("reno", count=4)],
        duration="60s",
        warmup="10s",
    )
    curve = measuring.response_curve(scenario, [1e-2, 1e-3], seeds=2)
    assert curve["p"].to_list() == [1e-2, 1e-3]
    for p, measured, window, _ in curve.iter_rows():
        assert measured == pytest.approx(p, rel=0.1)
        # 8 flows of 50 s lose some hundred packets each: 5 % of chance; 1 % of loss costs timeouts,
        # another 10 %.
        assert window == pytest.approx(theory.aimd_random_window(measured), rel=0.15)


def test_utilisation_rises_with_the_buffer_as_the_sawtooth_has_it() -> None:
    scenario = ac.dumbbell(
        rate="20Mbit/s",
        rtt="60ms",
        buffer="1bdp",
        flows=[ac.flow("reno")],
        duration="100s",
        warmup="30s",
    )
    table = measuring.utilisation_by_buffer(scenario, ["0.25bdp", "0.5bdp", "1bdp"])
    assert table["buffer"].to_list() == ["0.25bdp", "0.5bdp", "1bdp"]
    for bdp, used in zip((0.25, 0.5, 1.0), table["utilisation"], strict=True):
        # Recoveries that take a round trip cost up to 2 % (tests/theory/test_sawtooth.py).
        assert used == pytest.approx(theory.reno_utilisation(bdp), abs=0.025)
    assert table["queue_delay.mean"].is_sorted()


def line(**options: Any) -> ac.Scenario:
    flow = ac.flow(name="probe", app={"kind": "cbr", "rate": "1Mbit/s", "packet": "972 bytes"})
    return ac.dumbbell(
        rate="10Mbit/s", rtt="20ms", buffer="20 packets", flows=[flow], duration="2s", **options
    )


def test_the_throughput_of_a_link_is_its_rate() -> None:
    rate, latency = measuring.router_throughput(line(), "probe", "30Mbit/s")
    # Above it, 2 s at 0.1 % more are 2.5 packets, which wait: the queue of 20 hides up to 0.8 %.
    assert rate == pytest.approx(10e6, rel=0.01)
    # 10 ms and 0.8 ms for a packet of 1000 bytes, and at most what can wait.
    assert latency is not None
    assert 0.0108 <= latency <= 0.0108 + 20 * 0.8e-3
    assert measuring.router_throughput(line(), "probe", "5Mbit/s") == (
        5e6,
        pytest.approx(0.0108, rel=1e-6),
    )


def test_frame_loss_is_what_does_not_fit() -> None:
    table = measuring.frame_loss(line(), "probe", ["20Mbit/s", "12.5Mbit/s", "9Mbit/s"])
    # Half, and a fifth; the 21 packets that the link still holds at the end are not lost: 0.4 and
    # 0.7 % of the packets sent.
    assert table["loss_rate"].to_list() == [
        pytest.approx(0.5, abs=0.005),
        pytest.approx(0.2, abs=0.008),
        0.0,
    ]


def test_the_longest_burst_is_what_waits_and_what_leaves_meanwhile() -> None:
    # Every 80 us one comes, every 800 us one leaves: 21 are there when the burst of 23 ends, and
    # the 24th would be one too many.
    assert measuring.back_to_back(line(), "probe", "100Mbit/s") == 23
    assert measuring.back_to_back(line(), "probe", "100Mbit/s", most=10) == 10


def test_who_is_not_there_is_named() -> None:
    with pytest.raises(
        ac.ScenarioError,
        match="there is no entry 'prob' in flows, only probe; did you mean 'probe'",
    ):
        measuring.frame_loss(line(), "prob", ["1Mbit/s"])
