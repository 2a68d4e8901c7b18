"""Facts about plans that several relations need, and changes that several make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.relations.pair import Plan

__all__ = ["LONGEST_PS", "disciplines", "hashes_flows", "is_of_group", "reaches_end", "renamed"]

LONGEST_PS = 20 * 24 * 3600 * 10**12
"""The engine's limit of times, ps."""


def disciplines(plan: Plan) -> Iterator[dict[str, Any]]:
    """Yield each discipline of each link, and the disciplines inside of it."""
    stack = [link["qdisc"] for link in plan["links"]]
    while stack:
        one = stack.pop()
        yield one
        stack += one.get("children", [])
        if "qdisc" in one:
            stack.append(one["qdisc"])


def hashes_flows(plan: Plan) -> bool:
    """Whether a discipline chooses a packet's queue by a hash of the flow's number.

    The hash stands for addresses and ports. Flows with other numbers share other queues.
    """
    return any(
        one["kind"] in ("fq_codel", "fq_pie") and one["flows"] > 1 for one in disciplines(plan)
    )


def is_of_group(flow: dict[str, Any]) -> bool:
    """Whether a flow is a part of a session or of a parallel transfer."""
    return flow["app"]["kind"] == "session" or flow.get("part_of") is not None


def reaches_end(plan: Plan, run: Any) -> bool:
    """Whether the run ends with its duration; otherwise it ends when the last flow is done."""
    return bool(run.end_time == plan["duration_ps"] / 1e12)


def renamed(plan: Plan, prefix: str) -> None:
    """Put the prefix before the names of all links, flows, streams, sessions and groups."""
    for table in ("links", "flows", "streams", "sessions"):
        for entry in plan[table]:
            entry["name"] = prefix + entry["name"]
    for flow in plan["flows"]:
        if flow.get("part_of") is not None:
            flow["part_of"]["name"] = prefix + flow["part_of"]["name"]
    for session in plan["sessions"]:
        head, _, name = session["stream"].partition("/")
        session["stream"] = f"{head}/{prefix}{name}"
        if "group" in session["app"]:
            session["app"]["group"] = prefix + session["app"]["group"]
