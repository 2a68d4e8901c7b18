"""The results that can be packed: those that `ackclock runs` lists, and reports of validations."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ackclock.atomic_io import Kind, has_file
from ackclock.studies.tools.exporting import ABOUT
from ackclock.tools.archives.archive import ArchiveError
from ackclock.tools.runs.kinds import STORE, kind_of
from ackclock.validation.random.writing import KIND as RANDOM
from ackclock.validation.writing import KIND as VALIDATION

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PackedKind", "kind_in"]


class PackedKind(NamedTuple):
    """A kind of results."""

    name: str
    files: Kind
    command: str
    """Command that makes such a result."""


_STUDY = PackedKind("study", Kind("study", ABOUT, lambda _: {ABOUT}), "ackclock study")
_REPORTS = (
    PackedKind("validation", VALIDATION, "ackclock validate"),
    PackedKind("report of random scripts", RANDOM, "ackclock validate --random"),
)


def kind_in(folder: Path) -> PackedKind:
    """The kind of the result in a folder.

    Raises
    ------
    ArchiveError
        If the folder holds no result, or a store, whose runs belong to several.
    """
    if not folder.is_dir():
        raise ArchiveError(f"{folder}: there is no such folder; give one that ackclock wrote")
    if has_file(folder, ABOUT):
        # The more particular first: a study's folder may hold a sweep of yours.
        return _STUDY
    kind = kind_of(folder)
    if kind is STORE:
        raise ArchiveError(f"{folder}: a store, whose runs several sweeps share; give a sweep")
    if kind is not None:
        return PackedKind(kind.name, kind.files, kind.command)
    for report in _REPORTS:
        if has_file(folder, report.files.mark):
            return report
    raise ArchiveError(f"{folder}: no result of ackclock; ackclock runs lists them")
