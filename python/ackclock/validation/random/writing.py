"""The report as files."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ackclock.atomic_io import Kind, files_of, whole_files, write_text

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.validation.random.report import RandomReport

__all__ = ["FOLDER", "KIND", "write"]

FOLDER = "random"
"""The folder of the scripts, below the one that is named."""

_PAGE = "random.json"


def _ours(where: Path) -> set[str]:
    scripts = [*files_of(where, FOLDER, ".pkt"), *files_of(where, FOLDER, ".txt")]
    return {_PAGE, *(f"{FOLDER}/{name}" for name in scripts)}


KIND = Kind("report of random scripts", _PAGE, _ours, last=_PAGE, among_others=True)
"""The report and its scripts, in a folder that may hold other things."""


def write(report: RandomReport, where: Path) -> Path:
    """Write `random.json`, and each class of difference as a packetdrill script and its story.

    Earlier ones are replaced, all together. Returns the path of `random.json`.

    Raises
    ------
    ackclock.WriteError
        If they cannot be written; the earlier ones are untouched then.
    """
    with whole_files(where, KIND) as temporary:
        folder = temporary / FOLDER
        folder.mkdir()
        for result in report.results:
            for other in result.differences:
                name = f"{result.cc}-{_slug(other.name)}"
                write_text(folder / f"{name}.pkt", other.packetdrill)
                write_text(folder / f"{name}.txt", other.story)
        write_text(temporary / _PAGE, json.dumps(report.as_json(), indent=1) + "\n")
    return where / _PAGE


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
