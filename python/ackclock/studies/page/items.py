"""Every item of the paper, with the place where it is run, or why it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.studies.item import Item
    from ackclock.studies.study import Study

__all__ = ["ItemRow", "item_rows"]


class ItemRow(NamedTuple):
    """An item of the paper on the page."""

    kind: str
    paper: str
    text: str
    links: Sequence[tuple[str, str]]
    """Name and address within the page; an empty address makes no link."""
    why_not: str


def item_rows(study: Study) -> list[ItemRow]:
    """Return all items of the study for the page."""
    return [_row(study, item) for item in study.items]


def _row(study: Study, item: Item) -> ItemRow:
    said = {statement.id for statement in study.statements}
    shown = {figure.id for figure in study.shown}
    links = [
        (name, f"#{name}" if name in said else f"#figure-{name}" if name in shown else "")
        for name in item.where
    ]
    return ItemRow(
        item.kind,
        item.paper,
        item.text,
        [(_told(name), address) for name, address in links],
        item.why_not,
    )


def _told(name: str) -> str:
    kind, colon, rest = name.partition(":")
    words = {
        "cc": "algorithm",
        "qdisc": "queue discipline",
        "theory": "formula",
        "metric": "metric",
        "docs": "page",
    }
    return f"{words.get(kind, kind)} {rest}" if colon else name
