"""Turns intervals into a verdict, by one rule for all criteria.

A claim says that a figure lies in a range, at some settings. An interval wholly inside speaks for
it, one wholly outside against it, and one across an end leaves it open. A setting where neither
side has anything of which the other could have less says nothing. All for: the claim holds. Some
for: in part. None for, and some against: it does not hold. All open: it cannot be judged from so
many seeds. Each of k intervals has confidence 1 - 0.05/k (Bonferroni), so that all k together err
in at most one of twenty studies, for any number of settings.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ackclock.plot_data.sweep.scale import words
from ackclock.studies.claim import Evidence, Leaning, Verdict, VerdictKind
from ackclock.tables.quantities import MISSING, quantity, significant
from ackclock.verdicts import ranges
from ackclock.verdicts.families import ALPHA, bonferroni
from ackclock.verdicts.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.stats.bounded import Change
    from ackclock.stats.means import Estimate
    from ackclock.stats.quantiles import QuantileInterval
    from ackclock.studies.results import Spot
    from ackclock.verdicts.judgement import Kind

__all__ = [
    "ERROR",
    "LEANINGS",
    "Range",
    "capital",
    "conclude",
    "confidence_of",
    "counted",
    "percent",
    "places",
    "quoted",
    "seeds_of",
    "shown",
    "signed",
    "span",
    "spot_names",
    "tally_of",
    "verdict_of",
]

ERROR = ALPHA
"""Probability that any interval of a criterion misses its true value."""

_FACTOR = 10.0
"""Smallest ratio that is told as a factor, because ×27 is clearer than +2,566 %."""
# Digits beyond the usual ones; a double has no more.
_MOST_DIGITS = 14


LEANINGS: Mapping[Kind, Leaning] = {
    "within": "for",
    "beyond": "against",
    "undecided": "open",
    "tie": "tie",
}
"""A study's words for outcomes: an interval speaks for a claim, or against it."""

_KINDS: Mapping[Leaning, Kind] = {word: kind for kind, word in LEANINGS.items()}


class Range(ranges.Range):
    """Range in which a claim says that a figure lies."""

    def leaning(self, low: float | None, high: float | None) -> Leaning:
        """Return whether an interval speaks for or against the range, or leaves it open."""
        return LEANINGS[self.kind(low, high)]

    def evidence(
        self,
        where: str,
        interval: Estimate | Change | QuantileInterval,
        value: float | None,
        unit: str,
    ) -> Evidence:
        """Return the evidence of an interval about `value`, for or against the range."""
        leaning = self.leaning(interval.low, interval.high)
        return Evidence(
            where, leaning, value, interval.low, interval.high, unit, interval.n, interval.why
        )


def confidence_of(count: int) -> float:
    """Return the confidence of each of so many intervals."""
    return 1.0 - bonferroni(ERROR, count)


def tally_of(evidence: Sequence[Evidence]) -> Tally:
    """Return how many of the intervals speak for the claim, against it, or leave it open."""
    return Tally.of(_KINDS[piece.leaning] for piece in evidence)


def conclude(evidence: Sequence[Evidence]) -> VerdictKind:
    """Return the verdict that the intervals give."""
    tally = tally_of(evidence)
    if tally.tie and not tally.judged:
        return "nothing to judge"
    return _verdict(tally)


def counted(passed: int, total: int) -> VerdictKind:
    """Return the verdict of a rule that passes at some of so many places."""
    return _verdict(Tally(within=passed, beyond=total - passed))


def _verdict(tally: Tally) -> VerdictKind:
    if tally.is_all:
        return "holds"
    if tally.within:
        return "in part"
    return "does not hold" if tally.beyond else "cannot be judged"


def verdict_of(what: str, evidence: Sequence[Evidence], left_out: Sequence[str] = ()) -> Verdict:
    """Return the verdict with its sentence and figures.

    Parameters
    ----------
    what
        Name of the weighed quantity.
    evidence
        Its intervals.
    left_out
        Settings that quick runs leave out, if there are no intervals.
    """
    if not evidence:
        reason = (
            f"the quick runs leave out {' and '.join(left_out)}."
            if left_out
            else "there are no runs of it."
        )
        return Verdict(
            "cannot be judged", reason, {"weighed": []}, subject=what, left_out=tuple(left_out)
        )
    figures = {"weighed": [asdict(piece) for piece in evidence]}
    return Verdict(conclude(evidence), _sentence(evidence), figures, tuple(evidence), subject=what)


def _sentence(evidence: Sequence[Evidence]) -> str:
    if len(evidence) == 1:
        piece = evidence[0]
        where = f" at {piece.where}" if piece.where else ""
        undecided = {"open": "; these seeds leave it open", "tie": ": nothing to judge"}.get(
            piece.leaning, ""
        )
        return f"{shown(piece)}{where}{undecided} ({seeds_of(evidence)})."
    parts = []
    for leaning, said in (
        ("for", "as claimed"),
        ("against", "not so"),
        ("open", "undecided"),
        ("tie", "nothing to judge"),
    ):
        these = [piece for piece in evidence if piece.leaning == leaning]
        if these:
            count = (
                f"all {len(these)} settings"
                if len(these) == len(evidence)
                else f"{len(these)} of {len(evidence)} settings ({places(these)})"
            )
            parts.append(f"{said} at {count}: {span(these)}")
    return f"{'; '.join(parts)} ({seeds_of(evidence)})."


def span(these: Sequence[Evidence]) -> str:
    """Return the range of the figures, from the least to the most."""
    known = [piece for piece in these if piece.value is not None]
    if not known:
        return "some where the base has none"
    if len(these) == 1:
        return shown(these[0])
    least, most = min(known, key=_value), max(known, key=_value)
    return _bare(least) if _bare(least) == _bare(most) else f"{_bare(least)} to {_bare(most)}"


def _value(evidence: Evidence) -> float:
    return math.nan if evidence.value is None else evidence.value


def places(these: Sequence[Evidence]) -> str:
    """Return the places: all of a few, otherwise the first and the number of the others."""
    names = [piece.where for piece in these]
    if len(names) <= 8:
        return _folded(names)
    return f"{_folded(names[:5])} and {len(names) - 5} more"


def _folded(names: Sequence[str]) -> str:
    """Fold `n = 1`, `n = 5`, `n = 10` into `n = 1, 5, 10`."""
    split = [name.rpartition(" = ") for name in names]
    leads = {lead for lead, _, _ in split}
    if len(names) > 1 and len(leads) == 1 and (lead := leads.pop()):
        return f"{lead} = {', '.join(last for _, _, last in split)}"
    return "; ".join(names)


def seeds_of(evidence: Sequence[Evidence]) -> str:
    """Return `12 seeds`."""
    counts = sorted({piece.n for piece in evidence})
    seeds = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"{seeds} seed{'' if counts == [1] else 's'}"


def shown(evidence: Evidence) -> str:
    """Return a figure with its interval."""
    if evidence.value is None:
        return MISSING
    if evidence.low is None or evidence.high is None:
        return _bare(evidence)
    if evidence.low == evidence.high:
        return _bare(evidence) if evidence.n == 1 else f"{_bare(evidence)} in every run"
    # Ends of an interval that differ must not read alike.
    texts = ("", "", "")
    for more in range(_MOST_DIGITS):
        texts = (
            _number(evidence.value, evidence.unit, more),
            _number(evidence.low, evidence.unit, more),
            _number(evidence.high, evidence.unit, more),
        )
        if texts[1] != texts[2]:
            break
    value, low, high = texts
    return f"{value} [{low}, {high}]"


def _bare(evidence: Evidence) -> str:
    return MISSING if evidence.value is None else _number(evidence.value, evidence.unit)


def _number(value: float, unit: str, more: int = 0) -> str:
    """Return a figure with its unit, with a sign if it is a change.

    A change to ten times as much or more is told as a factor. `more` is the number of digits beyond
    the usual two of a change, or three of a quantity.
    """
    if unit == "change":
        if value >= _FACTOR - 1:
            return f"×{significant(1 + value, 2 + more)}"
        if abs(value) < 5e-5 * 10.0**-more:
            return "0 %"
        return f"{'−' if value < 0 else '+'}{significant(100 * abs(value), 2 + more)} %"
    text = quantity(abs(value), unit, 3 + more)
    return f"−{text}" if value < 0 else text


def spot_names(spots: Sequence[Spot], leave_out: Sequence[str] = ()) -> list[str]:
    """Return each setting in words: the labels that differ among them."""
    axes: list[Any] = (
        [] if not spots else [name for name in spots[0].labels if name not in leave_out]
    )
    differing = [name for name in axes if len({spot.labels[name] for spot in spots}) > 1]
    return [
        ", ".join(f"{words(name)} = {_label(spot.labels[name])}" for name in differing)
        for spot in spots
    ]


def _label(label: Any) -> str:
    return f"{label:g}" if isinstance(label, float) else str(label)


def capital(text: str) -> str:
    """Return the text with a capital letter; symbols stay as they are."""
    return f"{text[0].upper()}{text[1:]}" if text[0].isascii() else text


def quoted(label: Any) -> str:
    """Return a label for a sentence: in quotes if it has commas."""
    text = _label(label)
    return f"“{text}”" if "," in text else text


def percent(share: float) -> str:
    """Return `5 %`."""
    return f"{significant(100 * share, 3)} %"


def signed(share: float, digits: int = 2) -> str:
    """Return `+5 %`, or `×12` for ten times as much and more."""
    if abs(share) < 5e-9:
        return "0 %"
    if share >= _FACTOR - 1:
        return f"×{significant(1 + share, digits)}"
    return f"{'−' if share < 0 else '+'}{significant(100 * abs(share), digits)} %"
