"""A Sphinx extension: a letter alone, as in "N.", is a unit or a symbol and begins no list."""

import re

from sphinx.application import Sphinx

_LETTER = re.compile(r"^(\s*)([A-Za-z]\.)$")


def _keep_letters(
    app: Sphinx,  # noqa: ARG001
    what: str,  # noqa: ARG001
    name: str,  # noqa: ARG001
    value: object,  # noqa: ARG001
    options: object,  # noqa: ARG001
    lines: list[str],
) -> None:
    lines[:] = [_LETTER.sub(r"\1\\\2", line) for line in lines]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the change, before docstrings are parsed."""
    app.connect("autodoc-process-docstring", _keep_letters, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
