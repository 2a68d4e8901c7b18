"""40 Reno flows through RED on 100 Mbit/s, 100 ms: thresholds 100 and 300, windows of 24."""

import numpy as np
import polars as pl
import pytest

import ackclock as ac
from ackclock.results import Result
from ackclock.theory import red_average, red_base_probability, red_drop_share, red_reno_equilibrium

FLOWS, BDP, LOW, HIGH = 40, 100e6 * 0.1 / (8 * 1500), 100, 300


@pytest.fixture(scope="module", params=[True, False], ids=["wait", "no-wait"])
def settled(request: pytest.FixtureRequest) -> tuple[Result, bool, float]:
    wait = request.param
    max_p = 0.02 if wait else 0.005
    scenario = ac.dumbbell(
        profile="rfc",
        rate="100Mbit/s",
        rtt="100ms",
        buffer="3000 packets",
        flows=[
            ac.flow(
                "reno", name="f", count=FLOWS, start="uniform(0s, 2s)", transport={"delayed_ack": 1}
            )
        ],
        qdisc={
            "kind": "red",
            "min_threshold": f"{LOW} packets",
            "max_threshold": f"{HIGH} packets",
            "max_p": max_p,
            "wait": wait,
        },
        duration="120s",
        warmup="20s",
        record={"samples": "20ms", "flows": ["f.1"]},
    )
    return ac.run(scenario), wait, max_p


def averages(result: Result) -> np.ndarray:
    samples = result.samples.links.filter((pl.col("link") == "bottleneck") & (pl.col("time") >= 20))
    return samples["red_average"].to_numpy()


# 5 %: of some 2500 drops, spaced more evenly than at random, the standard error is 1 %; and the
# average moves a little between drops.
@pytest.mark.long
def test_share_dropped_is_that_of_the_recorded_average(settled: tuple[Result, bool, float]) -> None:
    result, wait, max_p = settled
    link = result.links.row(0, named=True)
    expected = np.mean(
        [
            red_drop_share(red_base_probability(average, LOW, HIGH, max_p), wait=wait)
            for average in averages(result)
        ]
    )
    assert link["dropped_forced"] == 0
    assert link["dropped_early"] / link["arrived_packets"] == pytest.approx(expected, rel=0.05)


# 2 %: one mean is over arrivals and lags, the other is over time; the link is never idle.
def test_average_is_the_mean_queue(settled: tuple[Result, bool, float]) -> None:
    result, _, _ = settled
    assert averages(result).mean() == pytest.approx(result.links["queue_packets_mean"][0], rel=0.02)


# 7 %: recovery and whole packets take 5 % of a window of 24; the queue makes it up only in part,
# since it is a seventh of the packets under way.
def test_the_average_settles_where_the_square_root_law_says(
    settled: tuple[Result, bool, float],
) -> None:
    result, wait, max_p = settled
    assert averages(result).mean() == pytest.approx(
        red_reno_equilibrium(FLOWS, BDP, LOW, HIGH, max_p, wait=wait), rel=0.07
    )


# Exact: every row is a change, and the queue is known at each arrival only to a packet; hence the
# bounds.
def test_average_rises_as_the_filter_says() -> None:
    """After n arrivals of a slight overload the average lies between those of its two queues."""
    weight = 0.002
    scenario = ac.dumbbell(
        profile="rfc",
        rate="10Mbit/s",
        rtt="60ms",
        buffer="1000 packets",
        flows=[ac.flow("classic+reno", initial_window="200 packets")],
        qdisc={
            "kind": "red",
            "min_threshold": "500 packets",
            "max_threshold": "900 packets",
            "weight": weight,
        },
        duration="0.1s",
        record={"samples": "1ms"},
    )
    samples = ac.run(scenario).samples.links.filter(pl.col("link") == "bottleneck")
    # 200 packets at once find 0, 0, 1, ..., 198 waiting.
    average = 0.0
    for queue in [0, *range(199)]:
        average = red_average(queue, 1, weight, average)
    assert samples["red_average"].max() == pytest.approx(average, rel=0.01)
