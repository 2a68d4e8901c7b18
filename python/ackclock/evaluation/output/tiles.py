"""Verdicts as tiles, an SVG written by hand: a few thousand bytes, which git keeps well."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from ackclock.evaluation.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ackclock.evaluation.output.outcome import Outcome
    from ackclock.evaluation.row import Row

__all__ = ["matrix_of", "tiles_of"]

_GROUPS = (("MUST", "MUST"), ("SHOULD", "SHOULD"), ("consider", "other"))


class _Look(NamedTuple):
    name: str
    """Class in the picture's style."""
    fill: str
    text: str
    edge: str


# Orange and blue differ in lightness and to the colour-blind; what is not judged is left empty.
_CONCERN = _Look("c", "#B34700", "#FFFFFF", "#B34700")
_INFORMATIVE = _Look("i", "#FFFFFF", "#B34700", "#B34700")
_BETTER = _Look("b", "#0B4F8A", "#FFFFFF", "#0B4F8A")
_NO_CONCERN = _Look("n", "#C9DFF0", "#222222", "#C9DFF0")
_OTHER = _Look("o", "#FFFFFF", "#666666", "#BBBBBB")
_LOOKS = {"concern": _CONCERN, "better": _BETTER, "no concern": _NO_CONCERN}
_LEGEND = (
    (_CONCERN, "concern"),
    (_INFORMATIVE, "concern that does not count"),
    (_NO_CONCERN, "no concern"),
    (_BETTER, "better"),
    (_OTHER, "not judged, or does not apply"),
)
_STYLE = "text{font-size:12px;fill:#222;pointer-events:none}" + "".join(
    f"rect.{look.name}{{fill:{look.fill};stroke:{look.edge}}}text.{look.name}{{fill:{look.text}}}"
    for look in (_CONCERN, _INFORMATIVE, _BETTER, _NO_CONCERN, _OTHER)
)


def _look(row: Row, verdict: str) -> _Look:
    look = _LOOKS.get(verdict, _OTHER)
    return _INFORMATIVE if row.informative and look is _CONCERN else look


def _groups() -> list[tuple[str, list[Row]]]:
    return [(name, [row for row in ROWS if row.strength == strength]) for strength, name in _GROUPS]


def tiles_of(outcome: Outcome) -> str:
    """The verdicts of one algorithm: a tile for each row, by the strength of the demand."""
    found, columns, left, width, height = outcome["rows"], 15, 80, 42, 26
    parts: list[str] = []
    top = 10
    for name, rows in _groups():
        shown = [row for row in rows if row.id in found]
        parts.append(_text(8, top + 17, name, weight="bold"))
        for place, row in enumerate(shown):
            x = left + place % columns * (width + 4)
            y = top + place // columns * (height + 4)
            verdict = found[row.id]["verdict"]
            look = _look(row, verdict)
            title = f"{row.id} {row.title}: {verdict}"
            parts.append(_tile(x, y, width, height, look, title))
            parts.append(_text(x + width / 2, y + 17, row.id, look, anchor="middle"))
        top += (-(-len(shown) // columns)) * (height + 4) + 10
    parts += _legend(8, top)
    return _svg(left + columns * (width + 4) + 4, top + 28, parts)


def matrix_of(outcomes: Sequence[Outcome]) -> str:
    """The verdicts of several algorithms: a line for each, a column for each row of RFC 9743."""
    left, side, top = 72, 14, 62
    parts: list[str] = []
    x = left
    for name, rows in _groups():
        parts.append(_text(x, 16, name, weight="bold"))
        for row in rows:
            parts.append(
                f'<text transform="translate({x + 11} {top - 6}) rotate(-90)">{row.id}</text>'
            )
            for line, outcome in enumerate(outcomes):
                verdict = outcome["rows"].get(row.id, {}).get("verdict", "not judged")
                title = f"{row.id}: {verdict}"
                parts.append(_tile(x, top + 20 * line, side, 17, _look(row, verdict), title))
            x += side + 2
        x += 12
    for line, outcome in enumerate(outcomes):
        parts.append(_text(left - 6, top + 20 * line + 13, outcome["subject"], anchor="end"))
    bottom = top + 20 * len(outcomes) + 8
    parts += _legend(left, bottom)
    return _svg(x, bottom + 28, parts)


def _legend(x: float, y: float) -> Iterable[str]:
    for look, name in _LEGEND:
        yield _tile(x, y, 14, 14, look, name)
        yield _text(x + 20, y + 12, name)
        x += 32 + 6.6 * len(name)


def _tile(x: float, y: float, width: float, height: float, look: _Look, title: str) -> str:
    return (
        f'<rect class="{look.name}" x="{x + 0.5:g}" y="{y + 0.5:g}" width="{width - 1:g}" '
        f'height="{height - 1:g}" rx="2"><title>{escape(title)}</title></rect>'
    )


def _text(
    x: float,
    y: float,
    text: str,
    look: _Look = _NO_CONCERN,
    *,
    weight: str = "normal",
    anchor: str = "start",
) -> str:
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    bold = "" if weight == "normal" else f' font-weight="{weight}"'
    dark = "" if look is _NO_CONCERN else f' class="{look.name}"'
    return f'<text{dark} x="{x:g}" y="{y:g}"{place}{bold}>{escape(text)}</text>'


def _svg(width: float, height: float, parts: Iterable[str]) -> str:
    lines = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="DejaVu Sans, Verdana, sans-serif">\n'
        f'<style>{_STYLE}</style>\n<rect width="{width:g}" height="{height:g}" fill="#FFFFFF"/>\n'
        f"{lines}\n</svg>\n"
    )
