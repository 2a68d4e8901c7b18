"""Where each number of a study comes from: file, seeds and command."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.studies.running import StudyRun

__all__ = ["FOLDER", "Source", "recorded_file", "source_of"]

FOLDER = "experiments"
"""Where a study's report has the files of its experiments."""


@dataclass(frozen=True)
class Source:
    """What made an experiment's runs."""

    name: str
    file: str
    """Relative to the report; of a recording the first of its runs."""
    seeds: str
    command: str
    """To be run in the report's folder."""


def recorded_file(recording: str, variant: str) -> str:
    """Name of the file of one run."""
    kept = re.sub(r"[^\w+.]+", "-", variant).strip("-")
    return f"{FOLDER}/{recording}-{kept}.toml"


def source_of(done: StudyRun, name: str, folder: Path, store: Path) -> list[Source]:
    """An experiment's one source, or one for each run of a recording."""
    if name in done.designs:
        design, file = done.designs[name], f"{FOLDER}/{name}.toml"
        first, most = design.seed(0), int(done.results.sweeps[name].runs["replication"].max() or 0)  # type: ignore[arg-type]
        seeds = f"{first} to {first + most}" if most else str(first)
        there = shlex.quote(os.path.relpath(store, folder))
        return [Source(name, file, seeds, f"ackclock sweep {file} --store {there} --out sweeps/{name}")]
    return [
        Source(f"{name}, {variant}", file := recorded_file(name, variant), str(scenario.seed), f"ackclock run {file}")
        for variant, scenario in done.recorded[name].items()
    ]
