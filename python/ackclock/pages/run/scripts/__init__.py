"""Scripts of the pages: our own, and the libraries that are kept as they were published."""

import re
from functools import cache
from importlib.resources import files

from markupsafe import Markup

__all__ = ["library_version", "script", "vendored"]


@cache
def script(name: str) -> Markup:
    """One of our scripts, for a script element."""
    return Markup(_read("scripts", name).rstrip())


@cache
def vendored(library: str, *names: str) -> Markup:
    """Files of a library one after the other, for a script or style element.

    A licence becomes a comment.
    """
    texts = []
    for name in names:
        text = _read("vendor", library, name).strip()
        texts.append(f"/*\n{text}\n*/" if name == "LICENSE" else text)
    return Markup("\n".join(texts))


@cache
def library_version(library: str) -> str:
    """Name and version of a library: `uPlot 1.6.32`."""
    name, file, pattern = {
        "uplot": ("uPlot", "uPlot.iife.min.js", r"uPlot \(v([0-9.]+)\)"),
        "plot": ("Observable Plot", "plot.umd.min.js", r"plot v([0-9.]+)"),
        "d3": ("D3", "d3.min.js", r"v([0-9.]+)"),
    }[library]
    match = re.search(pattern, _read("vendor", library, file)[:200])
    assert match, f"{file} names its version in its first line"
    return f"{name} {match[1]}"


def _read(*parts: str) -> str:
    return files("ackclock.pages.run").joinpath(*parts).read_text(encoding="utf-8")
