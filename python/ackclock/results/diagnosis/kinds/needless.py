"""Packets sent again although no copy was lost, which fill a link."""

from ackclock.results.diagnosis.facts import FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity

LEAST = 0.05
"""Smallest share of needless packets that is worth telling."""

LOST_ACKS = 0.01


def _cause(flow: FlowFacts) -> tuple[str, str, str]:
    """Return the known reason, the key to change, and the advice for it."""
    row, transport = flow.row, flow.transport
    link = flow.worst("reordered_packets")
    if link is not None:
        part = (
            "reorder"
            if link.impairment("reorder")
            else "jitter"
            if link.impairment("jitter")
            else ""
        )
        return f"{link.name} reorders packets", link.key(part), "lower it"
    losing = max(flow.backward, key=lambda link: link.row["dropped_wire"], default=None)
    if (
        losing is not None
        and losing.row["dropped_wire"] > LOST_ACKS * losing.row["arrived_packets"]
    ):
        return f"{losing.name} loses ACKs", losing.key("loss"), "lower it"
    largest = max(row["rtt_max"] or 0.0, row["base_rtt"])
    if row["timeouts"] and largest > transport["max_rto_ps"] / 1e12:
        why = f"the RTT reached {quantity(largest, 's')}, beyond the longest retransmission timeout"
        return why, flow.key("transport.max_rto"), f"raise it to {quantity(2.0 * largest, 's')}"
    if row["timeouts"] and row["base_rtt"] > transport["initial_rto_ps"] / 1e12:
        why = (
            f"the base RTT is {quantity(row['base_rtt'], 's')}, beyond the first retransmission "
            "timeout"
        )
        return (
            why,
            flow.key("transport.initial_rto"),
            f"raise it to {quantity(2.0 * row['base_rtt'], 's')}",
        )
    if transport["loss_detection"] == "dupack":
        return (
            "without SACK a sender does not know what arrived",
            flow.key("transport.loss_detection"),
            "use rack or sack",
        )
    if row["timeouts"]:
        return (
            f"timeouts came too early, {row['spurious_timeouts']} of {row['timeouts']}",
            flow.key("transport.min_rto"),
            "raise it",
        )
    return "packets were taken for lost too early", flow.key("transport.loss_detection"), "use rack"


def _find(flow: FlowFacts) -> Limit | None:
    """Find needless retransmissions: the link's time that went to data that had arrived."""
    if flow.needless < LEAST:
        return None
    share = flow.time.take_some("link", flow.needless * flow.time["link"])
    if not share:
        return None
    why, key, advice = _cause(flow)
    sentence = (
        f"{quantity(flow.needless, '%', 2)} of the arriving packets had arrived before: "
        f"{flow.needless_packets} of {flow.row['sent_packets']} packets sent were needless; {why}; "
        f"{flow.of_link()}"
    )
    return Limit("needless", "needless retransmissions", share, sentence, key, advice)


KIND = Kind("needless", "needless retransmissions", _find)
