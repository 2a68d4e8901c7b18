"""Captions of a sweep's figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.plot_data.sweep.boxes import MOST_POINTS
from ackclock.plot_data.sweep.layout import cells, samples

if TYPE_CHECKING:
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult

__all__ = ["caption"]


def caption(kind: str, result: SweepResult, response: Response | None) -> str:
    """A sentence or two on a figure of one of the `KINDS`.

    Without a response the figure is one of all responses, such as a scatter.
    """
    most = _most_runs(result, response)
    if kind == "line":
        return (
            "Means with intervals: bands over numbers, whiskers over names."
            if _has_intervals(result, response)
            else _SINGLE
        )
    if kind == "heat":
        return "Means over two axes."
    if kind == "difference":
        return _of_differences(result, response)
    if kind == "box":
        meaning = "each point is a run" if most <= MOST_POINTS else "points are the runs beyond"
        return (
            "The runs themselves: median, quartiles, whiskers to the last run within 1.5 "
            f"interquartile ranges; {meaning}."
        )
    if kind == "cdf":
        return "Distribution over the runs."
    spread = (
        "Each ellipse is one standard deviation over the runs around their mean; "
        if most > 2
        else "Each mark is a mean; "
    )
    return f"{spread}each point is a run."


_SINGLE = "One run at each setting, so no intervals."


def _responses(result: SweepResult, response: Response | None) -> list[Response]:
    return list(result.shown) if response is None else [response]


def _most_runs(result: SweepResult, response: Response | None) -> int:
    """Largest number of runs with a value at one setting."""
    return max(
        (
            len(by_seed)
            for measure in _responses(result, response)
            for by_seed in samples(result, measure).values()
        ),
        default=0,
    )


def _has_intervals(result: SweepResult, response: Response | None) -> bool:
    return any(
        row["low"] is not None
        for measure in _responses(result, response)
        for row in cells(result, measure).values()
    )


def _of_differences(result: SweepResult, response: Response | None) -> str:
    import polars as pl

    frame = result.differences
    if response is not None:
        frame = frame.filter(frame["response"] == response.name)
    if frame["low"].is_null().all():
        return "Differences paired by seed, of one run each."
    neutral = pl.when(pl.col("ratio")).then(1.0).otherwise(0.0)
    is_none = (pl.col("low") <= neutral) & (pl.col("high") >= neutral)
    is_none |= (pl.col("method") == "constant") & (pl.col("difference") == neutral)
    if not frame.select(is_none.fill_null(value=False).any()).item():
        return "Differences paired by seed, with intervals."
    return (
        "Differences paired by seed, with intervals; hollow marks: the interval holds no "
        "difference."
    )
