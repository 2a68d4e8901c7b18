"""TOML of others."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from ackclock.atomic_io.reading.errors import DamagedError

__all__ = ["parse_toml"]

MOST_PARTS = 1_000
"""Parts of the longest dotted key."""
_MOST_WORK = 20_000_000
# With fewer dots, no key can be long.
_FEW_DOTS = 100

# What TOML consists of: texts, whose dots separate nothing, comments, ends of lines, dots, and all
# else that ends a key. Blanks and bare words are none of these, and stand within keys.
# A text without an end is an error, and goes on to the end of its line or of the file.
_TOKEN = re.compile(
    r'"""[^"\\]*+(?:(?:\\.|"{1,2}(?!"))[^"\\]*+)*+(?:"{3,5})?'
    r"|'''[^']*+(?:'{1,2}(?!')[^']*+)*+(?:'{3,5})?"
    r'|"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+"
    r"|[\n.=,{}\[\]]",
    re.DOTALL,
)


def parse_toml(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text.

    Raises
    ------
    tomllib.TOMLDecodeError
        If it is no TOML.
    DamagedError
        If its keys are so long that Python's reader would take memory and time that grow with the
        square of their parts.
    RecursionError
        If its lists or tables are nested too deeply.
    ValueError
        If it has a number of thousands of digits.
    """
    if text.count(".") > _FEW_DOTS:
        _check_keys(text)
    return tomllib.loads(text)


def _check_keys(text: str) -> None:
    """Raise if keys are too long.

    Up to the first error in the text, at which Python's reader stops, tokens are the same as those
    that it finds.
    """
    dots = header = work = depth = end = 0
    # Whether only blanks stand before on the line, and whether the line is a table's header.
    is_first = True
    in_header = False
    for token in _TOKEN.finditer(text):
        kind = text[token.start()]
        is_first = is_first and not text[end : token.start()].strip()
        end = token.end()
        if kind == ".":
            dots += 1
            if dots > MOST_PARTS:
                raise DamagedError(f"a key of more than {MOST_PARTS} parts")
            continue
        if kind in "\"'":
            is_first = False
            continue
        # Here a key or a value ends.
        work += (dots + 1) * (dots + (0 if in_header else header))
        if work > _MOST_WORK:
            raise DamagedError("too many keys of many parts")
        if in_header:
            header = max(header, dots)
        elif kind == "[" and is_first and not depth:
            in_header, header = True, 0
        elif kind in "[{":
            depth += 1
        elif kind in "]}":
            depth -= 1
        dots = 0
        is_first = kind in "\n#"
        in_header = in_header and not is_first
