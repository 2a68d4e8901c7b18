"""Writes text and tables for LaTeX."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["latex", "latex_pages", "latex_table"]

_MOST_ROWS = 40
"""Largest number of rows of a tabular; a longer table is a longtable, over several pages."""


def latex_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    lefts: Sequence[bool],
    *,
    notes: Sequence[str] = (),
    caption: str = "",
    label: str = "",
) -> str:
    r"""Return a table with booktabs' rules, to be read by ``\input``.

    Parameters
    ----------
    header, rows
        Cells as plain text.
    lefts
        Whether each column is aligned left; the others are figures, aligned right.
    notes
        Comments above the table.
    caption, label
        With one of them, the table stands in a `table` environment, or a longtable has them.
    """
    columns = "".join(_kinds(header, rows, lefts))
    is_long = len(rows) > _MOST_ROWS
    named = [rf"\caption{{{latex(caption)}}}"] if caption else []
    named += [rf"\label{{{label}}}"] if label else []
    head = [r"\toprule", " & ".join(map(latex, header)) + r" \\", r"\midrule"]
    body = [" & ".join(map(latex, row)) + r" \\" for row in rows]
    packages = ",".join(
        [*(["array"] if "p{" in columns else []), "booktabs", *(["longtable"] if is_long else [])]
    )
    lines = [
        (
            rf"% Needs \usepackage{{{packages}}}, and without LuaLaTeX or XeLaTeX "
            r"\usepackage[T1]{fontenc}."
        ),
        *(f"% {note}" for text in notes for note in text.splitlines()),
    ]
    if is_long:
        lines += [
            rf"\begin{{longtable}}{{@{{}}{columns}@{{}}}}",
            *([" ".join(named) + r" \\"] if named else []),
            *head,
            r"\endhead",
            r"\bottomrule",
            r"\endfoot",
            *body,
            r"\end{longtable}",
        ]
    else:
        inner = [
            rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}",
            *head,
            *body,
            r"\bottomrule",
            r"\end{tabular}",
        ]
        around = [r"\begin{table}", r"\centering", *named, *inner, r"\end{table}"]
        lines += around if named else inner
    return "\n".join(lines) + "\n"


_WIDEST = 40
"""Length of a text, in letters, above which its column breaks lines."""


def _kinds(
    header: Sequence[str], rows: Sequence[Sequence[str]], lefts: Sequence[bool]
) -> list[str]:
    """Alignment of each column; long texts break lines and fill what others leave of the line."""
    longest = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    weights = {
        index: min(length, 4 * _WIDEST)
        for index, length in enumerate(longest)
        if lefts[index] and length > _WIDEST
    }
    others = sum(length for index, length in enumerate(longest) if index not in weights)
    # A letter is about a hundredth of a line of this width.
    left = max(0.4, 0.9 - 0.011 * others)
    kinds = ["l" if is_left else "r" for is_left in lefts]
    for index, weight in weights.items():
        width = left * weight / sum(weights.values())
        kinds[index] = rf">{{\raggedright\arraybackslash}}p{{{width:.2f}\linewidth}}"
    return kinds


_WIDTHS = (0.23, 0.19, 0.34)
"""Widths of the second to the fourth column, in widths of the line."""


def latex_pages(
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


_LETTERS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "−": "$-$", "×": r"$\times$", "÷": r"$\div$", "±": r"$\pm$", "·": r"$\cdot$", "≤": r"$\leq$",
    "≥": r"$\geq$", "≈": r"$\approx$", "≠": r"$\neq$", "√": r"$\surd$", "∞": r"$\infty$",
    "→": r"$\to$", "∝": r"$\propto$", "∑": r"$\sum$", "∫": r"$\int$", "∂": r"$\partial$",
    "∈": r"$\in$", "\u2032": "$'$", "°": r"$^\circ$", "µ": r"$\mu$", "–": "--", "—": "---",
    "“": "``", "”": "''", "\u2018": "`", "\u2019": "'", "…": r"\dots{}", "\u00a0": "~",
    "\u202f": r"\,", "\u2011": "-", "§": r"\S{}",
}  # fmt: skip
_GREEK = {
    letter: rf"$\{unicodedata.name(letter).rsplit(' ', 1)[1].lower()}$"
    for letter in "αβγδεζηθικνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ"
}
# Capitals have names of their own in LaTeX; Unicode writes lamda.
_GREEK |= {
    letter: rf"$\{unicodedata.name(letter).rsplit(' ', 1)[1].capitalize()}$"
    for letter in "ΓΔΘΞΠΣΦΨΩ"
}
_GREEK |= {"Λ": r"$\Lambda$", "λ": r"$\lambda$", "μ": r"$\mu$"}


def latex(text: str) -> str:
    """Return text escaped for LaTeX; characters such as accented letters stay as they are."""
    # A number and its per cent sign stay in one line.
    return "".join(map(_letter, text.replace(" %", "\u00a0%")))


def _letter(letter: str) -> str:
    spelling = _LETTERS.get(letter) or _GREEK.get(letter)
    if spelling is not None:
        return spelling
    if letter.isspace():
        return " "
    if ord(letter) > 127 and not letter.isalpha():
        # ½, ², ₀ and similar characters become the characters that they stand for.
        plain = unicodedata.normalize("NFKC", letter)
        if plain != letter:
            kind = unicodedata.decomposition(letter).split(" ")[0]
            inner = plain.replace("\u2044", "/")
            return (
                f"$^{{{inner}}}$"
                if kind == "<super>"
                else f"$_{{{inner}}}$"
                if kind == "<sub>"
                else f"${inner}$"
            )
    return letter
