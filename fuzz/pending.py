"""Defects that are known, and not mended yet: they are counted apart, and fail nothing."""

from __future__ import annotations

import re

__all__ = ["PENDING", "reason"]

PENDING: tuple[tuple[str, str, str], ...] = (
    ("flows", r"limited (by|for)", "times under limited_* run on after the flow's end"),
    (
        "streams",
        r"jitter # s, at most",
        "jitter_max forgets the jitter that there is when the warm-up ends",
    ),
    ("flows", r"an RTT of", "a timestamp clock comes round within one round trip"),
    ("links", r"^busy for", "a queue longer than 213 days overflows"),
    ("metrics", r"utilisation is", "a queue longer than 213 days overflows"),
    ("links", r"measured for", "a run that ends within its warm-up is counted from its start"),
    ("flows", r"active for", "a run that ends within its warm-up is counted from its start"),
)
"""Oracle, pattern of its sentence's kind, and what is wrong."""


def reason(oracle: str, kind: str) -> str | None:
    """What is known of a complaint; None: nothing."""
    for name, pattern, what in PENDING:
        if name == oracle and re.search(pattern, kind):
            return what
    return None
