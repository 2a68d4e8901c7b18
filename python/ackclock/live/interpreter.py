"""Python for the page: Pyodide, ackclock and its packages, as elements of the page."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

from ackclock.live.error import LiveError

__all__ = ["FOLDER", "FILES", "interpreter"]

FOLDER = Path(__file__).with_name("pyodide")
"""The packed files; `make web` builds them, and wheels carry them."""

FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide-lock.json",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
)
"""Files that Pyodide loads when it starts; the last has ackclock and its packages."""


def interpreter() -> str:
    """Elements of a page with all files of Python: base64 of their gzip.

    Raises
    ------
    LiveError
        If one of them was not built.
    """
    return "".join(_element(name) for name in FILES)


def _element(name: str) -> str:
    try:
        packed = (FOLDER / f"{name}.gz").read_bytes()
    except FileNotFoundError:
        raise LiveError(
            "Python for the page was not built here: in a clone, make web builds it; wheels of "
            "ackclock have it; --no-python writes a page that only shows the run"
        ) from None
    text = b64encode(packed).decode("ascii")
    return f'<script type="text/plain" data-python="{name}">{text}</script>\n'
