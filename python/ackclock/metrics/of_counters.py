"""Metrics made from the tables of flows and links, and from the plan."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ackclock.formulas.fairness import (
    jain_index,
    max_min_fairness,
    max_min_rates,
    min_max_ratio,
    proportional_utility,
    rtt_normalised,
)
from ackclock.formulas.harm import friendliness
from ackclock.formulas.losses import loss_rate, mark_rate, useful_share
from ackclock.formulas.parts import whole
from ackclock.formulas.rates import throughput
from ackclock.formulas.response import mean_window
from ackclock.formulas.statistics import mean_of
from ackclock.metrics.registry import SHARE, MetricError, built_in

if TYPE_CHECKING:
    from ackclock.core_types.plan import FlowPlan
    from ackclock.results.result import Result

_LARGEST_EXPONENT = 10
_RFC_FAIR = "RFC 5166 section 2.3.1"
_RFC_RESOURCES = "RFC 5166 section 2.3.2"


def flow_row(result: Result, flow: str) -> dict[str, Any]:
    """Return the flow's row of flows.parquet."""
    return next(row for row in result.flows.iter_rows(named=True) if row["name"] == flow)


def link_row(result: Result, link: str | None) -> dict[str, Any]:
    """Return the link's row of links.parquet; for None that of the bottleneck."""
    return next(
        row for row in result.links.iter_rows(named=True) if link is None or row["name"] == link
    )


def planned(result: Result, flow: str) -> FlowPlan:
    """Return the flow in the plan; for several connections the first, as they share a route."""
    return next(
        part
        for part in result.plan["flows"]
        if flow in {part["name"], (part["part_of"] or part)["name"]}
    )


def link_rate(
    result: Result, link: int, since: float | None = None, until: float | None = None
) -> float | None:
    """Return a link's mean rate over a window, bit/s, or None for a link without a limit.

    The window is from the warm-up to the end of the run by default.
    """
    import numpy as np

    from ackclock.results.capacity import rates

    plan = result.plan["links"][link]
    begin = result.warmup if since is None else since
    end = result.end_time if until is None else until
    varying = rates(plan, np.array([begin, end])) if end > begin else None
    rate: float | None = plan["rate_bps"] if varying is None else float(varying[0])
    return rate


def tcp_flows(result: Result) -> list[dict[str, Any]]:
    """Return the rows of the TCP flows; subflows of a parallel transfer are left out."""
    return [
        row
        for row in whole(result.flows.to_dicts())
        if row["cc"] != "udp" and row["goodput"] is not None
    ]


def fair_rates(result: Result) -> dict[str, float | None]:
    """Return the max-min fair rate of each TCP flow on the wire, bit/s; None: no link limits it."""
    names = [row["name"] for row in tcp_flows(result)]
    plans: dict[str, FlowPlan] = {}
    for part in result.plan["flows"]:
        # Several connections of a flow share its route.
        plans.setdefault((part["part_of"] or part)["name"], part)
    paths = [plans[name]["path"] for name in names]
    capacities = [link_rate(result, link) for link in range(len(result.plan["links"]))]
    return dict(zip(names, max_min_rates(paths, capacities), strict=True))


@built_in("min_max_ratio", "1", "run", _RFC_FAIR, limits=SHARE)
def _min_max_ratio(result: Result) -> float | None:
    """Goodput of the slowest flow over that of the fastest, UDP streams apart; 1 is an equal
    share.
    """
    return min_max_ratio([row["goodput"] for row in tcp_flows(result)])


@built_in(
    *("rtt_jain_index", "1", "run"),
    "Mathis et al., CCR 27(3), 1997; Lakshman & Madhow, ToN 5(3), 1997; RFC 5166 section 2.3.3",
)
def _rtt_jain_index(result: Result, *, exponent: float = 1.0) -> float | None:
    """Jain's index of goodput x base_rtt^exponent: 1 where shares follow TCP's model of the
    round-trip time (exponent 1: losses strike packets alike; 2: all flows lose at once).
    """
    if not abs(exponent) <= _LARGEST_EXPONENT:
        raise MetricError(f"exponent = {exponent:g} is too large: at most {_LARGEST_EXPONENT}")
    rows = tcp_flows(result)
    return jain_index(
        rtt_normalised(
            [row["goodput"] for row in rows], [row["base_rtt"] for row in rows], exponent
        )
    )


@built_in(
    *("max_min_fairness", "1", "run"),
    f"Bertsekas & Gallager, Data Networks, section 6.5.2; {_RFC_RESOURCES}",
)
def _max_min_fairness(result: Result) -> float | None:
    """Throughput over max-min fair rate, of the flow that has the least of it, UDP streams
    apart; 1 is max-min fair.
    """
    throughputs = [row["throughput"] for row in tcp_flows(result)]
    return max_min_fairness(throughputs, list(fair_rates(result).values()))


@built_in(
    *("proportional_utility", "1", "run"),
    f"Kelly, Maulloo & Tan, JORS 49(3), 1998; {_RFC_RESOURCES}",
    limits=(-math.inf, math.inf),
)
def _proportional_utility(result: Result) -> float | None:
    """Sum of ln(goodput in bit/s) over the flows: largest where the allocation is
    proportionally fair.
    """
    return proportional_utility([row["goodput"] for row in tcp_flows(result)])


@built_in("friendliness", "1", "run", "RFC 5166 section 2.3; RFC 9743")
def _friendliness(result: Result, *, to: str = "reno") -> float | None:
    """Mean goodput of the flows with the algorithm `to`, over the mean of all flows: their
    goodput beside the others, as a share of an equal share. ackclock.measuring.friendliness
    also runs the case in which all flows have that algorithm.
    """
    rows = tcp_flows(result)
    return friendliness(
        [row["goodput"] for row in rows if row["cc"] == to],
        [mean_of(row["goodput"] for row in rows)],
    )


@built_in(
    "window.mean", "packets", "flows", "Pham & Le, Improving the performance of TCP, 2005, figure 1"
)
def _mean_window(result: Result, flow: str) -> float | None:
    """Data packets sent per round-trip time, mean over the flows: over loss_rate the response
    curve.
    """
    row = flow_row(result, flow)
    return (
        None
        if row["rtt_mean"] is None
        else mean_window(row["sent_packets"], row["active_time"], row["rtt_mean"])
    )


@built_in("useful_share", "1", "flows", "RFC 2914 section 5", over="all")
def _useful_share(result: Result, flow: str | None) -> float | None:
    """Payload that arrived in order over payload sent, all flows together; at most 1. Near 0
    the network carries packets that are dropped later, or that nobody needs: congestion
    collapse.
    """
    rows = whole(result.flows.to_dicts()) if flow is None else [flow_row(result, flow)]
    return useful_share(
        sum(row["goodput_bytes"] for row in rows), sum(row["sent_payload_bytes"] for row in rows)
    )


@built_in("link_throughput", "bit/s", "links", "RFC 5166 section 2.1.1")
def _link_throughput(result: Result, link: str) -> float | None:
    """Wire bytes that left the bottleneck, per second of the run."""
    row = link_row(result, link)
    return throughput(row["delivered_bytes"], row["measured_time"])


@built_in(
    "drop_rate", "1", "links", "RFC 1242 section 3.6; RFC 2544 section 26.3; RFC 5166 section 2.1.3"
)
def _drop_rate(result: Result, link: str) -> float | None:
    """Packets that came to the bottleneck and were dropped, by its queue or on its wire, over
    those that came.
    """
    row = link_row(result, link)
    return loss_rate(row["dropped_packets"], row["arrived_packets"])


@built_in("mark_rate", "1", "links", "RFC 3168 section 5")
def _mark_rate(result: Result, link: str) -> float | None:
    """Packets marked (CE) by the bottleneck's queue over those that came."""
    row = link_row(result, link)
    return mark_rate(row["marked_packets"], row["arrived_packets"])


@built_in("queue_packets.mean", "packets", "links", "RFC 5166 section 2.1.2")
def _queue_packets(result: Result, link: str) -> float | None:
    """Time average of the length of the bottleneck's queue."""
    mean: float | None = link_row(result, link)["queue_packets_mean"]
    return mean
