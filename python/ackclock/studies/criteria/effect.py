"""The answer to a question: by how much one setting differs from another, and where clearly so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ackclock.plot_data.sweep.scale import words
from ackclock.studies.claim import Evidence, Leaning, Verdict
from ackclock.studies.criteria.pairing import Pairing
from ackclock.studies.criteria.phrases import censored_words
from ackclock.studies.weighing import Range, capital, places, quoted, seeds_of, span, verdict_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.studies.results import Results

__all__ = ["Effect"]


@dataclass(frozen=True)
class Effect(Pairing):
    """Answers a question: by how much `value` differs from `base`, and where clearly so."""

    better: str = "less"
    """The wished direction of the response: less or more."""

    def describe(self) -> str:
        """Say how the question is answered."""
        who = (
            f"{words(self.response)} of {quoted(self.value)} against "
            f"{quoted(self.base)}{self.where}"
        )
        return (
            f"{who}, paired by seed; clearly different where the interval leaves out zero, each of "
            f"1 − 5 %/k confidence for k settings{censored_words(self.censored_at)}"
        )

    def judge(self, results: Results) -> Verdict:
        """Tell where `value` gives clearly less, clearly more, or neither."""
        below = self.weigh(results, Range(highest=0.0))
        judged = [replace(piece, leaning=self._leaning(piece)) for piece in below]
        sides: dict[str, list[Evidence]] = {"less": [], "more": [], "neither": []}
        for piece in judged:
            sides[
                "neither"
                if piece.leaning == "open"
                else self.better
                if piece.leaning == "for"
                else _OTHER[self.better]
            ].append(piece)
        counts: dict[str, Any] = {side: len(these) for side, these in sides.items()}
        subject = capital(words(self.response))
        if not below:
            return verdict_of(subject, [], self.left_out(results))
        if not any(piece.n for piece in below):
            return Verdict(
                "cannot be judged",
                "no setting has a value of both.",
                counts,
                tuple(judged),
                subject,
            )
        return Verdict(
            "answered",
            f"{_told(sides, len(judged))} ({seeds_of(judged)}).",
            counts,
            tuple(judged),
            subject,
        )

    def _leaning(self, evidence: Evidence) -> Leaning:
        """Return whether the interval is clearly as wished, clearly the contrary, or neither."""
        if evidence.leaning == "for":
            side = "less"
        elif evidence.leaning == "against" and (evidence.low is None or evidence.low > 0.0):
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
        none = side == "neither" and all(piece.low == piece.high == 0.0 for piece in these)
        where = f" ({places(these)})" if len(these) <= 3 else ""
        at = (
            f"all {count} settings"
            if len(these) == count > 1
            else f"{len(these)} of {count}{where}"
            if count > 1
            else ""
        )
        outcome = "no difference at all" if none else f"{_SIDES[side]}, {span(these)}"
        parts.append(f"{outcome}{f', at {at}' if at else ''}")
    return "; ".join(parts)
