"""Traits of congestion controls, as their entries in the core say (`crates/cc`)."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from ackclock import _core

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock._core import AlgorithmTraits, Argument, CongestionControl, Law

__all__ = [
    "answers_delay",
    "arguments_of",
    "controller",
    "entries",
    "gives_way",
    "is_blind",
    "is_whole",
    "needs_ssthresh",
    "parameters",
    "parts",
    "share",
    "traits",
]

_UNKNOWN: AlgorithmTraits = {
    "draws": False,
    "needs_ssthresh": False,
    "answers": {"loss": True, "marks": True, "delay": False},
    "gives_way": False,
    "growth": None,
    "left": None,
    "slow_starts_after_loss": False,
    "response": [],
    "tolerance": None,
    "utilisation": None,
    "linearised": None,
    "why_not_linearised": "",
    "phases": None,
}
"""Nothing is known of an algorithm that the core does not list, such as a class of a user."""


def parts(cc: str) -> list[str]:
    """Names of the algorithms in a spec.

    Examples
    --------
    >>> parts("cos(sigma=3)+reno")
    ['cos', 'reno']
    """
    return [part.partition("(")[0].strip() for part in re.sub(r"\([^)]*\)", "", cc).split("+")]


def controller(cc: str) -> str:
    """Name of the avoidance or the whole controller in a spec, which comes last."""
    return parts(cc)[-1]


@cache
def entries() -> Mapping[str, CongestionControl]:
    """Every algorithm that the core lists, by its name."""
    return {entry["name"]: entry for entry in _core.list_cc()}


def traits(cc: str) -> AlgorithmTraits:
    """Traits of the avoidance or the whole controller of a spec.

    An algorithm that the core does not list answers losses and marks, and nothing more is known.
    """
    entry = entries().get(controller(cc))
    return _UNKNOWN if entry is None else entry["traits"]


def is_whole(cc: str) -> bool:
    """Whether a spec names a whole controller, whose slow start ends at no ssthresh."""
    entry = entries().get(controller(cc))
    return entry is not None and entry["role"] == "whole"


def needs_ssthresh(cc: str) -> bool:
    """Whether the slow start of a spec is defined only with an ssthresh."""
    entry = entries().get(parts(cc)[0])
    return entry is not None and entry["traits"]["needs_ssthresh"]


def is_blind(cc: str) -> bool:
    """Whether an algorithm answers neither a single loss nor a mark."""
    answers = traits(cc)["answers"]
    return not answers["loss"] and not answers["marks"]


def answers_delay(cc: str) -> bool:
    """Whether an algorithm backs off when the queue grows."""
    return traits(cc)["answers"]["delay"]


def gives_way(cc: str) -> bool:
    """Whether an algorithm gives way to others by intention."""
    return traits(cc)["gives_way"]


def parameters(cc: str) -> dict[str, float]:
    """Numbers and flags of the last algorithm in a spec, with defaults filled in.

    Examples
    --------
    >>> parameters("classic+aimd(b=0.25)")
    {'a': 1.0, 'b': 0.25}
    """
    entry = entries().get(controller(cc))
    if entry is None:
        return {}
    values = {
        parameter["name"]: float(parameter["default"])
        for parameter in entry["parameters"]
        if not isinstance(parameter["default"], str)
    }
    last = re.search(r"\(([^()]*)\)\s*$", cc)
    for given in filter(None, (text.strip() for text in (last[1] if last else "").split(","))):
        key, _, value = given.partition("=")
        if key.strip() in values:
            values[key.strip()] = float({"true": 1, "false": 0}.get(value.strip(), value))
    return values


def arguments_of(law: Law, cc: str, **quantities: float) -> dict[str, float]:
    """Arguments of a closed form for an algorithm.

    Parameters
    ----------
    law
        Closed form of the algorithm's traits: a function of `ackclock.theory`.
    cc
        Spec, whose parameters count.
    **quantities
        Quantities of the path that the law needs: `loss_rate`, `rtt` (s), `queueing` (s), `buffer`
        (bandwidth-delay products); `acked` is the packets per ACK of a sender that counts ACKs.

    Examples
    --------
    >>> [law] = traits("aimd")["response"]
    >>> arguments_of(law, "aimd(b=0.25)", loss_rate=0.01, acked=2)
    {'decrease': 0.25, 'increase': 0.5, 'loss_rate': 0.01}
    """
    own = parameters(cc)
    return {name: _value(argument, own, quantities) for name, argument in law["arguments"].items()}


def share(cc: str) -> float | None:
    """Share of the window that a loss leaves; None if it depends on more than parameters.

    Examples
    --------
    >>> share("cubic"), share("scalable"), share("westwood")
    (0.7, 0.875, None)
    """
    left = traits(cc)["left"]
    return None if left is None else _value(left, parameters(cc), {})


def _value(argument: Argument, own: Mapping[str, float], quantities: Mapping[str, float]) -> float:
    kind, name, number = argument["kind"], argument["parameter"], argument["number"]
    if number is not None:
        value = number
    elif name is not None:
        value = 1.0 - own[name] if kind == "rest" else own[name]
    else:
        value = quantities[kind]
    return value / quantities.get("acked", 1.0) if argument["per_ack"] else value
