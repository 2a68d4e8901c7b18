"""Where kernel and simulator part, in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from ackclock.tables.table import Table
from ackclock.tables.terminal import RULED, WRAPPED, drawn
from ackclock.validation.exact.survey import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.validation.exact.divergence import Divergence
    from ackclock.validation.exact.running import Exact
    from ackclock.validation.exact.survey import Survey

__all__ = ["overview", "scenario_view", "survey_view"]


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


def survey_view(survey: Survey) -> RenderableType:
    """Shares that agree, and where the scenarios part that agree least."""
    agreements = [
        drawn(
            Table(
                (title, "figures", "simulator\nwithin 5 %", "the kernel,\nother starts"),
                [
                    (
                        row.name,
                        f"{row.figures:,}",
                        f"{row.simulator / max(row.figures, 1):.1%}",
                        f"{row.kernel / max(row.figures, 1):.1%}",
                    )
                    for row in rows
                ],
                align="lrrr",
            ),
            RULED,
        )
        for title, rows in (("", survey.by_figure()), ("scenarios with", survey.by_group()))
    ]
    equal = ", ".join(f"every {kind} in {survey.equal(kind)}" for kind in KINDS)
    return Group(
        Text.assemble(
            (f"{len(survey.cases)} scenarios of seed {survey.seed}", "bold"),
            f"; {survey.kernel}, and the simulator",
        ),
        *agreements,
        Text(f"Equal to the end: {equal}."),
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
