"""Outcomes of judgements that share one error: the more there are, the more each must show."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ackclock.stats.adjusting import holm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.verdicts.judgement import Judgement, Kind
    from ackclock.verdicts.paired import Contrast

__all__ = ["ALPHA", "bonferroni", "settled", "settled_moves"]

ALPHA = 0.05
"""Significance of a verdict, of all judgements of a family together."""


def bonferroni(error: float, count: int) -> float:
    """The error of each of so many judgements of which at most one in `1 / error` families errs."""
    return error / max(count, 1)


def settled(contrasts: Sequence[Contrast], alpha: float = ALPHA) -> list[Judgement]:
    """Outcomes by Holm's rule within each family: beyond and better; within by its own chance."""
    judgements = {
        at: contrast.judgement for at, contrast in enumerate(contrasts) if not contrast.is_judged
    }
    rest = [at for at in range(len(contrasts)) if at not in judgements]
    for family in dict.fromkeys(contrasts[at].family for at in rest):
        here = [at for at in rest if contrasts[at].family == family]
        beyonds = holm([contrasts[at].p_beyond for at in here])
        betters = holm([contrasts[at].p_better for at in here])
        for at, beyond, better in zip(here, beyonds, betters, strict=True):
            contrast = contrasts[at]
            kind: Kind = (
                "beyond"
                if beyond < alpha
                else "better"
                if better < alpha
                else "within"
                if contrast.p_within < alpha
                else "undecided"
            )
            wanted = contrast.judgement.seeds_wanted if kind == "undecided" else None
            judgements[at] = replace(contrast.judgement, kind=kind, p=beyond, seeds_wanted=wanted)
    return [judgements[at] for at in range(len(contrasts))]


def settled_moves(moves: Sequence[Judgement], alpha: float) -> list[Judgement]:
    """Outcomes of `moved` by Holm's rule over all: beyond the margin, and no chance."""
    tested = [at for at, move in enumerate(moves) if move.p is not None]
    adjusted = dict(zip(tested, holm([moves[at].p or 0.0 for at in tested]), strict=True))
    return [
        replace(move, p=p, kind="within" if p is not None and p >= alpha else move.kind)
        for at, move in enumerate(moves)
        for p in [adjusted.get(at)]
    ]
