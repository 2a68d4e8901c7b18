"""Python for the page: Pyodide, ackclock and its packages, as elements of the page."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.pages.live.error import LiveError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FILES", "FOLDER", "interpreter"]

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

_LICENCES = "licences.txt"
"""Licences of Pyodide, Python and the packages: a copy of them needs these texts beside it."""

_LENGTH = 60_000
"""Characters of an element: Chromium keeps at most 64 Ki in one node of text."""


def interpreter() -> str:
    """Elements of a page with all files of Python and their licences.

    Each file is base64 of its gzip, in parts: its elements, one after the other.

    Raises
    ------
    LiveError
        If one of them was not built.
    """
    licences = _read(_LICENCES).decode("utf-8").replace("</", "<\\/").replace("<!--", "<\\!--")
    licensing = f'<script type="text/plain" data-path="{_LICENCES}">{licences}</script>\n'
    return "".join([licensing, *(element for name in FILES for element in _elements(name))])


def _elements(name: str) -> Iterator[str]:
    text = b64encode(_read(f"{name}.gz")).decode("ascii")
    for at in range(0, len(text), _LENGTH):
        part = text[at : at + _LENGTH]
        yield f'<script type="text/plain" data-python="{name}">{part}</script>\n'


def _read(name: str) -> bytes:
    try:
        return (FOLDER / name).read_bytes()
    except FileNotFoundError:
        raise LiveError(
            "Python for the page was not built here: in a clone, make web builds it; wheels of "
            "ackclock have it; --no-python writes a page without it, which only shows the run"
        ) from None
