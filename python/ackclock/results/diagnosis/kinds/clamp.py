"""The configured maximum of cwnd."""

from ackclock.results.diagnosis.facts import FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity


def _find(flow: FlowFacts) -> Limit | None:
    """Find a cwnd at its maximum; the bound is max_cwnd / mean RTT."""
    share = flow.time.take("clamp")
    if not share:
        return None
    most = flow.transport["max_cwnd_bytes"]
    bound = 8.0 * flow.connections * most / flow.rtt
    sentence = f"cwnd reached its maximum of {quantity(most, 'bytes')}"
    if bound <= flow.most:
        sentence = (
            f"max_cwnd of {quantity(most, 'bytes')} allows {quantity(bound, 'bit/s')} at an RTT of "
            f"{quantity(flow.rtt, 's')}"
        )
    key = flow.key("transport.max_cwnd")
    return Limit(
        "clamp",
        "the maximum of cwnd",
        share,
        f"{sentence}; {flow.of_link()}",
        key,
        "raise or remove it",
        bound,
        "window / RTT",
    )


KIND = Kind("clamp", "the maximum of cwnd", _find)
