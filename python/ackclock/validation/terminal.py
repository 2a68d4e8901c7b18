"""The comparison in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from ackclock.tables.table import Styled, Table, styled
from ackclock.tables.terminal import RULED, WRAPPED, drawn
from ackclock.validation import text
from ackclock.validation.figures import BARS, LOSSES
from ackclock.validation.page import chances, count, remarks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.validation.judging import Comparison, Row

__all__ = ["overview", "scenario_view"]


def _verdict(row: Row) -> Styled:
    if row.is_chance:
        return styled(("chance", "yellow"))
    return {
        None: styled(""),
        True: styled(("holds", "green")),
        False: styled(("missed", "bold red")),
    }[row.holds]


def scenario_view(comparison: Comparison) -> RenderableType:
    """Every figure of one scenario."""
    rows = []
    for row in comparison.rows:
        if not row.key.measure.startswith("sent"):
            bar = BARS[row.key.measure].short if row.is_barred else ""
            kernel, simulated = (
                text.with_spread(values, row.key.unit) for values in (row.kernel, row.simulated)
            )
            rows.append(
                (row.key.title, kernel, simulated, text.difference(row), bar, _verdict(row))
            )
    held, bars = count([comparison])
    counts = (
        f"{_times(len(comparison.kernel), 'repetition')} of the kernel, "
        f"{_times(len(comparison.simulated), 'seed')} of the simulator"
    )
    title = Text.assemble((comparison.name, "bold"), f": {held} of {bars} bars hold; {counts}")
    table = Table(("figure", "kernel", "simulator", "", "bar", ""), rows)
    return Group(
        title,
        drawn(table, RULED, (WRAPPED,)),
        *map(Text, remarks(comparison)),
        *disturbances(comparison),
    )


def disturbances(comparison: Comparison) -> list[Text]:
    """A yellow line for each of the kernel's runs whose timing cannot be relied on."""
    return [
        Text.assemble((f"disturbed run {number} of {comparison.name}: ", "bold yellow"), reason)
        for number, run in enumerate(comparison.disturbed, 1)
        for reason in run.disturbed
    ]


def _times(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def overview(comparisons: Sequence[Comparison]) -> RenderableType:
    """A row per scenario, and the misses of all."""
    rows = []
    for comparison in comparisons:
        held, bars = count([comparison])
        worst = comparison.misses[0] if comparison.misses else None
        off = "" if worst is None else text.difference(worst)
        title = "" if worst is None else worst.key.title
        rows.append((comparison.name, str(held), str(bars), title, off))
    table = Table(("scenario", "bars\nhold", "of", "the worst miss", "off"), rows, align="lrrlr")
    held, bars = count(comparisons)
    disturbed = [line for comparison in comparisons for line in disturbances(comparison)]
    losses, of = count(comparisons, LOSSES)
    lines = [
        Text(
            f"{text.share(held, bars)} bars hold in {_times(len(comparisons), 'scenario')}", "bold"
        )
    ]
    if of:
        lines.append(Text(f"{text.share(losses, of)} of losses and retransmissions", "bold"))
    if by_chance := chances(comparisons):
        lines.append(
            Text(f"{by_chance} of them are missed by the means, by no more than chance explains")
        )
    one_run = [comparison.name for comparison in comparisons if comparison.is_one_run]
    if one_run:
        lines.append(
            Text(
                f"all seeds are one run in {_times(len(one_run), 'scenario')}: nothing there is "
                "left to chance"
            )
        )
    return Group(drawn(table, RULED, (None, None, None, WRAPPED)), *lines, *disturbed)
