"""Sentences of a dossier, shared by the page, the text and the terminal."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from ackclock.tables.quantities import MISSING, quantity

if TYPE_CHECKING:
    from ackclock.evaluation.dossier import Dossier, RowResult
    from ackclock.verdicts.judgement import Judgement

__all__ = ["command_of", "counted", "in_words", "shown", "verdict_sentence"]

_RATIOS = ("TFRC", "honest flow's", "fair share", "ratio")
"""Words in the names of measures that are no shares of a whole."""

_SHARES = ("rate", "share", "utilisation", "retransmi", "frames", "loss")


def shown(value: float | None, judgement: Judgement) -> str:
    """A figure with its unit; shares in percent."""
    if value is None:
        return MISSING
    name, unit = judgement.figure, judgement.unit
    is_share = any(word in name.lower() for word in _SHARES)
    if unit == "1" and is_share and not any(word in name for word in _RATIOS):
        return quantity(value, "%")
    return quantity(value, "1" if unit == "packets" else unit)


def in_words(judgement: Judgement) -> str:
    """A verdict's numbers in words: the subject's figure and the worse reference's."""
    name, against = judgement.figure, judgement.against
    if judgement.counts is not None:
        own, theirs = judgement.counts
        return f"{name}: in {own} of {len(judgement.values)} seeds, beside {against} in {theirs}"
    unit = " packets" if judgement.unit == "packets" else ""
    text = f"{name} {shown(judgement.mean, judgement)}{unit}"
    if against is None:
        return text
    return f"{text}, {against} {shown(judgement.mean_of(against), judgement)}{unit}"


def counted(result: RowResult) -> str:
    """The verdicts of a row's cells, counted."""
    order = ("concern", "better", "no concern", "not judged")
    return ", ".join(f"{result.counts[kind]} {kind}" for kind in order if result.counts.get(kind))


def verdict_sentence(result: RowResult) -> str:
    """The outcome of a row in a sentence."""
    if result.why_not is not None:
        return f"Does not apply: {result.why_not}."
    worst = result.worst
    if worst is not None:
        cells = len({judgement.case for judgement in result.concerns})
        return (
            f"{in_words(worst)} ({worst.case}); a concern in {cells} of {len(result.cells)} "
            f"cell{'' if len(result.cells) == 1 else 's'}."
        )
    if result.answers:
        open_ones = [heading for heading, text in result.answers if not text]
        if not open_ones:
            return "Answered by the algorithm's documentation."
        return f"The algorithm's documentation has no text on: {'; '.join(open_ones)}."
    if not result.judged:
        return "No run answers this row."
    starving = len(result.starves)
    also = f" The subject itself starves in {starving} cells." if starving else ""
    if result.kind == "shown":
        return f"Shown, not judged.{also}"
    worst = result.farthest if result.row.informative else None
    nearest = "" if worst is None else f" The worst: {in_words(worst)} ({worst.case})."
    return f"Verdicts: {counted(result)}.{nearest}{also}"


def command_of(dossier: Dossier, row: str | None = None, cell: str | None = None) -> str:
    """The command that makes a dossier, a row or a cell again."""
    words = ["ackclock", "evaluate", dossier.subject]
    words.append("--quick" if dossier.context.quick else "--full")
    options = {
        "--only": row,
        "--cell": cell,
        "--against": None if dossier.against is None else ",".join(dossier.against),
        "--ecn": dossier.ecn_given,
    }
    words += [
        word for name, value in options.items() if value is not None for word in (name, value)
    ]
    words += [word for claim in sorted(dossier.context.claims) for word in ("--claim", claim)]
    if dossier.seeds_given is not None:
        words += ["--seeds", str(dossier.seeds_given)]
    if dossier.seeds.first != 1:
        words += ["--seed", str(dossier.seeds.first)]
    return shlex.join(words)
