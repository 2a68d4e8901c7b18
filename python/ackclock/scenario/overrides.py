"""New values for single canonical keys, and the text of them: ``--set key=value``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticCustomError

from ackclock.atomic_io.reading import parse_toml
from ackclock.messages import shown
from ackclock.scenario.cc_parameter import with_parameter
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.loss import read_loss

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["copied", "put", "read_value", "split_setting"]

# Tables that may be written as the text of their kind.
_SHORT = ("app", "qdisc")
# Digits of an element's number.
_LONGEST_INDEX = 9


def read_value(text: str) -> Any:
    """Read a value as TOML, ``5``, ``true``, ``["a"]``, or else as text, ``10Mbit/s``."""
    try:
        value = parse_toml(f"value = {text}")
    except (ValueError, RecursionError):
        # Integers of thousands of digits and lists in thousands of lists are TOML, but Python reads
        # none of them.
        return text
    if set(value) != {"value"} or not isinstance(value["value"], str | int | float | list | dict):
        return text
    return value["value"]


def copied(value: Any) -> Any:
    """A copy of tables and lists at every depth, safe from later changes by the caller."""
    if isinstance(value, dict):
        return {key: copied(entry) for key, entry in value.items()}
    return [copied(entry) for entry in value] if isinstance(value, list) else value


def _own(value: Any) -> Any:
    """A copy of a value, or the value itself where it is nested too deeply for any scenario."""
    try:
        return copied(value)
    except RecursionError:
        return value


def split_setting(setting: str) -> tuple[str, Any]:
    """Split ``key=value``."""
    key, equals, text = setting.partition("=")
    if not equals or not key.strip():
        raise ScenarioError(
            f"{shown(setting)} is not key=value, such as network.bottleneck.rate=5Mbit/s",
            key="--set",
            value=setting,
        )
    return key.strip(), read_value(text.strip())


def _entries(items: list[Any], part: str) -> Iterable[int] | None:
    """The elements that a part of a key chooses; `None`: the part is a key inside every element."""
    # Python takes ² for a digit, too, and refuses to read thousands of them.
    if part.isascii() and part.isdigit():
        if len(part) > _LONGEST_INDEX:
            return []
        return [int(part)] if int(part) < len(items) else []
    named = [
        index
        for index, item in enumerate(items)
        if isinstance(item, dict) and item.get("name") == part
    ]
    return named or None


def _loss_in_full(value: Any, key: str) -> Any:
    try:
        return read_loss(value)
    except PydanticCustomError as error:
        raise ScenarioError(
            str((error.context or {})["message"]), key=key.rpartition(".")[0], value=value
        ) from None


def put(here: Any, parts: list[str], value: Any, key: str) -> None:
    """Set the value at a canonical path, making the tables on the way; errors name `key`."""
    part, rest = parts[0], parts[1:]
    if isinstance(here, list):
        chosen = _entries(here, part)
        if chosen is None:
            if any(not isinstance(item, dict) for item in here):
                raise ScenarioError(f"there is no '{part}' in that list", key=key, value=value)
            for item in here:
                put(item, parts, value, key)
            return
        if not chosen:
            raise ScenarioError(
                f"there is no element {part}: the list has {len(here)}, from 0",
                key=key,
                value=value,
            )
        for index in chosen:
            if rest:
                put(here[index], rest, value, key)
            else:
                here[index] = _own(value)
        return
    if not isinstance(here, dict):
        raise ScenarioError(
            f"{shown(here)} has no keys inside, so '{part}' cannot be set",
            key=key,
            value=value,
            kind="unknown-key",
        )
    if not rest:
        here[part] = _own(value)
        return
    if part == "cc" and part not in here:
        raise ScenarioError(
            "there is no congestion control yet whose parameter it could be: set cc first",
            key=key,
            value=value,
        )
    inner = here.setdefault(part, {})
    if isinstance(inner, str) and part == "cc":
        here[part] = with_parameter(inner, rest, value, key)
        return
    if isinstance(inner, str) and part in _SHORT:
        inner = here[part] = {"kind": inner}
    elif part == "loss" and isinstance(inner, str | int | float):
        inner = here[part] = _loss_in_full(inner, key)
    put(inner, rest, value, key)
