"""index.html of a dossier."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ackclock.evaluation.judging import WORDS
from ackclock.evaluation.output.markdown import SECTIONS
from ackclock.evaluation.output.words import command_of, counted, shown, told, verdict_sentence
from ackclock.evaluation.selecting import section_order
from ackclock.pages.run.page import picture, render, versions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.evaluation.dossier import Dossier, RowResult
    from ackclock.evaluation.output.pictures import Picture
    from ackclock.verdicts.judgement import Judgement

__all__ = ["page_of"]

_SPAN = 5.0
"""Ends of a strip, in lines above and below the worse reference."""
_WIDTH = 96.0


class Strip(NamedTuple):
    """The difference to the worse reference, in units of the line."""

    low: float
    high: float
    at: float
    line: float
    zero: float


class Tile(NamedTuple):
    """One cell in a matrix."""

    mark: str
    kind: str
    value: str
    reference: str
    strip: Strip | None
    title: str


class Matrix(NamedTuple):
    """Small multiples of one measure."""

    measure: str
    columns: Sequence[str]
    axis: str
    rows: Sequence[tuple[str, Sequence[Tile | None]]]


class Detail(NamedTuple):
    """A row of the table of all figures."""

    cell: str
    measure: str
    mark: str
    kind: str
    own: str
    references: str
    difference: str
    line: str
    p: str
    seeds: int
    wanted: str
    command: str


class Section(NamedTuple):
    """A row of the dossier on the page."""

    result: RowResult
    mark: str
    sentence: str
    counts: str
    matrices: Sequence[Matrix]
    details: Sequence[Detail]
    command: str
    rules: Sequence[str]
    kernel: Sequence[tuple[str, str, str, str, str]]


def page_of(dossier: Dossier, pictures: Sequence[Picture]) -> str:
    """The page: a minute's reading first, then every row in the RFC's order."""
    rows = sorted(dossier.rows, key=lambda one: (section_order(one.row.section), one.row.id))
    context = dossier.context
    seeds = (
        f"{dossier.seeds.count} seeds"
        if dossier.seeds.count == dossier.seeds.competing
        else f"{dossier.seeds.count} seeds, {dossier.seeds.competing} where flows compete"
    )
    facts = f"{'Quick' if context.quick else 'Full'} evaluation · {seeds} · {command_of(dossier)}"
    return render(
        "dossier.html",
        title=f"{dossier.subject} by RFC 9743",
        facts=facts,
        warnings=[],
        dossier=dossier,
        summary=[_summary(dossier, *group) for group in _GROUPS],
        pictures=[(one, picture(one.svg)) for one in pictures],
        starving=[one for one in rows if one.starves],
        sections=[_section(dossier, one) for one in rows],
        subjects=SECTIONS,
        seeds=dossier.seeds,
        is_reference=dossier.seeds.subject_first != dossier.seeds.first,
        versions=versions(),
    )


_GROUPS = (
    ("MUST", "MUST", "what the RFC says must be looked at"),
    ("SHOULD", "SHOULD", "what it says should be looked at"),
    ("other", "consider", "what the community must consider, or may"),
)


def _mark(kind: str) -> str:
    return kind.replace(" ", "-")


def _summary(dossier: Dossier, name: str, strength: str, meaning: str) -> dict[str, object]:
    rows = [one for one in dossier.rows if one.row.strength == strength]
    kinds = Counter("informative" if one.row.informative else one.kind for one in rows)
    concerns = sorted(
        (one for one in rows if one.is_concern),
        key=lambda one: (section_order(one.row.section), one.row.id),
    )
    return {
        "name": name,
        "meaning": meaning,
        "rows": len(rows),
        "concerns": [(one, verdict_sentence(one)) for one in concerns],
        "others": ", ".join(
            f"{kinds[kind]} {kind}"
            for kind in (
                "better",
                "no concern",
                "not judged",
                "shown",
                "answered",
                "not answered",
                "informative",
                "not applicable",
            )
            if kinds[kind]
        ),
    }


def _section(dossier: Dossier, result: RowResult) -> Section:
    measures = dict.fromkeys(one.figure for one in result.judged)
    rules = []
    for measure in result.row.measures:
        if measure.name not in measures:
            continue
        if measure.starving:
            rules.append(f"{measure.name}: rule R3, a sign test over seeds")
        elif measure.line is None:
            rules.append(f"{measure.name}: shown")
        else:
            better = "less" if measure.more_is_better else "more"
            rules.append(
                f"{measure.name}: a concern is {better} than the worse reference by more than "
                f"{measure.line.describe()}"
            )
    return Section(
        result,
        _mark(result.kind),
        verdict_sentence(result),
        counted(result),
        [
            _matrix(result, name)
            for name in measures
            if any(one.kind != "shown" for one in result.judged if one.figure == name)
        ],
        [_detail(dossier, result, one) for one in result.judged],
        command_of(dossier, result.row.id),
        rules,
        _beside_kernel(result),
    )


def _beside_kernel(result: RowResult) -> list[tuple[str, str, str, str, str]]:
    if result.kernel is None or result.simulated is None:
        return []
    ours = {(one.case, one.figure): one for one in result.simulated.judged}
    return [
        (
            f"{one.case}: {one.figure}",
            WORDS.of(ours[one.case, one.figure]),
            told(ours[one.case, one.figure]),
            WORDS.of(one),
            told(one),
        )
        for one in result.kernel.judged
        if (one.case, one.figure) in ours
    ]


def _matrix(result: RowResult, measure: str) -> Matrix:
    found = {one.case: one for one in result.judged if one.figure == measure}
    cells = [cell for cell in result.cells if cell.id in found]
    names = list(cells[0].labels)
    values = {name: list(dict.fromkeys(cell.labels[name] for cell in cells)) for name in names}
    axis = max(names, key=lambda name: (len(values[name]), names.index(name)))
    rows: dict[str, dict[str, Tile]] = {}
    for cell in cells:
        others = [
            value for name, value in cell.labels.items() if name != axis and len(values[name]) > 1
        ]
        rows.setdefault(", ".join(others), {})[cell.labels[axis]] = _tile(found[cell.id])
    return Matrix(
        measure,
        values[axis],
        axis,
        [(name, [tiles.get(column) for column in values[axis]]) for name, tiles in rows.items()],
    )


def _tile(one: Judgement) -> Tile:
    references = ", ".join(f"{name} {shown(one.mean_of(name), one)}" for name in one.references)
    if one.counts is not None:
        value = f"{one.counts[0]} of {len(one.values)} seeds"
        reference = f"{one.against}: {one.counts[1]}"
    else:
        value = shown(one.mean, one)
        reference = (
            references
            if one.against is None
            else f"{one.against} {shown(one.mean_of(one.against), one)}"
        )
    title = f"{one.case}: {told(one)} ({WORDS.of(one)}; {references})"
    return Tile(_mark(WORDS.of(one)), WORDS.of(one), value, reference, _strip(one), title)


def _strip(one: Judgement) -> Strip | None:
    if one.difference is None or not one.margin:
        return None

    def place(value: float) -> float:
        share = min(max(value / (one.margin or 1.0), -_SPAN), _SPAN)
        return round((share + _SPAN) / (2.0 * _SPAN) * _WIDTH, 1)

    mean, low, high = one.difference
    return Strip(place(low), place(high), place(mean), place(one.margin), place(0.0))


def _detail(dossier: Dossier, result: RowResult, one: Judgement) -> Detail:
    difference = line = ""
    if one.difference is not None:
        sign = -1.0 if one.more_is_better else 1.0
        ends = sorted((sign * one.difference[1], sign * one.difference[2]))
        difference = (
            f"{shown(sign * one.difference[0], one)} ({shown(ends[0], one)} to "
            f"{shown(ends[1], one)})"
        )
        line = shown(sign * (one.margin or 0.0), one)
    return Detail(
        one.case,
        one.figure,
        _mark(WORDS.of(one)),
        WORDS.of(one),
        shown(one.mean, one),
        ", ".join(f"{name} {shown(one.mean_of(name), one)}" for name in one.references),
        difference,
        line,
        "" if one.p is None else f"{one.p:.2g}" if one.p >= 0.001 else "<0.001",
        len(one.values),
        "" if one.seeds_wanted is None else f"about {one.seeds_wanted} seeds would decide",
        command_of(dossier, result.row.id, one.case),
    )
