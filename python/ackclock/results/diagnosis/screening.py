"""Rules out, from few counters, that a flow's diagnosis warns of anything.

A sweep diagnoses its runs only to find limits that a reader would not suspect, and most runs have
none. These conditions are necessary for the limits that `sentences.cautions` tells, but not
sufficient. They take a tenth of a diagnosis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.formulas.parts import whole
from ackclock.results.diagnosis.kinds import needless
from ackclock.results.diagnosis.time import BUSY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.border.plan import Plan

__all__ = ["may_warn"]


def may_warn(
    flows: Sequence[Mapping[str, Any]], links: Sequence[Mapping[str, Any]], plan: Plan
) -> bool:
    """Whether `sentences.cautions` may find something in the diagnosis of a simulated run.

    Parameters
    ----------
    flows, links
        Rows as in flows.parquet and links.parquet.
    plan
        As in plan.json.
    """
    planned = {(flow["part_of"] or flow)["name"]: flow for flow in reversed(plan["flows"])}
    for row in whole(flows):
        flow = planned.get(row["name"])
        if flow is None or row["cc"] == "udp" or row["active_time"] <= 0.0:
            continue
        if (
            _may_be_held(row)
            or _may_be_needless(row, flow)
            or _has_token_bucket(plan, flow)
            or _may_be_another_link(links, flow)
            or _may_be_reverse_path(links, flow)
        ):
            return True
    return False


def _may_be_held(row: Mapping[str, Any]) -> bool:
    """Receive window, clamp, or time without an explanation.

    Each part of the time is taken by some kind of limit, except for drops of a policer that is not
    in the path, and for an algorithm of the user, whose reductions may belong to no kind.
    """
    return bool(
        row["limited_receive_window"]
        or row["limited_clamp"]
        or row["window_after_policed"]
        or row["window_after_policed"] is None
        or "python:" in row["cc"]
    )


def _may_be_needless(row: Mapping[str, Any], flow: Mapping[str, Any]) -> bool:
    transport = flow["transport"]
    again = (row["retransmitted_packets"] or 0) - (row["lost_packets"] or 0)
    packet = transport["mss"] + transport["header_bytes"]
    return bool(again * packet >= needless.LEAST * row["received_bytes"] and again > 0)


def _has_token_bucket(plan: Plan, flow: Mapping[str, Any]) -> bool:
    """Whether the rate and the use of a link of the path do not stand in the link's row."""
    path = (*flow["path"], *flow["reverse_path"])
    return any("rate_bps" in plan["links"][index]["qdisc"] for index in path)


def _may_be_another_link(links: Sequence[Mapping[str, Any]], flow: Mapping[str, Any]) -> bool:
    """A link that is no bottleneck by name, and has a rate or dropped at its limit."""
    path = [links[index] for index in flow["path"]]
    mattering = [link for link in path if link["rate"] is not None or link["dropped_forced"]]
    if any(link["name"].startswith("bottleneck") for link in path):
        return not all(link["name"].startswith("bottleneck") for link in mattering)
    return len(mattering) > 1


def _may_be_reverse_path(links: Sequence[Mapping[str, Any]], flow: Mapping[str, Any]) -> bool:
    return any(
        links[index]["dropped_packets"] or (links[index]["utilisation"] or 0.0) >= BUSY
        for index in flow["reverse_path"]
    )
