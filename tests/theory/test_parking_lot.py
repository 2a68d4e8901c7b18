"""Three bottlenecks in a row: one flow that crosses them all, and one more at each.

The shares that theory predicts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ackclock as ac
from ackclock import theory

LINKS = 3
CAPACITY = 50e6
ROUTES = [list(range(LINKS)), *([link] for link in range(LINKS))]
CROSS = [f"cross{link + 1}" for link in range(LINKS)]


def lot(
    cc: str,
    count: int = 1,
    duration: str = "30s",
    warmup: str = "10s",
    transport: dict[str, Any] | None = None,
    **link: Any,
) -> ac.Result:
    """`count` flows of each kind.

    The short ones have 10 ms more at each of four crossings of access links: all base RTTs are 60
    ms.
    """
    ends = {"long": ("r1", f"r{LINKS + 1}")} | {
        name: (f"r{at}", f"r{at + 1}") for at, name in enumerate(CROSS, 1)
    }
    flows = [
        ac.flow(
            cc,
            name=name,
            count=count,
            source=source,
            destination=to,
            access=None if name == "long" else {"delay": "10ms"},
        )
        for name, (source, to) in ends.items()
    ]
    bottlenecks = [{"rate": "50Mbit/s", "delay": "10ms", **link}] * LINKS
    return ac.run(
        ac.parking_lot(
            profile="rfc",
            bottlenecks=bottlenecks,
            flows=flows,
            duration=duration,
            warmup=warmup,
            transport=transport,
        )
    )


def rates(result: ac.Result, column: str = "throughput") -> list[float]:
    """Of the long flows and of those of each link, together."""
    table = result.flows
    names = table["name"].str.replace(r"\.\d+$", "")
    return [float(table.filter(names == name)[column].sum()) for name in ["long", *CROSS]]


def test_the_solver_against_shares_known_in_closed_form() -> None:
    for links in (1, 3, 10):
        routes = [list(range(links)), *([link] for link in range(links))]
        for alpha in (0.5, 1.0, 2.0):
            for weight in (1.0, 3.0):
                weights = [weight] + [1.0] * links
                long, short = theory.parking_lot_shares(links, alpha, weight)
                solution = theory.alpha_fair_rates(routes, [100e6] * links, weights, alpha)
                assert solution == pytest.approx(
                    np.array([long] + [short] * links) * 100e6, rel=1e-4
                )
    # A link that nobody fills has no price.
    assert theory.alpha_fair_rates([[0, 1], [0]], [2, 10]) == pytest.approx([1, 1], rel=1e-4)


@pytest.mark.long
def test_fast_is_proportionally_fair() -> None:
    result = lot("fast", transport={"delayed_ack": 1}, limit="1000 packets")
    long, short = theory.parking_lot_shares(LINKS)
    # 1 %: the first packets of the others are a little of the base RTT that each flow takes for its
    # own.
    assert rates(result) == pytest.approx([long * CAPACITY] + [short * CAPACITY] * LINKS, rel=0.01)


@pytest.mark.long
def test_reno_over_random_marks_has_minimum_potential_delay() -> None:
    """Eight flows of each kind have independent windows; RED marks at each link on its own.

    4 %: the law is one of small probabilities, and the share's standard deviation over seeds is
    about 1.5 %.
    """
    red = {
        "kind": "red",
        "ecn": True,
        "min_threshold": "10 packets",
        "max_threshold": "150 packets",
        "max_p": 0.05,
    }
    result = lot(
        "reno",
        count=8,
        duration="50s",
        transport={"ecn": "classic", "delayed_ack": 1},
        qdisc=red,
        limit="2bdp",
    )
    names = result.flows["name"].str.replace(r"\.\d+$", "")
    rtts = [
        float(np.mean(result.flows.filter(names == name)["rtt_mean"].to_numpy()))
        for name in ["long", *CROSS]
    ]
    expected = theory.reno_rates(ROUTES, [CAPACITY] * LINKS, rtts)
    # More than the half of proportional fairness, less than that of max-min.
    assert 0.28 < expected[0] / CAPACITY < 0.37
    assert rates(result) == pytest.approx(expected, rel=0.04)


@pytest.mark.long
def test_fair_queueing_is_max_min_fair_whatever_the_algorithm() -> None:
    result = lot("reno", qdisc="drr", limit="2bdp", transport={"delayed_ack": 1})
    assert rates(result) == pytest.approx([CAPACITY / 2] * (LINKS + 1), rel=0.06)
