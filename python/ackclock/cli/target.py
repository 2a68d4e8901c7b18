"""The folder that results go to: ours or new, and known to be so before anything runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.cli.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["OURS_OF_A_SWEEP", "check_target", "existing_folder"]

_OURS = {
    "scenario.toml",
    "plan.json",
    "summary.json",
    "timing.json",
    "linux.json",
    "flows.parquet",
    "links.parquet",
    "samples",
    "transfers.parquet",
    "streams.parquet",
    "frames.parquet",
    "packets.parquet",
    "pcap",
    "plots",
    "report.html",
    "comparison.json",
    "comparison.parquet",
}


OURS_OF_A_SWEEP = {
    "sweep.toml",
    "sweep.json",
    "timing.json",
    "runs",
    "runs.parquet",
    "responses.parquet",
    "differences.parquet",
    "plots",
    "report.html",
}


def check_target(folder: Path, mark: str, ours: Collection[str] = _OURS) -> Path:
    """The folder, if results can replace it.

    Parameters
    ----------
    folder
        Where the results shall be.
    mark
        The file by which earlier results of the same kind are known.
    ours
        What such a folder may hold.

    Raises
    ------
    InputError
        If something is there that is not ours, or nothing can be written there.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out: '{folder}' is a file; name a folder")
    if folder.is_dir():
        names = sorted(entry.name for entry in folder.iterdir())
        foreign = [name for name in names if name not in ours]
        if foreign:
            raise InputError(f"--out: '{folder}' holds '{foreign[0]}', which is not ours; name another folder, or move it away")
        if names and mark not in names:
            raise InputError(f"--out: '{folder}' holds no earlier results of this kind (no {mark}); name another folder")
    parent = folder.absolute().parent
    while not parent.exists():
        parent = parent.parent
    if not parent.is_dir():
        raise InputError(f"--out: '{folder}' cannot be made: '{parent}' is a file")
    if not os.access(parent, os.W_OK):
        raise InputError(f"--out: '{folder}' cannot be made: '{parent}' may not be written to")
    return folder


def existing_folder(name: str) -> Path:
    """The folder of a sweep.

    Raises
    ------
    InputError
        If there is none.
    """
    folder = Path(name)
    if not folder.is_dir():
        raise InputError(f"{name}: there is no such folder; give one that ackclock sweep wrote")
    return folder
