"""Delay, loss and impairments of a wire as tc-netem(8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ackclock.scenario.qdisc.tc_words.units import percent, time
from ackclock.scenario.quantities import PS_PER_S

if TYPE_CHECKING:
    from ackclock.core_types.plan import Distribution, ImpairmentPlan, LinkPlan, LossPlan

__all__ = ["Wire", "netem", "wire_of"]

_SMALLEST_PACKET = 64
_LEAST_LIMIT = 1000
"""Default limit of netem, packets: too few for a long or fast link."""


@dataclass(frozen=True)
class Wire:
    """A wire in netem's words."""

    delay: tuple[str, ...] = ()
    """TIME, and perhaps JITTER, CORRELATION and a distribution; empty without a delay."""
    loss: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    """corrupt, duplicate, reorder and slot, with their values."""
    notes: tuple[str, ...] = ()
    rate: tuple[str, ...] = ()
    """Rate at which packets come onto the wire, one after another; empty where something before
    the wire takes that time."""

    @property
    def is_empty(self) -> bool:
        """Whether the wire does nothing to packets."""
        return not (self.delay or self.loss or self.rest or self.rate)


def netem(wire: Wire, limit: int) -> tuple[str, ...]:
    """A wire as the words of one netem that holds at most `limit` packets."""
    delay = ("delay", *wire.delay) if wire.delay else ()
    loss = ("loss", *wire.loss) if wire.loss else ()
    at_rate = ("rate", *wire.rate) if wire.rate else ()
    return ("netem", "limit", str(limit), *delay, *loss, *wire.rest, *at_rate)


def packets_in_flight(link: LinkPlan, queue_packets: int) -> int:
    """Limit for a netem: all that the wire holds, as packets of 64 bytes, and the queue's limit.

    tc-netem(8): "maximum number of packets the qdisc may hold queued at a time", 1000 by default;
    what waits in a discipline inside netem counts too.
    """
    rate = link.get("rate_bps") or 10**9
    in_flight = rate * link["delay_ps"] // (8 * PS_PER_S * _SMALLEST_PACKET)
    return max(_LEAST_LIMIT, 2 * in_flight + queue_packets)


def _nanoseconds(seconds: float) -> str:
    return time(round(seconds * PS_PER_S), finest="ns")


def _jitter(delay_s: float, plan: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Delay and jitter: netem draws around a mean, the scenario adds to the delay."""
    of: Distribution = plan["delay"]
    notes: list[str] = []
    tail: tuple[str, ...] = ()
    correlation = plan.get("correlation", 0.0)
    if of["kind"] == "fixed":
        return (_nanoseconds(delay_s + of["value"]),), ()
    if of["kind"] == "uniform":
        mean, spread = (of["low"] + of["high"]) / 2, (of["high"] - of["low"]) / 2
    elif of["kind"] == "normal":
        mean, spread, tail = of["mean"], of["sd"], ("distribution", "normal")
        if of["mean"] < 4 * of["sd"]:
            notes.append("The scenario's normal jitter is cut at 0, and netem's is not.")
    else:
        from ackclock.scenario.distributions import mean_of

        mean = mean_of(of)
        notes.append(
            f"netem has no {of['kind']} distribution of times: only its mean, "
            f"{_nanoseconds(mean)}, is added to the delay."
        )
        return (_nanoseconds(delay_s + mean),), tuple(notes)
    if not plan.get("reorder", False):
        notes.append("netem's jitter reorders packets, and the scenario keeps them in order.")
    share = (percent(correlation),) if correlation else ()
    return (_nanoseconds(delay_s + mean), _nanoseconds(spread), *share, *tail), tuple(notes)


def _loss(plan: LossPlan) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if plan["kind"] == "bernoulli":
        return ("random", percent(plan["p"])), ()
    if plan["kind"] == "gilbert-elliott":
        shares = (plan["p"], plan["r"], plan["loss_bad"], plan["loss_good"])
        return ("gemodel", *(percent(share) for share in shares)), ()
    names = {
        "steps": "shares that change with time",
        "periodic": "every n-th packet",
        "list": "listed packets",
        "bursts": "timed bursts",
    }
    return (), (f"netem cannot lose {names[plan['kind']]}: the loss is left out.",)


def _spares_acks(plan: Any) -> bool:
    return not plan.get("acks", False)


def _one(plan: ImpairmentPlan) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """An impairment in netem's words, with notes."""
    kind = plan["kind"]
    if plan["kind"] in ("corrupt", "duplicate"):
        correlation = plan.get("correlation", 0.0)
        words = (kind, percent(plan["p"]), *((percent(correlation),) if correlation else ()))
        notes = (f"netem's {kind} meets pure ACKs too, and the scenario's does not.",)
        return words, notes if _spares_acks(plan) else ()
    if plan["kind"] == "reorder":
        if plan.get("extra") is not None:
            return (), (
                (
                    "netem's reordered packets skip the delay; packets that are later than "
                    "others, as in the scenario, are left out."
                ),
            )
        correlation = plan.get("correlation", 0.0)
        share = (percent(correlation),) if correlation else ()
        return ("reorder", percent(plan["p"]), *share, "gap", str(plan["gap"])), ()
    if plan["kind"] == "slot":
        ends = (time(plan["min_delay_ps"], finest="ns"), time(plan["max_delay_ps"], finest="ns"))
        count, size = plan.get("packets"), plan.get("bytes")
        return (
            *("slot", *ends),
            *(() if count is None else ("packets", str(count))),
            *(() if size is None else ("bytes", str(size))),
        ), ()
    if plan["kind"] == "ecn-rewrite":
        return (), (
            (
                f"tc rewrites no ECN field ({plan['rule']}): it needs a firewall rule, "
                "which is left out."
            ),
        )
    return (), ()


def wire_of(link: LinkPlan) -> Wire:
    """Delay, loss and impairments of a link; schedules have lines of their own."""
    delay_s = link["delay_ps"] / PS_PER_S
    delay: tuple[str, ...] = (time(link["delay_ps"], finest="ns"),) if link["delay_ps"] else ()
    rest: tuple[str, ...] = ()
    loss: tuple[str, ...] = ()
    notes: list[str] = []
    for impairment in link.get("impairments") or []:
        if impairment["kind"] == "jitter":
            delay, remarks = _jitter(delay_s, impairment)
        else:
            words, remarks = _one(impairment)
            rest += words
        notes.extend(remarks)
    plan = link.get("loss")
    if plan is not None:
        loss, remarks = _loss(plan)
        notes.extend(remarks)
        if loss and _spares_acks(plan):
            notes.append("netem loses pure ACKs too, and the scenario's loss does not.")
    if "reorder" in rest and not delay:
        delay = ("1us",)
    return Wire(delay, loss, rest, tuple(notes))
