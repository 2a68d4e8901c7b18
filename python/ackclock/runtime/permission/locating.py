"""Find the files of a module without importing anything, not even the packages above it."""

from __future__ import annotations

import importlib.util
import site
import sys
import sysconfig
from functools import lru_cache
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    PathFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.runtime.installed import entries, home_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec

__all__ = ["files_of", "is_installed", "own_folders", "stands_in"]

_PACKAGE = Path(__file__).parents[2]


def files_of(name: str, folders: Sequence[Path]) -> list[Path]:
    """Return the files that importing a module would run: those of its packages, then its own.

    Parameters
    ----------
    name
        Dotted name of the module.
    folders
        Folders that are searched before Python's own path.

    Returns
    -------
    list of Path
        Empty if there is no such module. A package without an ``__init__`` is a folder.
    """
    top, *below = name.split(".")
    spec = _top(top, folders)
    files: list[Path] = []
    path = top
    for part in (*below, None):
        if spec is None:
            return []
        places = list(spec.submodule_search_locations or ())
        if spec.origin is not None and spec.has_location:
            files.append(Path(spec.origin))
        elif places:
            files.append(Path(places[0]))
        if part is None:
            return files
        path = f"{path}.{part}"
        spec = _below(path, places)
    return files


def stands_in(name: str, folder: Path) -> bool:
    """Return whether a module is in a folder, rather than on Python's own path."""
    files = files_of(name, [folder])
    package = folder / name.partition(".")[0]
    return bool(files) and (files[0] == package or files[0].parent in {folder, package})


def _top(name: str, folders: Sequence[Path]) -> ModuleSpec | None:
    paths = [str(folder) for folder in folders]
    spec = _below(name, paths)
    if spec is not None:
        return spec
    try:
        # A name without dots has no package that Python would import to find it.
        return PathFinder.find_spec(name, sys.path) or importlib.util.find_spec(name)
    except (ImportError, AttributeError, ValueError):
        return None


def _below(path: str, places: Sequence[str]) -> ModuleSpec | None:
    """Return the module of a dotted path in folders; a package without `__init__` comes last."""
    namespace = None
    for place in places:
        finder = FileFinder(
            place,
            (ExtensionFileLoader, EXTENSION_SUFFIXES),
            (SourceFileLoader, SOURCE_SUFFIXES),
            (SourcelessFileLoader, BYTECODE_SUFFIXES),
        )
        spec = finder.find_spec(path)
        if spec is None:
            continue
        if spec.loader is not None:
            return spec
        if namespace is None:
            namespace = spec
        elif namespace.submodule_search_locations is not None:
            namespace.submodule_search_locations.extend(spec.submodule_search_locations or ())
    return namespace


@lru_cache(maxsize=1)
def _installed_places() -> tuple[Path, ...]:
    paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    places = {*paths, *site.getsitepackages(), site.getusersitepackages()}
    # A package that registers studies may be installed from its sources: not in these places.
    homes = [home_of(entry) for every in entries().values() for entry in every]
    return (
        _PACKAGE,
        *(Path(place).resolve() for place in places if place),
        *(home for home in homes if home is not None),
    )


def is_installed(file: Path) -> bool:
    """Return whether a file belongs to Python, to ackclock, or to an installed package."""
    where = file.resolve()
    return any(where.is_relative_to(place) for place in _installed_places())


@lru_cache(maxsize=1)
def own_folders() -> tuple[Path, ...]:
    """Folders of ackclock and of installed studies, and the examples of the running clone."""
    clone = _PACKAGE.parents[1]
    examples = (clone / "scenarios",) if (clone / "Cargo.toml").is_file() else ()
    homes = [home_of(entry) for every in entries().values() for entry in every]
    return tuple(
        place.resolve()
        for place in (_PACKAGE, *examples, *(home for home in homes if home is not None))
    )
