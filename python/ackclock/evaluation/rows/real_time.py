"""Section 5.2.2: the subject beside real-time traffic."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.evaluation.grid import dumbbell, flow
from ackclock.evaluation.row import Cell, Context, Figures, Line, Measure, Row, loss_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]

FILM = Path(__file__).parents[1] / "data" / "film.trace"
"""Frames of the video: a group of pictures of 2 s at 25 frames/s, repeated."""

_TRAFFIC: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "voice": (
        {"app": {"kind": "voice", "codec": "g711", "playout": "60ms"}, "count": 5},
        ("r_factor", "mos", "stream_delay.p95"),
    ),
    "video": (
        {"app": {"kind": "video", "trace": str(FILM), "rate": "1.5Mbit/s"}},
        ("late_frame_rate", "lost_frame_rate", "stream_delay.p95"),
    ),
    "constant rate": (
        {"app": {"kind": "cbr", "rate": "1Mbit/s", "packet": "1000 bytes"}},
        ("stream_loss_rate", "stream_delay.p95"),
    ),
}


def _cell(
    context: Context,
    labels: dict[str, str],
    kind: str,
    queue: str,
    rate: float,
    own: Sequence[dict[str, Any]],
    **media: Any,
) -> Cell:
    traffic, metrics = _TRAFFIC[kind]
    table = dumbbell(
        rate,
        100.0,
        1,
        [*own, flow(None, name="media", **{**traffic, **media})],
        seconds=40.0 if context.quick else 90.0,
        warmup=10.0,
    )
    table["network"]["bottleneck"]["limit"] = queue
    return Cell(
        labels=labels,
        scenario=table,
        responses=(*metrics, {"name": "good s", "metric": "goodput", "flows": "s"}),
        base_rtt=0.1,
        rate=rate * 1e6,
    )


def _cells(context: Context) -> Sequence[Cell]:
    found = [
        _cell(context, {"traffic": kind, "queue": queue}, kind, queue, 4.0, [flow()])
        for kind in _TRAFFIC
        for queue in ("300ms", "1000ms")
    ]
    video = {"app": {"kind": "video", "trace": str(FILM), "rate": "1Mbit/s"}}
    short = {"kind": "repeated", "size": "uniform(100kB, 1MB)", "think": "exponential(10s)"}
    found += [
        _cell(
            context,
            {"traffic": "video", "queue": "RFC 8867 section 5.6"},
            "video",
            "300ms",
            2.0,
            [flow()],
            **video,
        ),
        _cell(
            context,
            {"traffic": "video", "queue": "RFC 8867 section 5.7"},
            "video",
            "300ms",
            2.0,
            [flow(count=10, app=short)],
            **video,
        ),
    ]
    return found


def _useless_frames(figures: Figures, _cell: Cell) -> float | None:
    late, lost = figures.get("late_frame_rate"), figures.get("lost_frame_rate")
    return None if late is None or lost is None else late + lost


def _rating(figures: Figures, _cell: Cell) -> float | None:
    """The R factor; below 0, where nothing can be understood, all are alike."""
    found = figures.get("r_factor")
    return None if found is None else max(0.0, found)


def _has(kind: str) -> Any:
    return lambda cell: cell.labels["traffic"] == kind


_E17 = Row(
    id="E17",
    section="5.2.2",
    strength="SHOULD",
    title="Beside voice, video and constant rate",
    demand="The effect on real-time traffic should be looked at.",
    choice=(
        "One flow beside five calls (G.711), a video of 1.5 Mbit/s or a stream of 1 Mbit/s on 4 "
        "Mbit/s, 100 ms, with a queue of 300 or 1000 ms. Also RFC 8867 sections 5.6 (2 Mbit/s, one "
        "long flow) and 5.7 (ten flows of repeated files). The R factor is lower by more than 3, "
        "late and lost frames are more by 0.2 of all, or loss by rule R1. The streams do not "
        "adapt: real-time congestion controls come later."
    ),
    cells=_cells,
    measures=(
        Measure(
            "R factor", "1", _rating, line=Line(0.0, 3.0), more_is_better=True, of=_has("voice")
        ),
        Measure("late or lost frames", "1", _useless_frames, line=Line(0.0, 0.2), of=_has("video")),
        Measure(
            "loss of the stream",
            "1",
            "stream_loss_rate",
            line=loss_line(),
            of=_has("constant rate"),
        ),
        Measure("delay, 95th percentile", "s", "stream_delay.p95"),
        Measure("goodput of the subject", "bit/s", "good s", more_is_better=True),
    ),
    competing=True,
)

ROWS = (_E17,)
