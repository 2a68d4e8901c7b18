"""Results that cannot be written where they should be are not lost: they go to the folder for temporary files."""

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
    """Write results into their folder, or if that fails, into one for temporary files.

    Parameters
    ----------
    write
        Writes the results into the folder that it is given, whole or not at all.
    folder
        Where they should be.

    Returns
    -------
    click.ClickException or None
        What to end with after the results have been shown: what failed, and where the results are. None: they are in `folder`.
    """
    from ackclock.writing import WriteError

    try:
        write(folder)
    except WriteError as error:
        return click.ClickException(str(error) if error.written else f"the run is done, but {error}; {_rescued(write, folder)}")
    except FileExistsError as error:
        return click.ClickException(f"the run is done, but {error}; {_rescued(write, folder)}")
    return None


def _rescued(write: Callable[[Path], Path], folder: Path) -> str:
    from ackclock.writing import WriteError

    place = Path(tempfile.gettempdir(), f"ackclock-{folder.resolve().name[:_LONGEST_NAME]}-{os.urandom(4).hex()}")
    try:
        write(place)
    except (WriteError, FileExistsError):
        return "run it again with another --out"
    return f"its results are in '{place}'"
