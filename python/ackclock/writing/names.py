"""Names of temporary folders."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PREFIX", "is_staged", "is_temporary"]

PREFIX = ".ackclock-"
"""Start of the name of every temporary folder."""

_NAME = re.compile(r"\.ackclock-[0-9a-f]{12}")


def is_staged(path: Path) -> bool:
    """Whether a path is in a temporary folder, which is moved or removed as a whole."""
    return any(map(is_temporary, path.parts))


def is_temporary(name: str) -> bool:
    """Whether a temporary folder can have this name."""
    return _NAME.fullmatch(name) is not None
