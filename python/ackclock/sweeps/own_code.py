"""Find the user's code behind names of algorithms and metrics, with the modules it imports.

A module counts as the user's unless it belongs to Python, to ackclock, to an installed package or
to a package that registers studies. Imports are read from a module's source. Not seen are imports
by computed names, files that the module reads, and changes of installed packages.
"""

from __future__ import annotations

import ast
import hashlib
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.runtime.permission import (
    current,
    files_of,
    is_installed,
    modules_named,
    search_folders,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import ModuleType

__all__ = ["files_behind", "located", "own_code"]

_lock = threading.Lock()
# Source of each of the user's modules when it was last imported, by name.
_seen: dict[str, bytes] = {}


def own_code(names: Iterable[str], folder: Path | None, modules: Iterable[str] = ()) -> str:
    """Hash of the user's modules behind names of congestion controls and metrics; "" without any.

    Modules that have changed since the last call are imported again at their next use, so that the
    hashed code is the code that runs.

    Parameters
    ----------
    names
        Names such as `"hystart+python:gentle:Gentle(cut=0.1)"`, `"python:mine:starved@f.1"`,
        `"cubic"`, or `"starved"`, if a module that is imported already defines it.
    folder
        Folder in which modules are looked for first.
    modules
        Further modules that count if they are the user's.

    Raises
    ------
    OwnClassError
        If a module does not exist.
    """
    # Code of a script or a notebook travels with the run: ackclock.sweeps.carried.
    wanted = [
        name for name in dict.fromkeys([*modules_named(*names), *modules]) if name != "__main__"
    ]
    with _lock:
        sources = _sources(wanted, folder)
        changed = [name for name, source in sources.items() if _seen.get(name, source) != source]
        if changed:
            # Drop all of them: an unchanged module holds objects of a changed one.
            for name in sources:
                sys.modules.pop(name, None)
        _seen.update(sources)
    if not sources:
        return ""
    hashed = hashlib.sha256()
    for name, source in sorted(sources.items()):
        hashed.update(f"{name} {len(source)}\n".encode())
        hashed.update(source)
    return hashed.hexdigest()


def files_behind(
    modules: Iterable[tuple[str, Path | None]], folders: Sequence[Path] = ()
) -> dict[str, Path]:
    """The user's files among modules, given with their files, and all that they import; by name.

    Nothing is imported. Modules are looked for in `folders` first.
    """
    waiting = list(modules)
    files: dict[str, Path] = {}
    while waiting:
        name, file = waiting.pop()
        if name in files or file is None or is_installed(file):
            continue
        files[name] = file
        if file.suffix == ".py":
            source = file.read_bytes()
            waiting += [
                (other, _file_of_name(other, folders)) for other in _imports(name, file, source)
            ]
    return files


def _sources(modules: Iterable[str], folder: Path | None) -> dict[str, bytes]:
    """Sources of the user's modules among `modules` and all that they import, by name."""
    from ackclock.scenario.own import Finder

    files: dict[str, Path] = {}
    for name in modules:
        folders = search_folders(name, folder)
        file = located(name, folders) if current().looks else _file_of(Finder(folder).module(name))
        files |= files_behind([(name, file)], folders)
    return {name: file.read_bytes() for name, file in files.items()}


def _imports(name: str, file: Path, source: bytes) -> Iterator[str]:
    """Names of all modules that a module's source imports, with the packages above them."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError:
        # A broken module is imported in a branch that never runs; else its import would fail.
        nodes = []
    for node in nodes:
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([node.module] if node.module else [])])
            # A name that is imported from a package may be a module of it.
            named = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        else:
            continue
        for module in named:
            parts = module.split(".")
            yield from (".".join(parts[: count + 1]) for count in range(len(parts)))
    parts = name.split(".")
    yield from (".".join(parts[:count]) for count in range(1, len(parts)))


def _file_of(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    return Path(file) if file is not None and Path(file).is_file() else None


def _file_of_name(name: str, folders: Sequence[Path]) -> Path | None:
    module = sys.modules.get(name)
    if module is not None:
        return _file_of(module)
    if name.partition(".")[0] in sys.stdlib_module_names:
        return None
    return located(name, folders)


def located(name: str, folders: Sequence[Path]) -> Path | None:
    """The file of a module that is looked for in `folders` first; None without one."""
    files = files_of(name, folders)
    return files[-1] if files and files[-1].is_file() else None
