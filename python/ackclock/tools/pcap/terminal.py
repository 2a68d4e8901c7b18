"""Shows captures in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.text import Text

from ackclock.tables.quantities import Quantity, one_unit, quantity
from ackclock.tables.table import Table
from ackclock.tables.terminal import FACTS, KEPT, drawn, facts
from ackclock.tools.pcap.tables import MOST_CONNECTIONS, ends, kinds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from ackclock.tools.pcap.capture import Capture

__all__ = ["capture_view"]


def capture_view(capture: Capture) -> RenderableType:
    """The connections of a capture, the figures of the chosen one, and the estimated path."""
    return Group(
        _connections(capture),
        *[Text(line) for line in _listing(capture)],
        Text(),
        facts(_lines(capture, capture.figures)),
        Text(),
        *_path(capture),
    )


def _connections(capture: Capture) -> RenderableType:
    header = ("", "client", "server", "start", "duration", "packets", "payload out", "in")
    rows = capture.connections.to_dicts()
    shown = sorted(
        rows,
        key=lambda connection: (
            -(connection["payload_from_client"] + connection["payload_from_server"])
        ),
    )[:MOST_CONNECTIONS]
    cells = one_unit(
        (
            f"{'*' if connection['number'] == capture.connection else ''}{connection['number']}",
            connection["client"],
            connection["server"],
            Quantity(connection["start"], "s"),
            Quantity(connection["duration"], "s"),
            Quantity(
                connection["packets_from_client"] + connection["packets_from_server"], "packets"
            ),
            Quantity(connection["payload_from_client"], "bytes"),
            Quantity(connection["payload_from_server"], "bytes"),
        )
        for connection in sorted(shown, key=lambda connection: connection["number"])
    )
    return drawn(Table(header, cells, 3))


def _listing(capture: Capture) -> Iterator[str]:
    listing = capture.listing
    hidden = capture.connections.height - MOST_CONNECTIONS
    if hidden > 0:
        yield f"{hidden} smaller connections are not shown."
    if listing["skipped"]:
        yield f"{listing['skipped']} of {listing['frames']} frames are not TCP over IP."
    if listing["too_short"]:
        yield f"{listing['too_short']} frames were cut before the end of the TCP header."
    if listing["fragments"]:
        yield f"{listing['fragments']} fragments of IP packets were left out."
    if listing["left_out"]:
        yield f"{listing['left_out']} packets belong to connections beyond the first 100000."
    if listing["is_cut"]:
        yield "The file ends within a frame, as when it is copied while it is written."


def _lines(capture: Capture, figures: dict[str, Any]) -> Iterator[tuple[str, str]]:
    sender, receiver = ends(capture)
    yield "Connection", f"{capture.connection}: {sender} sent to {receiver}"
    vantage = figures["vantage"]
    place = {
        "sender": "at the sender",
        "receiver": "at the receiver",
        "middle": "between both",
        "unknown": "unknown",
    }[vantage["place"]]
    yield "Captured", f"{place}. {vantage['because']} {vantage['consequence']}"
    yield (
        "Payload",
        (
            f"{quantity(figures['bytes'], 'bytes')} in {quantity(figures['data_duration'], 's')}, "
            f"goodput {quantity(figures['goodput'], 'bit/s')}"
        ),
    )
    yield "Segments", _agreed(figures)
    if figures["has_offload"]:
        yield (
            "Offload",
            (
                f"Segments of up to {figures['largest_segment']} bytes were captured: the network "
                "card cuts them to the MSS later."
            ),
        )
    if figures["rtt_samples"]:
        parts = (
            f"{name} {quantity(figures[key], 's')}"
            for name, key in (
                ("min", "rtt_min"),
                ("median", "rtt_median"),
                ("p95", "rtt_p95"),
                ("max", "rtt_max"),
            )
        )
        yield "RTT", f"{', '.join(parts)} ({figures['rtt_samples']} samples)"
    else:
        yield "RTT", "no sample of data"
    yield "Sent again", kinds(figures)
    yield "Loss", f"{100 * figures['loss']:.3g} % of {figures['packets']} packets"
    yield (
        "Inflight",
        (
            f"up to {quantity(figures['inflight_max'], 'bytes')}, receive window up to "
            f"{quantity(figures['window_max'], 'bytes')}, which held the sender back after "
            f"{100 * figures['window_limited']:.0f} % of the segments"
        ),
    )
    if figures["left_out"]:
        yield "Left out", f"{figures['left_out']} later segments: two millions are laid out"


def _agreed(figures: dict[str, Any]) -> str:
    agreed = figures["agreed"]
    mss = " and ".join("unknown" if size is None else str(size) for size in agreed["mss"])
    said = {True: "yes", False: "no", None: "not captured"}
    return (
        f"{agreed['payload']} bytes of payload (MSS options {mss}), SACK {said[agreed['sack']]}, "
        f"timestamps {said[agreed['timestamps']]}, ECN {said[agreed['ecn']]}"
    )


def _path(capture: Capture) -> Iterator[RenderableType]:
    path = capture.estimated
    if path is None:
        yield Text(f"No path can be estimated: {capture.why_no_path}")
        return
    rows = []
    for name, key, unit in (
        ("RTT", "rtt", "s"),
        ("rate", "rate", "bit/s"),
        ("buffer", "buffer", "packets"),
        ("loss", "loss", "%"),
    ):
        part = path[key]
        if unit == "%":
            value = f"{100 * part['value']:.3g} %"
        elif unit == "packets":
            value = f"{part['value']:.0f} packets"
        else:
            value = quantity(part["value"], unit)
        least = "at least " if part["is_at_least"] else ""
        rows.append((name, f"{least}{value}", part["because"]))
    table = Table(("", "", ""), rows, 3, title="Estimated path")
    yield drawn(table, FACTS, (KEPT, KEPT))
    yield Text("Not known: " + " ".join(path["unknown"]))
