"""cwnd after drops that a queue decided by itself."""

from ackclock.results.diagnosis.advice import of_queue
from ackclock.results.diagnosis.facts import FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity

ENOUGH = 10
"""Fewest reductions for a mean that can be compared with a closed form."""


def _find(flow: FlowFacts) -> Limit | None:
    """Find early drops; as they are random, the response function gives the rate they allow."""
    if flow.keeps_own_window:
        return None
    share = flow.time.take("early")
    link = flow.worst("dropped_early")
    if not share:
        return None
    from ackclock.results.diagnosis.response import response

    events = flow.events("early")
    prediction = (
        response(flow, events / flow.row["sent_packets"])
        if events >= ENOUGH and flow.row["sent_packets"]
        else None
    )
    if prediction is not None and prediction.rate > flow.most:
        prediction = None
    name = "an AQM" if link is None else f"{link.qdisc['kind']} of {link.name}"
    law = (
        ""
        if prediction is None
        else f", which allow {flow.cc} about {quantity(prediction.rate, 'bit/s')} "
        f"({prediction.law})"
    )
    sentence = (
        f"{name} dropped {flow.lost['early']} of its packets "
        f"({quantity(flow.loss_share('early'), '%')}) before its limit{law}; the link was idle for "
        f"{quantity(1.0 - flow.busy, '%')} of the time; {flow.of_link()}"
    )
    key, advice = (
        (flow.key("cc"), "use another") if link is None else of_queue(flow, link, is_full=False)
    )
    bound, source = (None, None) if prediction is None else (prediction.rate, prediction.law)
    return Limit("aqm", "early drops of an AQM", share, sentence, key, advice, bound, source)


KIND = Kind("aqm", "early drops", _find)
