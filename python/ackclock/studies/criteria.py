"""Criteria: each says what would have to come out, and judges what did.

All follow the rule of `ackclock.studies.weighing`: a figure's interval lies inside the claimed range, outside, or across its end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ackclock.metrics import UnknownMetricError, find_metric
from ackclock.plot.sweep.scale import words
from ackclock.results.text import quantity
from ackclock.stats import Difference, differences, estimates
from ackclock.studies.claim import Evidence, Leaning, Verdict
from ackclock.studies.weighing import Range, capital, confidence_of, percent, places, quoted, seeds_of, signed, span, spot_names, verdict_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.studies.results import Results, Spot

__all__ = ["Change", "Effect", "Growth", "Level", "Pairing", "greater", "less", "no_more", "same", "within"]


def _held(at: Mapping[str, Any]) -> str:
    """What is held, in words."""
    held = [
        f"{words(name)} = {', '.join(map(quoted, wanted)) if isinstance(wanted, list | tuple) else quoted(wanted)}"
        for name, wanted in at.items()
    ]
    return f" (at {'; '.join(held)})" if held else ""


_ALL = "at every setting, each interval of 1 − 5 %/k confidence for k settings"


@dataclass(frozen=True)
class Pairing:
    """What is compared with what, seed by seed."""

    experiment: str
    response: str
    axis: str
    """The axis along which runs are compared."""
    value: Any
    base: Any
    at: Mapping[str, Any] = field(default_factory=dict)
    """Values of other axes that alone are looked at; a list means several."""

    @property
    def experiments(self) -> tuple[str, ...]:
        """The experiment."""
        return (self.experiment,)

    @property
    def where(self) -> str:
        """What `at` holds, in words."""
        return _held(self.at)

    def pairs(self, results: Results) -> list[tuple[Spot, Spot]]:
        """The settings with the value, each with that of the base; none if the runs leave out one of the two."""
        ours = results.spots(self.experiment, self.response, {**self.at, self.axis: self.value})
        base = results.spots(self.experiment, self.response, {**self.at, self.axis: self.base})
        partners = {self._elsewhere(spot): spot for spot in base}
        return [(spot, partners[self._elsewhere(spot)]) for spot in ours if self._elsewhere(spot) in partners]

    def _elsewhere(self, spot: Spot) -> tuple[Any, ...]:
        """Labels of the other axes."""
        return tuple(label for name, label in spot.labels.items() if name != self.axis)

    def left_out(self, results: Results) -> list[str]:
        """What it names and these runs have not."""
        wanted = ({**self.at, self.axis: label} for label in (self.value, self.base))
        return list(dict.fromkeys(each for at in wanted for each in results.left_out(self.experiment, at)))

    def weigh(self, results: Results, claimed: Range | None = None) -> list[Evidence]:
        """An interval for each setting, of the paired difference as a share of the base's mean."""
        pairs = self.pairs(results)
        values = [_in_common(a, b) for a, b in pairs]
        found = differences(values, confidence_of(len(values)))
        names = spot_names([a for a, _ in pairs], (self.axis,))
        return [_weighed(name, one, base, claimed or Range()) for name, one, (_, base) in zip(names, found, values, strict=True)]


def _in_common(a: Spot, b: Spot) -> tuple[list[float], list[float]]:
    seeds = [seed for seed in a.values if seed in b.values]
    return [a.values[seed] for seed in seeds], [b.values[seed] for seed in seeds]


def _weighed(where: str, found: Difference, base: Sequence[float], claimed: Range) -> Evidence:
    """A paired difference as a share of the base's mean."""
    mean = abs(math.fsum(base) / len(base)) if base else 0.0
    if found.difference is None:
        return Evidence(where, "open", None, None, None, "change", found.n, found.why)
    if mean == 0.0 and found.difference != 0.0:
        # No share of nothing says anything; which side the interval is on does.
        ends = [None if each is None else math.copysign(math.inf, each) for each in (found.low, found.high)]
        return Evidence(
            where, claimed.leaning(*ends), None, None, None, "change", found.n, f"{found.difference:+.3g} where the base has none"
        )
    share, low, high = (None if each is None else each / (mean or 1.0) for each in (found.difference, found.low, found.high))
    return Evidence(where, claimed.leaning(low, high), share, low, high, "change", found.n, found.why)


@dataclass(frozen=True)
class Change(Pairing):
    """The paired difference of `value` from `base`, as a share of the base's mean, lies in a range. Made by `less`, `greater`, ..."""

    lowest: float = -math.inf
    highest: float = math.inf

    def describe(self) -> str:
        """The rule."""
        who, base = f"{words(self.response)} of {quoted(self.value)}", quoted(self.base)
        if self.lowest == -math.inf and self.highest > 0:
            said = f"{who} is no more than {percent(self.highest)} above that of {base}"
        elif self.lowest == -math.inf:
            said = f"{who} is{_by(-self.highest)} less than that of {base}"
        elif self.highest == math.inf and self.lowest < 0:
            said = f"{who} is no more than {percent(-self.lowest)} below that of {base}"
        elif self.highest == math.inf:
            said = f"{who} is{_by(self.lowest)} greater than that of {base}"
        else:
            said = f"{who} is between {signed(self.lowest)} and {signed(self.highest)} of that of {base}"
        return f"{said}{self.where}, paired by seed, {_ALL}"

    def judge(self, results: Results) -> Verdict:
        """Weigh each setting of the other axes."""
        weighed = self.weigh(results, Range(self.lowest, self.highest))
        return verdict_of(capital(words(self.response)), weighed, self.left_out(results))


def less(
    experiment: str, response: str, axis: str, value: Any, base: Any, *, by: float = 0.0, at: Mapping[str, Any] | None = None
) -> Change:
    """`value` gives less than `base`, by this share of the base's mean at least."""
    return Change(experiment, response, axis, value, base, at or {}, highest=-by)


def greater(
    experiment: str, response: str, axis: str, value: Any, base: Any, *, by: float = 0.0, at: Mapping[str, Any] | None = None
) -> Change:
    """`value` gives more than `base`, by this share of the base's mean at least."""
    return Change(experiment, response, axis, value, base, at or {}, lowest=by)


def no_more(
    experiment: str, response: str, axis: str, value: Any, base: Any, *, margin: float, at: Mapping[str, Any] | None = None
) -> Change:
    """`value` gives no more than `base` but for a margin that nobody would mind ("no worse")."""
    return Change(experiment, response, axis, value, base, at or {}, highest=margin)


def same(experiment: str, response: str, axis: str, value: Any, base: Any, *, margin: float, at: Mapping[str, Any] | None = None) -> Change:
    """`value` and `base` differ by no more than a margin, a share of the base's mean."""
    return Change(experiment, response, axis, value, base, at or {}, lowest=-margin, highest=margin)


@dataclass(frozen=True)
class Growth(Pairing):
    """The response grows slower along an axis of numbers with `value` than with `base`: slopes of least squares, paired by seed."""

    along: str = ""
    by: float = 0.0
    """By what share of the base's slope at least."""

    def describe(self) -> str:
        """The rule."""
        return (
            f"{words(self.response)} of {quoted(self.value)} grows{_by(self.by)} slower over {words(self.along)} than that of "
            f"{quoted(self.base)}: slope of a line through each seed's runs (least squares), paired by seed, 95 % confidence{self.where}"
        )

    def judge(self, results: Results) -> Verdict:
        """Weigh the difference of slopes."""
        numbers = results.numbers(self.experiment, self.along)
        pairs = self.pairs(results)
        ours, base = (self._slopes([pair[which] for pair in pairs], numbers) for which in (0, 1))
        seeds = [seed for seed in ours if seed in base]
        a, b = [ours[seed] for seed in seeds], [base[seed] for seed in seeds]
        subject = f"Slope of {words(self.response)} over {self.along}"
        if not seeds:
            one_only = [f"all but one value of {self.along}"] if len(pairs) == 1 else []
            return verdict_of(subject, [], self.left_out(results) or one_only)
        found = differences([(a, b)], confidence_of(1))[0]
        one = _weighed("", found, b, Range(highest=-self.by))
        verdict = verdict_of(subject, [one])
        means = {name: math.fsum(each) / len(each) for name, each in (("slope", a), ("base_slope", b))}
        return replace(verdict, figures={**verdict.figures, **means})

    def _slopes(self, spots: Sequence[Spot], numbers: Mapping[Any, float]) -> dict[int, float]:
        import numpy as np

        seeds = set.intersection(*(set(spot.values) for spot in spots)) if spots else set()
        x = [numbers[spot.labels[self.along]] for spot in spots]
        return {seed: float(np.polyfit(x, [spot.values[seed] for spot in spots], 1)[0]) for seed in sorted(seeds)} if len(x) > 1 else {}


@dataclass(frozen=True)
class Level:
    """The mean of a response lies in a range, at every setting."""

    experiment: str
    response: str
    lowest: float = -math.inf
    highest: float = math.inf
    at: Mapping[str, Any] = field(default_factory=dict)
    unit: str = ""
    """Of the ends, where the response has a name of its own; a metric's is known."""

    @property
    def experiments(self) -> tuple[str, ...]:
        """The experiment."""
        return (self.experiment,)

    def describe(self) -> str:
        """The rule."""
        unit = self.unit or _unit_of(self.response)
        ends = [
            f"{words} {quantity(end, unit, 4)}"
            for words, end in (("at least", self.lowest), ("at most", self.highest))
            if math.isfinite(end)
        ]
        return f"mean {words(self.response)} is {' and '.join(ends)}, {_ALL}{_held(self.at)}"

    def judge(self, results: Results) -> Verdict:
        """Weigh each setting."""
        unit = results.shown_unit(self.experiment, self.response)
        spots = results.spots(self.experiment, self.response, self.at)
        found = estimates([list(spot.values.values()) for spot in spots], confidence_of(len(spots)))
        claimed = Range(self.lowest, self.highest)
        evidence = [
            Evidence(name, claimed.leaning(one.low, one.high), one.mean, one.low, one.high, unit, one.n, one.why)
            for name, one in zip(spot_names(spots), found, strict=True)
        ]
        return verdict_of(capital(words(self.response)), evidence, results.left_out(self.experiment, self.at))


def within(experiment: str, response: str, number: float, *, tolerance: float, at: Mapping[str, Any] | None = None) -> Level:
    """A mean agrees with a printed number: within this share of it."""
    return Level(experiment, response, number - tolerance * abs(number), number + tolerance * abs(number), at or {})


@dataclass(frozen=True)
class Effect(Pairing):
    """Answers a question: by how much `value` differs from `base`, and where clearly so."""

    better: str = "less"
    """What of the response one wishes: less or more."""

    def describe(self) -> str:
        """How it is answered."""
        who = f"{words(self.response)} of {quoted(self.value)} against {quoted(self.base)}{self.where}"
        return f"{who}, paired by seed; clearly different where the interval leaves out zero, each of 1 − 5 %/k confidence for k settings"

    def judge(self, results: Results) -> Verdict:
        """Tell where it is clearly less, clearly more, neither."""
        below = self.weigh(results, Range(highest=0.0))
        judged = [replace(each, leaning=self._leaning(each)) for each in below]
        sides: dict[str, list[Evidence]] = {"less": [], "more": [], "neither": []}
        for each in judged:
            sides["neither" if each.leaning == "open" else self.better if each.leaning == "for" else _OTHER[self.better]].append(each)
        counts: dict[str, Any] = {side: len(these) for side, these in sides.items()}
        subject = capital(words(self.response))
        if not below:
            return verdict_of(subject, [], self.left_out(results))
        if not any(each.n for each in below):
            return Verdict("cannot be judged", "no setting has a value of both.", counts, tuple(judged), subject)
        return Verdict("answered", f"{_told(sides, len(judged))} ({seeds_of(judged)}).", counts, tuple(judged), subject)

    def _leaning(self, each: Evidence) -> Leaning:
        """Whether it is clearly what one wishes, clearly the contrary, or neither."""
        if each.leaning == "for":
            side = "less"
        elif each.leaning == "against" and (each.low is None or each.low > 0.0):
            side = "more"
        else:
            return "open"
        return "for" if side == self.better else "against"


_OTHER = {"less": "more", "more": "less"}
_SIDES = {"less": "clearly less", "more": "clearly more", "neither": "no clear difference"}


def _told(sides: Mapping[str, Sequence[Evidence]], count: int) -> str:
    parts = []
    for side, these in sides.items():
        if not these:
            continue
        none = side == "neither" and all(each.low == each.high == 0.0 for each in these)
        where = f" ({places(these)})" if len(these) <= 3 else ""
        at = f"all {count} settings" if len(these) == count > 1 else f"{len(these)} of {count}{where}" if count > 1 else ""
        told = "no difference at all" if none else f"{_SIDES[side]}, {span(these)}"
        parts.append(f"{told}{f', at {at}' if at else ''}")
    return "; ".join(parts)


def _unit_of(response: str) -> str:
    """A metric's unit; a pure number's of a response that is called otherwise."""
    try:
        return find_metric(response).unit
    except UnknownMetricError:
        return "1"


def _by(share: float) -> str:
    return f" by {percent(share)} or more" if share > 0 else ""
