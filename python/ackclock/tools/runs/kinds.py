"""The kinds of results, each recognised by a file that every folder of the kind has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.atomic_io import Kind, has_file
from ackclock.results.files import RUN
from ackclock.sweeps.result import SWEEP

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["STORE", "ResultKind", "kind_of"]


@dataclass(frozen=True)
class ResultKind:
    """A kind of results."""

    name: str
    mark: str
    """File that every folder of the kind has."""
    page: str
    """The page of the kind's folder; "" if it has none."""
    files: Kind
    """Files of the kind, to tell them from a user's."""
    command: str
    """Command that makes such a result."""


def _listed(name: str, mark: str, possible: str, beside: frozenset[str] = frozenset()) -> Kind:
    """A kind whose folders list their files in contents.json."""
    return Kind(name, mark, lambda _: {mark}, possible, later=frozenset(), beside=beside)


STORE = ResultKind("store", "store.json", "", _listed("store", "store.json", ""), "ackclock sweep")
"""Runs that several sweeps share."""

# The more particular first: a sweep in progress has its design alone.
_KINDS: Sequence[ResultKind] = (
    ResultKind("sweep", "sweep.toml", "report.html", SWEEP, "ackclock sweep"),
    ResultKind(
        "dossier",
        "dossier.json",
        "index.html",
        _listed("dossier", "dossier.json", r"index\.html|dossier\.(?:json|md)"),
        "ackclock evaluate",
    ),
    ResultKind(
        "golden test",
        "measured.toml",
        "",
        _listed(
            "test of golden cells",
            "measured.toml",
            r"result\.json|measured\.toml",
            frozenset({"runs"}),
        ),
        "ackclock test",
    ),
    ResultKind(
        "study",
        "study.json",
        "report.html",
        _listed(
            "study",
            "study.json",
            r"report\.html|claims\.(?:json|csv|md|tex)|paper\.bib|study\.json|figures/[^/]+\.svg"
            r"|experiments/[^/]+\.(?:toml|parquet)|study/.+",
        ),
        "ackclock study",
    ),
    ResultKind("run", "summary.json", "report.html", RUN, "ackclock run"),
    STORE,
)


def kind_of(folder: Path) -> ResultKind | None:
    """The kind of the result in a folder; None if the folder holds no result."""
    for kind in _KINDS:
        if has_file(folder, kind.mark):
            return kind
    if has_file(folder, "plan.json") and has_file(folder, "scenario.toml"):
        # A run whose summary is missing is a broken run.
        return next(kind for kind in _KINDS if kind.files is RUN)
    return None
