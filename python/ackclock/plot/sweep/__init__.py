"""Figures of a sweep: one of a given kind, or all that suit the sweep's design."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Unpack

from ackclock.atomic_io import write_text
from ackclock.plot.looking import drawn
from ackclock.plot.sweep.box import box
from ackclock.plot.sweep.cdf import cdf
from ackclock.plot.sweep.difference import difference
from ackclock.plot.sweep.heat import heat
from ackclock.plot.sweep.lines import lines
from ackclock.plot.sweep.scatter import scatter
from ackclock.plot_data.sweep.clouds import delay_response, throughput_response
from ackclock.plot_data.sweep.layout import Layout, ViewError, choose, find_response
from ackclock.plot_data.sweep.suiting import suitable
from ackclock.sweeps.pictures import KINDS, Kind, stem
from ackclock.views.figure_options import Options, make_look

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ackclock.sweeps.result import SweepResult
    from ackclock.views.figure import PaperFigure

__all__ = ["KINDS", "Kind", "Layout", "ViewError", "choose", "draw", "pictures", "write_sweep"]


def draw(
    result: SweepResult,
    response: str | None = None,
    *,
    kind: str | None = None,
    x: str | None = None,
    by: str | None = None,
    at: Mapping[str, Any] | None = None,
    **options: Unpack[Options],
) -> PaperFigure:
    """One figure of a sweep.

    Parameters
    ----------
    result
        The sweep.
    response
        Name of the response; by default the first. For a scatter it is the vertical axis, by
        default the first throughput.
    kind : {"line", "heat", "box", "cdf", "scatter", "difference"}, optional
        By default lines over an axis, or boxes for a sweep without axes.
    x, by
        Names of the axes that give the horizontal position and the colour; for a difference `by` is
        the compared axis.
    at
        Values of axes that are shown at one value only: `{"rate": "10Mbit/s"}`.
    options
        See `Look`; the width is one or two columns of a page by default.

    Raises
    ------
    ViewError
        If a response, axis or value does not exist, or the figure needs something that the sweep
        does not have.
    FigureOptionError
        If an option makes no sense.
    """
    chosen = kind or ("line" if any(len(axis.labels) > 1 for axis in result.design.axes) else "box")
    if chosen not in KINDS:
        raise ViewError(f"there is no figure of kind '{chosen}', only {', '.join(KINDS)}")
    look = make_look(options)

    def make() -> PaperFigure:
        width = look.width
        if chosen == "difference":
            subject = find_response(result, response)
            return difference(result, subject, axis=by, x=x, at=at, width=width)
        layout = choose(result, x=x, by=by, at=at)
        if chosen == "scatter":
            return _scatter(result, response, layout, width)
        painter = {"line": lines, "heat": heat, "box": box, "cdf": cdf}[chosen]
        return painter(result, find_response(result, response), layout, width=width)

    return drawn(make, look)


def _scatter(
    result: SweepResult, response: str | None, layout: Layout, width: float | None
) -> PaperFigure:
    across = delay_response(result)
    upward = (
        find_response(result, response) if response is not None else throughput_response(result)
    )
    if across is None or upward is None or across is upward:
        names = ", ".join(shown.name for shown in result.shown)
        raise ViewError(
            "a scatter needs a throughput (goodput, utilisation) and a delay (queue_delay, rtt) "
            f"among the responses: {names}"
        )
    return scatter(result, across, upward, layout, width=width)


def pictures(result: SweepResult) -> dict[tuple[Kind, str], str]:
    """All figures that suit a sweep's design, as SVG text, by kind and response.

    The response is "" for a figure of several responses.
    """
    drawn = {}
    for kind, response in suitable(result):
        # A figure with too many panels is left out: the user did not ask for it.
        with suppress(ViewError):
            drawn[kind, response] = draw(result, response or None, kind=kind).svg()
    return drawn


def write_sweep(result: SweepResult, folder: Path) -> None:
    """Write all figures that suit a sweep's design into a new folder: `utilisation-line.svg`.

    `SweepResult.plot(...).write(FILE)` and `ackclock sweep show --plot FILE` make PDF and PNG.
    """
    folder.mkdir(exist_ok=True)
    for (kind, response), svg in result.pictures.items():
        write_text(folder / f"{stem(kind, response)}.svg", svg)
