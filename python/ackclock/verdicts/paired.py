"""Judges by seed: both sides ran with equal seeds, and chance struck both alike."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ackclock._core import binomial_cdf, student_cdf, student_quantile
from ackclock.stats.intervals import mean_and_deviation
from ackclock.verdicts.judgement import Judgement, Span

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from ackclock.verdicts.judgement import Kind
    from ackclock.verdicts.margin import Margin

__all__ = ["ROUNDING", "Contrast", "beside", "common", "counted", "equivalent", "moved"]

ROUNDING = 8 * sys.float_info.epsilon
"""Share of a value that is rounding: some units in the last place."""

_TINY = 1e-12
_ALIKE = 1e-9
_MOST_SEEDS = 1e6

_FEW_SEEDS = 2
"""Runs with an event beside the subject alone of which fewer are no finding."""


@dataclass(frozen=True)
class Contrast:
    """A judgement whose outcome depends on the others of its family."""

    judgement: Judgement
    p_beyond: float = 1.0
    """Probability of a difference so far beyond the margin by chance."""
    p_better: float = 1.0
    """Probability of a difference so far on the good side by chance."""
    p_within: float = 1.0
    """Probability of a difference so far inside the margin by chance."""
    family: Hashable = None

    @property
    def is_judged(self) -> bool:
        """Whether there is anything to decide."""
        return self.judgement.margin is not None or self.judgement.counts is not None


def common(*rows: Sequence[float | None]) -> list[tuple[float, ...]]:
    """The values of each row at the seeds at which every row has one."""
    kept = [at for at in zip(*rows, strict=True) if None not in at]
    return [tuple(float(at[row]) for at in kept) for row in range(len(rows))]


def beside(plain: Judgement, margin: Margin, family: Hashable = None) -> Contrast:
    """The figure against the worse of its references, and against the better one for "better".

    Parameters
    ----------
    plain
        With values and references of equal seeds, in the same order.
    margin
        Largest difference to the worse reference that is no finding.
    family
        Contrasts of one family share the error (`settled`).
    """
    sign = -1.0 if plain.more_is_better else 1.0
    means = {name: sign * mean_and_deviation(row)[0] for name, row in plain.references.items()}
    worse, best = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
    line = margin.of(sign * means[worse])
    gain = margin.of_better(sign * means[best])
    beyond = [
        sign * (a - b) - line for a, b in zip(plain.values, plain.references[worse], strict=True)
    ]
    better = [
        sign * (b - a) - gain for a, b in zip(plain.values, plain.references[best], strict=True)
    ]
    judgement = replace(
        plain,
        kind="undecided",
        against=worse,
        margin=line,
        difference=_span([value + line for value in beyond]),
        seeds_wanted=_seeds_wanted(beyond),
    )
    return Contrast(
        judgement, _above_zero(beyond), _above_zero(better), _below_zero(beyond), family
    )


def counted(plain: Judgement, family: Hashable = None) -> Contrast:
    """Runs with an event (a value above zero) against those of the worse reference: a sign test."""
    worse = max(
        plain.references, key=lambda name: sum(value > 0.0 for value in plain.references[name])
    )
    pairs = [(a > 0.0, b > 0.0) for a, b in zip(plain.values, plain.references[worse], strict=True)]
    more = sum(a and not b for a, b in pairs)
    fewer = sum(b and not a for a, b in pairs)
    is_none = more < _FEW_SEEDS and len(pairs) > 1
    counts = (sum(a for a, _ in pairs), sum(b for _, b in pairs))
    return Contrast(
        replace(plain, kind="undecided", against=worse, counts=counts),
        p_beyond=binomial_cdf(fewer, more + fewer, 0.5),
        p_within=0.0 if is_none else 1.0,
        family=family,
    )


def moved(plain: Judgement, margin: Margin) -> Judgement:
    """The figure against an earlier value of the same seeds, in either direction.

    The outcome is whether the mean difference is larger than the margin, and `p` the two-sided
    p-value of no difference, by Student's paired t; without spread there is none. `settled_moves`
    says whether chance explains the difference.
    """
    if plain.against is None:
        raise ValueError("a move needs an earlier value")
    old = plain.references[plain.against]
    if not old:
        return replace(plain, kind="within", why="no seed has both values")
    largest = max(max(abs(a), abs(b)) for a, b in zip(old, plain.values, strict=True))
    differences = [b - a for a, b in zip(old, plain.values, strict=True)]
    mean, deviation = mean_and_deviation(differences)
    line = max(margin.of(mean_and_deviation(old)[0]), ROUNDING * largest)
    judgement = replace(plain, kind="beyond" if abs(mean) > line else "within", margin=line)
    if not deviation or max(differences) - min(differences) <= ROUNDING * largest:
        return judgement
    error = deviation / math.sqrt(len(differences))
    half = student_quantile(len(differences) - 1, 0.975) * error
    return replace(
        judgement,
        difference=Span(mean, mean - half, mean + half),
        p=2.0 * student_cdf(len(differences) - 1, -abs(mean) / error),
    )


def equivalent(plain: Judgement, margin: Margin, alpha: float = 0.05) -> Judgement:
    """Whether the figure differs from its reference by no more than the margin, either way.

    "within" is shown, and not only not refuted: the interval of 1 - 2 alpha lies inside the margin.
    "beyond": it lies outside. A figure that all seeds agree on is compared as it is.

    Notes
    -----
    D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach for
    assessing the equivalence of average bioavailability", Journal of Pharmacokinetics and
    Biopharmaceutics 15(6), 1987.

    Examples
    --------
    >>> plain = Judgement(case="c", figure="goodput", unit="bit/s", kind="shown",
    ...     values=(10.0, 10.2, 9.9), references={"kernel": (10.1, 10.1, 10.0)}, against="kernel")
    >>> equivalent(plain, Margin(share=0.05)).kind, equivalent(plain, Margin(share=0.001)).kind
    ('within', 'undecided')
    """
    if plain.against is None:
        raise ValueError("equivalence needs a reference")
    old = plain.references[plain.against]
    if not old:
        return replace(plain, kind="undecided", why="no seed has both values")
    differences = [a - b for a, b in zip(plain.values, old, strict=True)]
    line = margin.of(mean_and_deviation(old)[0])
    above = _above_zero([-value - line for value in differences])
    below = _above_zero([value - line for value in differences])
    inside = max(
        _below_zero([value - line for value in differences]),
        _below_zero([-value - line for value in differences]),
    )
    is_beyond = min(above, below) < alpha
    kind: Kind = "within" if inside < alpha else "beyond" if is_beyond else "undecided"
    return replace(
        plain, kind=kind, margin=line, difference=_span(differences), p=min(inside, above, below)
    )


def _is_constant(values: Sequence[float]) -> bool:
    size = max(max(abs(value) for value in values), _TINY)
    return max(values) - min(values) <= _ALIKE * size


def _above_zero(values: Sequence[float]) -> float:
    """One-sided Student's t: probability of such a mean if the true one is not above zero.

    A difference that all seeds agree on is compared as it is; one seed alone proves nothing.
    """
    if len(values) < 2:
        return 1.0
    mean, deviation = mean_and_deviation(values)
    if _is_constant(values) or deviation is None:
        return 0.0 if mean > _TINY else 1.0
    return student_cdf(len(values) - 1, -mean / (deviation / math.sqrt(len(values))))


def _below_zero(values: Sequence[float]) -> float:
    """As `_above_zero`, on the other side; a difference that is the margin itself is within it."""
    if len(values) > 1 and _is_constant(values):
        return 0.0 if mean_and_deviation(values)[0] <= _TINY else 1.0
    return _above_zero([-value for value in values])


def _span(values: Sequence[float]) -> Span:
    mean, deviation = mean_and_deviation(values)
    if deviation is None or _is_constant(values):
        return Span(mean, mean, mean)
    half = student_quantile(len(values) - 1, 0.975) * deviation / math.sqrt(len(values))
    return Span(mean, mean - half, mean + half)


def _seeds_wanted(beyond: Sequence[float]) -> int | None:
    """Seeds for a verdict: (2 sd / |mean - line|)^2, and no fewer than were run."""
    mean, deviation = mean_and_deviation(beyond)
    if abs(mean) < _TINY or deviation is None:
        return None
    wanted = (2.0 * deviation / mean) ** 2
    return max(len(beyond), math.ceil(wanted)) if wanted < _MOST_SEEDS else None
