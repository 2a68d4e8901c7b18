"""A parameter of a congestion control as a key: ``flows.mine.cc.gain``, ``flows.cc.cos.sigma``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ackclock.messages import did_you_mean, shown
from ackclock.scenario.errors import ScenarioError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["with_parameter"]

# A part of a spec: a name, and parameters in parentheses.
_PART = re.compile(r"(?P<name>[^(]*)(?:\((?P<values>[^()]*)\))?")


def with_parameter(spec: str, path: Sequence[str], value: Any, key: str) -> str:
    """The spec of a congestion control with another value for one of its parameters.

    Parameters
    ----------
    spec
        Such as `"cos+reno"`, `"cubic(beta=0.8)"` or `"python:mine:Mine"`.
    path
        The parameter, after the name of a part where two parts of the spec could be meant. A class
        is named without its module.
    value
        A number, a truth value, or text without commas and parentheses.
    key
        The key as the user wrote it, for messages.

    Raises
    ------
    ScenarioError
        If several parts could be meant, or no parameter can have the value.

    Examples
    --------
    >>> with_parameter("cubic", ["beta"], 0.8, "flows.cc.beta")
    'cubic(beta=0.8)'
    >>> with_parameter("hystart+cubic(beta=0.8)", ["c"], 0.5, "flows.cc.c")
    'hystart+cubic(beta=0.8, c=0.5)'
    """
    parts = _parts(spec)
    names = [_short(part) for part in parts]
    if len(path) > 2:
        raise ScenarioError(
            "a parameter has no keys inside: write "
            f"{'.'.join(key.split('.')[: -len(path)])}.PARAMETER",
            key=key,
            value=value,
        )
    parameter = path[-1]
    if len(path) == 2 and path[0] not in names:
        raise ScenarioError(
            f"{shown(spec)} has no part '{path[0]}', only "
            f"{', '.join(names)}{did_you_mean(path[0], names)}",
            key=key,
            value=value,
            kind="unknown-name",
        )
    which = (
        names.index(path[0]) if len(path) == 2 else _part_with(parameter, parts, names, spec, key)
    )
    parts[which] = _set(parts[which].strip(), parameter, _text(value, key))
    return "+".join(parts)


def _parts(spec: str) -> list[str]:
    """The spec split at plus signs outside of parentheses, as in the core: ``1e+3`` is a number."""
    depth = 0
    begin = 0
    parts = []
    for at, letter in enumerate(spec):
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth = max(0, depth - 1)
        elif letter == "+" and depth == 0:
            parts.append(spec[begin:at])
            begin = at + 1
    return [*parts, spec[begin:]]


def _short(part: str) -> str:
    """The name of a part, without parameters and without the module of a class."""
    return part.partition("(")[0].strip().rpartition(":")[2]


def _part_with(
    parameter: str, parts: Sequence[str], names: Sequence[str], spec: str, key: str
) -> int:
    if len(parts) == 1:
        return 0
    from ackclock import _core

    known = {
        entry["name"]: {declared["name"] for declared in entry["parameters"]}
        for entry in _core.list_cc()
    }
    listed = [index for index, name in enumerate(names) if parameter in known.get(name, ())]
    # Parameters of the user's class are not known here: it is meant where no other part has this
    # one.
    own = [index for index, part in enumerate(parts) if "python:" in part]
    positions = listed if listed and not own else listed + own
    if len(positions) == 1:
        return positions[0]
    head = key[: -len(parameter) - 1]
    ways = " or ".join(f"{head}.{name}.{parameter}" for name in names)
    if positions:
        raise ScenarioError(
            f"more than one part of {shown(spec)} can have '{parameter}': write {ways}",
            key=key,
            value=parameter,
        )
    all_of_them = sorted({candidate for name in names for candidate in known.get(name, ())})
    raise ScenarioError(
        f"no part of {shown(spec)} has a parameter "
        f"'{parameter}'{did_you_mean(parameter, all_of_them)}",
        key=key,
        value=parameter,
        kind="unknown-name",
    )


def _set(part: str, parameter: str, text: str) -> str:
    match = _PART.fullmatch(part)
    if match is None:
        # The reader of the spec reports the error.
        return part
    values = [setting.strip() for setting in (match["values"] or "").split(",") if setting.strip()]
    kept = [setting for setting in values if setting.partition("=")[0].strip() != parameter]
    return f"{match['name']}({', '.join([*kept, f'{parameter}={text}'])})"


def _text(value: Any, key: str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str) and value and not set(value) & set("(),=+"):
        return value
    raise ScenarioError(
        f"{shown(value)} is no value of a parameter: write a number, true or false, or a word",
        key=key,
        value=value,
    )
