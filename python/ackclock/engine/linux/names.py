"""The kernel's names of a scenario's congestion controls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ackclock import _core
from ackclock.errors import Error
from ackclock.messages import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.engine.linux.machine import Kernel

__all__ = ["CannotHaveError", "kernel_name"]

_PART = re.compile(r"\s*([^()]*?)\s*(?:\((.*)\))?\s*", re.DOTALL)


class CannotHaveError(Error):
    """The kernel does not have a congestion control, or not with these parameters.

    The text is one clause, for a message.
    """

    kind = "unavailable"


def kernel_name(spec: str, kernel: Kernel) -> str:
    """The kernel's name for the congestion control `spec`.

    Raises
    ------
    CannotHaveError
        If the kernel does not have it; the text says what the kernel has.
    """
    if spec.startswith("python:") or "+python:" in spec:
        raise CannotHaveError(f"a class of your own runs in the simulator only; {_has(kernel)}")
    parts = [_PART.fullmatch(part) for part in _split(spec)]
    names = [part[1] for part in parts if part]
    arguments = [part[2] or "" for part in parts if part]
    name = names[-1]
    if name not in kernel.congestion_controls:
        load = (
            f"; it has the module tcp_{name}, which root can load: modprobe tcp_{name}"
            if name in kernel.loadable
            else ""
        )
        raise CannotHaveError(
            f"{_has(kernel)}{load or did_you_mean(name, kernel.congestion_controls)}"
        )
    known = {entry["name"]: entry for entry in _core.list_cc()}
    start = known[name]["slow_start"]
    if len(names) == 2 and names[0] != start:
        own = f"begins with {start}" if start else "has a slow start of its own"
        raise CannotHaveError(
            f"its {name} {own}, and which one is a setting of the whole machine, not of a socket: "
            f"write '{name}'"
        )
    for part, given in zip(names, arguments, strict=True):
        defaults: Mapping[str, object] = {
            parameter["name"]: parameter["default"] for parameter in known[part]["parameters"]
        }
        for key, value in _arguments(given):
            if value != defaults.get(key):
                raise CannotHaveError(
                    f"parameters of its {name} are settings of the whole machine, not of a "
                    f"socket, and {key} is one: write '{name}'"
                )
    return name


def _has(kernel: Kernel) -> str:
    return f"{kernel} has {', '.join(kernel.congestion_controls)}"


def _split(spec: str) -> list[str]:
    """The parts between the plus signs that are not inside parentheses (`1e+3` is a number)."""
    return re.split(r"\+(?![^()]*\))", spec)


def _arguments(text: str) -> list[tuple[str, object]]:
    pairs = []
    for part in filter(None, (word.strip() for word in text.split(","))):
        key, _, value = (piece.strip() for piece in part.partition("="))
        flags: Mapping[str, object] = {"true": True, "false": False}
        try:
            pairs.append((key, flags[value] if value in flags else float(value)))
        except ValueError:
            pairs.append((key, value))
    return pairs
