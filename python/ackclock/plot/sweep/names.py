"""Which kinds of figures sweeps have, and what their files are called."""

from __future__ import annotations

import re
from typing import Literal, get_args

__all__ = ["KINDS", "Kind", "stem"]

Kind = Literal["line", "heat", "box", "cdf", "scatter", "difference"]
KINDS: tuple[str, ...] = get_args(Kind)


def stem(kind: str, response: str) -> str:
    """Name of a figure's file without its suffix: `utilisation-line`; "" stands for several responses."""
    return re.sub(r"[^\w.+-]+", "-", f"{response}-{kind}").strip("-")
