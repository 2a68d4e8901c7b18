"""A plan that others wrote, as plan.json has it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from ackclock import _core
from ackclock.atomic_io.reading import decoding
from ackclock.core_types.sharing import expanded

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ackclock.core_types.plan import Plan

__all__ = ["read_plan"]

# The engine knows what stands for these where they are missing; the package always writes them.
_WRITTEN: Mapping[str, frozenset[str]] = {
    "": frozenset({"flows", "links", "sessions", "streams", "record", "warmup_ps"}),
    "links": frozenset({"name", "rate_bps", "delay_ps"}),
    "flows": frozenset({"part_of", "start_ps", "stop_ps", "path", "reverse_path", "transport"}),
}


def read_plan(value: object, file: Path) -> Plan:
    """Return a plan in its long form.

    Parameters
    ----------
    value
        What plan.json holds.
    file
        Path of the file, for messages.

    Raises
    ------
    DamagedError
        If it is no plan that the engine takes, or none that ackclock writes.
    """
    with decoding(file, "a plan"):
        plan = expanded(cast("Plan", value))
        _core.check_plan(json.dumps(plan, allow_nan=False))
        _check(cast("dict[str, Any]", plan))
    return plan


def _check(plan: dict[str, Any]) -> None:
    """Raise if an entry lacks what the package writes, or names a link or flow that is not there.

    Raises
    ------
    ValueError
        The text does not name the file.
    """
    _check_keys(plan, "")
    for key in ("links", "flows"):
        for entry in plan[key]:
            _check_keys(entry, key)
    links = range(len(plan["links"]))
    for flow in plan["flows"]:
        if not all(link in links for link in (*flow["path"], *flow["reverse_path"])):
            raise ValueError(f"flow {flow['name'][:40]!r} has a link that is not there")
    flows = range(len(plan["flows"]))
    for session in plan["sessions"]:
        if not session["flows"] or not all(flow in flows for flow in session["flows"]):
            raise ValueError(f"session {session['name'][:40]!r} has a flow that is not there")


def _check_keys(entry: Mapping[str, Any], key: str) -> None:
    lacking = _WRITTEN[key] - entry.keys()
    if lacking:
        raise ValueError(f"{key or 'it'} without '{min(lacking)}'")
