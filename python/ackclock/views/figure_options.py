"""Options of figures: size, font, names, legend, grid, grey. Nothing here needs matplotlib."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict

from ackclock.errors import Error
from ackclock.messages import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "FONTS",
    "ONE_COLUMN",
    "PLACES",
    "TWO_COLUMNS",
    "FigureOptionError",
    "Look",
    "Options",
    "make_look",
]

ONE_COLUMN = 3.4
"""Width of a figure that fills one column of a two-column page, inches."""

TWO_COLUMNS = 7.0
"""Width of a figure across both columns, inches."""

FONTS = ("serif", "sans-serif", "monospace")
"""Families of fonts that every machine has; the name of an installed font may stand for one."""

PLACES = (
    "none",
    "above",
    "right",
    "best",
    "upper left",
    "upper right",
    "lower left",
    "lower right",
)
"""Places of a legend: none, above or right of the panel, or in the panel."""

_COLUMNS = {"1col": ONE_COLUMN, "2col": TWO_COLUMNS}
_UNITS = {"in": 1.0, "inch": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / 72.27}
_LEAST, _MOST = 0.5, 60.0
_LEAST_FONT, _MOST_FONT = 3.0, 40.0


class FigureOptionError(Error, ValueError):
    """A wrong option of a figure: which, its value, and the allowed ones.

    Examples
    --------
    >>> import ackclock as ac
    >>> try:
    ...     ac.plot.make_look(widht="9cm")
    ... except ac.plot.FigureOptionError as error:
    ...     print(str(error).partition(" (")[0])
    widht: there is no such option of a figure; did you mean 'width'?
    """


class Options(TypedDict, total=False):
    """Options of a figure as keywords: those of `Look`, with lengths also as text ("9cm").

    Examples
    --------
    >>> import ackclock as ac
    >>> options = ac.plot.Options(width="9cm", font="serif", grid=False)
    >>> ac.plot.make_look(options).font
    'serif'
    """

    width: float | str | None
    height: float | str | None
    font: str | None
    font_size: float | None
    labels: Mapping[str, str]
    title: str | bool | None
    x_label: str | None
    y_label: str | None
    legend: str | None
    grid: bool
    grey: bool


@dataclass(frozen=True)
class Look:
    """Look of a figure; None leaves what suits the figure.

    Attributes
    ----------
    width, height
        Inches.
    font
        "serif", "sans-serif", "monospace", or the name of an installed font.
    font_size
        Size of labels, pt; ticks and legends are an eighth smaller.
    labels
        Texts to be replaced, by the text in the figure: names of flows or variants, labels of axes.
    title
        Text above the figure; False leaves all titles out.
    x_label, y_label
        Labels of the axes of a figure of one panel; `x_label` also of panels above each other.
    legend
        One of `PLACES`.
    grid
        Whether grid lines are drawn.
    grey
        Whether all colours become the grey of equal lightness.
    """

    width: float | None = None
    height: float | None = None
    font: str | None = None
    font_size: float | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    title: str | bool | None = None
    x_label: str | None = None
    y_label: str | None = None
    legend: str | None = None
    grid: bool = True
    grey: bool = False


def make_look(options: Options | None = None, **more: Any) -> Look:
    """Check the options of a figure.

    Raises
    ------
    FigureOptionError
        If an option does not exist or its value makes no sense; the text names what is allowed.

    Examples
    --------
    >>> round(make_look({"width": "9cm", "font": "serif"}).width, 3)
    3.543
    """
    given: dict[str, Any] = {**(options or {}), **more}
    known = Look.__dataclass_fields__
    for name in given:
        if name not in known:
            raise FigureOptionError(
                f"{name}: there is no such option of a figure{did_you_mean(name, known)} (there "
                f"are {', '.join(known)})"
            )
    for name in ("width", "height"):
        given[name] = _length(name, given.get(name))
    size = given.get("font_size")
    if size is not None and not (_is_number(size) and _LEAST_FONT <= size <= _MOST_FONT):
        raise FigureOptionError(
            f"font_size: {size!r} is no size of a font: {_LEAST_FONT:g} to {_MOST_FONT:g} pt"
        )
    place = given.get("legend")
    if place is not None and place not in PLACES:
        raise FigureOptionError(
            f"legend: '{place}' is no place of a legend{did_you_mean(str(place), PLACES)} (there "
            f"are {', '.join(PLACES)})"
        )
    for name in ("font", "x_label", "y_label"):
        if given.get(name) is not None and not isinstance(given[name], str):
            raise FigureOptionError(f"{name}: {given[name]!r} is no text")
    labels = given.get("labels") or {}
    if not all(isinstance(text, str) for pair in labels.items() for text in pair):
        raise FigureOptionError("labels: give texts by the texts that they replace")
    return Look(**{**given, "labels": dict(labels)})


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _length(name: str, value: Any) -> float | None:
    """A length in inches: a number, or text with a unit, or a number of columns of a page."""
    if value is None:
        return None
    inches: float | None = None
    if _is_number(value):
        inches = float(value)
    elif isinstance(value, str):
        text = value.strip().lower()
        match = re.fullmatch(r"([0-9]*\.?[0-9]+)\s*([a-z]*)", text)
        if text in _COLUMNS and name == "width":
            inches = _COLUMNS[text]
        elif match and (match[2] or "in") in _UNITS:
            inches = float(match[1]) * _UNITS[match[2] or "in"]
    if inches is None:
        columns = ", 1col or 2col" if name == "width" else ""
        raise FigureOptionError(
            f"{name}: '{value}' is no length: write inches, or 3.5in, 9cm, 90mm, 240pt{columns}"
        )
    if not _LEAST <= inches <= _MOST:
        raise FigureOptionError(
            f"{name}: {inches:.4g} inches is no size of a figure: {_LEAST:g} to {_MOST:g}"
        )
    return inches
