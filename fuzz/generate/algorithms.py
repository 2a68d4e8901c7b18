"""Congestion controls: those of the registry, every pair of them, and one in Python."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ackclock import _core

if TYPE_CHECKING:
    from fuzz.generate.draw import Draw

__all__ = ["OWN", "OWN_FILE", "algorithm", "implied", "pairs"]

OWN_FILE = "fuzz_own.py"
OWN = '''"""Reno's growth, in Python."""

from ackclock.cc import Avoidance


class Own(Avoidance):
    """One segment a round trip; congestion leaves the share `left` of the window."""

    def __init__(self, setup, left=0.5):
        super().__init__(setup)
        self.left = left

    def next_cwnd(self, ack, window):
        return max(window.cwnd + window.mss * ack.credited / window.cwnd, window.mss)

    def ssthresh(self, event, window):
        return max(self.left * window.cwnd, 2 * window.mss)
'''
_OWN = "python:fuzz_own:Own"

_WITH_PARAMETERS = 0.6


@lru_cache(maxsize=1)
def _entries() -> dict[str, dict[str, Any]]:
    return {entry["name"]: dict(entry) for entry in _core.list_cc()}


@lru_cache(maxsize=1)
def pairs() -> tuple[tuple[str, ...], ...]:
    """Return every avoidance and whole controller, and each slow start with each avoidance."""
    entries = _entries().values()
    starts = [entry["name"] for entry in entries if entry["role"] == "slow start"]
    avoidances = [entry["name"] for entry in entries if entry["role"] == "avoidance"]
    alone = [(entry["name"],) for entry in entries if entry["role"] != "slow start"]
    return (*alone, *((start, avoidance) for avoidance in avoidances for start in starts))


def _value(draw: Draw, parameter: dict[str, Any]) -> str:
    if parameter["choices"] is not None:
        return str(draw.one(parameter["choices"]))
    if isinstance(parameter["default"], bool):
        return draw.one(["true", "false"])
    return f"{draw.number(*parameter['range']):.6g}"


def _spec(draw: Draw, name: str) -> str:
    parameters = _entries()[name]["parameters"]
    if not parameters or not draw.chance(_WITH_PARAMETERS):
        return name
    most = len(parameters) if draw.chance(0.3) else min(len(parameters), 4)
    chosen = draw.random.sample(range(len(parameters)), draw.whole(1, most))
    given = [parameters[index] for index in sorted(chosen)]
    values = ", ".join(f"{one['name']}={_value(draw, one)}" for one in given)
    return f"{name}({values})"


def algorithm(draw: Draw, number: int | None = None) -> str:
    """Draw a congestion control; `number` chooses the pair, so that scenarios in a row have all."""
    if number is None and draw.chance(0.02):
        start = draw.one(["", "cos+", "hystart+"])
        return f"{start}{_OWN}" + (f"(left={draw.whole(1, 9) / 10})" if draw.chance(0.5) else "")
    found = pairs()
    if number is not None:
        names = found[number % len(found)]
    else:
        names = draw.one([one for one in found if len(one) == 1] if draw.chance(0.4) else found)
    return "+".join(_spec(draw, name) for name in names)


def implied(spec: str) -> frozenset[str]:
    """Return the transport options that the spec implies; no table may set them."""
    name = spec.rpartition("+")[2].partition("(")[0]
    return frozenset(_entries()[name]["implies"]) if name in _entries() else frozenset()
