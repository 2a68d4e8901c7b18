"""A token bucket that drops."""

from ackclock.results.diagnosis.facts import BUSY, FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.results.text import quantity

FAR = 0.5
"""Below this share of what the bucket passes, its size limits."""


def _find(flow: FlowFacts) -> Limit | None:
    """What passes in the long run is the bucket's rate (tc-police(8)); here as payload."""
    link = flow.worst("dropped_policed")
    if link is None or not (flow.lost["policed"] or flow.row["lost_policed"] is None):
        return None
    parts = ["policed"]
    bound = link.plan["policer"]["rate_bps"] * flow.payload_share
    if flow.main_reason == "policed":
        parts.append("timeouts")
    if flow.goodput > 0.5 * bound / (1 + len(flow.others)):
        # What does not answer drops is held by the bucket all the same.
        parts += ["unreduced", "slow_start", *(["link"] if flow.busy < BUSY else [])]
    share = flow.time.take(*parts)
    if not share:
        return None
    sentence = (
        f"the policer of {link.name} passes {quantity(bound, 'bit/s')} of payload, dropped {flow.lost['policed']} packets "
        f"({quantity(flow.loss_share('policed'), '%')}), and has a burst of {quantity(link.plan['policer']['burst_bytes'], 'bytes')}; "
        f"{flow.of_link()}"
    )
    key, advice, rate = link.key("policer"), "raise its rate or burst", link.plan["policer"]["rate_bps"]
    wanted = rate * flow.rtt / 8.0
    if flow.goodput < FAR * bound and not flow.others and link.plan["policer"]["burst_bytes"] < wanted:
        # What the bucket passes in the long run is far above: its size limits, and not its rate.
        sentence += "; bursts find too few tokens, for the bucket holds less than a bandwidth-delay product of its rate"
        return Limit("policer", "a policer", share, sentence, f"{key}.burst", f"raise it towards {quantity(wanted, 'bytes')}")
    return Limit("policer", "a policer", share, sentence, key, advice, bound, "token bucket's rate")


KIND = Kind("policer", "policers", _find)
