"""Slow start that takes much of a flow's time."""

import math

from ackclock.results.diagnosis.facts import FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity


def _find(flow: FlowFacts) -> Limit | None:
    """Find a long slow start; doubling from the initial window takes log2(BDP / IW) round trips."""
    share = flow.time.take("slow_start")
    if not share:
        return None
    first = flow.transport["initial_window_bytes"]
    needed = math.log2(max(flow.bdp / first, 1.0)) if flow.bdp else None
    law = (
        ""
        if not needed
        else (
            f"; doubling reaches the bandwidth-delay product after {quantity(needed, '1', 2)} "
            "round trips"
        )
    )
    is_short = flow.plan["app"]["kind"] in {"file", "session"}
    time, base = flow.row["active_time"], flow.row["base_rtt"]
    # A path without delay has no round trips to count.
    length = f"{quantity(time / base, '1')} round trips" if base else quantity(time, "s")
    handshake = ", with the handshake and the last acknowledgment" if is_short else ""
    sentence = f"its time was {length}{handshake}{law}; {flow.of_link()}"
    if is_short:
        key, advice = flow.key("transport.initial_window"), "raise it, or send more"
    else:
        key, advice = "duration", "raise it, or set warmup"
    return Limit("slow-start", "slow start", share, sentence, key, advice)


KIND = Kind("slow-start", "slow start", _find, on_kernel=False)
