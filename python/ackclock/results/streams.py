"""Table of UDP streams, with the figures that flows do not have."""

from collections.abc import Mapping, Sequence
from typing import Any

from ackclock.tables.quantities import Quantity, one_unit
from ackclock.tables.table import Table

STREAM_COLUMNS = {
    "lost": ("lost_packets", ""),
    "late": ("late_packets", ""),
    "delay, mean": ("delay_mean", "s"),
    "delay, p95": ("delay_p95", "s"),
    "jitter": ("jitter", "s"),
    "frames": ("frames_sent", ""),
    "on time": ("frames_complete", ""),
    "decodable": ("frames_decodable", ""),
    "R": ("r_factor", "1"),
    "MOS": ("mos", "1"),
}
"""Column of streams.parquet and its unit, by the heading."""


def stream_table(streams: Sequence[Mapping[str, Any]]) -> Table:
    """Return a row per stream; columns that no stream has are left out."""
    there = {
        title: column
        for title, column in STREAM_COLUMNS.items()
        if any(stream[column[0]] is not None for stream in streams)
    }
    rows = [
        [stream["name"], *(_shown(stream[name], unit) for name, unit in there.values())]
        for stream in streams
    ]
    return Table(["stream", *there], one_unit(rows))


def _shown(value: float | None, unit: str) -> str | Quantity:
    return "–" if value is None else Quantity(value, unit) if unit else str(value)
