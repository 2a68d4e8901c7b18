"""TCP-LP and CDG: what they leave to others, and what they take when there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import ackclock as ac
from ackclock.theory import reno_utilisation
from single_flow import row, run_alone

if TYPE_CHECKING:
    from ackclock.results import Result


def share(result: Result, flow: int) -> float:
    goodput = result.flows["goodput"].to_numpy()
    return float(goodput[flow] / goodput.sum())


def together(*ccs: str, **scenario: Any) -> Result:
    return ac.run(
        ac.dumbbell(profile="rfc", flows=[ac.flow(cc) for cc in ccs], rtt="60ms", **scenario)
    )


@pytest.mark.long
@pytest.mark.parametrize("other", ["reno", "cubic"])
@pytest.mark.parametrize(("buffer", "most"), [("0.5bdp", 0.06), ("1bdp", 0.025), ("3bdp", 0.01)])
def test_lp_leaves_the_link_to_others(buffer: str, most: float, other: str) -> None:
    """At half a BDP Reno alone leaves 4 % unused."""
    result = together(other, "lp", rate="10Mbit/s", buffer=buffer, duration="60s", warmup="20s")
    assert share(result, 1) < most
    alone = run_alone(
        other, rate="10Mbit/s", rtt="60ms", buffer=buffer, duration="60s", warmup="20s"
    )
    assert result.flows["goodput"][0] > (1 - most) * row(alone)["goodput"]


def test_linuxs_reset_yields_less() -> None:
    result = together("reno", "lp(reset=true)", rate="10Mbit/s", duration="60s", warmup="20s")
    assert 0.03 < share(result, 1) < 0.10


def test_lp_takes_the_link_when_the_other_has_left() -> None:
    flows = [ac.flow("reno", stop="20s"), ac.flow("lp")]
    result = ac.run(
        ac.dumbbell(
            profile="rfc", flows=flows, rate="20Mbit/s", rtt="60ms", duration="60s", warmup="30s"
        )
    )
    assert result.flows["goodput"][1] > 0.75 * 20e6


# 3.5 %: it waits three round trips after each cut, of 50 between two; below the line a packet
# counts more.
@pytest.mark.parametrize(
    ("buffer", "share_of_bdp"), [("0.5bdp", 0.5), ("1bdp", 1.0), ("2bdp", 2.0), ("3bdp", 3.0)]
)
def test_lp_alone_is_reno_with_15_percent_of_the_buffer(buffer: str, share_of_bdp: float) -> None:
    result = run_alone(
        "lp", rate="20Mbit/s", rtt="60ms", buffer=buffer, duration="60s", warmup="10s"
    )
    link = row(result, link=True)
    assert link["dropped_packets"] == 0
    assert link["utilisation"] == pytest.approx(reno_utilisation(0.15 * share_of_bdp), rel=0.035)


@pytest.mark.long
@pytest.mark.parametrize("buffer", ["0.5bdp", "3bdp"])
def test_cdg_shares_a_link_with_hardly_a_loss_and_a_short_queue(buffer: str) -> None:
    """CDG does so with any buffer.

    CDG backs off with a probability, so that a queue overflows now and then: 0 to 9 packets, of
    Reno's 104.
    """
    options = {"rate": "10Mbit/s", "buffer": buffer, "duration": "60s", "warmup": "10s"}
    dropped = 0
    for seed in (1, 2, 3, 4):
        result = together("cdg", "cdg", seed=seed, **options)
        link = row(result, link=True)
        dropped += link["dropped_packets"]
        assert link["utilisation"] > 0.92
        # Reno's: 10 and 100 packets.
        assert link["queue_packets_mean"] < 9
        assert 0.35 < share(result, 0) < 0.65
    assert (
        dropped < 0.1 * 4 * row(together("reno", "reno", **options), link=True)["dropped_packets"]
    )


@pytest.mark.long
def test_cdg_against_reno_is_not_starved_by_its_own_backoffs() -> None:
    """With neither the shadow window nor the count of ineffective backoffs it gets less."""
    got = {}
    for options in ("", "(shadow=false, ineffective=0)"):
        result = together(f"cdg{options}", "reno", rate="10Mbit/s", duration="100s", warmup="20s")
        got[options] = share(result, 0)
    assert got[""] > 0.15
    assert got[""] > 1.2 * got["(shadow=false, ineffective=0)"]
