"""Every column that a results folder holds: its type, unit and meaning.

The columns that the core counts are defined in the core, those calculated from them in
`calculated`. Frames, Parquet metadata and docs come from here.
"""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ackclock import _core
from ackclock.results import calculated
from ackclock.results.calculated import Place

if TYPE_CHECKING:
    import polars as pl

Kind = Literal["name", "text", "integer", "real"]
_KINDS: Mapping[str, Kind] = {
    "integer": "integer",
    "frame": "integer",
    "real": "real",
    "text": "text",
    "session": "text",
    "place": "text",
}


class Column(NamedTuple):
    """One column of one table."""

    name: str
    kind: Kind
    unit: str
    meaning: str
    source: str = "real"
    """Kind of the values that the core gives."""
    names: Sequence[str] = ()
    """Names that the core's codes stand for."""


_CORE: Mapping[str, Sequence[Column]] = {
    table: tuple(
        Column(
            column["name"],
            _KINDS.get(column["kind"], "name"),
            column["unit"],
            column["meaning"],
            column["kind"],
            column["names"],
        )
        for column in columns
    )
    for table, columns in _core.columns().items()
}


def _with(table: str, place: Place) -> Sequence[Column]:
    columns = list(_CORE[table])
    at = [column.name for column in columns].index(place.after) + 1
    columns[at:at] = [
        Column(column.name, "real", column.unit, column.meaning) for column in place.columns
    ]
    return columns


def _names(table: str, column: str) -> tuple[str, ...]:
    return tuple(next(entry.names for entry in _CORE[table] if entry.name == column))


STATES = _names("flow_samples", "state")
"""States of a sender in the order of the core's codes, with the names of Linux's `ca_state`."""

_FLOWS = (
    "One row per flow: counters since the warm-up, and the metrics made from them. A parallel "
    "transfer has a row for the aggregate, and after it a row per subflow, which names the flow in "
    "part_of. The aggregate adds up counters; limited_* are means, cwnd_max is the largest, and it "
    "finishes with its last subflow."
)

_LINKS = (
    "One row per link and direction, the bottleneck first. Everything counts when it happens, from "
    "the end of the warm-up to the end of the run. A packet's wait in the queue counts when its "
    "transmission begins, and so do its loss, damage or copy on the wire. A delivery counts at the "
    "far end. Busy time and the queue's mean are integrals over that time."
)

TABLES: Mapping[str, tuple[Sequence[Column], str]] = {
    "flows": (_with("flows", calculated.FLOWS), _FLOWS),
    "transfers": (_CORE["transfers"], ("Transfers of sessions: a row each, in order of start.")),
    "streams": (
        _with("streams", calculated.STREAMS),
        "One row per UDP stream; it has one in flows.parquet too, with cc = udp.",
    ),
    "links": (_with("links", calculated.LINKS), _LINKS),
    "samples/flows": (
        _CORE["flow_samples"],
        "Time series of flows; for a parallel transfer, of each subflow.",
    ),
    "samples/links": (_CORE["link_samples"], "Time series of links."),
    "samples/internals": (_CORE["internals"], "Time series of the algorithms' own variables."),
    "frames": (
        _CORE["frames"],
        "One row per frame of every film that a UDP stream sent, including the warm-up.",
    ),
    "samples/datagrams": (
        _CORE["datagrams"],
        "One row per datagram of every UDP stream, if time series are recorded.",
    ),
    "packets": (_CORE["packets"], "One row per packet and point, if the scenario records packets."),
    "decisions": (
        _CORE["decisions"],
        "One row per event that a sender handled, if the scenario records decisions.",
    ),
}
"""Columns and description of every Parquet file of a run's folder, by path without suffix."""


def units(table: str) -> dict[str, str]:
    """Return the unit of every column of a table; the empty string for names and codes."""
    return {column.name: column.unit for column in TABLES[table][0]}


def conform(frame: "pl.DataFrame", table: str) -> "pl.DataFrame":
    """Give a frame the table's columns in their order, with their types."""
    import polars as pl

    types = {"integer": pl.Int64, "real": pl.Float64, "text": pl.String}
    return frame.select(
        pl.col(column.name)
        if column.kind == "name"
        else pl.col(column.name).cast(types[column.kind])
        for column in TABLES[table][0]
    )


_PLAIN: Mapping[Kind, type] = {"integer": int, "real": float, "text": str}
_NONE = type(None)


def conform_rows(rows: list[dict[str, Any]], table: str) -> list[dict[str, Any]]:
    """Give rows of a table without names the types of its columns, in place.

    A frame of one row would take a millisecond.
    """
    for column in TABLES[table][0]:
        kind = _PLAIN[column.kind]
        # The core's rows have these types; those of other sources may have numpy's.
        if set(map(type, map(itemgetter(column.name), rows))) <= {kind, _NONE}:
            continue
        for row in rows:
            value = row[column.name]
            row[column.name] = None if value is None else kind(value)
    return rows


def columns_of(rows: Sequence[Mapping[str, Any]], table: str) -> "dict[str, pl.Series]":
    """Return the columns of rows that `conform_rows` made, or that have the same types."""
    import polars as pl

    types = {"integer": pl.Int64, "real": pl.Float64, "text": pl.String}
    return {
        column.name: pl.Series(
            column.name, list(map(itemgetter(column.name), rows)), dtype=types[column.kind]
        )
        for column in TABLES[table][0]
    }


def empty(table: str) -> "pl.DataFrame":
    """Return the table without rows."""
    import polars as pl

    columns = {
        column.name: pl.Float64 if column.kind in ("integer", "real") else pl.String
        for column in TABLES[table][0]
    }
    return conform(pl.DataFrame(schema=columns), table)
