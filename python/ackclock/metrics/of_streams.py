"""Metrics made from the table of UDP streams: voice, video, constant rate."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ackclock.metrics.registry import built_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ackclock.results.result import Result

_DELAY = "RFC 5166 section 2.1.2; RFC 7679"
_LOSS = "RFC 5166 section 2.1.3; RFC 7680"
_JITTER = "RFC 3550 section 6.4.1"
_FRAMES = "RFC 5166 section 2.8"
_VOICE = "ITU-T G.107"


def _row(result: Result, stream: str) -> dict[str, Any]:
    return next(row for row in result.streams.iter_rows(named=True) if row["name"] == stream)


def _column(column: str) -> Callable[[Result, str], float | None]:
    def value(result: Result, stream: str) -> float | None:
        number: float | None = _row(result, stream)[column]
        return number

    return value


_FRAMES_DUE = ("frames_complete", "frames_late", "frames_lost")


def _ratio(part: str, *total: str) -> Callable[[Result, str], float | None]:
    def ratio(result: Result, stream: str) -> float | None:
        row = _row(result, stream)
        whole = sum(row[column] or 0 for column in total)
        # Packets sent during the warm-up may be lost after it: a part above its total has no ratio.
        return row[part] / whole if row[part] is not None and 0 < whole >= row[part] else None

    return ratio


def _of_column(
    name: str,
    unit: str,
    source: str,
    column: str,
    definition: str,
    limits: tuple[float, float] | None = None,
) -> None:
    words = f"{definition}, mean over the streams."
    built_in(name, unit, "streams", source, words, needs=["streams"], limits=limits)(
        _column(column)
    )


def _of_ratio(name: str, source: str, part: str, *total: str, definition: str) -> None:
    words = f"{definition}, mean over the streams."
    built_in(name, "1", "streams", source, words, needs=["streams"])(_ratio(part, *total))


for _part, _label in (
    ("mean", "Mean"),
    ("p50", "Median"),
    ("p95", "95th percentile"),
    ("p99", "99th percentile"),
    ("max", "Largest"),
):
    _of_column(
        *(f"stream_delay.{_part}", "s", _DELAY, f"delay_{_part}"),
        f"{_label} of the one-way delay of a stream's packets",
    )
_of_column(
    *("stream_jitter", "s", _JITTER, "jitter"),
    "Interarrival jitter of a stream as estimated at its end",
)
_of_column(
    *("stream_jitter.max", "s", _JITTER, "jitter_max"),
    "Largest estimate of a stream's interarrival jitter",
)
_of_column(
    *("playout_delay", "s", _DELAY, "playout_delay"),
    "Mean time from the sending of a stream's packets to their playout",
)
# It falls below zero where much is lost; annex B has the scores of the worst and the best.
_of_column(
    *("r_factor", "1", _VOICE, "r_factor"),
    "E-model's rating R of a voice stream",
    limits=(-math.inf, math.inf),
)
_of_column(
    *("mos", "1", f"{_VOICE} annex B", "mos"),
    "Mean opinion score of a voice stream, from R",
    limits=(1.0, 4.5),
)
_of_ratio(
    *("stream_loss_rate", _LOSS, "lost_packets", "sent_packets"),
    definition="Packets of a stream that did not arrive, over those sent",
)
_of_ratio(
    *("stream_late_rate", _LOSS, "late_packets", "sent_packets"),
    definition="Packets of a stream that came too late to be played, over those sent",
)
_of_ratio(
    *("stream_reorder_rate", "RFC 4737 section 4.1", "reordered_packets", "received_packets"),
    definition="Packets of a stream that arrived after a packet sent later, over the packets that "
    "arrived",
)
_of_ratio(
    *("lost_frame_rate", _FRAMES, "frames_lost", *_FRAMES_DUE),
    definition="Video frames that were never complete, over the frames whose display time had come",
)
_of_ratio(
    *("late_frame_rate", _FRAMES, "frames_late", *_FRAMES_DUE),
    definition="Video frames that were complete too late, over the frames whose display time had "
    "come",
)
_of_ratio(
    *("decodable_frame_rate", _FRAMES, "frames_decodable", *_FRAMES_DUE),
    definition="Video frames that arrived in time with every frame that they refer to, over the "
    "frames whose display time had come",
)
