"""The path of the acknowledgments: a queue, losses, a slow link."""

from ackclock.results.diagnosis.facts import BUSY, FlowFacts, LinkFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity

LOST = 0.01
"""From this loss rate of ACKs on, their loss can be the limit."""


WAITS = 0.25
"""From this share of the base RTT on, a mean delay of ACKs can be the limit."""


def _ack_bound(flow: FlowFacts, link: LinkFacts) -> float | None:
    """Return the payload rate that a link of this rate can acknowledge, bit/s.

    An ACK for every second full packet (RFC 5681 section 4.2), or as the scenario has it: the
    factor of H. Balakrishnan, V. Padmanabhan & R. Katz, The effects of asymmetry on TCP
    performance, 1999.
    """
    if link.rate is None:
        return None
    per_second = link.rate / 8.0 / flow.transport["header_bytes"]
    return float(8.0 * per_second * flow.transport["delayed_ack_count"] * flow.mss)


def _carries_data(flow: FlowFacts, link: LinkFacts) -> bool:
    """Return whether other flows' data is most of a link's traffic."""
    return flow.run.control_share(link) < 0.5


def _holds(flow: FlowFacts, link: LinkFacts) -> bool:
    """Return whether ACKs wait on a link, which is busy or has a long queue of others' data."""
    if link.utilisation >= BUSY:
        return True
    waits = (link.row["queue_delay_mean"] or 0.0) >= WAITS * flow.row["base_rtt"]
    return bool(waits and link.row["dropped_packets"] and _carries_data(flow, link))


def _find(flow: FlowFacts) -> Limit | None:
    """Find ACKs that queue or are lost, if cwnd or its clock was low and no data was lost."""
    links = flow.backward
    full = max(
        (link for link in links if link.rate is not None),
        key=lambda link: flow.run.busy(link, flow.start, flow.end) or link.utilisation,
        default=None,
    )
    if full is not None and _holds(flow, full) and flow.busy < BUSY:
        share = flow.time.take("unreduced", "slow_start", "reordering", "forced", "timeouts")
        beside = ", most of it with data of others" if _carries_data(flow, full) else ""
        bound = None if beside else _ack_bound(flow, full)
        if bound is not None and bound > flow.most:
            bound = None
        law = None if bound is None else "ACK rate times delayed_ack times mss"
        sentence = (
            f"{full.name}, the way back, was busy for {quantity(full.utilisation, '%')} of the "
            f"time{beside}, so ACKs waited {quantity(full.row['queue_delay_mean'], 's')} on "
            f"average or were dropped ({full.row['dropped_packets']}); {flow.of_link()}"
        )
        key, advice = full.rate_key, "raise it"
        if beside:
            # A faster link is filled by their data again.
            key, advice = (
                full.key("qdisc"),
                "use fair queueing there, such as fq_codel, so that ACKs do not wait behind data",
            )
        limit = Limit("reverse-path", "the reverse path", share, sentence, key, advice, bound, law)
        return limit if share else None
    losing = max(links, key=lambda link: link.row["dropped_packets"], default=None)
    if losing is None or losing.row["dropped_packets"] < LOST * max(
        losing.row["arrived_packets"], 1
    ):
        return None
    parts, opened = ["reordering"], ""
    if flow.main_reason in {None, "reordering"}:
        parts += ["timeouts", "unreduced", "slow_start"]
    if flow.time["idle"] * flow.row["active_time"] > 3.0 * flow.row["base_rtt"]:
        # The answer to the SYN was lost, too.
        parts.append("idle")
        opened = (
            ", and the connection was open after "
            f"{quantity(flow.time['idle'] * flow.row['active_time'], 's')}"
        )
    share = flow.time.take(*parts)
    if not share:
        return None
    # ACKs of the warm-up may be dropped after it.
    lost = min(1.0, losing.row["dropped_packets"] / max(losing.row["arrived_packets"], 1))
    wire = losing.row["dropped_wire"] >= losing.row["dropped_packets"] / 2
    sentence = (
        f"{quantity(lost, '%')} of the ACKs were lost on {losing.name}{opened}; "
        f"{flow.row['timeouts']} timeouts, {flow.row['spurious_timeouts']} of them needless; "
        f"{flow.of_link()}"
    )
    advice = "lower it" if wire else "raise it"
    return Limit(
        "reverse-path",
        "the reverse path",
        share,
        sentence,
        losing.key("loss") if wire else losing.limit_key,
        advice,
    )


KIND = Kind("reverse-path", "the reverse path", _find)
