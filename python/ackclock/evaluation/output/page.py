"""index.html of a dossier."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ackclock.evaluation.judging import WORDS
from ackclock.evaluation.output.markdown import SECTIONS
from ackclock.evaluation.output.words import command_of, in_words, shown, verdict_sentence
from ackclock.evaluation.row import STRENGTHS
from ackclock.pages.run.page import picture, render, versions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.evaluation.dossier import Dossier, RowResult
    from ackclock.evaluation.output.pictures import Picture
    from ackclock.evaluation.row import Measure, Strength
    from ackclock.verdicts.judgement import Judgement

__all__ = ["page_of"]

_SPAN = 5.0
"""Ends of a strip, in lines above and below the worse reference."""
_WIDTH = 96.0

_MEANINGS: dict[Strength, str] = {
    "MUST": "what the RFC says must be looked at",
    "SHOULD": "what it says should be looked at",
    "consider": "what the community must consider, or may",
}
_KINDS = (
    *("better", "no concern", "not judged", "shown"),
    *("answered", "not answered", "informative", "not applicable"),
)


def page_of(dossier: Dossier, pictures: Sequence[Picture]) -> str:
    """The page: a minute's reading first, then every row in the RFC's order."""
    seeds = dossier.seeds
    counts = f"{seeds.count} seeds"
    if seeds.count != seeds.competing:
        counts += f", {seeds.competing} where flows compete"
    kind = "Quick" if dossier.context.quick else "Full"
    return render(
        "dossier.html",
        title=f"{dossier.subject} by RFC 9743",
        facts=f"{kind} evaluation · {counts} · {command_of(dossier)}",
        warnings=[],
        dossier=dossier,
        summary=[_summary(dossier, strength) for strength in STRENGTHS],
        pictures=[(drawn, picture(drawn.svg)) for drawn in pictures],
        starving=[result for result in dossier.ordered if result.starves],
        sections=[_section(dossier, result) for result in dossier.ordered],
        subjects=SECTIONS,
        seeds=seeds,
        is_reference=seeds.subject_first != seeds.first,
        versions=versions(),
    )


def _mark(kind: str) -> str:
    return kind.replace(" ", "-")


def _summary(dossier: Dossier, strength: Strength) -> dict[str, Any]:
    rows = [result for result in dossier.ordered if result.row.strength == strength]
    kinds = Counter("informative" if row.row.informative else row.kind for row in rows)
    return {
        "name": STRENGTHS[strength],
        "meaning": _MEANINGS[strength],
        "rows": len(rows),
        "concerns": [(result, verdict_sentence(result)) for result in rows if result.is_concern],
        "others": ", ".join(f"{kinds[kind]} {kind}" for kind in _KINDS if kinds[kind]),
    }


def _section(dossier: Dossier, result: RowResult) -> dict[str, Any]:
    """A row of the dossier on the page."""
    judged = result.judged
    names = dict.fromkeys(judgement.figure for judgement in judged)
    ruled = {judgement.figure for judgement in judged if judgement.kind != "shown"}
    return {
        "result": result,
        "mark": _mark(result.kind),
        "sentence": verdict_sentence(result),
        "matrices": [_matrix(result, name) for name in names if name in ruled],
        "details": [_detail(dossier, result, judgement) for judgement in judged],
        "command": command_of(dossier, result.row.id),
        "rules": [_rule(measure) for measure in result.row.measures if measure.name in names],
        "kernels": {label: _beside(result, there) for label, there in result.kernels.items()},
    }


def _rule(measure: Measure) -> str:
    if measure.starving:
        return f"{measure.name}: rule R3, a sign test over seeds"
    if measure.line is None:
        return f"{measure.name}: shown"
    return (
        f"{measure.name}: a concern is {'less' if measure.more_is_better else 'more'} than the "
        f"worse reference by more than {measure.line.describe()}"
    )


def _beside(result: RowResult, on_kernel: RowResult) -> list[tuple[str, ...]]:
    assert result.simulated is not None
    ours = {(judgement.case, judgement.figure): judgement for judgement in result.simulated.judged}
    pairs = [(ours.get((theirs.case, theirs.figure)), theirs) for theirs in on_kernel.judged]
    return [
        (
            f"{theirs.case}: {theirs.figure}",
            *(WORDS.of(own), in_words(own), WORDS.of(theirs), in_words(theirs)),
        )
        for own, theirs in pairs
        if own is not None
    ]


def _matrix(result: RowResult, measure: str) -> dict[str, Any]:
    """Small multiples of a measure: columns by the label with the most values."""
    judged = {verdict.case: verdict for verdict in result.judged if verdict.figure == measure}
    cells = [cell for cell in result.cells if cell.id in judged]
    names = list(cells[0].labels)
    values = {name: list(dict.fromkeys(cell.labels[name] for cell in cells)) for name in names}
    axis = max(names, key=lambda name: (len(values[name]), names.index(name)))
    rows: dict[str, dict[str, Any]] = {}
    for cell in cells:
        others = [
            value for name, value in cell.labels.items() if name != axis and len(values[name]) > 1
        ]
        rows.setdefault(", ".join(others), {})[cell.labels[axis]] = _tile(judged[cell.id])
    columns = values[axis]
    return {
        "measure": measure,
        "columns": columns,
        "rows": [(name, [tiles.get(column) for column in columns]) for name, tiles in rows.items()],
    }


def _references(judgement: Judgement) -> str:
    return ", ".join(
        f"{name} {shown(judgement.mean_of(name), judgement)}" for name in judgement.references
    )


def _tile(judgement: Judgement) -> dict[str, Any]:
    """One cell in a matrix."""
    against, kind = judgement.against, WORDS.of(judgement)
    references = _references(judgement)
    if judgement.counts is not None:
        value = f"{judgement.counts[0]} of {len(judgement.values)} seeds"
        reference = f"{against}: {judgement.counts[1]}"
    else:
        value = shown(judgement.mean, judgement)
        reference = (
            references
            if against is None
            else f"{against} {shown(judgement.mean_of(against), judgement)}"
        )
    return {
        "mark": _mark(kind),
        "kind": kind,
        "value": value,
        "reference": reference,
        "strip": _strip(judgement),
        "title": f"{judgement.case}: {in_words(judgement)} ({kind}; {references})",
    }


def _strip(judgement: Judgement) -> dict[str, float] | None:
    """The difference to the worse reference, in units of the line."""
    margin = judgement.margin
    if judgement.difference is None or not margin:
        return None
    mean, low, high = judgement.difference
    places = {"low": low, "high": high, "at": mean, "line": margin, "zero": 0.0}
    return {
        name: round((min(max(value / margin, -_SPAN), _SPAN) + _SPAN) / (2.0 * _SPAN) * _WIDTH, 1)
        for name, value in places.items()
    }


def _detail(dossier: Dossier, result: RowResult, judgement: Judgement) -> dict[str, Any]:
    """A row of the table of all figures."""
    difference = line = ""
    if judgement.difference is not None:
        sign = -1.0 if judgement.more_is_better else 1.0
        mean, *ends = (shown(sign * value, judgement) for value in judgement.difference)
        low, high = ends if sign > 0 else ends[::-1]
        difference = f"{mean} ({low} to {high})"
        line = shown(sign * (judgement.margin or 0.0), judgement)
    p, wanted = judgement.p, judgement.seeds_wanted
    return {
        "cell": judgement.case,
        "measure": judgement.figure,
        "kind": WORDS.of(judgement),
        "own": shown(judgement.mean, judgement),
        "references": _references(judgement),
        "difference": difference,
        "line": line,
        "p": "" if p is None else f"{p:.2g}" if p >= 0.001 else "<0.001",
        "seeds": len(judgement.values),
        "wanted": "" if wanted is None else f"about {wanted} seeds would decide",
        "command": command_of(dossier, result.row.id, judgement.case),
    }
