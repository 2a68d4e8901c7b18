"""Options of commands that draw figures: size, font, names, legend, grid, grey."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, cast

import click

from ackclock.cli.errors import InputError
from ackclock.cli.options import Command, Real, decorated
from ackclock.views.figure_options import PLACES, make_look

if TYPE_CHECKING:
    from ackclock.views.figure_options import Options

__all__ = ["FIGURE_SUFFIXES", "figure_options"]

FIGURE_SUFFIXES = ("svg", "pdf", "png", "pgf")
"""Formats of figures: pgf is for LaTeX."""


def figure_options(function: Command) -> Command:
    """``--width``, ``--height``, ``--font``, ``--font-size``, ``--label`` and so on.

    The command's function gets `look`, checked options of a figure as `Options`.
    """

    @wraps(function)
    def called(
        *args: Any,
        width: str | None,
        height: str | None,
        font: str | None,
        font_size: float | None,
        labels: tuple[str, ...],
        title: str | None,
        no_title: bool,
        x_label: str | None,
        y_label: str | None,
        legend: str | None,
        no_grid: bool,
        grey: bool,
        **others: Any,
    ) -> Any:
        if title is not None and no_title:
            raise InputError("--title, --no-title: one or the other")
        look: Options = {}
        if width is not None:
            look["width"] = width
        if height is not None:
            look["height"] = height
        if font is not None:
            look["font"] = font
        if font_size is not None:
            look["font_size"] = font_size
        if labels:
            look["labels"] = _pairs(labels)
        if title is not None or no_title:
            look["title"] = False if no_title else title
        if x_label is not None:
            look["x_label"] = x_label
        if y_label is not None:
            look["y_label"] = y_label
        if legend is not None:
            look["legend"] = legend
        if no_grid:
            look["grid"] = False
        if grey:
            look["grey"] = True
        make_look(look)
        return function(*args, look=look, **others)

    return decorated(
        cast("Command", called),
        click.option(
            "--width",
            metavar="LENGTH",
            help="Width: 3.5in, 9cm, 240pt, or 1col and 2col of a paper [default: as it suits].",
        ),
        click.option("--height", metavar="LENGTH", help="Height: 2in, 5cm."),
        click.option(
            "--font",
            metavar="NAME",
            help="Font: serif, sans-serif, monospace, or an installed one.",
        ),
        click.option(
            "--font-size", metavar="PT", type=Real(), help="Size of labels, pt [default: 8]."
        ),
        click.option(
            "--label",
            "labels",
            metavar="TEXT=NEW",
            multiple=True,
            help="Another text for a name or label of the figure: flow1=CUBIC. Repeatable.",
        ),
        click.option("--title", metavar="TEXT", help="Title above the figure."),
        click.option("--no-title", is_flag=True, help="Leave all titles out."),
        click.option("--x-label", metavar="TEXT", help="Label of the horizontal axis."),
        click.option(
            "--y-label", metavar="TEXT", help="Label of the vertical axis of a single panel."
        ),
        click.option(
            "--legend", metavar="PLACE", help=f"Place of the legend: {', '.join(PLACES)}."
        ),
        click.option("--no-grid", is_flag=True, help="Leave grid lines out."),
        click.option("--grey", is_flag=True, help="Draw in greys of equal lightness."),
    )


def _pairs(texts: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for text in texts:
        old, equals, new = text.partition("=")
        if not equals or not old:
            raise InputError(f"--label: '{text}' is not TEXT=NEW, such as flow1=CUBIC")
        pairs[old] = new
    return pairs
