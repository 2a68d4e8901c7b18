"""Number of packets that a plan sends, before it runs: a fluid model in a few dozen steps of time.

Connections that are alike (same shared links, same limit, same kind of traffic) form a class. In
each step the classes share the links max-min fairly, each connection up to its own limit: access
links, receive window, rate of the application, slow start, and at random loss the square-root
law. A transfer of given size ends when it has been sent.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.scenario.distributions import mean_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from ackclock.border.plan import (
        FifoQdiscPlan,
        FlowPlan,
        LaterLimitPlan,
        LimitPlan,
        LinkPlan,
        OutagePlan,
        Plan,
        QdiscPlan,
        ScheduleServicePlan,
        SessionAppPlan,
        TransportPlan,
    )

    Floats = NDArray[np.float64]

__all__ = ["MODELS", "Traffic", "link_rates", "traffic_of"]

_PS = 1e12
_STEPS = 48
_ROUNDS = 10
_ACK_BYTES = 64
_BURSTS_PER_SECOND = 1100.0
"""Bursts of a paced sender, from where a burst is larger than two packets."""
_SINGLES_PER_SECOND = 100.0
"""Packets per second up to which a paced sender sends one at a time."""
# Nothing is faster, bit/s: a connection that nothing limits would have no rate otherwise.
_FASTEST_BPS = 1e13
# A connection's limit is rounded to a power of it, so that thousands that differ a little are one.
_CLASS_WIDTH = 1.15
# Disciplines that only judge arrivals: their links cost one event per packet (DESIGN.md).
_JUDGES = {"fifo", "red", "step"}
# Window, packets, at a loss rate p: factor / p^power.
_RESPONSES = {"highspeed": (0.12, 0.835), "scalable": (0.08, 1.0)}
MODELS = ("bbr", "copa", "lola", "pcc", "vivace", "proteus")
"""Parts of the names of algorithms that model the path, and pace."""
_FRAME = re.compile(r"(\d+)[A-Za-z](\d+)")


@dataclass(frozen=True)
class Traffic:
    """Traffic of a plan. Counts are of the whole run, warm-up included."""

    data: float
    """Data packets that TCP senders send, retransmissions included."""
    acks: float
    """ACKs that TCP receivers send."""
    datagrams: float
    """Datagrams that UDP streams send."""
    transfers: float
    """Transfers of the applications that make more than one."""
    writes: float
    """Writes of applications that write at a rate, whether or not the path carries them."""
    waiting: float
    """Users of web pages who have come and wait for their page when the run ends."""
    frames: float
    """Video frames of UDP streams."""
    arrivals: Floats
    """Packets that arrive at each link, of either kind."""
    served: Floats
    """1.0 for links that are asked for each departure, 0.0 for links that are computed."""
    python_acks: float
    """ACKs that algorithms written in Python handle."""
    paced: float
    """Data packets that paced senders send: each can be an event of its own."""
    bursts: float
    """Bursts of paced senders: the pacer's timer runs out for each one."""
    standing: float
    """Packets queued and in flight when all links are full."""
    seconds: float
    """Simulated time until the end, or until everything has been sent, s."""

    @property
    def packets(self) -> float:
        """Packets sent, of every kind."""
        return self.data + self.acks + self.datagrams


@dataclass
class _Class:
    """Connections that are alike."""

    links: tuple[int, ...]
    """Shared links of the path, in order."""
    cap_bps: float
    """Limit of each connection, bits of the wire per second."""
    window_bits: float
    """Initial window, bits of the wire; infinite: no slow start."""
    rtt: float
    packet_bits: float
    payload_bits: float
    per_ack: float
    is_udp: bool
    is_python: bool
    is_paced: bool
    begin: float
    stop: float
    count: int = 0
    begins: float = 0.0
    """Sum of the starts, s."""
    bits: float = 0.0
    """Data that all of them have to send, bits of the wire; infinite: no end."""
    transfer_bits: float = math.inf
    """Bits of each transfer, for applications that make several."""
    paths: Counter[tuple[tuple[int, ...], tuple[int, ...]]] | None = None
    sent: float = 0.0


def link_rates(plan: Plan) -> Floats:
    """Bit/s that each link lets through on average; infinite where nothing limits it."""
    return np.array([_link_rate(link, plan["duration_ps"]) for link in plan["links"]])


def traffic_of(plan: Plan, *, at_most: bool = False) -> Traffic:
    """Estimate what a plan sends.

    Parameters
    ----------
    plan
        Plan, from `Scenario.plan`.
    at_most
        An upper bound in place of the expected value: no slow start, no law of loss, an ACK
        for every packet.
    """
    duration = plan["duration_ps"] / _PS
    rates = link_rates(plan)
    uses = Counter(link for one in (*plan["flows"], *plan["streams"]) for link in one["path"])
    classes: dict[Any, _Class] = {}
    in_sessions = {flow for session in plan["sessions"] for flow in session["flows"]}
    frames = _add_streams(classes, plan, uses, duration)
    transfers = _add_sessions(classes, plan, rates, uses, duration, at_most=at_most)
    parts = Counter(part["name"] for flow in plan["flows"] if (part := flow.get("part_of")))
    limits: dict[Any, tuple[float, float, float]] = {}
    for index, flow in enumerate(plan["flows"]):
        if index not in in_sessions:
            part = flow.get("part_of")
            shares = 1 if part is None else parts[part["name"]]
            shape = _shape(flow)
            if shape not in limits:
                limits[shape] = _connection_limit(plan, flow, rates, uses, at_most=at_most)
            _add_flow(classes, flow, limits[shape], uses, duration, shares, at_most=at_most)
    every = list(classes.values())
    end = _fill(every, rates, duration, at_most=at_most)
    return _counted(plan, every, rates, transfers(), frames, end, at_most=at_most)


def _writes(plan: Plan, end: float) -> float:
    """Count the writes of applications that write at a rate, until a time in s."""
    total = 0.0
    for flow in plan["flows"]:
        app = flow["app"]
        stop = end if flow["stop_ps"] is None else min(end, flow["stop_ps"] / _PS)
        active = max(0.0, stop - flow["start_ps"] / _PS)
        if app["kind"] == "application-limited":
            total += active * _PS / max(1, app["every_ps"])
        elif app["kind"] == "on-off":
            on, off = mean_of(app["on"]), mean_of(app["off"])
            # The engine's clock counts picoseconds.
            most = active * _PS
            total += 2.0 * min(most, active / max(on + off, 1e-12))
            if app["rate_bps"] is not None:
                each = min(_PS, app["rate_bps"] / (8.0 * app["write_bytes"]))
                total += active * on / max(on + off, 1e-12) * each
    return total


def _link_rate(link: LinkPlan, duration_ps: int) -> float:
    given = link.get("rate_bps")
    rate = math.inf if given is None else float(given)
    service = link.get("service")
    if service is not None and service["kind"] == "schedule":
        rate = _scheduled(service, duration_ps)
    outages = None if service is None else service.get("outages")
    if outages is not None and math.isfinite(rate):
        rate *= 1.0 - _down(outages, duration_ps)
    policer = link.get("policer")
    if policer is not None:
        rate = min(rate, float(policer["rate_bps"]))
    inner = link["qdisc"]
    while inner["kind"] == "tbf":
        rate = min(rate, float(inner["rate_bps"]))
        inner = inner["qdisc"]
    return max(rate, 1.0)


def _scheduled(service: ScheduleServicePlan, duration_ps: int) -> float:
    """Mean of a schedule of rates over the run."""
    rates = service["rates"]
    end = service.get("period_ps") or max(duration_ps, rates[-1][0] + 1)
    until = min(end, duration_ps)
    times = [min(time, until) for time, _ in rates] + [until]
    total = sum(rates[k][1] * (times[k + 1] - times[k]) for k in range(len(rates)))
    return float(total / max(1, until))


def _down(outages: OutagePlan, duration_ps: int) -> float:
    """Share of the time that a link is down."""
    of = outages.get("period_ps") or duration_ps
    down = sum(max(0, min(end, of) - min(begin, of)) for begin, end in outages["windows"])
    return float(min(0.99, down / max(1, of)))


def _active(plan: Plan, path: Iterable[int]) -> float:
    """Share of the run in which losses of the wire act; of several links the largest."""
    duration, shares = plan["duration_ps"], []
    for link in path:
        window = plan["links"][link].get("loss_window")
        if plan["links"][link].get("loss") is None:
            continue
        if window is None:
            return 1.0
        stop = window.get("stop_ps")
        end = duration if stop is None else min(stop, duration)
        shares.append(max(0, end - window["start_ps"]) / max(1, duration))
    return max(shares, default=1.0)


def _loss(plan: Plan, path: Iterable[int], packet_time: float) -> float:
    """Probability that a data packet is lost on the wire.

    A burst counts as one loss, as it is one signal of congestion, and it is signals that hold a
    window down. `packet_time` is the time from a packet to the next, s.
    """
    passed = 1.0
    for link in path:
        for impairment in plan["links"][link].get("impairments", ()):
            if impairment["kind"] == "corrupt":
                passed *= 1.0 - impairment["p"]
        loss = plan["links"][link].get("loss")
        if loss is None or loss["kind"] == "list":
            continue
        if loss["kind"] == "bernoulli":
            lost = loss["p"]
        elif loss["kind"] == "steps":
            lost = max(p for _, p in loss["steps"])
        elif loss["kind"] == "periodic":
            lost = 1.0 / max(1, loss["every"])
        elif loss["kind"] == "bursts":
            length, gap = mean_of(loss["length"]), mean_of(loss["gap"])
            lost = min(length, packet_time) / max(length + gap, 1e-12)
        else:
            bad = loss["p"] / max(loss["p"] + loss["r"], 1e-12)
            lost = bad * loss["loss_bad"] * min(1.0, loss["r"]) + (1 - bad) * loss["loss_good"]
        passed *= 1.0 - min(1.0, lost)
    return 1.0 - passed


def _law(cc: str, p: float, rtt: float, packet_bits: float) -> float:
    """Rate that random loss leaves to an algorithm that backs off at each, bit/s.

    M. Mathis et al., "The macroscopic behavior of the TCP congestion avoidance algorithm", 1997;
    RFC 9438 section 5.2 for CUBIC; RFC 3649 section 5 for HighSpeed TCP; T. Kelly, "Scalable TCP",
    2003. Infinite: no law is known here.
    """
    name = cc.rsplit("+", 1)[-1].split("(")[0]
    if p <= 0.0 or name not in {"reno", "newreno", "tahoe", "cubic", "vegas", *_RESPONSES}:
        return math.inf
    # At large p come timeouts: PFTK's law is below Mathis's there.
    window = max(1.0, math.sqrt(1.5 / p)) / (1.0 + 8.0 * p)
    if name == "cubic":
        window = max(window, 1.054 * (rtt / p) ** 0.75)
    if name in _RESPONSES:
        factor, power = _RESPONSES[name]
        window = max(window, factor / p**power)
    return window * packet_bits / rtt


def _is_paced(flow: FlowPlan) -> bool:
    """Whether the sender paces: told to, or because its algorithm sets a rate."""
    return flow["transport"]["pacing"] == "cwnd" or any(name in flow["cc"] for name in MODELS)


def _overlap(path: Sequence[int], uses: Counter[int]) -> tuple[int, ...]:
    return tuple(link for link in path if uses[link] > 1)


def _own_limit(path: Sequence[int], uses: Counter[int], rates: Floats) -> float:
    """The slowest of the links that nobody else uses, bit/s."""
    return min((float(rates[link]) for link in path if uses[link] <= 1), default=math.inf)


def _path_limit(plan: Plan, flow: FlowPlan, rates: Floats) -> tuple[float, float, float]:
    """Base RTT, s, slowest rate, and bits of the wire in a full packet."""
    transport = flow["transport"]
    bits = 8.0 * (transport["mss"] + transport["header_bytes"])
    slowest = min((float(rates[link]) for link in flow["path"]), default=math.inf)
    delay = sum(plan["links"][link]["delay_ps"] for link in (*flow["path"], *flow["reverse_path"]))
    rtt = delay / _PS + (bits / slowest if math.isfinite(slowest) else 0.0)
    return max(rtt, 1e-6), slowest, bits


def _connection_limit(
    plan: Plan, flow: FlowPlan, rates: Floats, uses: Counter[int], *, at_most: bool
) -> tuple[float, float, float]:
    """Return a connection's highest rate, bit/s; its base RTT, s; the bits of a full packet."""
    rtt, slowest, bits = _path_limit(plan, flow, rates)
    transport = flow["transport"]
    wire = bits / (8.0 * transport["mss"])
    cap = min(_own_limit(flow["path"], uses, rates), _FASTEST_BPS)
    # Linux's buffer holds the segments' bookkeeping as well; the window is about half of it.
    cap = min(cap, transport["receive_buffer_bytes"] * 8.0 * wire / rtt)
    if (clamp := transport.get("max_cwnd_bytes")) is not None:
        cap = min(cap, max(clamp, transport["mss"]) * 8.0 * wire / rtt)
    if (read_rate := transport.get("read_rate_bps")) is not None:
        cap = min(cap, read_rate * wire)
    # ACKs that the way back does not carry are not sent for.
    way_back = min((float(rates[link]) for link in flow["reverse_path"]), default=math.inf)
    cap = min(cap, way_back / (8.0 * _ACK_BYTES) * 32.0 * bits)
    if not at_most:
        cap = _under_loss(plan, flow, min(cap, slowest), rtt, bits)
    return cap, rtt, bits


def _under_loss(plan: Plan, flow: FlowPlan, most: float, rtt: float, bits: float) -> float:
    """Mean rate that losses on the wire leave of `most`, bit/s."""
    rate = most
    # Bursts are so many in a second, and the slower the flow, the more in a packet.
    for _ in range(_ROUNDS):
        before = rate
        rate = min(most, _law(flow["cc"], _loss(plan, flow["path"], bits / rate), rtt, bits))
        if rate > 0.99 * before:
            break
    active = _active(plan, flow["path"])
    return active * rate + (1.0 - active) * most


def _shape(flow: FlowPlan) -> tuple[object, ...]:
    """Return what `_connection_limit` reads of a flow: equal for flows with equal limits."""
    transport = flow["transport"]
    return (
        flow["cc"],
        tuple(flow["path"]),
        tuple(flow["reverse_path"]),
        transport["mss"],
        transport["header_bytes"],
        transport["receive_buffer_bytes"],
        transport.get("max_cwnd_bytes"),
        transport.get("read_rate_bps"),
    )


def _rounded(cap: float) -> int:
    return round(math.log(max(cap, 1e-3)) / math.log(_CLASS_WIDTH))


def _join(
    classes: dict[Any, _Class],
    key: Any,
    new: _Class,
    begin: float,
    path: list[int],
    back: list[int],
) -> _Class:
    """Add a flow that begins at a time, s, to its class: the known one of that key, or `new`."""
    found = classes.setdefault(key, new)
    found.count += 1
    found.begins += begin
    if found.paths is None:
        found.paths = Counter()
    found.paths[tuple(path), tuple(back)] += 1
    return found


def _tcp_class(
    flow: FlowPlan,
    uses: Counter[int],
    limits: tuple[float, float, float],
    begin: float,
    stop: float,
    *,
    at_most: bool,
) -> _Class:
    cap, rtt, bits = limits
    transport = flow["transport"]
    window = transport.get("initial_window_bytes")
    payload = 8.0 * transport["mss"]
    return _Class(
        links=_overlap(flow["path"], uses),
        cap_bps=cap,
        window_bits=math.inf
        if at_most or window is None
        else max(window * 8.0 / payload, 1) * bits,
        rtt=rtt,
        packet_bits=bits,
        payload_bits=payload,
        per_ack=1.0 if at_most else float(max(1, transport["delayed_ack_count"])),
        is_udp=False,
        is_python="python:" in flow["cc"],
        is_paced=_is_paced(flow),
        begin=begin,
        stop=stop,
    )


def _add_flow(
    classes: dict[Any, _Class],
    flow: FlowPlan,
    limits: tuple[float, float, float],
    uses: Counter[int],
    duration: float,
    shares: int,
    *,
    at_most: bool,
) -> None:
    app = flow["app"]
    cap, rtt, bits = limits
    transport = flow["transport"]
    wire = bits / (8.0 * transport["mss"])
    begin = flow["start_ps"] / _PS
    stop = min(duration, duration if flow["stop_ps"] is None else flow["stop_ps"] / _PS)
    if begin >= stop:
        return
    to_send = math.inf
    packet_bits, payload = bits, 8.0 * transport["mss"]
    if app["kind"] == "file":
        to_send = app["size_bytes"] * 8.0 * wire / shares
    elif app["kind"] == "application-limited":
        cap = min(cap, app["rate_bps"] * wire)
        written = app["rate_bps"] * app["every_ps"] / _PS
        if 0.0 < written < payload:
            payload, packet_bits = written, written + (bits - payload)
    elif app["kind"] == "writes":
        to_send = sum(size for _, size in app["writes"]) * 8.0 * wire / shares
    elif app["kind"] == "on-off":
        on, off = mean_of(app["on"]), mean_of(app["off"])
        share = on / max(on + off, 1e-12)
        rate = math.inf if app["rate_bps"] is None else app["rate_bps"] * wire
        cap = min(cap, rate) * share
    step = int(begin / duration * _STEPS)
    ends = int(stop / duration * _STEPS)
    size = math.inf if math.isinf(to_send) else _rounded(to_send)
    key = (
        _overlap(flow["path"], uses),
        _rounded(cap),
        _rounded(rtt),
        step,
        ends,
        size,
        "python:" in flow["cc"],
        _is_paced(flow),
        packet_bits,
    )
    new = classes.get(key)
    if new is None:
        new = _tcp_class(flow, uses, (cap, rtt, bits), begin, stop, at_most=at_most)
        new.packet_bits, new.payload_bits = packet_bits, payload
    _join(classes, key, new, begin, flow["path"], flow["reverse_path"]).bits += to_send


def _add_streams(
    classes: dict[Any, _Class], plan: Plan, uses: Counter[int], duration: float
) -> float:
    """Add the UDP streams; the number of their video frames."""
    frames = 0.0
    for stream in plan["streams"]:
        app = stream["app"]
        begin = stream["start_ps"] / _PS
        stop = min(duration, duration if stream["stop_ps"] is None else stream["stop_ps"] / _PS)
        if begin >= stop:
            continue
        header = stream["header_bytes"]
        if app["kind"] == "cbr":
            size = float(app["payload_bytes"] + header)
            per_second = app["rate_bps"] / (8.0 * size)
        elif app["kind"] == "voice":
            size = app["payload_bytes"] + header
            talk, pause = app["talk_mean_ps"], app["pause_mean_ps"]
            share = 1.0 if pause == 0 else talk / max(1, talk + pause)
            per_second = share * _PS / app["frame_ps"]
        else:
            found = _FRAME.findall(app["frames"])
            total = sum(math.ceil(int(each) / app["packet_bytes"]) for _, each in found)
            span = app["loop_ps"] / _PS if app["loop_ps"] else sum(int(t) for t, _ in found) / 1e6
            span = max(span, 1e-3)
            if app["loop_ps"] is None:
                stop = min(stop, begin + span)
            per_second = total / span
            sent = sum(int(each) for _, each in found)
            size = header + sent / max(1, total)
            frames += len(found) / span * (stop - begin)
        bits = 8.0 * size
        key = (
            "udp",
            tuple(stream["path"]),
            per_second,
            bits,
            int(begin / duration * _STEPS),
            int(stop / duration * _STEPS),
        )
        new = _Class(
            links=_overlap(stream["path"], uses),
            cap_bps=per_second * bits,
            window_bits=math.inf,
            rtt=1e-6,
            packet_bits=bits,
            payload_bits=bits,
            per_ack=math.inf,
            is_udp=True,
            is_python=False,
            is_paced=False,
            begin=begin,
            stop=stop,
            bits=0.0,
        )
        _join(classes, key, new, begin, stream["path"], []).bits = math.inf
    return frames


def _add_sessions(
    classes: dict[Any, _Class],
    plan: Plan,
    rates: Floats,
    uses: Counter[int],
    duration: float,
    *,
    at_most: bool,
) -> Callable[[], tuple[float, float]]:
    """Add the applications of many transfers.

    What it returns counts, once the links are shared, those begun and the users who wait.
    """
    loads: dict[int, tuple[_Class, float, float]] = {}
    # Sessions of one entry are alike, and the mean of a long CDF takes a millisecond.
    before: tuple[Any, ...] = ()
    load: tuple[float, float, int | None] = (0.0, 0.0, None)
    for session in plan["sessions"]:
        flow = plan["flows"][session["flows"][0]]
        limits = _connection_limit(plan, flow, rates, uses, at_most=at_most)
        cap, rtt, bits = limits
        wire = bits / (8.0 * flow["transport"]["mss"])
        begin = session["start_ps"] / _PS
        given = session["stop_ps"]
        stop = min(duration, duration if given is None else given / _PS)
        if begin >= stop:
            continue
        shared = min((float(rates[link]) for link in flow["path"]), default=math.inf)
        limit = min(cap, shared)
        asked = (session["app"], limit, rtt, flow["transport"]["initial_window_bytes"], wire)
        if asked != before:
            load, before = _load(session["app"], limit, rtt, flow["transport"], wire), asked
        rate, transfer, count = load
        offered = min(rate, _FASTEST_BPS)
        new = _tcp_class(flow, uses, (offered, rtt, bits), begin, stop, at_most=True)
        new.per_ack = 1.0 if at_most else new.per_ack
        new.transfer_bits = transfer
        step = int(begin / duration * _STEPS)
        key = (
            "session",
            new.links,
            _rounded(offered),
            step,
            int(stop / duration * _STEPS),
            _rounded(transfer),
            count,
        )
        joined = _join(classes, key, new, new.begin, flow["path"], flow["reverse_path"])
        joined.bits += math.inf if count is None else count * transfer
        loads[id(joined)] = (joined, transfer, _visit_bits(session["app"], wire))

    def transfers() -> tuple[float, float]:
        begun = waiting = 0.0
        for one, transfer, visit in loads.values():
            begun += one.sent / max(transfer, 1.0)
            if visit:
                came = one.cap_bps * one.count * (min(duration, one.stop) - one.begins / one.count)
                waiting += max(0.0, came - one.sent) / visit
        return begun + waiting, waiting

    return transfers


def _visit_bits(app: SessionAppPlan, wire: float) -> float:
    """Bits that each user who comes wants, of web pages whose users come by themselves; else 0."""
    if app["kind"] != "web" or app["arrivals"] is None:
        return 0.0
    pages = mean_of(app["pages"]) if app["pages"] is not None else 1.0
    page = mean_of(app["main"]) + mean_of(app["objects"]) * mean_of(app["embedded"])
    return pages * page * 8.0 * wire


def _load(
    app: SessionAppPlan, cap: float, rtt: float, transport: TransportPlan, wire: float
) -> tuple[float, float, int | None]:
    """Return a session's load, bit/s; bits of a transfer; number of transfers, None: no end."""
    window = max(float(transport["initial_window_bytes"] or transport["mss"]), 1.0) * 8.0 * wire

    def takes(bits: float) -> float:
        rounds = max(1.0, math.log2(1.0 + bits / window))
        return rtt * (1.0 + rounds) + bits / cap

    if app["kind"] == "repeated":
        bits = mean_of(app["size"]) * 8.0 * wire
        return bits / (mean_of(app["think"]) + takes(bits)), bits, app["count"]
    if app["kind"] == "short-flows":
        bits = mean_of(app["size"]) * 8.0 * wire
        return bits / max(mean_of(app["interval"]), 1e-9), bits, app["count"]
    if app["kind"] == "request-response":
        bits = mean_of(app["response"]) * 8.0 * wire
        cycle = mean_of(app["server"]) + mean_of(app["think"]) + takes(bits)
        return bits / cycle, bits, app["count"]
    if app["kind"] == "incast":
        bits = mean_of(app["response"]) * 8.0 * wire
        cycle = mean_of(app["server"]) + mean_of(app["gap"]) + takes(bits)
        return bits / cycle, bits, app["count"]
    if app["kind"] == "adaptive-video":
        top = min(float(app["ladder_bps"][-1]) * wire, cap)
        bits = top * app["segment_ps"] / _PS
        return top, bits, app["count"]
    objects = mean_of(app["objects"])
    main, embedded = mean_of(app["main"]) * 8.0 * wire, mean_of(app["embedded"]) * 8.0 * wire
    page = main + objects * embedded
    each = page / (1.0 + objects)
    if app["arrivals"] is not None:
        pages = mean_of(app["pages"]) if app["pages"] is not None else 1.0
        return pages * page / max(mean_of(app["arrivals"]), 1e-9), each, None
    time = takes(main) + takes(embedded) * objects / max(1, app["parallel"])
    cycle = mean_of(app["reading"]) + mean_of(app["parsing"]) + time
    return page / cycle, each, None


def _fill(classes: list[_Class], rates: Floats, duration: float, *, at_most: bool) -> float:
    """Share the links step by step; the time when everything has been sent."""
    edges = np.linspace(0.0, duration, _STEPS + 1)
    for at in range(_STEPS):
        begin, end = float(edges[at]), float(edges[at + 1])
        wants: list[float] = []
        active: list[_Class] = []
        for one in classes:
            start = one.begins / one.count
            time = min(end, one.stop) - max(begin, start)
            if time <= 0.0 or one.sent >= one.bits:
                continue
            most = one.cap_bps * time
            if not at_most and math.isfinite(one.window_bits):
                most = min(most, _ramp(one, begin - start, end - start))
            wants.append(min(most * one.count, one.bits - one.sent) / (end - begin))
            active.append(one)
        for one, rate in zip(active, _shared(active, wants, rates), strict=True):
            one.sent += rate * (end - begin)
        if all(one.sent >= 0.999 * one.bits for one in classes):
            pace = max(
                (one.sent / one.count / max(one.cap_bps, 1.0) + one.rtt * 2 for one in classes),
                default=0.0,
            )
            starts = max((one.begins / one.count for one in classes), default=0.0)
            return float(min(end, max(begin, starts + pace)))
    return duration


def _ramp(one: _Class, since: float, until: float) -> float:
    """Bits that slow start can send between two ages of a connection."""
    since = max(0.0, since)
    if until / one.rtt > 60.0:
        return math.inf
    scale = one.window_bits / math.log(2.0)
    return float(scale * (2.0 ** (until / one.rtt) - 2.0 ** (since / one.rtt)) + one.window_bits)


def _shared(classes: list[_Class], wants: list[float], rates: Floats) -> list[float]:
    """Max-min fair rates of all connections of each class; UDP takes what it wants."""
    got = [0.0] * len(classes)
    free = rates.copy()
    waiting: list[int] = []
    for index, one in enumerate(classes):
        if one.is_udp or not one.links:
            got[index] = wants[index]
            for link in one.links:
                free[link] = max(0.0, free[link] - wants[index])
        else:
            waiting.append(index)
    while waiting:
        users: dict[int, int] = {}
        for index in waiting:
            for link in classes[index].links:
                users[link] = users.get(link, 0) + classes[index].count
        level = min(free[link] / count for link, count in users.items())
        capped = [index for index in waiting if wants[index] / classes[index].count <= level]
        if not capped:
            tight = {link for link, count in users.items() if free[link] / count <= level * 1.0001}
            capped = [index for index in waiting if tight & set(classes[index].links)]
        for index in capped:
            one = classes[index]
            got[index] = min(wants[index], level * one.count)
            for link in one.links:
                free[link] = max(0.0, free[link] - got[index])
        done = set(capped)
        waiting = [index for index in waiting if index not in done]
    return got


def _counted(
    plan: Plan,
    classes: list[_Class],
    rates: Floats,
    transfers: tuple[float, float],
    frames: float,
    end: float,
    *,
    at_most: bool,
) -> Traffic:
    links = plan["links"]
    arrivals = np.zeros(len(links))
    data = acks = datagrams = python_acks = paced = bursts = 0.0
    for one in classes:
        extra = one.sent / one.transfer_bits if math.isfinite(one.transfer_bits) else one.count
        packets = one.sent / one.packet_bits + 0.5 * extra
        if one.is_udp:
            datagrams += packets
            back = 0.0
        else:
            data += packets
            # Short transfers and the packets after a pause are acknowledged one by one.
            back = packets / one.per_ack + extra
            acks += back
        if one.is_python:
            python_acks += back
        if one.is_paced:
            paced += packets
            bursts += packets / _per_burst(packets, one, end)
        assert one.paths is not None
        for (there, back_path), count in one.paths.items():
            share = count / one.count
            for link in there:
                arrivals[link] += packets * share
            for link in back_path:
                arrivals[link] += back * share
    served = np.array([float(_is_served(link)) for link in links])
    standing = _standing(plan, classes, rates, at_most=at_most)
    return Traffic(
        data,
        acks,
        datagrams,
        transfers[0],
        _writes(plan, end),
        transfers[1],
        frames,
        arrivals,
        served,
        python_acks,
        paced,
        bursts,
        standing,
        end,
    )


def _per_burst(packets: float, one: _Class, end: float) -> float:
    """Return the packets of a burst: what the rate gives in about 1 ms, and two at least.

    Measured with BBR: 1.96 to 2.03 at 5 to 20 Mbit/s, 3.8 at 50, 7.1 at 100, 12.5 at 200. Below
    1.2 Mbit/s a burst is a single packet.
    """
    seconds = one.count * end - one.begins
    per_second = packets / seconds if seconds > 0.0 else 0.0
    return max(2.0, per_second / _BURSTS_PER_SECOND) if per_second > _SINGLES_PER_SECOND else 1.0


def _is_served(link: LinkPlan) -> bool:
    return (
        link["qdisc"]["kind"] not in _JUDGES
        or link.get("service") is not None
        or bool(link.get("impairments"))
    )


def _standing(plan: Plan, classes: list[_Class], rates: Floats, *, at_most: bool) -> float:
    """Packets queued and in flight: as many as the links hold, no more than the windows allow."""
    bits = max((one.packet_bits for one in classes), default=12_000.0)
    held = 0.0
    used = {link for one in classes if one.paths for path in one.paths for link in path[0]}
    for index in sorted(used):
        link = plan["links"][index]
        if math.isfinite(rates[index]):
            held += rates[index] * link["delay_ps"] / _PS / bits
            held += _limit_packets(link["qdisc"], bits)
    allowed = sum(one.count * one.cap_bps * (one.rtt + 0.01) / one.packet_bits for one in classes)
    windows = sum(
        (flow["transport"]["receive_buffer_bytes"] * 8.0 / bits for flow in plan["flows"]), 0.0
    )
    if at_most or not math.isfinite(held) or held == 0.0:
        return float(min(allowed + (0.0 if held == 0.0 else held), windows + 1000.0))
    return float(min(held, windows + 1000.0))


def _limit_packets(qdisc: QdiscPlan, bits: float) -> float:
    if qdisc["kind"] == "tbf":
        return _limit_packets(qdisc["qdisc"], bits)
    if qdisc["kind"] == "prio":
        return 1000.0
    if qdisc["kind"] == "fifo" and qdisc.get("later"):
        every = [qdisc, *qdisc["later"]]
        return max(_in_packets(one, bits) for one in every)
    return _in_packets(qdisc if qdisc["kind"] == "fifo" else qdisc["limit"], bits)


def _in_packets(limit: LimitPlan | LaterLimitPlan | FifoQdiscPlan, bits: float) -> float:
    """A limit in packets of so many bits; 1000 without one."""
    limits = []
    if (packets := limit.get("limit_packets")) is not None:
        limits.append(float(packets))
    if (size := limit.get("limit_bytes")) is not None:
        limits.append(size * 8.0 / bits)
    return min(limits, default=1000.0)
