"""The progress of a sweep, read from its folder."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.atomic_io import is_file, recover
from ackclock.engine.linux.machine import LinuxError
from ackclock.errors import FileMissingError
from ackclock.runtime.permission import looking, modules_named
from ackclock.scenario import load
from ackclock.sweeps.elsewhere import store_of
from ackclock.sweeps.making import read_design
from ackclock.sweeps.result import NEXT
from ackclock.sweeps.store import Store

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.sweeps.design import Design

__all__ = ["STORE", "Status", "status_of"]

STORE = "runs"
"""Name of the store in a sweep's folder."""


@dataclass
class Status:
    """The state of a sweep's folder."""

    design: Design
    file: Path
    """File with the sweep's design."""
    finished: int = 0
    runs: int = 0
    """Number of wanted runs, as far as the finished ones tell."""
    pilots: int = 0
    """Number of wanted runs that only find the warm-up."""
    written: bool = False
    """Whether the sweep's results are written."""
    damaged: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether all wanted runs are finished."""
        return self.finished == self.runs


def status_of(folder: str | Path) -> Status:
    """Read the state of a sweep's folder, and verify every run's checksum.

    Raises
    ------
    FileNotFoundError
        If the folder holds no sweep.
    """
    with looking():
        return _status_of(Path(folder))


def _status_of(where: Path) -> Status:
    if not is_file(where, "sweep.toml"):
        raise FileMissingError(f"{where}: not the folder of a sweep: sweep.toml is missing")
    recover(where)
    # A sweep in progress beside the results of a finished one comes first.
    file = where / (NEXT if is_file(where, NEXT) else "sweep.toml")
    design = read_design(load(file))
    status = Status(design, file=file, written=is_file(where, "sweep.json") and file.name != NEXT)
    runs = store_of(where)
    if not runs.exists():
        status.runs = design.estimate().runs
        return status
    store = Store.open(runs)
    try:
        _count(status, store)
        has_keys = status.complete or not _names_code(design)
    except LinuxError:
        has_keys = False
    if not has_keys:
        # The user's code is not run here, and what it implies is a part of the keys of runs. So is
        # a kernel that this machine lacks.
        status.runs = sum(design.whole.runs)
        status.finished = min(status.runs, len(list(store.keys())))
    status.damaged = list(store.damaged)
    return status


def _names_code(design: Design) -> bool:
    """Whether a sweep names Python code of the user."""
    return bool(modules_named(design.to_toml()))


def _count(status: Status, store: Store) -> None:
    design = status.design
    warmup_ps = None
    if design.warmup == "auto":
        from ackclock.sweeps.warmup import agreed, pilots

        pilot = pilots(design)
        figures = _found(status, pilot, store, None)
        status.pilots = status.runs
        if figures is None:
            status.runs += design.estimate().runs
            return
        warmup_ps = agreed(design, figures)
    _found(status, design, store, warmup_ps)


def _found(
    status: Status, design: Design, store: Store, warmup_ps: int | None
) -> Mapping[tuple[int, int], Mapping[str, float | None]] | None:
    """The figures of all wanted runs; None if one is missing."""
    from ackclock.sweeps.sequential import wanted

    figures: dict[tuple[int, int], Mapping[str, float | None]] = {}
    while more := wanted(design, figures):
        there = 0
        for setting, replication in more:
            task = design.task(setting, replication, warmup_ps=warmup_ps)
            outcome = store.get(task.key, design.responses)
            if outcome is not None:
                figures[setting, replication] = outcome.figures
                there += 1
        status.runs += len(more)
        status.finished += there
        if there < len(more):
            return None
    return figures
