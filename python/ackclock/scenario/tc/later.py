"""Changes of a link over time: commands with the pauses between them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from ackclock.scenario.qdisc.tc_words import limit_of
from ackclock.scenario.qdisc.tc_words.units import time
from ackclock.scenario.quantities import PS_PER_S
from ackclock.scenario.tc.wire import Wire, netem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.core_types.plan import FifoQdiscPlan, LimitPlan, LinkPlan, QdiscPlan
    from ackclock.scenario.qdisc.tc_words import Packet, TcQdisc

__all__ = ["Later", "limit_steps", "rate_steps", "wire_steps"]


@dataclass(frozen=True)
class Later:
    """A schedule: tc's words of one discipline from given times on."""

    meaning: str
    steps: tuple[tuple[int, tuple[str, ...]], ...]
    """Times after the start, ps, ascending, each with the discipline's words from then on."""
    period_ps: int | None = None
    """Period after which the steps start again; None: the last one stays."""


def rate_steps(
    link: LinkPlan, words_at: Callable[[int], tuple[str, ...]]
) -> tuple[list[Later], list[str]]:
    """The rates of a link that varies, as steps with `words_at` a rate in bit/s, and notes."""
    service = link.get("service")
    if service is None:
        return [], []
    notes = []
    outages = service.get("outages")
    if outages is not None and outages["windows"]:
        notes.append(
            "tc has no rate of zero: the scenario's outages, in which packets wait, are left out."
        )
    if service["kind"] == "trace":
        notes.append(
            "tc plays no trace of delivery opportunities (mm-link does): the link has the trace's "
            "mean rate."
        )
        return [], notes
    steps = []
    for at, rate_bps in service["rates"]:
        if rate_bps == 0:
            notes.append(
                f"tc has no rate of zero: the step at {at / PS_PER_S:g} s is left out, and the "
                "rate before it stays."
            )
            continue
        steps.append((at, words_at(rate_bps)))
    return [Later("the rate", tuple(steps), service.get("period_ps"))], notes


def limit_steps(
    plan: QdiscPlan, packet: Packet, shaped: TcQdisc | None
) -> tuple[list[Later], bool]:
    """The limits of a fifo over time, and whether they are those of the token bucket itself."""
    fifo = cast("FifoQdiscPlan", plan)
    if not fifo.get("later"):
        return [], False
    limit: LimitPlan = {
        "limit_packets": fifo.get("limit_packets"),
        "limit_bytes": fifo.get("limit_bytes"),
    }
    steps = [(0, limit_of(limit, packet)[0])]
    steps += [(step["from_ps"], limit_of(step, packet)[0]) for step in fifo.get("later") or []]
    return [Later("the limit", tuple(steps))], shaped is not None and not shaped.children


def _windows(
    windows: Sequence[Sequence[int]], during: tuple[str, ...], else_: tuple[str, ...]
) -> tuple[tuple[int, tuple[str, ...]], ...]:
    steps = []
    for start, end in windows:
        steps += [(start, during), (end, else_)]
    return tuple(steps)


def wire_steps(link: LinkPlan, wire: Wire, limit: int) -> list[Later]:
    """The delays, losses and lossy outages of a link over time, as steps of its netem."""
    schedules = []
    usual = netem(wire, limit)
    window = link.get("loss_window")
    if window is not None and wire.loss:
        without = netem(replace(wire, loss=()), limit)
        stop = window.get("stop_ps")
        steps = [(window["start_ps"], usual), *([] if stop is None else [(stop, without)])]
        first = [(0, without)] if window["start_ps"] else []
        schedules.append(Later("the time of the loss", (*first, *steps)))
    for impairment in link.get("impairments") or []:
        if impairment["kind"] == "delay-schedule":
            delays = [
                (at, netem(replace(wire, delay=_with_delay(wire, delay)), limit))
                for at, delay in impairment["delays"]
            ]
            schedules.append(Later("the delay", ((0, usual), *delays), impairment.get("period_ps")))
        elif impairment["kind"] == "outage":
            lost = netem(replace(wire, loss=("random", "100%")), limit)
            schedules.append(
                Later(
                    "outages, in which all packets are lost",
                    _windows(impairment["windows"], lost, usual),
                    impairment.get("period_ps"),
                )
            )
    return schedules


def _with_delay(wire: Wire, delay_ps: int) -> tuple[str, ...]:
    return (time(delay_ps, finest="ns"), *wire.delay[1:])
