"""The plans of links: queues and losses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.messages import shown
from ackclock.scenario.app import Stream
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.limit import LimitSchedule
from ackclock.scenario.qdisc.queue import Crossing, Queue
from ackclock.scenario.quantities import rate_bps, size_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.core_types.plan import ImpairmentPlan, LinkPlan, PolicerPlan
    from ackclock.scenario.plan.entries import Entry
    from ackclock.scenario.topology import DirectedLink

__all__ = ["crossings_by_link", "link_plan"]


def crossings_by_link(entries: list[Entry], count: int) -> list[Crossing]:
    """For each link the flows whose data crosses it, or, without any, those whose ACKs do."""
    data = [Crossing() for _ in range(count)]
    acks = [Crossing() for _ in range(count)]
    for entry in entries:
        app = entry.spec.app
        if isinstance(app, Stream):
            header, packet = 0, app.largest_payload_bytes() + app.header_bytes()
        else:
            header = size_bytes(entry.options["header"])
            packet = size_bytes(entry.options["mss"]) + header
        flows, rtt_sum = len(entry.flows), sum(flow.base_rtt_ps for flow in entry.flows)
        for link in entry.path:
            data[link].add(flows, rtt_sum, packet, packet)
        for link in () if isinstance(app, Stream) else entry.reverse_path:
            acks[link].add(flows, rtt_sum, packet, header)
    return [
        with_data if with_data.flows else with_acks
        for with_data, with_acks in zip(data, acks, strict=True)
    ]


def _impairments(link: DirectedLink, folder: Path | None) -> list[ImpairmentPlan]:
    """The impairments of a link, in the order in which the wire applies them."""
    reorder = link.wire.reorder
    if (
        reorder is not None
        and reorder.extra is None
        and link.delay_ps == 0
        and link.wire.jitter is None
    ):
        raise ScenarioError(
            "there is no delay that packets could skip: give the link one, or say how much later "
            "they arrive, extra = '10ms'",
            key=f"{link.key}.reorder",
        )
    impairments = link.wire.impairments(folder)
    if link.lossy_outages is not None:
        impairments.insert(0, {"kind": "outage", **link.lossy_outages.plan()})
    if link.slot is not None:
        impairments.append(link.slot.plan())
    return impairments


def _policer(link: DirectedLink, crossing: Crossing) -> PolicerPlan | None:
    policer = link.policer
    if policer is None:
        return None
    rate, key = rate_bps(policer.rate), f"{link.key}.policer.burst"
    burst = Queue(link.key, rate, link.delay_ps, "unlimited", crossing).size_bytes(
        policer.burst, key
    )
    least = crossing.largest_bytes
    if burst < least:
        raise ScenarioError(
            f"{shown(policer.burst)}: less than one packet of {least} bytes: it would never pass",
            key=key,
            value=policer.burst,
        )
    return {"rate_bps": rate, "burst_bytes": burst}


def _queue(link: DirectedLink, crossing: Crossing) -> Queue:
    limit = link.limit
    if not isinstance(limit, LimitSchedule):
        return Queue(link.key, link.rate_bps, link.delay_ps, limit, crossing)
    if not link.qdisc.limit_may_change:
        raise ScenarioError(
            f"a schedule of limits needs the discipline 'fifo': '{link.qdisc.name}' cannot change "
            "its limit while it runs; write one limit",
            key=f"{link.key}.limit",
            value=limit.schedule,
        )
    first, *later = limit.steps()
    return Queue(link.key, link.rate_bps, link.delay_ps, first[1], crossing, tuple(later))


def link_plan(link: DirectedLink, crossing: Crossing, folder: Path | None) -> LinkPlan:
    """A link in the engine's form; `folder` is the scenario's, for files it names."""
    queue = _queue(link, crossing)
    window = None if link.loss is None else link.loss.window()
    plan: LinkPlan = {
        "name": link.name,
        "rate_bps": link.rate_bps,
        "delay_ps": link.delay_ps,
        "policer": _policer(link, crossing),
        "qdisc": link.qdisc.plan(queue),
        "loss": None if link.loss is None else link.loss.plan(folder),
    }
    if window is not None:
        plan["loss_window"] = window
    if link.service is not None:
        plan["service"] = link.service
    impairments = _impairments(link, folder)
    if impairments:
        plan["impairments"] = impairments
    return plan
