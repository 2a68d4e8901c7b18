"""A first congestion control in Python: its class, a scenario that compares it, a test."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.scenario.directive import directive
from ackclock.templates.filling import SkeletonError, check_name, template, write_new

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["KINDS", "class_of", "stem_of", "write_algorithm"]

_AROUND = {"avoidance": "avoidance", "slow-start": "slow-start", "controller": "avoidance"}
"""The templates of the scenario and the test for each role."""

KINDS: Sequence[str] = tuple(_AROUND)
"""Roles of a congestion control, in the words of `ackclock new --kind`."""


def write_algorithm(name: str, folder: Path, kind: str = "avoidance") -> list[Path]:
    """Write a congestion control, a scenario that compares it with others, and a test of it.

    Parameters
    ----------
    name
        Name of the algorithm. The files have underscores in place of hyphens.
    folder
        Folder for the files; it is created.
    kind
        One of `KINDS`.

    Returns
    -------
    list of three paths
        The module, the scenario (TOML) and the test.

    Raises
    ------
    SkeletonError
        If the name is not valid or taken, or one of the files exists; nothing is written then.
    ackclock.WriteError
        If the files cannot be written; none exists then.
    """
    stem = stem_of(name)
    for module in (stem, f"test_{stem}"):
        _refuse_module(module, folder)
    words = {"name": name, "stem": stem, "class": class_of(stem), "directive": directive()}
    around = _AROUND[kind]
    parts = {
        f"{stem}.py": f"{kind}/algorithm.py",
        f"{stem}.toml": f"{around}/scenario.toml",
        f"test_{stem}.py": f"{around}/test.py",
    }
    texts = {
        file: template("ackclock.templates", part).render(words) for file, part in parts.items()
    }
    return write_new(folder, texts)


def stem_of(name: str) -> str:
    """The module's name of an algorithm.

    Raises
    ------
    SkeletonError
        If the name is not valid, or an algorithm of ackclock has it.
    """
    from ackclock import _core

    stem = check_name(name, "an algorithm")
    for entry in _core.list_cc():
        if entry["name"].replace("-", "_") == stem.lower():
            raise SkeletonError(
                f"'{entry['name']}' is an algorithm of ackclock (ackclock list cc "
                f"{entry['name']}): take another name"
            )
    return stem


def class_of(stem: str) -> str:
    """The name of a class for a module: ``my_reno`` gives ``MyReno``."""
    return "".join(part[:1].upper() + part[1:] for part in stem.split("_"))


def _refuse_module(module: str, folder: Path) -> None:
    """Refuse the name of an installed module, which the new file would hide."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return
    if spec is None or spec.origin is None:
        return
    place = Path(spec.origin)
    home = place.parent.parent if place.name == "__init__.py" else place.parent
    # A file of the user's own is dealt with where the new ones are written.
    if home not in (Path.cwd(), folder.absolute()):
        raise SkeletonError(
            f"{module}.py would stand in the way of the installed module '{module}' ({place}): "
            "take another name"
        )
