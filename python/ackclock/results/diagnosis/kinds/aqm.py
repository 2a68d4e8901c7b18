"""cwnd after drops that a queue decided by itself."""

from ackclock.results.diagnosis.facts import FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.results.text import quantity


def _find(flow: FlowFacts) -> Limit | None:
    """Early drops come at random, so the algorithm's response function tells what they allow."""
    share = flow.time.take("early")
    link = flow.worst("dropped_early")
    if not share:
        return None
    from ackclock.results.diagnosis.response import response

    found = response(flow, flow.events("early") / flow.row["sent_packets"]) if flow.row["sent_packets"] else None
    name = "an AQM" if link is None else f"{link.plan['qdisc']['kind']} of {link.name}"
    law = "" if found is None else f", which allow {flow.cc} about {quantity(found.rate, 'bit/s')} ({found.law})"
    sentence = (
        f"{name} dropped {flow.lost['early']} of its packets ({quantity(flow.loss_share('early'), '%')}) before its limit{law}; "
        f"{flow.of_link()}"
    )
    key = flow.key("cc") if link is None else link.key("qdisc")
    bound, source = (None, None) if found is None else (found.rate, found.law)
    return Limit("aqm", "early drops of an AQM", share, sentence, key, "let it drop later, or turn ecn on", bound, source)


KIND = Kind("aqm", "early drops", _find)
