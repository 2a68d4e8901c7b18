"""The outcome of an evaluation as plain data: all that its texts say, without seeds' figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.evaluation.output.words import command_of, counted, told, verdict_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.evaluation.dossier import Dossier, RowResult

__all__ = ["Outcome", "outcome_of"]

Outcome = dict[str, Any]
"""Content of docs/dossiers/outcomes.json for one algorithm."""

_MOST_CELLS = 5


def outcome_of(dossier: Dossier) -> Outcome:
    """Return the verdicts and sentences of a dossier; the rows' own texts are in the rows."""
    from ackclock import _core

    return {
        "subject": dossier.subject,
        "quick": dossier.context.quick,
        "seeds": [dossier.seeds.count, dossier.seeds.competing],
        "command": command_of(dossier),
        "ackclock": _core.__version__,
        "rows": {one.row.id: _row(one) for one in dossier.rows},
    }


def _row(result: RowResult) -> Mapping[str, Any]:
    found: dict[str, Any] = {"verdict": result.kind}
    if result.answers:
        found["answers"] = dict(result.answers)
        return found
    found["sentence"] = verdict_sentence(result)
    if result.starves:
        found["starves"] = True
    concerns = [one for one in result.judged if not one.is_ok and not one.own]
    worst = sorted(concerns, key=lambda one: -one.excess)[:_MOST_CELLS]
    if worst:
        found["worst"] = [f"{one.case}: {told(one)}" for one in worst]
    if len(concerns) > len(worst):
        found["more"] = f"{len(concerns) - len(worst)} more ({counted(result)})"
    if result.kernel is not None:
        found["kernel"] = f"{result.kernel.kind}. {verdict_sentence(result.kernel)}"
    return found
