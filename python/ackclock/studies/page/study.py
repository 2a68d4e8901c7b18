"""A study's report.html."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.pages.run.page import definitions, render, versions
from ackclock.studies.judging import checked_from_outside
from ackclock.studies.outside import read_outside
from ackclock.studies.page.badge import counts
from ackclock.studies.page.drawn import Drawn
from ackclock.studies.page.items import item_rows
from ackclock.studies.page.readings import grid_of
from ackclock.studies.page.section import section_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ackclock.studies.study_run import StudyRun

__all__ = ["study_page"]


def study_page(done: StudyRun, pictures: Mapping[str, str], folder: Path, store: Path) -> str:
    """Return the page as HTML text."""
    study = done.study
    drawn = Drawn(done, pictures, folder, store)
    claims = [section_of(done, claim, drawn) for claim in study.claims]
    questions = [section_of(done, question, drawn) for question in study.questions]
    metrics = {
        response.figure.name: response.figure
        for design in done.designs.values()
        for response in design.responses
    }
    left = [drawn.show(figure) for figure in study.shown if figure.id not in drawn.taken]
    return render(
        "study.html",
        title=study.title,
        facts=_facts(done),
        warnings=[],
        paper=study.paper,
        summary=study.summary,
        quick=_left_out(done) if done.results.quick else "",
        counts=counts([done.judgements[claim.id].verdict.kind for claim in study.claims]),
        claims=claims,
        questions=questions,
        others=left,
        bundle=drawn.bundle.text(),
        readings=study.readings,
        grid=grid_of(study, done.judgements),
        choices=study.choices,
        items=item_rows(study),
        outside=[(other, read_outside(study.folder / other.file)) for other in study.outside],
        checked=checked_from_outside(
            study.claims,
            {
                name: dict.fromkeys(case.simulator for case in judgement.outside)
                for name, judgement in done.judgements.items()
            },
        ),
        bibtex=study.bibtex.strip(),
        known=study.known,
        notes=[
            f"{name}: {warning}"
            for name, sweep in done.results.sweeps.items()
            for warning in (*sweep.warnings, *sweep.unchanged)
        ],
        definitions=definitions(metrics.values()),
        versions=versions(),
    )


def _facts(done: StudyRun) -> str:
    runs = sum(sweep.runs.height for sweep in done.results.sweeps.values()) + sum(
        map(len, done.recorded.values())
    )
    kind = "quick: fewer seeds and settings" if done.results.quick else "full"
    return (
        f"{len(done.study.claims)} claims, {len(done.study.questions)} questions, {runs:,} runs "
        f"({kind})"
    )


def _left_out(done: StudyRun) -> str:
    """Say in one sentence what a quick run leaves out."""
    parts = []
    for experiment in done.study.experiments:
        less = dict(experiment.quick)
        kept = [
            f"{axis} {', '.join(map(str, labels))}" for axis, labels in less.pop("axes", {}).items()
        ]
        seeds = less.pop("replications", None)
        kept += [f"{seeds} seeds"] if seeds else []
        kept += [f"{key} {value}" for key, value in less.items()]
        if kept:
            parts.append(f"{experiment.name}: {'; '.join(kept)}")
    return ". ".join(parts)
