"""A link that sends in batches, as Wi-Fi does."""

from ackclock.results.diagnosis.facts import FlowFacts, LinkFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity

NEAR = 0.7
"""From this share of the slots' capacity on, the slots limit a flow."""


def _carries(flow: FlowFacts, link: LinkFacts) -> float | None:
    """Return the payload rate of bounded slots, bit/s: size over mean time between slots."""
    slot = link.impairment("slot")
    if slot is None:
        return None
    sizes = (
        []
        if slot["packets"] is None
        else [slot["packets"] * (flow.mss + flow.transport["header_bytes"])]
    )
    sizes += [] if slot["bytes"] is None else [slot["bytes"]]
    if not sizes:
        return None
    interval = (slot["min_delay_ps"] + slot["max_delay_ps"]) / 2e12
    return float(8.0 * min(sizes) * flow.payload_share / interval) if interval else None


def _find(flow: FlowFacts) -> Limit | None:
    """Find a flow at the capacity of a link's slots."""
    bounds = [(bound, link) for link in flow.forward if (bound := _carries(flow, link)) is not None]
    bound, link = min(bounds, key=lambda pair: pair[0], default=(0.0, None))
    if link is None or flow.goodput < NEAR * bound / (1 + flow.others.count):
        return None
    share = flow.time.take(
        "unreduced", "forced", "slow_start", "timeouts", "reordering", "wire", "link"
    )
    if not share:
        return None
    sentence = (
        f"the slots of {link.name} carry {quantity(bound, 'bit/s')} of payload; {flow.of_link()}"
    )
    return Limit(
        "slots",
        "slots of a link",
        share,
        sentence,
        link.key("slot"),
        "raise its packets, or shorten it",
        bound,
        "slot size / interval",
    )


KIND = Kind("slots", "slots", _find)
