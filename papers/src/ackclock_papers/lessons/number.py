"""A number that a lesson states: its words in the text, its measure in a run, and its bars."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING

from ackclock.studies.claim import Claim, Evidence, Verdict
from ackclock.studies.outside import read_outside
from ackclock.studies.weighing import LEANINGS, Range, conclude, tally_of
from ackclock.tables.quantities import quantity
from ackclock.verdicts.margin import Margin
from ackclock_papers.lessons.text import FOLDER, Lesson, Passage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ackclock.studies.results import Results
    from ackclock_papers.lessons.measures import Run

SPREAD = "ours.json"
"""Runs of the simulator with other seeds and hosts that take 10 to 40 us over each packet."""

_NUMBER = r"\d+(?:\.\d+)?(?!\.?\d)"
_QUALIFIED = rf"(?:near |about |below |less than )?{_NUMBER}"
_BELOW = ("below ", "less than ")
_BASE = {"ms": ("s", 1e-3), "Mbit/s": ("bit/s", 1e6), "%": ("%", 0.01)}
"""Base unit and factor of the units that lessons use."""


@dataclass(frozen=True)
class Kind:
    """Unit, digits and bar of the numbers of one kind."""

    unit: str = ""
    bar: str = ""
    """The bar in words: how far a run elsewhere may be off. Empty: none is held to the number."""
    share: float = 0.0
    amount: float = 0.0
    """In the number's unit."""
    digits: int = 0

    def agrees(self, ours: float, least: float, most: float) -> bool:
        """Whether our number lies from `least` to `most`, widened by the bar on both sides."""
        margin = Margin(self.share, self.amount).of(ours)
        return Range(least - margin, most + margin).kind_of(ours) == "within"


# Rates, RTTs, windows, losses and periods have the bars of docs/validation.md, where both sides are
# measured in this way.
RATE = Kind("Mbit/s", "2 %", 0.02, 0.05, 1)
SHARE = Kind("Mbit/s", "0.5", 0.0, 0.5, 1)
SHARE_OF_20 = Kind("Mbit/s", "1", 0.0, 1.0, 1)
RTT = Kind("ms", "3 %", 0.03)
WINDOW = Kind("packets", "5 % or 1", 0.05, 1.0)
LOSS = Kind("", "25 % or 5", 0.25, 5.0)
LOSS_RATE = Kind("%", "25 %", 0.25, digits=1)
TIME = Kind("s", "5 % or 0.02", 0.05, 0.02, 1)
SHORT_TIME = replace(TIME, digits=2)
COUNT = Kind("", "25 % or 1", 0.25, 1.0)
GROWTH = replace(COUNT, unit="packets")
SCORE = Kind("", "0.05", 0.0, 0.05, 2)
# ns-3's device holds a packet below CoDel, for 1.2 ms at 10 Mbit/s.
DELAY = Kind("ms", "5 % or 1.3", 0.05, 1.3, 1)
ROUND_DELAY = replace(DELAY, digits=0)
PLAIN, PACKETS, SECONDS, MBIT, MS, TIMES = (
    Kind(unit) for unit in ("", "packets", "s", "Mbit/s", "ms", "times")
)


@dataclass(frozen=True)
class Measure:
    """A figure of a lesson's runs."""

    of: Callable[[Callable[[str], Run]], float]
    """Takes the function from a variant's name to its run."""

    def __sub__(self, other: Measure) -> Measure:
        """Return the difference of two measures."""
        return Measure(lambda run: self.of(run) - other.of(run))

    def __truediv__(self, other: Measure) -> Measure:
        """Return the ratio of two measures."""
        return Measure(lambda run: self.of(run) / other.of(run))


def measured(variant: str) -> Callable[..., Measure]:
    """Return a function that takes a measure's function and arguments for a variant's run."""
    return lambda function, *args: Measure(lambda run: float(function(run(variant), *args)))


BASE, TRY_1, TRY_2, TRY_3 = (measured(name) for name in ("base", "try 1", "try 2", "try 3"))


def formula(value: float) -> Measure:
    """Return a measure that no run has a part in."""
    return Measure(lambda _: value)


@dataclass(frozen=True)
class Number:
    """A number that a lesson states, or one that only runs elsewhere are held to."""

    name: str
    """The number's meaning in a few words."""
    words: str
    """The lesson's words about it, with `{}` in its place and `#` for other numbers: `then {} at #
    s`; or with a word in braces. Empty: the lesson does not state it.
    """
    measure: Measure
    kind: Kind = PLAIN
    within: float | tuple[float, float] | None = None
    """Amount by which the measure may differ from the lesson, or that below and that above; by
    default half a unit of the lesson's last digit.
    """
    lies: tuple[float, float] | None = None
    """Range that a word means."""
    differs: str = ""
    """Why another simulator has another number, if one has."""
    lesson: str = ""
    stated: str = ""
    """The number as the lesson has it; "" if it does not."""

    @property
    def range(self) -> Range | None:
        """Return the range in which the measure has to lie; None where nothing is stated."""
        if self.lies is not None or not self.stated:
            return None if self.lies is None else Range(*self.lies)
        text = self.stated.rpartition(" ")[2]
        digits = len(text.partition(".")[2])
        within = self.within if self.within is not None else 0.5 * 10.0**-digits
        below, above = within if isinstance(within, tuple) else (within, within)
        if self.stated.startswith(_BELOW):
            return Range(highest=float(text))
        return Range(float(text) - below - 1e-9, float(text) + above + 1e-9)

    def spread(self) -> list[float]:
        """Return its values with other seeds and hosts that take their time."""
        return elsewhere(self, read_outside(FOLDER / SPREAD).rows)

    def agrees(self, ours: float, theirs: Sequence[float]) -> bool:
        """Whether the simulator's range and another one's meet, the other widened by the bar."""
        all_of_ours = [ours, *self.spread()]
        nearest = min(max(min(theirs), min(all_of_ours)), max(all_of_ours))
        return self.kind.agrees(nearest, min(theirs), max(theirs))


def elsewhere(number: Number, rows: Sequence[Mapping[str, object]]) -> list[float]:
    """Return the values of a number in runs of another simulator."""
    return [
        float(str(row[number.name]))
        for row in rows
        if row["run"] == number.lesson and number.name in row
    ]


@dataclass(frozen=True)
class Stated:
    """The criterion of a passage: its numbers are those of the lesson's runs."""

    lesson: str
    numbers: tuple[Number, ...]

    @property
    def experiments(self) -> tuple[str, ...]:
        """Return the name of the lesson's recording."""
        return (self.lesson,)

    def describe(self) -> str:
        """Return what is held to the runs, and within which range."""
        ranges = [
            f"{number.name} {_ends(claimed, number.kind.unit)}"
            for number in self.numbers
            if (claimed := number.range) is not None
        ]
        return f"in the lesson's runs, {'; '.join(ranges)}"

    def judge(self, results: Results) -> Verdict:
        """Hold each number to the lesson's runs, or runs elsewhere to ackclock's."""
        rows = results.elsewhere.get(self.lesson)
        runs = results.runs[self.lesson].__getitem__
        evidence = tuple(_ours(self.numbers, runs) if rows is None else self._theirs(runs, rows))
        if not evidence:
            return Verdict("cannot be judged", "There is no run of it.")
        inside = tally_of(evidence).within
        figures = "; ".join(f"{interval.where} = {_value(interval)}" for interval in evidence)
        return Verdict(
            conclude(evidence), f"{inside} of {len(evidence)} agree: {figures}.", {}, evidence
        )

    def _theirs(
        self, runs: Callable[[str], Run], rows: Sequence[Mapping[str, object]]
    ) -> Iterator[Evidence]:
        for number in self.numbers:
            values = elsewhere(number, rows)
            if number.kind.bar and values:
                ours = number.measure.of(runs)
                yield _evidence(
                    number,
                    number.agrees(ours, values),
                    values,
                    f"{_shown(number, ours)} here, bar {number.kind.bar}",
                )


def _ours(numbers: Sequence[Number], runs: Callable[[str], Run]) -> Iterator[Evidence]:
    for number in numbers:
        claimed = number.range
        if claimed is not None:
            value = number.measure.of(runs)
            yield _evidence(
                number,
                claimed.kind_of(value) == "within",
                [value],
                f"the lesson says “{number.stated}”: {_ends(claimed, number.kind.unit)}",
            )


def _evidence(number: Number, holds: bool, values: Sequence[float], why: str) -> Evidence:
    unit, factor = _BASE.get(number.kind.unit, (number.kind.unit, 1.0))
    middle, least, most = (factor * value for value in (median(values), min(values), max(values)))
    leaning = LEANINGS["within" if holds else "beyond"]
    return Evidence(number.name, leaning, middle, least, most, unit, len(values), why)


def _value(interval: Evidence) -> str:
    ends = [quantity(end, interval.unit) for end in (interval.low, interval.high)]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def _shown(number: Number, value: float) -> str:
    unit, factor = _BASE.get(number.kind.unit, (number.kind.unit, 1.0))
    return quantity(factor * value, unit, 4)


def _ends(claimed: Range, unit: str) -> str:
    base, factor = _BASE.get(unit, (unit, 1.0))
    if claimed.lowest == claimed.highest:
        return quantity(factor * claimed.lowest, base, 4)
    ends = (("at least", claimed.lowest), ("at most", claimed.highest))
    return " and ".join(
        f"{word} {quantity(factor * end, base, 4)}" for word, end in ends if abs(end) < 1e300
    )


def placed(lesson: Lesson, numbers: Sequence[Number]) -> tuple[tuple[Passage, Number], ...]:
    """Return the numbers as the lesson states them, each with the passage that does.

    A number without words of the lesson belongs to the passage of the number before it.

    Raises
    ------
    ValueError
        If the lesson does not have the words of a number, or has them twice.
    """
    passages = []
    passage = lesson.passages[0]
    for number in numbers:
        stated = ""
        if number.words:
            passage, stated = _place(lesson, number)
        passages.append((passage, replace(number, lesson=lesson.name, stated=stated)))
    return tuple(passages)


def claims_of(lesson: Lesson, numbers: Sequence[tuple[Passage, Number]]) -> tuple[Claim, ...]:
    """Return a claim for each passage of a lesson with numbers, in the lesson's own words."""
    by_passage: dict[Passage, list[Number]] = {}
    for passage, number in numbers:
        by_passage.setdefault(passage, []).append(number)
    return tuple(
        Claim(
            passage.id,
            passage.text,
            f"Lesson {lesson.number}, “{lesson.title}”, {passage.place}.",
            Stated(lesson.name, tuple(by_passage[passage])),
            differs=" ".join(
                dict.fromkeys(number.differs for number in by_passage[passage] if number.differs)
            )
            or None,
            figures=(f"L{lesson.number}",),
        )
        for passage in lesson.passages
        if passage in by_passage
    )


def _place(lesson: Lesson, number: Number) -> tuple[Passage, str]:
    """Return the one passage that has a number's words, and the number as it stands there."""
    before, word, after = re.split(r"\{(.*?)\}", number.words)
    pattern = "".join(
        (_plain(before), f"({re.escape(word) if word else _QUALIFIED})", _plain(after))
    )
    matches = [
        (passage, match[1])
        for passage in lesson.passages
        for match in re.finditer(rf"(?<![\d.]){pattern}", passage.text)
    ]
    if len(matches) != 1:
        raise ValueError(
            f"lesson {lesson.name}: '{number.words}' ({number.name}) stands {len(matches)} times "
            "in its text"
        )
    return matches[0]


def _plain(words: str) -> str:
    return _NUMBER.join(re.escape(part) for part in words.split("#"))


def nth(words: str, number: int) -> str:
    """Return the words with `{}` in place of the `#` of that number, from 0.

    Examples
    --------
    >>> nth("at # s # packets", 1)
    'at # s {} packets'
    """
    parts = words.split("#")
    return f"{'#'.join(parts[: number + 1])}{{}}{'#'.join(parts[number + 1 :])}"
