"""A flow that would start after the end changes nothing."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from ackclock.scenario import Scenario
from ackclock.scenario.errors import ScenarioError
from fuzz.relations.differences import of_runs
from fuzz.relations.pair import Runs
from fuzz.relations.plans import hashes_flows, reaches_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.generate.draw import Draw
    from fuzz.relations.pair import Plan, Subject

__all__ = ["unstarted_flow"]

_NAME = "never"
_LATEST_PS = 480 * 3600 * 10**12
"""Latest start that a scenario may name."""


def _described(plan: Plan) -> dict[str, list[Any]]:
    """Return links, flows, streams and sessions without the numbers of each other."""
    links, flows = ([one["name"] for one in plan[table]] for table in ("links", "flows"))

    def named(entry: dict[str, Any]) -> dict[str, Any]:
        paths = {key: [links[at] for at in entry[key]] for key in entry if key.endswith("path")}
        return {**entry, **paths}

    return {
        "links": plan["links"],
        "flows": [named(flow) for flow in plan["flows"]],
        "streams": [named(stream) for stream in plan["streams"]],
        "sessions": [
            {**session, "flows": [flows[at] for at in session["flows"]]}
            for session in plan["sessions"]
        ],
    }


def _differs_only_by(plan: Plan, other: Plan) -> bool:
    """Whether the other plan is the plan with one more flow or stream and its access links."""
    before, after = _described(plan), _described(other)
    for table, rows in before.items():
        names = {row["name"] for row in rows}
        if [row for row in after[table] if row["name"] in names] != rows:
            return False
    return True


def _numbers_move(plan: Plan, other: Plan) -> bool:
    """Whether streams, which are numbered after the flows, have other numbers."""
    return bool(plan["streams"]) and len(plan["flows"]) < len(other["flows"])


def unstarted_flow(subject: Subject, draw: Draw) -> Runs | None:
    """Add a copy of an entry that starts after the end of the run.

    It does not apply where the scenario leaves a value to the flows that are there: a default limit
    depends on who crosses the link, as does one in packets or `bdp`. The two plans then differ in
    more than the flow.
    """
    data, duration = copy.deepcopy(subject.case.data), subject.plan["duration_ps"]
    if 2 * duration > _LATEST_PS:
        return None
    entry = {**draw.one(data["flows"]), "name": _NAME}
    for key in ("stop", "count"):
        entry.pop(key, None)
    entry["start"] = draw.time_text(duration + draw.spread(1, duration))
    data["flows"] = [*data["flows"], entry]
    plan = subject.plan
    try:
        other = Scenario.parse(data, folder=subject.folder).plan()
    except ScenarioError:
        # The copy draws an access delay of its own, which may be too long for its timestamps.
        return None
    if not _differs_only_by(plan, other) or (_numbers_move(plan, other) and hashes_flows(plan)):
        return None
    added = {
        row["name"] for table in ("flows", "links", "streams", "sessions") for row in other[table]
    } - {row["name"] for table in ("flows", "links", "streams", "sessions") for row in plan[table]}

    def judge(run: Any, longer: Any) -> Iterator[str]:
        yield from of_runs(run, longer, without={*added, _NAME})

    # A run that ends with its last flow has another end where one more flow is to come.
    return Runs([plan, other], judge, lambda run, _longer: reaches_end(plan, run))
