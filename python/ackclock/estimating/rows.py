"""Number of rows that a plan records, before it runs."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ackclock import _core

if TYPE_CHECKING:
    from ackclock.border.plan import Plan
    from ackclock.estimating.traffic import Traffic

__all__ = ["Rows", "rows_of"]

# Variables of an algorithm in Python: what its `internals` shows is known only when it runs.
_PYTHON_INTERNALS = 4


@dataclass(frozen=True)
class Rows:
    """Rows of each table of a run."""

    flows: float = 0.0
    """samples/flows: one per flow and sample."""
    internals: float = 0.0
    """samples/internals: one per variable of an algorithm and sample."""
    links: float = 0.0
    """samples/links: one per link and sample."""
    datagrams: float = 0.0
    """samples/datagrams: one per datagram of a UDP stream."""
    packets: float = 0.0
    """Packet events, of packets.parquet and of the captures."""
    decisions: float = 0.0
    """Decisions of senders: one per ACK, per burst that the pacer lets go, and per write."""
    captured: float = 0.0
    """Packets in the pcapng files."""
    transfers: float = 0.0
    """Transfers of applications."""
    frames: float = 0.0
    """Video frames."""
    python_flows: float = 0.0
    """Rows of flows whose algorithm is written in Python, which is asked for its variables."""


def rows_of(plan: Plan, traffic: Traffic, pcap: tuple[str, ...] = ()) -> Rows:
    """Estimate how many rows a plan records.

    Parameters
    ----------
    plan
        Plan, from `Scenario.plan`.
    traffic
        Traffic of the plan.
    pcap
        Places of captures: `record.pcap` of the scenario.
    """
    record = plan["record"]
    samples = record["samples"]
    count = len(plan["flows"])
    chosen = range(count) if record["flows"] is None else record["flows"]
    share = len(chosen) / count if count else 0.0
    links = record["links"]
    if links is None:
        links = [at for at, link in enumerate(plan["links"]) if link.get("rate_bps") is not None]
    flow_rows = link_rows = 0.0
    if samples["kind"] == "period":
        moments = traffic.seconds * 1e12 / samples["period_ps"] + 1.0
        flow_rows, link_rows = moments * len(chosen), moments * len(links)
    elif samples["kind"] == "changes":
        # A row for each ACK, and for each packet that the pacer lets go.
        paced = traffic.paced / traffic.data if traffic.data else 0.0
        flow_rows = share * ((1.0 - paced) * traffic.acks + paced * traffic.data) + len(chosen)
        # Each packet comes to the queue and leaves it.
        link_rows = 2.0 * float(sum(traffic.arrivals[link] for link in links))
    decided = len(record.get("decision_flows", ())) / count if count else 0.0
    each = _internals(plan, chosen)
    packets, captured = _packet_rows(plan, traffic, pcap)
    return Rows(
        flows=flow_rows,
        internals=flow_rows * each,
        links=link_rows,
        datagrams=traffic.datagrams if record.get("datagrams", True) else 0.0,
        packets=packets,
        decisions=decided * (traffic.acks + traffic.bursts + traffic.writes),
        captured=captured,
        transfers=traffic.transfers,
        frames=traffic.frames,
        python_flows=flow_rows * _python_share(plan, chosen),
    )


def _packet_rows(plan: Plan, traffic: Traffic, pcap: tuple[str, ...]) -> tuple[float, float]:
    record = plan["record"]
    arrivals = {plan["links"][at]["name"]: float(traffic.arrivals[at]) for at in _all(plan)}
    # Accepted or dropped, and then at the far end.
    rows = 2.0 * sum(float(traffic.arrivals[link]) for link in record["packet_links"])
    everything = traffic.packets
    senders = max(1, len(plan["flows"]) + len(plan["streams"]))
    rows += everything * len(record["packet_senders"]) / senders
    rows += everything * len(record["packet_receivers"]) / senders
    captured = sum(everything if point in _HOSTS else arrivals.get(point, 0.0) for point in pcap)
    return rows, captured


_HOSTS = ("sender", "receiver")


def _all(plan: Plan) -> range:
    return range(len(plan["links"]))


def _python_share(plan: Plan, chosen: Any) -> float:
    flows = plan["flows"]
    return sum("python:" in flows[at]["cc"] for at in chosen) / len(chosen) if chosen else 0.0


def _internals(plan: Plan, chosen: Any) -> float:
    """Mean number of variables that the algorithms of these flows show."""
    found = Counter(plan["flows"][at]["cc"] for at in chosen)
    if not found:
        return 0.0
    return sum(_shown_by(cc) * count for cc, count in found.items()) / len(chosen)


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
    return math.ceil(len(run.internals()["time"]) / max(1, rows))
