"""The short form of a plan: flows and links that differ in little share what they have in common.

An entry that equals the entry before it, but for a few keys, is left out of the list. Its name and
the values that differ stand in columns, in a group with the entry that it equals as its model. The
engine reads both forms; ``crates/sim/src/plan/text.rs`` defines the short one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.core_types.plan import Plan

__all__ = ["expanded", "plan_file", "plan_text", "shared"]

# Keys of each list that a group may have as columns.
_COLUMNS: Mapping[str, Sequence[str]] = {
    "links": ("rate_bps", "delay_ps"),
    "flows": ("start_ps", "stop_ps", "app", "part_of", "path", "reverse_path"),
}
MOST_ENTRIES = 300_000
"""Most flows, or links, in the long form of a plan that others wrote: 0.4 GB of memory."""
# This key of a flow's transport is a column of the flow.
_PHASE = "clock_phase_ps"


def shared(plan: Plan) -> Plan:
    """Return the plan in its short form; entries that are alike are not copied.

    Examples
    --------
    >>> links = [{"name": name, "rate_bps": 1, "delay_ps": 2, "loss": None} for name in "ab"]
    >>> shared({"seed": 1, "duration_ps": 1, "links": links, "flows": []})["alike_links"]
    [{'model': 0, 'name': ['b']}]
    """
    short: dict[str, Any] = {}
    for key, value in plan.items():
        if key not in _COLUMNS:
            short[key] = value
            continue
        short[key], groups = _grouped(cast("Sequence[dict[str, Any]]", value), _COLUMNS[key])
        if groups:
            short[f"alike_{key}"] = groups
    return cast("Plan", short)


def expanded(plan: Plan) -> Plan:
    """Return the plan in its long form; a long one is returned as it is.

    Raises
    ------
    ValueError
        If a group does not fit to its list, or there are more than `MOST_ENTRIES`.
    """
    if not any(f"alike_{key}" in plan for key in _COLUMNS):
        return plan
    long: dict[str, Any] = {}
    for key, value in plan.items():
        if key in _COLUMNS:
            groups = cast("Mapping[str, Any]", plan).get(f"alike_{key}", ())
            long[key] = _whole(cast("Sequence[dict[str, Any]]", value), groups, key)
        elif key.removeprefix("alike_") not in _COLUMNS:
            long[key] = value
    return cast("Plan", long)


def plan_text(plan: Plan) -> str:
    """Return the plan as JSON in its short form."""
    return json.dumps(shared(plan), allow_nan=False)


def plan_file(plan: Plan) -> str:
    """Return the content of plan.json: the short form, a line for each key and each group's column.

    Numbers are written as the shortest exact text, keys in the given order.
    """
    return f"{_lines(shared(plan), '')}\n"


def _lines(value: object, margin: str) -> str:
    inner = f"{margin}  "
    if isinstance(value, dict) and value:
        parts = [f"{json.dumps(key)}: {_lines(each, inner)}" for key, each in value.items()]
        opening, closing = "{", "}"
    elif isinstance(value, list) and any(isinstance(each, dict) for each in value):
        parts = [_lines(each, inner) for each in value]
        opening, closing = "[", "]"
    else:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    separator = f",\n{inner}"
    return f"{opening}\n{inner}{separator.join(parts)}\n{margin}{closing}"


def _is_alike(model: Mapping[str, Any], entry: Mapping[str, Any], columns: frozenset[str]) -> bool:
    """Return whether an entry differs from another one only in keys that may be columns."""
    if model.keys() != entry.keys():
        return False
    for key, value in model.items():
        other = entry[key]
        if key == "transport":
            if value != other and {**value, _PHASE: other.get(_PHASE)} != other:
                return False
        elif key not in columns and value != other:
            return False
    return True


def _grouped(
    entries: Sequence[dict[str, Any]], keys: Sequence[str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the entries that stay in the list, and the groups of the others."""
    columns = frozenset({"name", *keys})
    kept: list[dict[str, Any]] = []
    members: list[list[dict[str, Any]]] = []
    for entry in entries:
        if kept and _is_alike(kept[-1], entry, columns):
            members[-1].append(entry)
        else:
            kept.append(entry)
            members.append([])
    groups = [
        {"model": place, **_differences(kept[place], alike, keys)}
        for place, alike in enumerate(members)
        if alike
    ]
    return kept, groups


def _differences(
    model: Mapping[str, Any], alike: Sequence[Mapping[str, Any]], columns: Sequence[str]
) -> dict[str, Any]:
    """Return the columns in which some entry differs from the model."""
    found: dict[str, Any] = {"name": [entry["name"] for entry in alike]}
    for key in columns:
        if key not in model:
            continue
        values = [entry[key] for entry in alike]
        if any(value != model[key] for value in values):
            found[key] = values
    if _PHASE in model.get("transport", ()):
        phases = [entry["transport"][_PHASE] for entry in alike]
        if any(phase != model["transport"][_PHASE] for phase in phases):
            found[_PHASE] = phases
    return found


def _whole(
    written: Sequence[dict[str, Any]], groups: Sequence[Mapping[str, Any]], key: str
) -> list[dict[str, Any]]:
    by_model = {group["model"]: group for group in groups}
    if len(by_model) < len(groups) or any(not 0 <= at < len(written) for at in by_model):
        raise ValueError(f"alike_{key}: each model must be another entry of {key}")
    count = len(written) + sum(len(group["name"]) for group in groups)
    if count > MOST_ENTRIES:
        raise ValueError(f"{count:,} {key}; the most that are read are {MOST_ENTRIES:,}")
    entries: list[dict[str, Any]] = []
    for place, model in enumerate(written):
        entries.append(model)
        if place in by_model:
            entries += _members(model, by_model[place], key)
    return entries


def _members(model: Mapping[str, Any], group: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    columns = {name: group[name] for name in ("name", *_COLUMNS[key], _PHASE) if group.get(name)}
    phases = columns.pop(_PHASE, None)
    members = [
        {**model, **dict(zip(columns, values, strict=True))}
        for values in zip(*columns.values(), strict=True)
    ]
    if phases is not None:
        for member, phase in zip(members, phases, strict=True):
            member["transport"] = {**member["transport"], _PHASE: phase}
    return members
