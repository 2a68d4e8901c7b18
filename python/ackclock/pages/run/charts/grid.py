"""One axis of time for all curves of a figure, thinned so that every spike stays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot_data.series import held

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.results.series import Floats, FlowSeries

__all__ = ["MOST_SPANS", "Grid"]

MOST_SPANS = 1000
"""Largest number of spans of time; each has two points."""


@dataclass(frozen=True)
class Grid:
    """Moments that all curves share."""

    time: Floats
    """The moments, s."""
    edges: Floats | None
    """Edges of the spans; None if the moments are those of the samples."""

    @classmethod
    def over(cls, sampled: Sequence[Floats], end: float, spans: int) -> Grid:
        """A grid for samples at these times.

        Samples that are taken at the same moments in all flows, and are at most two per span,
        keep their moments. Otherwise each of the equal spans of 0 to `end` has two points.
        """
        every: Floats = np.unique(np.concatenate(sampled)) if sampled else np.zeros(0)
        if len(every) <= 2 * spans and all(_contiguous(every, times) for times in sampled):
            return cls(every, None)
        edges = np.linspace(0.0, end, spans + 1)
        quarter = (edges[1] - edges[0]) / 4
        time = np.sort(np.concatenate([edges[:-1] + quarter, edges[:-1] + 3 * quarter]))
        return cls(time, edges)

    def line(self, time: Floats, value: Floats, end: float) -> Floats:
        """A curve on the grid; NaN is a gap.

        Each span has the smallest and the largest value of its samples, in their order. A span
        without a sample has the latest value, until the curve's `end`, s.
        """
        if self.edges is None:
            result: Floats = np.full(len(self.time), np.nan)
            result[np.searchsorted(self.time, time)] = value
            return result
        spans = len(self.edges) - 1
        at = np.clip(np.searchsorted(self.edges, time, side="right") - 1, 0, spans - 1)
        known = np.isfinite(value)
        low, high = np.full(spans, np.inf), np.full(spans, -np.inf)
        np.minimum.at(low, at[known], value[known])
        np.maximum.at(high, at[known], value[known])
        some = np.isfinite(low)
        falls = _falls(at[known], value[known], spans)
        first, second = np.where(falls, high, low), np.where(falls, low, high)
        if len(time):
            sampled = np.zeros(spans, dtype=bool)
            sampled[at] = True
            before = np.searchsorted(time, self.edges[:-1], side="right") - 1
            alive = ~sampled & (before >= 0) & (self.edges[:-1] <= end)
            first[alive] = second[alive] = value[np.maximum(before, 0)][alive]
            some |= alive
        pairs = np.stack([first, second], axis=1)
        pairs[~some] = np.nan
        return np.asarray(pairs.reshape(-1), dtype=np.float64)

    def held(self, flow: FlowSeries, value: Floats) -> Floats:
        """A flow's latest value at each moment; NaN outside its samples."""
        return held(flow, value, self.time)


def _contiguous(every: Floats, times: Floats) -> bool:
    """Whether no other flow has a sample between two samples of this flow."""
    if not len(times):
        return True
    place = np.searchsorted(every, times)
    return bool(place[-1] - place[0] + 1 == len(times))


def _falls(at: np.ndarray, value: Floats, spans: int) -> np.ndarray:
    """Whether the last value of each span is below its first value."""
    falls = np.zeros(spans, dtype=bool)
    if len(at):
        first = np.flatnonzero(np.diff(at, prepend=-1))
        last = np.append(first[1:], len(at)) - 1
        falls[at[first]] = value[last] < value[first]
    return falls
