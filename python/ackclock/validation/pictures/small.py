"""SVG that is small enough for the repository, and the same bytes every time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ackclock.atomic_io import write_text

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.views.figure import PaperFigure

__all__ = ["short", "write_svg"]

_PATH = re.compile(r'(?<= d=")[^"]*')
_NUMBER = re.compile(r"-?\d+\.\d+")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_BETWEEN = re.compile(r">\s+<")


def _tenth(number: re.Match[str]) -> str:
    text = f"{float(number[0]):.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"


def short(svg: str) -> str:
    """A figure's SVG with coordinates to a tenth of a point, without line breaks and comments.

    Examples
    --------
    >>> short('<path d="M 12.345678 1.0 L 13 -0.012 "/>')
    '<path d="M 12.3 1 L 13 0 "/>'
    """
    svg = _BETWEEN.sub(">\n<", _COMMENT.sub("", svg))
    return _PATH.sub(lambda path: _NUMBER.sub(_tenth, path[0].replace("\n", "")), svg)


def write_svg(figure: PaperFigure, path: Path) -> None:
    """Write a figure."""
    write_text(path, short(figure.svg()))
