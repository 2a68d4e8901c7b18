"""Flows that are equal may stand in any order: their sums are the same."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from fuzz.record import OFF
from fuzz.relations.differences import TABLES, of_rows
from fuzz.relations.pair import Runs
from fuzz.relations.plans import disciplines, hashes_flows, is_of_group

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.generate.draw import Draw
    from fuzz.relations.differences import Row
    from fuzz.relations.pair import Plan, Subject

__all__ = ["equal_flows_in_any_order"]

_APART_PS = 7919
"""Time from the start of one flow to that of the next, ps."""
_ENTRIES = (0, 2, 3, 7)
"""Events of packets that come to a queue: sent, and dropped as forced, early and policed."""


def _sums(rows: list[Row], names: set[str]) -> list[Row]:
    """Return the rows with one row of sums in place of those with the names."""
    group = [row for row in rows if row["name"] in names]
    if not group:
        return rows
    counts = [
        key
        for key in group[0]
        if all(isinstance(row[key], int | None) and not isinstance(row[key], bool) for row in group)
    ]
    total: Row = {key: sum(row[key] or 0 for row in group) for key in counts}
    return [{"name": "sum", **total}, *(row for row in rows if row["name"] not in names)]


def _has_ties(plan: Plan) -> bool:
    """Whether packets of several flows may be somewhere at one instant, or in equal queues.

    The engine then goes by the flows' numbers. Packets share an instant behind a queue without a
    link's rate, behind slots and traces in whole milliseconds, and where they catch up with those
    before them and stay in order. Without any delay, an ACK and the data that it releases share
    one. A DRR that is full drops from the longest of its queues.
    """
    for link in plan["links"]:
        kinds = {one["kind"]: one for one in link.get("impairments", ())}
        late = [kinds[kind] for kind in ("jitter", "delay-schedule") if kind in kinds]
        if "slot" in kinds or any(not one["reorder"] for one in late):
            return True
        if (link.get("service") or {}).get("kind") == "trace":
            return True
        if link["rate_bps"] is None and link["qdisc"]["kind"] != "fifo":
            return True
    delays = [link["delay_ps"] for link in plan["links"]]
    if any(
        not any(delays[at] for at in (*flow["path"], *flow["reverse_path"]))
        for flow in plan["flows"]
    ):
        return True
    return any(one["kind"] == "drr" and one["by"] == "flow" for one in disciplines(plan))


def _have_met(run: Any, equal: set[int]) -> bool:
    """Whether a packet of the equal flows came to a link at one instant with another flow's.

    On a slow link all departures are whole transmissions apart, and timeouts that have grown to
    their maximum are alike. So what they cause may meet, although the flows started apart. An
    instant is a nanosecond here, the unit of records.
    """
    seen = dict(run.packets())
    met: dict[tuple[int, int], set[int]] = {}
    for time, where, event, flow in zip(
        seen["time_ns"], seen["where"], seen["event"], seen["flow"], strict=True
    ):
        if event in _ENTRIES:
            met.setdefault((time, where), set()).add(flow)
    return any(len(flows) > 1 and flows & equal for flows in met.values())


def equal_flows_in_any_order(subject: Subject, draw: Draw) -> Runs | None:
    """Repeat a flow or a stream some nanoseconds later, and write the equal ones in another order.

    It does not apply to a discipline that hashes flows' numbers, nor where numbers decide what
    comes first, as the plan says or a run shows.
    """
    plan = subject.planned()
    if hashes_flows(plan) or _has_ties(plan):
        return None
    found = [("flows", at) for at, flow in enumerate(plan["flows"]) if not is_of_group(flow)]
    found += [("streams", at) for at in range(len(plan["streams"]))]
    if not found:
        return None
    table, chosen = draw.one(found)
    rows = plan[table]
    plan["record"] = {**OFF, "packet_links": list(range(len(plan["links"])))}
    plan["draws_start_order"] = False
    # All would stop at one instant.
    rows[chosen]["stop_ps"] = None
    places = [chosen]
    for number in range(draw.whole(1, 3)):
        places.append(len(rows))
        rows.append({**copy.deepcopy(rows[chosen]), "name": f"{rows[chosen]['name']}-{number}"})
    for number, at in enumerate(places, start=1):
        rows[at]["start_ps"] += _APART_PS * number
    order = draw.random.sample(places, len(places))
    if order == places:
        order = places[::-1]
    other = copy.deepcopy(plan)
    for at, of in zip(places, order, strict=True):
        other[table][at] = copy.deepcopy(rows[of])
    names = [rows[at]["name"] for at in places]
    group = set(names)
    equal = {at + (len(plan["flows"]) if table == "streams" else 0) for at in places}

    def judge(run: Any, changed: Any) -> Iterator[str]:
        for name in TABLES:
            first, second = ([dict(row) for row in getattr(one, name)()] for one in (run, changed))
            yield from of_rows(_sums(first, group), _sums(second, group))

    def applies(run: Any, changed: Any) -> bool:
        return not (_have_met(run, equal) or _have_met(changed, equal))

    return Runs([plan, other], judge, applies)
