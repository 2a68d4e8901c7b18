"""The link itself, for a flow that has its share of a busy link."""

from ackclock.results.diagnosis.facts import BUSY, FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity

MUCH = 0.1
"""From this share of what a link carried on, packets without data are worth a word."""


def _find(flow: FlowFacts) -> Limit | None:
    """Find a busy link; the bound is its rate as payload, divided max-min fairly."""
    share = flow.time.take("link")
    if not share or flow.link is None or flow.link.rate is None:
        return None
    bound = (flow.fair_share or flow.link.rate) * flow.payload_share
    busy = f"{flow.link.name} was busy for {quantity(flow.busy, '%')} of its time"
    nominal = flow.link.row["rate"]
    of_what = (
        f"could carry on average (nominally {quantity(nominal, 'bit/s')})"
        if flow.link.varies
        else "carries"
    )
    alone = "alone"
    if flow.others.count and flow.fair_share:
        due = flow.wire_rate / flow.fair_share
        alone = f"beside {flow.others.count} other{'s' if flow.others.count > 1 else ''}"
        if due < 0.95:
            alone += f", {quantity(due, '%')} of its fair share"
    # In a short time, packets already on the way can add up to more than the link's rate.
    had = "all" if flow.goodput > flow.link.rate else quantity(flow.goodput, "bit/s")
    sentence = (
        f"{busy}; it had {had} of the {quantity(flow.link.rate, 'bit/s')} that it {of_what}, "
        f"{alone}"
    )
    control = flow.run.control_share(flow.link)
    if control >= MUCH:
        sentence += f"; {quantity(control, '%', 2)} of its traffic was ACKs and handshakes"
    key = flow.link.rate_key if flow.busy >= BUSY else None
    return Limit(
        "link",
        "the link itself",
        share,
        sentence,
        key,
        "raise it" if key else "",
        bound,
        "fair share of the link as payload",
    )


KIND = Kind("link", "how busy its link was", _find)
