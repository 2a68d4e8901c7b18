"""A link that is down at times."""

import math

from ackclock.results.diagnosis.facts import FlowFacts, LinkFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity


def _down(link: LinkFacts) -> bool:
    return link.impairment("outage") is not None or "outages" in (link.plan.get("service") or {})


def _down_share(flow: FlowFacts, link: LinkFacts) -> float:
    """Return the share of a flow's time that a link was down while packets waited, 0 to 1."""
    outages = (link.plan.get("service") or {}).get("outages")
    length = flow.end - flow.start
    if not outages or length <= 0.0:
        return 0.0
    windows = [(begin / 1e12, end / 1e12) for begin, end in outages["windows"]]
    if outages["period_ps"]:
        return min(
            1.0,
            float(math.fsum(end - begin for begin, end in windows) / (outages["period_ps"] / 1e12)),
        )
    return float(
        math.fsum(max(0.0, min(end, flow.end) - max(begin, flow.start)) for begin, end in windows)
        / length
    )


def _find(flow: FlowFacts) -> Limit | None:
    """Find losses while a link is down, and the timeouts that follow."""
    down = next((link for link in (*flow.forward, *flow.backward) if _down(link)), None)
    if down is None:
        return None
    parts = ["timeouts"]
    if down.impairment("outage") is not None and down.plan.get("loss") is None:
        parts.append("wire")
        if flow.is_blind:
            # The algorithm's model of the path forgot the rate during the outage.
            parts.append("unreduced")
    gone = _down_share(flow, down)
    share = flow.time.take(*parts) + flow.time.take_some("link", gone * flow.time["link"])
    if not share:
        return None
    when = f"for {quantity(gone, '%')} of its time" if gone else "at times"
    sentence = (
        f"{down.name} is down {when}; {flow.row['timeouts']} timeouts, and "
        f"{quantity(flow.row['time_silence'], 's')} spent waiting for one; {flow.of_link()}"
    )
    return Limit(
        "outage",
        "outages and what follows them",
        share,
        sentence,
        down.key("outages"),
        "shorten them",
    )


KIND = Kind("outage", "outages", _find)
