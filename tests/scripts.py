"""Scripts of the repository as modules: what they write is held to what the code does."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def script(path: str) -> ModuleType:
    """Run it as an import would; `path` from the root of the repository."""
    file = ROOT / path
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def docs_script() -> ModuleType:
    """What writes the documentation's tables."""
    return script("docs/make.py")
