"""Writes tables in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["markdown_cell", "markdown_table", "page_table"]


def markdown_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], lefts: Sequence[bool]
) -> str:
    """Return a table with pipes, its columns padded."""
    cells = [[markdown_cell(cell) for cell in row] for row in (header, *rows)]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "| "
        + " | ".join(
            cell.ljust(width) if is_left else cell.rjust(width)
            for cell, width, is_left in zip(row, widths, lefts, strict=True)
        )
        + " |"
        for row in cells
    ]
    rules = [
        "-" * (width + 2) if is_left else "-" * (width + 1) + ":"
        for width, is_left in zip(widths, lefts, strict=True)
    ]
    return "\n".join([lines[0], f"|{'|'.join(rules)}|", *lines[1:]]) + "\n"


def page_table(header: Sequence[str], rows: Iterable[Sequence[str]], align: str = "") -> str:
    """Return a table for a page that is written in Markdown.

    Parameters
    ----------
    header, rows
        Cells in Markdown; they are neither escaped nor padded.
    align
        "l" or "r" for each column; by default all are aligned left.
    """
    rules = ("---" if letter == "l" else "--:" for letter in align or "l" * len(header))
    lines = [
        "|" + "".join(f" {heading} |" if heading else " |" for heading in header),
        f"|{'|'.join(rules)}|",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
    return "\n".join(lines) + "\n"


def markdown_cell(text: str) -> str:
    """Return text of a cell with Markdown's letters escaped, in one line."""
    # GitHub's and pandoc's readers take what stands between dollars for mathematics.
    for letter in "\\`*_|<$":
        text = text.replace(letter, f"\\{letter}")
    # An interval and its seeds, [1, 2](8 seeds), are no link.
    return " ".join(text.replace("](", "]\\(").split())
