"""The comparison as a page: in full with a table per scenario, or the answer alone."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from ackclock.tables.markdown import page_table
from ackclock.validation import text
from ackclock.validation.figures import BARS, FIGURES, LOSSES
from ackclock.validation.judging import barred
from ackclock.validation.notes import about

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.validation.judging import Comparison, Row
    from ackclock.validation.notes import Note

__all__ = ["chances", "count", "page", "remarks", "short"]

_WORST = 15


def count(comparisons: Sequence[Comparison], measures: Sequence[str] = ()) -> tuple[int, int]:
    """Bars that hold, and bars; of these measures alone if there are any."""
    rows = barred(comparisons, *measures)
    return sum(row.holds is True for row in rows), len(rows)


def chances(comparisons: Sequence[Comparison]) -> int:
    """Bars that hold only because their difference may be chance."""
    return sum(row.is_chance for row in barred(comparisons))


def page(comparisons: Sequence[Comparison], known: list[Note], preface: str, pictures: str) -> str:
    """The document.

    Parameters
    ----------
    comparisons
        In the order of the document.
    known
        Known causes of misses.
    preface
        Description of the measurement: `validation/about.md`.
    pictures
        The folder of the figures, as the document's links name it.
    """
    parts = [
        _TITLE,
        (
            "This page shows how far the simulator's figures are from those of the Linux kernel, "
            "scenario by\nscenario. `make validate` makes it from the recorded runs in "
            "`validation/`.\n"
        ),
        *_answer(comparisons),
        f"![Deviation of every figure in units of its bar]({pictures}/summary.svg)\n",
        _by_measure(comparisons),
        _worst(comparisons, known),
        preface.strip() + "\n",
        "## The scenarios\n",
        _contents(comparisons),
    ]
    parts.extend(_scenario(comparison, known, pictures) for comparison in comparisons)
    return "\n".join(parts)


def short(
    comparisons: Sequence[Comparison], known: list[Note], preface: str, picture: str, full: str
) -> str:
    """The document without its scenarios: the answer, the bars by figure, and the misses.

    Parameters
    ----------
    comparisons, known, preface
        As for `page`; the rows that have bars are enough.
    picture
        The file of the picture, as the document's link names it.
    full
        A sentence on where the document in full is.
    """
    parts = [
        _TITLE,
        *_answer(comparisons),
        _wrapped(
            "This page shows how far the simulator's figures are from those of the Linux kernel. "
            "`make validate` makes it from the recorded runs in `validation/`, and keeps the "
            f"figures that have bars in `validation/outcome.csv`. {full}"
        )
        + "\n",
        f"![Deviation of every figure from the kernel's, in units of its bar]({picture})\n",
        _by_measure(comparisons),
        _misses(comparisons, known),
        preface.strip() + "\n",
    ]
    return "\n".join(parts)


_TITLES = {figure.name: figure.title for figure in FIGURES}
_TITLE = "# The simulator against the Linux kernel\n"


def _answer(comparisons: Sequence[Comparison]) -> list[str]:
    held, bars = count(comparisons)
    clean = sum(not comparison.misses for comparison in comparisons)
    return [
        (
            f"**{held} of {bars} bars hold** in {len(comparisons)} scenarios, "
            f"{_percent(held, bars)}; "
            f"all of a scenario hold in {clean}.\n"
        ),
        _parts(comparisons),
    ]


def _percent(held: int, bars: int) -> str:
    return f"{100 * held / max(bars, 1):.1f} %"


def _parts(comparisons: Sequence[Comparison]) -> str:
    """The share of losses, which matter most and hold least, and what only intervals cover."""
    held, bars = count(comparisons, LOSSES)
    lines = f"Of losses and retransmissions {text.share(held, bars)} hold.\n" if bars else ""
    by_chance = chances(comparisons)
    if by_chance:
        lines += (
            f"{by_chance} of the bars that hold are missed by the means, by no more than chance "
            "explains: *may be chance*.\n"
        )
    return lines


def _by_measure(comparisons: Sequence[Comparison]) -> str:
    counts = [(measure, *count(comparisons, (measure,))) for measure in BARS]
    return page_table(
        ("figure", "bar", "holds in"),
        (
            (_TITLES[measure], BARS[measure].text, f"{held} of {bars}")
            for measure, held, bars in counts
            if bars
        ),
        "llr",
    )


def _worst(comparisons: Sequence[Comparison], known: list[Note]) -> str:
    missed = [(comparison, row) for comparison in comparisons for row in comparison.misses]
    missed.sort(key=lambda pair: -pair[1].size)
    if not missed:
        return ""
    lines = [
        "## The misses, the worst first\n\n",
        "*Off* is in units of what the bar lets pass.\n\n",
        page_table(
            ("scenario", "figure", "kernel", "simulator", "", "off", "what is known"),
            (
                (
                    f"[{comparison.name}](#{_anchor(comparison.name)})",
                    row.key.title,
                    text.kernel(row),
                    text.simulated(row),
                    text.difference(row),
                    text.deviation(row),
                    about(known, comparison.name, row.key),
                )
                for comparison, row in missed[:_WORST]
            ),
            "llrrrrl",
        ),
    ]
    if len(missed) > _WORST:
        lines.append(f"\n{len(missed) - _WORST} more stand in the scenarios' tables.\n")
    return "".join(lines)


def _misses(comparisons: Sequence[Comparison], known: list[Note]) -> str:
    """The misses of each scenario, those of one known cause together."""
    lines = []
    for comparison in comparisons:
        figures: dict[str, list[str]] = {}
        for row in comparison.misses:
            figures.setdefault(about(known, comparison.name, row.key), []).append(
                f"{row.key.title} {text.simulated(row)}, kernel {text.kernel(row)} "
                f"({text.difference(row)})"
            )
        lines += [
            textwrap.fill(
                f"- **{comparison.name}**: {'; '.join(missed)}. "
                f"{cause or 'The cause is not known.'}",
                100,
                subsequent_indent="  ",
                break_long_words=False,
                break_on_hyphens=False,
            )
            for cause, missed in figures.items()
        ]
    if not lines:
        return ""
    return "## The misses\n\n" + "\n".join(lines) + "\n"


def _anchor(name: str) -> str:
    """The anchor that GitHub makes of a heading."""
    return "".join(letter for letter in name.lower() if letter.isalnum() or letter in "-_")


def _contents(comparisons: Sequence[Comparison]) -> str:
    rows = []
    for comparison in comparisons:
        held, bars = count([comparison])
        seeds = "one run" if comparison.is_one_run else str(len(comparison.simulated))
        name = f"[{comparison.name}](#{_anchor(comparison.name)})"
        rows.append((name, f"{held} of {bars}", str(len(comparison.kernel)), seeds))
    return page_table(("scenario", "bars that hold", "repetitions", "seeds"), rows, "lrrr")


def _scenario(comparison: Comparison, known: list[Note], pictures: str) -> str:
    lines = [
        (
            f"### {comparison.name}\n\n{comparison.description}\n\n![Kernel and simulator over "
            f"time]({pictures}/{comparison.name}.svg)\n\n"
        ),
        page_table(
            (
                *("figure", "kernel", "its runs", "simulator", "its runs"),
                *("difference", "95 %", "bar", ""),
            ),
            (_row(row) for row in comparison.rows if not row.key.measure.startswith("sent")),
            "lrrrrrrll",
        ),
    ]
    lines.extend(f"\n{_wrapped(sentence)}\n" for sentence in remarks(comparison))
    for row in comparison.misses:
        said = about(known, comparison.name, row.key)
        if said:
            title = f"{row.key.title[0].upper()}{row.key.title[1:]}"
            lines.append("\n" + _wrapped(f"{title}: {said}") + "\n")
    return "".join(lines)


def _wrapped(sentence: str) -> str:
    return textwrap.fill(sentence, 100, break_long_words=False, break_on_hyphens=False)


def remarks(comparison: Comparison) -> list[str]:
    """Return remarks on the runs of a scenario, a sentence each."""
    said = []
    if comparison.is_one_run:
        said.append(
            f"Nothing in this scenario is left to chance: all {len(comparison.simulated)} seeds of "
            "the simulator are one run."
        )
    if comparison.firsts is not None:
        kernel, simulated = comparison.firsts
        said.append(
            f"First of the flows that start together: in the kernel {text.first(kernel)}; in the "
            f"simulator {text.first(simulated)}."
        )
    if comparison.disturbed:
        number = len(comparison.disturbed)
        runs = "1 run" if number == 1 else f"{number} runs"
        what = "is left out" if number == 1 else "are left out"
        if not comparison.is_left_out:
            what = "and there is no other" if number == 1 else "and there are no others"
        said.append(
            f"The machine was disturbed in {runs} of the kernel, "
            f"{'which ' + what if comparison.is_left_out else what}."
        )
    return said


def _row(row: Row) -> tuple[str, ...]:
    return (
        row.key.title,
        text.kernel(row),
        text.spread(row.kernel, row.key.unit),
        text.simulated(row),
        text.spread(row.simulated, row.key.unit),
        text.difference(row),
        text.interval(row),
        row.bar,
        text.verdict(row),
    )
