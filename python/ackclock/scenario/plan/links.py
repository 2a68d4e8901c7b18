"""The plans of links: queues in bytes or packets, RED's parameters, losses."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from ackclock.scenario.errors import ScenarioError, shown
from ackclock.scenario.loss import Bernoulli, Loss, Periodic
from ackclock.scenario.qdisc import Fifo, Red, Step
from ackclock.scenario.quantities import PS_PER_S, amount, size_bytes, time_ps
from ackclock.scenario.red import auto_red

if TYPE_CHECKING:
    from ackclock.scenario.plan.entries import Entry
    from ackclock.scenario.topology import DirectedLink

__all__ = ["Crossing", "crossings_by_link", "limit_plan", "link_plan"]


@dataclass
class Crossing:
    """Who crosses a link: what a bdp and a packet are there.

    Where only ACKs cross, a mean packet is still a full one: RED's parameters are then those of the other direction, as
    with an ns-2 duplex link.
    """

    flows: int = 0
    rtt_sum_ps: int = 0
    packet_sum_bytes: int = 0
    largest_bytes: int = 0

    def add(self, flows: int, rtt_sum_ps: int, full_packet_bytes: int, largest_bytes: int) -> None:
        """Count `flows` more, whose base RTTs add up to `rtt_sum_ps`."""
        self.flows += flows
        self.rtt_sum_ps += rtt_sum_ps
        self.packet_sum_bytes += full_packet_bytes * flows
        self.largest_bytes = max(self.largest_bytes, largest_bytes)


def crossings_by_link(entries: list[Entry], count: int) -> list[Crossing]:
    """By link: the flows whose data crosses it, or, where there are none, those whose ACKs do."""
    data = [Crossing() for _ in range(count)]
    acks = [Crossing() for _ in range(count)]
    for entry in entries:
        header = size_bytes(entry.options["header"])
        packet = size_bytes(entry.options["mss"]) + header
        flows, rtt_sum = len(entry.flows), sum(one.base_rtt_ps for one in entry.flows)
        for link in entry.path:
            data[link].add(flows, rtt_sum, packet, packet)
        for link in entry.reverse_path:
            acks[link].add(flows, rtt_sum, packet, header)
    return [with_data if with_data.flows else with_acks for with_data, with_acks in zip(data, acks, strict=True)]


def _bytes_at(text: str, link: DirectedLink, crossing: Crossing) -> Fraction:
    """An amount that is not in packets, as bytes at a link."""
    given = amount(text)
    if given.unit == "bytes":
        return given.number
    rate = link.rate_bps or 0
    if given.unit == "ps":
        return given.number * rate / (8 * PS_PER_S)
    return given.number * rate * crossing.rtt_sum_ps / (crossing.flows * 8 * PS_PER_S)


def _unknown_here(text: str, crossing: Crossing) -> bool:
    """Whether this is a bdp on a link that no flow crosses; nothing ever waits there."""
    return crossing.flows == 0 and amount(text).unit == "bdp"


def limit_plan(link: DirectedLink, crossing: Crossing) -> dict[str, int]:
    """The limit of a link's queue, in packets or bytes; nothing where it has none."""
    if link.limit == "unlimited":
        return {}
    key = f"{link.key}.limit"
    plan = _length_plan(link.limit, key, link, crossing)
    limit = plan.get("limit_bytes")
    if limit is not None and limit < max(crossing.largest_bytes, 1):
        raise ScenarioError(
            f"{shown(link.limit)} is {limit} bytes here, less than one packet of {crossing.largest_bytes} bytes: nothing could ever wait",
            key=key,
            value=link.limit,
        )
    return plan


def _length_plan(text: str, key: str, link: DirectedLink, crossing: Crossing) -> dict[str, int]:
    """A length of a link's queue, in packets or bytes; nothing where nothing can wait."""
    if _unknown_here(text, crossing):
        return {}
    given = amount(text)
    if given.unit == "packets":
        if given.number.denominator != 1:
            raise ScenarioError(f"{shown(text)} is not a whole number of packets", key=key, value=text)
        return {"limit_packets": int(given.number)}
    return {"limit_bytes": int(_bytes_at(text, link, crossing))}


def _step(step: Step, link: DirectedLink, crossing: Crossing) -> dict[str, Any]:
    threshold = _length_plan(step.threshold, f"{link.key}.qdisc.threshold", link, crossing)
    return {"kind": "step", "limit": limit_plan(link, crossing), "threshold": threshold}


def _red(red: Red, link: DirectedLink, crossing: Crossing) -> dict[str, Any]:
    if red.mean_packet != "auto":
        mean = size_bytes(red.mean_packet)
    elif crossing.flows:
        mean = round(crossing.packet_sum_bytes / crossing.flows)
    else:
        mean = 500
    auto = auto_red(link.rate_bps or 0, link.delay_ps, mean, time_ps(red.target_delay))

    def threshold(name: Literal["min_threshold", "max_threshold"], automatic: float) -> float:
        text: str = getattr(red, name)
        if text == "auto" or _unknown_here(text, crossing):
            packets = Fraction(automatic)
        elif amount(text).unit == "packets":
            packets = amount(text).number
        else:
            packets = _bytes_at(text, link, crossing) / mean
        return float(packets * mean if red.byte_mode else packets)

    lower = threshold("min_threshold", auto.min_threshold)
    in_packets = lower / mean if red.byte_mode else lower
    upper = threshold("max_threshold", 3 * in_packets)
    if upper <= lower:
        name = "max_threshold" if red.max_threshold != "auto" else "min_threshold"
        raise ScenarioError(
            f"{shown(getattr(red, name))}: the upper threshold must be above the lower; they are {upper:g} and {lower:g} "
            f"{'bytes' if red.byte_mode else 'packets'}",
            key=f"{link.key}.qdisc.{name}",
            value=getattr(red, name),
        )
    return {
        "kind": "red",
        "limit": limit_plan(link, crossing),
        "min_threshold": lower,
        "max_threshold": upper,
        "max_p": red.max_p,
        "weight": auto.weight if red.weight == "auto" else float(red.weight),
        "gentle": red.gentle,
        "wait": red.wait,
        "adaptive": red.adaptive,
        "byte_mode": red.byte_mode,
        "mean_packet_bytes": mean,
        "ecn": red.ecn,
    }


def _loss(loss: Loss | None) -> dict[str, Any] | None:
    if loss is None:
        return None
    if isinstance(loss, Bernoulli):
        return {"kind": "bernoulli", "p": float(loss.p), "acks": loss.acks}
    if isinstance(loss, Periodic):
        return {"kind": "periodic", "every": loss.every, "offset": loss.offset, "acks": loss.acks}
    return {"kind": "list", "packets": list(loss.packets), "acks": loss.acks}


def link_plan(link: DirectedLink, crossing: Crossing) -> dict[str, Any]:
    """A link with its queue and its losses, as the engine takes it."""
    qdisc: dict[str, Any]
    match link.qdisc:
        case Fifo():
            qdisc = {"kind": "fifo", **limit_plan(link, crossing)}
        case Red() as red:
            qdisc = _red(red, link, crossing)
        case Step() as step:
            qdisc = _step(step, link, crossing)
    return {
        "name": link.name,
        "rate_bps": link.rate_bps,
        "delay_ps": link.delay_ps,
        "qdisc": qdisc,
        "loss": _loss(link.loss),
    }
