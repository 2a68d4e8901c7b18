"""The plan of what is recorded: the period of samples, and names turned into indices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.scenario.errors import ScenarioError, did_you_mean
from ackclock.scenario.quantities import PS_PER_S, time_ps

if TYPE_CHECKING:
    from ackclock.scenario.plan.entries import Entry
    from ackclock.scenario.scenario import Scenario

__all__ = ["record_plan", "sample_period_ps"]

_AUTO_ROWS = 400_000
# A row of a flow takes about 100 bytes.
_MOST_ROWS = 20_000_000


def _nice_at_least(value: int) -> int:
    """The smallest of 1, 2, 5, 10, ... that is at least `value`."""
    unit = 1
    while True:
        for factor in (1, 2, 5):
            if factor * unit >= value:
                return factor * unit
        unit *= 10


def sample_period_ps(scenario: Scenario) -> int:
    """The period that ``samples = "auto"`` means: about 400 000 rows of flows in all, and 1 ms at the finest."""
    flows = sum(flow.count * flow.connections for flow in scenario.flows)
    wanted = time_ps(scenario.duration) * flows // _AUTO_ROWS
    return max(PS_PER_S // 1000, _nice_at_least(wanted))


def _indices(names: list[str], by_name: dict[str, list[int]], key: str, noun: str) -> list[int]:
    chosen: list[int] = []
    for position, name in enumerate(names):
        if name not in by_name:
            known = ", ".join(list(by_name)[:8]) + (", ..." if len(by_name) > 8 else "")
            raise ScenarioError(
                f"there is no {noun} '{name}', only {known}{did_you_mean(name, by_name)}", key=f"{key}.{position}", value=name
            )
        chosen += by_name[name]
    return sorted(set(chosen))


def record_plan(scenario: Scenario, entries: list[Entry], links: list[dict[str, Any]]) -> dict[str, Any]:
    """What is recorded, as indices into the plan's flows and links."""
    record = scenario.record
    samples: dict[str, Any] = {"kind": record.samples}
    if record.samples == "auto":
        samples = {"kind": "period", "period_ps": sample_period_ps(scenario)}
    elif record.samples not in ("changes", "off"):
        samples = {"kind": "period", "period_ps": time_ps(record.samples)}
        sampled = sum(flow.count * flow.connections for flow in scenario.flows) if record.flows is None else len(record.flows)
        rows = time_ps(scenario.duration) // samples["period_ps"] * sampled
        if rows > _MOST_ROWS:
            raise ScenarioError(
                f"'{record.samples}' would make {rows} rows of flows, and {_MOST_ROWS} is the most: write a longer period, or fewer in "
                "record.flows",
                key="record.samples",
                value=record.samples,
            )

    # A name of an entry means all its flows, that of a flow all its connections.
    flows_by_name: dict[str, list[int]] = {entry.name: [] for entry in entries if not entry.spec.is_stream}
    index = 0
    for entry in entries:
        for one in entry.flows:
            for connection in one.connections:
                for name in {entry.name, one.name, connection}:
                    flows_by_name.setdefault(name, []).append(index)
                index += 1
    connections = index
    # Streams are numbered after all flows, as the engine numbers them.
    streams_by_name: dict[str, list[int]] = {}
    for entry in entries:
        for one in entry.flows if entry.spec.is_stream else ():
            for name in {entry.name, one.name}:
                streams_by_name.setdefault(name, []).append(index)
            index += 1
    links_by_name = {link["name"]: [position] for position, link in enumerate(links)}

    named = None if record.flows is None else _indices(record.flows, flows_by_name | streams_by_name, "record.flows", "flow")
    chosen = None if named is None else [flow for flow in named if flow < connections]
    captured = list(range(index)) if named is None else named
    points = {"sender": [-1], "receiver": [-2]} | links_by_name
    capture = _indices(record.pcap, points, "record.pcap", "place to capture at")
    for position, point in enumerate(record.pcap):
        if point in ("sender", "receiver") and not captured:
            raise ScenarioError(
                f"'{point}' captures the packets of the flows in record.flows, and that names none: name some, or leave it out",
                key=f"record.pcap.{position}",
                value=point,
            )
    packet_links = _indices(record.packets, links_by_name, "record.packets", "link")
    return {
        "samples": samples,
        "flows": chosen,
        "datagrams": record.samples != "off",
        "links": None if record.links is None else _indices(record.links, links_by_name, "record.links", "link"),
        "packet_links": sorted({*packet_links, *(point for point in capture if point >= 0)}),
        "packet_senders": captured if "sender" in record.pcap else [],
        "packet_receivers": captured if "receiver" in record.pcap else [],
    }
