"""Figures of a sweep: which kinds there are, which one suits its design, and all that a sweep's folder gets."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ackclock.plot.sweep.layout import Layout, ViewError, choose, find_response
from ackclock.plot.sweep.names import KINDS, Kind, stem
from ackclock.writing import write_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from ackclock.plot.style import PaperFigure
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult

__all__ = ["KINDS", "Kind", "Layout", "ViewError", "choose", "draw", "pictures", "suitable", "write_sweep"]

_LEAST_RUNS = 5
_MOST_BOXES = 36


def draw(
    result: SweepResult,
    response: str | None = None,
    *,
    kind: str | None = None,
    x: str | None = None,
    by: str | None = None,
    at: Mapping[str, Any] | None = None,
    width: float | None = None,
) -> PaperFigure:
    """One figure of a sweep.

    Parameters
    ----------
    result
        The sweep.
    response
        What is shown; the first response by default. A scatter's vertical axis, which by default is the first throughput.
    kind : {"line", "heat", "box", "cdf", "scatter", "difference"}, optional
        By default lines over an axis, and boxes of a sweep without axes.
    x, by
        Names of the axes along which and by which values are told apart; for a difference `by` is the compared axis.
    at
        Axes that only one value is shown of: `{"rate": "10Mbit/s"}`.
    width
        Inches; by default one or two columns of a page.

    Raises
    ------
    ViewError
        If there is no such response, axis or value, or the sweep has not what the figure needs.
    """
    chosen = kind or ("line" if any(len(axis.labels) > 1 for axis in result.design.axes) else "box")
    if chosen not in KINDS:
        raise ViewError(f"there is no figure of kind '{chosen}', only {', '.join(KINDS)}")
    if chosen == "difference":
        from ackclock.plot.sweep.difference import difference

        return difference(result, find_response(result, response), axis=by, x=x, at=at, width=width)
    layout = choose(result, x=x, by=by, at=at)
    if chosen == "scatter":
        return _scatter(result, response, layout, width)
    return _KINDS[chosen](result, find_response(result, response), layout, width)


def _lines(result: SweepResult, response: Response, layout: Layout, width: float | None) -> PaperFigure:
    from ackclock.plot.sweep.lines import lines

    return lines(result, response, layout, width=width)


def _heat(result: SweepResult, response: Response, layout: Layout, width: float | None) -> PaperFigure:
    from ackclock.plot.sweep.heat import heat

    return heat(result, response, layout, width=width)


def _box(result: SweepResult, response: Response, layout: Layout, width: float | None) -> PaperFigure:
    from ackclock.plot.sweep.box import box

    return box(result, response, layout, width=width)


def _cdf(result: SweepResult, response: Response, layout: Layout, width: float | None) -> PaperFigure:
    from ackclock.plot.sweep.cdf import cdf

    return cdf(result, response, layout, width=width)


_KINDS = {"line": _lines, "heat": _heat, "box": _box, "cdf": _cdf}


def _scatter(result: SweepResult, response: str | None, layout: Layout, width: float | None) -> PaperFigure:
    from ackclock.plot.sweep.scatter import delay_response, scatter, throughput_response

    across = delay_response(result)
    upward = find_response(result, response) if response is not None else throughput_response(result)
    if across is None or upward is None or across is upward:
        names = ", ".join(each.name for each in result.design.responses)
        raise ViewError(f"a scatter needs a throughput (goodput, utilisation) and a delay (queue_delay, rtt) among the responses: {names}")
    return scatter(result, across, upward, layout, width=width)


def pictures(result: SweepResult) -> dict[tuple[Kind, str], str]:
    """All figures that suit a sweep's design, as SVG: by kind and response ("" for those of several)."""
    drawn = {}
    for kind, response in suitable(result):
        # Too many panels for a figure that nobody asked for.
        with suppress(ViewError):
            drawn[kind, response] = draw(result, response or None, kind=kind).svg()
    return drawn


def suitable(result: SweepResult) -> Iterator[tuple[Kind, str]]:
    """Which kinds of figures suit a sweep's design, for which responses."""
    from ackclock.plot.sweep.scatter import delay_response, throughput_response

    design = result.design
    varied = [axis for axis in design.axes if len(axis.labels) > 1]
    several = result.runs.height >= _LEAST_RUNS * len(design.settings)
    known = [response for response in design.responses if result.runs[response.name].null_count() < result.runs.height]
    if any(axis.numbers is None for axis in varied) and several and {delay_response(result), throughput_response(result)} <= set(known):
        yield "scatter", ""
    for response in known:
        if varied:
            yield "line", response.name
        if sum(axis.numbers is not None for axis in varied) >= 2:
            yield "heat", response.name
        if design.comparisons:
            yield "difference", response.name
        if several and len(design.settings) <= _MOST_BOXES:
            yield "box", response.name
            if response is known[0]:
                yield "cdf", response.name


def write_sweep(result: SweepResult, folder: Path) -> None:
    """Write all figures that suit a sweep's design into a new folder: `utilisation-line.svg`.

    SVG alone, as a sweep has many figures; `SweepResult.plot(...).write(FILE)` and `ackclock sweep show --plot FILE` make PDF and PNG.
    """
    folder.mkdir(exist_ok=True)
    for (kind, response), svg in result.pictures.items():
        write_text(folder / f"{stem(kind, response)}.svg", svg)
