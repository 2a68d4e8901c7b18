"""Optional packages, by the extras that install them."""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING

from ackclock.doctor.check import Check

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["EXTRAS", "extras"]

EXTRAS = {
    "plots": (("matplotlib",), "figures for print: ackclock plot, studies"),
    "science": (("scipy",), "some formulas and intervals"),
    "dask": (("distributed",), "sweeps on a cluster: --dask"),
    "video": (("av",), "films as traffic: ackclock video-trace"),
    "notebook": (("jupyterlab", "notebook", "ipykernel"), "notebooks"),
}
"""Distributions of each extra, the first of which that is there counts, and their use."""


def extras() -> Iterator[Check]:
    """Look for the packages of each extra."""
    for extra, (names, use) in EXTRAS.items():
        found = next((one for one in map(_installed, names) if one), "")
        yield Check(
            "Extras",
            extra,
            "fine" if found else "absent",
            f"{found or 'not installed'}; {use}",
            "" if found else f"pip install 'ackclock[{extra}]'",
        )


def _installed(name: str) -> str:
    """Name and version of a distribution; "" if it is not installed."""
    try:
        return f"{name} {metadata.version(name)}"
    except metadata.PackageNotFoundError:
        return ""
