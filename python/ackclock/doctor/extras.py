"""Optional packages, by the extras that install them."""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING

from ackclock.doctor.check import Check
from ackclock.extras import EXTRAS

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["extras"]


def extras() -> Iterator[Check]:
    """Look for the package of each extra."""
    for name, extra in EXTRAS.items():
        found = _installed(extra.module)
        yield Check(
            "Extras",
            name,
            "fine" if found else "absent",
            f"{found or 'not installed'}; {extra.purpose}",
            "" if found else f"pip install 'ackclock[{name}]'",
        )


def _installed(name: str) -> str:
    """Name and version of a distribution; "" if it is not installed."""
    try:
        return f"{name} {metadata.version(name)}"
    except metadata.PackageNotFoundError:
        return ""
