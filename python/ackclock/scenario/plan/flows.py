"""The plans of flows: transport and application in base units, and access links."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypedDict

from ackclock.messages import shown
from ackclock.scenario.app import Session, Stream, Transfer
from ackclock.scenario.app.place import Place
from ackclock.scenario.distributions import time_distribution, time_drawer
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.plan.bounds import check_segments
from ackclock.scenario.plan.entries import DrawnFlow, Entry, access_key
from ackclock.scenario.profiles import HONEST
from ackclock.scenario.qdisc.queue import Crossing, Queue, fifo_plan
from ackclock.scenario.quantities import (
    LARGEST,
    PS_PER_S,
    amount,
    lasting,
    rate_bps,
    size_bytes,
    time_ps,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ackclock.core_types.plan import (
        Distribution,
        FlowPlan,
        ImpairmentPlan,
        LimitPlan,
        LinkPlan,
        SessionPlan,
        StreamPlan,
        SubflowPlan,
        TransportPlan,
    )
    from ackclock.scenario.base import ScenarioTables

__all__ = ["Traffic", "traffic_plans"]

# RFC 7323 section 2.3: the largest window that can be advertised.
_LARGEST_WINDOW = 1 << 30
# The largest TCP payload of an IP packet is near it.
_LARGEST_MSS = 65_535

_ACCESS_NAMES = ("access-up", "access-down", "access-down.reverse", "access-up.reverse")
# Access links on which a host sends, with its jitter.
_HOSTS = ("access-up", "access-down.reverse")


def _host_jitter(entry: Entry, folder: Path | None) -> list[ImpairmentPlan]:
    text = entry.access.jitter
    if text is None:
        return []
    return [
        {
            "kind": "jitter",
            "delay": time_distribution(text, folder),
            "correlation": 0.0,
            "reorder": False,
        }
    ]


def _access_limit(entry: Entry, flow: DrawnFlow) -> LimitPlan:
    text = entry.access.limit
    if text is None or text == "unlimited" or flow.access_rate_bps is None:
        return {}
    header = size_bytes(entry.options["header"])
    crossing = Crossing(1, flow.base_rtt_ps, 0, size_bytes(entry.options["mss"]) + header)
    key = access_key(entry, "limit").removesuffix(".limit")
    return Queue(key, flow.access_rate_bps, 0, text, crossing).limit()


# Segments and bytes of the rule min(n MSS, max(2 MSS, b)): RFC 3390 section 1, RFC 6928 section 2.
_INITIAL_WINDOWS = {"rfc3390": (4, 4380), "rfc6928": (10, 14600)}


def _window_bytes(text: str, mss: int, bdp_payload: Fraction | None, key: str) -> int | None:
    if text == "unlimited":
        return None
    if text in _INITIAL_WINDOWS:
        segments, limit = _INITIAL_WINDOWS[text]
        return min(segments * mss, max(2 * mss, limit))
    given = amount(text)
    if given.unit == "bytes":
        result = int(given.number)
    elif given.unit == "packets":
        result = int(given.number * mss)
    elif bdp_payload is None:
        raise ScenarioError(
            f"{shown(text)}: no link of the path has a rate, so there is no bdp",
            key=key,
            value=text,
        )
    else:
        result = int(given.number * bdp_payload)
    if not 1 <= result <= LARGEST:
        wrong = "less than one byte" if result < 1 else "more bytes than the engine counts"
        raise ScenarioError(f"{shown(text)} is {wrong} here", key=key, value=text)
    return result


def _host_time(text: str, folder: Path | None) -> Distribution | None:
    distribution = time_distribution(text, folder)
    return None if distribution == {"kind": "fixed", "value": 0.0} else distribution


def _transport(entry: Entry, flow: DrawnFlow, folder: Path | None) -> TransportPlan:
    options = entry.options
    mss, header = size_bytes(options["mss"]), size_bytes(options["header"])
    rates = [rate for rate in (entry.slowest_bps, flow.access_rate_bps) if rate is not None]
    # A window counts payload: the share of headers in a bdp of wire bytes is left out.
    bdp = (
        Fraction(min(rates) * flow.base_rtt_ps * mss, 8 * PS_PER_S * (mss + header))
        if rates
        else None
    )
    key = f"{entry.key}.transport"
    read_rate = options["read_rate"]
    if mss > _LARGEST_MSS:
        raise ScenarioError(
            f"{shown(options['mss'])} is too large: at most {_LARGEST_MSS} bytes",
            key=f"{key}.mss",
            value=options["mss"],
        )
    buffer = size_bytes(options["receive_buffer"])
    if not mss <= buffer <= _LARGEST_WINDOW:
        small = f"less than one segment of {mss} bytes"
        wrong = small if buffer < mss else "more than TCP can advertise: at most 1GiB"
        raise ScenarioError(
            f"{shown(options['receive_buffer'])} is {wrong}",
            key=f"{key}.receive_buffer",
            value=options["receive_buffer"],
        )
    check_segments(buffer, mss, key, options["receive_buffer"])
    clock = options["timestamp_clock"]
    # Ticks further apart than half of 32 bits have no order (RFC 7323 section 5.4).
    order = time_ps(clock) << 31
    if options["timestamps"] and flow.base_rtt_ps >= order:
        raise ScenarioError(
            f"timestamps of {shown(clock)} wrap within {lasting(order)}, and the base RTT is "
            f"{lasting(flow.base_rtt_ps)}: write a coarser "
            "clock, or timestamps = false",
            key=f"{key}.timestamp_clock",
            value=clock,
        )
    initial_window = _window_bytes(options["initial_window"], mss, bdp, f"{key}.initial_window")
    # The option has no "unlimited".
    assert initial_window is not None
    plan: TransportPlan = {
        "mss": mss,
        "header_bytes": header,
        "initial_window_bytes": initial_window,
        "initial_ssthresh_bytes": _window_bytes(options["ssthresh"], mss, bdp, f"{key}.ssthresh"),
        "max_cwnd_bytes": _window_bytes(options["max_cwnd"], mss, bdp, f"{key}.max_cwnd"),
        "receive_buffer_bytes": buffer,
        "initial_receive_window_bytes": size_bytes(options["initial_receive_window"]),
        "read_rate_bps": None if read_rate == "unlimited" else rate_bps(read_rate),
        "ack_counting": options["ack_counting"],
        "window_counting": options["window_counting"],
        "delayed_ack_count": options["delayed_ack"],
        "delayed_ack_timeout_ps": time_ps(options["delayed_ack_timeout"]),
        "delayed_ack_adapts": options["delayed_ack_adapts"],
        "quick_acks": options["quick_acks"],
        "ack_pushed": options["ack_pushed"],
        "sack_delay_ps": time_ps(options["sack_delay"]),
        "timestamps": options["timestamps"],
        "timestamp_clock_ps": time_ps(options["timestamp_clock"]),
        "loss_detection": options["loss_detection"],
        "dupack_recovery": options.get("dupack_recovery", "newreno"),
        "window_approach": options["window_approach"],
        "limited_transmit": options["limited_transmit"],
        "tail_loss_probe": options["tail_loss_probe"],
        "frto": options["frto"],
        "undo": options["undo"],
        "dsack": options["dsack"],
        "min_rto_ps": time_ps(options["min_rto"]),
        "min_rto_bounds_variance": options["min_rto_bounds_variance"],
        "max_rto_ps": time_ps(options["max_rto"]),
        "initial_rto_ps": time_ps(options["initial_rto"]),
        "syn_linear_timeouts": options["syn_linear_timeouts"],
        "rtt_timing": options["rtt_timing"],
        "rtt_clock_ps": time_ps(options["rtt_clock"]),
        "loss_rules": options["loss_rules"],
        "idle_restart": options["idle_restart"],
        "ecn": options["ecn"],
        "pacing": options["pacing"],
        "tso_defer": options["tso_defer"],
        "host_time": _host_time(options["host_time"], folder),
        # Each flow draws its own.
        "clock_phase_ps": 0,
    }
    if options["ack_division"] != HONEST["ack_division"]:
        plan["ack_division"] = options["ack_division"]
    if options["hide_marks"]:
        plan["hide_marks"] = True
    if options["optimistic_ack"] != HONEST["optimistic_ack"]:
        plan["optimistic_ack_bytes"] = _lead_bytes(entry, mss, bdp)
    return plan


def _lead_bytes(entry: Entry, mss: int, bdp: Fraction | None) -> int | None:
    app, text = entry.spec.app, entry.options["optimistic_ack"]
    key = f"{entry.key}.transport.optimistic_ack"
    if isinstance(app, Session) and app.request_connections():
        raise ScenarioError(
            f"{shown(text)} conceals losses, and {app.name} waits until all data of a response has "
            "arrived: choose another application, such as 'bulk' or 'short-flows'",
            key=key,
            value=text,
        )
    lead = _window_bytes(text, mss, bdp, key)
    if lead is not None and lead > _LARGEST_WINDOW:
        raise ScenarioError(
            f"{shown(text)} is more than TCP can have in flight: at most 1GiB", key=key, value=text
        )
    return lead


def _attach(
    entry: Entry, flow: DrawnFlow, links: list[LinkPlan], folder: Path | None
) -> tuple[list[int], list[int]]:
    """The flow's links there and back, with access links, which are appended to `links`.

    A stream has no links back.
    """
    path, back = list(entry.path), list(entry.reverse_path)
    if not flow.has_access:
        return path, back
    first = len(links)
    limit = _access_limit(entry, flow)
    names = _ACCESS_NAMES[:2] if entry.spec.is_stream else _ACCESS_NAMES
    jitter = _host_jitter(entry, folder)
    for name in names:
        link: LinkPlan = {
            "name": f"{flow.name}.{name}",
            "rate_bps": flow.access_rate_bps,
            "delay_ps": flow.access_delay_ps,
            "qdisc": fifo_plan(limit),
            "loss": None,
        }
        if jitter and name in _HOSTS:
            link["impairments"] = jitter
        links.append(link)
    there = [first, *path, first + 1]
    return there, [] if entry.spec.is_stream else [first + 2, *back, first + 3]


def _places(scenario: ScenarioTables, entry: Entry) -> Iterator[Place]:
    """The place of each flow of the entry."""
    key, seed, folder = f"{entry.key}.app", scenario.seed, scenario.folder
    stop_ps = min(time_ps(entry.spec.stop or scenario.duration), time_ps(scenario.duration))
    mss, header = size_bytes(entry.options["mss"]), size_bytes(entry.options["header"])
    for number, flow in enumerate(entry.flows, start=1):
        yield Place(
            key,
            f"flow/{entry.name}.{number}",
            seed,
            folder,
            flow.start_ps,
            stop_ps,
            entry.slowest_bps,
            mss,
            header,
        )


def _stop_ps(entry: Entry, flow: DrawnFlow) -> int | None:
    if entry.spec.stop is None:
        return None
    stop = time_ps(entry.spec.stop)
    if stop <= flow.start_ps:
        raise ScenarioError(
            f"{shown(entry.spec.stop)} is not after the start of {flow.name}, "
            f"{flow.start_ps / PS_PER_S:g} s",
            key=f"{entry.key}.stop",
            value=entry.spec.stop,
        )
    return stop


class _Common(TypedDict):
    """Keys that all connections of a flow share."""

    cc: str
    start_ps: int
    path: list[int]
    reverse_path: list[int]
    priority: int
    transport: TransportPlan


@dataclass
class Traffic:
    """All flows, streams and sessions in the engine's form."""

    flows: list[FlowPlan] = field(default_factory=list)
    streams: list[StreamPlan] = field(default_factory=list)
    sessions: list[SessionPlan] = field(default_factory=list)


def traffic_plans(scenario: ScenarioTables, entries: list[Entry], links: list[LinkPlan]) -> Traffic:
    """The flows, streams and sessions; their access links are appended to `links`."""
    traffic = Traffic()
    folder = scenario.folder
    for entry in entries:
        spec, app = entry.spec, entry.spec.app
        # Once per entry: isinstance is slow with pydantic's classes.
        stream = app if isinstance(app, Stream) else None
        session = app if isinstance(app, Session) else None
        transfer = app if isinstance(app, Transfer) else None
        draw_phase = time_drawer(
            entry.options["clock_phase"],
            scenario.seed,
            f"{entry.key}.transport.clock_phase",
            folder,
        )
        part_size = None if spec.parallel == 1 else size_bytes(spec.chunk)
        transports: dict[tuple[int, int | None], TransportPlan] = {}
        for flow, place in zip(entry.flows, _places(scenario, entry), strict=True):
            stop = _stop_ps(entry, flow)
            if stream is not None:
                path, _ = _attach(entry, flow, links, folder)
                traffic.streams.append(
                    {
                        "name": flow.name,
                        "start_ps": flow.start_ps,
                        "stop_ps": stop,
                        "path": path,
                        "header_bytes": stream.header_bytes(),
                        "priority": spec.priority,
                        "playout_ps": stream.playout_ps(),
                        "app": stream.plan(place),
                    }
                )
                continue
            assert spec.cc is not None
            shape = (flow.base_rtt_ps, flow.access_rate_bps)
            if shape not in transports:
                transports[shape] = _transport(entry, flow, folder)
            transport = transports[shape].copy()
            transport["clock_phase_ps"] = draw_phase(f"{place.stream}/clock-phase")
            path, back = _attach(entry, flow, links, folder)
            common: _Common = {
                "cc": spec.cc,
                "start_ps": flow.start_ps,
                "path": path,
                "reverse_path": back,
                "priority": spec.priority,
                "transport": transport,
            }
            if session is not None:
                _add_session(traffic, session, place, flow, common, stop)
                continue
            assert transfer is not None
            subflow: SubflowPlan | None = (
                None if part_size is None else {"name": flow.name, "chunk_bytes": part_size}
            )
            plan = transfer.plan(place)
            traffic.flows += [
                {**common, "name": connection, "stop_ps": stop, "app": plan, "part_of": subflow}
                for connection in flow.connections
            ]
    return traffic


def _add_session(
    traffic: Traffic, app: Session, place: Place, flow: DrawnFlow, common: _Common, stop: int | None
) -> None:
    first, data = len(traffic.flows), app.connections()
    for index, connection in enumerate(flow.connections):
        is_request = index >= data
        there: _Common = {**common}
        if is_request:
            there["path"], there["reverse_path"] = common["reverse_path"], common["path"]
        part_of: SubflowPlan | None = (
            None
            if len(flow.connections) == 1
            else {"name": flow.name, "chunk_bytes": 1, "is_request": is_request}
        )
        traffic.flows.append(
            {
                **there,
                "name": connection,
                "stop_ps": None,
                "app": {"kind": "session"},
                "part_of": part_of,
            }
        )
    traffic.sessions.append(
        {
            "name": flow.name,
            "stream": place.stream,
            "start_ps": flow.start_ps,
            "stop_ps": stop,
            "flows": list(range(first, len(traffic.flows))),
            "app": app.plan(place),
        }
    )
