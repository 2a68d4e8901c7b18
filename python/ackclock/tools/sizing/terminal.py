"""The answer in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from ackclock.tables.quantities import significant
from ackclock.tables.table import Table, styled
from ackclock.tables.terminal import RULED, WRAPPED, drawn
from ackclock.tools.sizing.words import answer, asked, cautions, price

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ackclock.tools.sizing.result import BufferSize
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


def _points(found: BufferSize) -> RenderableType:
    header = (
        "packets", "kB", "ms", "busy\n%", "95 %\ninterval", "enough",
        "queue\nmean, ms", "p95\nms", "lost\n%",
    )  # fmt: skip
    rows = []
    for one in found.points:
        kilobytes, milliseconds, _ = _other_units(found, one.packets)
        cells = (
            str(one.packets),
            kilobytes,
            milliseconds,
            _percent(one.utilisation.mean),
            _interval(one.utilisation),
            one.kept(found.question.keep),
            _short(1e3 * one.queue_mean),
            _short(1e3 * one.queue_p95),
            _short(100 * one.loss),
        )
        style = "bold" if one.packets == found.size else ""
        rows.append([styled((cell, style)) for cell in cells])
    return drawn(Table(header, rows, names=0))


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


def _rules(found: BufferSize) -> RenderableType:
    rows = []
    for one in found.rules:
        rule = one.meaning if one.name == "bdp" else f"{one.name}: {one.meaning}"
        rows.append((significant(one.packets), *_other_units(found, one.packets), rule))
    table = Table(("packets", "kB", "ms", "BDP", "rule"), rows, align="rrrrl")
    # A number stands beside the first line of its rule.
    return drawn(table, RULED._replace(vertical="top"), (None, None, None, None, WRAPPED))
