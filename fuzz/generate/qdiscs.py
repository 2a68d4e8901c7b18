"""Queue disciplines with their parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock import _core
from fuzz.generate.draw import MS, US, S

if TYPE_CHECKING:
    from collections.abc import Callable

    from fuzz.generate.scale import Scale

__all__ = ["Queue", "limit", "qdisc", "shaper"]

Table = dict[str, Any]

SHORT = ("fifo", "red", "codel", "fq_codel", "pie", "fq_pie", "cobalt", "dualpi2", "prio", "drr")
"""Disciplines that need no options."""


class Queue:
    """Properties of a link from which its discipline is drawn."""

    def __init__(self, scale: Scale, rate: int | None, bdp: int) -> None:
        self.scale = scale
        self.rate = rate
        """Rate, bit/s; None if it is unlimited or varies."""
        self.bdp = bdp
        """Least possible bandwidth-delay product, bytes; 0 if it is not known."""


def _optional(scale: Scale, table: Table, **values: Callable[[], Any]) -> Table:
    for name, value in values.items():
        if scale.draw.chance(0.4):
            table[name] = value()
    return table


def limit(queue: Queue) -> str:
    """Draw the limit of a queue: at least the largest packet."""
    scale, draw = queue.scale, queue.scale.draw
    kind = draw.weighted(
        (45, "packets"), (20, "bytes"), (15, "bdp"), (10, "time"), (10, "unlimited")
    )
    if kind == "unlimited":
        return kind
    if kind == "bdp" and queue.bdp >= scale.largest:
        least = 100 * scale.largest // queue.bdp + 1
        return f"{draw.spread(least, 10 * least + 200) / 100}bdp"
    if kind == "time" and queue.rate is not None:
        packet = scale.largest * 8 * S // queue.rate + 1
        # A queue of more than 213 days is refused.
        most = min(packet * draw.one([2, 20, 1000]), 180 * 24 * 3600 * S)
        return draw.time(packet, max(packet, most))
    if kind == "bytes":
        return draw.size(scale.largest, scale.largest * draw.one([1, 5, 50, 1000]))
    return draw.packets(1, draw.one([1, 5, 50, 1000]))


def _span(scale: Scale) -> str:
    """Draw a time that matters in a run of this length, ps."""
    return scale.draw.time(
        1 if scale.draw.chance(0.05) else max(1, scale.duration // 10_000), max(1, scale.duration)
    )


def _length(queue: Queue, low: int) -> str:
    """Draw a length of the queue, packets or bytes: at least `low` full packets."""
    scale, draw = queue.scale, queue.scale.draw
    count = draw.spread(low, 40 * low)
    return f"{count} packets" if draw.chance(0.6) else f"{count * scale.largest} bytes"


def _red(queue: Queue) -> Table:
    scale, draw = queue.scale, queue.scale.draw
    table: Table = {"kind": "red"}
    if draw.chance(0.4):
        low = draw.spread(1, 20)
        table["min_threshold"] = f"{low} packets"
        table["max_threshold"] = f"{low + draw.spread(1, 60)} packets"
    return _optional(
        scale,
        table,
        max_p=lambda: max(draw.share(), 0.001),
        weight=lambda: max(draw.share(), 0.0001) if draw.chance(0.7) else "auto",
        gentle=lambda: draw.chance(0.5),
        wait=lambda: draw.chance(0.5),
        adaptive=lambda: draw.chance(0.5),
        byte_mode=lambda: draw.chance(0.5),
        mean_packet=lambda: draw.size(1, 9000) if draw.chance(0.7) else "auto",
        target_delay=lambda: _span(scale),
        ecn=lambda: draw.chance(0.5),
    )


def _step(queue: Queue) -> Table:
    draw = queue.scale.draw
    kinds = ["length", "time"] if queue.rate is not None else ["length"]
    return {
        "kind": "step",
        "threshold": _span(queue.scale) if draw.one(kinds) == "time" else _length(queue, 1),
    }


def _control(scale: Scale, table: Table) -> Table:
    return _optional(
        scale,
        table,
        target=lambda: _span(scale),
        interval=lambda: _span(scale),
        ecn=lambda: scale.draw.chance(0.5),
        ce_threshold=lambda: _span(scale),
    )


def _queues(scale: Scale, table: Table) -> Table:
    draw = scale.draw
    return _optional(
        scale,
        table,
        flows=lambda: draw.spread(1, 65_536),
        quantum=lambda: f"{draw.spread(256, 1 << 20)} bytes",
        memory_limit=lambda: draw.size(scale.largest, 1 << 25),
    )


def _codel(queue: Queue) -> Table:
    return _control(queue.scale, {"kind": "codel"})


def _fq_codel(queue: Queue) -> Table:
    table = _queues(queue.scale, _control(queue.scale, {"kind": "fq_codel"}))
    return _optional(queue.scale, table, drop_batch=lambda: queue.scale.draw.spread(1, 10_000))


def _update(scale: Scale) -> str:
    """Draw the period of a controller: at most some thousands of them in a run."""
    least = max(US, scale.duration // 4000)
    return scale.draw.time(least, max(least, scale.duration // 4, 15 * MS))


def _pie_control(scale: Scale, table: Table) -> Table:
    draw = scale.draw
    # The default of 15 ms would make too many updates in a run of hours.
    if scale.duration > 4000 * 15 * MS or draw.chance(0.4):
        table["tupdate"] = _update(scale)
    return _optional(
        scale,
        table,
        target=lambda: _span(scale),
        alpha=lambda: draw.whole(0, 32),
        beta=lambda: draw.whole(0, 32),
        ecn=lambda: draw.chance(0.5),
        ecn_prob=lambda: round(100 * draw.share(), 2),
        bytemode=lambda: draw.chance(0.5),
        dq_rate_estimator=lambda: draw.chance(0.5),
        max_burst=lambda: _span(scale) if draw.chance(0.8) else "0s",
    )


def _pie(queue: Queue) -> Table:
    return _pie_control(queue.scale, {"kind": "pie"})


def _fq_pie(queue: Queue) -> Table:
    return _queues(queue.scale, _pie_control(queue.scale, {"kind": "fq_pie"}))


def _cobalt(queue: Queue) -> Table:
    scale, draw = queue.scale, queue.scale.draw
    return _optional(
        scale,
        {"kind": "cobalt"},
        target=lambda: _span(scale),
        interval=lambda: _span(scale),
        ecn=lambda: draw.chance(0.5),
        p_inc=draw.share,
        p_dec=draw.share,
    )


def _dualpi2(queue: Queue) -> Table:
    scale, draw = queue.scale, queue.scale.draw
    table: Table = {"kind": "dualpi2"}
    least = max(US, scale.duration // 4000)
    if draw.chance(0.3):
        longest = draw.spread(3 * least, max(3 * least, scale.duration))
        if draw.chance(0.6):
            table["max_rtt"] = draw.time_text(max(longest, 6 * least))
        if draw.chance(0.6) or "max_rtt" not in table:
            table["typical_rtt"] = draw.time(least, longest)
    else:
        if scale.duration > 4000 * 16 * MS or draw.chance(0.4):
            table["tupdate"] = _update(scale)
        _optional(
            scale,
            table,
            target=lambda: _span(scale),
            alpha=lambda: draw.number(0.0, 65_535.0),
            beta=lambda: draw.number(0.0, 65_535.0),
        )
    return _optional(
        scale,
        table,
        step_thresh=lambda: _span(scale) if draw.chance(0.6) else draw.packets(1, 50),
        min_qlen_step=lambda: draw.one([0, 2, draw.spread(1, 10_000)]),
        coupling_factor=lambda: draw.spread(1, 255),
        drop_on_overload=lambda: draw.chance(0.5),
        drop_enqueue=lambda: draw.chance(0.5),
        classic_protection=lambda: draw.whole(0, 100),
        any_ect=lambda: draw.chance(0.5),
    )


def _prio(queue: Queue) -> Table:
    draw = queue.scale.draw
    table: Table = {"kind": "prio"}
    bands = 3
    if draw.chance(0.5):
        bands = table["bands"] = draw.whole(2, 16)
    if bands < 3 or draw.chance(0.4):
        table["priomap"] = [draw.whole(0, bands - 1) for _ in range(16)]
    if draw.chance(0.4):
        table["children"] = [qdisc(queue, depth=1) for _ in range(bands)]
    return table


def _drr(queue: Queue) -> Table:
    scale, draw = queue.scale, queue.scale.draw
    table: Table = {"kind": "drr"}
    by_priority = draw.chance(0.4)
    if by_priority:
        table["by"] = "priority"
    elif draw.chance(0.3):
        table["by"] = "flow"
    if by_priority and draw.chance(0.6):
        chosen = sorted(draw.random.sample(range(16), draw.whole(1, 4)))
        table["quanta"] = {
            str(priority): f"{draw.spread(100, 20_000)} bytes" for priority in chosen
        }
    return _optional(scale, table, quantum=lambda: f"{draw.spread(100, 20_000)} bytes")


def shaper(queue: Queue) -> Table:
    """Draw a token bucket filter; its limit may stand in place of the link's."""
    scale, draw = queue.scale, queue.scale.draw
    rate = draw.spread(max(1, scale.line // 20), 2 * scale.line)
    table: Table = {
        "kind": "tbf",
        "rate": draw.rate(rate, rate),
        "burst": draw.size(scale.largest, scale.largest * draw.one([1, 10, 100])),
    }
    if draw.chance(0.3):
        table["peakrate"] = draw.rate(rate + 1 + rate // 50, rate * 10 + 10)
        table["mtu"] = draw.size(scale.largest, 4 * scale.largest)
    if draw.chance(0.3):
        table["latency"] = draw.time(scale.tick, scale.duration)
    inner = Queue(scale, min(rate, queue.rate) if queue.rate is not None else rate, 0)
    if draw.chance(0.5):
        table["qdisc"] = qdisc(inner, depth=1)
    return table


_KINDS: dict[str, Callable[[Queue], Table]] = {
    "red": _red,
    "step": _step,
    "codel": _codel,
    "fq_codel": _fq_codel,
    "pie": _pie,
    "fq_pie": _fq_pie,
    "cobalt": _cobalt,
    "dualpi2": _dualpi2,
    "prio": _prio,
    "drr": _drr,
}


def qdisc(queue: Queue, *, depth: int = 0) -> Any:
    """Draw a discipline, in its short form or with options, inside `depth` others."""
    draw = queue.scale.draw
    is_long = queue.scale.duration > 4000 * 15 * MS
    if draw.chance(0.5 if depth else 0.25):
        return draw.one(
            [kind for kind in SHORT if not (is_long and kind in ("pie", "fq_pie", "dualpi2"))]
        )
    if draw.chance(0.05):
        return {"kind": "fifo"}
    kinds = [kind for kind in _KINDS if depth == 0 or kind != "prio"]
    return _KINDS[draw.one(kinds)](queue)


def least_rate(table: Any) -> int | None:
    """Return the rate of a shaper, bit/s."""
    return (
        _core.parse_rate(table["rate"])
        if isinstance(table, dict) and table["kind"] == "tbf"
        else None
    )
