"""Criteria: each says beforehand what would have to come out, and judges what did.

All follow the rule of `ackclock.studies.weighing`: a figure's interval lies inside the claimed range, outside, or across its end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock.results.text import quantity, significant, spoken
from ackclock.stats import Difference, differences, estimates
from ackclock.studies.claim import Criterion, Evidence, Verdict, VerdictKind
from ackclock.studies.weighing import Range, conclude, confidence_of, places, spot_names, verdict_of

if TYPE_CHECKING:
    from ackclock.studies.results import Results, Spot

__all__ = ["Agreement", "All", "Change", "Effect", "Growth", "Level", "Rule", "Unjudged", "greater", "less", "no_more", "same", "within"]

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
        held = [f"{name} = {', '.join(map(str, wanted)) if isinstance(wanted, list | tuple) else wanted}" for name, wanted in self.at.items()]
        return f" (at {'; '.join(held)})" if held else ""

    def pairs(self, results: Results) -> list[tuple[Spot, Spot]]:
        """The settings with the value, each with that of the base."""
        ours = results.spots(self.experiment, self.response, {**self.at, self.axis: self.value})
        base = results.spots(self.experiment, self.response, {**self.at, self.axis: self.base})
        return list(zip(ours, base, strict=True))


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
        return Evidence(where, claimed.leaning(*ends), None, None, None, "change", found.n, f"{found.difference:+.3g} where the base has none")
    shares = [None if each is None else each / (mean or 1.0) for each in (found.difference, found.low, found.high)]
    return Evidence(where, claimed.leaning(shares[1], shares[2]), *shares, "change", found.n, found.why)


@dataclass(frozen=True)
class Change(Pairing):
    """The paired difference of `value` from `base`, as a share of the base's mean, lies in a range. Made by `less`, `greater`, ..."""

    lowest: float = -math.inf
    highest: float = math.inf

    def describe(self) -> str:
        """The rule."""
        who = f"{spoken(self.response)} of {self.value}"
        if self.lowest == -math.inf and self.highest > 0:
            said = f"{who} is no more than {_share(self.highest)} above that of {self.base}"
        elif self.lowest == -math.inf:
            said = f"{who} is{_by(-self.highest)} less than that of {self.base}"
        elif self.highest == math.inf:
            said = f"{who} is{_by(self.lowest)} greater than that of {self.base}"
        else:
            said = f"{who} is between {_signed(self.lowest)} and {_signed(self.highest)} of that of {self.base}"
        return f"{said}, paired by seed, {_ALL}{self.where}"

    def judge(self, results: Results) -> Verdict:
        """Weigh each setting of the other axes."""
        return verdict_of(f"{self.value} against {self.base}, {spoken(self.response)}", self.weigh(results))

    def weigh(self, results: Results) -> list[Evidence]:
        """An interval for each setting."""
        pairs = self.pairs(results)
        values = [_in_common(a, b) for a, b in pairs]
        found = differences(values, confidence_of(len(values)))
        names = spot_names([a for a, _ in pairs], (self.axis,))
        claimed = Range(self.lowest, self.highest)
        return [_weighed(name, one, base, claimed) for name, one, (_, base) in zip(names, found, values, strict=True)]


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


def no_more(experiment: str, response: str, axis: str, value: Any, base: Any, *, margin: float, at: Mapping[str, Any] | None = None) -> Change:
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
            f"{spoken(self.response)} of {self.value} grows{_by(self.by)} slower over {self.along} than that of {self.base}: slope of a line "
            f"through each seed's runs (least squares), paired by seed, 95 % confidence{self.where}"
        )

    def judge(self, results: Results) -> Verdict:
        """Weigh the difference of slopes."""
        numbers = results.numbers(self.experiment, self.along)
        ours, base = (self._slopes([pair[which] for pair in self.pairs(results)], numbers) for which in (0, 1))
        seeds = [seed for seed in ours if seed in base]
        a, b = [ours[seed] for seed in seeds], [base[seed] for seed in seeds]
        found = differences([(a, b)], confidence_of(1))[0]
        one = _weighed("", found, b, Range(highest=-self.by))
        verdict = verdict_of(f"Slope of {spoken(self.response)} over {self.along}, {self.value} against {self.base}", [one])
        means = {name: math.fsum(each) / len(each) for name, each in (("slope", a), ("base_slope", b)) if each}
        return Verdict(verdict.kind, verdict.sentence, {**verdict.figures, **means}, verdict.evidence)

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

    @property
    def experiments(self) -> tuple[str, ...]:
        """The experiment."""
        return (self.experiment,)

    def describe(self) -> str:
        """The rule."""
        ends = [f"{words} {significant(end, 4)}" for words, end in (("at least", self.lowest), ("at most", self.highest)) if math.isfinite(end)]
        where = "; ".join(f"{name} = {wanted}" for name, wanted in self.at.items())
        return f"mean {spoken(self.response)} is {' and '.join(ends)} (base units), {_ALL}{f' (at {where})' if where else ''}"

    def judge(self, results: Results) -> Verdict:
        """Weigh each setting."""
        unit = results.unit(self.experiment, self.response)
        spots = results.spots(self.experiment, self.response, self.at)
        found = estimates([list(spot.values.values()) for spot in spots], confidence_of(len(spots)))
        claimed = Range(self.lowest, self.highest)
        evidence = [
            Evidence(name, claimed.leaning(one.low, one.high), one.mean, one.low, one.high, unit, one.n, one.why)
            for name, one in zip(spot_names(spots), found, strict=True)
        ]
        return verdict_of(spoken(self.response)[0].upper() + spoken(self.response)[1:], evidence)


def within(experiment: str, response: str, number: float, *, tolerance: float, at: Mapping[str, Any] | None = None) -> Level:
    """A mean agrees with a printed number: within this share of it."""
    return Level(experiment, response, number - tolerance * abs(number), number + tolerance * abs(number), at or {})


@dataclass(frozen=True)
class Agreement:
    """Measured figures agree with computed ones, one by one; for closed forms and curves, where there is nothing random."""

    what: str
    """What is held against what, in words."""
    pairs: Callable[[Results], Sequence[tuple[str, float, float]]]
    """Name, measured, computed."""
    tolerance: float
    """As a share of the computed figure."""
    experiments: tuple[str, ...] = ()
    unit: str = "1"

    def describe(self) -> str:
        """The rule."""
        return f"{self.what}: each within {_share(self.tolerance)}"

    def judge(self, results: Results) -> Verdict:
        """Hold each against the other."""
        found = list(self.pairs(results))
        errors = [(measured - computed) / abs(computed) if computed else measured - computed for _, measured, computed in found]
        evidence = [
            Evidence(name, "for" if abs(error) <= self.tolerance else "against", error, error, error, "change", 1)
            for (name, _, _), error in zip(found, errors, strict=True)
        ]
        figures = {"pairs": [{"name": name, "measured": measured, "computed": computed} for name, measured, computed in found]}
        if not found:
            return Verdict("cannot be judged", f"{self.what}: there is nothing to hold against it.", figures)
        worst = max(range(len(found)), key=lambda at: abs(errors[at]))
        name, measured, computed = found[worst]
        inside = sum(each.leaning == "for" for each in evidence)
        sentence = (
            f"{inside} of {len(found)} agree; the largest difference is {_signed(errors[worst], 3)}, at {name}: "
            f"{quantity(measured, self.unit, 4)} measured, {quantity(computed, self.unit, 4)} computed."
        )
        return Verdict(conclude(evidence), sentence, figures, tuple(evidence) if len(evidence) <= 40 else ())


@dataclass(frozen=True)
class Rule:
    """A rule of the study's own, where none of the others says it; `declared` must say as much as they do."""

    declared: str
    verdict: Callable[[Results], Verdict]
    experiments: tuple[str, ...] = ()

    def describe(self) -> str:
        """The rule."""
        return self.declared

    def judge(self, results: Results) -> Verdict:
        """Apply it."""
        return self.verdict(results)


@dataclass(frozen=True)
class Unjudged:
    """No run of ours can decide it."""

    because: str
    experiments: tuple[str, ...] = ()

    def describe(self) -> str:
        """That there is none."""
        return f"none: {self.because}"

    def judge(self, results: Results) -> Verdict:  # noqa: ARG002
        """Say so."""
        return Verdict("cannot be judged", f"{self.because[0].upper()}{self.because[1:]}.")


@dataclass(frozen=True)
class All:
    """Several criteria at once: all hold, some do, none does."""

    parts: tuple[tuple[str, Criterion], ...]
    """Each with a name."""

    @property
    def experiments(self) -> tuple[str, ...]:
        """Those of the parts."""
        return tuple(dict.fromkeys(name for _, part in self.parts for name in part.experiments))

    def describe(self) -> str:
        """The rules."""
        return "; and ".join(f"{name}: {part.describe()}" for name, part in self.parts)

    def judge(self, results: Results) -> Verdict:
        """Judge each; their verdicts are weighed as intervals are."""
        found = [(name, part.judge(results)) for name, part in self.parts]
        kind = _together({verdict.kind for _, verdict in found})
        sentence = " ".join(f"{name[0].upper()}{name[1:]}: {verdict.kind}. {verdict.sentence}" for name, verdict in found)
        evidence = [
            Evidence(f"{name}{', ' if each.where else ''}{each.where}", each.leaning, each.value, each.low, each.high, each.unit, each.n, each.why)
            for name, verdict in found
            for each in verdict.evidence
        ]
        figures = {name: {"verdict": verdict.kind, **verdict.figures} for name, verdict in found}
        return Verdict(kind, sentence, figures, tuple(evidence))


def _together(kinds: set[VerdictKind]) -> VerdictKind:
    if len(kinds) == 1:
        return next(iter(kinds))
    if "answered" in kinds:
        return "answered"
    return "in part" if kinds & {"holds", "in part"} else "does not hold"


@dataclass(frozen=True)
class Effect(Pairing):
    """Answers a question: by how much `value` differs from `base`, and where clearly so."""

    better: str = "less"
    """What of the response one wishes: less or more."""

    def describe(self) -> str:
        """How it is answered."""
        return f"{spoken(self.response)} of {self.value} against {self.base}, paired by seed; clearly different: the interval leaves out zero, {_ALL}{self.where}"

    def judge(self, results: Results) -> Verdict:
        """Tell where it is clearly less, clearly more, neither."""
        who = f"{self.value} against {self.base}, {spoken(self.response)}"
        below = Change(self.experiment, self.response, self.axis, self.value, self.base, self.at, highest=0.0).weigh(results)
        clear = {"less": [], "more": [], "neither": []}  # type: dict[str, list[Evidence]]
        for each in below:
            is_more = each.leaning == "against" and (each.low is None or each.low > 0.0)
            side = "less" if each.leaning == "for" else "more" if is_more else "neither"
            clear[side].append(each)
        judged: list[Evidence] = []
        for each in below:
            side = next(side for side, these in clear.items() if each in these)
            leaning = "open" if side == "neither" else "for" if side == self.better else "against"
            judged.append(Evidence(each.where, leaning, each.value, each.low, each.high, each.unit, each.n, each.why))  # type: ignore[arg-type]
        known = [each for each in below if each.value is not None]
        if not known:
            return Verdict("cannot be judged", f"{who}: no setting has runs of both.", {}, tuple(judged))
        counts = {side: len(these) for side, these in clear.items()}
        told = {side: f"{len(these)}{f' ({places(these)})' if 0 < len(these) <= 3 and len(below) > 1 else ''}" for side, these in clear.items()}
        least, most = (pick(known, key=lambda each: each.value) for pick in (min, max))
        middle = sorted(each.value for each in known if each.value is not None)[len(known) // 2]
        spans = f"from {_at(least)} to {_at(most)}, median {_signed(middle)}" if len(known) > 1 else _at(least)
        sentence = (
            f"{who}: clearly less at {told['less']} of {len(below)} settings, clearly more at {told['more']}, "
            f"not told apart at {counts['neither']}; {spans} ({known[0].n} seeds)."
        )
        return Verdict("answered", sentence, {"counts": counts, "median": middle}, tuple(judged))


def _at(each: Evidence) -> str:
    value = each.value
    assert value is not None
    return f"{_signed(value)}{f' ({each.where})' if each.where else ''}"


def _share(share: float) -> str:
    return f"{significant(100 * share, 3)} %"


def _signed(share: float, digits: int = 2) -> str:
    if abs(share) < 5e-9:
        return "0 %"
    return f"{'−' if share < 0 else '+'}{significant(100 * abs(share), digits)} %"


def _by(share: float) -> str:
    return f" by {_share(share)} or more" if share > 0 else ""
