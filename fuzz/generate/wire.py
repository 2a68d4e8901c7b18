"""A link's wire: losses, impairments, outages, slots; and the policer before its queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzz.generate.distributions import times, times_below
from fuzz.generate.draw import MS

if TYPE_CHECKING:
    from fuzz.generate.scale import Scale

__all__ = ["wire"]

Table = dict[str, Any]


def _share(scale: Scale) -> float:
    """Draw a probability; most are small, 0 and 1 are possible."""
    draw = scale.draw
    if draw.chance(0.12):
        return draw.one([0, 1, 0.0, 1.0])
    return draw.share(ends=0) if draw.chance(0.3) else draw.whole(1, 60) / 1000


def _correlation(scale: Scale) -> float:
    return scale.draw.one([0.0, 0.25, 0.9, 0.999])


def _loss(scale: Scale) -> Table:
    draw = scale.draw
    kind = draw.one(["bernoulli", "steps", "gilbert-elliott", "periodic", "list", "bursts"])
    table: Table = {"kind": kind}
    if kind == "bernoulli":
        table["p"] = _share(scale)
    elif kind == "steps":
        instants = sorted({draw.whole(0, scale.duration) for _ in range(draw.whole(1, 4))})
        table["schedule"] = [[draw.time_text(at), _share(scale)] for at in instants]
    elif kind == "gilbert-elliott":
        table["p"] = _share(scale)
        for name in ("r", "loss_bad", "loss_good"):
            if draw.chance(0.5):
                table[name] = _share(scale)
    elif kind == "periodic":
        table["every"] = draw.spread(1, 1000)
        if draw.chance(0.5):
            table["offset"] = draw.spread(1, 1000) if draw.chance(0.8) else 0
    elif kind == "bursts":
        table["length"] = times_below(scale, max(1, scale.duration // 50))
        table["gap"] = times(scale, max(MS, scale.duration // 100), max(MS, scale.duration // 2))
    else:
        table["packets"] = sorted({draw.spread(1, scale.packets) for _ in range(draw.whole(1, 8))})
    if draw.chance(0.4):
        table["acks"] = draw.chance(0.5)
    if draw.chance(0.2):
        start = draw.whole(0, scale.duration)
        table["start"] = draw.time_text(start)
        if draw.chance(0.5):
            table["stop"] = draw.time(start + scale.tick, start + scale.tick + scale.duration)
    return table


def _each(scale: Scale) -> Any:
    """Draw duplicates or damage: a table, or its probability alone."""
    draw = scale.draw
    if draw.chance(0.4):
        return _share(scale)
    table: Table = {"p": _share(scale)}
    if draw.chance(0.5):
        table["correlation"] = _correlation(scale)
    if draw.chance(0.5):
        table["acks"] = draw.chance(0.5)
    return table


def _delay_schedule(scale: Scale) -> Any:
    draw = scale.draw
    instants = sorted({draw.whole(0, scale.duration) for _ in range(draw.whole(1, 4))})
    steps = [[draw.time_text(at), scale.delay()] for at in instants]
    if draw.chance(0.4):
        return steps
    table: Table = {"steps": steps, "reorder": draw.chance(0.5)}
    if draw.chance(0.4):
        table["period"] = draw.time(
            instants[-1] + scale.tick, instants[-1] + scale.tick + scale.duration
        )
    return table


def _jitter(scale: Scale) -> Any:
    draw = scale.draw
    spread = times_below(scale, max(1, scale.duration // 20), fixed=0.2)
    if draw.chance(0.4):
        return spread
    return {"distribution": spread, "correlation": _correlation(scale), "reorder": draw.chance(0.5)}


def _reorder(scale: Scale, *, has_delay: bool) -> Any:
    draw = scale.draw
    table: Table = {"p": _share(scale)}
    if not has_delay or draw.chance(0.4):
        table["extra"] = times_below(scale, max(1, scale.duration // 20))
    elif draw.chance(0.3):
        return table["p"]
    if draw.chance(0.5):
        table["gap"] = draw.spread(1, 50)
    if draw.chance(0.4):
        table["correlation"] = _correlation(scale)
    if draw.chance(0.4):
        table["acks"] = draw.chance(0.5)
    return table


def outages(scale: Scale, *, lossy: bool | None = None) -> Any:
    """Draw times when the link is down; without a rate it must lose its packets then."""
    draw = scale.draw
    bounds = sorted({draw.whole(0, scale.duration) for _ in range(2 * draw.whole(1, 3))})
    if len(bounds) < 2 or draw.chance(0.03):
        return {"windows": [], "lossy": True} if lossy else []
    windows = [
        [draw.time_text(begin), draw.time_text(end)]
        for begin, end in zip(bounds[::2], bounds[1::2], strict=False)
    ]
    if lossy is None and draw.chance(0.4):
        return windows
    table: Table = {"windows": windows, "lossy": draw.chance(0.5) if lossy is None else lossy}
    if draw.chance(0.4):
        # A pause of at least a tick: without it the link would be down for ever.
        table["period"] = draw.time(max(MS, bounds[-1] + scale.tick), max(MS, 2 * scale.duration))
    return table


def _slot(scale: Scale) -> Any:
    draw = scale.draw
    least = draw.spread(max(1, scale.tick // 4), max(1, scale.duration // 10))
    if draw.chance(0.4):
        return draw.time_text(least)
    table: Table = {"min_delay": draw.time_text(least)}
    if draw.chance(0.5):
        table["max_delay"] = draw.time_text(least * draw.whole(1, 4))
        if draw.chance(0.1):
            table["min_delay"] = "0s"
    if draw.chance(0.5):
        table["packets"] = draw.spread(1, 64)
    if draw.chance(0.5):
        table["bytes"] = draw.size(1, 100_000)
    return table


def wire(scale: Scale, *, has_delay: bool, has_rate: bool, often: float = 1.0) -> Table:
    """Draw keys of a link's direction, each `often` times as probable as usual."""
    draw = scale.draw
    table: Table = {}
    if draw.chance(0.3 * often):
        table["loss"] = _loss(scale)
    if draw.chance(0.06 * often):
        rule = draw.one(["bleach", "clear-ce", "ect1-to-ect0"])
        table["ecn_rewrite"] = rule if draw.chance(0.7) else {"rule": rule}
    if draw.chance(0.1 * often):
        table["duplicate"] = _each(scale)
    if draw.chance(0.1 * often):
        table["corrupt"] = _each(scale)
    if draw.chance(0.1 * often):
        table["delay_schedule"] = _delay_schedule(scale)
    if draw.chance(0.15 * often):
        table["jitter"] = _jitter(scale)
    if draw.chance(0.12 * often):
        table["reorder"] = _reorder(scale, has_delay=has_delay or "jitter" in table)
    if draw.chance(0.08 * often):
        table["outages"] = outages(scale, lossy=None if has_rate else True)
    if draw.chance(0.08 * often):
        table["slot"] = _slot(scale)
    if draw.chance(0.1 * often):
        table["policer"] = {
            "rate": draw.rate(max(1, scale.line // 10), 2 * scale.line),
            "burst": draw.size(scale.largest, scale.largest * draw.one([1, 10, 100])),
        }
    return table
