"""A sweep in a terminal: tables of the whole sweep, and of one response."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from ackclock.pages.run.sweep import tables, words
from ackclock.plot_data.sweep.clouds import delay_response, throughput_response
from ackclock.plot_data.sweep.layout import Layout, ViewError, choose, find_response
from ackclock.plot_data.sweep.paired import compared_axis
from ackclock.results.terminal import warning_lines
from ackclock.sweeps.pictures import KINDS
from ackclock.tables.intervals import EACH
from ackclock.tables.terminal import Fitting, drawn, is_room

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult
    from ackclock.tables.table import Table

__all__ = ["view", "whole_view"]

_MOST_ROWS = 40
_BARS = (25, 17, 11, 0)
_LINE = 18


def whole_view(result: SweepResult) -> RenderableType:
    """Means of every setting, differences, notes and warnings."""
    parts: list[RenderableType] = [
        Text(words.facts(result), style="bold"),
        _Grouped(partial(tables.overview, result), result.shown, most=_MOST_ROWS),
    ]
    for axis in tables.compared(result):
        if len(result.shown) > words.MOST_DETAILED:
            make = partial(tables.changes, result, axis)
            parts += [_title(make()), _Grouped(make, result.shown, most=_MOST_ROWS)]
            continue
        for response in result.shown:
            table = tables.differences(result, response, axis)
            parts += [_title(table), _barred(partial(tables.differences, result, response, axis))]
    parts.extend(Text(note) for note in words.notes(result))
    parts.append(Text(_note(result), style="dim"))
    parts.extend(warning_lines(words.warnings(result)))
    return Group(*parts)


def view(
    result: SweepResult,
    response: str | None = None,
    *,
    kind: str | None = None,
    x: str | None = None,
    by: str | None = None,
    at: Mapping[str, Any] | None = None,
) -> RenderableType:
    """The numbers of one figure of the sweep (`ackclock.plot.sweep.draw`) in a table.

    Raises
    ------
    ViewError
        If a response, axis or value does not exist.
    """
    if kind is not None and kind not in KINDS:
        raise ViewError(f"there is no view of kind '{kind}', only {', '.join(KINDS)}")
    chosen = find_response(result, response)
    note = Text(_note(result), style="dim")
    if kind == "difference":
        axis = compared_axis(result, by)
        held = choose(result, at=at, together=(axis.name,), most_panels=None).held
        others = {name: index for name, index in held.items() if name != axis.name}
        make = partial(tables.differences, result, chosen, axis, others)
        return Group(_title(make()), _barred(make), note)
    layout = choose(result, x=x, by=by, at=at, most_panels=None)
    table = _chosen(result, response, chosen, kind, layout)
    return Group(
        _title(table),
        _apart(result, chosen, layout) if kind in {None, "line", "heat"} else _table(table),
        note,
    )


def _chosen(
    result: SweepResult, name: str | None, response: Response, kind: str | None, layout: Layout
) -> Table:
    if kind in {"box", "cdf"}:
        return tables.distributions(result, response, dict(layout.held))
    if kind == "scatter":
        upward = response if name is not None else throughput_response(result)
        across = delay_response(result)
        if upward is None or across is None:
            raise ViewError(
                "a scatter needs a throughput (goodput, utilisation) and a delay (queue_delay, "
                "rtt) among the responses"
            )
        return tables.pair(result, upward, across, dict(layout.held))
    return tables.response(result, response, layout)


class _Grouped:
    """A table of several responses, divided into several tables if it is too wide."""

    def __init__(
        self,
        make: Callable[[Sequence[Response]], Table],
        responses: Sequence[Response],
        *,
        most: int,
    ) -> None:
        self._make = make
        self._responses = responses
        self._most = most

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The tables."""
        left = list(self._responses)
        while left:
            for count in range(len(left), 0, -1):
                table = _table(self._make(left[:count]), self._most)
                if is_room(table, console, options):
                    break
            yield table
            left = left[count:]


def _barred(make: Callable[..., Table]) -> Fitting:
    """A table of differences with intervals drawn as wide as the terminal allows."""
    return Fitting(*(partial(lambda width: _table(make(bars=width)), width) for width in _BARS))


def _apart(result: SweepResult, response: Response, layout: Layout) -> Fitting:
    """A table with a column for each value of `by`, or with a row if that is too wide."""
    rows = (*layout.panels, *(axis for axis in (layout.x, layout.by) if axis is not None))
    below = Layout(None, None, rows, layout.held)
    return Fitting(
        lambda: _table(tables.response(result, response, layout)),
        lambda: _table(tables.response(result, response, below)),
    )


def _note(result: SweepResult) -> str:
    parts = [f"{100 * result.design.confidence:g} % intervals over seeds"]
    if "constant" in {*result.responses["method"], *result.differences["method"]}:
        parts.append(f"{EACH}: all runs gave this value, so there is no interval")
    if result.differences.height:
        parts.append("differences paired by seed; n.s.: the interval holds no difference")
    if result.warmup_ps is not None:
        parts.append(f"warm-up {result.warmup_ps / 1e12:g} s, by MSER-5")
    return " · ".join(parts)


def _title(table: Table) -> Text:
    title = Text(table.title, style="bold")
    if table.note:
        title.append(f"   {table.note}", style="not bold dim")
    return title


def _heading(title: str) -> str:
    """A column's title in lines, broken before a unit and at the dots of a long key."""
    lines, line = [], ""
    for part in re.split(r"(?<=\.)|(?= \()|(?= from )", title):
        if line and (part.startswith(" ") or len(line + part) > _LINE):
            lines.append(line)
            line = part.lstrip()
        else:
            line += part
    return "\n".join([*lines, line])


def _table(table: Table, most: int | None = None) -> RenderableType:
    return drawn(replace(table, header=[*map(_heading, table.header)], title="").first(most))
