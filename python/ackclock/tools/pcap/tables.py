"""Tables of a capture for files, and the words that they share with the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.tables.table import Column, Table

if TYPE_CHECKING:
    from ackclock.tools.pcap.capture import Capture

__all__ = ["MOST_CONNECTIONS", "ends", "kinds", "tables"]

MOST_CONNECTIONS = 20
"""Connections that a terminal shows: those with most payload."""

_AGAIN = ("fast retransmission", "timeout retransmission", "tail loss probe", "retransmission")


def ends(capture: Capture) -> tuple[str, str]:
    """Sender and receiver of the data, as address and port."""
    row = capture.connections.row(capture.connection, named=True)
    pair = (row["client"], row["server"])
    return pair if capture.figures["data_from_client"] else (pair[1], pair[0])


def kinds(figures: dict[str, Any]) -> str:
    """Retransmissions by kind, in words."""
    counts = figures["kinds"]
    parts = [f"{counts[name]} {name}" for name in _AGAIN if counts.get(name)]
    text = ", ".join(parts) or "nothing"
    if figures["spurious"]:
        text += f"; {figures['spurious']} of them needlessly"
    if counts.get("out of order"):
        text += f"; {counts['out of order']} out of order"
    return text


def tables(capture: Capture) -> dict[str, Table]:
    """Tables of the connections, of the chosen one's figures, and of the estimated path."""
    frame = capture.connections
    columns = [
        Column("number", frame["number"].to_list()),
        Column("client", frame["client"].to_list()),
        Column("server", frame["server"].to_list()),
        Column("start", frame["start"].to_list(), "s"),
        Column("duration", frame["duration"].to_list(), "s"),
        Column("packets from client", frame["packets_from_client"].to_list(), "packets"),
        Column("packets from server", frame["packets_from_server"].to_list(), "packets"),
        Column("payload from client", frame["payload_from_client"].to_list(), "bytes"),
        Column("payload from server", frame["payload_from_server"].to_list(), "bytes"),
    ]
    tables = {"connections": Table.of("connections", "Connections", columns, names=3)}
    figures = capture.figures
    sender, receiver = ends(capture)
    rows: list[Column] = [
        Column("connection", [capture.connection]),
        Column("sender", [sender]),
        Column("receiver", [receiver]),
        Column("captured at", [figures["vantage"]["place"]]),
        Column("duration", [figures["data_duration"]], "s"),
        Column("payload", [figures["bytes"]], "bytes"),
        Column("goodput", [figures["goodput"]], "bit/s"),
        Column("rtt min", [figures["rtt_min"]], "s"),
        Column("rtt median", [figures["rtt_median"]], "s"),
        Column("rtt p95", [figures["rtt_p95"]], "s"),
        Column("data packets", [figures["packets"]], "packets"),
        *(Column(name, [figures["kinds"].get(name, 0)]) for name in _AGAIN),
        Column("spurious", [figures["spurious"]]),
        Column("loss", [figures["loss"]], "%"),
        Column("segment payload", [figures["agreed"]["payload"]], "bytes"),
    ]
    tables["connection"] = Table.of("connection", "Connection", rows, names=4)
    path = capture.estimated
    if path is not None:
        parts = [
            ("rtt", "s", path["rtt"]),
            ("rate", "bit/s", path["rate"]),
            ("buffer", "packets", path["buffer"]),
            ("loss", "1", path["loss"]),
        ]
        tables["path"] = Table.of(
            "path",
            "Estimated path",
            [
                Column("quantity", [name for name, _, _ in parts]),
                Column("value", [part["value"] for _, _, part in parts]),
                Column("unit", [unit for _, unit, _ in parts]),
                Column("at least", [part["is_at_least"] for _, _, part in parts]),
                Column("because", [part["because"] for _, _, part in parts]),
            ],
            names=5,
        )
    return tables
