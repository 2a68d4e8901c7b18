"""Token bucket filter."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.qdisc.fifo import Fifo
from ackclock.scenario.quantities import PS_PER_S, Bucket, PositiveTime, Rate, rate_bps, time_ps
from ackclock.tc_words import Packet, TcQdisc, units
from ackclock.tc_words.bucket import shaper
from ackclock.wording import shown

if TYPE_CHECKING:
    from ackclock.border.plan import PeakPlan, TbfQdiscPlan
    from ackclock.scenario.qdisc.queue import Queue
    from ackclock.tc_words import TcQueue

    # The package resolves it to the union of all disciplines, this one among them.
    Qdisc = Discipline

__all__ = ["Tbf"]


class Tbf(Discipline):
    """Token bucket filter (tc-tbf): lets packets leave at a rate, a burst at once."""

    shapes: ClassVar[bool] = True

    kind: Literal["tbf"]
    """Name of the discipline."""
    rate: Rate
    """Rate of the tokens."""
    burst: Bucket
    """Size of the bucket, which is full at the beginning (tc also: buffer, maxburst).

    A time such as "10ms" is that of the tokens' rate.
    """
    latency: PositiveTime | None = None
    """Longest wait for tokens: rate x latency + burst may wait, as tc computes it.

    Without `latency` the link's limit holds; a bdp and a time are then at the shaper's rate.
    """
    peakrate: Rate | None = None
    """Rate of a second bucket, which bounds how fast a burst leaves (default: none)."""
    mtu: Bucket | None = None
    """Size of the second bucket (tc also: minburst); given with `peakrate` and only then."""
    qdisc: Qdisc = Fifo.model_construct(kind="fifo")
    """Discipline of the packets that wait for tokens."""

    def plan(self, queue: Queue) -> TbfQdiscPlan:
        """See `Discipline.plan`."""
        rate = rate_bps(self.rate)
        burst = self._bucket(queue, "burst", self.burst, rate)
        peak: PeakPlan | None = None
        if self.peakrate is not None and self.mtu is not None:
            faster = rate_bps(self.peakrate)
            peak = {"rate_bps": faster, "mtu_bytes": self._bucket(queue, "mtu", self.mtu, faster)}
            if peak["rate_bps"] <= rate:
                raise self._problem(
                    queue,
                    "peakrate",
                    self.peakrate,
                    f"the peak rate must be above the rate, {self.rate}",
                )
        elif self.peakrate is not None:
            raise self._problem(
                queue,
                "peakrate",
                self.peakrate,
                "a peak rate needs a bucket: write mtu = '1500 bytes', a packet or more",
            )
        elif self.mtu is not None:
            raise self._problem(
                queue,
                "mtu",
                self.mtu,
                "this is the size of the peak rate's bucket: write peakrate, too",
            )
        limit = queue.given_limit
        if self.latency is not None:
            if limit not in (self.default_limit, "unlimited"):
                raise self._problem(
                    queue,
                    "latency",
                    self.latency,
                    f"the link's limit, {limit}, says what may wait: write one of the two",
                )
            buckets = [(rate, burst)]
            if peak is not None:
                buckets.append((peak["rate_bps"], peak["mtu_bytes"]))
            latency = time_ps(self.latency)
            most = min(bps * latency // (8 * PS_PER_S) + size for bps, size in buckets)
            limit = f"{most} bytes"
        slower = rate if queue.rate_bps is None else min(rate, queue.rate_bps)
        inner = self.qdisc.plan(replace(queue, rate_bps=slower, given_limit=limit))
        return {"kind": "tbf", "rate_bps": rate, "burst_bytes": burst, "peak": peak, "qdisc": inner}

    def _bucket(self, queue: Queue, name: str, text: str, rate: int) -> int:
        size = replace(queue, rate_bps=rate).size_bytes(text, f"{queue.key}.qdisc.{name}")
        least = queue.crossing.largest_bytes
        if size < least:
            raise self._problem(
                queue, name, text, f"less than one packet of {least} bytes: it could never leave"
            )
        return size

    @staticmethod
    def _problem(queue: Queue, name: str, value: str, why: str) -> ScenarioError:
        return ScenarioError(f"{shown(value)}: {why}", key=f"{queue.key}.qdisc.{name}", value=value)

    @staticmethod
    def tc(plan: TbfQdiscPlan, queue: TcQueue) -> TcQdisc:
        """See `Discipline.tc`. tc wants limit or latency, which the discipline inside replaces.

        tc-tbf(8): "Without inner qdisc TBF queue acts as bfifo. If the inner qdisc is changed the
        limit/latency is not effective anymore."
        """
        slower = (
            plan["rate_bps"] if queue.rate_bps is None else min(plan["rate_bps"], queue.rate_bps)
        )
        inside = replace(queue, packet=Packet(queue.packet.mtu, held=1), rate_bps=slower)
        shaped = shaper(plan["rate_bps"], plan["burst_bytes"], inside.inside(plan["qdisc"]))
        peak = plan.get("peak")
        if peak is None:
            return shaped
        more = ("peakrate", units.rate(peak["rate_bps"]), "mtu", str(peak["mtu_bytes"]))
        return replace(shaped, words=(*shaped.words, *more))
