"""Relations: a scenario and a changed copy of it must agree. A file for each, a line here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fuzz.engines import ENGINES
from fuzz.generate.draw import Draw
from fuzz.relations.independent import independent_paths
from fuzz.relations.later import later_start
from fuzz.relations.longer import longer_run
from fuzz.relations.neutral import neutral_impairments
from fuzz.relations.pair import Runs, Subject
from fuzz.relations.recorded import other_record
from fuzz.relations.reordered import equal_flows_in_any_order
from fuzz.relations.scaled import scaled_time_and_rate
from fuzz.relations.unstarted import unstarted_flow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["RELATIONS", "Runs", "Subject", "broken", "plans"]

RELATIONS: Mapping[str, Callable[[Subject, Draw], Runs | None]] = {
    "neutral": neutral_impairments,
    "scaled": scaled_time_and_rate,
    "independent": independent_paths,
    "recorded": other_record,
    "longer": longer_run,
    "unstarted": unstarted_flow,
    "reordered": equal_flows_in_any_order,
    "later": later_start,
}
"""Relations by name. Each returns the plans to run, or None where it does not apply."""

_MOST_SENTENCES = 3
_MOST_EVENTS = 40_000
"""A longer run is left out: where copies are copied, twice the time takes far more than that."""


def _asked(name: str, subject: Subject, number: int) -> Runs | None:
    return RELATIONS[name](subject, Draw("relation", name, number))


def plans(name: str, subject: Subject, number: int) -> list[dict[str, Any]]:
    """Return the plans that a relation compares; none if it does not apply."""
    asked = _asked(name, subject, number)
    return [] if asked is None else asked.plans


def broken(name: str, subject: Subject, number: int) -> list[str] | None:
    """Return how the runs of a relation differ; None if it does not apply, or takes too long.

    Parameters
    ----------
    name
        Name of the relation.
    subject
        The scenario.
    number
        Number of the scenario, which chooses the change.
    """
    asked = _asked(name, subject, number)
    if asked is None:
        return None
    engine = next(iter(ENGINES.values()))
    runs: list[Any] = []
    for plan in asked.plans:
        runs.append(engine(json.dumps(plan, allow_nan=False), subject.scenario))
        if runs[0].events > _MOST_EVENTS:
            return None
    if not asked.applies(*runs):
        return None
    return [one for one, _ in zip(asked.judge(*runs), range(_MOST_SENTENCES), strict=False)]
