"""The cost of a run: seconds of a core, memory, and disk.

The figures below were measured (docs/estimates.md says how, and how well they do).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ackclock import _core
from ackclock.estimating.rows import Rows, rows_of
from ackclock.estimating.traffic import MODELS, Traffic, traffic_of
from ackclock.results.diagnosis import CHOSEN, MOST_FLOWS
from ackclock.results.summary import MOST_ROWS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.border.plan import Plan

__all__ = ["Size", "size_of"]

# Seconds of a core of 2024, by the kind of work.
_RUN_S = 5e-4
_FLOW_S = 2.6e-6
_DATA_S = 210e-9
_DATAGRAM_S = 60e-9
_COMPUTED_S = 58e-9
_SERVED_S = 158e-9
_TRANSFER_S = 1.6e-6
_WRITE_S = 60e-9
"""Seconds per write of an application, besides those of whole packets."""
_MODEL_S = 62e-9
"""Additional seconds per packet of an algorithm that models the path, such as BBR."""
_PYTHON_ACK_S = 5e-6
"""Additional time for each ACK that an algorithm in Python handles: 2 to 13 us, by its work."""
_PYTHON_ROW_S = 2e-6
_TRACE_STEP_S = 12e-9
"""Seconds per row of a link that plays a trace and millisecond of its queue.

A queue's delay on such a link is found by counting the trace's opportunities: a millisecond has an
entry.
"""
_FLOW_ROW_S = 54e-9
_INTERNAL_ROW_S = 23e-9
_LINK_ROW_S = 93e-9
_PACKET_ROW_S = 250e-9
_DECISION_ROW_S = 800e-9
"""Measured: 604 to 875 ns, the most in a flow with losses."""
# Setting up in Python, and writing.
_SET_UP_FLOW_S = 25e-6
_WRITTEN_FLOW_S = 80e-6
_WRITTEN_ROW_S = 50e-9
_WRITTEN_PACKET_S = 230e-9
_WRITTEN_DECISION_S = 600e-9
"""Measured: 407 to 798 ns, the most in a flow with losses."""
_WRITTEN_CAPTURE_S = 460e-9
_REPORT_S = 0.12
_REPORT_OF_SAMPLES_S = 0.1
_REPORT_ROW_S = 0.4e-6


class _Cost(NamedTuple):
    """Costs of a row of a table, bytes."""

    kept: float
    """Bytes in the core's columns alone."""
    written: float
    """Most bytes while the tables are made and written, with the core's columns."""
    disk: float
    """Bytes in the compressed file."""


_ROW_BYTES = _core.row_bytes()
_BYTES = {
    "flows": _Cost(_ROW_BYTES["flow_samples"], 235.0, 8.0),
    "internals": _Cost(_ROW_BYTES["internals"], 55.0, 0.7),
    "links": _Cost(_ROW_BYTES["link_samples"], 200.0, 6.0),
    "datagrams": _Cost(41.0, 100.0, 14.5),
    "packets": _Cost(_ROW_BYTES["packets"], 386.0, 7.0),
    # Measured: 207 bytes in the core, 510 to 515 while written. On disk 5 for a stream that its
    # application limits, 14 for a flow alone, 33 and 44 for flows that share a link or lose.
    "decisions": _Cost(_ROW_BYTES["decisions"], 520.0, 33.0),
    "transfers": _Cost(41.0, 250.0, 18.0),
    "frames": _Cost(60.0, 200.0, 21.0),
    "captured": _Cost(0.0, 0.0, 84.0),
}
_PROCESS = 115e6
"""Bytes of Python with the libraries that a run loads."""
_REPORT = 14e6
_REPORT_OF_SAMPLES = 32e6
_REPORT_ROW = 60.0
_FLOW_BYTES = 16_500.0
"""Bytes, with the plan's text and a row of counters; the core alone takes 1,500."""
_STANDING_BYTES = 300.0
"""Bytes of a packet that is queued or in flight, with the sender's record of it."""
_WAITING_BYTES = 2_600.0
"""A user of web pages who has come and waits for a connection."""
_FLOW_DISK = 130.0
"""Bytes of a flow in plan.json and flows.parquet."""
_LISTED_FLOW_DISK = 700.0
"""Bytes of a flow in summary.json, which lists at most `MOST_ROWS`."""
_DIAGNOSED_FLOW_DISK = 2_000.0
"""Bytes of a flow's diagnosis in summary.json and the report."""
_RUN_DISK = 45e3
_REPORT_DISK = 4.9e6
_REPORT_WITHOUT_SAMPLES_DISK = 25e3
_REPEATED = 0.05
"""Size on disk of a row that repeats the one before, as a share of other rows."""


@dataclass(frozen=True)
class Size:
    """Estimated size of a run."""

    packets: float
    """Expected packets sent, ACKs included."""
    most_packets: float
    """Packets sent if every link is full from beginning to end and every packet is answered."""
    events: float
    """Events that the simulator handles."""
    seconds: float
    """Seconds of a core on the machine that the costs were measured on, writing included."""
    memory: float
    """Bytes of memory at most, those of the process without any run included."""
    disk: float
    """Bytes of the results."""
    own_memory: float
    """Bytes of memory that the run itself takes."""
    memory_by: Mapping[str, float] = field(default_factory=dict)
    """Bytes of memory by cause: names of `Rows`, "connections", "standing" or "waiting"."""
    disk_by: Mapping[str, float] = field(default_factory=dict)
    """Bytes on disk, likewise."""


def size_of(
    plan: Plan,
    *,
    pcap: Sequence[str] = (),
    writes: bool = True,
    plots: bool = True,
    bounds: bool = True,
) -> Size:
    """Estimate how large a run is before it runs.

    Parameters
    ----------
    plan
        Plan, from `Scenario.plan`.
    pcap
        Where packets are captured: `record.pcap` of the scenario.
    writes
        Whether the tables are made and written, or only the summary.
    plots
        Whether figures and a report are written with them.
    bounds
        Whether `most_packets` is wanted; it takes as long as all the rest.
    """
    traffic = traffic_of(plan)
    most = traffic_of(plan, at_most=True) if bounds else traffic
    rows = rows_of(plan, traffic, tuple(pcap))
    memory, disk = _memory(plan, traffic, rows, writes=writes), _disk(plan, traffic, rows)
    extra = report = drawing = 0.0
    if writes and plots:
        extra, drawing = _REPORT, _REPORT_S
        report = _REPORT_WITHOUT_SAMPLES_DISK + _LISTED_FLOW_DISK * min(_count(plan), 300)
        if rows.flows or rows.links:
            extra += _REPORT_OF_SAMPLES + _REPORT_ROW * (rows.flows + rows.links)
            drawing += _REPORT_OF_SAMPLES_S + _REPORT_ROW_S * (rows.flows + rows.links)
            report += _REPORT_DISK
    own = sum(memory.values()) + extra
    seconds = _SET_UP_FLOW_S * _count(plan) + _simulating(plan, traffic, rows)
    if writes:
        seconds += _writing(plan, rows) + drawing
    return Size(
        packets=traffic.packets,
        most_packets=max(most.packets, traffic.packets),
        events=_events(plan, traffic),
        seconds=seconds,
        memory=_PROCESS + own,
        disk=_RUN_DISK + report + sum(disk.values()) if writes else 0.0,
        own_memory=own,
        memory_by=memory,
        disk_by=disk,
    )


def _count(plan: Plan) -> int:
    return len(plan["flows"]) + len(plan["streams"])


def _simulating(plan: Plan, traffic: Traffic, rows: Rows) -> float:
    served = float((traffic.arrivals * traffic.served).sum())
    computed = float(traffic.arrivals.sum()) - served
    flows = plan["flows"]
    models = sum(any(name in flow["cc"] for name in MODELS) for flow in flows)
    share = models / len(flows) if flows else 0.0
    return float(
        _RUN_S
        + _FLOW_S * _count(plan)
        + (_DATA_S + _MODEL_S * share) * traffic.data
        + _DATAGRAM_S * traffic.datagrams
        + _COMPUTED_S * computed
        + _SERVED_S * served
        + _TRANSFER_S * traffic.transfers
        + _WRITE_S * traffic.writes
        + _PYTHON_ACK_S * traffic.python_acks
        + _TRACE_STEP_S * _trace_steps(plan, traffic, rows)
        + _FLOW_ROW_S * rows.flows
        + _INTERNAL_ROW_S * rows.internals
        + _LINK_ROW_S * rows.links
        + _PACKET_ROW_S * rows.packets
        + _DECISION_ROW_S * rows.decisions
        + _PYTHON_ROW_S * rows.python_flows
    )


def _trace_steps(plan: Plan, traffic: Traffic, rows: Rows) -> float:
    """Milliseconds of queues that are looked through for the rows of links that play traces."""
    links = [link for link in plan["links"] if link.get("rate_bps") is not None]
    traces = [
        (link.get("rate_bps") or 1)
        for link in links
        if (service := link.get("service")) is not None and service["kind"] == "trace"
    ]
    # All that stands in queues stands in front of one of them.
    standing = [min(1e3 * traffic.seconds, 1.2e7 * traffic.standing / rate) for rate in traces]
    return rows.links / len(links) * sum(standing) if links else 0.0


def _writing(plan: Plan, rows: Rows) -> float:
    return (
        _WRITTEN_FLOW_S * _count(plan)
        + _WRITTEN_ROW_S * (rows.flows + rows.internals + rows.links + rows.datagrams)
        + _WRITTEN_PACKET_S * (rows.packets + rows.transfers + rows.frames)
        + _WRITTEN_DECISION_S * rows.decisions
        + _WRITTEN_CAPTURE_S * rows.captured
    )


def _events(plan: Plan, traffic: Traffic) -> float:
    served = float((traffic.arrivals * traffic.served).sum())
    computed = float(traffic.arrivals.sum()) - served
    samples = plan["record"]["samples"]
    # All samples of one moment are one event.
    moments = traffic.seconds * 1e12 / samples["period_ps"] if samples["kind"] == "period" else 0.0
    return 1.05 * computed + 1.75 * served + traffic.datagrams + traffic.writes + moments


def _memory(plan: Plan, traffic: Traffic, rows: Rows, *, writes: bool) -> dict[str, float]:
    by = {
        name: getattr(rows, name) * (cost.written if writes else cost.kept)
        for name, cost in _BYTES.items()
    }
    by["connections"] = _FLOW_BYTES * _count(plan)
    by["standing"] = _STANDING_BYTES * traffic.standing
    by["waiting"] = _WAITING_BYTES * traffic.waiting
    return by


def _disk(plan: Plan, traffic: Traffic, rows: Rows) -> dict[str, float]:
    by = {name: getattr(rows, name) * cost.disk for name, cost in _BYTES.items()}
    # A row that repeats the one before is compressed to nearly nothing.
    for name, changes in (("flows", traffic.acks), ("links", float(2.0 * traffic.arrivals.sum()))):
        by[name] *= _new_share(getattr(rows, name), changes)
    by["internals"] *= _new_share(rows.flows, traffic.acks)
    count = _count(plan)
    by["connections"] = _FLOW_DISK * count
    if count <= MOST_ROWS:
        by["connections"] += _LISTED_FLOW_DISK * count
    by["connections"] += _DIAGNOSED_FLOW_DISK * (count if count <= MOST_FLOWS else CHOSEN)
    return by


def _new_share(rows: float, changes: float) -> float:
    return min(1.0, changes / rows + _REPEATED) if rows > 0.0 else 1.0
