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


for _part, _label in (
    ("mean", "Mean"),
    ("p50", "Median"),
    ("p95", "95th percentile"),
    ("p99", "99th percentile"),
    ("max", "Largest"),
):
    built_in(
        *(f"stream_delay.{_part}", "s", "streams", _DELAY),
        f"{_label} of the one-way delay of a stream's packets, mean over the streams.",
        needs=["streams"],
    )(_column(f"delay_{_part}"))

_COLUMNS = (
    (
        "stream_jitter",
        "s",
        "Interarrival jitter of a stream as estimated at its end, mean over the streams.",
        _JITTER,
        "jitter",
    ),
    (
        "stream_jitter.max",
        "s",
        "Largest estimate of a stream's interarrival jitter, mean over the streams.",
        _JITTER,
        "jitter_max",
    ),
    (
        "playout_delay",
        "s",
        "Mean time from the sending of a stream's packets to their playout, mean over the streams.",
        _DELAY,
        "playout_delay",
    ),
    (
        "r_factor",
        "1",
        "E-model's rating R of a voice stream, mean over the streams.",
        _VOICE,
        "r_factor",
    ),
    (
        "mos",
        "1",
        "Mean opinion score of a voice stream, from R, mean over the streams.",
        f"{_VOICE} annex B",
        "mos",
    ),
)
# The rating factor of ITU-T G.107 falls below zero where much is lost; annex B has the scores of
# the worst and the best.
_LIMITS = {"r_factor": (-math.inf, math.inf), "mos": (1.0, 4.5)}
for _name, _unit, _definition, _source, _of in _COLUMNS:
    built_in(
        *(_name, _unit, "streams", _source, _definition),
        needs=["streams"],
        limits=_LIMITS.get(_name),
    )(_column(_of))

_RATIOS = (
    (
        "stream_loss_rate",
        "Packets of a stream that did not arrive, over those sent",
        _LOSS,
        ("lost_packets", "sent_packets"),
    ),
    (
        "stream_late_rate",
        "Packets of a stream that came too late to be played, over those sent",
        _LOSS,
        ("late_packets", "sent_packets"),
    ),
    (
        "stream_reorder_rate",
        "Packets of a stream that arrived after a packet sent later, over the packets that arrived",
        "RFC 4737 section 4.1",
        ("reordered_packets", "received_packets"),
    ),
    (
        "lost_frame_rate",
        "Video frames that were never complete, over the frames whose display time had come",
        _FRAMES,
        ("frames_lost", *_FRAMES_DUE),
    ),
    (
        "late_frame_rate",
        "Video frames that were complete too late, over the frames whose display time had come",
        _FRAMES,
        ("frames_late", *_FRAMES_DUE),
    ),
    (
        "decodable_frame_rate",
        (
            "Video frames that arrived in time with every frame that they refer to, over the "
            "frames whose display time had come"
        ),
        _FRAMES,
        ("frames_decodable", *_FRAMES_DUE),
    ),
)
for _name, _definition, _source, _columns in _RATIOS:
    built_in(
        _name, "1", "streams", _source, f"{_definition}, mean over the streams.", needs=["streams"]
    )(_ratio(*_columns))
