"""Reordering and delays that were taken for losses."""

from ackclock.results.diagnosis.facts import FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import times


def _find(flow: FlowFacts) -> Limit | None:
    """Find reductions of cwnd without a lost packet."""
    parts = ["reordering"]
    if flow.main_reason == "reordering":
        parts.append("timeouts")
    share = flow.time.take(*parts)
    if not share:
        return None
    row = flow.row
    link = flow.worst("reordered_packets")
    late = (
        ""
        if link is None
        else f"{link.row['reordered_packets']} packets overtook others on {link.name}; "
    )
    sentence = (
        f"{late}cwnd was reduced {times(flow.events('reordering'))} for losses that were none, "
        f"{row['undos']} taken back; {row['spurious_timeouts']} of {row['timeouts']} timeouts were "
        f"needless; {flow.of_link()}"
    )
    if link is not None:
        part = (
            "reorder"
            if link.impairment("reorder")
            else "jitter"
            if link.impairment("jitter")
            else ""
        )
        return Limit(
            "reordering", "reordering taken for losses", share, sentence, link.key(part), "lower it"
        )
    key = flow.key("transport.min_rto") if row["timeouts"] else flow.key("transport.loss_detection")
    advice = "raise it" if row["timeouts"] else "use rack"
    return Limit("reordering", "delays taken for losses", share, sentence, key, advice)


KIND = Kind("reordering", "reordering", _find)
