"""A sweep in a terminal: its tables, and those of one response in the form asked for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.text import Text

from ackclock.plot.sweep import KINDS
from ackclock.plot.sweep.difference import compared_axis
from ackclock.plot.sweep.layout import Layout, ViewError, choose, find_response
from ackclock.plot.sweep.scatter import delay_response, throughput_response
from ackclock.report.sweep import tables, words
from ackclock.results.interval_text import EACH
from ackclock.results.terminal import warning_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

    from ackclock.report.page import Table
    from ackclock.report.sweep.tables import Titled
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult

__all__ = ["view", "whole_view"]

_MOST_ROWS = 40
_MOST_DIFFERENCES = 24
_BARS = (25, 17, 11, 0)


def whole_view(result: SweepResult) -> RenderableType:
    """Every setting's means, the first response's differences, what to beware of."""
    parts: list[RenderableType] = [Text(words.facts(result), style="bold"), _overview(result)]
    rows = 0
    left_out = 0
    for axis in tables.compared(result):
        for response in result.design.responses:
            found = tables.differences(result, response, axis)
            rows += len(found.table.rows)
            if parts[2:] and rows > _MOST_DIFFERENCES:
                left_out += 1
                continue
            parts += [_title(found), _barred(partial(tables.differences, result, response, axis))]
    if left_out:
        parts.append(
            Text(f"… {left_out} more tables of differences: ackclock sweep show DIR --kind difference --response NAME", style="dim")
        )
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
    """The figures of one picture of the sweep, as `ackclock.plot.sweep.draw` makes it, in a table.

    Raises
    ------
    ViewError
        If there is no such response, axis or value.
    """
    if kind is not None and kind not in KINDS:
        raise ViewError(f"there is no view of kind '{kind}', only {', '.join(KINDS)}")
    each = find_response(result, response)
    note = Text(_note(result), style="dim")
    if kind == "difference":
        axis = compared_axis(result, by)
        held = choose(result, at=at, together=(axis.name,), most_panels=None).held
        make = partial(tables.differences, result, each, axis, {name: index for name, index in held.items() if name != axis.name})
        return Group(_title(make()), _barred(make), note)
    layout = choose(result, x=x, by=by, at=at, most_panels=None)
    found = _chosen(result, response, each, kind, layout)
    return Group(_title(found), _apart(result, each, layout) if kind in {None, "line", "heat"} else _table(found.table), note)


def _chosen(result: SweepResult, name: str | None, each: Response, kind: str | None, layout: Layout) -> Titled:
    if kind in {"box", "cdf"}:
        return tables.distributions(result, each, dict(layout.held))
    if kind == "scatter":
        upward, across = (each if name is not None else throughput_response(result)), delay_response(result)
        if upward is None or across is None:
            raise ViewError("a scatter needs a throughput (goodput, utilisation) and a delay (queue_delay, rtt) among the responses")
        return tables.pair(result, upward, across, dict(layout.held))
    return tables.response(result, each, layout)


class _Fitting:
    """The first of several forms whose tables are no wider than the terminal: a cut number would be a wrong one."""

    def __init__(self, *forms: Callable[[], list[Table]], most: int | None = None) -> None:
        self._forms = forms
        self._most = most

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The tables of that form, or of the last."""
        for form in self._forms:
            tables_of_form = [_table(table, self._most) for table in form()]
            widths = [Measurement.get(console, options.update(max_width=1000), table).maximum for table in tables_of_form]
            if max(widths) <= options.max_width:
                break
        yield from tables_of_form


def _barred(make: Callable[..., Titled]) -> _Fitting:
    """A table of differences with its intervals drawn as wide as there is room."""
    return _Fitting(*(partial(lambda width: [make(bars=width).table], width) for width in _BARS))


def _overview(result: SweepResult) -> _Fitting:
    """Every response in one table, or in one each."""
    return _Fitting(
        lambda: [tables.overview(result).table],
        lambda: [tables.overview(result, [each]).table for each in result.design.responses],
        most=_MOST_ROWS,
    )


def _apart(result: SweepResult, each: Response, layout: Layout) -> _Fitting:
    """A column for each value apart, or a row."""
    below = Layout(None, None, (*layout.panels, *(axis for axis in (layout.x, layout.by) if axis is not None)), layout.held)
    return _Fitting(lambda: [tables.response(result, each, layout).table], lambda: [tables.response(result, each, below).table])


def _note(result: SweepResult) -> str:
    parts = [f"{100 * result.design.confidence:g} % intervals over seeds"]
    if "constant" in {*result.responses["method"], *result.differences["method"]}:
        parts.append(f"{EACH}: all runs gave this value, so there is no interval")
    if result.differences.height:
        parts.append("differences paired by seed; n.s.: the interval holds no difference")
    if result.warmup_ps is not None:
        parts.append(f"warm-up {result.warmup_ps / 1e12:g} s, by MSER-5")
    return " · ".join(parts)


def _title(found: Titled) -> Text:
    title = Text(found.title, style="bold")
    if found.note:
        title.append(f"   {found.note}", style="not bold dim")
    return title


def _table(found: Table, most: int | None = None) -> RichTable:
    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for index, head in enumerate(found.header):
        title = head.replace(" (", "\n(").replace(" from ", "\nfrom ")
        table.add_column(Text(title), justify="left" if index < found.names else "right", no_wrap=True, overflow="fold", vertical="bottom")
    for row in found.rows[:most]:
        table.add_row(*(Text(cell) for cell in row))
    if most is not None and len(found.rows) > most:
        table.add_row(Text(f"… {len(found.rows) - most} more", style="dim"))
    return table
