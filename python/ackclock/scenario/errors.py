"""What a user is told when a scenario is wrong: one line, whatever is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticCustomError

from ackclock.wording import LONGEST_MESSAGE, allowed_names, clean, did_you_mean, shorten, shown

if TYPE_CHECKING:
    from pydantic import ValidationError

__all__ = ["ScenarioError", "check_plain", "did_you_mean", "problem", "shown", "translate"]

_LONGEST_KEY = 80
_LONGEST_FILE = 60
# A scenario has eight layers or so.
_DEEPEST = 50


class ScenarioError(ValueError):
    """A scenario that cannot be run, said in one line.

    Parameters
    ----------
    message
        What is wrong, what is allowed, and the nearest valid name where there is one.
    key
        Dotted path of the key, as ``--set`` takes it; empty where the whole file is meant.
    value
        The value found there.
    file
        The file it was read from, if any.

    Examples
    --------
    >>> print(ScenarioError("'10' has no unit", key="duration", value="10", file="a.toml"))
    a.toml: duration: '10' has no unit
    """

    def __init__(self, message: str, *, key: str = "", value: object = None, file: str | None = None) -> None:
        self.message = clean(message)
        self.key = shorten(key, _LONGEST_KEY)
        self.value = value
        self.file = file
        super().__init__(_one_line(file, self.key, self.message))

    def located(self, file: str | None) -> ScenarioError:
        """The same error with the file named, if it names none yet."""
        if self.file is not None or file is None:
            return self
        return ScenarioError(self.message, key=self.key, value=self.value, file=file)


def _one_line(file: str | None, key: str, message: str) -> str:
    """File, key and message, at most `LONGEST_MESSAGE` characters: of a long path its end is shown, of a long message its beginning."""
    name = clean(file or "")
    for longest in (len(name), _LONGEST_FILE):
        where = name if len(name) <= longest else f"...{name[3 - longest :]}"
        text = ": ".join(part for part in (where, key, message) if part)
        if len(text) <= LONGEST_MESSAGE:
            break
    return shorten(text, LONGEST_MESSAGE)


def problem(message: str, *, key: str = "") -> PydanticCustomError:
    """A validation error whose `key`, if any, is relative to the place where it is raised."""
    return PydanticCustomError("ackclock", "{message}", {"message": message, "key": key})


def check_plain(data: object) -> None:
    """Refuse data that no scenario has, and that Python or a file of results cannot deal with.

    Raises
    ------
    ScenarioError
        If tables or lists are nested so deeply that what walks through them fails, or a whole number has more than 64 bits.
    """
    waiting: list[tuple[tuple[str, ...], object]] = [((), data)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise ScenarioError(f"{shown(value)} is too large: a whole number has at most 64 bits", key=".".join(path), value=value)
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        if len(path) == _DEEPEST and inner:
            raise ScenarioError("its lists or tables are nested too deeply", key=path[0])
        waiting += [((*path, str(key)), one) for key, one in inner]


def _quoted(expected: str) -> list[str]:
    return re.findall(r"'([^']*)'", expected)


def _sentence(error: Mapping[str, Any]) -> str:
    kind: str = error["type"]
    value = shown(error.get("input"))
    context: Mapping[str, Any] = error.get("ctx", {})
    match kind:
        case "ackclock":
            return str(context["message"])
        case "literal_error":
            names = _quoted(context["expected"])
            return f"{value} is not one of {allowed_names(error.get('input'), names)}{did_you_mean(error.get('input'), names)}"
        case "union_tag_invalid":
            names = _quoted(context["expected_tags"])
            tag = str(context["tag"])
            return f"'{shorten(tag)}' is not one of {allowed_names(tag, names)}{did_you_mean(tag, names)}"
        case "union_tag_not_found":
            return f"{value} has no 'kind': it says which of the possibilities is meant"
        case "string_type":
            return f"{value} is not text: write it in quotes"
        case "bool_type":
            return f"{value} is not a truth value: write true or false"
        case "int_type" | "int_from_float" | "int_parsing":
            return f"{value} is not a whole number"
        case "float_type" | "float_parsing":
            return f"{value} is not a number"
        case "finite_number":
            return f"{value} is not a finite number"
        case "greater_than_equal":
            return f"{value} is too small: it must be at least {context['ge']}"
        case "greater_than":
            return f"{value} is too small: it must be more than {context['gt']}"
        case "less_than_equal":
            return f"{value} is too large: it must be at most {context['le']}"
        case "less_than":
            return f"{value} is too large: it must be less than {context['lt']}"
        case "list_type" | "tuple_type":
            return f"{value} is not a list: write [ ... ]"
        case "dict_type" | "model_type" | "model_attributes_type":
            return f"{value} is not a table: write {{ key = value, ... }}"
        case "too_short":
            return f"{value} is too short: it needs at least {context['min_length']} of them"
        case _:
            return f"{value}: {error['msg']}"


def _place(location: Sequence[int | str], data: object) -> tuple[list[str], object]:
    """The path as it is in the user's data, and what stands there: pydantic adds the tag of a union, which is no key of the file."""
    parts: list[str] = []
    here = data
    entered = False
    for part in location:
        if isinstance(here, Mapping):
            # The tag comes first inside a table, and is the same word as a key of it in { kind = "writes", writes = [...] }.
            tag = not entered and here.get("kind") == part
            entered = True
            if tag or part not in here:
                continue
            here = here[part]
            entered = False
        elif isinstance(here, Sequence) and not isinstance(here, str):
            if not isinstance(part, int) or part >= len(here):
                continue
            here = here[part]
            entered = False
        else:
            continue
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
    return ScenarioError(_sentence(error), key=".".join(parts), value=value, file=file)
