"""The cost of a run: seconds of a core, memory, and disk, from the packets that its plan can carry.

The figures below were measured (docs/estimates.md says how, and how well they do).
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ackclock import _core
from ackclock.engine.cost_model.traffic import Traffic, traffic_of
from ackclock.results.diagnosis import CHOSEN, MOST_FLOWS
from ackclock.results.summary import MOST_ROWS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.core_types.plan import Plan

__all__ = ["PROCESS", "Size", "rows_of", "size_of"]

PROCESS = 115e6
"""Bytes of Python with the libraries that a run loads."""

# Seconds of a core of 2024, by the kind of work; a run's own first moments tell more.
_RUN_S = 5e-4
_FLOW_S = 28e-6
_DATA_S = 250e-9
_ARRIVAL_S = 120e-9
_DATAGRAM_S = 60e-9
_TRANSFER_S = 1.6e-6
_WRITE_S = 60e-9
"""Seconds per write of an application, besides those of whole packets."""
_PYTHON_ACK_S = 5e-6
"""Additional time for each ACK that an algorithm in Python handles: 2 to 13 us, by its work."""
_WRITTEN_FLOW_S = 80e-6
_REPORT_S = 0.2


class _Cost(NamedTuple):
    """Costs of a row of a table, bytes, and seconds of a core."""

    kept: float
    """Bytes in the core's columns alone."""
    written: float
    """Most bytes while the tables are made and written, with the core's columns."""
    disk: float
    """Bytes in the compressed file."""
    recording_s: float
    writing_s: float


_ROW_BYTES = _core.row_bytes()
_ROWS = {
    # One per flow and sample, per variable of an algorithm and sample, per link and sample.
    "flows": _Cost(_ROW_BYTES["flow_samples"], 235.0, 8.0, 54e-9, 50e-9),
    "internals": _Cost(_ROW_BYTES["internals"], 55.0, 0.7, 23e-9, 50e-9),
    "links": _Cost(_ROW_BYTES["link_samples"], 200.0, 6.0, 93e-9, 50e-9),
    "datagrams": _Cost(41.0, 100.0, 14.5, 0.0, 50e-9),
    "packets": _Cost(_ROW_BYTES["packets"], 386.0, 7.0, 250e-9, 230e-9),
    # Measured: 207 bytes in the core, 510 to 515 while written. On disk 5 for a stream that its
    # application limits, 14 for a flow alone, 33 and 44 for flows that share a link or lose.
    # 604 to 875 ns, and 407 to 798 ns to write, the most in a flow with losses.
    "decisions": _Cost(_ROW_BYTES["decisions"], 520.0, 33.0, 800e-9, 600e-9),
    "transfers": _Cost(41.0, 250.0, 18.0, 0.0, 230e-9),
    "frames": _Cost(60.0, 200.0, 21.0, 0.0, 230e-9),
    # Packets in the pcapng files.
    "captured": _Cost(0.0, 0.0, 84.0, 0.0, 460e-9),
}
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
_PYTHON_INTERNALS = 4
"""Variables of an algorithm in Python: what its `internals` shows is known only when it runs."""


@dataclass(frozen=True)
class Size:
    """Estimated size of a run."""

    packets: float
    """Packets that the plan can carry at most, ACKs included."""
    seconds: float
    """Seconds of a core on the machine that the costs were measured on, writing included."""
    simulating: float
    """Seconds of it until the tables are written."""
    until: float
    """Share of the simulated time by which everything can have been sent."""
    disk: float
    """Bytes of the results."""
    own_memory: float
    """Bytes of memory that the run itself takes."""
    memory_by: Mapping[str, float] = field(default_factory=dict)
    """Bytes of memory by cause: a table, "connections", "standing" or "waiting"."""
    disk_by: Mapping[str, float] = field(default_factory=dict)
    """Bytes on disk, likewise."""


def size_of(
    plan: Plan, *, pcap: Sequence[str] = (), writes: bool = True, plots: bool = True
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
    """
    traffic = traffic_of(plan)
    rows = rows_of(plan, traffic, pcap)
    count = len(plan["flows"]) + len(plan["streams"])
    memory = {
        name: number * (_ROWS[name].written if writes else _ROWS[name].kept)
        for name, number in rows.items()
    }
    memory["connections"] = _FLOW_BYTES * count
    memory["standing"] = _STANDING_BYTES * traffic.standing
    memory["waiting"] = _WAITING_BYTES * traffic.waiting
    disk = _disk(traffic, rows, count)
    seconds = simulating = _simulating(traffic, rows, count)
    report_memory = report_disk = 0.0
    if writes:
        seconds += _WRITTEN_FLOW_S * count
        seconds += sum(_ROWS[name].writing_s * number for name, number in rows.items())
    if writes and plots:
        seconds += _REPORT_S
        report_memory = _REPORT
        report_disk = _REPORT_WITHOUT_SAMPLES_DISK + _LISTED_FLOW_DISK * min(count, 300)
        if samples := rows["flows"] + rows["links"]:
            report_memory += _REPORT_OF_SAMPLES + _REPORT_ROW * samples
            report_disk += _REPORT_DISK
    return Size(
        packets=traffic.packets,
        seconds=seconds,
        simulating=simulating,
        until=traffic.seconds * 1e12 / plan["duration_ps"],
        disk=_RUN_DISK + report_disk + sum(disk.values()) if writes else 0.0,
        own_memory=sum(memory.values()) + report_memory,
        memory_by=memory,
        disk_by=disk,
    )


def _simulating(traffic: Traffic, rows: Mapping[str, float], count: int) -> float:
    return (
        _RUN_S
        + _FLOW_S * count
        + _DATA_S * traffic.data
        + _ARRIVAL_S * sum(traffic.arrivals.values())
        + _DATAGRAM_S * traffic.datagrams
        + _TRANSFER_S * traffic.transfers
        + _WRITE_S * traffic.writes
        + _PYTHON_ACK_S * traffic.python_acks
        + sum(_ROWS[name].recording_s * number for name, number in rows.items())
    )


def _disk(traffic: Traffic, rows: Mapping[str, float], count: int) -> dict[str, float]:
    by = {name: number * _ROWS[name].disk for name, number in rows.items()}
    # A row that repeats the one before is compressed to nearly nothing.
    arrivals = sum(traffic.arrivals.values())
    for name, changes in (("flows", traffic.acks), ("links", 2.0 * arrivals)):
        share = min(1.0, changes / rows[name] + _REPEATED) if rows[name] else 1.0
        by[name] *= share
        by["internals"] *= share if name == "flows" else 1.0
    by["connections"] = _FLOW_DISK * count
    if count <= MOST_ROWS:
        by["connections"] += _LISTED_FLOW_DISK * count
    by["connections"] += _DIAGNOSED_FLOW_DISK * (count if count <= MOST_FLOWS else CHOSEN)
    return by


def rows_of(plan: Plan, traffic: Traffic, pcap: Sequence[str] = ()) -> dict[str, float]:
    """Estimate how many rows each table of a plan's run has.

    Parameters
    ----------
    plan
        Plan, from `Scenario.plan`.
    traffic
        Traffic of the plan.
    pcap
        Places of captures: `record.pcap` of the scenario.
    """
    record, samples = plan["record"], plan["record"]["samples"]
    flows, links = plan["flows"], plan["links"]
    count = max(1, len(flows))
    sampled = range(len(flows)) if record["flows"] is None else record["flows"]
    seen = record["links"]
    if seen is None:
        seen = [at for at, link in enumerate(links) if link.get("rate_bps") is not None]
    flow_rows = link_rows = 0.0
    if samples["kind"] == "period":
        moments = traffic.seconds * 1e12 / samples["period_ps"] + 1.0
        flow_rows, link_rows = moments * len(sampled), moments * len(seen)
    elif samples["kind"] == "changes":
        # A row for each ACK, and for each packet that the pacer lets go.
        paced = traffic.paced / traffic.data if traffic.data else 0.0
        changes = (1.0 - paced) * traffic.acks + traffic.paced
        flow_rows = changes * len(sampled) / count + len(sampled)
        # Each packet comes to the queue and leaves it.
        link_rows = 2.0 * sum(traffic.arrivals.get(link, 0.0) for link in seen)
    algorithms = Counter(flows[at]["cc"] for at in sampled)
    variables = sum(_shown_by(cc) * number for cc, number in algorithms.items())
    at_hosts = len(record["packet_senders"]) + len(record["packet_receivers"])
    arrivals = {link["name"]: traffic.arrivals.get(at, 0.0) for at, link in enumerate(links)}
    # A burst of a pacer is of two packets at least, and its timer runs out for each.
    decided = traffic.acks + 0.5 * traffic.paced + traffic.writes
    return {
        "flows": flow_rows,
        "internals": flow_rows * variables / max(1, len(sampled)),
        "links": link_rows,
        "datagrams": traffic.datagrams if record.get("datagrams", True) else 0.0,
        # Accepted or dropped, and then at the far end.
        "packets": 2.0 * sum(traffic.arrivals.get(link, 0.0) for link in record["packet_links"])
        + traffic.packets * at_hosts / (count + len(plan["streams"])),
        "decisions": decided * len(record.get("decision_flows", ())) / count,
        "transfers": traffic.transfers,
        "frames": traffic.frames,
        "captured": sum(
            traffic.packets if point in _HOSTS else arrivals.get(point, 0.0) for point in pcap
        ),
    }


_HOSTS = ("sender", "receiver")


@lru_cache(maxsize=256)
def _shown_by(cc: str) -> float:
    """Return the number of variables that an algorithm shows, from a run of a fifth of a second.

    The run has the transport of a plain scenario: with a tiny mss it would take minutes.
    """
    if "python:" in cc:
        return _PYTHON_INTERNALS
    from ackclock.scenario.build import dumbbell, flow

    tiny = dumbbell(
        rate="5Mbit/s", rtt="20ms", flows=[flow(cc)], duration="200ms", record={"samples": "10ms"}
    )
    run = _core.run(json.dumps(tiny.plan()))
    rows = len(run.flow_samples()["time"])
    return -(-len(run.internals()["time"]) // max(1, rows))
