"""P4's experiments in ns-2: which, and how."""

from __future__ import annotations

from ackclock.studies.outside import Outside

__all__ = ["OUTSIDE"]

_PATH = "ns-2's Sack1 in the place of Reno and of MulTCP; its binomial controls with k = −1, l = 1 for Scalable TCP, which are "
_TEXTS = {
    "response": "x",
}

OUTSIDE = tuple(
    Outside("ns-2.35", experiment, f"ns2-{experiment}.json", "tests/theory/ns2/criteria/record.py", text)
    for experiment, text in _TEXTS.items()
)
