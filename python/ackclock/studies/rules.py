"""Criteria without intervals: closed forms, rules of a study, several criteria at once."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.studies.claim import Criterion, Evidence, Verdict, VerdictKind
from ackclock.studies.weighing import LEANINGS, Range, capital, conclude, percent, signed, tally_of
from ackclock.tables.quantities import quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.studies.results import Results

__all__ = ["Agreement", "All", "Rule", "Unjudged"]


@dataclass(frozen=True)
class Agreement:
    """Measured figures agree with computed ones, one by one.

    For closed forms and curves, which have nothing random.
    """

    what: str
    """The comparison in words, such as “a against b”."""
    pairs: Callable[[Results], Sequence[tuple[str, float, float]]]
    """Returns name, measured and computed figure of each comparison."""
    tolerance: float
    """Largest allowed difference, as a share of the computed figure."""
    experiments: tuple[str, ...] = ()
    unit: str = "1"
    names: tuple[str, str] = ("measured", "computed")

    def describe(self) -> str:
        """Return the rule in a sentence."""
        return (
            f"{self.what}: "
            f"{f'each within {percent(self.tolerance)}' if self.tolerance else 'each the same'}"
        )

    def judge(self, results: Results) -> Verdict:
        """Compare each measured figure with the computed one."""
        pairs = list(self.pairs(results))
        errors = [
            (measured - computed) / abs(computed) if computed else measured - computed
            for _, measured, computed in pairs
        ]
        evidence = [
            Evidence(
                name,
                LEANINGS[Range(-self.tolerance, self.tolerance).kind_of(error)],
                error,
                error,
                error,
                "change",
                1,
                self._told(measured, computed),
            )
            for (name, measured, computed), error in zip(pairs, errors, strict=True)
        ]
        figures = {
            "pairs": [
                {"name": name, "measured": measured, "computed": computed}
                for name, measured, computed in pairs
            ]
        }
        if not pairs:
            return Verdict(
                "cannot be judged", f"{self.what}: there is nothing to hold against it.", figures
            )
        worst = max(range(len(pairs)), key=lambda at: abs(errors[at]))
        name, measured, computed = pairs[worst]
        inside = tally_of(evidence).within
        sentence = (
            f"{inside} of {len(pairs)} agree; the largest difference is {signed(errors[worst])}, "
            f"at {name}: {self._told(measured, computed)}."
            if any(errors)
            else f"{inside} of {len(pairs)} agree, to the last digit."
        )
        return Verdict(
            conclude(evidence), sentence, figures, tuple(evidence) if len(evidence) <= 40 else ()
        )

    def _told(self, measured: float, computed: float) -> str:
        return (
            f"{quantity(measured, self.unit, 4)} {self.names[0]}, "
            f"{quantity(computed, self.unit, 4)} {self.names[1]}"
        )


@dataclass(frozen=True)
class Rule:
    """A rule of the study, where no common criterion fits; `declared` must say it as precisely."""

    declared: str
    verdict: Callable[[Results], Verdict]
    experiments: tuple[str, ...] = ()

    def describe(self) -> str:
        """Return the rule in a sentence."""
        return self.declared

    def judge(self, results: Results) -> Verdict:
        """Apply the rule to a run."""
        return self.verdict(results)


@dataclass(frozen=True)
class Unjudged:
    """A claim that no run of ackclock can decide."""

    because: str
    experiments: tuple[str, ...] = ()

    def describe(self) -> str:
        """Say that there is no criterion."""
        return f"none: {self.because}"

    def judge(self, results: Results) -> Verdict:  # noqa: ARG002
        """Say so."""
        return Verdict("cannot be judged", f"{capital(self.because)}.")


@dataclass(frozen=True)
class All:
    """Several criteria at once: all hold, some hold, or none holds."""

    parts: tuple[tuple[str, Criterion], ...]
    """The criteria, each with a name."""

    @property
    def experiments(self) -> tuple[str, ...]:
        """Return the experiments of all parts."""
        return tuple(dict.fromkeys(name for _, part in self.parts for name in part.experiments))

    def describe(self) -> str:
        """Return the rules in a sentence."""
        descriptions = [part.describe() for _, part in self.parts]
        common = _common_end(descriptions)
        clauses = [
            f"{name}: {text.removesuffix(common)}"
            for (name, _), text in zip(self.parts, descriptions, strict=True)
        ]
        return "; ".join([*clauses, f"all {common.removeprefix(', ')}"] if common else clauses)

    def judge(self, results: Results) -> Verdict:
        """Judge each part and weigh the verdicts like intervals.

        Parts that quick runs leave out are named once.
        """
        every = [(name, part.judge(results)) for name, part in self.parts]
        verdicts = [
            (name, verdict)
            for name, verdict in every
            if verdict.evidence or verdict.parts or not verdict.left_out
        ]
        left_out = tuple(dict.fromkeys(label for _, verdict in every for label in verdict.left_out))
        if not verdicts:
            return Verdict(
                "cannot be judged",
                f"the quick runs leave out {' and '.join(left_out)}.",
                left_out=left_out,
            )
        kind = _together({verdict.kind for _, verdict in verdicts})
        sentences = [
            f"{capital(name)}: {verdict.sentence}"
            if verdict.kind == "answered"
            else f"{capital(name)}: {verdict.kind}. {capital(verdict.sentence)}"
            for name, verdict in verdicts
        ]
        if left_out:
            sentences.append(f"The quick runs leave out {', '.join(left_out)}.")
        sentence = " ".join(sentences)
        evidence = [
            Evidence(
                f"{name}{', ' if piece.where else ''}{piece.where}",
                piece.leaning,
                piece.value,
                piece.low,
                piece.high,
                piece.unit,
                piece.n,
                piece.why,
            )
            for name, verdict in verdicts
            for piece in verdict.evidence
        ]
        figures = {name: {"verdict": verdict.kind, **verdict.figures} for name, verdict in verdicts}
        return Verdict(
            kind, sentence, figures, tuple(evidence), parts=tuple(verdicts), left_out=left_out
        )


_PAIRS = (("(", ")"), ("“", "”"))


def _common_end(texts: Sequence[str]) -> str:
    """Return the common end of all sentences, from a comma on, so that it is said only once."""
    if len(texts) < 2:
        return ""
    letters = itertools.takewhile(
        lambda at: len(set(at)) == 1, zip(*(reversed(text) for text in texts), strict=False)
    )
    end = "".join(at[0] for at in letters)[::-1]
    starts = [
        at
        for at in range(len(end))
        if end.startswith(", ", at) and all(end.count(a, at) == end.count(b, at) for a, b in _PAIRS)
    ]
    return end[starts[0] :] if starts else ""


def _together(kinds: set[VerdictKind]) -> VerdictKind:
    if len(kinds) == 1:
        return next(iter(kinds))
    if "nothing to judge" in kinds:
        return _together(kinds - {"nothing to judge"})
    if "answered" in kinds:
        return "answered"
    return "in part" if kinds & {"holds", "in part"} else "does not hold"
