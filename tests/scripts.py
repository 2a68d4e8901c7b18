"""Scripts of the repository as modules: what they write is held to what the code does."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    """The script that writes the documentation's tables."""
    return script("docs/make.py")


def run_python(*words: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run this Python with these words; what it prints is kept as text."""
    return subprocess.run(
        [sys.executable, *map(str, words)],
        **{"capture_output": True, "text": True, "check": False, **options},
    )


def ackclock_command(*words: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run `ackclock` with these words in a process of its own, as `run_python` does."""
    return run_python("-m", "ackclock", *words, **options)
