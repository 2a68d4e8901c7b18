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


def view(sizing: BufferSize) -> RenderableType:
    """The question, the answer, and tables of the sizes tried and of the rules."""
    parts: list[RenderableType] = [
        Text(asked(sizing.question), style="dim"),
        Text(answer(sizing), style="bold"),
    ]
    sentence = price(sizing)
    if sentence is not None:
        parts.append(Text(sentence))
    parts += [Text.assemble(("note: ", "bold yellow"), caution) for caution in cautions(sizing)]
    parts += [_points(sizing), _rules(sizing)]
    return Group(*parts)


def _points(sizing: BufferSize) -> RenderableType:
    header = (
        "packets", "kB", "ms", "busy\n%", "95 %\ninterval", "enough",
        "queue\nmean, ms", "p95\nms", "lost\n%",
    )  # fmt: skip
    rows = []
    for point in sizing.points:
        kilobytes, milliseconds, _ = _other_units(sizing, point.packets)
        cells = (
            str(point.packets),
            kilobytes,
            milliseconds,
            _percent(point.utilisation.mean),
            _interval(point.utilisation),
            point.kept(sizing.question.keep),
            _short(1e3 * point.queue_mean),
            _short(1e3 * point.queue_p95),
            _short(100 * point.loss),
        )
        style = "bold" if point.packets == sizing.size else ""
        rows.append([styled((cell, style)) for cell in cells])
    return drawn(Table(header, rows, names=0))


def _short(value: float) -> str:
    """Three digits, and no more than three decimals."""
    return significant(round(value, 3))


def _percent(share: float) -> str:
    return f"{100 * share:.2f}" if share < 0.99995 else "100"


def _other_units(sizing: BufferSize, packets: float) -> tuple[str, str, str]:
    units = sizing.units(packets)
    assert units.seconds is not None
    assert units.bdp is not None
    return _short(units.bytes / 1e3), _short(1e3 * units.seconds), _short(units.bdp)


def _interval(figure: Span) -> str:
    low, high = _percent(figure.low), _percent(figure.high)
    # Equal values of all seeds have no interval.
    return "" if low == high else f"{low}–{high}"


def _rules(sizing: BufferSize) -> RenderableType:
    rows = []
    for entry in sizing.rules:
        rule = entry.meaning if entry.name == "bdp" else f"{entry.name}: {entry.meaning}"
        rows.append((significant(entry.packets), *_other_units(sizing, entry.packets), rule))
    table = Table(("packets", "kB", "ms", "BDP", "rule"), rows, align="rrrrl")
    # A number stands beside the first line of its rule.
    return drawn(table, RULED._replace(vertical="top"), (None, None, None, None, WRAPPED))
