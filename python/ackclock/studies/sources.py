"""Sources of a study's numbers: file, seeds and command."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.studies.study_run import StudyRun

__all__ = ["FOLDER", "Source", "recorded_file", "source_of"]

FOLDER = "experiments"
"""Folder in a study's report with the files of its experiments."""


@dataclass(frozen=True)
class Source:
    """File, seeds and command that made an experiment's runs."""

    name: str
    file: str
    """Path relative to the report; for a recording that of its first run."""
    seeds: str
    command: str
    """Command to run in the report's folder."""


def recorded_file(recording: str, variant: str) -> str:
    """Return the file name of one run."""
    kept = re.sub(r"[^\w+.]+", "-", variant).strip("-")
    return f"{FOLDER}/{recording}-{kept}.toml"


def source_of(done: StudyRun, name: str, folder: Path, store: Path) -> list[Source]:
    """Return the one source of an experiment, or one for each run of a recording."""
    if name in done.designs:
        design, file = done.designs[name], f"{FOLDER}/{name}.toml"
        first, most = design.seed(0), int(done.results.sweeps[name].runs["replication"].max() or 0)  # type: ignore[arg-type]
        seeds = f"{first} to {first + most}" if most else str(first)
        there = shlex.quote(os.path.relpath(store, folder))
        return [
            Source(name, file, seeds, f"ackclock sweep {file} --store {there} --out sweeps/{name}")
        ]
    return [
        Source(
            f"{name}, {variant}",
            file := recorded_file(name, variant),
            str(scenario.seed),
            f"ackclock run {file}",
        )
        for variant, scenario in done.recorded[name].items()
    ]
