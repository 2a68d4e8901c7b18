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
    """Where it stands in the paper: `Figure 6`, `section 3`."""
    text: str
    """What it is, in words of ours."""
    where: tuple[str, ...] = ()
    """Names of the study's claims, questions, figures, tables, experiments and recordings that run or show it;
    or `cc:reno`, `qdisc:red`, `theory:cos_window`, `metric:jain_index`, `docs:theory.md`."""
    why_not: str = ""
    """Why it is run nowhere, or what of it is not."""

    def __post_init__(self) -> None:
        """Complain about an item that says neither."""
        if not self.where and not self.why_not:
            raise ValueError(f"item '{self.paper}: {self.text}' says neither where it is run nor why it is not")
