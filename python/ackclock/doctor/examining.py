"""All checks, subject by subject."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.doctor.core import core
from ackclock.doctor.extras import extras
from ackclock.doctor.kernel import kernel_backend
from ackclock.doctor.machine import compiler, machine

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ackclock.doctor.check import Check

__all__ = ["GROUPS", "examine"]

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
