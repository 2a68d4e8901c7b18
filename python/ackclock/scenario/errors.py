"""Errors in a scenario, each a message of one line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticCustomError

from ackclock.errors import Error
from ackclock.messages import LONGEST_MESSAGE, allowed_names, clean, did_you_mean, shorten, shown

if TYPE_CHECKING:
    from pydantic import ValidationError

    from ackclock.errors import Kind

__all__ = ["ScenarioError", "check_plain", "problem", "translate"]

_LONGEST_KEY = 80
_LONGEST_FILE = 60
# A scenario has eight layers or so.
_DEEPEST = 50


class ScenarioError(Error, ValueError):
    """A scenario that cannot be run.

    Parameters
    ----------
    message
        The error, the allowed values, and the nearest valid name where there is one.
    key
        Dotted path of the key, as ``--set`` takes it; empty where the whole file is meant.
    value
        The value of the key.
    file
        The file of the scenario, if any.
    kind
        Kind of the error, for a program to match (docs/errors.md).

    Examples
    --------
    >>> print(ScenarioError("'10' has no unit", key="duration", value="10", file="a.toml"))
    a.toml: duration: '10' has no unit
    """

    def __init__(
        self,
        message: str,
        *,
        key: str = "",
        value: object = None,
        file: str | None = None,
        kind: Kind | None = None,
    ) -> None:
        self.message = clean(message)
        self.key = shorten(key, _LONGEST_KEY)
        self.value = value
        self.file = file
        if kind is not None:
            self.kind = kind
        super().__init__(_one_line(file, self.key, self.message))

    def located(self, file: str | None) -> ScenarioError:
        """The error with the file's name, unless it has one already."""
        if self.file is not None or file is None:
            return self
        return ScenarioError(
            self.message, key=self.key, value=self.value, file=file, kind=self.kind
        )


def _one_line(file: str | None, key: str, message: str) -> str:
    """File, key and message in at most `LONGEST_MESSAGE` characters.

    A long path is cut at its beginning, a long message at its end.
    """
    name = clean(file or "")
    for longest in (len(name), _LONGEST_FILE):
        where = name if len(name) <= longest else f"...{name[3 - longest :]}"
        text = ": ".join(part for part in (where, key, message) if part)
        if len(text) <= LONGEST_MESSAGE:
            break
    return shorten(text, LONGEST_MESSAGE)


def problem(message: str, *, key: str = "", kind: Kind = "invalid") -> PydanticCustomError:
    """A validation error; `key`, if any, is relative to the table that raises it."""
    return PydanticCustomError(
        "ackclock", "{message}", {"message": message, "key": key, "kind": kind}
    )


def check_plain(data: object) -> None:
    """Refuse data that Python or a file of results cannot hold.

    Raises
    ------
    ScenarioError
        If tables or lists are nested too deeply to walk through, or a whole number has more than
        64 bits.
    """
    waiting: list[tuple[tuple[str, ...], object]] = [((), data)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise ScenarioError(
                f"{shown(value)} is too large: a whole number has at most 64 bits",
                key=".".join(path),
                value=value,
            )
        if isinstance(value, list):
            value = dict(enumerate(value))
        inner = value.items() if isinstance(value, dict) else ()
        if len(path) == _DEEPEST and inner:
            raise ScenarioError("its lists or tables are nested too deeply", key=path[0])
        waiting += [((*path, str(key)), entry) for key, entry in inner]


_TYPES: Mapping[str, str] = {
    "string": "is not text: write it in quotes",
    "bool": "is not a truth value: write true or false",
    "int": "is not a whole number",
    "float": "is not a number",
    "list": "is not a list: write [ ... ]",
    "tuple": "is not a list: write [ ... ]",
    "dict": "is not a table: write { key = value, ... }",
    "model": "is not a table: write { key = value, ... }",
}
_RANGES: Mapping[str, str] = {
    "finite_number": "is not a finite number",
    "greater_than_equal": "is too small: it must be at least {ge}",
    "greater_than": "is too small: it must be more than {gt}",
    "less_than_equal": "is too large: it must be at most {le}",
    "less_than": "is too large: it must be less than {lt}",
    "too_short": "is too short: it needs at least {min_length} of them",
}


def _explain(error: Mapping[str, Any]) -> tuple[str, Kind]:
    """The message for an error of pydantic, and its kind."""
    name: str = error["type"]
    given = error.get("input")
    value = shown(given)
    context: Mapping[str, Any] = error.get("ctx", {})
    if name == "ackclock":
        return str(context["message"]), context["kind"]
    if name in ("literal_error", "union_tag_invalid"):
        if name == "union_tag_invalid":
            given = str(context["tag"])
            value = f"'{shorten(given)}'"
        names = re.findall(r"'([^']*)'", context.get("expected") or context["expected_tags"])
        near = did_you_mean(given, names)
        return f"{value} is not one of {allowed_names(given, names)}{near}", "unknown-name"
    if name == "union_tag_not_found":
        return f"{value} has no 'kind': it says which of the possibilities is meant", "missing"
    if name in _RANGES:
        return f"{value} {_RANGES[name].format(**context)}", "out-of-range"
    if name.endswith(("_type", "_parsing", "_from_float")):
        wrong = _TYPES.get(name.partition("_")[0])
        return f"{value} {wrong}" if wrong else f"{value}: {error['msg']}", "wrong-type"
    return f"{value}: {error['msg']}", "invalid"


def _place(location: Sequence[int | str], data: object) -> tuple[list[str], object]:
    """The path in the user's data, without the tags of unions that pydantic adds, and its value."""
    parts: list[str] = []
    here: Any = data
    entered = False
    for part in location:
        if isinstance(here, Mapping):
            # The tag comes first inside a table; { kind = "writes", writes = [...] } has a key of
            # the same name.
            if part not in here or (not entered and here.get("kind") == part):
                entered = True
                continue
        elif not isinstance(here, list | tuple) or not isinstance(part, int) or part >= len(here):
            continue
        here = here[part]
        entered = False
        parts.append(str(part))
    return parts, here


def translate(errors: ValidationError, data: object, file: str | None = None) -> ScenarioError:
    """The first of pydantic's errors as a `ScenarioError`."""
    error = errors.errors(include_url=False)[0]
    parts, here = _place(error["loc"], data)
    relative = error.get("ctx", {}).get("key", "")
    if relative:
        parts.append(relative)
    value: object = error["input"]
    if error["type"] == "union_tag_invalid":
        value = error["ctx"]["tag"]
        if isinstance(here, Mapping):
            parts.append("kind")
    if relative and isinstance(value, Mapping):
        for part in relative.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
    message, kind = _explain(error)
    return ScenarioError(message, key=".".join(parts), value=value, file=file, kind=kind)
