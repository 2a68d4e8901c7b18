"""The folder of a scenario: the files that it names, in the memory of the page."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from ackclock.scenario import ScenarioError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["folder_of"]


@contextmanager
def folder_of(files: Mapping[str, str]) -> Iterator[Path]:
    """Be in a folder with the files, by their paths in it, as the command line is in its own."""
    here, folder = Path.cwd(), Path(tempfile.mkdtemp())
    try:
        for name, content in files.items():
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts:
                raise ScenarioError(
                    "a file that the page reads must lie in the scenario's folder or below it",
                    file=name,
                )
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(content, encoding="utf-8", newline="")
        os.chdir(folder)
        yield folder
    finally:
        os.chdir(here)
        shutil.rmtree(folder)
