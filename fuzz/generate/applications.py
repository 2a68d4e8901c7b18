"""Applications of flows: every one of the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzz.generate.distributions import counts, sizes, times, times_below
from fuzz.generate.draw import MS, US, S

if TYPE_CHECKING:
    from collections.abc import Callable

    from fuzz.generate.scale import Scale

__all__ = ["STREAMS", "application", "largest_datagram"]

Table = dict[str, Any]

STREAMS = ("cbr", "voice", "video")
"""Applications that send over UDP."""

_CODECS = {"g711": 64_000, "g711-without-plc": 64_000, "g729a": 8_000, "opus": 20_000}


def _optional(scale: Scale, table: Table, **values: Callable[[], Any]) -> Table:
    """Return the table with some of these keys."""
    for name, value in values.items():
        if scale.draw.chance(0.5):
            table[name.rstrip("_")] = value()
    return table


def _object(scale: Scale) -> int:
    """Return the largest size of things that are moved often, bytes."""
    return max(1, scale.packets * scale.wire // 8)


def _bulk(scale: Scale) -> Any:
    return {"kind": "bulk"} if scale.draw.chance(0.05) else "bulk"


def _file(scale: Scale) -> Table:
    return {"kind": "file", "size": scale.draw.size(1, 2 * scale.packets * scale.wire)}


def _writes(scale: Scale) -> Table:
    draw = scale.draw
    instants = sorted(draw.whole(0, scale.duration) for _ in range(draw.whole(1, 8)))
    if draw.chance(0.3):
        instants[0] = 0
    return {
        "kind": "writes",
        "writes": [[draw.time_text(at), draw.size(1, _object(scale))] for at in instants],
    }


def _application_limited(scale: Scale) -> Table:
    table: Table = {
        "kind": "application-limited",
        "rate": scale.draw.rate(max(1, scale.line // 100), 2 * scale.line),
    }
    table["every"] = scale.draw.time(scale.tick, max(scale.duration // 2, 1))
    return table


def _on_off(scale: Scale) -> Table:
    table: Table = {
        "kind": "on-off",
        "on": times(scale, scale.tick, scale.duration),
        "off": times(scale, scale.tick, scale.duration),
    }
    write = max(1, scale.packets * scale.wire // 400)
    return _optional(
        scale,
        table,
        rate=lambda: scale.draw.rate(max(1, scale.line // 50), scale.line),
        write=lambda: scale.draw.size(write, 100 * write),
    )


def _repeated(scale: Scale) -> Table:
    draw = scale.draw
    return _optional(
        scale,
        {"kind": "repeated", "size": sizes(scale, 1, _object(scale))},
        think=lambda: times(scale, scale.tick, scale.duration // 4) if draw.chance(0.8) else "0s",
        files=lambda: draw.whole(1, 50),
    )


def _short_flows(scale: Scale) -> Table:
    draw = scale.draw
    size = max(1, scale.packets * scale.wire // 200)
    table: Table = {"kind": "short-flows", "size": sizes(scale, size, 20 * size)}
    if scale.is_rated and draw.chance(0.5):
        table["load"] = round(draw.number(0.01, 2.0), 3)
    else:
        table["interval"] = times(scale, 2 * scale.tick, max(scale.duration // 2, 2 * scale.tick))
    table = _optional(scale, table, files=lambda: draw.whole(1, 50))
    if draw.chance(0.97):
        table["connections"] = draw.whole(1, 8)
    return table


def _web(scale: Scale) -> Table:
    draw, size = scale.draw, max(1, scale.packets * scale.wire // 100)
    table: Table = {"kind": "web"}
    arrives = draw.chance(0.5)
    if arrives and scale.is_rated and draw.chance(0.5):
        table["load"] = round(draw.number(0.01, 1.5), 3)
    elif arrives:
        table["arrivals"] = times(scale, 20 * scale.tick, max(scale.duration, 20 * scale.tick))
    _optional(
        scale,
        table,
        pages=lambda: draw.whole(1, 5) if draw.chance(0.2) else counts(scale, 4),
        main=lambda: sizes(scale, 1, 2 * size),
        embedded=lambda: sizes(scale, 1, size),
        objects=lambda: counts(scale, 6),
        parsing=lambda: times(scale, scale.tick, scale.duration // 10),
        reading=lambda: times(scale, 4 * scale.tick, scale.duration),
        persistent=lambda: draw.chance(0.6),
        request=lambda: draw.size(1, size),
        keep_alive=lambda: draw.time(scale.tick, scale.duration) if draw.chance(0.8) else "0s",
    )
    parallel = draw.whole(1, 6)
    if arrives and draw.chance(0.02):
        return table
    table["parallel"] = parallel
    if arrives or draw.chance(0.5):
        table["connections"] = draw.whole(parallel, parallel + 4)
    return table


def _request_response(scale: Scale) -> Table:
    draw, size = scale.draw, _object(scale)
    return _optional(
        scale,
        {"kind": "request-response", "response": sizes(scale, 1, size)},
        request=lambda: sizes(scale, 1, size),
        server=lambda: times(scale, scale.tick, scale.duration // 10),
        think=lambda: times(scale, scale.tick, scale.duration // 10),
        requests=lambda: draw.whole(1, 50),
    )


def _incast(scale: Scale) -> Table:
    draw, size = scale.draw, _object(scale)
    return _optional(
        scale,
        {"kind": "incast", "size": sizes(scale, 1, size)},
        request=lambda: draw.size(1, size),
        server=lambda: times(scale, scale.tick, scale.duration // 10),
        gap=lambda: times(scale, scale.tick, scale.duration // 10),
        rounds=lambda: draw.whole(1, 50),
        persistent=lambda: draw.chance(0.5),
    )


def _adaptive_video(scale: Scale) -> Table:
    draw = scale.draw
    segment = draw.spread(2 * scale.tick, max(scale.duration // 4, 2 * scale.tick))
    buffer = segment * draw.whole(2, 10)
    ladder = sorted(
        {draw.spread(max(1, scale.line // 50), 2 * scale.line) for _ in range(draw.whole(1, 6))}
    )
    table: Table = {
        "kind": "adaptive-video",
        "segment": draw.time_text(segment),
        "buffer": draw.time_text(buffer),
        "startup": draw.time_text(draw.spread(1, buffer)),
        "ladder": [draw.rate(rate, rate) for rate in ladder],
    }
    return _optional(
        scale,
        table,
        abr=lambda: draw.one(["bola", "buffer-based", "throughput"]),
        request=lambda: draw.size(1, 2000),
        segments=lambda: draw.whole(1, 40),
    )


def _cbr(scale: Scale) -> Table:
    draw = scale.draw
    payload = draw.whole(1, 9000) if draw.chance(0.2) else draw.whole(40, 1472)
    most = scale.packets * (payload + 28) * 8 * S // max(scale.duration, 1)
    rate = draw.rate(max(1, most // 200), max(1, most))
    return _optional(
        scale,
        {"kind": "cbr", "rate": rate, "packet": f"{payload} bytes"},
        playout=lambda: draw.time(1, scale.duration),
    )


def _voice(scale: Scale) -> Table | None:
    """Draw speech; None if no frame fits into a datagram or the run is too long."""
    draw = scale.draw
    codec = draw.one(list(_CODECS))
    rate = _CODECS[codec]
    table: Table = {"kind": "voice", "codec": codec}
    if codec == "opus" and draw.chance(0.5):
        rate = draw.spread(500, 510_000)
        table["rate"] = f"{rate} bit/s"
    shortest = max(scale.tick, 8 * S // rate + 1)
    longest = 8 * 64_000 * S // rate
    if shortest > longest:
        return None
    table["frame"] = draw.time(shortest, min(longest, max(20 * MS, shortest)))
    return _optional(
        scale,
        table,
        talk=lambda: draw.time(scale.tick, scale.duration) if draw.chance(0.7) else "0s",
        pause=lambda: draw.time(scale.tick, scale.duration) if draw.chance(0.7) else "0s",
        playout=lambda: draw.time(1, scale.duration),
        advantage=lambda: round(draw.number(0.0, 20.0), 2),
    )


def _film(scale: Scale) -> tuple[str, int]:
    """Draw a trace of a film and its duration, us; at most some dozens of its frames are sent."""
    draw = scale.draw
    step = max(1, scale.duration // US // 40)
    frames = draw.whole(2, 12)
    lines = ["# ackclock video trace 1"]
    duration = frames * step
    lines.append(f"# duration: {duration // 10**6}.{duration % 10**6:06} s")
    lines.append("# time presentation kind size after")
    for number in range(frames):
        at = f"{number * step // 10**6}.{number * step % 10**6:06}"
        kind = "I" if number == 0 else draw.one(["I", "P", "P", "B"])
        after = (
            "-"
            if kind == "I"
            else "+".join(str(one) for one in sorted({draw.whole(1, number) for _ in range(2)}))
        )
        lines.append(
            f"{at} {at} {kind} {draw.spread(1, max(1, scale.packets * scale.wire // 60))} {after}"
        )
    return scale.file("film", "\n".join(lines) + "\n"), duration


def _video(scale: Scale) -> Table:
    draw = scale.draw
    trace, duration = _film(scale)
    most = scale.packets * 8 * scale.wire * S // max(scale.duration, 1)
    return _optional(
        scale,
        {"kind": "video", "trace": trace, "packet": draw.size(max(1, min(scale.wire, 1200)), 9000)},
        begin=lambda: times_below(scale, duration * US),
        loop_=lambda: draw.chance(0.5),
        rate=lambda: draw.rate(max(1, most // 50), max(1, most)),
        playout=lambda: draw.time(1, scale.duration),
        playout_from=lambda: draw.one(["arrival", "sending"]),
    )


_KINDS: tuple[tuple[float, Callable[[Scale], Any]], ...] = (
    (40, _bulk),
    (12, _file),
    (5, _writes),
    (5, _application_limited),
    (5, _on_off),
    (3, _repeated),
    (3, _short_flows),
    (3, _web),
    (3, _request_response),
    (3, _adaptive_video),
    (3, _incast),
    (5, _cbr),
    (3, _voice),
    (4, _video),
)


def application(scale: Scale) -> Any:
    """Draw an application, as a table or in its short form."""
    made = scale.draw.weighted(*_KINDS)(scale)
    return _cbr(scale) if made is None else made


def largest_datagram(app: Any) -> int:
    """Return the bytes of a stream's largest datagram with headers; 0 if it is no stream."""
    from ackclock import _core

    if not isinstance(app, dict) or app["kind"] not in STREAMS:
        return 0
    if app["kind"] == "voice":
        rate = _core.parse_rate(app["rate"]) if "rate" in app else _CODECS[app["codec"]]
        return rate * _core.parse_time(app["frame"]) // (8 * S) + 40
    return _core.parse_size(app["packet"]) + (40 if app["kind"] == "video" else 28)
