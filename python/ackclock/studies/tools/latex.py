"""Writes the table of a study's claims for LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.results.tables.latex import latex

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["long_table"]


_WIDTHS = (0.23, 0.19, 0.34)
"""Widths of the second to the fourth column, in widths of the line."""


def long_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str] = ()
) -> str:
    """Return a table of four columns over as many pages as needed, with booktabs' rules.

    Parameters
    ----------
    header, rows
        Cells as plain text; the first column is as wide as it must be, the others fill the line.
    notes
        Comments above the table.
    """
    columns = "".join(
        rf">{{\raggedright\arraybackslash}}p{{{width}\linewidth}}" for width in _WIDTHS
    )
    return "\n".join(
        [
            (
                r"% Needs \usepackage{array,booktabs,longtable}, and without LuaLaTeX or XeLaTeX "
                r"\usepackage[T1]{fontenc}."
            ),
            (
                r"% A longtable stands in the running text, not in a table environment, and in one "
                r"column: \onecolumn before it."
            ),
            *(f"% {note}" for note in notes),
            r"\begingroup\small\setlength{\tabcolsep}{4pt}",
            rf"\begin{{longtable}}{{@{{}}l{columns}@{{}}}}",
            r"\toprule",
            " & ".join(map(latex, header)) + r" \\",
            r"\midrule",
            r"\endhead",
            r"\bottomrule",
            r"\endfoot",
            *(" & ".join(map(latex, row)) + r" \\ \addlinespace" for row in rows),
            r"\end{longtable}",
            r"\endgroup",
            "",
        ]
    )
