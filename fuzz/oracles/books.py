"""Books of links and flows from packet events, for runs that record these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.trial import Trial

__all__ = ["balanced_books"]

# Codes of points and events, as `ackclock._core.Run.packets` has them.
_SENDER, _RECEIVER, _LINK = 0, 1, 2
_SEND, _RECEIVE, _FORCED, _EARLY, _WIRE, _MARK, _CORRUPT, _POLICED, _COPY = range(9)
_FIN, _SYN = 1, 2
_DROPS = (_FORCED, _EARLY, _WIRE, _POLICED)


def balanced_books(trial: Trial) -> Iterator[str]:
    """Compare events with counters, and sent packets with received and dropped ones."""
    record = trial.plan["record"]
    if not (record["packet_links"] or record["packet_senders"]):
        return
    if trial.result.summary().get("recorded_until"):
        # The table is full and lacks the later events.
        return
    rows = {name: np.asarray(column) for name, column in trial.packets.items()}
    if (np.diff(rows["time_ns"].astype(np.int64)) < 0).any():
        yield "packet events are not in order of time"
    if len(rows["time_ns"]) and rows["time_ns"].max() > trial.core.end_time * 1e9 * (1 + 1e-9) + 1:
        yield f"a packet event at {rows['time_ns'].max()} ns of {trial.core.end_time} s"
    for index in record["packet_links"]:
        yield from _link(trial, rows, index)
    total = len(trial.plan["flows"]) + len(trial.plan["streams"])
    hosts = min(len(record["packet_senders"]), len(record["packet_receivers"]))
    if len(record["packet_links"]) == len(trial.plan["links"]) and hosts == total:
        yield from _everything(trial, rows, total)


def _count(mask: Any) -> int:
    return int(np.count_nonzero(mask))


def _link(trial: Trial, rows: dict[str, Any], index: int) -> Iterator[str]:
    """Compare a link's events with its counters, and entries with departures."""
    row = trial.links[index]
    here = (rows["point"] == _LINK) & (rows["where"] == index)
    events = rows["event"][here]
    counts = np.bincount(events, minlength=9)
    dropped = sum(int(counts[event]) for event in _DROPS)
    if trial.counts_all:
        pairs = (
            ("delivered_packets", int(counts[_RECEIVE])),
            ("dropped_packets", dropped),
            ("dropped_wire", int(counts[_WIRE])),
            ("dropped_policed", int(counts[_POLICED])),
            ("dropped_forced", int(counts[_FORCED])),
            ("dropped_early", int(counts[_EARLY])),
            ("duplicated_packets", int(counts[_COPY])),
        )
        for name, counted in pairs:
            if row[name] != counted:
                yield f"{row['name']}: {name} is {row[name]}, and there are {counted} events"
        size = int(rows["wire_size"][here][events == _RECEIVE].sum())
        if size != row["delivered_bytes"]:
            delivered = row["delivered_bytes"]
            yield f"{row['name']}: delivered_bytes is {delivered}, and the events' is {size}"
    entered = int(counts[_SEND] + counts[_MARK] + counts[_COPY])
    # A refused packet has not entered.
    if int(counts[_RECEIVE] + counts[_WIRE]) > entered:
        left = counts[_RECEIVE] + counts[_WIRE]
        yield f"{row['name']}: {left} of {entered} packets left the queue"


def _everything(trial: Trial, rows: dict[str, Any], total: int) -> Iterator[str]:
    """Check of every flow that sent and copied = received + dropped + on the way."""
    at_host = rows["point"] != _LINK
    event, flow = rows["event"], rows["flow"]
    is_sent = (at_host & (event == _SEND)) | (~at_host & (event == _COPY))
    is_gone = (at_host & ((event == _RECEIVE) | (event == _CORRUPT))) | (
        ~at_host & np.isin(event, _DROPS)
    )
    inside = 0
    for direction in (0, 1):
        along = rows["is_ack"] == direction
        sent = np.bincount(flow[is_sent & along], minlength=total)
        gone = np.bincount(flow[is_gone & along], minlength=total)
        inside += int(sent.sum() - gone.sum())
        for index in np.flatnonzero(gone > sent):
            yield (
                f"flow {index}, direction {direction}: {sent[index]} packets left, "
                f"{gone[index]} are gone"
            )
    if trial.counts_all:
        held = sum(
            row["arrived_packets"]
            + row["duplicated_packets"]
            - row["delivered_packets"]
            - row["dropped_packets"]
            for row in trial.links
        )
        if held != inside:
            yield f"{inside} packets are on their way, and {held} inside links"
        yield from _counters(trial, rows)


def _counters(trial: Trial, rows: dict[str, Any]) -> Iterator[str]:
    """Compare the flows' counters with their packets."""
    # A FIN without data counts as sent, never as received or lost.
    ends = ((rows["flags"] & _FIN) > 0) & ((rows["flags"] & _SYN) == 0)
    is_data = (rows["is_ack"] == 0) & (rows["length"] > 0)
    is_sent = is_data | ((rows["is_ack"] == 0) & ends)
    by_name = {row["name"]: row for row in trial.flows}
    for index, plan in enumerate(trial.plan["flows"]):
        row = by_name[plan["name"]]
        mine = is_sent & (rows["flow"] == index)
        sent = mine & (rows["point"] == _SENDER) & (rows["event"] == _SEND)
        got = is_data & mine & (rows["point"] == _RECEIVER) & (rows["event"] == _RECEIVE)
        # A packet that a host discards as damaged was lost on the way.
        lost = (
            is_data
            & mine
            & (
                ((rows["point"] == _LINK) & np.isin(rows["event"], _DROPS))
                | (rows["event"] == _CORRUPT)
            )
        )
        received = int(rows["wire_size"][got].sum())
        if plan["app"]["kind"] == "session":
            # Late packets of a session's earlier connection do not count for the flow.
            received = min(received, row["received_bytes"])
        pairs = (
            ("sent_packets", _count(sent)),
            ("sent_bytes", int(rows["wire_size"][sent].sum())),
            ("sent_payload_bytes", int(rows["length"][sent].sum())),
            ("received_bytes", received),
            ("lost_packets", _count(lost)),
        )
        for name, counted in pairs:
            if row[name] != counted:
                yield f"{row['name']}: {name} is {row[name]}, and its packets make {counted}"
