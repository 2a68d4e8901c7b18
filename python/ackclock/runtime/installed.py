"""Studies that installed packages bring, found by their entry points.

A package registers a study in its pyproject.toml::

    [project.entry-points."ackclock.studies"]
    my-paper = "my_package.my_module:STUDY"
"""

from __future__ import annotations

import importlib.util
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["GROUP", "entries", "home_of"]

GROUP = "ackclock.studies"
"""The group of entry points."""


def entries() -> Mapping[str, tuple[metadata.EntryPoint, ...]]:
    """Entry points of installed studies, sorted by name; several if packages share a name."""
    by_name: dict[str, dict[str, metadata.EntryPoint]] = {}
    for entry in metadata.entry_points(group=GROUP):
        # An editable installation may be on the path twice.
        by_name.setdefault(entry.name, {})[entry.value] = entry
    return {name: tuple(by_name[name].values()) for name in sorted(by_name)}


def home_of(entry: metadata.EntryPoint) -> Path | None:
    """Folder of the top-level package, or file of the module, that an entry point names."""
    spec = importlib.util.find_spec(entry.module.partition(".")[0])
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).resolve()
    return file.parent if file.name == "__init__.py" else file
