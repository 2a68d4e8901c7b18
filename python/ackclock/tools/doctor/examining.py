"""All checks, subject by subject, and that of optional packages."""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING

from ackclock.runtime.extras import EXTRAS
from ackclock.tools.doctor.check import Check
from ackclock.tools.doctor.core import core
from ackclock.tools.doctor.kernel import kernel_backend
from ackclock.tools.doctor.machine import compiler, machine

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["GROUPS", "examine", "extras"]

GROUPS: Sequence[str] = ("ackclock", "Machine", "Algorithms of your own", "Real kernel", "Extras")
"""Subjects, in the order of the report."""


def examine(*, kernel: bool = True) -> Iterator[Check]:
    """Look at everything; each check is yielded when it is made.

    Parameters
    ----------
    kernel
        Whether to look at the real kernel, too, which takes about two seconds.
    """
    yield from core()
    yield from machine()
    yield from compiler()
    if kernel:
        yield from kernel_backend()
    yield from extras()


def extras() -> Iterator[Check]:
    """Look for the package of each extra."""
    for name, extra in EXTRAS.items():
        version = _installed(extra.module)
        yield Check(
            "Extras",
            name,
            "fine" if version else "absent",
            f"{version or 'not installed'}; {extra.purpose}",
            "" if version else f"pip install 'ackclock[{name}]'",
        )


def _installed(name: str) -> str:
    """Name and version of a distribution; "" if it is not installed."""
    try:
        return f"{name} {metadata.version(name)}"
    except metadata.PackageNotFoundError:
        return ""
