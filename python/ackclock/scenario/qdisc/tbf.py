"""Token bucket filter."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from ackclock.scenario.errors import ScenarioError, shown
from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.qdisc.fifo import Fifo
from ackclock.scenario.quantities import PS_PER_S, PositiveTime, Rate, Size, rate_bps, size_bytes, time_ps

if TYPE_CHECKING:
    from ackclock.scenario.plan.queue import Queue

    # Resolved when the union of all disciplines, this one among them, exists.
    from ackclock.scenario.qdisc import Qdisc  # noqa: TC004

__all__ = ["Tbf"]


class Tbf(Discipline):
    """Token bucket filter (tc-tbf): lets packets leave at a rate, a burst at once."""

    shapes: ClassVar[bool] = True

    kind: Literal["tbf"]
    """Which discipline."""
    rate: Rate
    """Rate of the tokens."""
    burst: Size
    """Size of the bucket, which is full at the beginning (tc also: buffer, maxburst)."""
    latency: PositiveTime | None = None
    """The longest that a packet may wait for tokens after a full bucket: what may wait is rate x latency + burst, as tc computes it.

    Without it the link's limit is what may wait; a bdp and a time in that are at the shaper's rate.
    """
    peakrate: Rate | None = None
    """Rate of a second bucket, which bounds how fast a burst leaves (default: none)."""
    mtu: Size | None = None
    """Size of the second bucket (tc also: minburst); given with `peakrate` and only then."""
    qdisc: Qdisc = Fifo(kind="fifo")
    """What waits inside."""

    def plan(self, queue: Queue) -> dict[str, Any]:
        """See `Discipline.plan`."""
        rate, burst = rate_bps(self.rate), self._bucket(queue, "burst", self.burst)
        peak = None
        if self.peakrate is not None and self.mtu is not None:
            peak = {"rate_bps": rate_bps(self.peakrate), "mtu_bytes": self._bucket(queue, "mtu", self.mtu)}
            if peak["rate_bps"] <= rate:
                raise self._problem(queue, "peakrate", self.peakrate, f"the peak rate must be above the rate, {self.rate}")
        elif self.peakrate is not None:
            raise self._problem(queue, "peakrate", self.peakrate, "a peak rate needs a bucket: write mtu = '1500 bytes', a packet or more")
        elif self.mtu is not None:
            raise self._problem(queue, "mtu", self.mtu, "this is the size of the peak rate's bucket: write peakrate, too")
        limit = queue.link.limit
        if self.latency is not None:
            if limit not in (self.default_limit, "unlimited"):
                raise self._problem(queue, "latency", self.latency, f"the link's limit, {limit}, says what may wait: write one of the two")
            most = [(rate, burst)] if peak is None else [(rate, burst), (peak["rate_bps"], peak["mtu_bytes"])]
            limit = f"{min(bps * time_ps(self.latency) // (8 * PS_PER_S) + size for bps, size in most)} bytes"
        slower = rate if queue.link.rate_bps is None else min(rate, queue.link.rate_bps)
        inner = self.qdisc.plan(replace(queue, link=replace(queue.link, rate_bps=slower, limit=limit)))
        return {"kind": "tbf", "rate_bps": rate, "burst_bytes": burst, "peak": peak, "qdisc": inner}

    def _bucket(self, queue: Queue, name: str, text: str) -> int:
        size, least = size_bytes(text), queue.crossing.largest_bytes
        if size < least:
            raise self._problem(queue, name, text, f"less than one packet of {least} bytes: it could never leave")
        return size

    @staticmethod
    def _problem(queue: Queue, name: str, value: str, why: str) -> ScenarioError:
        return ScenarioError(f"{shown(value)}: {why}", key=f"{queue.link.key}.qdisc.{name}", value=value)
