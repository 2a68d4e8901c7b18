"""Caveats about the experiment itself: too short, never started, cut off.

The diagnosis says what limited flows.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ackclock.algorithms import needs_ssthresh
from ackclock.formulas.parts import whole
from ackclock.results.stray_drops import stray_drops
from ackclock.tables.quantities import quantity
from ackclock.wording import names

if TYPE_CHECKING:
    from ackclock.border.plan import Plan
    from ackclock.results.recording import Ended

UNFINISHED_SHARE = 0.05
"""If the run's end cuts off a larger share of an application's transfers, times are biased."""

FEW_ROUND_TRIPS = 20
"""Fewest round trips after which a long-lived flow's figures are not dominated by its start."""

Row = Mapping[str, Any]


@dataclass(frozen=True)
class _Flow:
    """A flow as measured, beside how it was planned."""

    row: Row
    plan: Row

    @property
    def name(self) -> str:
        return str(self.row["name"])


def warnings(
    flows: Sequence[Row],
    links: Sequence[Row],
    plan: "Plan",
    end_time: float,
    transfers: Sequence["Ended"] = (),
    sessions: Sequence[Row] = (),
    recorded_until: Mapping[str, float] | None = None,
) -> list[str]:
    """Return the faults of a run as an experiment.

    Parameters
    ----------
    flows, links : sequence of mapping
        Rows as in flows.parquet and links.parquet.
    plan : mapping
        As in plan.json.
    end_time : float
        When the run ended, s.
    transfers : sequence of Ended, optional
        Numbers of transfers per flow and kind.
    sessions : sequence of mapping
        As the core counted them.
    recorded_until : mapping, optional
        Tables of the record that were full, and since when rows are missing, s.

    Returns
    -------
    list of str
        One sentence each: which flow, what, how much of its time, what to change.
    """
    # Connections of one flow share a path and an application, so one stands for all.
    planned = {(flow["part_of"] or flow)["name"]: flow for flow in reversed(plan["flows"])}
    pairs = [_Flow(row, planned[row["name"]]) for row in whole(flows) if row["name"] in planned]
    return [
        *_full_tables(recorded_until or {}),
        *_run_length(plan, end_time),
        *_never_started(pairs, end_time),
        *_unfinished(pairs, end_time),
        *_cut_off(transfers, end_time),
        *_overloaded(plan),
        *_waited(sessions),
        *_undefined_slow_start(pairs),
        *_idle_connections(flows, plan),
        *_wrapped_timestamps(pairs, links, plan),
        *stray_drops(flows, links, plan),
        *_shorter_than_nominal(plan),
        *_short(pairs),
    ]


_TABLES = {
    "flow_samples": ("samples of flows", "write a longer record.samples, or fewer in record.flows"),
    "link_samples": ("samples of links", "write a longer record.samples, or fewer in record.links"),
    "internals": (
        "internals of congestion controls",
        "write a longer record.samples, or fewer in record.flows",
    ),
    "packets": (
        "packets",
        "record fewer of record.packets, record.pcap and record.flows, or a shorter run",
    ),
    "decisions": ("decisions", "name fewer flows in record.decisions, or make the run shorter"),
    "transfers": ("transfers", "make the run shorter, or lower the load"),
    "datagrams": ("datagrams", 'make the run shorter, or write record.samples = "off"'),
    "frames": ("frames", "make the run shorter"),
}


def _full_tables(recorded_until: Mapping[str, float]) -> Iterator[str]:
    for table, until in recorded_until.items():
        if table == "frame_counters":
            yield (
                f"A receiver had room for no further frame of its film at {quantity(until, 's')}: "
                "counters of frames end there. Make the run shorter, or raise record.max_size."
            )
            continue
        what, change = _TABLES[table]
        yield (
            f"The record of {what} was full at {quantity(until, 's')} and ends there; figures "
            "made from it cover the time before, counters the whole run. Raise record.max_size, "
            f"{change}."
        )


def _run_length(plan: "Plan", end_time: float) -> Iterator[str]:
    warmup = plan.get("warmup_ps", 0) / 1e12
    if warmup >= end_time:
        yield (
            f"The run ended at {quantity(end_time, 's')}, before its warm-up of "
            f"{quantity(warmup, 's')} was over, so nothing was measured: lower warmup, or raise "
            "duration or what the flows send."
        )
    elif end_time - warmup < warmup / 2:
        yield (
            f"Only {quantity(end_time - warmup, 's')} were measured after a warm-up of "
            f"{quantity(warmup, 's')}: lower warmup, or raise duration or what the flows send."
        )


def _never_started(flows: Sequence[_Flow], end_time: float) -> Iterator[str]:
    late = [flow for flow in flows if flow.plan["start_ps"] / 1e12 >= end_time]
    yield from _each(
        late,
        lambda who, group: (
            f"{who} never started: {_its(group)} start, "
            f"{quantity(group[0].plan['start_ps'] / 1e12, 's')}, is not before the end of the run, "
            f"{quantity(end_time, 's')}; raise duration or start earlier."
        ),
    )
    silent = [
        flow
        for flow in flows
        if flow not in late and flow.row["sent_packets"] == 0 and flow.row["active_time"] > 0.0
    ]
    yield from _each(
        silent,
        lambda who, group: (
            f"{who} sent no data in {quantity(group[0].row['active_time'], 's')}: the handshake "
            "did not complete, the application had nothing to send, or every retransmission timer "
            "was still running; raise duration or look at losses on the path."
        ),
    )


def _unfinished(flows: Sequence[_Flow], end_time: float) -> Iterator[str]:
    unfinished = [
        flow
        for flow in flows
        if flow.plan["app"]["kind"] == "file"
        and flow.row["finish_time"] is None
        and flow.plan["start_ps"] / 1e12 < end_time
    ]

    def sentence(who: str, group: Sequence[_Flow]) -> str:
        least = min(
            group, key=lambda flow: flow.row["goodput_bytes"] / flow.plan["app"]["size_bytes"]
        )
        done = (
            f"{quantity(least.row['goodput_bytes'], 'bytes')} of "
            f"{quantity(least.plan['app']['size_bytes'], 'bytes')} delivered"
        )
        of_whom = (
            f" ({least.name} had least, {done} since the warm-up)"
            if len(group) > 1
            else f" ({done} since the warm-up)"
        )
        return (
            f"{who} had not finished when the run ended at {quantity(end_time, 's')}{of_whom}, so "
            f"completion times leave {'them' if len(group) > 1 else 'it'} out: raise duration."
        )

    yield from _each(unfinished, sentence)


def _cut_off(transfers: Sequence["Ended"], end_time: float) -> Iterator[str]:
    """One of each flow and kind is always under way when the run ends."""
    for flow, kind, count, cut in transfers:
        if kind != "stall" and cut > 1 and cut > UNFINISHED_SHARE * count:
            yield (
                f"{cut} of the {count} {kind}s of {flow} had not finished when the run ended at "
                f"{quantity(end_time, 's')}, so completion times leave them out: raise duration, "
                "stop the flow before the end, or lower its load."
            )


def _offered_bps(session: Row, transport: Row) -> float | None:
    """Return the offered bit/s with headers; `None` for a flow that waits for its transfers."""
    from ackclock import _core

    app = session["app"]

    def mean(name: str) -> float:
        return _core.mean(json.dumps(app[name]))

    if app["kind"] == "short-flows":
        size, interval = mean("size"), mean("interval")
    elif app["kind"] == "web" and app["arrivals"] is not None:
        size, interval = (
            mean("pages") * (mean("main") + mean("objects") * mean("embedded")),
            mean("arrivals"),
        )
    else:
        return None
    return float(8.0 * size * (1.0 + transport["header_bytes"] / transport["mss"]) / interval)


def _overloaded(plan: "Plan") -> Iterator[str]:
    offered: dict[int, float] = {}
    for session in plan["sessions"]:
        flow = plan["flows"][session["flows"][0]]
        rate = _offered_bps(session, flow["transport"])
        if rate is None:
            continue
        for link in flow["path"]:
            offered[link] = offered.get(link, 0.0) + rate
    loads = {
        link: bps / rate
        for link, bps in offered.items()
        if (rate := plan["links"][link]["rate_bps"])
    }
    worst = max(loads, key=lambda link: loads[link], default=None)
    if worst is not None and loads[worst] >= 1.0:
        yield (
            f"The traffic offers {quantity(loads[worst], '%')} of the rate of "
            f"{plan['links'][worst]['name']}, so ever more transfers are under way at once and "
            "times grow with the length of the run: lower the load."
        )


def _waited(sessions: Sequence[Row]) -> Iterator[str]:
    for session in sessions:
        if session["waited"] > 0:
            times = "once" if session["waited"] == 1 else f"{session['waited']} times"
            yield (
                f"Flow {session['name']} found no connection free {times}, so that some transfers "
                "waited for one: raise its app's connections, or lower its load."
            )


def _undefined_slow_start(flows: Sequence[_Flow]) -> Iterator[str]:
    unlimited = [
        flow
        for flow in flows
        if needs_ssthresh(flow.plan["cc"])
        and flow.plan["transport"].get("initial_ssthresh_bytes") is None
    ]
    yield from _each(
        unlimited,
        lambda who, group: (
            f"{who} began COS slow start without an initial ssthresh, where its formula is "
            f"undefined, so {_its(group)} start is "
            'not the paper\'s: set ssthresh, for instance "1bdp".'
        ),
    )


def _idle_connections(rows: Sequence[Row], plan: "Plan") -> Iterator[str]:
    """After a warm-up, data sent before it is unknown."""
    if plan.get("warmup_ps", 0):
        return
    connections: dict[str, list[Row]] = {}
    sessions = {session["name"] for session in plan["sessions"]}
    for row in rows:
        if row["part_of"] is not None and row["part_of"] not in sessions:
            connections.setdefault(row["part_of"], []).append(row)
    used = {
        name: sum(part["sent_payload_bytes"] > 0 for part in parts)
        for name, parts in connections.items()
    }
    idle = [
        name
        for name, parts in connections.items()
        if all(part["finish_time"] is not None for part in parts) and used[name] < len(parts)
    ]
    if idle:
        few = min(idle, key=lambda name: used[name])
        of_whom = f" ({few})" if len(idle) > 1 else ""
        yield (
            f"{'Flow' if len(idle) == 1 else f'{len(idle)} flows:'} {names(idle)} sent over "
            f"{used[few]} of {len(connections[few])} connections{of_whom}: nothing was left for "
            "the others to take; lower chunk or parallel, or send more."
        )


def _wrapped_timestamps(
    flows: Sequence[_Flow], links: Sequence[Row], plan: "Plan"
) -> Iterator[str]:
    """Warn of round trips longer than a turn of the timestamp clock (RFC 7323 section 3)."""
    waited = {row["name"]: row["queue_delay_max"] or 0.0 for row in links}

    def turn(flow: _Flow) -> float:
        return float(flow.plan["transport"]["timestamp_clock_ps"] / 1e12 * 2**32)

    paths: dict[object, float] = {}

    def longest(flow: _Flow) -> float:
        transport = flow.plan["transport"]
        shape = (
            tuple(flow.plan["path"]),
            tuple(flow.plan["reverse_path"]),
            transport["header_bytes"],
            transport["mss"],
        )
        if shape not in paths:
            paths[shape] = slowest(flow)
        return float(flow.row["base_rtt"] + paths[shape])

    def slowest(flow: _Flow) -> float:
        """Return the longest time that packets take for sending and waiting."""
        header = flow.plan["transport"]["header_bytes"]
        packet = flow.plan["transport"]["mss"] + header
        directions = ((flow.plan["path"], packet), (flow.plan["reverse_path"], header))
        path = [(plan["links"][link], size) for numbers, size in directions for link in numbers]
        sending = math.fsum(
            8.0 * size / link["rate_bps"] for link, size in path if link.get("rate_bps")
        )
        return sending + math.fsum(waited.get(link["name"], 0.0) for link, _ in path)

    wrapped = [
        flow
        for flow in flows
        if flow.plan.get("transport", {}).get("timestamps") and longest(flow) >= turn(flow)
    ]
    yield from _each(
        wrapped,
        lambda who, group: (
            f"{who} measured RTTs with timestamps that wrap within "
            f"{quantity(turn(group[0]), 's')}, and packets took up to "
            f"{quantity(longest(group[0]), 's')} for a round trip: RTTs and {_its(group)} "
            "congestion control are wrong. Lower limit of the queue, raise its rate, or write a "
            "coarser transport.timestamp_clock."
        ),
    )


def _shorter_than_nominal(plan: "Plan") -> Iterator[str]:
    """Warn of links whose packets can take less than the delay behind base RTTs and bdps."""
    for link in plan["links"]:
        for impairment in link.get("impairments", ()):
            name, nominal = link["name"], quantity(link["delay_ps"] / 1e12, "s")
            if impairment["kind"] == "delay-schedule":
                shortest = min(delay for _, delay in impairment["delays"])
                if shortest < link["delay_ps"]:
                    yield (
                        f"The delay_schedule of {name} goes down to "
                        f"{quantity(shortest / 1e12, 's')}, below its delay of {nominal}, which "
                        "base RTTs and bdps are made from: let delay be the shortest."
                    )
            if (
                impairment["kind"] == "reorder"
                and impairment["extra"] is None
                and impairment["p"] > 0
            ):
                yield (
                    f"Packets that {name} reorders skip its delay of {nominal}, as netem's do, so "
                    "that RTTs fall below base_rtt: with reorder.extra they are late instead."
                )


def _short(flows: Sequence[_Flow]) -> Iterator[str]:
    short = [
        flow
        for flow in flows
        if flow.plan["app"]["kind"] == "bulk"
        and flow.row["sent_packets"] > 0
        and 0.0 < flow.row["active_time"] < FEW_ROUND_TRIPS * flow.row["base_rtt"]
    ]

    def sentence(who: str, group: Sequence[_Flow]) -> str:
        shortest = min(group, key=lambda flow: flow.row["active_time"] / flow.row["base_rtt"])
        count = quantity(shortest.row["active_time"] / shortest.row["base_rtt"], "1")
        of_whom = f" ({shortest.name})" if len(group) > 1 else ""
        return (
            f"{who} {'were' if len(group) > 1 else 'was'} measured for only {count} round "
            f"trips{of_whom}: raise duration."
        )

    yield from _each(short, sentence)


def _each(flows: Sequence[_Flow], sentence: Callable[[str, Sequence[_Flow]], str]) -> Iterator[str]:
    if flows:
        yield sentence(_subject(flows), flows)


def _subject(flows: Iterable[_Flow]) -> str:
    unique = list(dict.fromkeys(flow.name for flow in flows))
    return f"{'Flow' if len(unique) == 1 else f'{len(unique)} flows:'} {names(unique)}"


def _its(group: Sequence[_Flow]) -> str:
    return "their" if len(group) > 1 else "its"
