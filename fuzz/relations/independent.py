"""Scenarios on links of their own do the same alone and together, in any order."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from ackclock.scenario import Scenario
from ackclock.scenario.errors import ScenarioError
from fuzz.generate import generate
from fuzz.record import OFF
from fuzz.relations.differences import TABLES, of_rows
from fuzz.relations.pair import Runs
from fuzz.relations.plans import hashes_flows, renamed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.generate.draw import Draw
    from fuzz.relations.pair import Plan, Subject

__all__ = ["independent_paths"]


def _interleaved(draw: Draw, counts: list[int]) -> list[tuple[int, int]]:
    """Draw an order of the things of several plans; things of one plan keep their order."""
    parts = [part for part, count in enumerate(counts) for _ in range(count)]
    draw.random.shuffle(parts)
    seen = [0] * len(counts)
    order = []
    for part in parts:
        order.append((part, seen[part]))
        seen[part] += 1
    return order


def _together(draw: Draw, plans: list[Plan]) -> Plan:
    """Return one plan of all links, flows, streams and sessions, in a drawn order."""
    orders = {
        table: _interleaved(draw, [len(plan[table]) for plan in plans])
        for table in ("links", "flows", "streams", "sessions")
    }
    place = {
        table: {which: at for at, which in enumerate(orders[table])} for table in ("links", "flows")
    }
    made = {**plans[0], "record": OFF}
    for table, order in orders.items():
        made[table] = []
        for part, at in order:
            entry = copy.deepcopy(plans[part][table][at])
            for key in ("path", "reverse_path"):
                if key in entry:
                    entry[key] = [place["links"][part, link] for link in entry[key]]
            if table == "sessions":
                entry["flows"] = [place["flows"][part, flow] for flow in entry["flows"]]
            made[table].append(entry)
    return made


def independent_paths(subject: Subject, draw: Draw) -> Runs | None:
    """Run the plan and another one alone, and both in one plan.

    Where a discipline hashes flows' numbers, which change, the relation does not hold. Flows that
    start together start in the order of the plan: the order that is drawn depends on how many they
    are.
    """
    beside = generate(draw.whole(0, 2**31), draw.whole(0, 2**31))
    beside.lay_out(subject.folder)
    try:
        plans = [subject.planned(), Scenario.parse(beside.data, folder=subject.folder).plan()]
    except ScenarioError:
        # A few scenarios of the generator are refused.
        return None
    if any(hashes_flows(plan) for plan in plans):
        return None
    # The shorter time: in the longer one, a scenario of nanoseconds would send for days.
    duration = min(plan["duration_ps"] for plan in plans)
    warmup = min(plans[0]["warmup_ps"], duration - 1)
    for number, plan in enumerate(plans):
        plan |= {"duration_ps": duration, "warmup_ps": warmup, "record": OFF}
        plan |= {"seed": subject.plan["seed"], "draws_start_order": False}
        renamed(plan, f"{number}-")
    both = _together(draw, plans)

    def judge(first: Any, second: Any, together: Any) -> Iterator[str]:
        for table in TABLES:
            rows = [dict(row) for row in getattr(together, table)()]
            for number, alone in enumerate((first, second)):
                # A run that ends with its last flow would have gone on with the other one's.
                if alone.end_time != together.end_time:
                    continue
                mine = [row for row in rows if row["name"].startswith(f"{number}-")]
                yield from of_rows([dict(row) for row in getattr(alone, table)()], mine)

    return Runs(
        [*plans, both],
        judge,
        lambda first, second, both: both.end_time in (first.end_time, second.end_time),
    )
