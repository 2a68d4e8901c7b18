"""Vivace and Allegro on a network: how much they fill, share it, and how much loss they bear."""

import numpy as np
import pytest

import ackclock as ac
from ackclock.results import Result
from ackclock.theory import allegro_loss_tolerance, vivace_loss_tolerance
from internals import internal
from single_flow import MSS, PACKET, row, run_alone

RATE = 100e6
QUIET = {"samples": "off"}


def goodput_under_loss(cc: str, loss: float, seed: int) -> float:
    """As a share of what 100 Mbit/s could deliver after the loss, from 30 s to 60 s."""
    result = run_alone(
        cc,
        rate="100Mbit/s",
        rtt="30ms",
        duration="60s",
        warmup="30s",
        loss={"kind": "bernoulli", "p": loss},
        seed=seed,
        record=QUIET,
    )
    return float(row(result)["goodput"] / (RATE * MSS / PACKET * (1 - loss)))


def share(cc: str, flows: int, *, rate: str, rtt: str, begin: int, seed: int = 1) -> Result:
    """Flows that join within 10 s, measured for 40 s from `begin` on."""
    return ac.run(
        ac.dumbbell(
            profile="rfc",
            flows=[ac.flow(cc, count=flows, start="uniform(0s, 10s)")],
            rate=rate,
            rtt=rtt,
            duration=f"{begin + 40}s",
            warmup=f"{begin}s",
            seed=seed,
            record=QUIET,
        )
    )


def jain(result: Result) -> float:
    goodput = result.flows["goodput"].to_numpy()
    return float(goodput.sum() ** 2 / len(goodput) / (goodput**2).sum())


# The rate turns back as soon as the higher trial, 5 % above, is beyond the link: 0.95 of it, with
# next to no queue.
@pytest.mark.long
@pytest.mark.parametrize(
    ("rate", "rtt", "bdp_ms"), [("100Mbit/s", "30ms", 30), ("10Mbit/s", "60ms", 60)]
)
def test_vivace_fills_a_link_and_hardly_its_buffer(rate: str, rtt: str, bdp_ms: float) -> None:
    result = run_alone("pcc-vivace", rate=rate, rtt=rtt, duration="40s", warmup="15s", record=QUIET)
    link = row(result, link=True)
    assert link["utilisation"] == pytest.approx(0.95, abs=0.03)
    assert 1e3 * link["queue_delay_mean"] < 0.1 * bdp_ms
    assert row(result)["loss_rate"] < 1e-3
    deaf = run_alone(
        "pcc-vivace(latency=0)", rate=rate, rtt=rtt, duration="40s", warmup="15s", record=QUIET
    )
    assert 1e3 * row(deaf, link=True)["queue_delay_mean"] > 0.5 * bdp_ms


# Medians of four seeds: on 10 Mbit/s an interval has 20 packets, and one run of eight loses 1.7 %.
@pytest.mark.long
@pytest.mark.parametrize(
    ("flows", "rate", "rtt"),
    [
        (2, "100Mbit/s", "30ms"),
        (2, "10Mbit/s", "60ms"),
        (4, "50Mbit/s", "40ms"),
        (3, "200Mbit/s", "20ms"),
    ],
)
def test_vivaces_share_fairly(flows: int, rate: str, rtt: str) -> None:
    results = [
        share("pcc-vivace", flows, rate=rate, rtt=rtt, begin=20, seed=seed) for seed in (1, 2, 3, 4)
    ]
    links = [row(result, link=True) for result in results]
    assert np.median([jain(result) for result in results]) > 0.93
    assert np.median([link["utilisation"] for link in links]) > 0.93
    assert (
        np.median([link["queue_delay_mean"] for link in links])
        < 0.25 * results[0].flows["base_rtt"][0]
    )
    assert np.median([result.flows["loss_rate"].max() for result in results]) < 0.01


# Medians of eight seeds: single runs lie between 0.3 and 0.9 at 4 %. The closed form is 5 % at 100
# Mbit/s; near it the slope of the utility is small, and noise decides.
@pytest.mark.long
@pytest.mark.parametrize(
    ("loss", "least", "most"),
    [(0.01, 0.9, 1.0), (0.03, 0.85, 1.0), (0.04, 0.6, 1.0), (0.08, 0.0, 0.3)],
)
def test_vivace_bears_loss_up_to_its_closed_form(loss: float, least: float, most: float) -> None:
    assert (loss < vivace_loss_tolerance(RATE)) == (least > 0.5)
    assert (
        least
        < np.median([goodput_under_loss("pcc-vivace", loss, seed) for seed in range(1, 9)])
        < most
    )


def test_allegro_fills_the_buffer_and_loses_less_than_its_limit() -> None:
    result = run_alone(
        "pcc-allegro", rate="100Mbit/s", rtt="30ms", duration="40s", warmup="15s", record=QUIET
    )
    assert row(result, link=True)["utilisation"] > 0.999
    assert 1e3 * row(result, link=True)["queue_delay_mean"] > 20
    assert 0.01 < row(result)["loss_rate"] < 0.05


# Medians of four seeds: a start that chance ends early is made up for in minutes, not in 30 s.
# Between 5 % and the closed form's 7.4 % noise decides.
@pytest.mark.long
@pytest.mark.parametrize(
    ("loss", "least", "most"),
    [(0.01, 0.98, 1.01), (0.03, 0.9, 1.01), (0.04, 0.85, 1.01), (0.1, 0.0, 0.2)],
)
def test_allegro_bears_loss_up_to_its_limit(loss: float, least: float, most: float) -> None:
    assert (loss < allegro_loss_tolerance()) == (least > 0.5)
    assert (
        least
        < np.median([goodput_under_loss("pcc-allegro", loss, seed) for seed in (1, 2, 3, 4)])
        < most
    )


# Slow: 0.6 to 1.0 after 20 s. The median of four seeds: where one flow has been driven near the
# smallest rate, the full buffer takes 9 % of its few packets and 2 % of the other's, and it stays
# there (see its page). Chance decides which run: one of eight between Linux hosts.
@pytest.mark.long
def test_two_allegros_converge_in_minutes() -> None:
    results = [
        share("pcc-allegro", 2, rate="20Mbit/s", rtt="30ms", begin=140, seed=seed)
        for seed in (1, 2, 3, 4)
    ]
    assert np.median([jain(result) for result in results]) > 0.98
    assert min(row(result, link=True)["utilisation"] for result in results) > 0.999


@pytest.mark.parametrize(
    ("cc", "least", "most"), [("pcc-vivace", 0.01, 0.15), ("pcc-allegro", 0.9, 1.0)]
)
def test_beside_cubic_vivace_yields_and_allegro_takes_all(
    cc: str, least: float, most: float
) -> None:
    flows = [ac.flow(cc), ac.flow("cubic", start="1s")]
    result = ac.run(
        ac.dumbbell(
            profile="rfc",
            flows=flows,
            rate="20Mbit/s",
            rtt="40ms",
            duration="60s",
            warmup="20s",
            record=QUIET,
        )
    )
    goodput = result.flows["goodput"].to_numpy()
    assert least < goodput[0] / goodput.sum() < most


# 1 Mbit/s of data, where the start's rate is 2.9 Mbit/s: no interval shows what more would be
# worth. Allegro doubles before it knows that the interval was empty, and goes back.
@pytest.mark.parametrize("cc", ["pcc-vivace", "pcc-allegro"])
def test_intervals_that_the_application_left_empty_teach_nothing(cc: str) -> None:
    writes = {"kind": "writes", "writes": [[f"{40 * write}ms", "5kB"] for write in range(500)]}
    result = ac.run(
        ac.dumbbell(
            profile="rfc",
            flows=[ac.flow(cc, app=writes)],
            rate="20Mbit/s",
            rtt="40ms",
            duration="30s",
        )
    )
    _, rates = internal(result, "base_rate")
    start = 10 * MSS * 8 / 0.04
    assert rates[rates > 0].min() == pytest.approx(start, rel=0.05)
    assert rates.max() < 2.05 * start
    assert row(result)["goodput_bytes"] == 500 * 5000
    assert row(result)["lost_packets"] == 0
