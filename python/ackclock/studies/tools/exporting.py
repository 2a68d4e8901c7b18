"""Writes claims as CSV, Markdown and LaTeX, the BibTeX entry, and the origin of the runs."""

from __future__ import annotations

import platform
import shutil
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock.atomic_io import entries_of, is_file, read_text, write_text
from ackclock.results import files
from ackclock.tables.latex import latex_pages
from ackclock.tables.markdown import markdown_cell, page_table
from ackclock.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from ackclock.studies.study import Study

__all__ = [
    "ABOUT",
    "ABOUT_KIND",
    "FORMATS",
    "OWN",
    "Case",
    "bibtex_of",
    "cases_of",
    "claims_text",
    "export_claims",
    "headline_of",
]

ABOUT = "study.json"
"""File in a study's folder that names the study and the programs that made its runs."""
ABOUT_KIND = "ackclock study"
"""Type of file that study.json declares."""
OWN = "study"
"""Folder in a study's folder that has a copy of the study's own files."""

FORMATS = ("csv", "md", "tex", "bib")
"""Formats of `claims_text` and `bibtex_of`."""

_COLUMNS = (
    "study",
    "id",
    "kind",
    "claim",
    "paper",
    "criterion",
    "reading",
    "simulator",
    "verdict",
    "result",
    "quick",
    "results_version",
)
"""Columns of claims.csv, which has a row per claim, or per reading and simulator."""


def export_claims(folder: Path, claims: Sequence[Mapping[str, Any]], study: Study) -> None:
    """Write the claims' tables, paper.bib, study.json and a copy of the study's files.

    Parameters
    ----------
    folder
        The study's folder, which is new.
    claims
        As claims.json has them.
    study
        Study of the claims. Its BibTeX entry goes to paper.bib, which is left out without one.
    """
    from ackclock.studies.tools.owning import own_files

    own = own_files(study)
    texts = {f"claims.{suffix}": claims_text(claims, suffix) for suffix in ("csv", "md", "tex")}
    entry = getattr(study, "bibtex", "").strip()
    for name, text in texts.items():
        write_text(folder / name, text)
    if entry:
        write_text(folder / "paper.bib", f"{entry}\n")
    for name, path in own.files.items():
        target = folder / OWN / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    about = {
        "kind": ABOUT_KIND,
        "name": study.name,
        "title": study.title,
        "paper": study.paper,
        "summary": study.summary,
        "quick": any(claim["quick"] for claim in claims),
        "versions": _versions(),
        "own_files": {
            "folder": f"{OWN}/{own.home}".removesuffix("/."),
            "left_out": list(own.left_out),
        },
    }
    files.write_json(folder / ABOUT, about)


def _versions() -> dict[str, Any]:
    """Return the versions of every program that affects numbers and figures."""
    from ackclock import _core

    return {
        "ackclock": _core.__version__,
        "results_version": _core.RESULTS_VERSION,
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "polars", "scipy", "matplotlib")},
    }


def claims_text(claims: Sequence[Mapping[str, Any]], format_: str) -> str:
    r"""Return claims as CSV, Markdown or LaTeX.

    Parameters
    ----------
    claims
        As claims.json has them, of one study or several.
    format_
        `csv` (a row per claim and reading, for spreadsheets), `md` (a table) or `tex` (a table over
        several pages, to be read by \input; its first line names the packages).
    """
    writers: dict[str, Callable[[Sequence[Mapping[str, Any]]], str]] = {
        "csv": _csv,
        "md": _markdown,
        "tex": _latex,
    }
    return writers[format_](claims)


def bibtex_of(folder: Path) -> str:
    """Return the BibTeX entries of the study in a folder, or of all studies below it.

    Raises
    ------
    FileNotFoundError
        If there is none.
    """
    names = (
        ["paper.bib"]
        if is_file(folder, ABOUT)
        else [f"{name}/paper.bib" for name in entries_of(folder)]
    )
    texts = [read_text(folder, name) for name in names if is_file(folder, name)]
    if not texts:
        raise FileNotFoundError(
            f"{folder}: no paper.bib in it: the study has no BibTeX entry (Study.bibtex)"
        )
    return "\n".join(texts)


class Case(NamedTuple):
    """A verdict under one reading, by the runs of ackclock or of another simulator."""

    reading: str
    simulator: str
    verdict: str
    sentence: str
    figures: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Return `bits`, or `bits in ns-2.35`; "" if there is only one case."""
        return " in ".join(part for part in (self.reading, self.simulator) if part)


def cases_of(claim: Mapping[str, Any]) -> list[Case]:
    """Return the cases of a claim of claims.json, ackclock's under the first reading first."""
    several = claim.get("cases") or [claim]
    cases = [
        Case(
            case.get("reading") or "",
            case.get("simulator") or "",
            case["verdict"],
            case["sentence"],
            case["figures"],
        )
        for case in several
    ]
    # A claim's own "reading" is a sentence; a case's is a name.
    return cases if several[0] is not claim else [cases[0]._replace(reading="")]


def headline_of(claim: Mapping[str, Any]) -> str:
    """Return the verdict in short, under all readings."""
    return str(claim.get("headline") or claim["verdict"])


def _csv(claims: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        (
            claim["study"],
            claim["id"],
            claim["kind"],
            claim["text"],
            claim["paper"],
            claim["criterion"],
            case.reading,
            case.simulator,
            case.verdict,
            case.sentence,
            "yes" if claim["quick"] else "no",
            claim["results_version"],
        )
        for claim in claims
        for case in cases_of(claim)
    ]
    return Table(_COLUMNS, rows).to_csv()


def _markdown(claims: Sequence[Mapping[str, Any]]) -> str:
    rows = (
        map(markdown_cell, (claim["id"], claim["text"], headline_of(claim), _told(claim)))
        for claim in claims
    )
    made = page_table(("claim", "what is said", "verdict", "what came out"), map(tuple, rows))
    return "\n".join([made, *_notes(claims)]) + "\n"


def _told(claim: Mapping[str, Any]) -> str:
    """Return the outcome, under the first reading if there are several."""
    case = cases_of(claim)[0]
    return f"{case.name}: {case.sentence}" if case.name else case.sentence


def _notes(claims: Sequence[Mapping[str, Any]]) -> list[str]:
    version_ = ", ".join(sorted({str(claim["results_version"]) for claim in claims}))
    kind = (
        " Quick runs: fewer seeds and settings." if any(claim["quick"] for claim in claims) else ""
    )
    return [f"Made by ackclock, version {version_} of the results.{kind}"] if claims else []


def _latex(claims: Sequence[Mapping[str, Any]]) -> str:
    rows = [(claim["id"], claim["text"], headline_of(claim), _told(claim)) for claim in claims]
    return latex_pages(("Claim", "What is said", "Verdict", "What came out"), rows, _notes(claims))
