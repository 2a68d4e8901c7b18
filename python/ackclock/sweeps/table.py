"""A run's figures as a small Parquet file, made from a template.

Polars needs a millisecond of several cores for such a file: half of the cost of a run beside the
simulation. Files with the same responses differ only in key, seed and values. One template per list
of responses is written with marks in these places, and each run's file is a copy with the marks
replaced. No other byte depends on them: the file has no compression, statistics or checksums.
"""

from __future__ import annotations

import hashlib
import io
import struct
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["table_of"]


def table_of(key: str, seed: int, figures: Mapping[str, float | None]) -> bytes:
    """A Parquet file with the columns key, seed, response and value; a row per figure."""
    names = tuple(figures)
    values = [None if value is None else float(value) for value in figures.values()]
    form = _form(names, tuple(value is None for value in values))
    return _written(key, seed, names, values) if form is None else _filled(form, key, seed, values)


def _written(key: str, seed: int, names: Sequence[str], values: Sequence[float | None]) -> bytes:
    import polars as pl

    count = len(names)
    schema = {"key": pl.String, "seed": pl.Int64, "response": pl.String, "value": pl.Float64}
    frame = pl.DataFrame(
        [[key] * count, [seed] * count, list(names), list(values)], schema=schema, orient="col"
    )
    written = io.BytesIO()
    frame.write_parquet(written, compression="uncompressed", statistics=False)
    return written.getvalue()


def _marks(count: int) -> tuple[str, int, list[float]]:
    """A key, a seed and values whose bytes occur nowhere else in the file."""
    seed = int.from_bytes(hashlib.sha256(b"seed").digest()[:8], "little") >> 1
    values = [
        int.from_bytes(hashlib.sha256(b"value %d" % index).digest()[:7], "little") / 3.0
        for index in range(count)
    ]
    return hashlib.sha256(b"key").hexdigest(), seed, values


@lru_cache(maxsize=256)
def _form(names: tuple[str, ...], missing: tuple[bool, ...]) -> bytes | None:
    """The template; None if the marks cannot be replaced."""
    key, seed, marks = _marks(len(names))
    marked = [None if is_missing else mark for mark, is_missing in zip(marks, missing, strict=True)]
    form = _written(key, seed, names, marked)
    # Two made-up runs show whether this version of polars writes marks that can be replaced.
    for number in (1, 2):
        other = f"{number:064x}"
        values = [None if is_missing else float(number) for is_missing in missing]
        if _rows(_filled(form, other, number, values)) != [
            (other, number, name, value) for name, value in zip(names, values, strict=True)
        ]:
            return None
    return form


def _filled(form: bytes, key: str, seed: int, values: Sequence[float | None]) -> bytes:
    marked_key, marked_seed, marks = _marks_of(len(values))
    filled = form.replace(marked_key, key.encode()).replace(marked_seed, struct.pack("<q", seed))
    for mark, value in zip(marks, values, strict=True):
        if value is not None:
            filled = filled.replace(mark, struct.pack("<d", value))
    return filled


@lru_cache(maxsize=16)
def _marks_of(count: int) -> tuple[bytes, bytes, list[bytes]]:
    key, seed, values = _marks(count)
    return key.encode(), struct.pack("<q", seed), [struct.pack("<d", value) for value in values]


def _rows(content: bytes) -> list[tuple[object, ...]] | None:
    import polars as pl

    try:
        return pl.read_parquet(io.BytesIO(content)).rows()
    except pl.exceptions.PolarsError:
        return None
