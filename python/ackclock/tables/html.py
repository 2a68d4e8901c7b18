"""Writes tables in HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["frame", "html_table"]


def html_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    lefts: Sequence[bool],
    caption: str,
    *,
    more: int = 0,
    where: str = "",
) -> Markup:
    """Return a table with a hint on rows that are left out; cells that are `Markup` are kept."""
    name = ' class="name"'
    head = "".join(
        f'<th scope="col"{name if is_left else ""}>{escape(heading)}</th>'
        if heading
        else "<td></td>"
        for heading, is_left in zip(header, lefts, strict=True)
    )
    lines = [f"<thead><tr>{head}</tr></thead>", "<tbody>"]
    for row in rows:
        cells = [
            f"<td{name if is_left else ''}>{escape(cell)}</td>"
            for cell, is_left in zip(row, lefts, strict=True)
        ]
        if cells and lefts[0] and row[0]:
            cells[0] = f'<th scope="row">{escape(row[0])}</th>'
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</tbody>")
    made = frame(caption, caller=lambda: Markup("\n".join(lines)))
    if more:
        made += Markup('<p class="hint">{} more rows in <code>{}</code>.</p>\n').format(more, where)
    return made


def frame(caption: str, kind: str = "", *, caller: Callable[[], str]) -> Markup:
    """Return rows of a table, which `caller` gives, in the frame of all tables of a page.

    Parameters
    ----------
    caption
        Title for who cannot see the page.
    kind
        Class of the table.
    """
    return Markup(
        '<div class="table"><div class="scroll" tabindex="0" role="group" aria-label="{}">'
        '<table{}><caption class="unseen">{}</caption>{}</table></div></div>\n'
    ).format(caption, Markup(' class="{}"').format(kind) if kind else "", caption, Markup(caller()))
