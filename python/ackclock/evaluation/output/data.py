"""The dossier as plain data: for programs, and as far as its texts say it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.evaluation.judging import WORDS
from ackclock.evaluation.output.words import command_of, counted, in_words, verdict_sentence

if TYPE_CHECKING:
    from ackclock.evaluation.dossier import Dossier, RowResult
    from ackclock.verdicts.judgement import Judgement

__all__ = ["Outcome", "data_of", "outcome_of"]

Outcome = dict[str, Any]
"""Content of docs/dossiers/outcomes.json for one algorithm."""

_MOST_CELLS = 5


def data_of(dossier: Dossier) -> dict[str, Any]:
    """The content of dossier.json; figures are in base units."""
    from ackclock import _core

    return {
        "subject": dossier.subject,
        "quick": dossier.context.quick,
        "ecn": dossier.context.ecn,
        "claims": sorted(dossier.context.claims),
        "seeds": {
            "one flow": dossier.seeds.count,
            "competing": dossier.seeds.competing,
            "first": dossier.seeds.first,
            "first of the subject": dossier.seeds.subject_first,
        },
        "command": command_of(dossier),
        "ackclock": _core.__version__,
        "results_version": _core.RESULTS_VERSION,
        "rows": [_row(dossier, result) for result in dossier.rows],
    }


def _row(dossier: Dossier, result: RowResult) -> dict[str, Any]:
    row = result.row
    data: dict[str, Any] = {
        "id": row.id,
        "section": row.section,
        "sections": list(row.sections),
        "strength": row.strength,
        "title": row.title,
        "demand": row.demand,
        "choice": row.choice,
        "informative": row.informative,
        "verdict": result.kind,
        "sentence": verdict_sentence(result),
        "command": command_of(dossier, row.id),
        "cells": _cells(dossier, result),
    }
    if result.why_not is not None:
        data["why_not"] = result.why_not
    if result.answers:
        data["answers"] = dict(result.answers)
    if result.kernels:
        data["kernels"] = {
            label: {"verdict": there.kind, "cells": _cells(dossier, there)}
            for label, there in result.kernels.items()
        }
    return data


def _cells(dossier: Dossier, result: RowResult) -> list[dict[str, Any]]:
    labels = {cell.id: dict(cell.labels) for cell in result.cells}
    return [
        {
            "cell": judgement.case,
            "labels": labels.get(judgement.case, {}),
            **_figures(judgement),
            "command": command_of(dossier, result.row.id, judgement.case),
        }
        for judgement in result.judged
    ]


def _figures(judgement: Judgement) -> dict[str, Any]:
    return {
        "measure": judgement.figure,
        "unit": judgement.unit,
        "more_is_better": judgement.more_is_better,
        "verdict": WORDS.of(judgement),
        "own": judgement.own,
        "mean": judgement.mean,
        "values": list(judgement.values),
        "references": {
            name: {"mean": judgement.mean_of(name), "values": list(values)}
            for name, values in judgement.references.items()
        },
        "worse": judgement.against,
        "line": judgement.margin,
        "difference": None if judgement.difference is None else judgement.difference._asdict(),
        "p": judgement.p,
        "starving_seeds": None if judgement.counts is None else list(judgement.counts),
        "seeds_wanted": judgement.seeds_wanted,
    }


def outcome_of(dossier: Dossier) -> Outcome:
    """Verdicts and sentences without seeds' figures; the rows' own texts are in the rows."""
    from ackclock import _core

    return {
        "subject": dossier.subject,
        "quick": dossier.context.quick,
        "seeds": [dossier.seeds.count, dossier.seeds.competing],
        "command": command_of(dossier),
        "ackclock": _core.__version__,
        "rows": {result.row.id: _outcome(result) for result in dossier.rows},
    }


def _outcome(result: RowResult) -> dict[str, Any]:
    outcome: dict[str, Any] = {"verdict": result.kind}
    if result.answers:
        outcome["answers"] = dict(result.answers)
        return outcome
    outcome["sentence"] = verdict_sentence(result)
    if result.starves:
        outcome["starves"] = True
    worst = [f"{concern.case}: {in_words(concern)}" for concern in result.concerns[:_MOST_CELLS]]
    if worst:
        outcome["worst"] = worst
    if len(result.concerns) > len(worst):
        outcome["more"] = f"{len(result.concerns) - len(worst)} more ({counted(result)})"
    if result.kernels:
        outcome["kernels"] = {
            label: f"{there.kind}. {verdict_sentence(there)}"
            for label, there in result.kernels.items()
        }
    return outcome
