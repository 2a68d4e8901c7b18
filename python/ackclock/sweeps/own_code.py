"""Find the user's code behind names of algorithms and metrics, with the modules it imports.

A module counts as the user's unless it belongs to Python, to ackclock, to an installed package or
to a package that registers studies. Imports are read from a module's source. Not seen are imports
by computed names, files that the module reads, and changes of installed packages.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import re
import site
import sys
import sysconfig
import threading
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.installed import entries, home_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

__all__ = ["files_behind", "modules_named", "own_code"]

_MODULE = re.compile(r"python:([\w.]+):")

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


def modules_named(*texts: str) -> list[str]:
    """Modules that `python:MODULE:...` names in these texts, each once."""
    return list(dict.fromkeys(module for text in texts for module in _MODULE.findall(text)))


def files_behind(modules: Iterable[tuple[str, Path | None]]) -> dict[str, Path]:
    """The user's files among modules, given with their files, and all that they import; by name."""
    waiting = list(modules)
    found: dict[str, Path] = {}
    while waiting:
        name, file = waiting.pop()
        if name in found or file is None or not _is_users(file):
            continue
        found[name] = file
        if file.suffix == ".py":
            source = file.read_bytes()
            waiting += [(other, _file_of_name(other)) for other in _imports(name, file, source)]
    return found


def _sources(modules: Iterable[str], folder: Path | None) -> dict[str, bytes]:
    """Sources of the user's modules among `modules` and all that they import, by name."""
    from ackclock.scenario.own import Finder, on_path

    finder = Finder(folder)
    with on_path([one for one in (folder, Path.cwd()) if one is not None]):
        found = files_behind([(name, _file_of(finder.module(name))) for name in modules])
    return {name: file.read_bytes() for name, file in found.items()}


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


def _file_of_name(name: str) -> Path | None:
    module = sys.modules.get(name)
    if module is not None:
        return _file_of(module)
    if name.partition(".")[0] in sys.stdlib_module_names:
        return None
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, AttributeError, ValueError):
        # The name is no module, or one that is imported only where it exists.
        return None
    return (
        Path(spec.origin)
        if spec is not None and spec.has_location and spec.origin is not None
        else None
    )


@lru_cache(maxsize=1)
def _not_the_users() -> tuple[Path, ...]:
    paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    places = {*paths, *site.getsitepackages(), site.getusersitepackages()}
    # A package that registers studies may be installed from its sources: not in these places.
    homes = [home_of(entry) for every in entries().values() for entry in every]
    return (
        Path(__file__).parents[1],
        *(Path(place).resolve() for place in places if place),
        *(home for home in homes if home is not None),
    )


def _is_users(file: Path) -> bool:
    where = file.resolve()
    return not any(where.is_relative_to(place) for place in _not_the_users())
