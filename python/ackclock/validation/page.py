"""`docs/validation.md`: the summary first, then a table per scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.validation import text
from ackclock.validation.bars import BARS
from ackclock.validation.measures import MEASURES
from ackclock.validation.notes import about

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.validation.judging import Comparison, Row
    from ackclock.validation.notes import Note

__all__ = ["count", "page"]

_WORST = 15


def count(comparisons: Sequence[Comparison]) -> tuple[int, int]:
    """Bars that hold, and bars."""
    rows = [row for one in comparisons for row in one.barred]
    return sum(row.holds is True for row in rows), len(rows)


def page(comparisons: Sequence[Comparison], known: list[Note], preface: str, pictures: str) -> str:
    """The document.

    Parameters
    ----------
    comparisons
        In the order of the document.
    known
        What people know about misses.
    preface
        How it was measured: `validation/about.md`.
    pictures
        The folder of the figures, as the document's links name it.
    """
    held, bars = count(comparisons)
    clean = sum(not one.misses for one in comparisons)
    parts = [
        "# The simulator against the Linux kernel\n",
        "Made by `make validate` from the recorded runs in `validation/`.\n",
        f"**{held} of {bars} bars hold** in {len(comparisons)} scenarios; all of a scenario hold in {clean}.\n",
        f"![Deviation of every figure in units of its bar]({pictures}/summary.svg)\n",
        _by_measure(comparisons),
        _worst(comparisons, known),
        preface.strip() + "\n",
        "## The scenarios\n",
        _contents(comparisons),
    ]
    parts.extend(_scenario(one, known, pictures) for one in comparisons)
    return "\n".join(parts)


def _by_measure(comparisons: Sequence[Comparison]) -> str:
    lines = ["| figure | bar | holds in |\n|---|---|--:|\n"]
    for measure in _barred_names():
        rows = [row for one in comparisons for row in one.barred if row.key.measure == measure]
        if rows:
            lines.append(f"| {_title(measure)} | {BARS[measure].text} | {sum(row.holds is True for row in rows)} of {len(rows)} |\n")
    return "".join(lines)


def _barred_names() -> list[str]:
    names = ["goodput", "share", *(measure.name for measure in MEASURES if measure.name != "goodput")]
    return [name for name in names if name in BARS]


def _title(measure: str) -> str:
    titles = {one.name: one.title for one in MEASURES}
    return titles.get(measure, "share of a flow or an algorithm")


def _worst(comparisons: Sequence[Comparison], known: list[Note]) -> str:
    missed = [(one, row) for one in comparisons for row in one.misses]
    missed.sort(key=lambda pair: -abs(pair[1].deviation) if pair[1].deviation is not None else float("-inf"))
    if not missed:
        return ""
    lines = [
        "## The misses, the worst first\n\n",
        "*Off* is in units of what the bar lets pass.\n\n",
        "| scenario | figure | kernel | simulator | | off | what is known |\n|---|---|--:|--:|--:|--:|---|\n",
    ]
    for one, row in missed[:_WORST]:
        lines.append(
            f"| [{one.name}](#{_anchor(one.name)}) | {row.key.title} | {text.kernel(row)} | {text.simulated(row)} | {text.difference(row)} "
            f"| {text.deviation(row)} | {about(known, one.name, row.key)} |\n"
        )
    if len(missed) > _WORST:
        lines.append(f"\n{len(missed) - _WORST} more stand in the scenarios' tables.\n")
    return "".join(lines)


def _anchor(name: str) -> str:
    """As GitHub makes it of a heading."""
    return "".join(letter for letter in name.lower() if letter.isalnum() or letter in "-_")


def _contents(comparisons: Sequence[Comparison]) -> str:
    lines = ["| scenario | bars that hold | repetitions | seeds |\n|---|--:|--:|--:|\n"]
    for one in comparisons:
        held, bars = count([one])
        lines.append(f"| [{one.name}](#{_anchor(one.name)}) | {held} of {bars} | {len(one.kernel)} | {len(one.simulated)} |\n")
    return "".join(lines)


def _scenario(one: Comparison, known: list[Note], pictures: str) -> str:
    lines = [
        f"### {one.name}\n\n{one.description}\n\n![Kernel and simulator over time]({pictures}/{one.name}.svg)\n\n",
        "| figure | kernel | its repetitions | simulator | | bar | |\n|---|--:|--:|--:|--:|---|---|\n",
    ]
    lines.extend(_row(row) for row in one.rows if not row.key.measure.startswith("sent"))
    spoiled = [number for number, run in enumerate(one.kernel, 1) if run.disturbed]
    if spoiled:
        runs = ", ".join(map(str, spoiled))
        lines.append(f"\nThe machine was disturbed in run {runs} of the kernel: `linux/{spoiled[0]}.json` says how.\n")
    for row in one.misses:
        said = about(known, one.name, row.key)
        if said:
            lines.append(f"\n{row.key.title[0].upper()}{row.key.title[1:]}: {said}\n")
    return "".join(lines)


def _row(row: Row) -> str:
    cells = (
        row.key.title,
        text.kernel(row),
        text.spread(row),
        text.simulated(row),
        text.difference(row),
        row.bar,
        text.verdict(row),
    )
    return f"| {' | '.join(cells)} |\n"
