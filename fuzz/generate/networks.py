"""Networks: dumbbells, parking lots and graphs, and the links in them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock import _core
from fuzz.generate.distributions import rates, times_below
from fuzz.generate.draw import MS, S
from fuzz.generate.qdiscs import Queue, limit, qdisc, shaper
from fuzz.generate.wire import wire

if TYPE_CHECKING:
    from fuzz.generate.scale import Scale

__all__ = ["Shape", "access", "network", "shape"]

Table = dict[str, Any]


@dataclass
class Shape:
    """The shape of a network, drawn before its links."""

    kind: str
    routers: list[str]
    ends: list[tuple[str, str]] = field(default_factory=list)
    """Ends of each link of a graph."""
    backward: bool = False
    """Whether flows may go from the last router to the first."""


def shape(scale: Scale) -> Shape:
    """Draw a network's routers and their connections."""
    draw = scale.draw
    kind = draw.weighted((60, "dumbbell"), (18, "parking-lot"), (22, "graph"))
    if not scale.is_rated:
        kind = "graph"
    if kind == "dumbbell":
        return Shape(kind, ["left", "right"], backward=draw.chance(0.15))
    if kind == "parking-lot":
        hops = draw.weighted((70, 2), (20, 3), (10, 5))
        return Shape(
            kind, [f"r{number}" for number in range(1, hops + 2)], backward=draw.chance(0.1)
        )
    count = draw.weighted((50, 2), (30, 3), (20, 5))
    routers = [draw.one(["n", "node-", "N_"]) + str(number) for number in range(count)]
    if len(set(routers)) < count:
        routers = [f"n{number}" for number in range(count)]
    ends = list(itertools.pairwise(routers))
    for _ in range(draw.weighted((60, 0), (30, 1), (10, 3))):
        one, other = draw.random.sample(routers, 2)
        if (one, other) not in ends:
            ends.append((one, other))
    return Shape(kind, routers, ends, backward=draw.chance(0.2))


def access(scale: Scale) -> Table:
    """Draw a table of access links."""
    draw = scale.draw
    table: Table = {}
    if draw.chance(0.6):
        table["delay"] = times_below(scale, max(1, scale.duration // 10))
    if draw.chance(0.4) and scale.wire:
        table["rate"] = (
            rates(scale, max(1, scale.line // 10), 10 * scale.line)
            if draw.chance(0.9)
            else "unlimited"
        )
    if draw.chance(0.15):
        table["jitter"] = times_below(scale, max(1, scale.duration // 50))
    if "rate" in table and "(" not in table["rate"] and draw.chance(0.4):
        table["limit"] = draw.packets(1, 100) if draw.chance(0.8) else "unlimited"
    return table


def _schedule(scale: Scale) -> Table:
    draw = scale.draw
    instants = [
        0,
        *sorted({draw.whole(1, max(1, scale.duration)) for _ in range(draw.whole(0, 4))}),
    ]
    steps = [
        [draw.time_text(at), "0bit/s" if at and draw.chance(0.2) else scale.line_rate()]
        for at in instants
    ]
    table: Table = {"schedule": steps}
    if draw.chance(0.4):
        least = max(MS, instants[-1] + scale.tick)
        table["period"] = draw.time(least, least + scale.duration)
    return table


def _trace(scale: Scale) -> Table:
    """Draw a Mahimahi trace with about as many opportunities in the run as packets may cross."""
    draw = scale.draw
    count = draw.whole(1, 12)
    # Cycles are whole milliseconds; a shorter run sees the first opportunity only.
    longest = max(1, count * (scale.duration // MS) // max(scale.packets, 1))
    longest = min(max(longest, 1) * draw.whole(1, 4), 10**8)
    lines = sorted(draw.whole(0, longest) for _ in range(count))
    lines[-1] = max(lines[-1], longest)
    return {"trace": scale.file("trace", "".join(f"{ms}\n" for ms in lines))}


def _rate(scale: Scale) -> tuple[Any, int | None]:
    """Draw a rate; also return its number in bit/s if it is constant."""
    kind = scale.draw.weighted((86, "constant"), (9, "schedule"), (5, "trace"))
    if kind == "schedule":
        return _schedule(scale), None
    if kind == "trace":
        return _trace(scale), None
    text = scale.line_rate()
    return text, _core.parse_rate(text)


def _queue(scale: Scale, table: Table, queue: Queue, *, default_holds: bool) -> None:
    """Draw a discipline and a limit, or neither if the default limit holds a packet."""
    draw = scale.draw
    if draw.chance(0.06):
        table["qdisc"] = shaper(queue)
        if "latency" in table["qdisc"]:
            if draw.chance(0.3):
                table["limit"] = "unlimited"
            return
        table["limit"] = draw.packets(1, 100)
        return
    if draw.chance(0.65):
        table["qdisc"] = qdisc(queue)
    if not default_holds or draw.chance(0.8):
        table["limit"] = limit(queue)
        if table.get("qdisc") in (None, "fifo", {"kind": "fifo"}) and draw.chance(0.1):
            table["limit"] = _limits(queue)


def _limits(queue: Queue) -> Table:
    """Draw a schedule of limits."""
    scale, draw = queue.scale, queue.scale.draw
    longest = max(1, scale.duration)
    instants = [0, *sorted({draw.whole(1, longest) for _ in range(draw.whole(0, 3))})]
    return {"schedule": [[draw.time_text(at), limit(queue)] for at in instants]}


def _direction(scale: Scale, table: Table, rate: int | None, delay: int, *, has_rate: bool) -> None:
    bdp = 0 if rate is None else rate * delay // (8 * S)
    queue = Queue(scale, rate, bdp)
    if has_rate:
        _queue(scale, table, queue, default_holds=bdp >= scale.largest)
    table.update(wire(scale, has_delay=delay > 0, has_rate=has_rate))


def _reverse(scale: Scale, forward_delay: int, *, may_be_free: bool) -> Table:
    draw = scale.draw
    table: Table = {}
    delay = forward_delay
    if draw.chance(0.3):
        delay = scale.delay_ps()
        table["delay"] = draw.time_text(delay)
    kind = draw.weighted((50, "own"), (30, "same"), (20 if may_be_free else 0, "unlimited"))
    if kind == "unlimited":
        table |= {"rate": "unlimited", "qdisc": "fifo", "limit": "unlimited"}
        table.update(wire(scale, has_delay=delay > 0, has_rate=False, often=0.5))
        table.setdefault("outages", [])
        return table
    rate: int | None = None
    if kind == "own":
        table["rate"], rate = _rate(scale)
        # The other direction's limit may be less than a packet at this rate.
        table["limit"] = draw.packets(1, 200)
        table["qdisc"] = qdisc(Queue(scale, rate, 0)) if draw.chance(0.5) else "fifo"
    table.update(wire(scale, has_delay=delay > 0, has_rate=True, often=0.5))
    if "outages" not in table and draw.chance(0.3):
        table["outages"] = []
    return table


def _link(scale: Scale, *, may_be_free: bool) -> Table:
    """Draw a bottleneck or a link of a graph, without its ends."""
    draw = scale.draw
    delay = scale.delay_ps()
    table: Table = {"delay": draw.time_text(delay)}
    if scale.is_rated:
        table["rate"], rate = _rate(scale)
        _direction(scale, table, rate, delay, has_rate=True)
        if draw.chance(0.35):
            table["reverse"] = _reverse(scale, delay, may_be_free=may_be_free)
    else:
        if draw.chance(0.5):
            table["rate"] = "unlimited"
        _direction(scale, table, None, delay, has_rate=False)
        if draw.chance(0.2):
            table["qdisc"] = shaper(Queue(scale, None, 0))
            table["qdisc"].pop("latency", None)
            table["limit"] = draw.packets(1, 100)
        if draw.chance(0.3):
            table["reverse"] = wire(scale, has_delay=delay > 0, has_rate=False)
    return table


def network(scale: Scale, made: Shape) -> Table:
    """Draw the table `network`; for a graph also the tables beside it."""
    draw = scale.draw
    free = not made.backward
    tables: Table = {}
    if made.kind == "dumbbell":
        tables["network"] = {"kind": "dumbbell", "bottleneck": _link(scale, may_be_free=free)}
    elif made.kind == "parking-lot":
        hops = [_link(scale, may_be_free=free) for _ in made.routers[1:]]
        tables["network"] = {"kind": "parking-lot", "bottlenecks": hops}
    else:
        tables = _graph(scale, made)
    if draw.chance(0.4):
        tables["network"]["access"] = access(scale)
    return tables


def _graph(scale: Scale, made: Shape) -> Table:
    draw = scale.draw
    nodes: list[Any] = [{"name": name} if draw.chance(0.5) else name for name in made.routers]
    links = []
    for index, (source, destination) in enumerate(made.ends):
        link: Table = {"from": source, "to": destination}
        if draw.chance(0.4):
            link["name"] = f"link{index}"
        link |= _link(scale, may_be_free=False)
        # The chain from first to last leads both ways; other links need not.
        if index >= len(made.routers) - 1 and draw.chance(0.4):
            link["reverse"] = False
        links.append(link)
    if draw.chance(0.5):
        return {"network": {"kind": "graph"}, "nodes": nodes, "links": links}
    return {"network": {"kind": "graph", "nodes": nodes, "links": links}}


def link_names(made: Shape, tables: Table) -> list[str]:
    """Return the names of the links of both directions."""
    if made.kind == "dumbbell":
        names = ["bottleneck"]
        one_way: list[bool] = [False]
    elif made.kind == "parking-lot":
        names = [f"bottleneck{number}" for number in range(1, len(made.routers))]
        one_way = [False] * len(names)
    else:
        links = tables.get("links") or tables["network"]["links"]
        names = [link.get("name") or f"{link['from']}-{link['to']}" for link in links]
        one_way = [link.get("reverse") is False for link in links]
    return [
        name
        for forward, is_alone in zip(names, one_way, strict=True)
        for name in ([forward] if is_alone else [forward, f"{forward}.reverse"])
    ]
