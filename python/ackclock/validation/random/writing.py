"""The report as files."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ackclock.writing import write_text

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.validation.random.report import RandomReport

__all__ = ["FOLDER", "write"]

FOLDER = "random"
"""The folder of the scripts, below the one that is named."""


def write(report: RandomReport, where: Path) -> Path:
    """Write `random.json`, and for each class of difference a packetdrill script and its story below `random/`.

    Earlier ones are replaced. Returns the path of `random.json`.
    """
    folder = where / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for old in [*folder.glob("*.pkt"), *folder.glob("*.txt")]:
        old.unlink()
    for one in report.results:
        for other in one.differences:
            name = f"{one.cc}-{_slug(other.name)}"
            (folder / f"{name}.pkt").write_text(other.packetdrill, encoding="utf-8")
            (folder / f"{name}.txt").write_text(other.story, encoding="utf-8")
    target = where / "random.json"
    write_text(target, json.dumps(report.as_json(), indent=1) + "\n")
    return target


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
