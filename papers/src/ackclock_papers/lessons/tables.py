"""The lessons' numbers beside those of other simulators: docs/lessons.md has these tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.studies.outside import read_outside
from ackclock.tables.table import Table
from ackclock_papers.lessons.number import elsewhere
from ackclock_papers.lessons.text import FOLDER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.studies.results import Results
    from ackclock_papers.lessons.number import Number

JUDGES = ("linux", "ns3", "ns2")
"""Files with runs of other simulators."""

HEADER = ("figure", "lesson", "ackclock", "with hosts' times", "Linux", "others", "bar", "")
ALIGN = "llrrrrll"


def table(numbers: Sequence[Number], results: Results) -> Table:
    """Return the numbers of a lesson that runs elsewhere are held to."""
    rows = [
        _row(number, number.measure.of(results.runs[number.lesson].__getitem__))
        for number in numbers
        if number.kind.bar
    ]
    return Table(HEADER, rows, align=ALIGN)


def _row(number: Number, ours: float) -> list[str]:
    """Return the cells of a number that is `ours` in the lesson's runs."""
    files = [(judge, read_outside(FOLDER / f"{judge}.json")) for judge in JUDGES]
    by_judge = {
        judge: (runs.simulator, values)
        for judge, runs in files
        if (values := elsewhere(number, runs.rows))
    }
    others = [
        f"{_shown(number, values)} ({simulator})"
        for judge, (simulator, values) in by_judge.items()
        if judge != "linux"
    ]
    spread = number.spread()
    agreeing = [name for name, values in by_judge.values() if number.agrees(ours, values)]
    return [
        f"{number.name}{f', {number.kind.unit}' if number.kind.unit else ''}",
        number.stated,
        f"{ours:.{number.kind.digits}f}",
        _shown(number, spread) if spread else "",
        _shown(number, by_judge["linux"][1]) if "linux" in by_judge else "",
        ", ".join(others),
        number.kind.bar,
        _verdict(agreeing, len(by_judge)),
    ]


def _verdict(agreeing: Sequence[str], count: int) -> str:
    """Return whether the number's judges agree; "" if it has none."""
    if len(agreeing) == count:
        return "agrees" if count else ""
    return f"agrees with {' and '.join(agreeing)}" if agreeing else "**differs**"


def _shown(number: Number, values: Sequence[float]) -> str:
    """Return the value, or the least and the most of several."""
    least, most = (f"{value:.{number.kind.digits}f}" for value in (min(values), max(values)))
    return least if least == most else f"{least} to {most}"
