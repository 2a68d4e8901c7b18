"""Frames as Parquet files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.atomic_io.errors import WriteError, reason_of
from ackclock.atomic_io.file import whole_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import polars as pl

__all__ = ["write_parquet"]


def write_parquet(
    path: Path, frame: pl.DataFrame, metadata: Mapping[str, str] | None = None
) -> None:
    """Write a frame as a Parquet file, compressed (zstd), whole or not at all.

    `metadata` describes the file's columns.

    Raises
    ------
    WriteError
        If the file cannot be written. Some errors of polars do not name the system's error.
    """
    from polars.exceptions import PolarsError

    with whole_file(path) as temporary:
        try:
            frame.write_parquet(
                temporary, compression="zstd", metadata=None if metadata is None else dict(metadata)
            )
        except (OSError, PolarsError) as error:
            number, why = reason_of(error) or (None, str(error).partition("\n")[0])
            raise WriteError(path, why, errno=number) from error
