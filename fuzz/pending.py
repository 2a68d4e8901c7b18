"""Defects that are known, and not mended yet: they are counted apart, and fail nothing."""

from __future__ import annotations

import re

__all__ = ["PENDING", "reason"]

PENDING: tuple[tuple[str, str, str], ...] = ()
"""Oracle, pattern of its sentence's kind, and what is wrong."""


def reason(oracle: str, kind: str) -> str | None:
    """What is known of a complaint; None: nothing."""
    for name, pattern, what in PENDING:
        if name == oracle and re.search(pattern, kind):
            return what
    return None
