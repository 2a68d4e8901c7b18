"""A run as it is recorded, on the simulator or the kernel: small enough for the repository.

`reduction` makes it of a result, `validation.storing` keeps it, and metrics are read from it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "RESOLUTION",
    "STEP",
    "Floats",
    "RecordedFlow",
    "RecordedPath",
    "RecordedRun",
    "algorithm",
    "bin_times",
]

Floats = NDArray[np.float64]

STEP = 0.010
"""Time between samples, and width of the bins of round-trip times, s."""

RESOLUTION = 1e-3
"""Step of counted round-trip times, as a share of themselves, far below the finest bar."""


def bin_times(count: int) -> Floats:
    """Beginnings of the bins, s."""
    times: Floats = STEP * np.arange(count, dtype=np.float64)
    return times


def algorithm(spec: str) -> str:
    """The name that a flow's algorithm has in the kernel.

    Examples
    --------
    >>> algorithm("cubic(linux=true)")
    'cubic'
    """
    return re.sub(r"\(.*\)", "", spec)


def _nothing() -> Floats:
    return np.empty(0)


@dataclass(frozen=True)
class RecordedFlow:
    """One flow and its samples; NaN for a quantity that does not exist, or not yet."""

    name: str
    cc: str
    """Congestion control without its arguments."""
    mss: int
    start: float
    """Time of the SYN, s."""
    fct: float | None
    """SYN to last byte acknowledged, s; None if it did not finish."""
    is_file: bool
    """Whether the flow carries files, pages or responses, and so does not always send."""
    time: Floats
    """Times of the samples, s from the start of the run."""
    cwnd: Floats
    """cwnd, packets."""
    ssthresh: Floats
    """ssthresh, packets; infinite before the first."""
    acked: Floats
    """Acknowledged bytes, cumulative."""
    retransmitted: Floats
    """Retransmitted packets, cumulative."""
    state: NDArray[np.int64]
    """State of the sender, an index of `ackclock.results.schema.STATES`."""
    gain: Floats
    """BBR's pacing gain."""
    bandwidth: Floats
    """BBR's bandwidth estimate, bit/s."""
    drops: Floats
    """Times at which the network dropped data packets of the flow, s."""
    window_gain: Floats = field(default_factory=_nothing)
    """BBR's cwnd gain, which is 1 in PROBE_RTT alone; empty in recordings of earlier versions."""
    first: float | None = None
    """Time of the flow's first packet at the bottleneck, s; None in early recordings."""
    transfers: Floats = field(default_factory=_nothing)
    """Times of a session's files, pages or responses, s."""
    starts: Floats = field(default_factory=_nothing)
    """Time at which each of `transfers` began, s."""
    part_of: str | None = None
    """The flow that has several connections, of which this is one."""


@dataclass(frozen=True)
class RecordedPath:
    """The bottleneck in bins of `STEP`, and the distribution of steady round-trip times.

    Bins go by the arrival of packets.

    The round-trip time of a data packet is propagation both ways, waiting and transmission at the
    bottleneck: no host takes part in it.
    """

    time: Floats
    """Beginnings of the bins, s."""
    queue: Floats
    """Packets in the queue."""
    rtt: Floats
    """Mean over the bin's data packets, s; NaN without packets."""
    rtt_min: Floats
    rtt_max: Floats
    values: Floats
    """Round-trip times in the steady part, s."""
    counts: NDArray[np.int64]
    """Data packets of each of these times."""


@dataclass(frozen=True)
class RecordedRun:
    """Samples of one run."""

    duration: float
    warmup: float
    """Begin of the steady part, s."""
    flows: tuple[RecordedFlow, ...]
    path: RecordedPath
    conditions: Mapping[str, Any] = field(default_factory=dict)
    """Kernel, machine, lateness; empty for a simulated run."""

    @property
    def disturbed(self) -> list[str]:
        """Reasons to distrust the timing of a run on the kernel; empty without any."""
        return list(self.conditions.get("disturbed", ()))

    @property
    def lasting(self) -> list[RecordedFlow]:
        """Flows that always have data to send."""
        return [flow for flow in self.flows if not flow.is_file]

    @property
    def order(self) -> tuple[str, ...]:
        """Flows that start with the earliest flow, in the order of their first packets, if several.

        It is empty too where a recording of an earlier version does not say when first packets
        came.
        """
        earliest = min((flow.start for flow in self.lasting), default=0.0)
        tied = [flow for flow in self.lasting if flow.start == earliest]
        if len(tied) < 2 or any(flow.first is None for flow in tied):
            return ()
        return tuple(flow.name for flow in sorted(tied, key=lambda flow: flow.first or 0.0))

    def steady(self, time: Floats) -> NDArray[np.bool_]:
        """Whether each of these times lies between the end of the warm-up and that of the run."""
        return (time >= self.warmup) & (time < self.duration)
