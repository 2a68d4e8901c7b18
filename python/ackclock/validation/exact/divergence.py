"""The first packet, ACK, window or value of TCP_INFO in which two runs of a scenario differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ackclock.results import Result

__all__ = ["VALUES", "Divergence", "divergences", "lateness"]

VALUES = (
    "cwnd", "ssthresh", "srtt", "inflight", "pacing_rate", "delivery_rate", "delivered", "acked",
    "sent", "retransmitted", "lost", "state",
)  # fmt: skip
"""Columns of the samples that both sides have: the kernel's come from TCP_INFO and its packets."""

# FIN, SYN, RST, ECE and CWR (RFC 9293, section 3.1). PSH says where a write ended.
_FLAGS = 0x01 | 0x02 | 0x04 | 0x40 | 0x80
_NAMES = ((0x02, "SYN"), (0x01, "FIN"), (0x04, "RST"), (0x40, "ECE"), (0x80, "CWR"))
_END_S = 1e-3
"""Time before the end in which a packet of one side alone is no difference: it can be late."""
_RELATIVE = 1e-3
# Name, direction, and the host that sends.
_KINDS = (("segment", 0, "sender"), ("ACK", 1, "receiver"))
_KNOWN_LATER = {"srtt", "pacing_rate", "delivery_rate"}
_SRTT_S = 50e-6
"""A kernel's hosts are handed packets some microseconds late, twice in each round trip."""
_STEPS = 2
"""Linux advertises windows in units of its window scale, and rounds up or down by its memory."""


@dataclass(frozen=True)
class Divergence:
    """Length to which a series of both runs is equal."""

    flow: str
    kind: str
    """"segment", "ACK", "window", or one of `VALUES`."""
    equal: int
    """Entries before the first that differs."""
    entries: int
    """Entries of the kernel."""
    at: float | None
    """Time of the first that differs, s, by the earlier side; None: none differs."""
    kernel: str = ""
    simulated: str = ""

    @property
    def share(self) -> float:
        """Share of the kernel's entries before the first difference."""
        return self.equal / self.entries if self.entries else 1.0


def divergences(kernel: Result, simulated: Result) -> list[Divergence]:
    """Where two runs part, the earliest first and then the series that are equal to the end.

    Parameters
    ----------
    kernel, simulated
        Runs of one scenario that record the packets of all hosts, and samples.
    """
    found = [
        divergence
        for flow in kernel.flows.filter(pl.col("cc") != "udp")["name"].to_list()
        for divergence in (
            *_packets(kernel, simulated, flow), *_values(kernel, simulated, flow),
        )
    ]  # fmt: skip
    return sorted(found, key=lambda it: np.inf if it.at is None else it.at)


def lateness(kernel: Result, simulated: Result, until: float | None) -> float:
    """Largest difference of the times of equal packets before `until`, s."""
    latest = 0.0
    for flow in kernel.flows.filter(pl.col("cc") != "udp")["name"].to_list():
        for _, is_ack, place in _KINDS:
            theirs, ours = (_sent(it, flow, is_ack, place)["time_ns"] for it in (kernel, simulated))
            rows = min(len(theirs), len(ours))
            apart = np.abs((theirs.head(rows) - ours.head(rows)).to_numpy()) / 1e9
            if until is not None:
                apart = apart[theirs.head(rows).to_numpy() / 1e9 < until]
            latest = max(latest, float(apart.max(initial=0.0)))
    return latest


def _packets(kernel: Result, simulated: Result, flow: str) -> Iterator[Divergence]:
    end = min(kernel.end_time, simulated.end_time)
    for kind, is_ack, place in _KINDS:
        ours, theirs = (_sent(result, flow, is_ack, place) for result in (simulated, kernel))
        content = [
            column for column in ours.columns if column not in {"time_ns", "window", "length"}
        ] + (["length"] if kind == "segment" else [])
        equal = _equal_rows(theirs, ours, content)
        at = _time_of(theirs, ours, equal, end)
        describe = _segment if kind == "segment" else _ack
        yield Divergence(
            flow, kind, equal, theirs.height, at,
            *(("", "") if at is None else (_row(it, equal, describe) for it in (theirs, ours))),
        )  # fmt: skip
        if kind == "ACK":
            yield _window(flow, theirs.head(equal), ours.head(equal))


def _sent(result: Result, flow: str, is_ack: int, place: str) -> pl.DataFrame:
    """Packets that a host of a flow sent, with the parts on which both sides must agree."""
    packets = pl.DataFrame(result.packets).filter(
        (pl.col("flow").cast(pl.String) == flow)
        & (pl.col("is_ack") == is_ack)
        & (pl.col("event").cast(pl.String) == "send")
        & (pl.col("point").cast(pl.String) == place)
    )
    number = "ack" if is_ack else "seq"
    blocks = [name for name in packets.columns if name.startswith("sack")] if is_ack else []
    return packets.select(
        "time_ns", "connection", number, "length", (pl.col("flags") & _FLAGS).alias("flags"),
        "ecn", *blocks, "window",
    )  # fmt: skip


def _equal_rows(theirs: pl.DataFrame, ours: pl.DataFrame, content: Sequence[str]) -> int:
    both = min(theirs.height, ours.height)
    if both == 0:
        return 0
    differs = np.zeros(both, dtype=bool)
    for column in content:
        differs |= (theirs[column].head(both) != ours[column].head(both)).to_numpy()
    return int(np.argmax(differs)) if differs.any() else both


def _time_of(theirs: pl.DataFrame, ours: pl.DataFrame, row: int, end: float) -> float | None:
    """Time of the first row that differs, unless one side's run ended just before it."""
    times = [side["time_ns"][row] / 1e9 for side in (theirs, ours) if row < side.height]
    if not times or (len(times) == 1 and times[0] > end - _END_S):
        return None
    return float(min(times))


def _row(side: pl.DataFrame, row: int, describe: object) -> str:
    if row >= side.height:
        return "none"
    values = side.row(row, named=True)
    assert callable(describe)
    return f"{describe(values)} at {values['time_ns'] / 1e6:.3f} ms"


def _flags(values: dict[str, int]) -> str:
    return "".join(f" {name}" for bit, name in _NAMES if values["flags"] & bit)


def _segment(values: dict[str, int]) -> str:
    return f"{values['seq']}+{values['length']}{_flags(values)}"


def _ack(values: dict[str, int]) -> str:
    blocks = " ".join(
        f"{values[f'sack{block}_start']}-{values[f'sack{block}_end']}"
        for block in range(3)
        if values[f"sack{block}_end"]
    )
    return f"{values['ack']}{_flags(values)}{f' SACK {blocks}' if blocks else ''}"


def _window(flow: str, theirs: pl.DataFrame, ours: pl.DataFrame) -> Divergence:
    """The first ACK, of equal ones, whose windows are more than rounding apart."""
    windows = theirs["window"].to_numpy()
    # The SYN's window is not scaled.
    unit = int(np.gcd.reduce(windows[1:])) if len(windows) > 1 else 1
    apart = np.abs(windows - ours["window"].to_numpy()) > _STEPS * unit
    if not apart.any():
        return Divergence(flow, "window", len(windows), len(windows), None)
    row = int(np.argmax(apart))
    return Divergence(
        flow, "window", row, len(windows), theirs["time_ns"][row] / 1e9,
        f"{windows[row]} with ACK {theirs['ack'][row]}", f"{ours['window'][row]}",
    )  # fmt: skip


def _values(kernel: Result, simulated: Result, flow: str) -> Iterator[Divergence]:
    """The first of two samples in a row whose values differ: one alone can be a packet's delay."""
    theirs, ours = (
        pl.DataFrame(result.samples.flows).filter(pl.col("flow").cast(pl.String) == flow)
        for result in (kernel, simulated)
    )
    joined = theirs.join(ours, on="time", suffix="_ours", how="inner").sort("time")
    for name in VALUES:
        left, right = joined[name], joined[f"{name}_ours"]
        if name == "state":
            differs = (left.cast(pl.String) != right.cast(pl.String)).fill_null(value=False)
        else:
            slack = _SRTT_S if name == "srtt" else 0.0
            near = (left - right).abs() <= slack + _RELATIVE * right.abs()
            # A kernel knows some values a packet later than the simulator, from the handshake on.
            unknown = left.is_null() | right.is_null()
            both = unknown if name in _KNOWN_LATER else left.is_null() & right.is_null()
            differs = ~near.fill_null(value=False) & ~both
        rows = differs.to_numpy()
        rows = rows & np.append(rows[1:], False)
        if not rows.any():
            yield Divergence(flow, name, joined.height, joined.height, None)
            continue
        row = int(np.argmax(rows))
        yield Divergence(
            flow, name, row, joined.height, joined["time"][row], _shown(left[row]),
            _shown(right[row]),
        )  # fmt: skip


def _shown(value: object) -> str:
    if value is None:
        return "none"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
