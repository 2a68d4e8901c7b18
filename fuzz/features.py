"""Counts the keys of the schema, their words, and the algorithms that a scenario uses."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ackclock import _core
from ackclock.scenario import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["algorithms_of", "all_algorithms", "all_keys", "keys_of"]

_ROOT = "Scenario"

OF_A_FILE = frozenset({"Sweep.scenario", "Sweep.folder"})
"""Keys of a file that takes its scenario from another file; they are never generated."""


@lru_cache(maxsize=1)
def _schema() -> dict[str, Any]:
    return Scenario.json_schema()


def _options(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the alternatives of a part of the schema, with references followed."""
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        yield from _options({"title": name, **_schema()["$defs"][name], "name": name})
        return
    for several in ("anyOf", "oneOf"):
        if several in part and "properties" not in part:
            for one in part[several]:
                yield from _options(one)
            return
    yield part


def _fits(option: dict[str, Any], value: Any) -> bool:
    if isinstance(value, dict):
        if "properties" not in option:
            return option.get("type") == "object" and "additionalProperties" in option
        kind = option["properties"].get("kind", {}).get("const")
        known = set(option["properties"])
        return (kind is None or value.get("kind") == kind) and set(value) <= known
    if isinstance(value, list):
        return option.get("type") == "array"
    if isinstance(value, str) and ("enum" in option or "const" in option):
        return value in option.get("enum", [option.get("const")])
    return False


def _walk(part: dict[str, Any], value: Any, place: str) -> Iterator[str]:
    for option in _options(part):
        if not _fits(option, value):
            continue
        if isinstance(value, str):
            yield f"{place}={value}"
        elif isinstance(value, list):
            for one in value:
                yield from _walk(option.get("items", {}), one, place)
        elif "properties" in option:
            name = option.get("name", _ROOT)
            for key, inner in value.items():
                yield f"{name}.{key}"
                yield from _walk(option["properties"][key], inner, f"{name}.{key}")
        return


def keys_of(data: dict[str, Any]) -> set[str]:
    """Return a scenario's keys as "Table.key", and words of enumerations as "Table.key=word"."""
    return set(_walk({**_schema(), "anyOf": None, "name": _ROOT}, data, _ROOT))


@lru_cache(maxsize=1)
def all_keys() -> frozenset[str]:
    """Return all keys that a scenario can have, with the words of every enumeration."""
    schema = _schema()
    found = set()
    for name, table in {_ROOT: schema, **schema["$defs"]}.items():
        for key, part in table.get("properties", {}).items():
            found.add(f"{name}.{key}")
            for option in _options(part):
                words = option.get("enum", [])
                if option.get("type") == "array":
                    words = [
                        word
                        for one in _options(option.get("items", {}))
                        for word in one.get("enum", [])
                    ]
                found |= {f"{name}.{key}={word}" for word in words if isinstance(word, str)}
    return frozenset(found - OF_A_FILE)


def _spec_parts(spec: str) -> Iterator[str]:
    names = []
    for part in spec.replace("+", "\n").split("\n") if "(" not in spec else _outside(spec):
        name, _, arguments = part.partition("(")
        names.append(name)
        yield name
        yield from (
            f"{name}.{one.partition('=')[0].strip()}"
            for one in arguments.rstrip(")").split(",")
            if one
        )
    if len(names) > 1:
        yield "+".join(names)


def _outside(spec: str) -> list[str]:
    """Split the text at each plus that is not in brackets."""
    parts, depth = [""], 0
    for letter in spec:
        depth += (letter == "(") - (letter == ")")
        if letter == "+" and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def algorithms_of(data: dict[str, Any]) -> set[str]:
    """Return the flows' algorithms, their parameters as "name.parameter", and pairs."""
    return {part for flow in data["flows"] if "cc" in flow for part in _spec_parts(flow["cc"])}


@lru_cache(maxsize=1)
def all_algorithms() -> frozenset[str]:
    """Return all algorithms and parameters, and each slow start before each avoidance."""
    entries = _core.list_cc()
    starts = [entry["name"] for entry in entries if entry["role"] == "slow start"]
    found = {entry["name"] for entry in entries}
    found |= {f"{entry['name']}.{one['name']}" for entry in entries for one in entry["parameters"]}
    found |= {
        f"{start}+{entry['name']}"
        for entry in entries
        if entry["role"] == "avoidance"
        for start in starts
    }
    return frozenset(found)
