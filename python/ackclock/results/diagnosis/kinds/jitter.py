"""A delay that varies from packet to packet, which makes bursts and misleads slow starts."""

import json

from ackclock.results.diagnosis.facts import BUSY, FlowFacts, LinkFacts
from ackclock.results.diagnosis.growth import growth
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity, times

BURST = 0.5
"""From this share of a queue on, a burst of packets released by jitter overflows it."""

FOOLED = 0.004
"""HyStart takes a rise of the RTT of 4 ms or more for a queue (RFC 9406 section 4.2), s."""

_DRAWS = 501


def _spread(link: LinkFacts) -> float:
    """Return the 5th-to-95th percentile spread of a link's jitter, or its longest slot gap, s."""
    slot, jitter = link.impairment("slot"), link.impairment("jitter")
    if slot is not None:
        return float(slot["max_delay_ps"] / 1e12)
    if jitter is None or jitter["delay"]["kind"] == "fixed":
        return 0.0
    from ackclock import _core

    drawn = sorted(_core.draw(0, "diagnosis", json.dumps(jitter["delay"]), _DRAWS))
    return float(drawn[_DRAWS * 95 // 100] - drawn[_DRAWS * 5 // 100])


def _burst(flow: FlowFacts, link: LinkFacts | None, spread: float) -> float:
    """Return the bytes that a full window has on its way in a time, wire bytes."""
    window = flow.row["cwnd_max"] * flow.connections / flow.payload_share
    if flow.bdp and link is not None and link.buffer_bytes is not None:
        window = min(window, flow.bdp + link.buffer_bytes)
    return float(window * min(1.0, spread / flow.rtt))


def _find(flow: FlowFacts) -> Limit | None:
    """Find bursts: packets in order wait for a late one, then come at once (rate times spread)."""
    links = [
        link
        for link in (*flow.forward, *flow.backward)
        if link.impairment("jitter") or link.impairment("slot")
    ]
    if not links or flow.busy >= BUSY or flow.answers_delay:
        return None
    spreads = {link.index: _spread(link) for link in links}
    link = max(links, key=lambda candidate: spreads[candidate.index])
    spread, dropping = spreads[link.index], flow.worst("dropped_forced")
    burst = _burst(flow, dropping, spread)
    parts, effects = [], []
    if (
        dropping is not None
        and dropping.buffer_bytes is not None
        and burst >= BURST * dropping.buffer_bytes
    ):
        if flow.main_reason == "reordering" and link.impairment("slot") is None:
            # Reordering by the jitter caused most reductions, and so the bursts count for it, too.
            flow.time.move("forced", "reordering")
            return None
        parts.append("forced")
        effects.append(
            f"it lets packets go in bursts of up to {quantity(burst, 'bytes')}, and the queue of "
            f"{dropping.name}, {quantity(dropping.buffer_bytes, 'bytes')}, dropped "
            f"{flow.lost['forced']}"
        )
        parts.append("reordering")
    slow_start = growth(flow)
    if slow_start is not None and spread >= FOOLED and flow.time["unreduced"]:
        parts.append("unreduced")
        effects.append(
            f"slow start took it for a queue and ended at {quantity(slow_start.first, '%', 2)} of "
            "the bandwidth-delay product"
        )
    share = flow.time.take(*parts)
    if not share:
        return None
    if "reordering" in parts and flow.events("reordering"):
        effects.append(
            f"cwnd was reduced {times(flow.events('reordering'))} for losses that were none"
        )
    if link.impairment("slot") is not None:
        sentence = (
            f"{link.name} sends in batches, up to {quantity(spread, 's')} apart: "
            f"{'; '.join(effects)}; {flow.of_link()}"
        )
        return Limit("slots", "slots of a link", share, sentence, link.key("slot"), "shorten it")
    sentence = (
        f"the delay of {link.name} varies by {quantity(spread, 's')} (5th to 95th percentile): "
        f"{'; '.join(effects)}; {flow.of_link()}"
    )
    return Limit("jitter", "jitter", share, sentence, link.key("jitter"), "lower it")


KIND = Kind("jitter", "jitter", _find)
