"""Judgements in words, for terminals, reports of CI servers and logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.tables.intervals import p_value, with_error
from ackclock.tables.quantities import quantity

if TYPE_CHECKING:
    from ackclock.verdicts.judgement import Judgement
    from ackclock.verdicts.words import Words

__all__ = ["allowed", "change", "compared", "count", "sentence", "share", "shown"]

_DIGITS = 4


def shown(value: float | None, unit: str) -> str:
    """A figure with its unit, four digits."""
    return quantity(value, unit, _DIGITS).replace("-", "−")


def count(number: int, noun: str) -> str:
    """A number of things: `1 cell`, `2 cells`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def allowed(judgement: Judgement) -> str:
    """The means that are within, as text; "" if there is no end."""
    low, high, unit = judgement.low, judgement.high, judgement.unit
    if low is None and high is None:
        return ""
    if low is None:
        return f"at most {shown(high, unit)}"
    if high is None:
        return f"at least {shown(low, unit)}"
    if judgement.against is None:
        return f"{shown(low, unit)} to {shown(high, unit)}"
    # The interval about a recording lies evenly about its mean.
    return with_error((low + high) / 2, (high - low) / 2, unit)


def change(judgement: Judgement) -> str:
    """The difference with its unit, and its interval if it has one; "" if not known."""
    difference = _difference(judgement)
    if difference is None:
        return ""
    if judgement.difference is not None:
        text = with_error(difference, judgement.difference.half_width, judgement.unit)
    else:
        text = shown(difference, judgement.unit)
    return f"+{text}" if difference > 0 else text


def share(judgement: Judgement) -> str:
    """The difference as a share of the reference's mean; "" if not known."""
    before, difference = judgement.reference_mean, _difference(judgement)
    if not before or not difference:
        return ""
    return f"{100 * difference / abs(before):+.2g} %".replace("-", "−")


def compared(judgement: Judgement) -> tuple[str, str, str]:
    """The expected figure, the figure and the change, as cells of a table."""
    unit = judgement.unit
    if judgement.counts is not None:
        now, before = judgement.counts
        return shown(before, unit), shown(now, unit), shown(now - before, unit)
    reference = judgement.reference_mean
    expected = allowed(judgement) or ("" if reference is None else shown(reference, unit))
    return expected, shown(judgement.mean, unit), change(judgement)


def _difference(judgement: Judgement) -> float | None:
    mean, before = judgement.mean, judgement.reference_mean
    return None if mean is None or before is None else mean - before


def sentence(judgement: Judgement, words: Words) -> str:
    """The judgement in a line."""
    unit = judgement.unit
    if judgement.counts is not None:
        parts = [" of ".join(shown(number, unit) for number in judgement.counts)]
    else:
        # A verdict that rests on several figures has none of its own.
        parts = [shown(judgement.mean, unit)] if unit else []
        ends = allowed(judgement)
        if ends and judgement.against is None:
            parts.append(f"allowed: {ends}")
        elif ends and judgement.mean is not None:
            parts.append(f"{'within' if judgement.kind == 'within' else 'outside of'} {ends}")
        elif judgement.margin is not None and judgement.reference_mean is not None:
            parts.append(f"{words.before} {shown(judgement.reference_mean, unit)}")
        if difference := change(judgement):
            part = share(judgement)
            parts.append(f"change {difference}{part and f' ({part})'}")
    if judgement.p is not None:
        parts.append(f"p {p_value(judgement.p)}")
    if judgement.why:
        parts.append(judgement.why)
    return f"{judgement.case}: {judgement.figure}: {', '.join(parts)}"
