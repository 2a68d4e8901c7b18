"""A token bucket that drops."""

from ackclock.results.diagnosis.facts import BUSY, FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity

FAR = 0.5
"""Below this share of the bucket's rate, its size is the limit."""


def _find(flow: FlowFacts) -> Limit | None:
    """Find drops of a policer, which passes its rate in the long run (tc-police(8))."""
    link = flow.worst("dropped_policed")
    if link is None or not (flow.lost["policed"] or flow.row["lost_policed"] is None):
        return None
    parts = ["policed"]
    bound = link.plan["policer"]["rate_bps"] * flow.payload_share
    if flow.main_reason == "policed":
        parts.append("timeouts")
    if flow.goodput > 0.5 * bound / (1 + flow.others.count):
        # The bucket also limits algorithms that do not answer drops.
        parts += ["unreduced", "slow_start", *(["link"] if flow.busy < BUSY else [])]
    share = flow.time.take(*parts)
    if not share:
        return None
    sentence = (
        f"the policer of {link.name} passes {quantity(bound, 'bit/s')} of payload, dropped "
        f"{flow.lost['policed']} packets ({quantity(flow.loss_share('policed'), '%')}), and has a "
        f"burst of {quantity(link.plan['policer']['burst_bytes'], 'bytes')}; {flow.of_link()}"
    )
    key, advice, rate = (
        link.key("policer"),
        "raise its rate or burst",
        link.plan["policer"]["rate_bps"],
    )
    wanted = rate * flow.rtt / 8.0
    if (
        flow.goodput < FAR * bound
        and not flow.others.count
        and link.plan["policer"]["burst_bytes"] < wanted
    ):
        # The bucket's rate is far above the flow's: its size is the limit.
        sentence += (
            "; bursts find too few tokens, for the bucket holds less than a bandwidth-delay "
            "product of its rate"
        )
        return Limit(
            "policer",
            "a policer",
            share,
            sentence,
            f"{key}.burst",
            f"raise it towards {quantity(wanted, 'bytes')}",
        )
    return Limit("policer", "a policer", share, sentence, key, advice, bound, "token bucket's rate")


KIND = Kind("policer", "policers", _find)
