"""Values on their way between Python and the page, whose numbers are doubles.

A number that a double does not hold, or JSON does not know, crosses as a table with its text.
"""

from __future__ import annotations

import math
from typing import Any

__all__ = ["decoded", "encoded"]

_EXACT = 2**53
_INTEGER = "$integer"
_REAL = "$real"


def encoded(value: Any) -> Any:
    """Return the value with marks for large integers and numbers that are not finite."""
    if isinstance(value, dict):
        return {key: encoded(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [encoded(entry) for entry in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _EXACT:
        return {_INTEGER: str(value)}
    if isinstance(value, float) and not math.isfinite(value):
        return {_REAL: str(value)}
    return value


def decoded(value: Any) -> Any:
    """Return the value that `encoded` was given."""
    if isinstance(value, dict):
        if value.keys() == {_INTEGER}:
            return int(value[_INTEGER])
        if value.keys() == {_REAL}:
            return float(value[_REAL])
        return {key: decoded(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [decoded(entry) for entry in value]
    return value
