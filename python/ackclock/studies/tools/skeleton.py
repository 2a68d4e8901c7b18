"""Writes a first study, which runs as it is and explains its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.scenario.directive import directive
from ackclock.studies.errors import StudyError
from ackclock.studies.tools.finding import TAKEN
from ackclock.templates import SkeletonError, check_name, template, write_new

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["write_skeleton"]


def write_skeleton(name: str, folder: Path) -> tuple[Path, Path]:
    """Write the experiment (TOML) and the study (Python) of a first study.

    Parameters
    ----------
    name
        Name of the study. Its Python file has underscores in place of hyphens, so that it can be
        imported.
    folder
        Folder for the files; it is created.

    Returns
    -------
    tuple of two paths
        Paths of the experiment and of the study.

    Raises
    ------
    StudyError
        If the name is not valid, or one of the files exists; nothing is written then.
    ackclock.WriteError
        If the files cannot be written; neither exists then.
    """
    try:
        stem = _stem_of(name)
        # Make both texts before either is written.
        texts = {
            f"{stem}.{kind}": template("ackclock.studies.tools", f"study.{kind}").render(
                name=name, stem=stem, prefix=name[0].upper(), directive=directive()
            )
            for kind in ("toml", "py")
        }
        experiment, study = write_new(folder, texts)
    except SkeletonError as error:
        raise StudyError(str(error)) from None
    return experiment, study


def _stem_of(name: str) -> str:
    from ackclock.runtime.installed import entries

    if name in entries() or name in TAKEN:
        raise StudyError(f"the name '{name}' is taken: take another")
    return check_name(name, "a study")
