"""The way of the acknowledgments: a queue, losses, a slow link."""

from ackclock.results.diagnosis.facts import BUSY, FlowFacts, LinkFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.results.text import quantity

LOST = 0.01
"""From this share of ACKs lost on, their loss can be what limits."""


def _ack_bound(flow: FlowFacts, link: LinkFacts) -> float | None:
    """Payload per second that a link of this rate acknowledges, bit/s.

    An ACK for every second full packet (RFC 5681 section 4.2), or as the scenario has it: the
    factor of H. Balakrishnan, V. Padmanabhan & R. Katz, The effects of asymmetry on TCP
    performance, 1999.
    """
    if link.rate is None:
        return None
    per_second = link.rate / 8.0 / flow.transport["header_bytes"]
    return float(8.0 * per_second * flow.transport["delayed_ack_count"] * flow.mss)


def _find(flow: FlowFacts) -> Limit | None:
    """ACKs that queue or are lost, where cwnd or its clock was low and nothing was lost of the data."""
    links = flow.backward
    full = max(
        (link for link in links if link.rate is not None),
        key=lambda link: flow.run.busy(link, flow.start, flow.end) or link.utilisation,
        default=None,
    )
    if full is not None and full.utilisation >= BUSY and flow.busy < BUSY:
        share = flow.time.take("unreduced", "slow_start", "reordering", "forced", "timeouts")
        bound = _ack_bound(flow, full)
        sentence = (
            f"{full.name}, the way back, was busy for {quantity(full.utilisation, '%')} of the time, so ACKs waited "
            f"{quantity(full.row['queue_delay_mean'], 's')} on average or were dropped ({full.row['dropped_packets']}); "
            f"{flow.of_link()}"
        )
        law = "ACK rate times delayed_ack times mss"
        limit = Limit("reverse-path", "the reverse path", share, sentence, full.key("rate"), "raise it", bound, law)
        return limit if share else None
    losing = max(links, key=lambda link: link.row["dropped_packets"], default=None)
    if losing is None or losing.row["dropped_packets"] < LOST * max(losing.row["arrived_packets"], 1):
        return None
    parts, opened = ["reordering"], ""
    if flow.main_reason in {None, "reordering"}:
        parts += ["timeouts", "unreduced", "slow_start"]
    if flow.time["idle"] * flow.row["active_time"] > 3.0 * flow.row["base_rtt"]:
        # The answer to the SYN was lost, too.
        parts.append("idle")
        opened = f", and the connection was open after {quantity(flow.time['idle'] * flow.row['active_time'], 's')}"
    share = flow.time.take(*parts)
    if not share:
        return None
    # After a warm-up ACKs are dropped that came before its end.
    lost = min(1.0, losing.row["dropped_packets"] / max(losing.row["arrived_packets"], 1))
    wire = losing.row["dropped_wire"] >= losing.row["dropped_packets"] / 2
    sentence = (
        f"{quantity(lost, '%')} of the ACKs were lost on {losing.name}{opened}; {flow.row['timeouts']} timeouts, "
        f"{flow.row['spurious_timeouts']} of them needless; {flow.of_link()}"
    )
    advice = "lower it" if wire else "raise it"
    return Limit("reverse-path", "the reverse path", share, sentence, losing.key("loss" if wire else "limit"), advice)


KIND = Kind("reverse-path", "the reverse path", _find)
