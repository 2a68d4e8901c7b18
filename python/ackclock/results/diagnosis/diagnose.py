"""Diagnoses a run's flows: the limits of each, in order of weight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.results.diagnosis.facts import BUSY, FlowFacts, RunFacts
from ackclock.results.diagnosis.registry import KINDS
from ackclock.tables.quantities import quantity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.core_types.plan import Plan
    from ackclock.results.diagnosis.limit import Limit
    from ackclock.results.diagnosis.types import FlowDiagnosis, LimitRow

__all__ = ["diagnose"]

SHOWN = 0.01
"""Smallest share of a flow's time for a limit to be told, unless there is no other."""

ROUNDING = 1e-6

MOST_FLOWS = 500
"""Largest number of flows of which each is diagnosed."""

CHOSEN = 200
"""Number of flows that are diagnosed of more than `MOST_FLOWS`, evenly of each kind."""

MUCH = 0.5
"""Smallest share of its due payload with which a flow is said to have had its share."""

WASTED = 0.2
"""From this share of packets on, needless packets come before the link that they fill."""


def diagnose(
    flows: Sequence[Mapping[str, Any]],
    links: Sequence[Mapping[str, Any]],
    plan: Plan,
    end_time: float,
    *,
    is_simulated: bool = True,
    network: str = "",
) -> list[FlowDiagnosis]:
    """Return the limits of each TCP flow of a run.

    Parameters
    ----------
    flows, links
        Rows as in flows.parquet and links.parquet.
    plan
        As in plan.json.
    end_time
        When the run ended, s.
    is_simulated
        Whether no kernel ran it; a kernel does not tell how long after which reduction cwnd was
        low.
    network
        Kind of the scenario's network, for the keys; empty: not known.

    Returns
    -------
    list of FlowDiagnosis
        In the flows' order; of a flow over several connections, one. Flows that were not measured
        for any time have no limits. Of more than `MOST_FLOWS` flows `CHOSEN` are diagnosed, evenly
        of each entry of the scenario.
    """
    run = RunFacts(flows, links, plan, end_time, is_simulated=is_simulated, network=network)
    return [_of_flow(flow) for flow in run.flows(MOST_FLOWS, CHOSEN)]


def _has_much(flow: FlowFacts) -> bool:
    """Return whether a flow's data, and not only its packets, gets a fair share of the link."""
    return flow.fair_share is None or flow.goodput >= MUCH * flow.fair_share * flow.payload_share


def _of_flow(flow: FlowFacts) -> FlowDiagnosis:
    candidates = (
        [limit for kind in KINDS if (limit := kind.find(flow)) is not None]
        if flow.row["active_time"] > 0.0
        else []
    )
    limits = _ordered(candidates, is_busy=flow.busy >= BUSY and flow.needless < WASTED)
    is_clear = bool(limits) and limits[0].kind == "link" and _has_much(flow)
    return {
        "flow": flow.name,
        "cc": str(flow.row["cc"]),
        "link": None if flow.link is None else flow.link.name,
        "busy": flow.busy if flow.link is not None else None,
        "is_clear": is_clear,
        "limits": [_row(limit, flow.most) for limit in limits],
        "looked_at": _looked_at(flow),
        "not_known": _not_known(flow),
        "line": _line(flow, limits, is_clear=is_clear),
    }


def _ordered(candidates: Sequence[Limit], *, is_busy: bool) -> list[Limit]:
    """Sort by share; an idle link comes last, because it held nothing back."""
    limits = sorted(
        candidates, key=lambda limit: (limit.kind == "link" and not is_busy, -limit.share)
    )
    shown = [limit for limit in limits if limit.share >= SHOWN]
    return shown if any(limit.kind != "link" or is_busy for limit in shown) else limits


def _row(limit: Limit, most: float) -> LimitRow:
    """Drop a bound above the link's rate."""
    is_bound = limit.bound is not None and limit.bound <= most * (1.0 + ROUNDING)
    return {
        "kind": limit.kind,
        "title": limit.title,
        "share": limit.share,
        "sentence": limit.sentence,
        "key": limit.key,
        "advice": limit.advice,
        "bound": limit.bound if is_bound else None,
        "law": limit.law if is_bound else None,
    }


def _looked_at(flow: FlowFacts) -> list[str]:
    return [
        kind.looks_at
        for kind in KINDS
        if kind.looks_at and (flow.run.is_simulated or kind.on_kernel)
    ]


def _not_known(flow: FlowFacts) -> list[str]:
    if flow.run.is_simulated:
        return []
    return [
        *(kind.looks_at for kind in KINDS if not kind.on_kernel),
        "which loss each reduction of cwnd answered",
    ]


def _line(flow: FlowFacts, limits: Sequence[Limit], *, is_clear: bool) -> str:
    """Return the diagnosis as one paragraph, without the flow's name."""
    if not limits:
        return "was not measured, so nothing is known of what limits it"
    first, rest = limits[0], limits[1:]
    others = [f"{limit.title} {quantity(limit.share, '%')}" for limit in rest]
    also = f" Also: {', '.join(others)}." if others else ""
    if is_clear and flow.link is not None:
        looked = ", ".join(_looked_at(flow))
        return f"had its share of {flow.link.name}: {first.sentence}.{also} Looked at: {looked}."
    change = f" Change {first.key}: {first.advice}." if first.key else ""
    return (
        f"limited by {first.title} for {quantity(first.share, '%')} of its time: "
        f"{first.sentence}.{change}{also}"
    )
