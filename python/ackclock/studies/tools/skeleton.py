"""Writes a first study, which runs as it is and explains its parts."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ackclock.scenario.directive import directive
from ackclock.studies.tools.finding import TAKEN, StudyError
from ackclock.writing import Kind, recover, whole_files, write_text

if TYPE_CHECKING:
    from pathlib import Path

    from jinja2 import Environment

__all__ = ["write_skeleton"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,59}")


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
    _check(name)
    stem = name.replace("-", "_")
    files = folder / f"{stem}.toml", folder / f"{stem}.py"
    if folder.exists() and not folder.is_dir():
        raise StudyError(f"'{folder}' is a file; name a folder with --dir")
    # A run killed while it wrote has left both files, one of them perhaps not yet in its place.
    recover(folder)
    for each in files:
        if os.path.lexists(each):
            raise StudyError(
                f"'{each}' is there already, and is left as it is; take another name, or another "
                "folder with --dir"
            )
    environment = _environment()
    # Make both texts before either is written.
    texts = [
        environment.get_template(f"study.{kind}.jinja").render(
            name=name, stem=stem, prefix=name[0].upper(), directive=directive()
        )
        for kind in ("toml", "py")
    ]
    with whole_files(
        folder, Kind("study", files[-1].name, lambda _: set(), among_others=True)
    ) as temporary:
        for each, text in zip(files, texts, strict=True):
            write_text(temporary / each.name, text)
    return files


def _check(name: str) -> None:
    import keyword
    import sys

    from ackclock.installed import entries

    stem = name.replace("-", "_")
    if not _NAME.fullmatch(name) or keyword.iskeyword(stem):
        raise StudyError(
            f"{name!r} is no name for a study: take letters, digits, '-' and '_', a letter first"
        )
    if name in entries() or name in TAKEN:
        raise StudyError(f"the name '{name}' is taken: take another")
    if stem in sys.stdlib_module_names or stem == "ackclock":
        raise StudyError(
            f"{stem}.py would stand in the way of Python's own module '{stem}': take another name"
        )


def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("ackclock.studies.tools", "templates"),
        # The texts are TOML and Python, and the name needs no escaping.
        autoescape=False,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        # Braces belong to the files.
        variable_start_string="<<",
        variable_end_string=">>",
    )
