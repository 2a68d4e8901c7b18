"""Write a dossier's folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.atomic_io import Kind, whole_folder, write_text
from ackclock.evaluation.output.data import data_of, outcome_of
from ackclock.evaluation.output.markdown import markdown_of
from ackclock.evaluation.output.page import page_of
from ackclock.evaluation.output.pictures import worst_cells
from ackclock.results import files

if TYPE_CHECKING:
    from ackclock.evaluation.dossier import Dossier

__all__ = ["KIND", "write_dossier"]

KIND = Kind(
    "dossier",
    "dossier.json",
    lambda _: {"index.html", "dossier.json", "dossier.md"},
    possible=r"index\.html|dossier\.(?:json|md)",
)


def write_dossier(dossier: Dossier, folder: str | Path) -> Path:
    """Write index.html, dossier.json and dossier.md, whole or not at all.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    FileExistsError
        If the folder holds something that no dossier wrote.
    ackclock.WriteError
        If it cannot be written.
    """
    place = Path(folder)
    page = page_of(dossier, worst_cells(dossier, Path(dossier.folder or ".")))
    with whole_folder(place, KIND) as temporary:
        write_text(temporary / "index.html", page)
        files.write_json(temporary / "dossier.json", data_of(dossier))
        write_text(temporary / "dossier.md", markdown_of(outcome_of(dossier)))
    return place / "index.html"
