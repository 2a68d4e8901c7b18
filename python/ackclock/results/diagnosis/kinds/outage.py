"""A link that is down at times."""

from ackclock.results.diagnosis.facts import BLIND, FlowFacts, LinkFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.results.text import quantity


def _down(link: LinkFacts) -> bool:
    return link.impairment("outage") is not None or "outages" in (link.plan.get("service") or {})


def _find(flow: FlowFacts) -> Limit | None:
    """Losses while a link is down, and the timeouts that follow."""
    down = next((link for link in (*flow.forward, *flow.backward) if _down(link)), None)
    if down is None:
        return None
    parts = ["timeouts"]
    if down.impairment("outage") is not None and down.plan.get("loss") is None:
        parts.append("wire")
        if flow.base_cc in BLIND:
            # Its model of the path forgot the rate while nothing came through.
            parts.append("unreduced")
    share = flow.time.take(*parts)
    if not share:
        return None
    sentence = (
        f"{down.name} is down at times; {flow.row['timeouts']} timeouts, and "
        f"{quantity(flow.row['time_silence'], 's')} spent waiting for one; {flow.of_link()}"
    )
    return Limit("outage", "outages and what follows them", share, sentence, down.key("outages"), "shorten them")


KIND = Kind("outage", "outages", _find)
