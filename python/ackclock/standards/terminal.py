"""Flent's figures in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.console import Group
from rich.table import Table

from ackclock.results.text import Quantity, one_unit

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ackclock.standards.latency import RrulFigures

__all__ = ["rrul_view"]


def rrul_view(figures: RrulFigures) -> RenderableType:
    """Tables of the TCP flows of each direction and of the pings."""
    tcp = _table("TCP", "flows", "sum", "average")
    for row in one_unit(
        (one.name, str(one.flows), Quantity(one.sum, "bit/s"), Quantity(one.average, "bit/s"))
        for one in figures.directions
    ):
        tcp.add_row(*row)
    ping = _table("ping", "idle\nmean", "loaded\nmean", "loaded\np50", "p95", "p99", "lost")
    for row in one_unit(
        (
            one.name,
            *(
                Quantity(value, "s")
                for value in (one.idle_mean, one.mean, one.p50, one.p95, one.p99)
            ),
            f"{100 * one.lost:.1f} %",
        )
        for one in (*figures.pings, figures.average)
    ):
        ping.add_row(*row)
    return Group(tcp, ping)


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for number, column in enumerate(columns):
        table.add_column(
            column, justify="right" if number else "left", no_wrap=True, vertical="bottom"
        )
    return table
