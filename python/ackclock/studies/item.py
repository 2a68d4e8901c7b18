"""One thing that a paper has: where a study runs it, or why it does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Item", "ItemKind"]

ItemKind = Literal["system", "formula", "figure", "table", "experiment", "claim"]


@dataclass(frozen=True)
class Item:
    """A system, formula, figure, table, experiment or claim of a paper."""

    kind: ItemKind
    paper: str
    """Place in the paper: `Figure 6`, `section 3`."""
    text: str
    """Description by the study's author."""
    where: tuple[str, ...] = ()
    """Names of the study's claims, questions, figures, tables, experiments and recordings that run
    or show it; or `cc:reno`, `qdisc:red`, `theory:cos_window`, `metric:jain_index`,
    `docs:theory.md`.
    """
    why_not: str = ""
    """Why the item, or a part of it, is not run."""

    def __post_init__(self) -> None:
        """Raise ValueError for an item with neither a place nor a reason."""
        if not self.where and not self.why_not:
            raise ValueError(
                f"item '{self.paper}: {self.text}' says neither where it is run nor why it is not"
            )
