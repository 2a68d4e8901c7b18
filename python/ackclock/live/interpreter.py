"""Python for the page: Pyodide, ackclock and its packages, as elements of the page."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

from ackclock.live.error import LiveError

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


def interpreter() -> str:
    """Elements of a page with all files of Python, base64 of their gzip, and their licences.

    Raises
    ------
    LiveError
        If one of them was not built.
    """
    licences = _read(_LICENCES).decode("utf-8").replace("</", "<\\/").replace("<!--", "<\\!--")
    files = {name: b64encode(_read(f"{name}.gz")).decode("ascii") for name in FILES}
    elements = [
        f'<script type="text/plain" data-path="{_LICENCES}">{licences}</script>',
        *(
            f'<script type="text/plain" data-python="{name}">{text}</script>'
            for name, text in files.items()
        ),
    ]
    return "".join(f"{element}\n" for element in elements)


def _read(name: str) -> bytes:
    try:
        return (FOLDER / name).read_bytes()
    except FileNotFoundError:
        raise LiveError(
            "Python for the page was not built here: in a clone, make web builds it; wheels of "
            "ackclock have it; --no-python writes a page without it, which only shows the run"
        ) from None
