"""cwnd after marks."""

from ackclock.results.diagnosis.facts import FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.results.text import quantity


def _find(flow: FlowFacts) -> Limit | None:
    """Marks reduce cwnd as losses do (RFC 3168), or by their share (RFC 8257)."""
    share = flow.time.take("mark")
    link = flow.worst("marked_packets")
    if not share:
        return None
    marked = flow.row["marked_packets"] / flow.row["sent_packets"] if flow.row["sent_packets"] else 0.0
    where = "" if link is None else f" by {link.plan['qdisc']['kind']} of {link.name}"
    sentence = (
        f"{quantity(marked, '%')} of its packets were marked{where}, which reduced cwnd {flow.row['ecn_reductions']} times, and the "
        f"link was idle for {quantity(1.0 - flow.busy, '%')} of the time; {flow.of_link()}"
    )
    key = flow.key("transport.ecn") if link is None else link.key("qdisc")
    return Limit("marks", "cwnd after marks", share, sentence, key, "let it mark later")


KIND = Kind("marks", "marks (ECN)", _find)
