"""The answer in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from ackclock.results.text import significant
from ackclock.sizing.words import answer, asked, cautions, price

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ackclock.sizing.result import BufferSize
    from ackclock.verdicts.judgement import Span

__all__ = ["view"]


def view(found: BufferSize) -> RenderableType:
    """The question, the answer, and tables of the sizes tried and of the rules."""
    parts: list[RenderableType] = [
        Text(asked(found.question), style="dim"),
        Text(answer(found), style="bold"),
    ]
    told = price(found)
    if told is not None:
        parts.append(Text(told))
    parts += [Text.assemble(("note: ", "bold yellow"), one) for one in cautions(found)]
    parts += [_points(found), _rules(found)]
    return Group(*parts)


def _points(found: BufferSize) -> Table:
    table = _table(
        "packets", "kB", "ms", "busy\n%", "95 %\ninterval", "enough",
        "queue\nmean, ms", "p95\nms", "lost\n%",
    )  # fmt: skip
    for one in found.points:
        kilobytes, milliseconds, _ = _other_units(found, one.packets)
        table.add_row(
            str(one.packets),
            kilobytes,
            milliseconds,
            _percent(one.utilisation.mean),
            _interval(one.utilisation),
            one.kept(found.question.keep),
            _short(1e3 * one.queue_mean),
            _short(1e3 * one.queue_p95),
            _short(100 * one.loss),
            style="bold" if one.packets == found.size else None,
        )
    return table


def _short(value: float) -> str:
    """Three digits, and no more than three decimals."""
    return significant(round(value, 3))


def _percent(share: float) -> str:
    return f"{100 * share:.2f}" if share < 0.99995 else "100"


def _other_units(found: BufferSize, packets: float) -> tuple[str, str, str]:
    units = found.units(packets)
    assert units.seconds is not None
    assert units.bdp is not None
    return _short(units.bytes / 1e3), _short(1e3 * units.seconds), _short(units.bdp)


def _interval(figure: Span) -> str:
    low, high = _percent(figure.low), _percent(figure.high)
    # Equal values of all seeds have no interval.
    return "" if low == high else f"{low}–{high}"


def _rules(found: BufferSize) -> Table:
    table = _table("packets", "kB", "ms", "BDP", "rule")
    for one in found.rules:
        rule = one.meaning if one.name == "bdp" else f"{one.name}: {one.meaning}"
        table.add_row(significant(one.packets), *_other_units(found, one.packets), rule)
    table.columns[-1].justify = "left"
    table.columns[-1].no_wrap = False
    for column in table.columns:
        # A number stands beside the first line of its rule.
        column.vertical = "top"
    return table


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True, vertical="bottom")
    return table
