"""Options of the transport."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock import _core
from ackclock.scenario.profiles import PROFILES
from fuzz.generate.distributions import times_below
from fuzz.generate.draw import MS, US

if TYPE_CHECKING:
    from collections.abc import Collection

    from fuzz.generate.scale import Scale

__all__ = ["LARGEST_MSS", "full_packet", "transport"]

LARGEST_MSS = 65_000
_LARGEST_WINDOW = 1 << 30

Options = dict[str, Any]

_CHOICES: dict[str, list[Any]] = {
    "window_counting": ["bytes", "packets"],
    "ack_counting": ["bytes", "packets"],
    "delayed_ack_adapts": [True, False],
    "ack_pushed": [True, False],
    "timestamps": [True, False],
    "window_approach": ["inflation", "prr", "prr-linux"],
    "limited_transmit": [True, False],
    "frto": [True, False],
    "undo": [True, False],
    "min_rto_bounds_variance": [True, False],
    "rtt_timing": ["every-ack", "one-per-rtt"],
    "loss_rules": ["rfc", "ns-2"],
    "idle_restart": [True, False],
    "ecn": ["off", "classic", "accurate", "l4s"],
    "pacing": ["off", "cwnd", "cc"],
    "tso_defer": [True, False],
    "hide_marks": [True, False],
}


def _mss(scale: Scale) -> int:
    draw = scale.draw
    low, high = draw.weighted(
        (50, (1448, 1448)),
        (15, (1, 100)),
        (20, (100, 1460)),
        (12, (1461, 9000)),
        (3, (9001, LARGEST_MSS)),
    )
    return draw.spread(low, high)


def _window(scale: Scale, mss: int, *, words: tuple[str, ...]) -> str:
    draw = scale.draw
    kind = draw.weighted((50, "packets"), (20, "bytes"), (15, "bdp"), (15, "word"))
    if kind == "word":
        return draw.one(words)
    if kind == "bdp" and scale.is_rated and not scale.has_zero_delays and mss > 100:
        return f"{draw.whole(10, 40) / 10}bdp"
    most = max(1, scale.packets // 2)
    return draw.size(1, most * mss) if kind == "bytes" else draw.packets(1, most)


def _detection(scale: Scale, options: Options) -> None:
    """Draw the loss detection, and the options that are possible only with it."""
    draw = scale.draw
    if not draw.chance(0.4):
        for name in ("tail_loss_probe", "dsack"):
            if draw.chance(0.1):
                options[name] = False
        return
    detection = options["loss_detection"] = draw.one(["dupack", "sack", "rack"])
    if detection == "dupack" and draw.chance(0.7):
        options["dupack_recovery"] = draw.one(["tahoe", "reno", "newreno"])
    if draw.chance(0.3):
        options["tail_loss_probe"] = detection == "rack" and draw.chance(0.5)
    if draw.chance(0.3):
        options["dsack"] = detection != "dupack" and draw.chance(0.5)


def _timers(scale: Scale, options: Options) -> None:
    draw, tick = scale.draw, scale.tick
    longest = max(scale.duration, 2 * tick)
    if draw.chance(0.25):
        least = draw.spread(1, longest)
        options["min_rto"] = draw.time_text(least)
        options["max_rto"] = draw.time(max(tick, least), max(longest, least))
    if draw.chance(0.15):
        options["initial_rto"] = draw.time(tick, longest)
    if draw.chance(0.1):
        options["delayed_ack_timeout"] = draw.time(1, longest)
    if draw.chance(0.1):
        options["sack_delay"] = draw.time(1, 10 * MS) if draw.chance(0.8) else "0s"
    if draw.chance(0.1):
        options["rtt_clock"] = draw.time(1, longest) if draw.chance(0.8) else "0s"
    if draw.chance(0.1):
        # A clock of 32 bits that must not wrap.
        options["timestamp_clock"] = draw.time(max(US, longest >> 28), max(100 * MS, longest >> 10))
    for name in ("host_time", "clock_phase"):
        if draw.chance(0.08):
            options[name] = times_below(scale, max(1, longest // 100))


def _counts(scale: Scale, options: Options) -> None:
    draw = scale.draw
    if draw.chance(0.2):
        options["delayed_ack"] = draw.spread(1, 1_000_000) if draw.chance(0.2) else draw.whole(1, 8)
    if draw.chance(0.1):
        options["quick_acks"] = draw.one([0, 1, 16, draw.spread(1, 1_000_000)])
    if draw.chance(0.1):
        options["syn_linear_timeouts"] = draw.whole(0, 127)
    if draw.chance(0.05):
        options["ack_division"] = draw.whole(1, 8)


def _sizes(scale: Scale, options: Options, mss: int) -> None:
    draw = scale.draw
    if "mss" in options or draw.chance(0.15):
        most = min(_LARGEST_WINDOW, mss * draw.one([1, 4, 100, 100_000]))
        options["receive_buffer"] = draw.size(mss, most)
    if draw.chance(0.15):
        options["initial_receive_window"] = draw.size(1, 100 * mss)
    if draw.chance(0.1):
        options["header"] = draw.size(1, 100)
    if draw.chance(0.25):
        options["initial_window"] = _window(scale, mss, words=("rfc3390", "rfc6928"))
    if draw.chance(0.2):
        options["ssthresh"] = _window(scale, mss, words=("unlimited",))
    if draw.chance(0.15):
        options["max_cwnd"] = _window(scale, mss, words=("unlimited",))
    if draw.chance(0.08):
        line = scale.packets * mss * 8 * 10**12 // max(scale.duration, 1)
        options["read_rate"] = (
            draw.rate(max(1, line // 50), max(1, 2 * line)) if draw.chance(0.8) else "unlimited"
        )


def transport(scale: Scale, before: Options, forbidden: Collection[str]) -> Options:
    """Draw a table of options over the options `before`, without the `forbidden` ones."""
    draw = scale.draw
    options: Options = {}
    if draw.chance(0.5):
        options["mss"] = f"{_mss(scale)} bytes"
    mss = _core.parse_size(str(options.get("mss", before["mss"])))
    _sizes(scale, options, mss)
    _detection(scale, options)
    _timers(scale, options)
    _counts(scale, options)
    for name, values in _CHOICES.items():
        if draw.chance(0.12):
            options[name] = draw.one(values)
    return {name: value for name, value in options.items() if name not in forbidden}


def bound(scale: Scale, options: Options) -> None:
    """Bound the data in flight for a network without rates."""
    options["max_cwnd"] = scale.draw.packets(1, max(1, scale.packets // 50))


def full_packet(options: Options) -> int:
    """Return the bytes of a full packet; the options must be complete."""
    timestamps = bool(options.get("timestamps", False))
    header = options.get("header", "52 bytes" if timestamps else "40 bytes")
    return _core.parse_size(str(options["mss"])) + _core.parse_size(str(header))


def complete(profile: str, *tables: Options) -> Options:
    """Return a profile's options with tables laid over them."""
    found = dict(PROFILES[profile])
    for table in tables:
        found.update(table)
    return found
