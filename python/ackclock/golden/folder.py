"""The folder of a test's results."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ackclock.atomic_io import Kind, whole_files, write_text
from ackclock.golden.states import MEASURED, states_text

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.golden.result import GoldenResult

__all__ = ["GOLDEN", "RUNS", "write_result"]

RUNS = "runs"
"""Folder of the runs in the folder of results."""

GOLDEN = Kind(
    "test of golden cells",
    MEASURED,
    lambda _: set(),
    possible=r"result\.json|measured\.toml",
    later=frozenset(),
    beside=frozenset({RUNS}),
    last=MEASURED,
)


def write_result(result: GoldenResult, folder: Path) -> None:
    """Write the checks (result.json) and the values of all runs (measured.toml).

    Raises
    ------
    WriteError, FileExistsError
        If the folder cannot be written, or holds something else.
    """
    with whole_files(folder, GOLDEN) as new:
        write_text(
            new / "result.json",
            json.dumps(result.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n",
        )
        head = "Written by `ackclock test`: a later test takes it with --against."
        write_text(new / MEASURED, states_text(result.states, head))
