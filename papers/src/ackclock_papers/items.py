"""Reads a paper's items from a table."""

from textwrap import dedent
from typing import get_args

from ackclock.studies.item import Item, ItemKind

KINDS: dict[str, ItemKind] = {kind: kind for kind in get_args(ItemKind)}


def items(table: str) -> tuple[Item, ...]:
    """Return the items of a table with a row for each; an indented line continues a row.

    The table has these columns, between ``|``: kind, place in the paper, text, names of where it is
    run or shown, reason why it is not. The names stand between blanks; the reason may be left out.
    """
    rows = dedent(table).strip().replace("\n  ", " ").split("\n")
    found = []
    for row in rows:
        kind, paper, text, where, *why_not = (" ".join(each.split()) for each in row.split("|"))
        found.append(Item(KINDS[kind], paper, text, tuple(where.split()), *why_not))
    return tuple(found)
