"""Fingerprint of the installed ackclock.

The store's keys have ackclock's version, but not its code. A developer of an algorithm in Rust
changes the code and not the version, and must never be shown runs of the code before.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from ackclock import _core

__all__ = ["fingerprint"]

_DIGITS = 12


@cache
def fingerprint() -> str:
    """Hash of ackclock's compiled core and Python sources, as hexadecimal digits."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in [Path(str(_core.__file__)), *sorted(root.rglob("*.py"))]:
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:_DIGITS]
