"""cwnd after marks."""

from ackclock.results.diagnosis.advice import of_queue
from ackclock.results.diagnosis.facts import FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity, times


def _find(flow: FlowFacts) -> Limit | None:
    """Find ECN marks, which reduce cwnd like losses (RFC 3168) or by their share (RFC 8257)."""
    if flow.keeps_own_window:
        return None
    share = flow.time.take("mark")
    link = flow.worst("marked_packets")
    if not share:
        return None
    marked = (
        flow.row["marked_packets"] / flow.row["sent_packets"] if flow.row["sent_packets"] else 0.0
    )
    where = "" if link is None else f" by {link.qdisc['kind']} of {link.name}"
    sentence = (
        f"{quantity(marked, '%')} of its packets were marked{where}, which reduced cwnd "
        f"{times(flow.row['ecn_reductions'])}; the link was idle for "
        f"{quantity(1.0 - flow.busy, '%')} of the time; {flow.of_link()}"
    )
    key, advice = (
        (flow.key("transport.ecn"), "turn it off")
        if link is None
        else of_queue(flow, link, is_full=False)
    )
    return Limit("marks", "cwnd after marks", share, sentence, key, advice)


KIND = Kind("marks", "marks (ECN)", _find)
