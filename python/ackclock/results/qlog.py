"""Logs of senders as qlog, which qvis and other tools for QUIC open.

A file is a JSON text sequence (RFC 7464) of qlog 0.3, draft-ietf-quic-qlog-main-schema-02 with the
events of draft-ietf-quic-qlog-quic-events-01. docs/explain.md has the mapping of TCP to QUIC.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    import polars as pl

    from ackclock.core_types.plan import FlowPlan

__all__ = ["qlog_text"]

Event = dict[str, Any]

_RECORD_SEPARATOR = "\x1e"
_MS_PER_S = 1e3
_PS_PER_S = 1e12
_PS_PER_NS = 1000
_NS_PER_MS = 1_000_000
_FIN, _SYN = 0x01, 0x02
_METRICS: Mapping[str, tuple[str, float]] = {
    "min_rtt": ("min_rtt", _MS_PER_S),
    "smoothed_rtt": ("srtt", _MS_PER_S),
    "latest_rtt": ("rtt_sample", _MS_PER_S),
    "rtt_variance": ("rttvar", _MS_PER_S),
    "congestion_window": ("cwnd", 1.0),
    "bytes_in_flight": ("inflight", 1.0),
    "ssthresh": ("ssthresh", 1.0),
    "pacing_rate": ("pacing_rate", 1.0),
}
_WHOLE = {"congestion_window", "bytes_in_flight", "ssthresh", "pacing_rate"}


class _Board:
    """Transmissions by number, as QUIC numbers packets, and what ACKs say of them."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._latest: dict[int, tuple[int, int]] = {}
        self._is_known: dict[int, bool] = {}
        self._una = 0
        self.sent = 0

    def send(self, seq: int, length: int) -> tuple[int, int | None]:
        """Number a transmission; returns it, and the earlier one of the same data."""
        number = self.sent
        self.sent += 1
        earlier = self._latest.get(seq)
        if earlier is None:
            at = bisect_left(self._starts, seq)
            self._starts.insert(at, seq)
        self._latest[seq] = (seq + max(length, 1), number)
        self._is_known[number] = False
        return number, None if earlier is None else earlier[1]

    def is_delivered(self, number: int) -> bool:
        """Return whether an ACK has said that the data of a transmission arrived."""
        return self._is_known.get(number, True)

    def acknowledge(self, una: int, blocks: list[tuple[int, int]]) -> list[list[int]]:
        """Take in an ACK; returns ranges of the numbers that it acknowledges first."""
        numbers: list[int] = []
        if una > self._una:
            end = bisect_left(self._starts, una)
            for seq in self._starts[:end]:
                stop, number = self._latest[seq]
                if stop <= una and not self._is_known[number]:
                    numbers.append(number)
            done = [seq for seq in self._starts[:end] if self._latest[seq][0] <= una]
            for seq in done:
                number = self._latest.pop(seq)[1]
                self._is_known[number] = True
            self._starts = [seq for seq in self._starts[:end] if seq in self._latest] + (
                self._starts[end:]
            )
            self._una = una
        for start, stop in blocks:
            for seq in self._starts[bisect_left(self._starts, start) :]:
                if seq >= stop:
                    break
                end_of, number = self._latest[seq]
                if end_of <= stop and not self._is_known[number]:
                    numbers.append(number)
                    self._is_known[number] = True
        return _ranges(sorted(numbers))


def _ranges(numbers: list[int]) -> list[list[int]]:
    """Join consecutive numbers: [1, 2, 5] is [[1, 2], [5, 5]]."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ranges


def qlog_text(
    flow: FlowPlan, decisions: pl.DataFrame, packets: pl.DataFrame, *, version: str
) -> str:
    """Return the log of a flow's sender, as JSON text sequences.

    Parameters
    ----------
    flow : FlowPlan
        The flow of the plan.
    decisions : polars.DataFrame
        Decisions of the flow.
    packets : polars.DataFrame
        Packet events of the flow at its sender.
    version : str
        Version of ackclock.
    """
    head = {
        "qlog_version": "0.3",
        "qlog_format": "JSON-SEQ",
        "title": f"{flow['name']}: {flow['cc']}",
        "description": "A TCP sender; ackclock's docs/explain.md says how TCP is told as QUIC.",
        "trace": {
            "title": flow["name"],
            "vantage_point": {"name": f"ackclock {version}", "type": "client"},
            "common_fields": {
                "ODCID": flow["name"],
                "protocol_type": ["TCP"],
                "time_format": "absolute",
            },
        },
    }
    lines = [head, *_in_ms(_events(flow, decisions, packets))]
    return "".join(
        f"{_RECORD_SEPARATOR}{json.dumps(line, separators=(',', ':'), allow_nan=False)}\n"
        for line in lines
    )


def _in_ms(events: Iterator[Event]) -> Iterator[Event]:
    """Turn nanoseconds into milliseconds, never back in time."""
    latest = 0
    for event in events:
        latest = max(latest, event["time"])
        yield {**event, "time": latest / _NS_PER_MS}


def _events(flow: FlowPlan, decisions: pl.DataFrame, packets: pl.DataFrame) -> Iterator[Event]:
    """Merge what was seen and what was decided; an ACK comes before its decision.

    A session's connections follow each other; sequence numbers begin again with each.
    """
    yield {
        "time": 0,
        "name": "recovery:parameters_set",
        "data": {
            "max_datagram_size": flow["transport"]["mss"],
            "initial_congestion_window": flow["transport"]["initial_window_bytes"],
            "congestion_control": flow["cc"],
        },
    }
    seen = packets.sort("time_ns", maintain_order=True).iter_rows(named=True)
    packet = next(seen, None)
    boards: dict[int, _Board] = {}
    received = 0
    state = _State()
    for row in decisions.iter_rows(named=True):
        # Packets have whole nanoseconds, rounded down, and seconds are not that exact for hours.
        time = round(row["time"] * _PS_PER_S) // _PS_PER_NS
        # The packets of a decision have its time; the ACK is received before anything is sent.
        while packet is not None and packet["time_ns"] < time - 1:
            received = yield from _packet(packet, boards, received, is_probe=False)
            packet = next(seen, None)
        if packet is not None and packet["event"] == "receive" and _is_at(packet, time):
            received = yield from _packet(packet, boards, received, is_probe=False)
            packet = next(seen, None)
        yield from state.events(row, time)
        left = row["sent"]
        while packet is not None and left > 0 and _is_at(packet, time):
            if packet["event"] == "receive":
                break
            left -= int(packet["length"] > 0)
            received = yield from _packet(
                packet, boards, received, is_probe=row["cause"] == "tail_probe"
            )
            packet = next(seen, None)
    while packet is not None:
        received = yield from _packet(packet, boards, received, is_probe=False)
        packet = next(seen, None)


def _is_at(packet: Mapping[str, Any], time: int) -> bool:
    return bool(packet["time_ns"] <= time + 1)


def _packet(
    packet: Mapping[str, Any], boards: dict[int, _Board], received: int, *, is_probe: bool
) -> Generator[Event, None, int]:
    """Yield the events of a packet at the sender; returns the number of packets received."""
    time = packet["time_ns"]
    if packet["connection"] not in boards:
        board = boards[packet["connection"]] = _Board()
        board.sent = max((earlier.sent for earlier in boards.values()), default=0)
    board = boards[packet["connection"]]
    header = {"packet_type": "initial" if packet["flags"] & _SYN else "1RTT"}
    raw = {"length": packet["wire_size"], "payload_length": packet["length"]}
    if packet["event"] == "send":
        fin = bool(packet["flags"] & _FIN)
        frames = []
        if packet["length"] or fin:
            number, earlier = board.send(packet["seq"], packet["length"])
            if earlier is not None and not is_probe and not board.is_delivered(earlier):
                yield {
                    "time": time,
                    "name": "recovery:packet_lost",
                    "data": {"header": {"packet_type": "1RTT", "packet_number": earlier}},
                }
            frames.append(
                {
                    "frame_type": "stream",
                    "stream_id": packet["connection"],
                    "offset": packet["seq"],
                    "length": packet["length"],
                    "fin": fin,
                }
            )
        else:
            number = board.sent
            board.sent += 1
        yield {
            "time": time,
            "name": "transport:packet_sent",
            "data": {
                "header": {**header, "packet_number": number},
                "raw": raw,
                "frames": frames or [{"frame_type": "ping"}],
            },
        }
    elif packet["event"] == "receive":
        received += 1
        blocks = [
            (packet[f"sack{at}_start"], packet[f"sack{at}_end"])
            for at in range(3)
            if packet[f"sack{at}_end"] > packet[f"sack{at}_start"]
        ]
        ranges = board.acknowledge(packet["ack"], blocks)
        ack: dict[str, Any] = {"frame_type": "ack"}
        if ranges:
            ack["acked_ranges"] = ranges
        frames = [ack, {"frame_type": "max_data", "maximum": packet["ack"] + packet["window"]}]
        yield {
            "time": time,
            "name": "transport:packet_received",
            "data": {
                "header": {**header, "packet_number": received - 1},
                "raw": raw,
                "frames": frames,
            },
        }
    return received


class _State:
    """Metrics and state of congestion control as they were last logged."""

    def __init__(self) -> None:
        self._metrics: dict[str, float] = {}
        self._state: str | None = None
        self._rules: tuple[str | None, str | None] = (None, None)

    def events(self, row: Mapping[str, Any], time: int) -> Iterator[Event]:
        """Yield the events of a decision."""
        if row["cause"] in ("timeout", "tail_probe"):
            yield {
                "time": time,
                "name": "recovery:loss_timer_updated",
                "data": {"timer_type": "pto", "event_type": "expired"},
            }
        state = _state_of(row)
        if state != self._state:
            data: dict[str, Any] = {"new": state}
            if self._state is not None:
                data["old"] = self._state
            if row["told"] == "ecn":
                data["trigger"] = "ecn"
            self._state = state
            yield {"time": time, "name": "recovery:congestion_state_updated", "data": data}
        changed = {}
        for name, (column, factor) in _METRICS.items():
            value = row[column]
            if value is None:
                continue
            value = round(value) if name in _WHOLE else value * factor
            if self._metrics.get(name) != value:
                changed[name] = self._metrics[name] = value
        if changed:
            yield {"time": time, "name": "recovery:metrics_updated", "data": changed}
        rules = (row["rule"], row["transport_rule"])
        if rules != self._rules:
            self._rules = rules
            yield {
                "time": time,
                "name": "ackclock:rule_updated",
                "data": {
                    key: value
                    for key, value in (("rule", rules[0]), ("transport_rule", rules[1]))
                    if value is not None
                },
            }


def _state_of(row: Mapping[str, Any]) -> str:
    """State of RFC 9002 appendix B that a sender of TCP is in."""
    if row["episode"] in ("recovery", "cwr", "loss"):
        return "recovery"
    if row["held_by"] in ("application", "receive_window"):
        return "application_limited"
    is_below = row["ssthresh"] is None or row["target_cwnd"] < row["ssthresh"]
    return "slow_start" if is_below else "congestion_avoidance"
