"""Silence before timeouts, and the repair of the losses that they declared."""

from ackclock.results.diagnosis.facts import FlowFacts, LinkFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity

_WORDS = {
    "wire": ("on the wire", "dropped_wire", "loss", "lower it"),
    "forced": ("at a queue's limit", "dropped_forced", "limit", "raise it"),
    "early": ("by an AQM", "dropped_early", "qdisc", "let it drop later"),
    "policed": ("by a policer", "dropped_policed", "policer", "raise its rate or burst"),
}


HIGH = 0.3
"""Above this loss rate most retransmissions are lost, too, which the closed forms leave out."""


def _find(flow: FlowFacts) -> Limit | None:
    """Find timeouts of a tenth of the time or more; shorter ones count for their cause."""
    share = flow.time.take("timeouts")
    if not share:
        return None
    from ackclock.results.diagnosis.response import response

    row, lost = flow.row, flow.lost
    cause = max(lost, key=lambda name: lost[name])
    words, column, part, advice = _WORDS[cause]
    link: LinkFacts | None = flow.worst(column) if lost[cause] else None
    prediction = (
        response(flow, flow.events(cause) / row["sent_packets"])
        if row["sent_packets"] and lost[cause]
        else None
    )
    if prediction is not None and (prediction.rate > flow.most or flow.loss_share(cause) > HIGH):
        prediction = None
    law = (
        ""
        if prediction is None
        else f"; {flow.cc} averages {quantity(prediction.rate, 'bit/s')} then ({prediction.law})"
    )
    sentence = (
        f"{row['timeouts']} timeouts took {quantity(row['time_silence'], 's')} of silence and "
        f"{quantity(row['time_loss'], 's')} of repair, {row['recoveries']} fast recoveries "
        f"{quantity(row['time_recovery'], 's')}; {quantity(flow.loss_share(cause), '%', 2)} of its "
        f"packets were lost {words}{law}; {flow.of_link()}"
    )
    key = (
        flow.key("transport.min_rto")
        if link is None
        else link.limit_key
        if part == "limit"
        else link.key(part)
    )
    bound, source = (None, None) if prediction is None else (prediction.rate, prediction.law)
    return Limit(
        "timeouts",
        "timeouts",
        share,
        sentence,
        key,
        "lower it" if link is None else advice,
        bound,
        source,
    )


KIND = Kind("timeouts", "recovery and timeouts", _find)
