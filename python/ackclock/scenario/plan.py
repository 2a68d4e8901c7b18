"""From a scenario to a plan: quantities in base units, routes as lists of links, distributions drawn.

The plan is the JSON border to the engine; its keys are those of ``crates/sim/src/plan.rs``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from ackclock.scenario.app import Bulk, File
from ackclock.scenario.distributions import draw_rate_bps, draw_time_ps
from ackclock.scenario.errors import ScenarioError, did_you_mean, shown
from ackclock.scenario.flows import Access, Flow
from ackclock.scenario.loss import Bernoulli, Loss, Periodic
from ackclock.scenario.network import Graph, ParkingLot
from ackclock.scenario.options import flow_options
from ackclock.scenario.profiles import Options, visible
from ackclock.scenario.qdisc import Fifo, Red
from ackclock.scenario.quantities import PS_PER_S, amount, rate_bps, size_bytes, time_ps
from ackclock.scenario.red import auto_red
from ackclock.scenario.topology import DirectedLink, Router, directed_links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ackclock.scenario.scenario import Scenario

__all__ = ["Plan", "bottlenecks", "flow_names", "make_plan", "sample_period_ps"]

Plan = dict[str, Any]

_AUTO_ROWS = 400_000
# A row of a flow takes about 100 bytes.
_MOST_ROWS = 20_000_000
# The engine's own limit: its clock counts picoseconds in 64 bits.
_LONGEST_PS = 480 * 3600 * PS_PER_S
# RFC 7323 section 2.3: the largest window that can be advertised.
_LARGEST_WINDOW = 1 << 30
# The largest TCP payload of an IP packet is near it.
_LARGEST_MSS = 65_535


@dataclass
class _Entry:
    """One entry of flows, with what all its flows have in common."""

    key: str
    spec: Flow
    name: str
    path: tuple[int, ...]
    reverse_path: tuple[int, ...]
    routers_rtt_ps: int
    slowest_bps: int | None
    options: Options
    access: Access
    flows: list[_One] = field(default_factory=list)


@dataclass
class _One:
    """One flow's own draws."""

    name: str
    start_ps: int
    access_rate_bps: int | None
    access_delay_ps: int
    has_access: bool
    base_rtt_ps: int


def flow_names(entry: str, count: int) -> list[str]:
    """The names of an entry's flows."""
    return [entry] if count == 1 else [f"{entry}.{number}" for number in range(1, count + 1)]


def bottlenecks(scenario: Scenario) -> list[str]:
    """Names of the links that are meant to limit the flows: those a network declares, or a graph's slowest links on a path."""
    network = scenario.network
    if isinstance(network, ParkingLot):
        return [f"bottleneck{index + 1}" for index in range(len(network.bottlenecks))]
    if not isinstance(network, Graph):
        return ["bottleneck"]
    links = directed_links(network)
    return [links[index].name for index in _graph_bottlenecks(scenario, links, Router(links))]


def _graph_bottlenecks(scenario: Scenario, links: list[DirectedLink], router: Router) -> list[int]:
    found: set[int] = set()
    for index, flow in enumerate(scenario.flows):
        path, _ = _paths(scenario, flow, f"flows.{index}", router)
        rated = [(rate, link) for link in path if (rate := links[link].rate_bps) is not None]
        if rated:
            slowest = min(rate for rate, _ in rated)
            found.update(link for rate, link in rated if rate == slowest)
    return sorted(found)


def _order(scenario: Scenario, links: list[DirectedLink]) -> list[DirectedLink]:
    """Bottlenecks first, the rest as declared."""
    network = scenario.network
    if isinstance(network, Graph):
        first = {links[index].name for index in _graph_bottlenecks(scenario, links, Router(links))}
    elif isinstance(network, ParkingLot):
        first = set(bottlenecks(scenario))
    else:
        return links
    return [link for link in links if link.name in first] + [link for link in links if link.name not in first]


def _paths(scenario: Scenario, flow: Flow, key: str, router: Router) -> tuple[tuple[int, ...], tuple[int, ...]]:
    routers = scenario.routers()
    source, destination = flow.source or routers[0], flow.destination or routers[-1]
    path, back = router.path(source, destination), router.path(destination, source)
    if path is None:
        end = "to" if flow.destination is not None else "from"
        value = destination if end == "to" else source
        raise ScenarioError(f"{shown(value)}: no links lead from '{source}' to '{destination}'", key=f"{key}.{end}", value=value)
    if back is None:
        value = destination
        raise ScenarioError(f"{shown(value)}: no links lead back from '{destination}' to '{source}'", key=f"{key}.to", value=value)
    return path, back


def _merged_access(shared: Access | None, own: Access | None) -> Access:
    given = {} if shared is None else shared.model_dump(exclude_none=True)
    given |= {} if own is None else own.model_dump(exclude_none=True)
    return Access.model_construct(None, **given)


def _entries(scenario: Scenario, links: list[DirectedLink], router: Router) -> Iterator[_Entry]:
    for index, (spec, name) in enumerate(zip(scenario.flows, scenario.entry_names(), strict=True)):
        key = f"flows.{index}"
        path, back = _paths(scenario, spec, key, router)
        rates = [rate for link in path if (rate := links[link].rate_bps) is not None]
        entry = _Entry(
            key=key,
            spec=spec,
            name=name,
            path=path,
            reverse_path=back,
            routers_rtt_ps=sum(links[link].delay_ps for link in path + back),
            slowest_bps=min(rates, default=None),
            options=visible(flow_options(scenario, index)),
            access=_merged_access(scenario.network.access, spec.access),
        )
        _draw(entry, scenario.seed)
        yield entry


def _access_key(entry: _Entry, name: str) -> str:
    """Where an access option stands: at the flow, or else in the network."""
    own = entry.spec.access is not None and getattr(entry.spec.access, name) is not None
    return f"{entry.key}.access.{name}" if own else f"network.access.{name}"


def _draw(entry: _Entry, seed: int) -> None:
    access = entry.access
    has_access = (access.rate not in (None, "unlimited")) or access.delay is not None
    names = flow_names(entry.name, entry.spec.count)
    for number, name in enumerate(names, start=1):
        # A flow that is alone draws as the first of several does, so that raising the count changes nothing for it.
        stream = f"flow/{entry.name}.{number}"
        delay = draw_time_ps(access.delay, seed, f"{stream}/access-delay", _access_key(entry, "delay")) if access.delay is not None else 0
        entry.flows.append(
            _One(
                name=name,
                start_ps=draw_time_ps(entry.spec.start, seed, f"{stream}/start", f"{entry.key}.start"),
                access_rate_bps=draw_rate_bps(access.rate, seed, f"{stream}/access-rate", _access_key(entry, "rate"))
                if access.rate is not None
                else None,
                access_delay_ps=delay,
                has_access=has_access,
                base_rtt_ps=entry.routers_rtt_ps + 4 * delay,
            )
        )


@dataclass
class _Crossing:
    """Who crosses a link: what a bdp and a packet are there.

    Where only ACKs cross, a mean packet is still a full one: RED's parameters are then those of the other direction, as
    with an ns-2 duplex link.
    """

    flows: int = 0
    rtt_sum_ps: int = 0
    packet_sum_bytes: int = 0
    largest_bytes: int = 0

    def add(self, flows: int, rtt_sum_ps: int, full_packet_bytes: int, largest_bytes: int) -> None:
        self.flows += flows
        self.rtt_sum_ps += rtt_sum_ps
        self.packet_sum_bytes += full_packet_bytes * flows
        self.largest_bytes = max(self.largest_bytes, largest_bytes)


def _crossings(entries: list[_Entry], count: int) -> list[_Crossing]:
    """By link: the flows whose data crosses it, or, where there are none, those whose ACKs do."""
    data = [_Crossing() for _ in range(count)]
    acks = [_Crossing() for _ in range(count)]
    for entry in entries:
        header = size_bytes(entry.options["header"])
        packet = size_bytes(entry.options["mss"]) + header
        flows, rtt_sum = len(entry.flows), sum(one.base_rtt_ps for one in entry.flows)
        for link in entry.path:
            data[link].add(flows, rtt_sum, packet, packet)
        for link in entry.reverse_path:
            acks[link].add(flows, rtt_sum, packet, header)
    return [with_data if with_data.flows else with_acks for with_data, with_acks in zip(data, acks, strict=True)]


def _bytes_at(text: str, link: DirectedLink, crossing: _Crossing) -> Fraction:
    """An amount that is not in packets, as bytes at a link."""
    given = amount(text)
    if given.unit == "bytes":
        return given.number
    rate = link.rate_bps or 0
    if given.unit == "ps":
        return given.number * rate / (8 * PS_PER_S)
    return given.number * rate * crossing.rtt_sum_ps / (crossing.flows * 8 * PS_PER_S)


def _unknown_here(text: str, crossing: _Crossing) -> bool:
    """Whether this is a bdp on a link that no flow crosses; nothing ever waits there."""
    return crossing.flows == 0 and amount(text).unit == "bdp"


def _limit(link: DirectedLink, crossing: _Crossing) -> dict[str, int]:
    if link.limit == "unlimited" or _unknown_here(link.limit, crossing):
        return {}
    key = f"{link.key}.limit"
    given = amount(link.limit)
    if given.unit == "packets":
        if given.number.denominator != 1:
            raise ScenarioError(f"{shown(link.limit)} is not a whole number of packets", key=key, value=link.limit)
        return {"limit_packets": int(given.number)}
    limit = int(_bytes_at(link.limit, link, crossing))
    if limit < max(crossing.largest_bytes, 1):
        raise ScenarioError(
            f"{shown(link.limit)} is {limit} bytes here, less than one packet of {crossing.largest_bytes} bytes: nothing could ever wait",
            key=key,
            value=link.limit,
        )
    return {"limit_bytes": limit}


def _red(red: Red, link: DirectedLink, crossing: _Crossing) -> dict[str, Any]:
    if red.mean_packet != "auto":
        mean = size_bytes(red.mean_packet)
    elif crossing.flows:
        mean = round(crossing.packet_sum_bytes / crossing.flows)
    else:
        mean = 500
    auto = auto_red(link.rate_bps or 0, link.delay_ps, mean, time_ps(red.target_delay))

    def threshold(name: Literal["min_threshold", "max_threshold"], automatic: float) -> float:
        text: str = getattr(red, name)
        if text == "auto" or _unknown_here(text, crossing):
            packets = Fraction(automatic)
        elif amount(text).unit == "packets":
            packets = amount(text).number
        else:
            packets = _bytes_at(text, link, crossing) / mean
        return float(packets * mean if red.byte_mode else packets)

    lower = threshold("min_threshold", auto.min_threshold)
    in_packets = lower / mean if red.byte_mode else lower
    upper = threshold("max_threshold", 3 * in_packets)
    if upper <= lower:
        name = "max_threshold" if red.max_threshold != "auto" else "min_threshold"
        raise ScenarioError(
            f"{shown(getattr(red, name))}: the upper threshold must be above the lower; they are {upper:g} and {lower:g} "
            f"{'bytes' if red.byte_mode else 'packets'}",
            key=f"{link.key}.qdisc.{name}",
            value=getattr(red, name),
        )
    return {
        "kind": "red",
        "limit": _limit(link, crossing),
        "min_threshold": lower,
        "max_threshold": upper,
        "max_p": red.max_p,
        "weight": auto.weight if red.weight == "auto" else float(red.weight),
        "gentle": red.gentle,
        "wait": red.wait,
        "adaptive": red.adaptive,
        "byte_mode": red.byte_mode,
        "mean_packet_bytes": mean,
        "ecn": red.ecn,
    }


def _loss(loss: Loss | None) -> dict[str, Any] | None:
    if loss is None:
        return None
    if isinstance(loss, Bernoulli):
        return {"kind": "bernoulli", "p": float(loss.p), "acks": loss.acks}
    if isinstance(loss, Periodic):
        return {"kind": "periodic", "every": loss.every, "offset": loss.offset, "acks": loss.acks}
    return {"kind": "list", "packets": list(loss.packets), "acks": loss.acks}


def _link(link: DirectedLink, crossing: _Crossing) -> dict[str, Any]:
    qdisc = {"kind": "fifo", **_limit(link, crossing)} if isinstance(link.qdisc, Fifo) else _red(link.qdisc, link, crossing)
    return {
        "name": link.name,
        "rate_bps": link.rate_bps,
        "delay_ps": link.delay_ps,
        "qdisc": qdisc,
        "loss": _loss(link.loss),
    }


_ACCESS_NAMES = ("access-up", "access-down", "access-down.reverse", "access-up.reverse")


def _access_limit(entry: _Entry, one: _One) -> dict[str, int]:
    text = entry.access.limit
    if text is None or text == "unlimited" or one.access_rate_bps is None:
        return {}
    header = size_bytes(entry.options["header"])
    crossing = _Crossing(1, one.base_rtt_ps, 0, size_bytes(entry.options["mss"]) + header)
    link = DirectedLink(
        "", "", "", one.access_rate_bps, 0, Fifo(kind="fifo"), text, None, _access_key(entry, "limit").removesuffix(".limit")
    )
    return _limit(link, crossing)


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
        raise ScenarioError(f"{shown(text)}: no link of the path has a rate, so there is no bdp", key=key, value=text)
    else:
        result = int(given.number * bdp_payload)
    if result < 1:
        raise ScenarioError(f"{shown(text)} is less than one byte here", key=key, value=text)
    return result


def _transport(entry: _Entry, one: _One) -> dict[str, Any]:
    options = entry.options
    mss, header = size_bytes(options["mss"]), size_bytes(options["header"])
    rates = [rate for rate in (entry.slowest_bps, one.access_rate_bps) if rate is not None]
    # A window counts payload, so a bdp of wire bytes holds that much less of it.
    bdp = Fraction(min(rates) * one.base_rtt_ps * mss, 8 * PS_PER_S * (mss + header)) if rates else None
    key = f"{entry.key}.transport"
    read_rate = options["read_rate"]
    if mss > _LARGEST_MSS:
        raise ScenarioError(f"{shown(options['mss'])} is too large: at most {_LARGEST_MSS} bytes", key=f"{key}.mss", value=options["mss"])
    buffer = size_bytes(options["receive_buffer"])
    if not mss <= buffer <= _LARGEST_WINDOW:
        wrong = f"less than one segment of {mss} bytes" if buffer < mss else "more than TCP can advertise: at most 1GiB"
        shown_buffer = shown(options["receive_buffer"])
        raise ScenarioError(f"{shown_buffer} is {wrong}", key=f"{key}.receive_buffer", value=options["receive_buffer"])
    return {
        "mss": mss,
        "header_bytes": header,
        "initial_window_bytes": _window_bytes(options["initial_window"], mss, bdp, f"{key}.initial_window"),
        "initial_ssthresh_bytes": _window_bytes(options["ssthresh"], mss, bdp, f"{key}.ssthresh"),
        "max_cwnd_bytes": _window_bytes(options["max_cwnd"], mss, bdp, f"{key}.max_cwnd"),
        "receive_buffer_bytes": buffer,
        "read_rate_bps": None if read_rate == "unlimited" else rate_bps(read_rate),
        "ack_counting": options["ack_counting"],
        "delayed_ack_count": options["delayed_ack"],
        "delayed_ack_timeout_ps": time_ps(options["delayed_ack_timeout"]),
        "quick_acks": options["quick_acks"],
        "timestamps": options["timestamps"],
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
        "idle_restart": options["idle_restart"],
        "ecn": options["ecn"],
        "pacing": options["pacing"],
    }


def _app(spec: Flow) -> dict[str, Any]:
    if isinstance(spec.app, Bulk):
        return {"kind": "bulk"}
    if isinstance(spec.app, File):
        return {"kind": "file", "size_bytes": size_bytes(spec.app.size)}
    return {"kind": "writes", "writes": [[time_ps(time), size_bytes(size)] for time, size in spec.app.writes]}


def _flow_plans(entries: list[_Entry], links: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The flows; their access links are appended to `links` on the way."""
    for entry in entries:
        app = _app(entry.spec)
        stop = None if entry.spec.stop is None else time_ps(entry.spec.stop)
        transports: dict[tuple[int, int | None], dict[str, Any]] = {}
        for one in entry.flows:
            if stop is not None and stop <= one.start_ps:
                raise ScenarioError(
                    f"{shown(entry.spec.stop)} is not after the start of {one.name}, {one.start_ps / PS_PER_S:g} s",
                    key=f"{entry.key}.stop",
                    value=entry.spec.stop,
                )
            shape = (one.base_rtt_ps, one.access_rate_bps)
            if shape not in transports:
                transports[shape] = _transport(entry, one)
            path, back = list(entry.path), list(entry.reverse_path)
            if one.has_access:
                first = len(links)
                limit = _access_limit(entry, one)
                links += [
                    {
                        "name": f"{one.name}.{name}",
                        "rate_bps": one.access_rate_bps,
                        "delay_ps": one.access_delay_ps,
                        "qdisc": {"kind": "fifo", **limit},
                        "loss": None,
                    }
                    for name in _ACCESS_NAMES
                ]
                path = [first, *path, first + 1]
                back = [first + 2, *back, first + 3]
            yield {
                "name": one.name,
                "cc": entry.spec.cc,
                "start_ps": one.start_ps,
                "stop_ps": stop,
                "app": app,
                "path": path,
                "reverse_path": back,
                "transport": transports[shape],
            }


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
    flows = sum(flow.count for flow in scenario.flows)
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


def _record(scenario: Scenario, entries: list[_Entry], links: list[dict[str, Any]]) -> dict[str, Any]:
    record = scenario.record
    samples: dict[str, Any] = {"kind": record.samples}
    if record.samples == "auto":
        samples = {"kind": "period", "period_ps": sample_period_ps(scenario)}
    elif record.samples not in ("changes", "off"):
        samples = {"kind": "period", "period_ps": time_ps(record.samples)}
        sampled = sum(flow.count for flow in scenario.flows) if record.flows is None else len(record.flows)
        rows = time_ps(scenario.duration) // samples["period_ps"] * sampled
        if rows > _MOST_ROWS:
            raise ScenarioError(
                f"'{record.samples}' would make {rows} rows of flows, and {_MOST_ROWS} is the most: write a longer period, or fewer in "
                "record.flows",
                key="record.samples",
                value=record.samples,
            )

    flows_by_name: dict[str, list[int]] = {}
    index = 0
    for entry in entries:
        flows_by_name[entry.name] = list(range(index, index + len(entry.flows)))
        index += len(entry.flows)
    index = 0
    for entry in entries:
        for one in entry.flows:
            flows_by_name.setdefault(one.name, [index])
            index += 1
    links_by_name = {link["name"]: [position] for position, link in enumerate(links)}

    chosen = None if record.flows is None else _indices(record.flows, flows_by_name, "record.flows", "flow")
    captured = list(range(index)) if chosen is None else chosen
    points = {"sender": [-1], "receiver": [-2]} | links_by_name
    capture = _indices(record.pcap, points, "record.pcap", "place to capture at")
    packet_links = _indices(record.packets, links_by_name, "record.packets", "link")
    return {
        "samples": samples,
        "flows": chosen,
        "links": None if record.links is None else _indices(record.links, links_by_name, "record.links", "link"),
        "packet_links": sorted({*packet_links, *(point for point in capture if point >= 0)}),
        "packet_senders": captured if "sender" in record.pcap else [],
        "packet_receivers": captured if "receiver" in record.pcap else [],
    }


def make_plan(scenario: Scenario) -> Plan:
    """The plan of a scenario.

    Raises
    ------
    ScenarioError
        If the flows cannot reach each other, a queue holds no packet, a name in `record` does not exist, or no flow
        ever starts.
    """
    links = _order(scenario, directed_links(scenario.network))
    entries = list(_entries(scenario, links, Router(links)))
    duration = time_ps(scenario.duration)
    if duration > _LONGEST_PS:
        raise ScenarioError(f"'{scenario.duration}' is too long: at most 480h", key="duration", value=scenario.duration)
    first = min((one.start_ps, one.name) for entry in entries for one in entry.flows)
    if first[0] >= duration:
        raise ScenarioError(
            f"'{scenario.duration}': impossible run: no flow starts before the end; the first, {first[1]}, starts at "
            f"{first[0] / PS_PER_S:g} s",
            key="duration",
            value=scenario.duration,
        )
    crossings = _crossings(entries, len(links))
    link_plans = [_link(link, crossing) for link, crossing in zip(links, crossings, strict=True)]
    flow_plans = list(_flow_plans(entries, link_plans))
    return {
        "seed": scenario.seed,
        "duration_ps": duration,
        "warmup_ps": time_ps(scenario.warmup),
        "links": link_plans,
        "flows": flow_plans,
        "record": _record(scenario, entries, link_plans),
    }
