"""Warnings of a sweep's runs that a figure may mislead."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.sweeps.design import Design
    from ackclock.sweeps.running import Row

__all__ = ["warnings_of"]


def caveat_kind(warning: str) -> str:
    """The part of a warning that says what to change; it is equal for equal causes."""
    return warning.rsplit(": ", 1)[-1].rsplit("; ", 1)[-1]


def warnings_of(design: Design, rows: Mapping[tuple[int, int], Row]) -> list[str]:
    """A sentence per kind of warning: the first run's text, and the number of such runs."""
    kinds: dict[str, tuple[str, list[int]]] = {}
    for (setting, _), row in rows.items():
        for kind, warning in {caveat_kind(warning): warning for warning in row.warnings}.items():
            first = f"{design.where(setting)}, seed {row.seed}: {warning}"
            kinds.setdefault(kind, (first, []))[1].append(setting)
    return [_sentence(first, where, len(rows)) for first, where in kinds.values()]


def _sentence(first: str, where: list[int], runs: int) -> str:
    if len(where) == 1:
        return first
    settings = len(set(where))
    return (
        f"{first} ({len(where):,} of {runs:,} runs warn of this, in {settings:,} "
        f"setting{'s' if settings > 1 else ''}.)"
    )
