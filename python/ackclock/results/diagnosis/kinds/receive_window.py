"""The receiver's advertised window."""

from ackclock.results.diagnosis.facts import FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity

# Goodput is data in order at the receiver, read or not: so much more than the reading rate is
# told of.
_MORE = 1.05


def _find(flow: FlowFacts) -> Limit | None:
    """Find a small advertised window; the bound is window / mean RTT (RFC 9293 section 3.8.6)."""
    share = flow.time.take("receive_window")
    if not share:
        return None
    buffer, read = flow.transport["receive_buffer_bytes"], flow.transport["read_rate_bps"]
    bound, law = 8.0 * flow.connections * buffer / flow.rtt, "window / RTT"
    sentence = (
        f"the receiver's buffer of {quantity(buffer, 'bytes')} allows {quantity(bound, 'bit/s')} "
        f"at an RTT of {quantity(flow.rtt, 's')}"
    )
    key, advice = flow.key("transport.receive_buffer"), f"raise it{_to(flow)}"
    if read is not None and read * flow.connections < bound:
        bound, law, key, advice = (
            float(read) * flow.connections,
            "the reader's rate",
            flow.key("transport.read_rate"),
            "raise it",
        )
        sentence = f"the receiving application reads {quantity(bound, 'bit/s')}"
        if flow.goodput > _MORE * bound:
            sentence += (
                ", and the rest of the arriving data waits in the receiver's buffer of "
                f"{quantity(buffer, 'bytes')}"
            )
    elif bound > 1.2 * flow.goodput:
        law_note = "the kernel" if not flow.run.is_simulated else "the receiver"
        sentence = (
            f"{law_note} grew its advertised window too slowly, below its buffer of "
            f"{quantity(buffer, 'bytes')}"
        )
        key, advice, bound, law = flow.key("transport.initial_receive_window"), "raise it", 0.0, ""
    return Limit(
        "receive-window",
        "the receive window",
        share,
        f"{sentence}; {flow.of_link()}",
        key,
        advice,
        bound or None,
        law or None,
    )


def _to(flow: FlowFacts) -> str:
    return (
        ""
        if flow.bdp is None
        else f" to {quantity(2.0 * flow.bdp, 'bytes')}, two bandwidth-delay products"
    )


KIND = Kind("receive-window", "the receive window", _find)
