"""What the user's own code is: the modules behind the names of algorithms and metrics, and those of the user's that they import.

A module counts as the user's if it is neither Python's own nor installed nor ackclock's. What it imports is read from its source. Not seen
are imports by computed names, files that it reads, and the versions of installed packages: change `name` of the store, or use another, when
these change what runs give.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["own_code"]


def own_code(names: Iterable[str], folder: Path | None) -> str:
    """Hash of the user's modules behind names of congestion controls and metrics; "": none of them is the user's.

    Parameters
    ----------
    names
        Such as `"hystart+python:gentle:Gentle(cut=0.1)"`, `"cubic"`, `"python:mine:starved@f.1"`.
    folder
        Where modules are looked for first.
    """
    if any("python:" in name for name in names):
        raise NotImplementedError(folder)
    return ""
