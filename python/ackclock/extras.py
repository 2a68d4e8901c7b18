"""Optional packages: what needs each, and one line that says how to install it.

docs/install.md lists the extras.
"""

from __future__ import annotations

import importlib.util
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ackclock.errors import Error

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["EXTRAS", "Extra", "MissingExtraError", "importing", "is_installed", "require"]


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
        found = EXTRAS[extra]
        super().__init__(
            f"{found.use} {found.library}, which is not installed here: "
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
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != EXTRAS[extra].module:
            raise
        raise MissingExtraError(extra) from None
