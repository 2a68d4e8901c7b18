"""JSON of others."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from ackclock.atomic_io.reading.errors import DamagedError

__all__ = ["JSON", "PLAN", "Most", "parse_json"]


class Most(NamedTuple):
    """Bounds of a kind of file; as values, JSON takes up to 24 times the bytes of its text."""

    size: int
    """Bytes."""
    tables: int
    """Lists, tables and keys: 60 to 90 bytes of memory each."""
    items: int
    """Commas: up to 60 bytes of memory each."""


JSON = Most(20_000_000, 1_000_000, 1_000_000)
"""Of a file of figures: a summary of 1000 flows and links has 2 MB and 90,000 keys."""
PLAN = Most(100_000_000, 4_000_000, 12_000_000)
"""Of a plan: 20,000 flows of their own have 1 million keys, the longest trace 11 million times."""

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def parse_json(content: bytes, most: Most = JSON) -> Any:
    """Return the value of a JSON text in UTF-8.

    Raises
    ------
    DamagedError
        If it is no JSON, too large, nested too deeply, or has half a character (a lone surrogate),
        which no file or terminal can show. The text does not name the file.
    """
    if len(content) > most.size:
        raise DamagedError(f"more than {most.size:,} bytes, the most that is read of such a file")
    tables = content.count(b"[") + content.count(b"{") + content.count(b":")
    if tables > most.tables or content.count(b",") > most.items:
        raise DamagedError(
            f"more than {most.tables:,} lists, tables and keys or {most.items:,} items, the most "
            "that is read of such a file"
        )
    try:
        document = json.loads(content.decode("utf-8"))
        if _SURROGATE.search(content):
            json.dumps(document, ensure_ascii=False).encode("utf-8")
    except RecursionError:
        raise DamagedError("damaged: its lists or tables are nested too deeply") from None
    except UnicodeEncodeError:
        raise DamagedError("damaged: it has half a character (a lone surrogate)") from None
    except ValueError as error:
        raise DamagedError(f"damaged: {str(error)[:160]}") from None
    return document
