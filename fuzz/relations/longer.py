"""A run of twice the time begins with the shorter run: rows before its end are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzz.record import OFF
from fuzz.relations.pair import Runs
from fuzz.relations.plans import LONGEST_PS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.generate.draw import Draw
    from fuzz.relations.pair import Subject

__all__ = ["longer_run"]

_ROWS = 1500
"""About the most rows of a series in the shorter run."""
_ROUNDING = 1e-9
"""Relative error of a time in a table that is a sum of two."""

# By table: the columns whose latest time says when a row is complete.
_COMPLETE = {
    "flow_samples": ("time",),
    "link_samples": ("time",),
    "internals": ("time",),
    "packets": ("time_ns",),
    "transfers": ("start_time", "finish_time"),
    "datagrams": ("sent_time", "delay"),
}


def _columns(core: Any, table: str) -> dict[str, np.ndarray]:
    columns = dict(getattr(core, table)())
    names = columns.pop("names", None)
    found = {name: np.asarray(values) for name, values in columns.items()}
    if names is not None:
        # Numbers of names depend on which name came first.
        found["name"] = np.asarray(names, dtype=object)[found["name"]] if names else found["name"]
    return found


def _end(table: str, columns: dict[str, np.ndarray]) -> np.ndarray:
    """Return the time of each row from which on nothing in it changes, s."""
    times = [columns[name].astype(float) for name in _COMPLETE[table]]
    if table == "packets":
        # The row's time is cut to whole nanoseconds.
        return (times[0] + 1) / 1e9
    return times[0] + times[1] if table == "datagrams" else np.maximum.reduce(times)


def _early(core: Any, table: str, before: float) -> dict[str, np.ndarray]:
    columns = _columns(core, table)
    # A row that has not ended has no number for its end, and is left out.
    is_early = _end(table, columns) < before
    return {name: values[is_early] for name, values in columns.items()}


def _equal(one: np.ndarray, other: np.ndarray) -> bool:
    return len(one) == len(other) and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def longer_run(subject: Subject, draw: Draw) -> Runs | None:
    """Run the plan for its time, and for twice as long."""
    plan = subject.planned()
    if 2 * plan["duration_ps"] > LONGEST_PS:
        return None
    things = len(plan["flows"]) + len(plan["links"])
    least = max(1, plan["duration_ps"] * things // _ROWS)
    plan["record"] = {**OFF, "samples": {"kind": "period", "period_ps": least}, "datagrams": True}
    if draw.chance(0.3):
        plan["record"]["samples"] = {"kind": "changes"}
    if draw.chance(0.3):
        plan["record"]["packet_links"] = list(range(len(plan["links"])))
    before = plan["duration_ps"] / 1e12 * (1 - _ROUNDING)

    def judge(run: Any, other: Any) -> Iterator[str]:
        for table in _COMPLETE:
            first, second = _early(run, table, before), _early(other, table, before)
            unlike = [name for name in first if not _equal(first[name], second[name])]
            if unlike:
                count, rows = len(second[unlike[0]]), len(first[unlike[0]])
                kind = plan["record"]["samples"]["kind"]
                yield f"{table} by {kind} differ in {unlike[0]}, {rows} rows and then {count}"

    return Runs([plan, {**plan, "duration_ps": 2 * plan["duration_ps"]}], judge)
