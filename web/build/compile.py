"""Compile the sources of an archive, inside of Pyodide: /sources.zip to /result.zip.

Files below ``python/`` are for the root of the archive, from which Python imports them. Files below
``files/`` are for a folder into which the page unpacks them.
"""

from __future__ import annotations

import importlib.util
import marshal
import zipfile
from types import CodeType

EPOCH = (1980, 1, 1, 0, 0, 0)
# Pyodide reads the docstrings of its own modules when it starts.
WITH_DOCSTRINGS = ("python/_pyodide/", "python/pyodide/")
# Tracebacks through these have the numbers of lines, which take a quarter of a module.
WITH_LINES = "python/ackclock"
ENTRY = 0b1_1101_000
# Messages quote the docstrings of a scenario's keys, which are read from the source.
WITH_SOURCE = "python/ackclock/scenario/"


def without_lines(code: CodeType) -> CodeType:
    """Return the code, and all code in it, with each function's first line as its only one."""
    constants = tuple(
        without_lines(each) if isinstance(each, CodeType) else each for each in code.co_consts
    )
    # Entries of a kind without columns, for up to eight units of code each: the line stays.
    whole, rest = divmod(len(code.co_code) // 2, 8)
    lines = bytes([ENTRY | 7, 0]) * whole + (bytes([ENTRY | (rest - 1), 0]) if rest else b"")
    return code.replace(co_consts=constants, co_linetable=lines)


def compiled(source: bytes, name: str) -> bytes:
    """Return a compiled module, which Python does not compare with its source."""
    level = 0 if name.startswith(WITH_DOCSTRINGS) else 2
    file = f"/lib/{name.removeprefix('python/')}"
    code = compile(source, file, "exec", dont_inherit=True, optimize=level)
    if not name.startswith(WITH_LINES):
        code = without_lines(code)
    unchecked = (0b01).to_bytes(4, "little")
    return importlib.util.MAGIC_NUMBER + unchecked + bytes(8) + marshal.dumps(code)


def parts(name: str, content: bytes) -> dict[str, bytes]:
    """Return the files that a file of the sources becomes."""
    place = name.removeprefix("python/")
    if not name.endswith(".py"):
        return {place: content}
    made = {f"{place}c": compiled(content, name)}
    return {place: content, **made} if name.startswith(WITH_SOURCE) else made


with zipfile.ZipFile("/sources.zip") as sources, zipfile.ZipFile("/result.zip", "w") as result:
    for name in sorted(sources.namelist()):
        for each, content in parts(name, sources.read(name)).items():
            result.writestr(zipfile.ZipInfo(each, EPOCH), content)
