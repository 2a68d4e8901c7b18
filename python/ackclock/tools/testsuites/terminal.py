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
        (
            direction.name,
            str(direction.flows),
            Quantity(direction.sum, "bit/s"),
            Quantity(direction.average, "bit/s"),
        )
        for direction in figures.directions
    )
    ping = one_unit(
        (
            probe.name,
            *(
                Quantity(value, "s")
                for value in (probe.idle_mean, probe.mean, probe.p50, probe.p95, probe.p99)
            ),
            f"{100 * probe.lost:.1f} %",
        )
        for probe in (*figures.pings, figures.average)
    )
    heads = ("ping", "idle\nmean", "loaded\nmean", "loaded\np50", "p95", "p99", "lost")
    return Group(drawn(Table(("TCP", "flows", "sum", "average"), tcp)), drawn(Table(heads, ping)))
