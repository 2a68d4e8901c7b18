"""One flow on a dumbbell, and what its window did: for tests of theory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import ackclock as ac

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ackclock.results import Result

PACKET = 1500
"""Bytes on the wire of a full packet of the linux and rfc profiles."""
MSS = 1448
"""Payload of it."""


@dataclass(frozen=True)
class Window:
    """The window over time, and where recoveries begin and end."""

    time: NDArray[np.float64]
    cwnd: NDArray[np.float64]
    """Packets."""
    begins: NDArray[np.intp]
    """Index of the first sample of each recovery."""
    ends: NDArray[np.intp]
    """Index of the first sample after each recovery."""

    @property
    def peaks(self) -> NDArray[np.float64]:
        """Packets, just before each recovery."""
        return self.cwnd[self.begins - 1]

    @property
    def troughs(self) -> NDArray[np.float64]:
        """Packets, just after each recovery."""
        return self.cwnd[self.ends]

    @property
    def periods(self) -> NDArray[np.float64]:
        """Seconds, from recovery to recovery."""
        return np.diff(self.time[self.begins])


def window(result: Result, *, since: float = 0.0, mss: int = MSS) -> Window:
    """The window of the only flow, from the samples after `since` (s)."""
    import polars as pl

    samples = result.samples.flows.filter(pl.col("time") >= since)
    repairing = (samples["state"].cast(pl.String) == "recovery").to_numpy()
    return Window(
        time=samples["time"].to_numpy(),
        cwnd=samples["cwnd"].to_numpy() / mss,
        begins=np.flatnonzero(repairing[1:] & ~repairing[:-1]) + 1,
        ends=np.flatnonzero(~repairing[1:] & repairing[:-1]) + 1,
    )


def run_alone(
    cc: str, *, ssthresh: str | None = None, profile: str = "rfc", **scenario: Any
) -> Result:
    """Run one flow with that congestion control between the RFCs' hosts, as `ackclock.dumbbell`."""
    return ac.run(ac.dumbbell(flows=[ac.flow(cc, ssthresh=ssthresh)], profile=profile, **scenario))


def row(result: Result, *, link: bool = False) -> dict[str, Any]:
    """Counters of the only flow, or of the bottleneck."""
    return (result.links if link else result.flows).row(0, named=True)
