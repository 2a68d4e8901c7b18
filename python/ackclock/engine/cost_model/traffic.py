"""Number of packets that a plan can carry at most: capacity × time, and what applications offer.

Each sender has a demand: its slowest link for as long as it is active, no more than its windows
and its application allow. Senders whose most crowded link is the same share what it carries. Left
out is all that makes a sender send less: slow start, losses, an algorithm that stays below the
link's rate.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock import _core
from ackclock.scenario.distributions import mean_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ackclock.core_types.plan import FlowPlan, LinkPlan, Plan, SessionAppPlan, StreamPlan

__all__ = ["Traffic", "traffic_of"]

_PS = 1e12
# Nothing is faster, bit/s: a connection that nothing limits would have no rate otherwise.
_FASTEST_BPS = 1e13
_QUEUE_WITHOUT_LIMIT = 1000.0
"""Packets that may come to stand in a queue without a limit."""
_FRAME = re.compile(r"(\d+)[A-Za-z](\d+)")


@dataclass
class Traffic:
    """Traffic that a plan can carry at most. Counts are of the whole run, warm-up included."""

    arrivals: dict[int, float]
    """Packets that arrive at each link, of either kind."""
    seconds: float
    """Simulated time until the end, or until everything can have been sent, s."""
    data: float = 0.0
    """Data packets that TCP senders send."""
    paced: float = 0.0
    """Data packets of senders that pace: each can be an event of its own."""
    acks: float = 0.0
    """ACKs that TCP receivers send."""
    python_acks: float = 0.0
    """ACKs that algorithms written in Python handle."""
    datagrams: float = 0.0
    """Datagrams that UDP streams send."""
    transfers: float = 0.0
    """Transfers of the applications that make more than one."""
    writes: float = 0.0
    """Writes of applications that write at a rate, whether or not the path carries them."""
    waiting: float = 0.0
    """Users of web pages who have come and wait for their page when the run ends."""
    frames: float = 0.0
    """Video frames of UDP streams."""
    standing: float = 0.0
    """Packets queued and in flight when all links are full."""

    @property
    def packets(self) -> float:
        """Packets sent, of every kind."""
        return self.data + self.acks + self.datagrams


class _Demand(NamedTuple):
    """Wish of a sender, as far as its own windows, application and links allow it."""

    path: Sequence[int]
    back: Sequence[int]
    bits: float
    """Bits of the wire in the whole run."""
    packet_bits: float
    begin: float
    """s."""
    rate: float
    """Bit/s while it is active."""
    ends: bool = False
    """Whether everything has been sent at some time."""
    flow: FlowPlan | None = None
    """None for a UDP stream."""
    transfers: float = 0.0
    writes: float = 0.0
    visits: float = 0.0
    """Users of web pages who come by themselves."""
    frames: float = 0.0


def traffic_of(plan: Plan) -> Traffic:
    """Bound the packets of a plan, from `Scenario.plan`."""
    duration = plan["duration_ps"] / _PS
    rates = [_link_rate(link, plan["duration_ps"]) for link in plan["links"]]
    streams = list(_streams(plan, duration))
    demands = [*_flows(plan, rates, duration), *_sessions(plan, rates, duration)]
    room = [rate * duration for rate in rates]
    for stream in streams:
        for link in stream.path:
            room[link] = max(stream.packet_bits, room[link] - stream.bits)
    shares = _shares(demands, room)
    traffic = Traffic(defaultdict(float), _end(demands, streams, rates, duration))
    for demand in streams:
        _count(traffic, demand, 1.0)
    for demand, share in zip(demands, shares, strict=True):
        _count(traffic, demand, share)
    traffic.standing = _standing(plan, rates, [*streams, *demands])
    return traffic


def _shares(demands: Sequence[_Demand], room: Sequence[float]) -> list[float]:
    """Share of its demand that each sender gets: its most crowded link carries no more."""
    wanted: dict[int, float] = defaultdict(float)
    for demand in demands:
        for link in demand.path:
            wanted[link] += demand.bits
    crowds = {link: bits / room[link] for link, bits in wanted.items()}
    # Without a link nothing is shared.
    tight = [max(demand.path, key=crowds.__getitem__, default=-1) for demand in demands]
    bits: dict[int, float] = defaultdict(float)
    for demand, link in zip(demands, tight, strict=True):
        bits[link] += demand.bits
    return [1.0 if link < 0 else min(1.0, room[link] / max(bits[link], 1.0)) for link in tight]


def _end(
    demands: Sequence[_Demand], streams: Sequence[_Demand], rates: Sequence[float], duration: float
) -> float:
    """Time by which full links have carried everything, s."""
    if streams or not all(demand.ends for demand in demands):
        return duration
    work: dict[int, float] = defaultdict(float)
    latest = slowest = 0.0
    for demand in demands:
        latest = max(latest, demand.begin)
        slowest = max(slowest, demand.bits / demand.rate)
        for link in demand.path:
            work[link] += demand.bits / rates[link]
    return min(duration, latest + slowest + max(work.values(), default=0.0))


def _count(traffic: Traffic, demand: _Demand, share: float) -> None:
    transfers = demand.transfers * share
    packets = demand.bits * share / demand.packet_bits
    back = 0.0
    if demand.flow is None:
        traffic.datagrams += packets
    else:
        # A transfer ends in a part of a packet, and its end is acknowledged at once.
        packets += 0.5 * max(1.0, transfers)
        back = packets / max(1, demand.flow["transport"]["delayed_ack_count"])
        back += max(1.0, transfers)
        traffic.data += packets
        traffic.acks += back
        traffic.paced += packets * _is_paced(demand.flow)
        traffic.python_acks += back * ("python:" in demand.flow["cc"])
    traffic.transfers += demand.transfers
    traffic.writes += demand.writes
    traffic.waiting += demand.visits * (1.0 - share)
    traffic.frames += demand.frames
    for link in demand.path:
        traffic.arrivals[link] += packets
    for link in demand.back:
        traffic.arrivals[link] += back


def _is_paced(flow: FlowPlan) -> bool:
    """Whether the sender paces: told to, or because its algorithm sets a rate."""
    pacing = flow["transport"]["pacing"]
    return pacing == "cwnd" or (pacing == "cc" and _sets_rate(flow["cc"]))


@lru_cache(maxsize=256)
def _sets_rate(cc: str) -> bool:
    # Code of the user may do either.
    return "python:" in cc or "pacing" in _core.implied_by_cc(cc)


def _link_rate(link: LinkPlan, duration_ps: int) -> float:
    """Bit/s that a link lets through on average."""
    given = link.get("rate_bps")
    rate = _FASTEST_BPS if given is None else float(given)
    service = link.get("service")
    if service is not None and service["kind"] == "schedule":
        rates = service["rates"]
        until = min(service.get("period_ps") or max(duration_ps, rates[-1][0] + 1), duration_ps)
        times = [*(min(time, until) for time, _ in rates), until]
        total = sum(rates[k][1] * (times[k + 1] - times[k]) for k in range(len(rates)))
        rate = total / max(1, until)
    outages = None if service is None else service.get("outages")
    if outages is not None:
        of = outages.get("period_ps") or duration_ps
        down = sum(max(0, min(end, of) - min(begin, of)) for begin, end in outages["windows"])
        rate *= 1.0 - min(0.99, down / max(1, of))
    if (policer := link.get("policer")) is not None:
        rate = min(rate, float(policer["rate_bps"]))
    shaper: Mapping[str, Any] = link["qdisc"]
    while "qdisc" in shaper:
        rate = min(rate, float(shaper["rate_bps"]))
        shaper = shaper["qdisc"]
    return max(rate, 1.0)


def _path_of(plan: Plan, flow: FlowPlan, rates: Sequence[float]) -> tuple[float, float, float]:
    """Highest rate of a connection, bit/s; its base RTT, s; bits of the wire in a full packet."""
    transport = flow["transport"]
    bits = 8.0 * (transport["mss"] + transport["header_bytes"])
    wire = bits / (8.0 * transport["mss"])
    most = min((rates[link] for link in flow["path"]), default=_FASTEST_BPS)
    links = plan["links"]
    delay = sum(links[at]["delay_ps"] for at in (*flow["path"], *flow["reverse_path"]))
    rtt = max(1e-6, delay / _PS + bits / most)
    window = transport["receive_buffer_bytes"]
    if (clamp := transport.get("max_cwnd_bytes")) is not None:
        window = min(window, max(clamp, transport["mss"]))
    most = min(most, window * 8.0 * wire / rtt)
    if (read_rate := transport.get("read_rate_bps")) is not None:
        most = min(most, read_rate * wire)
    return most, rtt, bits


def _span(sender: Mapping[str, Any], duration: float) -> tuple[float, float]:
    """Begin of a sender, and the time for which it is active, s."""
    begin, stop = sender["start_ps"] / _PS, sender.get("stop_ps")
    return begin, max(0.0, min(duration, duration if stop is None else stop / _PS) - begin)


def _flows(plan: Plan, rates: Sequence[float], duration: float) -> Iterator[_Demand]:
    """Yield the demand of each connection that no session runs."""
    in_sessions = {at for session in plan["sessions"] for at in session["flows"]}
    parts: dict[str, int] = defaultdict(int)
    for flow in plan["flows"]:
        if (part := flow.get("part_of")) is not None:
            parts[part["name"]] += 1
    for at, flow in enumerate(plan["flows"]):
        if at in in_sessions:
            continue
        app = flow["app"]
        rate, _, bits = _path_of(plan, flow, rates)
        payload = 8.0 * flow["transport"]["mss"]
        wire = bits / payload
        begin, active = _span(flow, duration)
        part = flow.get("part_of")
        shares = 1 if part is None else parts[part["name"]]
        size = math.inf
        writes = 0.0
        if app["kind"] == "file":
            size = app["size_bytes"] * 8.0 * wire / shares
        elif app["kind"] == "writes":
            size = sum(number for _, number in app["writes"]) * 8.0 * wire / shares
        elif app["kind"] == "application-limited":
            rate = min(rate, app["rate_bps"] * wire)
            writes = active * _PS / max(1, app["every_ps"])
            written = app["rate_bps"] * app["every_ps"] / _PS
            if 0.0 < written < payload:
                bits = written + (bits - payload)
        elif app["kind"] == "on-off":
            on, off = mean_of(app["on"]), mean_of(app["off"])
            share = on / max(on + off, 1e-12)
            # The engine's clock counts picoseconds.
            writes = 2.0 * active * min(_PS, 1.0 / max(on + off, 1e-12))
            if app["rate_bps"] is not None:
                rate = min(rate, app["rate_bps"] * wire)
                writes += active * share * min(_PS, app["rate_bps"] / (8.0 * app["write_bytes"]))
            rate *= share
        wanted = min(size, rate * active)
        yield _Demand(
            flow["path"],
            flow["reverse_path"],
            wanted,
            bits,
            begin,
            max(rate, 1.0),
            ends=math.isfinite(size),
            flow=flow,
            writes=writes,
        )


def _sessions(plan: Plan, rates: Sequence[float], duration: float) -> Iterator[_Demand]:
    """Yield the demand of each application of many transfers."""
    # Sessions of one entry are alike, and the mean of a long CDF takes a millisecond.
    before: tuple[Any, ...] = ()
    load = _Load(0.0, 0.0, 1.0)
    for session in plan["sessions"]:
        flow = plan["flows"][session["flows"][0]]
        most, rtt, bits = _path_of(plan, flow, rates)
        wire = bits / (8.0 * flow["transport"]["mss"])
        begin, active = _span(session, duration)
        app = session["app"]
        if (asked := (app, most, rtt, wire)) != before:
            load, before = _load(app, most, rtt, 8.0 * wire), asked
        rounds = active / max(load.seconds, 1e-9)
        if (count := app.get("count")) is not None:
            rounds = min(rounds, float(count))  # type: ignore[arg-type]
        yield _Demand(
            flow["path"],
            flow["reverse_path"],
            min(rounds * load.bits, _FASTEST_BPS * active),
            bits,
            begin,
            max(most, 1.0),
            flow=flow,
            transfers=rounds * load.transfers,
            visits=rounds if app.get("arrivals") is not None else 0.0,
        )


class _Load(NamedTuple):
    """Load of a session: so many bits each time, in so many transfers."""

    bits: float
    seconds: float
    """Time from one time to the next, s."""
    transfers: float


def _load(app: SessionAppPlan, most: float, rtt: float, wire: float) -> _Load:
    """Load of an application whose transfers take the time of a full path; `wire`: bits a byte."""

    def takes(bits: float) -> float:
        return 2.0 * rtt + bits / most

    if app["kind"] == "web":
        objects = mean_of(app["objects"])
        main, embedded = mean_of(app["main"]) * wire, mean_of(app["embedded"]) * wire
        if app["arrivals"] is not None:
            pages = mean_of(app["pages"]) if app["pages"] is not None else 1.0
            page = main + objects * embedded
            return _Load(pages * page, mean_of(app["arrivals"]), pages * (1.0 + objects))
        loading = takes(main) + takes(embedded) * objects / max(1, app["parallel"])
        seconds = mean_of(app["reading"]) + mean_of(app["parsing"]) + loading
        return _Load(main + objects * embedded, seconds, 1.0 + objects)
    if app["kind"] == "adaptive-video":
        segment = app["segment_ps"] / _PS
        return _Load(min(app["ladder_bps"][-1] * wire / 8.0, most) * segment, segment, 1.0)
    if app["kind"] == "short-flows":
        return _Load(mean_of(app["size"]) * wire, mean_of(app["interval"]), 1.0)
    if app["kind"] == "repeated":
        bits = mean_of(app["size"]) * wire
        return _Load(bits, mean_of(app["think"]) + takes(bits), 1.0)
    bits = mean_of(app["response"]) * wire
    pause = app["think"] if app["kind"] == "request-response" else app["gap"]
    return _Load(bits, mean_of(app["server"]) + mean_of(pause) + takes(bits), 1.0)


def _streams(plan: Plan, duration: float) -> Iterator[_Demand]:
    """Yield the demand of each UDP stream."""
    for stream in plan["streams"]:
        begin, active = _span(stream, duration)
        size, per_second, frames = _datagrams(stream)
        app = stream["app"]
        if app["kind"] == "video" and app["loop_ps"] is None:
            active = min(active, _film_s(app["frames"]))
        bits = per_second * size * 8.0
        yield _Demand(
            stream["path"], (), bits * active, size * 8.0, begin, bits, frames=frames * active
        )


def _datagrams(stream: StreamPlan) -> tuple[float, float, float]:
    """Bytes of a datagram on the wire, datagrams in a second, and video frames in a second."""
    app, header = stream["app"], stream["header_bytes"]
    if app["kind"] == "cbr":
        size = float(app["payload_bytes"] + header)
        return size, app["rate_bps"] / (8.0 * size), 0.0
    if app["kind"] == "voice":
        talk, pause = app["talk_mean_ps"], app["pause_mean_ps"]
        share = 1.0 if pause == 0 else talk / max(1, talk + pause)
        return float(app["payload_bytes"] + header), share * _PS / app["frame_ps"], 0.0
    frames = [int(size) for _, size in _FRAME.findall(app["frames"])]
    packets = sum(math.ceil(size / app["packet_bytes"]) for size in frames)
    span = app["loop_ps"] / _PS if app["loop_ps"] else _film_s(app["frames"])
    return header + sum(frames) / max(1, packets), packets / span, len(frames) / span


def _film_s(frames: str) -> float:
    return max(1e-3, sum(int(time) for time, _ in _FRAME.findall(frames)) / 1e6)


def _standing(plan: Plan, rates: Sequence[float], demands: Sequence[_Demand]) -> float:
    """Packets queued and in flight: as many as the links hold, no more than the windows allow."""
    bits = max((demand.packet_bits for demand in demands), default=12_000.0)
    held = 0.0
    for at in sorted({link for demand in demands for link in demand.path}):
        link = plan["links"][at]
        if link.get("rate_bps") is not None:
            held += rates[at] * link["delay_ps"] / _PS / bits + _queue(link["qdisc"], bits)
    windows = sum(flow["transport"]["receive_buffer_bytes"] * 8.0 for flow in plan["flows"]) / bits
    if held == 0.0:
        # No link has a rate: windows of the paths alone.
        held = math.inf
    return min(held, windows + _QUEUE_WITHOUT_LIMIT)


def _queue(qdisc: Mapping[str, Any], bits: float) -> float:
    """Limit of a queue in packets of so many bits, the largest of those that follow in time."""
    if "qdisc" in qdisc:
        return _queue(qdisc["qdisc"], bits)
    limits = []
    for limit in (qdisc.get("limit") or qdisc, *(qdisc.get("later") or ())):
        packets, size = limit.get("limit_packets"), limit.get("limit_bytes")
        given = [float(packets)] if packets is not None else []
        given += [size * 8.0 / bits] if size is not None else []
        limits.append(min(given, default=_QUEUE_WITHOUT_LIMIT))
    return max(limits)
