"""What is kept of a run to measure it by: the same of a simulated one and of one by the kernel, small enough for the repository."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RESOLUTION", "STEP", "Floats", "Observed", "ObservedFlow", "ObservedPath", "bin_times"]

Floats = NDArray[np.float64]

STEP = 0.010
"""Time between samples, and width of the bins of round-trip times, s."""

RESOLUTION = 1e-3
"""Round-trip times are counted in steps of so large a share of themselves: a tenth of the finest bar's thirtieth."""


def bin_times(count: int) -> Floats:
    """Beginnings of so many bins, s."""
    times: Floats = STEP * np.arange(count, dtype=np.float64)
    return times


def _nothing() -> Floats:
    return np.empty(0)


@dataclass(frozen=True)
class ObservedFlow:
    """One flow: what it was, and samples of it. A quantity that it has not, or not yet, is NaN."""

    name: str
    cc: str
    """Congestion control without its arguments."""
    mss: int
    start: float
    """When the SYN was sent, s."""
    fct: float | None
    """SYN to last byte acknowledged, s; None if it did not finish."""
    is_file: bool
    """The flow carries a file, or the files, pages or responses of a session: it does not send all the time."""
    time: Floats
    """Of the samples, s from the start of the run."""
    cwnd: Floats
    """Packets."""
    ssthresh: Floats
    """Packets; infinite: none yet."""
    acked: Floats
    """Bytes, cumulative."""
    retransmitted: Floats
    """Packets, cumulative."""
    state: NDArray[np.int64]
    """As in `ackclock.results.schema.STATES`."""
    gain: Floats
    """BBR's pacing gain."""
    bandwidth: Floats
    """BBR's estimate, bit/s."""
    drops: Floats
    """When the network dropped its data packets, s."""
    window_gain: Floats = field(default_factory=_nothing)
    """BBR's cwnd gain, which is 1 in PROBE_RTT alone; empty in recordings of earlier versions."""
    first: float | None = None
    """When the flow's first packet came to the bottleneck, s; None in recordings of earlier versions."""
    transfers: Floats = field(default_factory=_nothing)
    """Times of a session's files, pages or responses, s."""
    starts: Floats = field(default_factory=_nothing)
    """When each of `transfers` began, s."""


@dataclass(frozen=True)
class ObservedPath:
    """The bottleneck, in bins of `STEP` by the arrival of packets, and how round-trip times are distributed in the steady part.

    The round-trip time of a data packet is propagation both ways, waiting and transmission at the bottleneck: no host takes part in it.
    """

    time: Floats
    """Beginnings of the bins, s."""
    queue: Floats
    """Packets waiting."""
    rtt: Floats
    """Mean over the bin's data packets, s; NaN without packets."""
    rtt_min: Floats
    rtt_max: Floats
    values: Floats
    """Round-trip times in the steady part, s."""
    counts: NDArray[np.int64]
    """Data packets of each."""


@dataclass(frozen=True)
class Observed:
    """One run."""

    duration: float
    warmup: float
    """Where the steady part begins, s."""
    flows: tuple[ObservedFlow, ...]
    path: ObservedPath
    conditions: Mapping[str, Any] = field(default_factory=dict)
    """Kernel, machine, lateness; empty for a simulated run."""

    @property
    def disturbed(self) -> list[str]:
        """Why the timing of a run by the kernel cannot be relied on; empty where it can."""
        return list(self.conditions.get("disturbed", ()))

    @property
    def order(self) -> tuple[str, ...]:
        """Flows that start at the same time as the earliest flow, in the order of their first packets; empty: there are no two.

        It is empty too where a recording of an earlier version does not say when first packets came.
        """
        lasting = [flow for flow in self.flows if not flow.is_file]
        earliest = min((flow.start for flow in lasting), default=0.0)
        tied = [flow for flow in lasting if flow.start == earliest]
        if len(tied) < 2 or any(flow.first is None for flow in tied):
            return ()
        return tuple(flow.name for flow in sorted(tied, key=lambda flow: flow.first or 0.0))

    @property
    def steady(self) -> float:
        """Length of the steady part, s."""
        return self.duration - self.warmup
