"""Sizes by closed forms, beside those found by runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.catalogue.algorithms import entries, share, traits
from ackclock.theory import reno_utilisation, rule_of_thumb, small_buffer
from ackclock.tools.sizing.result import Rule

if TYPE_CHECKING:
    from ackclock.tools.sizing.question import Question

__all__ = ["rules_of"]


def _packets_per_second(question: Question) -> float:
    return question.bdp / question.rtt_s


def rules_of(question: Question) -> tuple[Rule, ...]:
    """Sizes by the rules of `ackclock.theory`.

    The rule of thumb is given for algorithms of which the share is known that a loss leaves.
    """
    rate, rtt = _packets_per_second(question), question.rtt_s
    rules = [Rule("bdp", "bandwidth-delay product", question.bdp)]
    for name in entries():
        left = share(name)
        if name in question.cc and left is not None:
            meaning = f"one {name} flow, or flows in step (busy all the time)"
            rules.append(Rule("rule_of_thumb", meaning, rule_of_thumb(rate, rtt, left)))
    [alone, *others] = question.cc
    if not others and traits(alone)["utilisation"] is not None:
        meaning = f"one {alone} flow, busy {100 * question.keep:g} % of the time"
        rules.append(Rule("reno_utilisation", meaning, _reno(question)))
    if question.flows > 1:
        meaning = f"{question.flows} flows that are not in step: BDP / sqrt(N)"
        rules.append(Rule("small_buffer", meaning, small_buffer(rate, rtt, question.flows)))
    return tuple(rules)


def _reno(question: Question) -> float:
    """The buffer at which the sawtooth of one Reno flow has the wanted utilisation, packets."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        if reno_utilisation(middle) < question.keep:
            low = middle
        else:
            high = middle
    return high * question.bdp
