"""What a study leaves: report.html, claims.json, figures, the files of its experiments; and an index over all studies of a folder."""

from __future__ import annotations

import shutil
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ackclock.results import files
from ackclock.studies.claim import Question
from ackclock.studies.criteria.phrases import in_units
from ackclock.studies.page import index_page, study_page
from ackclock.studies.sources import FOLDER, recorded_file, source_of
from ackclock.studies.tools.exporting import ABOUT, export_claims

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.studies.claim import Criterion
    from ackclock.studies.running import StudyRun

__all__ = ["claims_of", "write_study"]


def write_study(done: StudyRun, out: Path, store: Path) -> Path:
    """Write a study's folder within `out`, and the index over all that are there."""
    folder = out / done.study.name
    # What takes seconds comes first: whoever stops it then keeps the folder that was there.
    pictures = {figure.id: figure.draw(done.results).svg() for figure in done.study.figures}
    page, claims = study_page(done, pictures, folder, store), claims_of(done, folder, store)
    folder.mkdir(parents=True, exist_ok=True)
    for earlier in (FOLDER, "figures"):
        shutil.rmtree(folder / earlier, ignore_errors=True)
        (folder / earlier).mkdir()
    for name, design in done.designs.items():
        (folder / FOLDER / f"{name}.toml").write_text(design.to_toml(folder / FOLDER), encoding="utf-8")
        done.results.sweeps[name].runs.write_parquet(folder / FOLDER / f"{name}.parquet", compression="zstd")
    for name, scenarios in done.recorded.items():
        for variant, scenario in scenarios.items():
            (folder / recorded_file(name, variant)).write_text(scenario.to_toml(), encoding="utf-8")
    for name, svg in pictures.items():
        (folder / "figures" / f"{name}.svg").write_text(svg, encoding="utf-8")
    (folder / "report.html").write_text(page, encoding="utf-8")
    files.write_json(folder / "claims.json", claims)
    export_claims(folder, claims, done.study)
    found = {
        each.parent.name: files.read_json(each) for each in sorted(out.glob("*/claims.json")) if (each.parent / "report.html").is_file()
    }
    together: list[Any] = [claim for name in _in_order(found) for claim in found[name]]
    files.write_json(out / "claims.json", together)
    about = {name: _about(out / name) for name in found}
    (out / "index.html").write_text(index_page({name: found[name] for name in _in_order(found)}, about), encoding="utf-8")
    return folder


def _about(folder: Path) -> dict[str, Any]:
    """Title, paper and summary of a study; nothing where an earlier version of ackclock has written the folder."""
    return files.read_json(folder / ABOUT) if (folder / ABOUT).is_file() else {}


def _in_order(found: dict[str, Any]) -> list[str]:
    from ackclock.studies import STUDIES

    known = [name for name in STUDIES if name in found]
    return [*known, *(name for name in found if name not in known)]


def _told(criterion: Criterion, done: StudyRun) -> Criterion:
    return in_units(criterion, done.results) if set(criterion.experiments) <= set(done.results.sweeps) else criterion


def claims_of(done: StudyRun, folder: Path, store: Path) -> list[dict[str, Any]]:
    """Claims and questions with their verdicts, as claims.json has them."""
    from ackclock import _core

    found = []
    for each in done.study.statements:
        judgement = done.judgements[each.id]
        verdict = judgement.verdict
        sources = [source for name in each.criterion.experiments for source in source_of(done, name, folder, store)]
        found.append(
            {
                "id": each.id,
                "study": done.study.name,
                "kind": "question" if isinstance(each, Question) else "claim",
                "text": each.text,
                "paper": each.paper,
                "reading": each.reading,
                "criterion": _told(each.criterion, done).describe(),
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
                "why": each.why,
                "differs": each.differs if judgement.disagreeing else None,
                "figures": dict(verdict.figures),
                "experiments": [{key: value for key, value in asdict(source).items() if key != "name"} for source in sources],
                "quick": done.results.quick,
                "results_version": _core.RESULTS_VERSION,
            }
        )
    return found
