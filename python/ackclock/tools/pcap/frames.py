"""Tables of a capture as polars' frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from ackclock import _core

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["connection_frame", "table_frame"]

_CONNECTION = {
    "number": pl.UInt32,
    "client": pl.String,
    "server": pl.String,
    "start": pl.Float64,
    "duration": pl.Float64,
    "packets_from_client": pl.UInt64,
    "packets_from_server": pl.UInt64,
    "payload_from_client": pl.UInt64,
    "payload_from_server": pl.UInt64,
    "has_opening": pl.Boolean,
    "has_end": pl.Boolean,
}


def connection_frame(connections: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """The connections of a capture: times in s, payload in bytes."""
    rows = [
        {
            **connection,
            "packets_from_client": connection["packets"][0],
            "packets_from_server": connection["packets"][1],
            "payload_from_client": connection["payload"][0],
            "payload_from_server": connection["payload"][1],
        }
        for connection in connections
    ]
    return pl.DataFrame(rows, schema=_CONNECTION)


def table_frame(table: str, arrays: Mapping[str, Any]) -> pl.DataFrame:
    """A table of the core: codes as their names, numbers that are none as nulls."""
    columns: list[pl.Series] = []
    for column in _core.capture_columns()[table]:
        name, values = column["name"], pl.Series(column["name"], arrays[column["name"]])
        if column["kind"] == "code":
            names = list(column["names"])
            values = values.replace_strict(
                dict(enumerate(names)), return_dtype=pl.Enum(names)
            ).alias(name)
        elif name.startswith("is_"):
            values = values.cast(pl.Boolean)
        elif column["kind"] == "real":
            values = values.fill_nan(None)
        columns.append(values)
    return pl.DataFrame(columns)
