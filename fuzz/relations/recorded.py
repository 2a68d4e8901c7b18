"""Recording changes no counter: nothing, samples, decisions and packets, by rounds or by events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzz.record import OFF
from fuzz.relations.differences import of_runs
from fuzz.relations.pair import Runs

if TYPE_CHECKING:
    from fuzz.generate.draw import Draw
    from fuzz.relations.pair import Plan, Subject

__all__ = ["other_record"]

_ROWS = 2000
"""About the most rows of a series."""


def _some(draw: Draw, count: int) -> list[int]:
    return sorted(draw.random.sample(range(count), draw.whole(0, count)))


def _record(draw: Draw, plan: Plan) -> dict[str, Any]:
    """Draw a record."""
    flows, streams, links = (len(plan[name]) for name in ("flows", "streams", "links"))
    kind = draw.weighted((2, "off"), (4, "period"), (3, "changes"))
    record: dict[str, Any] = {**OFF, "samples": {"kind": kind}, "datagrams": draw.chance(0.5)}
    if kind == "period":
        least = max(1, plan["duration_ps"] * (flows + links) // _ROWS)
        record["samples"]["period_ps"] = draw.spread(least, max(least, plan["duration_ps"]))
    for name, count in (("flows", flows), ("links", links)):
        if draw.chance(0.3):
            record[name] = _some(draw, count)
    if draw.chance(0.5):
        record["packet_links"] = _some(draw, links)
    for name in ("packet_senders", "packet_receivers"):
        if draw.chance(0.3):
            record[name] = _some(draw, flows + streams)
    if draw.chance(0.3):
        record["decision_flows"] = _some(draw, flows)
    return record


def other_record(subject: Subject, draw: Draw) -> Runs | None:
    """Run the plan with its own record, and with another one."""
    plan = subject.plan
    return Runs([plan, {**plan, "record": _record(draw, plan)}], of_runs)
