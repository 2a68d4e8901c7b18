"""Which replications a sweep makes next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.sweep.design import Design

__all__ = ["Figures", "Stopped", "stopped", "wanted"]

Figures = "Mapping[tuple[int, int], Mapping[str, float | None]]"
"""Figures of the runs that exist: by setting and replication, then by the response's name."""


@dataclass(frozen=True)
class Stopped:
    """Where the sequential stop left a group of settings that are compared with each other."""

    settings: tuple[int, ...]
    replications: int
    reached: bool
    """Whether the interval is as narrow as asked; otherwise the budget ended."""
    half_width: float | None
    """The widest of the group's; None: an interval is not there."""


def wanted(design: Design, figures: Mapping[tuple[int, int], Mapping[str, float | None]]) -> list[tuple[int, int]]:
    """The runs still to be made, as (setting, replication), by replication and then by setting; empty: the sweep is complete.

    It decides by whole batches only, so that it does not matter in which order runs finish: ask again when all that it gave are there.
    Runs beyond what is wanted change nothing.
    """
    raise NotImplementedError


def stopped(design: Design, figures: Mapping[tuple[int, int], Mapping[str, float | None]]) -> list[Stopped]:
    """Where each group of a complete sweep stopped; empty without a sequential stop."""
    raise NotImplementedError
