"""Scripts of the repository as modules: what they write is held to what the code does."""

from __future__ import annotations

import importlib.util
import io
import os
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from ackclock.cli import main
from ackclock.cli.terminal import SIGN_OF_LIFE

if TYPE_CHECKING:
    from collections.abc import Mapping
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
    """Run this Python with these words; what it prints is kept as text.

    The sign of life that a command gives on a busy machine is left out: no test is of its speed.
    """
    done: subprocess.CompletedProcess[str] = subprocess.run(
        [sys.executable, *map(str, words)],
        **{"capture_output": True, "text": True, "check": False, **options},
    )
    if isinstance(done.stderr, str):
        done.stderr = done.stderr.removeprefix(f"{SIGN_OF_LIFE}\n")
    return done


def ackclock_command(
    *words: object,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    check: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run `ackclock` with these words in this process: twenty times as fast as in its own.

    Standard input is empty. Use `ackclock_process` where signals, pipes, the exit itself or
    imported modules are the subject.
    """
    texts = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2)]
    before = dict(os.environ)
    try:
        if env is not None:
            os.environ.clear()
            os.environ.update(env)
        with (
            chdir(Path.cwd() if cwd is None else cwd),
            redirect_stdout(texts[0]),
            redirect_stderr(texts[1]),
            mock.patch.object(sys, "stdin", io.StringIO()),
            # A command does not see the modules of the clone's folder, where a user's may stand.
            mock.patch.object(sys, "path", [entry for entry in sys.path if entry != str(ROOT)]),
        ):
            try:
                main([str(word) for word in words])
            except SystemExit as end:
                status = end.code
    finally:
        os.environ.clear()
        os.environ.update(before)
    assert status is None or isinstance(status, int), status
    said = []
    for text in texts:
        text.flush()
        said.append(text.buffer.getvalue().decode())  # type: ignore[attr-defined]
    done = subprocess.CompletedProcess(words, status or 0, *said)
    if check:
        done.check_returncode()
    return done


def ackclock_process(*words: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run `ackclock` with these words in a process of its own, as `run_python` does."""
    return run_python("-m", "ackclock", *words, **options)
