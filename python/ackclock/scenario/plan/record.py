"""The plan of the record: the period of samples, and flows and links by index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock import _core
from ackclock.messages import did_you_mean, shown
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.plan.entries import merged_access
from ackclock.scenario.quantities import PS_PER_S, size_bytes, time_ps
from ackclock.scenario.topology import directed_links

if TYPE_CHECKING:
    from ackclock.core_types.plan import LinkPlan, RecordPlan, SamplePlan
    from ackclock.scenario.base import ScenarioTables
    from ackclock.scenario.plan.entries import Entry

__all__ = ["record_plan", "sample_period_ps"]

_AUTO_ROWS = 400_000
_AUTO_LINK_ROWS = 2_000_000
_ROW_BYTES = _core.row_bytes()
_FLOW_ROW, _LINK_ROW = _ROW_BYTES["flow_samples"], _ROW_BYTES["link_samples"]
# The engine's own default, which a plan leaves out.
_MAX_SIZE = "2GB"


def _nice_at_least(value: int) -> int:
    """The smallest of 1, 2, 5, 10, ... that is at least `value`."""
    unit = 1
    while True:
        for factor in (1, 2, 5):
            if factor * unit >= value:
                return factor * unit
        unit *= 10


def _sampled_links(scenario: ScenarioTables) -> int:
    """The number of links with a rate, whose series are kept without `record.links`."""
    routers = sum(link.rate_bps is not None for link in directed_links(scenario.network))
    hosts = 0
    for flow in scenario.flows:
        access = merged_access(scenario.network.access, flow.access)
        if access.rate not in (None, "unlimited"):
            hosts += flow.count * (2 if flow.is_stream else 4)
    return routers + hosts


def sample_period_ps(scenario: ScenarioTables) -> int:
    """The period that ``samples = "auto"`` means, in ps; see `Record.samples`."""
    flows = sum(flow.count * flow.connections for flow in scenario.flows)
    duration = time_ps(scenario.duration)
    links = _sampled_links(scenario)
    room = size_bytes(scenario.record.max_size)
    wanted = max(
        duration * flows // _AUTO_ROWS,
        duration * links // _AUTO_LINK_ROWS,
        # Rounded up, so that the period fits when a resolved scenario writes it out.
        -(-duration * flows * _FLOW_ROW // room),
        -(-duration * links * _LINK_ROW // room),
    )
    return max(PS_PER_S // 1000, _nice_at_least(wanted))


def _check_rows(scenario: ScenarioTables, period: int) -> None:
    """Refuse a period whose rows cannot fit, before the run."""
    record = scenario.record
    flows = (
        sum(flow.count * flow.connections for flow in scenario.flows)
        if record.flows is None
        else len(record.flows)
    )
    links = _sampled_links(scenario) if record.links is None else len(record.links)
    moments = time_ps(scenario.duration) // period
    for noun, count, width in (("flows", flows, _FLOW_ROW), ("links", links, _LINK_ROW)):
        rows = moments * count
        if rows * width > size_bytes(record.max_size):
            raise ScenarioError(
                f"{shown(record.samples)} would make {rows} rows of {noun}, and "
                f"{size_bytes(record.max_size) // width} fit into "
                f"record.max_size, {record.max_size}: write a longer period, or fewer in "
                f"record.{noun}",
                key="record.samples",
                value=record.samples,
            )


def _indices(names: list[str], by_name: dict[str, list[int]], key: str, noun: str) -> list[int]:
    chosen: list[int] = []
    for position, name in enumerate(names):
        if name not in by_name:
            known = ", ".join(list(by_name)[:8]) + (", ..." if len(by_name) > 8 else "")
            raise ScenarioError(
                f"there is no {noun} '{name}', only {known}{did_you_mean(name, by_name)}",
                key=f"{key}.{position}",
                value=name,
            )
        chosen += by_name[name]
    return sorted(set(chosen))


def record_plan(
    scenario: ScenarioTables, entries: list[Entry], links: list[LinkPlan]
) -> RecordPlan:
    """The record in the engine's form, with indices into the plan's flows and links."""
    record = scenario.record
    samples: SamplePlan
    if record.samples == "off":
        samples = {"kind": "off"}
    elif record.samples == "changes":
        samples = {"kind": "changes"}
    elif record.samples == "auto":
        samples = {"kind": "period", "period_ps": sample_period_ps(scenario)}
    else:
        period = time_ps(record.samples)
        samples = {"kind": "period", "period_ps": period}
        _check_rows(scenario, period)

    # The name of an entry means all its flows, and the name of a flow all its connections.
    flows_by_name: dict[str, list[int]] = {
        entry.name: [] for entry in entries if not entry.spec.is_stream
    }
    index = 0
    for entry in entries:
        for flow in entry.flows:
            for connection in flow.connections:
                for name in {entry.name, flow.name, connection}:
                    flows_by_name.setdefault(name, []).append(index)
                index += 1
    connections = index
    # Streams are numbered after all flows, as the engine numbers them.
    streams_by_name: dict[str, list[int]] = {}
    for entry in entries:
        for flow in entry.flows if entry.spec.is_stream else ():
            for name in {entry.name, flow.name}:
                streams_by_name.setdefault(name, []).append(index)
            index += 1
    links_by_name = {link["name"]: [position] for position, link in enumerate(links)}

    named = (
        None
        if record.flows is None
        else _indices(record.flows, flows_by_name | streams_by_name, "record.flows", "flow")
    )
    chosen = None if named is None else [flow for flow in named if flow < connections]
    captured = list(range(index)) if named is None else named
    points = {"sender": [-1], "receiver": [-2]} | links_by_name
    capture = _indices(record.pcap, points, "record.pcap", "place to capture at")
    for position, point in enumerate(record.pcap):
        if point in ("sender", "receiver") and not captured:
            raise ScenarioError(
                f"'{point}' captures the packets of the flows in record.flows, and that names "
                "none: name some, or leave it out",
                key=f"record.pcap.{position}",
                value=point,
            )
    packet_links = _indices(record.packets, links_by_name, "record.packets", "link")
    decisions = record.decisions or []
    decided = (
        list(range(connections))
        if decisions == "all"
        else _indices(list(decisions), flows_by_name, "record.decisions", "flow with a window")
    )
    logged = _indices(record.qlog or [], flows_by_name, "record.qlog", "flow with a window")
    bound: RecordPlan = {}
    if record.max_size != _MAX_SIZE:
        bound = {"max_bytes": size_bytes(record.max_size)}
    if decided or logged:
        bound["decision_flows"] = sorted({*decided, *logged})
    return {
        **bound,
        "samples": samples,
        "flows": chosen,
        "datagrams": record.samples != "off",
        "links": None
        if record.links is None
        else _indices(record.links, links_by_name, "record.links", "link"),
        "packet_links": sorted({*packet_links, *(point for point in capture if point >= 0)}),
        "packet_senders": sorted({*(captured if "sender" in record.pcap else []), *logged}),
        "packet_receivers": captured if "receiver" in record.pcap else [],
    }
