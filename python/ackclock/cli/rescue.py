"""Rescue results that cannot be written: they go to the folder for temporary files."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["write_or_rescue"]

_LONGEST_NAME = 40


def write_or_rescue(write: Callable[[Path], Path], folder: Path) -> click.ClickException | None:
    """Write results into their folder, or if that fails, into a temporary one.

    `write` writes all results into a given folder, or none. Returns the error to end with after the
    results have been shown; None if they are in `folder`.
    """
    from ackclock.atomic_io import WriteError

    try:
        write(folder)
    except (WriteError, FileExistsError) as error:
        if isinstance(error, WriteError) and error.written:
            return click.ClickException(str(error))
        return click.ClickException(f"the run is done, but {error}; {_rescued(write, folder)}")
    return None


def _rescued(write: Callable[[Path], Path], folder: Path) -> str:
    from ackclock.atomic_io import WriteError

    place = Path(
        tempfile.gettempdir(),
        f"ackclock-{folder.resolve().name[:_LONGEST_NAME]}-{os.urandom(4).hex()}",
    )
    try:
        write(place)
    except (WriteError, FileExistsError):
        return "run it again with another --out"
    return f"its results are in '{place}'"
