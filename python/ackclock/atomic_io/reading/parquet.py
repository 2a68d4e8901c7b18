"""Parquet files of others."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import contextmanager, suppress
from threading import Lock
from typing import TYPE_CHECKING, Any, BinaryIO

from ackclock.atomic_io.reading.errors import DamagedError
from ackclock.atomic_io.reading.footer import FooterError, contents_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    import polars as pl

__all__ = ["most_memory", "parse_parquet"]

_SHARE = 2
"""A table may take one in so many bytes of the machine's memory."""
_LONGEST_NAME = 10_000
"""Longest name of a flow, link or the like in a column of names, bytes."""
_UNKNOWN = 4_000_000_000
_STANDARD_ERROR = 2
_held = Lock()


def most_memory() -> int:
    """Bytes that a table may take: half of the machine's memory, and of a limit of addresses."""
    limits = [_UNKNOWN]
    with suppress(AttributeError, ValueError, OSError):
        limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    with suppress(ImportError):
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        limits += [] if limit == resource.RLIM_INFINITY else [limit]
    return min(limits) // _SHARE


def parse_parquet(
    stream: BinaryIO, *, most: int | None = None, columns: Collection[str] = ()
) -> pl.DataFrame:
    """Return the table in a Parquet file.

    Parameters
    ----------
    stream
        The file, open at any place.
    most
        Most bytes that the table may take in memory; by default `most_memory`.
    columns
        Columns that it must have.

    Raises
    ------
    DamagedError
        If it is damaged, would take more memory, holds columns of lists, tables or objects, which
        ackclock never writes, or lacks a column. The text does not name the file.
    """
    most = most_memory() if most is None else most
    try:
        contents = contents_of(stream)
    except FooterError as error:
        raise DamagedError(f"damaged: {error}") from None
    if contents.memory > most:
        raise DamagedError(
            f"{contents.rows:,} rows of {len(contents.columns):,} columns would take "
            f"{contents.memory / 1e6:,.0f} MB of memory; the most are {most / 1e6:,.0f} MB"
        )
    lacking = next((name for name in columns if name not in contents.columns), None)
    if lacking is not None:
        raise DamagedError(f"it has no column '{lacking}'")
    stream.seek(0)
    return _checked(_read(stream), contents.rows, most)


def _read(stream: BinaryIO) -> pl.DataFrame:
    import polars as pl

    try:
        with _without_panics():
            return pl.read_parquet(stream)
    except pl.exceptions.PolarsError as error:
        why = str(error)
    except MemoryError:
        why = "there is not enough memory for it"
    except BaseException as error:
        # A panic of polars derives from no Exception.
        if isinstance(error, Exception) or type(error).__name__ != "PanicException":
            raise
        why = f"polars cannot read it ({error})"
    first = why.partition("\n")[0]
    raise DamagedError(f"damaged: {first[:160]}")


def _checked(frame: pl.DataFrame, rows: int, most: int) -> pl.DataFrame:
    """The frame, if its texts do not expand: a million rows may share one text of a megabyte."""
    import polars as pl

    if frame.height != rows:
        raise DamagedError("damaged: its rows are not as many as it says")
    letters = 0
    for column in frame.iter_columns():
        kind = column.dtype
        if kind.is_nested() or kind in (pl.Object, pl.Binary):
            raise DamagedError(f"column {column.name[:40]!r} holds lists, tables or other objects")
        if kind == pl.String:
            letters += int(column.str.len_bytes().sum())
        elif kind in (pl.Enum, pl.Categorical):
            longest: Any = column.unique().cast(pl.String).str.len_bytes().max()
            if (longest or 0) > _LONGEST_NAME:
                raise DamagedError(f"column {column.name[:40]!r} has names of {longest:,} bytes")
    if letters > most:
        raise DamagedError(
            f"its texts have {letters / 1e6:,.0f} MB; the most are {most / 1e6:,.0f} MB"
        )
    return frame


@contextmanager
def _without_panics() -> Iterator[None]:
    """Keep the lines of a panic of polars from the terminal; what else is written, follows later.

    The runtime of Rust writes them to the process's standard error itself.
    """
    with _held:
        with suppress(OSError, AttributeError, ValueError):
            sys.stderr.flush()
        try:
            before = os.dup(_STANDARD_ERROR)
        except OSError:
            # There is no standard error.
            before = None
        if before is None:
            yield
            return
        try:
            with tempfile.TemporaryFile() as held:
                os.dup2(held.fileno(), _STANDARD_ERROR)
                is_panic = True
                try:
                    yield
                    is_panic = False
                finally:
                    os.dup2(before, _STANDARD_ERROR)
                    if not is_panic:
                        _pass_on(held, before)
        finally:
            os.close(before)


def _pass_on(held: BinaryIO, file: int) -> None:
    held.seek(0)
    with suppress(OSError):
        while block := held.read(65536):
            os.write(file, block)
