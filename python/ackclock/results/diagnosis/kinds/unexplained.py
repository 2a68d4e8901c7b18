"""Time that no other kind of limit explains."""

from ackclock.results.diagnosis.facts import FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity

LEAST = 0.02
"""Smallest share of a flow's time that is worth telling."""


def _find(flow: FlowFacts) -> Limit | None:
    """Take the rest of the flow's time."""
    share = flow.time.rest()
    if share < LEAST:
        return None
    sentence = f"{quantity(share, '%')} of its time has no known cause; {flow.of_link()}"
    return Limit("unexplained", "not explained", share, sentence)


KIND = Kind("unexplained", "", _find)
