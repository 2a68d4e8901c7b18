"""Tables of a run, as the terminal shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ackclock.results.schema import units
from ackclock.results.transfers import summed
from ackclock.tables.frame import About, Frame
from ackclock.tables.quantities import Quantity, one_unit, short_cc
from ackclock.tables.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from ackclock.results.result import Result

__all__ = ["frame_of", "run_tables"]

_BRIEF: Mapping[str, tuple[str, ...]] = {
    "flows": (
        *("name", "cc", "goodput", "lost_packets", "loss_rate", "timeouts"),
        *("rtt_mean", "rtt_p95", "fct"),
    ),
    "links": (
        *("name", "utilisation", "delivered_packets", "dropped_packets", "marked_packets"),
        *("queue_delay_mean", "queue_delay_p95", "queue_delay_p99"),
    ),
}
"""Columns that people read, of tables with many."""


def frame_of(frame: pl.DataFrame, table: str) -> Frame:
    """Return a table of a run, by its name in docs/results.md, as a frame with units."""
    return Frame.of(frame, About(table, units(table), _BRIEF.get(table, ())))


def run_tables(result: Result) -> dict[str, Table]:
    """Make the tables of a run by name: flows, streams, transfers, links, diagnosis.

    Streams and transfers are left out if there are none, and the diagnosis if there is none. Every
    flow and link has its row, also where the terminal has a row for several.
    """
    summary = result.summary()
    tables = [_flows(summary["flows"])]
    if result.streams.height:
        tables.append(_streams(result.streams.to_dicts()))
    if result.transfers.height:
        tables.append(_transfers(result))
    tables.append(_links(summary["links"]))
    if len(result.diagnosis):
        tables.append(_diagnosis(summary["diagnosis"]))
    return {table.name: table for table in tables}


def _flows(flows: Sequence[Mapping[str, Any]]) -> Table:
    def column(name: str, key: str, unit: str = "") -> Column:
        return Column(name, [flow[key] for flow in flows], unit)

    columns = [column("flow", "name")]
    if any(flow["part_of"] for flow in flows):
        columns.append(column("part of", "part_of"))
    names = len(columns) + 1
    columns += [
        Column("cc", [short_cc(flow["cc"]) for flow in flows]),
        column("goodput", "goodput", "bit/s"),
        column("lost packets", "lost_packets"),
        column("loss rate", "loss_rate", "%"),
        column("timeouts", "timeouts"),
        Column("RTT mean", [flow["rtt"]["mean"] for flow in flows], "s"),
        Column("RTT p95", [flow["rtt"]["p95"] for flow in flows], "s"),
    ]
    if any(flow["fct"] is not None for flow in flows):
        columns.append(column("done after", "fct", "s"))
    return Table.of("flows", "Flows", columns, names=names)


def _streams(streams: Sequence[Mapping[str, Any]]) -> Table:
    columns = [Column("stream", [stream["name"] for stream in streams])]
    columns += [
        Column(title.replace(",", ""), [stream[key] for stream in streams], unit)
        for title, (key, unit) in STREAM_COLUMNS.items()
        if any(stream[key] is not None for stream in streams)
    ]
    return Table.of("streams", "UDP streams", columns)


def _transfers(result: Result) -> Table:
    rows = summed(result.transfers, result.warmup)
    columns = [
        Column(title, rows[key].to_list(), unit)
        for title, key, unit in (
            ("transfers of", "flow", ""),
            ("kind", "kind", ""),
            ("begun", "begun", ""),
            ("done", "done", ""),
            ("time median", "median", "s"),
            ("time mean", "mean", "s"),
            ("time p95", "p95", "s"),
        )
    ]
    return Table.of("transfers", "Transfers", columns, names=2)


def _links(links: Sequence[Mapping[str, Any]]) -> Table:
    columns = [
        Column("link", [link["name"] for link in links]),
        Column("used", [link["utilisation"] for link in links], "%"),
        Column("packets", [link["delivered_packets"] for link in links]),
        Column("drops", [link["dropped_packets"] for link in links]),
    ]
    if any(link["marked_packets"] for link in links):
        columns.append(Column("marks", [link["marked_packets"] for link in links]))
    columns += [
        Column(f"queue {part}", [link["queue_delay"][part] for link in links], "s")
        for part in ("mean", "p95", "p99")
    ]
    return Table.of("links", "Links", columns)


def _diagnosis(flows: Sequence[Mapping[str, Any]]) -> Table:
    rows = [(flow, limit) for flow in flows for limit in flow["limits"]]
    columns = [
        Column("flow", [flow["flow"] for flow, _ in rows]),
        Column("cc", [short_cc(flow["cc"]) for flow, _ in rows]),
        Column("limit", [limit["title"] for _, limit in rows]),
        Column("key to change", [limit["key"] for _, limit in rows]),
        Column("share of time", [limit["share"] for _, limit in rows], "%"),
    ]
    return Table.of("diagnosis", "Limits of the flows", columns, names=4)


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
