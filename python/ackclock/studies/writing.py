"""Writes a study's folder, and an index over all studies of a folder.

A study's folder has report.html, claims.json, figures and the files of its experiments.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io import (
    Kind,
    entries_of,
    has_file,
    is_file,
    read_json,
    whole_files,
    whole_folder,
    write_parquet,
    write_text,
)
from ackclock.atomic_io.beneath import Folder
from ackclock.results import files
from ackclock.studies.claim import Question
from ackclock.studies.criteria.phrases import in_units
from ackclock.studies.page import index_page, study_page
from ackclock.studies.sources import FOLDER, recorded_file, source_of
from ackclock.studies.tools.exporting import ABOUT, OWN, export_claims

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.studies.claim import Criterion
    from ackclock.studies.study import Study
    from ackclock.studies.study_run import StudyRun

__all__ = ["claims_of", "kind_of", "write_index", "write_study"]

_OF_AN_INDEX = frozenset({"claims.json", "index.html"})
_INDEX = Kind(
    "index of studies",
    "index.html",
    lambda _: set(_OF_AN_INDEX),
    last="index.html",
    among_others=True,
)
_ALONE = ("report.html", "claims.json", "claims.csv", "claims.md", "claims.tex", "paper.bib", ABOUT)
_POSSIBLE = "|".join(
    [
        *map(re.escape, _ALONE),
        r"figures/[^/]+\.svg",
        rf"{FOLDER}/[^/]+\.(?:toml|parquet)",
        rf"{OWN}/.+",
    ]
)


def kind_of(study: Study) -> Kind:
    """A study's folder; without a contents.json it counts as what the study writes today."""

    def before_contents(_: Path) -> set[str]:
        from ackclock.studies.tools.owning import own_files

        return {
            *_ALONE,
            *(f"figures/{figure.id}.svg" for figure in study.figures),
            *(
                f"{FOLDER}/{experiment.name}.{suffix}"
                for experiment in study.experiments
                for suffix in ("toml", "parquet")
            ),
            *(
                recorded_file(recording.name, variant)
                for recording in study.recordings
                for variant in recording.variants
            ),
            *(f"{OWN}/{name}" for name in own_files(study).files),
        }

    return Kind("study", "claims.json", before_contents, possible=_POSSIBLE)


def write_study(done: StudyRun, out: Path, store: Path) -> Path:
    """Write a study's folder within `out`, whole or not at all, and the index over all studies.

    Raises
    ------
    FileExistsError
        If a folder of the study's name holds something that the study did not write.
    ackclock.WriteError
        If it cannot be written: which folder, and why. The earlier one is untouched.
    """
    folder = out / done.study.name
    pictures = {figure.id: figure.draw(done.results).svg() for figure in done.study.figures}
    page, claims = study_page(done, pictures, folder, store), claims_of(done, folder, store)
    with whole_folder(folder, kind_of(done.study), beneath=out) as temporary:
        for part in (FOLDER, "figures"):
            (temporary / part).mkdir()
        for name, design in done.designs.items():
            write_text(temporary / FOLDER / f"{name}.toml", design.to_toml(folder / FOLDER))
            write_parquet(temporary / FOLDER / f"{name}.parquet", done.results.sweeps[name].runs)
        for name, scenarios in done.recorded.items():
            for variant, scenario in scenarios.items():
                write_text(temporary / recorded_file(name, variant), scenario.to_toml())
        for name, svg in pictures.items():
            write_text(temporary / "figures" / f"{name}.svg", svg)
        write_text(temporary / "report.html", page)
        files.write_json(temporary / "claims.json", claims)
        export_claims(temporary, claims, done.study)
    # The index comes after the folder, so that it names only studies that exist. The next study
    # mends one that a kill left behind.
    write_index(out)
    return folder


def write_index(out: Path) -> None:
    """Write the index over all studies in a folder; without studies the index is removed.

    Raises
    ------
    ackclock.WriteError
        If it cannot be written.
    """
    claims = {
        name: read_json(out, f"{name}/claims.json")
        for name in entries_of(out)
        if _is_study(out, name)
    }
    if not claims:
        with Folder.open(out) as opened:
            for name in sorted(_OF_AN_INDEX):
                with suppress(FileNotFoundError):
                    opened.remove_file(name)
        return
    together: list[Any] = [claim for name in _in_order(claims) for claim in claims[name]]
    about = {name: _about(out / name) for name in claims}
    index = index_page({name: claims[name] for name in _in_order(claims)}, about)
    with whole_files(out, _INDEX) as temporary:
        files.write_json(temporary / "claims.json", together)
        write_text(temporary / "index.html", index)


def _about(folder: Path) -> dict[str, Any]:
    """Return title, paper and summary of a study, or nothing for a folder of an earlier version."""
    return read_json(folder, ABOUT) if is_file(folder, ABOUT) else {}


def _is_study(out: Path, name: str) -> bool:
    """Whether a folder holds a study; one behind a symbolic link does not count."""
    return all(has_file(out, f"{name}/{file}") for file in ("claims.json", "report.html"))


def _in_order(claims: dict[str, Any]) -> list[str]:
    from ackclock.studies.registered import studies

    known = [name for name in studies() if name in claims]
    return [*known, *(name for name in claims if name not in known)]


def _told(criterion: Criterion, done: StudyRun) -> Criterion:
    return (
        in_units(criterion, done.results)
        if set(criterion.experiments) <= set(done.results.sweeps)
        else criterion
    )


def claims_of(done: StudyRun, folder: Path, store: Path) -> list[dict[str, Any]]:
    """Return claims and questions with their verdicts, as claims.json has them."""
    from ackclock import _core

    claims = []
    for statement in done.study.statements:
        judgement = done.judgements[statement.id]
        verdict = judgement.verdict
        sources = [
            source
            for name in statement.criterion.experiments
            for source in source_of(done, name, folder, store)
        ]
        claims.append(
            {
                "id": statement.id,
                "study": done.study.name,
                "kind": "question" if isinstance(statement, Question) else "claim",
                "text": statement.text,
                "paper": statement.paper,
                "reading": statement.reading,
                "criterion": _told(statement.criterion, done).describe(),
                "verdict": verdict.kind,
                "headline": judgement.headline,
                "sentence": verdict.text,
                "cases": [
                    {
                        "reading": case.reading or None,
                        "simulator": case.simulator or None,
                        "verdict": case.verdict.kind,
                        "sentence": case.verdict.text,
                        "figures": dict(case.verdict.figures),
                    }
                    for case in judgement.cases
                ],
                "why": statement.why,
                "differs": statement.differs if judgement.disagreeing else None,
                "figures": dict(verdict.figures),
                "experiments": [
                    {key: value for key, value in asdict(source).items() if key != "name"}
                    for source in sources
                ],
                "quick": done.results.quick,
                "results_version": _core.RESULTS_VERSION,
            }
        )
    return claims
