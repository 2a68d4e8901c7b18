"""Slow start that ended far below the bandwidth-delay product."""

from ackclock.results.diagnosis.facts import DELAY_BASED, FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.results.text import quantity

FAR = 0.75
"""Below this share of a bandwidth-delay product, slow start ended early."""


def _find(flow: FlowFacts) -> Limit | None:
    """At one segment per round trip (RFC 5681 section 3.1) the rest takes (BDP - cwnd) / mss of them."""
    exit_cwnd, bdp = flow.row["slow_start_end_cwnd"], flow.bdp
    is_limited = flow.row["limited_cwnd"] >= flow.row["limited_pacing"]
    if exit_cwnd is None or not bdp or flow.base_cc in DELAY_BASED or not is_limited:
        return None
    target = bdp * flow.payload_share
    if exit_cwnd >= FAR * target:
        return None
    share = flow.time.take("unreduced")
    if not share:
        return None
    rounds = (target - exit_cwnd) / flow.mss
    planned = flow.transport["initial_ssthresh_bytes"]
    is_planned = planned is not None and exit_cwnd <= 1.5 * planned
    sentence = (
        f"cwnd was {quantity(exit_cwnd / target, '%')} of the bandwidth-delay product when slow start ended at "
        f"{quantity(flow.row['slow_start_end_time'], 's')}; at one segment per RTT it needs "
        f"{quantity(rounds * flow.row['base_rtt'], 's')} more to reach it; {flow.of_link()}"
    )
    key, advice = (flow.key("transport.ssthresh"), "raise it") if is_planned else (flow.key("cc"), "use another slow start, as classic+")
    if not is_planned:
        advice = f"use another slow start, such as classic+{flow.base_cc}"
    return Limit("slow-start-end", "slow start that ended early", share, sentence, key, advice)


KIND = Kind("slow-start-end", "where slow start ended", _find, on_kernel=False)
