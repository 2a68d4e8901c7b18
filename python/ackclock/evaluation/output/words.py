"""Sentences of a dossier, shared by the page, the text and the terminal."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from ackclock.tables.quantities import MISSING, quantity

if TYPE_CHECKING:
    from ackclock.evaluation.dossier import Dossier, RowResult
    from ackclock.verdicts.judgement import Judgement

__all__ = ["command_of", "counted", "shown", "told", "verdict_sentence"]

_RATIOS = ("TFRC", "honest flow's", "fair share", "ratio")
"""Words in the names of measures that are no shares of a whole."""

_SHARES = ("rate", "share", "utilisation", "retransmi", "frames", "loss")


def shown(value: float | None, one: Judgement) -> str:
    """A figure with its unit; shares in percent."""
    if value is None:
        return MISSING
    is_share = any(word in one.figure.lower() for word in _SHARES)
    is_ratio = any(word in one.figure for word in _RATIOS)
    unit = "%" if one.unit == "1" and is_share and not is_ratio else one.unit
    if unit == "packets":
        return quantity(value, "1")
    return quantity(value, unit)


def told(one: Judgement) -> str:
    """A verdict's numbers in words: the subject's figure and the worse reference's."""
    unit = " packets" if one.unit == "packets" else ""
    if one.counts is not None:
        return (
            f"{one.figure}: in {one.counts[0]} of {len(one.values)} seeds, beside {one.against} in "
            f"{one.counts[1]}"
        )
    if one.against is None:
        return f"{one.figure} {shown(one.mean, one)}{unit}"
    return (
        f"{one.figure} {shown(one.mean, one)}{unit}, {one.against} "
        f"{shown(one.mean_of(one.against), one)}{unit}"
    )


def counted(row: RowResult) -> str:
    """The verdicts of a row's cells, counted."""
    order = ("concern", "better", "no concern", "not judged")
    return ", ".join(f"{row.counts[kind]} {kind}" for kind in order if row.counts.get(kind))


def verdict_sentence(row: RowResult) -> str:
    """The outcome of a row in a sentence."""
    if row.why_not is not None:
        return f"Does not apply: {row.why_not}."
    worst = row.worst
    if worst is not None:
        cells = len({one.case for one in row.judged if not one.is_ok and not one.own})
        return (
            f"{told(worst)} ({worst.case}); a concern in {cells} of {len(row.cells)} "
            f"cell{'' if len(row.cells) == 1 else 's'}."
        )
    if row.answers:
        open_ones = [heading for heading, text in row.answers if not text]
        if not open_ones:
            return "Answered by the algorithm's documentation."
        return f"The algorithm's documentation has no text on: {'; '.join(open_ones)}."
    if not row.judged:
        return "No run answers this row."
    starving = len(row.starves)
    also = f" The subject itself starves in {starving} cells." if starving else ""
    if row.kind == "shown":
        return f"Shown, not judged.{also}"
    worst = row.farthest if row.row.informative else None
    nearest = "" if worst is None else f" The worst: {told(worst)} ({worst.case})."
    return f"Verdicts: {counted(row)}.{nearest}{also}"


def command_of(dossier: Dossier, row: str | None = None, cell: str | None = None) -> str:
    """The command that makes a dossier, a row or a cell again."""
    words = ["ackclock", "evaluate", dossier.subject]
    words.append("--quick" if dossier.context.quick else "--full")
    if row is not None:
        words += ["--only", row]
    if cell is not None:
        words += ["--cell", cell]
    if dossier.against is not None:
        words += ["--against", ",".join(dossier.against)]
    if dossier.ecn_given is not None:
        words += ["--ecn", dossier.ecn_given]
    for claim in sorted(dossier.context.claims):
        words += ["--claim", claim]
    if dossier.seeds_given is not None:
        words += ["--seeds", str(dossier.seeds_given)]
    if dossier.seeds.first != 1:
        words += ["--seed", str(dossier.seeds.first)]
    return shlex.join(words)
