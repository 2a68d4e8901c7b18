"""What the runs of a sweep warn of: that a figure may not mean what one takes it for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.results.comparison import caveat_kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.sweeps.design import Design
    from ackclock.sweeps.running import Row

__all__ = ["warnings_of"]


def warnings_of(design: Design, rows: Mapping[tuple[int, int], Row]) -> list[str]:
    """One sentence per kind of warning: the first run's words, and how many runs of how many settings warn of it."""
    found: dict[str, tuple[str, list[int]]] = {}
    for (setting, _), row in rows.items():
        for kind, warning in {caveat_kind(warning): warning for warning in row.warnings}.items():
            found.setdefault(kind, (f"{design.where(setting)}, seed {row.seed}: {warning}", []))[1].append(setting)
    return [_sentence(first, where, len(rows)) for first, where in found.values()]


def _sentence(first: str, where: list[int], runs: int) -> str:
    if len(where) == 1:
        return first
    settings = len(set(where))
    return f"{first} ({len(where):,} of {runs:,} runs warn of this, in {settings:,} setting{'s' if settings > 1 else ''}.)"
