"""Writes tables in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["markdown_cell", "markdown_table"]


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], names: int) -> str:
    """Return a table with pipes, its columns padded; the first `names` are aligned left."""
    cells = [[markdown_cell(cell) for cell in row] for row in (header, *rows)]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "| "
        + " | ".join(
            cell.ljust(width) if index < names else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        + " |"
        for row in cells
    ]
    rules = [
        "-" * (width + 2) if index < names else "-" * (width + 1) + ":"
        for index, width in enumerate(widths)
    ]
    return "\n".join([lines[0], f"|{'|'.join(rules)}|", *lines[1:]]) + "\n"


def markdown_cell(text: str) -> str:
    """Return text of a cell with Markdown's letters escaped, in one line."""
    # GitHub's and pandoc's readers take what stands between dollars for mathematics.
    for letter in "\\`*_|<$":
        text = text.replace(letter, f"\\{letter}")
    # An interval and its seeds, [1, 2](8 seeds), are no link.
    return " ".join(text.replace("](", "]\\(").split())
