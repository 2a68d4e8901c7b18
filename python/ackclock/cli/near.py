"""The nearest valid name."""

import difflib
from collections.abc import Iterable

__all__ = ["nearest"]


def nearest(name: str, names: Iterable[str]) -> str:
    """``; did you mean 'x'?``, or nothing when no name is near."""
    near = difflib.get_close_matches(name.lower(), list(names), n=1, cutoff=0.5)
    return f"; did you mean '{near[0]}'?" if near else ""
