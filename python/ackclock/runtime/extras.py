"""Optional packages: what needs each, and one line that says how to install it.

docs/install.md lists the extras.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ackclock.errors import Error

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "EXTRAS",
    "Extra",
    "MissingExtraError",
    "importing",
    "is_installed",
    "leave_the_current_folder_alone",
    "require",
]


class MissingExtraError(Error, ImportError):
    """An optional package is not installed; the text names its use and the command to install it.

    Attributes
    ----------
    extra : str
        Name of the extra that holds the package, such as "plots".

    Examples
    --------
    >>> import ackclock as ac
    >>> str(ac.MissingExtraError("plots"))
    "figures for print need matplotlib, which is not installed here: pip install 'ackclock[plots]'"
    """

    kind = "unavailable"

    def __init__(self, extra: str) -> None:
        entry = EXTRAS[extra]
        super().__init__(
            f"{entry.use} {entry.library}, which is not installed here: "
            f"pip install 'ackclock[{extra}]'"
        )
        self.extra = extra


class Extra(NamedTuple):
    """An extra of the package that the code imports."""

    module: str
    """Module that is imported."""
    library: str
    """Name of the library, for a message."""
    use: str
    """Subject and verb of the message; the library's name follows."""
    purpose: str
    """Gain for a user, for `ackclock doctor`."""


EXTRAS = {
    "plots": Extra(
        "matplotlib",
        "matplotlib",
        "figures for print need",
        "figures for print: ackclock plot, studies",
    ),
    "science": Extra(
        "scipy",
        "scipy",
        "numerical integrals, optima and point sets need",
        "some formulas, rows of ackclock evaluate",
    ),
    "dask": Extra("distributed", "Dask", "sweeps on a cluster need", "sweeps on a cluster: --dask"),
    "video": Extra("av", "PyAV", "films need", "films as traffic: ackclock video-trace"),
    "pandas": Extra("pandas", "pandas", "to_pandas() needs", "tables as frames of pandas"),
    "notebook": Extra("jupyterlab", "JupyterLab", "notebooks need", "notebooks in the browser"),
}
"""Extras by name, without `all`, which collects the others."""


def is_installed(extra: str) -> bool:
    """Whether the library of an extra can be imported."""
    return importlib.util.find_spec(EXTRAS[extra].module) is not None


def require(*extras: str) -> None:
    """Raise unless the libraries of all these extras are installed; imports nothing.

    A command calls it before it begins what would fail at its end.

    Raises
    ------
    MissingExtraError
        If one is not installed.
    """
    for extra in extras:
        if not is_installed(extra):
            raise MissingExtraError(extra)


def leave_the_current_folder_alone() -> None:
    """Import extras without the settings that stand in the current folder, from now on.

    matplotlib reads a file ``matplotlibrc`` there, and evaluates parts of it. In a command that
    folder may be of others; in a notebook it is the user's own.
    """
    global _reads_here
    _reads_here = False


_reads_here = True


@contextmanager
def _elsewhere() -> Iterator[None]:
    """Be in the root folder within the block."""
    try:
        here = Path.cwd()
    except OSError:
        # A folder that was removed has no settings.
        yield
        return
    os.chdir(here.anchor)
    try:
        yield
    finally:
        os.chdir(here)


@contextmanager
def importing(extra: str) -> Iterator[None]:
    """Turn a failed import of an extra's library within the block into a line for the user.

    Raises
    ------
    MissingExtraError
        If the library is not installed.

    Examples
    --------
    >>> with importing("science"):
    ...     from scipy.special import erfcx
    """
    is_apart = extra == "plots" and not _reads_here and "matplotlib" not in sys.modules
    try:
        with _elsewhere() if is_apart else nullcontext():
            yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != EXTRAS[extra].module:
            raise
        raise MissingExtraError(extra) from None
