"""Runs of another simulator, kept as JSON beside a study, which the study's own criteria judge."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io import read_json

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Outside", "OutsideRuns", "read_outside"]


@dataclass(frozen=True)
class Outside:
    """Runs of another simulator beside those of one experiment."""

    name: str
    """A column's heading: `ns-2.35`."""
    experiment: str
    """The experiment that has the corresponding runs of ackclock."""
    file: str
    """JSON beside the study: `simulator`, `made_by` and `runs`, a row for each run with the labels
    of the experiment's axes, `seed`, and its responses in base units. An axis that no row names is
    ignored.
    """
    script: str
    """Origin of the file: a path in the project or an address."""
    text: str
    """How the runs were made, and how they differ from ackclock's."""


@dataclass(frozen=True)
class OutsideRuns:
    """Content of a file of runs from another simulator."""

    simulator: str
    made_by: str
    rows: tuple[dict[str, Any], ...]


@cache
def read_outside(path: Path) -> OutsideRuns:
    """Read the file of an `Outside`.

    Raises
    ------
    ValueError
        Naming the file and the key that is missing.
    """
    content = read_json(path.parent, path.name)
    for key in ("simulator", "made_by", "runs"):
        if key not in content:
            raise ValueError(
                f"{path}: there is no '{key}'; runs of another simulator have simulator, made_by "
                "and runs"
            )
    for number, row in enumerate(content["runs"]):
        if "seed" not in row:
            raise ValueError(f"{path}: runs[{number}] has no 'seed'")
    return OutsideRuns(content["simulator"], content["made_by"], tuple(content["runs"]))
