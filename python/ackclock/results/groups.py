"""Groups flows and picks links for runs with too many of them to show."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ackclock.formulas.losses import loss_rate
from ackclock.formulas.parts import whole
from ackclock.formulas.statistics import mean_of
from ackclock.results.summary import FlowSummary
from ackclock.tables.quantities import Quantity, one_unit, short_cc
from ackclock.tables.table import Table


class Group(NamedTuple):
    """Flows of one congestion control."""

    cc: str
    flows: Sequence[FlowSummary]


def by_cc(flows: Sequence[FlowSummary]) -> list[Group]:
    """Return the groups in order of first appearance; a parallel transfer counts as one flow."""
    groups: dict[str, list[FlowSummary]] = {}
    for flow in whole(flows):
        groups.setdefault(flow["cc"], []).append(flow)
    return [Group(cc, members) for cc, members in groups.items()]


_HEADER = (
    "cc",
    "flows",
    "goodput, mean",
    "smallest",
    "largest",
    "lost",
    "loss rate",
    "timeouts",
    "RTT, mean",
    "finished",
    "after, mean",
)


def group_table(flows: Sequence[FlowSummary]) -> Table:
    """Return a row per congestion control; each column has one unit."""
    return Table(_HEADER, one_unit(map(_row, by_cc(flows))))


def _row(group: Group) -> tuple[str | Quantity, ...]:
    flows = group.flows
    rates = [flow["goodput"] for flow in flows if flow["goodput"] is not None]
    lost = sum(flow["lost_packets"] for flow in flows)
    times = [flow["fct"] for flow in flows if flow["fct"] is not None]
    return (
        short_cc(group.cc),
        str(len(flows)),
        Quantity(mean_of(rates), "bit/s"),
        Quantity(min(rates, default=None), "bit/s"),
        Quantity(max(rates, default=None), "bit/s"),
        str(lost),
        Quantity(loss_rate(lost, sum(flow["sent_packets"] for flow in flows)), "%"),
        str(sum(flow["timeouts"] for flow in flows)),
        Quantity(mean_of(flow["rtt"]["mean"] for flow in flows), "s"),
        f"{len(times)} of {len(flows)}",
        Quantity(mean_of(times), "s"),
    )


def shapes(link: Mapping[str, Any]) -> bool:
    """Return whether a link dropped or marked packets, or was busy for half of the time or more."""
    return bool(
        link["dropped_packets"] or link["marked_packets"] or (link["utilisation"] or 0.0) >= 0.5
    )
