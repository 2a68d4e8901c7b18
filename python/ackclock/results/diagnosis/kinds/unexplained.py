"""What no other kind explains."""

from ackclock.results.diagnosis.facts import FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.results.text import quantity

LEAST = 0.02
"""Less than this share of a flow's time is not worth a word."""


def _find(flow: FlowFacts) -> Limit | None:
    """The rest of the flow's time."""
    share = flow.time.rest()
    if share < LEAST:
        return None
    sentence = f"{quantity(share, '%')} of its time is not explained by what was looked at; {flow.of_link()}"
    return Limit("unexplained", "not explained", share, sentence)


KIND = Kind("unexplained", "", _find)
