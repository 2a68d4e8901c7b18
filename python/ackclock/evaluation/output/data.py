"""The dossier for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.evaluation.judging import WORDS
from ackclock.evaluation.output.words import command_of, verdict_sentence

if TYPE_CHECKING:
    from ackclock.evaluation.dossier import Dossier, RowResult
    from ackclock.verdicts.judgement import Judgement

__all__ = ["data_of"]


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
        "rows": [_row(dossier, row) for row in dossier.rows],
    }


def _row(dossier: Dossier, result: RowResult) -> dict[str, Any]:
    row = result.row
    found: dict[str, Any] = {
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
        "cells": [_cell(dossier, result, one) for one in result.judged],
    }
    if result.why_not is not None:
        found["why_not"] = result.why_not
    if result.answers:
        found["answers"] = dict(result.answers)
    if result.kernel is not None:
        found["kernel"] = {
            "verdict": result.kernel.kind,
            "cells": [_cell(dossier, result.kernel, one) for one in result.kernel.judged],
        }
    return found


def _cell(dossier: Dossier, result: RowResult, one: Judgement) -> dict[str, Any]:
    labels = next((dict(cell.labels) for cell in result.cells if cell.id == one.case), {})
    return {
        "cell": one.case,
        "labels": labels,
        "measure": one.figure,
        "unit": one.unit,
        "more_is_better": one.more_is_better,
        "verdict": WORDS.of(one),
        "own": one.own,
        "mean": one.mean,
        "values": list(one.values),
        "references": {
            name: {"mean": one.mean_of(name), "values": list(values)}
            for name, values in one.references.items()
        },
        "worse": one.against,
        "line": one.margin,
        "difference": None if one.difference is None else one.difference._asdict(),
        "p": one.p,
        "starving_seeds": None if one.counts is None else list(one.counts),
        "seeds_wanted": one.seeds_wanted,
        "command": command_of(dossier, result.row.id, one.case),
    }
