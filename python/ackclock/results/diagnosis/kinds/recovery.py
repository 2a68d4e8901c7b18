"""Time in recovery and in timeouts."""

from ackclock.results.diagnosis.facts import FlowFacts, LinkFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.results.text import quantity

_WORDS = {
    "wire": ("on the wire", "dropped_wire", "loss", "lower it"),
    "forced": ("at a queue's limit", "dropped_forced", "limit", "raise it"),
    "early": ("by an AQM", "dropped_early", "qdisc", "let it drop later"),
    "policed": ("by a policer", "dropped_policed", "policer", "raise its rate or burst"),
}


def _find(flow: FlowFacts) -> Limit | None:
    """Episodes of a tenth of the time or more; shorter ones count for what caused them."""
    share = flow.time.take("recovery", "timeouts")
    if not share:
        return None
    from ackclock.results.diagnosis.response import response

    row, lost = flow.row, flow.lost
    cause = max(lost, key=lambda name: lost[name])
    words, column, part, advice = _WORDS[cause]
    link: LinkFacts | None = flow.worst(column) if lost[cause] else None
    found = response(flow, flow.events(cause) / row["sent_packets"]) if row["sent_packets"] and lost[cause] else None
    law = "" if found is None else f"; {flow.cc} averages {quantity(found.rate, 'bit/s')} then ({found.law})"
    sentence = (
        f"{row['recoveries']} recoveries took {quantity(row['time_recovery'], 's')} and {row['timeouts']} timeouts "
        f"{quantity((row['time_loss'] or 0.0) + (row['time_silence'] or 0.0), 's')}; "
        f"{quantity(flow.loss_share(cause), '%', 2)} of its packets were lost {words}{law}; {flow.of_link()}"
    )
    key = flow.key("transport.min_rto") if link is None else link.key(part)
    bound, source = (None, None) if found is None else (found.rate, found.law)
    return Limit("recovery", "recovery and timeouts", share, sentence, key, "lower it" if link is None else advice, bound, source)


KIND = Kind("recovery", "recovery and timeouts", _find)
