"""Flent's figures in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group

from ackclock.tables.quantities import Quantity, one_unit
from ackclock.tables.table import Table
from ackclock.tables.terminal import drawn

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ackclock.tools.testsuites.latency import RrulFigures

__all__ = ["rrul_view"]


def rrul_view(figures: RrulFigures) -> RenderableType:
    """Tables of the TCP flows of each direction and of the pings."""
    tcp = one_unit(
        (one.name, str(one.flows), Quantity(one.sum, "bit/s"), Quantity(one.average, "bit/s"))
        for one in figures.directions
    )
    ping = one_unit(
        (
            one.name,
            *(
                Quantity(value, "s")
                for value in (one.idle_mean, one.mean, one.p50, one.p95, one.p99)
            ),
            f"{100 * one.lost:.1f} %",
        )
        for one in (*figures.pings, figures.average)
    )
    heads = ("ping", "idle\nmean", "loaded\nmean", "loaded\np50", "p95", "p99", "lost")
    return Group(drawn(Table(("TCP", "flows", "sum", "average"), tcp)), drawn(Table(heads, ping)))
