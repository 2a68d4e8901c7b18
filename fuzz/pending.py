"""Known defects that are not mended yet: they are counted apart and fail no campaign."""

from __future__ import annotations

import re

__all__ = ["PENDING", "reason"]

PENDING: tuple[tuple[str, str, str], ...] = ()
"""For each defect the oracle, a pattern of the kind of its sentence, and a description."""


def reason(oracle: str, kind: str) -> str | None:
    """Return the description of the known defect behind a complaint; None if there is none."""
    for name, pattern, what in PENDING:
        if name == oracle and re.search(pattern, kind):
            return what
    return None
