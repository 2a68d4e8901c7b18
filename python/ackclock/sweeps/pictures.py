"""The kinds of a sweep's figures, and the names of their files."""

from __future__ import annotations

import re
from typing import Literal, get_args

__all__ = ["KINDS", "Kind", "stem"]

Kind = Literal["line", "heat", "box", "cdf", "scatter", "difference"]
KINDS: tuple[str, ...] = get_args(Kind)


def stem(kind: str, response: str) -> str:
    """Name of a figure's file without suffix: `utilisation-line`; "" means several responses."""
    return re.sub(r"[^\w.+-]+", "-", f"{response}-{kind}").strip("-")
