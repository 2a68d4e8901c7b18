"""The comparison in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ackclock.validation import text
from ackclock.validation.bars import BARS, LOSSES
from ackclock.validation.page import chances, count, remarks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.validation.judging import Comparison, Row

__all__ = ["overview", "scenario_view"]


def _table(*columns: str, folds: int = 0, left: Sequence[int] = ()) -> Table:
    """A table that folds one column's text where there is too little room."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for index, column in enumerate(columns):
        table.add_column(
            column,
            justify="left" if index in (0, *left) else "right",
            no_wrap=index != folds,
            vertical="bottom",
        )
    return table


def _verdict(row: Row) -> Text:
    if row.is_chance:
        return Text("chance", "yellow")
    return {None: Text(""), True: Text("holds", "green"), False: Text("missed", "bold red")}[
        row.holds
    ]


def scenario_view(one: Comparison) -> RenderableType:
    """Every figure of one scenario."""
    table = _table("figure", "kernel", "simulator", "", "bar", "")
    for row in one.rows:
        if not row.key.measure.startswith("sent"):
            bar = BARS[row.key.measure].short if row.is_barred else ""
            kernel, simulated = (
                text.with_spread(values, row.key.unit) for values in (row.kernel, row.simulated)
            )
            table.add_row(
                row.key.title, kernel, simulated, text.difference(row), bar, _verdict(row)
            )
    held, bars = count([one])
    counts = (
        f"{_times(len(one.kernel), 'repetition')} of the kernel, "
        f"{_times(len(one.simulated), 'seed')} of the simulator"
    )
    title = Text.assemble((one.name, "bold"), f": {held} of {bars} bars hold; {counts}")
    return Group(title, table, *map(Text, remarks(one)), *disturbances(one))


def disturbances(one: Comparison) -> list[Text]:
    """A yellow line for each of the kernel's runs whose timing cannot be relied on."""
    return [
        Text.assemble((f"disturbed run {number} of {one.name}: ", "bold yellow"), reason)
        for number, run in enumerate(one.disturbed, 1)
        for reason in run.disturbed
    ]


def _times(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def overview(comparisons: Sequence[Comparison]) -> RenderableType:
    """A row per scenario, and the misses of all."""
    table = _table("scenario", "bars\nhold", "of", "the worst miss", "off", folds=3, left=(3,))
    for one in comparisons:
        held, bars = count([one])
        worst = one.misses[0] if one.misses else None
        off = "" if worst is None else text.difference(worst)
        title = "" if worst is None else worst.key.title
        table.add_row(one.name, str(held), str(bars), title, off)
    held, bars = count(comparisons)
    disturbed = [line for one in comparisons for line in disturbances(one)]
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
    one_run = [one.name for one in comparisons if one.is_one_run]
    if one_run:
        lines.append(
            Text(
                f"all seeds are one run in {_times(len(one_run), 'scenario')}: nothing there is "
                "left to chance"
            )
        )
    return Group(table, *lines, *disturbed)
