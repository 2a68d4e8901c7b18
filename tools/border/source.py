"""Python source of a class whose keys have types and a docstring each."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Key", "docstring", "exported", "typed_dict"]

_WIDTH = 100


class Key(NamedTuple):
    """A key of a dictionary."""

    name: str
    type: str
    meaning: str


def docstring(text: str, indent: str) -> str:
    """A docstring of lines that fit, indented."""
    words = text.replace("\\", "\\\\")
    if len(indent) + len(words) + 6 <= _WIDTH:
        return f'{indent}"""{words}"""\n'
    # Two lines at least: ruff would put the closing quotes of one line at its end.
    width = _WIDTH - len(indent) - (3 if len(indent) + len(words) + 3 <= _WIDTH else 0)
    lines = wrap(words, width, initial_indent='"""', break_on_hyphens=False)
    return "".join(f"{indent}{line}\n" for line in [*lines, '"""'])


def _class_docstring(text: str) -> str:
    """A class's docstring: one line, or its first sentence with the rest below a blank line."""
    summary, _, rest = text.partition(". ")
    if not rest or len(docstring(text, "    ").splitlines()) == 1:
        return docstring(text, "    ")
    lines = wrap(rest, _WIDTH - 4, break_on_hyphens=False)
    body = "".join(f"    {line}\n" for line in lines)
    return f'    """{summary}.\n\n{body}    """\n'


def typed_dict(name: str, meaning: str, keys: Iterable[Key]) -> str:
    """Source of a `TypedDict`."""
    parts = [f"class {name}(TypedDict):\n", _class_docstring(meaning), "\n"]
    for key in keys:
        parts.append(_declaration(f"    {key.name}: ", key.type))
        if key.meaning:
            parts.append(docstring(key.meaning, "    "))
    return "".join(parts)


def _declaration(head: str, kind: str) -> str:
    """A key and its type, on lines as ruff breaks them."""
    if len(head) + len(kind) <= _WIDTH:
        return f"{head}{kind}\n"
    outer, _, inner = kind.partition("[")
    return f"{head}{outer}[\n        {inner[:-1]}\n    ]\n"


def exported(names: Iterable[str]) -> str:
    """Source of ``__all__``."""
    quoted = [f'"{name}"' for name in sorted(names)]
    line = f"__all__ = [{', '.join(quoted)}]\n"
    if len(line) <= _WIDTH + 1:
        return line
    return "__all__ = [\n" + "".join(f"    {name},\n" for name in quoted) + "]\n"
