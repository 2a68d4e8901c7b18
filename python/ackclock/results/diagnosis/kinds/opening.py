"""The time until the connection is open, or without a connection."""

from ackclock.results.diagnosis.facts import FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity


def _find(flow: FlowFacts) -> Limit | None:
    """Find slow handshakes: a round trip (RFC 9293 section 3.5), more if a SYN is lost."""
    share = flow.time.take("idle")
    if not share:
        return None
    spent = share * flow.row["active_time"]
    if flow.row["sent_packets"] == 0:
        sentence = f"it sent no data in {quantity(spent, 's')}: the handshake did not complete"
    else:
        sentence = (
            f"{quantity(spent, 's')} passed without an open connection, with a base RTT of "
            f"{quantity(flow.row['base_rtt'], 's')}"
        )
    losing = flow.worst("dropped_wire")
    if losing is not None and spent > 3.0 * flow.row["base_rtt"]:
        return Limit(
            "opening",
            "opening the connection",
            share,
            f"{sentence}; SYNs were lost",
            losing.key("loss"),
            "lower it",
        )
    full = flow.worst("dropped_forced")
    if full is not None and spent > 3.0 * flow.row["base_rtt"]:
        sentence += f"; the queue of {full.name} was full, and SYNs were lost"
        return Limit(
            "opening",
            "opening the connection",
            share,
            sentence,
            full.limit_key,
            "raise it, or start fewer flows at once",
        )
    if flow.plan["app"]["kind"] == "file":
        return Limit(
            "opening",
            "opening the connection",
            share,
            sentence,
            flow.key("app.size"),
            "send more over one connection",
        )
    return Limit("opening", "opening the connection", share, sentence, "duration", "raise it")


KIND = Kind("opening", "the handshake", _find)
