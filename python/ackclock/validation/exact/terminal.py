"""Where kernel and simulator part, in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from ackclock.tables.table import Table
from ackclock.tables.terminal import RULED, WRAPPED, drawn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.validation.exact.divergence import Divergence
    from ackclock.validation.exact.running import Exact

__all__ = ["overview", "scenario_view"]


def scenario_view(exact: Exact) -> RenderableType:
    """Every series and figure of one scenario."""
    rows = [
        (
            it.flow,
            it.kind,
            f"{it.equal:,}",
            f"{it.entries:,}",
            "" if it.at is None else _ms(it.at),
            it.kernel,
            it.simulated,
        )
        for it in exact.divergences
    ]
    series = Table(
        ("flow", "", "equal", "of", "part at", "kernel", "simulator"), rows, align="llrrrll"
    )
    figures = Table(
        ("the whole run", "kernel", "simulator"),
        [(name, f"{theirs:,.7g}", f"{ours:,.7g}") for name, theirs, ours in exact.figures],
        align="lrr",
    )
    parts: list[RenderableType] = [
        Text.assemble((exact.name, "bold"), f": {exact.kernel}, and the simulator. {_says(exact)}"),
        drawn(series, RULED, (None, None, None, None, None, WRAPPED, WRAPPED)),
        drawn(figures, RULED),
    ]
    if exact.shortest is not None:
        # Without the line that names the schema.
        text = exact.shortest.to_toml(defaults=False).split("\n", 1)[1].strip()
        parts += [Text("The shortest scenario that was found in which they part:", "bold"), text]
    return Group(*parts)


def overview(compared: Sequence[Exact]) -> RenderableType:
    """A row per scenario."""
    rows = [
        (
            exact.name,
            *(f"{exact.least(kind):.1%}" for kind in ("segment", "ACK", "window", "cwnd")),
            "" if exact.first is None else _difference(exact.first),
        )
        for exact in compared
    ]
    table = Table(
        ("scenario", "segments\nequal", "ACKs", "windows", "cwnd", "the first difference"),
        rows,
        align="lrrrrl",
    )
    equal = sum(exact.first is None for exact in compared)
    kernels = ", ".join(dict.fromkeys(exact.kernel for exact in compared))
    return Group(
        drawn(table, RULED, (None, None, None, None, None, WRAPPED)),
        Text(f"{equal} of {len(compared)} scenarios equal to the end; {kernels}", "bold"),
    )


def _says(exact: Exact) -> str:
    if exact.first is None:
        return f"Every packet and value is equal, times within {exact.late * 1e6:.0f} µs."
    return (
        f"They part at {_ms(exact.first.at or 0.0)}: {_difference(exact.first)}. Until then "
        f"packets are up to {exact.late * 1e6:.0f} µs apart."
    )


def _difference(first: Divergence) -> str:
    return f"{first.flow}: {first.kind} {first.kernel} for {first.simulated}"


def _ms(seconds: float) -> str:
    return f"{1e3 * seconds:,.3f} ms"
