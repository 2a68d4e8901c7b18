"""A scenario as Python code that makes the same plan."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ackclock import _core
from ackclock.scenario.quantities import time_ps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["python_text"]

_WIDTH = 98
_MARGIN = "    "

# Keys of a scenario that `dumbbell` and `parking_lot` have as parameters.
_OF_A_RUN = ("name", "duration", "warmup", "seed", "profile", "transport", "record")
# Keys that have no influence on the plan.
_LEFT_OUT = ("description", "compare", "sweep")
# Keys of a bottleneck that `dumbbell` has as parameters, by the parameter's name.
_OF_A_BOTTLENECK = {
    "rate": "rate",
    "rtt": "delay",
    "buffer": "limit",
    "qdisc": "qdisc",
    "policer": "policer",
    "loss": "loss",
    "outages": "outages",
    "slot": "slot",
    "reverse": "reverse",
}
_OF_A_FLOW = {"from": "source", "to": "destination"}


@dataclass(frozen=True)
class _Parts:
    """An expression in brackets, whose parts stand on one line or on a line each."""

    opening: str
    parts: Sequence[tuple[str, _Parts | str]]
    closing: str

    def text(self, margin: str, room: int) -> str:
        """The expression; `room` is the width that is left on its first line."""
        line = self.opening + ", ".join(head + _flat(part) for head, part in self.parts)
        line += self.closing
        if len(line) <= room or not self.parts:
            return line
        inner = margin + _MARGIN
        within = ", ".join(head + _flat(part) for head, part in self.parts)
        if len(inner) + len(within) <= _WIDTH:
            return f"{self.opening}\n{inner}{within}\n{margin}{self.closing}"
        lines = []
        for head, part in self.parts:
            left = _WIDTH - len(inner) - len(head) - 1
            text = part if isinstance(part, str) else part.text(inner, left)
            lines.append(f"{inner}{head}{text},\n")
        return f"{self.opening}\n{''.join(lines)}{margin}{self.closing}"


def _flat(part: _Parts | str) -> str:
    return part if isinstance(part, str) else part.text("", 10**9)


def _value(value: object) -> _Parts | str:
    if isinstance(value, dict):
        pairs = [(f"{json.dumps(key)}: ", _value(entry)) for key, entry in value.items()]
        return _Parts("{", pairs, "}")
    if isinstance(value, list | tuple):
        return _Parts("[", [("", _value(entry)) for entry in value], "]")
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    return repr(value)


def _call(function: str, arguments: Mapping[str, _Parts | str]) -> _Parts:
    return _Parts(f"{function}(", [(f"{name}=", value) for name, value in arguments.items()], ")")


def _flow(flow: Mapping[str, Any]) -> _Parts:
    options = {
        _OF_A_FLOW.get(key, key): _value(value) for key, value in flow.items() if key != "cc"
    }
    call = _call("ac.flow", options)
    algorithm = [("", _value(flow["cc"]))] if "cc" in flow else []
    return _Parts(call.opening, [*algorithm, *call.parts], call.closing)


def _bottleneck(bottleneck: Mapping[str, Any]) -> dict[str, _Parts | str]:
    rest = dict(bottleneck)
    given = {name: rest.pop(key) for name, key in _OF_A_BOTTLENECK.items() if key in bottleneck}
    given["rtt"] = _core.format_time(2 * time_ps(given["rtt"]))
    if rest:
        given["wire"] = rest
    return {name: _value(value) for name, value in given.items()}


def _scenario(data: Mapping[str, Any]) -> _Parts:
    network = data["network"]
    flows = _Parts("[", [("", _flow(flow)) for flow in data["flows"]], "]")
    match network["kind"]:
        case "dumbbell":
            made = _bottleneck(network["bottleneck"])
        case "parking-lot":
            made = {"bottlenecks": _value(network["bottlenecks"])}
        case _:
            tables = {key: value for key, value in data.items() if key not in _LEFT_OUT}
            return _Parts("ac.Scenario.parse(", [("", _value(tables))], ")")
    if "access" in network:
        made["access"] = _value(network["access"])
    run = {key: _value(data[key]) for key in _OF_A_RUN if key in data}
    return _call(
        "ac.dumbbell" if network["kind"] == "dumbbell" else "ac.parking_lot",
        made | {"flows": flows} | run,
    )


def python_text(data: Mapping[str, Any], description: str | None = None) -> str:
    """Python code that runs a scenario.

    Parameters
    ----------
    data
        The scenario's plain data, as `Scenario.data` gives it.
    description
        Purpose of the scenario, for a comment above the code.
    """
    head = "scenario = "
    text = _scenario(data).text("", _WIDTH - len(head))
    comment = "".join(f"# {line}\n" for line in wrap(description or "", _WIDTH - 2))
    return f"{comment}import ackclock as ac\n\n{head}{text}\nprint(ac.run(scenario))\n"
