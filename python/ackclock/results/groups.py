"""Flows of the same congestion control taken together, for runs with more flows than anybody reads."""

from collections.abc import Sequence
from typing import NamedTuple

from ackclock.metrics import loss_rate, mean_of
from ackclock.results.summary import FlowSummary
from ackclock.results.text import quantity


class Group(NamedTuple):
    """Flows of one congestion control."""

    cc: str
    flows: Sequence[FlowSummary]


def by_cc(flows: Sequence[FlowSummary]) -> list[Group]:
    """Groups in order of first appearance."""
    found: dict[str, list[FlowSummary]] = {}
    for flow in flows:
        found.setdefault(flow["cc"], []).append(flow)
    return [Group(cc, members) for cc, members in found.items()]


HEADER = ("cc", "flows", "goodput, mean", "smallest", "largest", "lost", "loss rate", "timeouts", "RTT, mean", "finished", "after, mean")


def row(group: Group) -> tuple[str, ...]:
    """A group's figures, in the order of `HEADER`."""
    flows = group.flows
    rates = [flow["goodput"] for flow in flows if flow["goodput"] is not None]
    lost = sum(flow["lost_packets"] for flow in flows)
    times = [flow["fct"] for flow in flows if flow["fct"] is not None]
    return (
        group.cc,
        str(len(flows)),
        quantity(mean_of(rates), "bit/s"),
        quantity(min(rates, default=None), "bit/s"),
        quantity(max(rates, default=None), "bit/s"),
        str(lost),
        quantity(loss_rate(lost, sum(flow["sent_packets"] for flow in flows)), "%"),
        str(sum(flow["timeouts"] for flow in flows)),
        quantity(mean_of(flow["rtt"]["mean"] for flow in flows), "s"),
        f"{len(times)} of {len(flows)}",
        quantity(mean_of(times), "s"),
    )
