"""cwnd after losses on the wire."""

from ackclock.catalogue.algorithms import arguments_of
from ackclock.results.diagnosis.facts import BUSY, FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity, times

MANY = 0.02
"""From this share of packets on, losses count for algorithms that answer no single one."""


_IN_BURSTS = frozenset({"gilbert-elliott", "bursts"})

HIGH = 0.3
"""Above this loss rate most retransmissions are lost, too, which the closed forms leave out."""


def _find(flow: FlowFacts) -> Limit | None:
    """Find random losses; the bound is the response function of loss events per packet sent."""
    link = flow.worst("dropped_wire") or flow.worst("corrupted_packets")
    parts = ["wire"]
    if flow.is_blind and flow.loss_share("wire") >= MANY:
        parts += ["unreduced", *(["link"] if flow.busy < BUSY else [])]
    share = flow.time.take(*parts)
    if not share:
        return None
    from ackclock.results.diagnosis.response import response

    loss = None if link is None else link.plan.get("loss")
    bursts = " in bursts" if loss is not None and loss["kind"] in _IN_BURSTS else ""
    where = "" if link is None else f" of {link.name}"
    events = flow.events("wire")
    seen = flow.loss_share("wire")
    asked = _asked(flow)
    lost = (
        f"{quantity(seen, '%', 2)} of its packets are"
        if asked is None
        else f"{asked:.2g} of packets are"
    )
    p = asked or (events / flow.row["sent_packets"] if flow.row["sent_packets"] else 0.0)
    prediction = response(flow, p) if max(p, seen) <= HIGH else None
    tolerated = _tolerated(flow)
    if prediction is not None and prediction.rate > flow.most:
        # A rate above the link's is no bound.
        law, prediction = "", None
    elif tolerated is not None:
        law = f"; the rate of {flow.cc} collapses towards a loss rate of {tolerated}"
    elif prediction is None:
        window = quantity(flow.window / flow.mss, "packets")
        at = f" at a loss rate of {quantity(max(p, seen), '%', 2)}" if max(p, seen) > HIGH else ""
        law = (
            f"; theory has no closed form for {flow.cc}{at}; its mean window was {window} packets "
            f"at an RTT of {quantity(flow.rtt, 's')}"
        )
    else:
        law = (
            f"; {flow.cc} averages about {quantity(prediction.rate, 'bit/s')} then, at an RTT of "
            f"{quantity(flow.rtt, 's')} ({prediction.law})"
        )
    reduced = f", which reduced cwnd {times(events)}" if flow.run.is_simulated else ""
    counted = f"{flow.lost['wire']} of {flow.row['sent_packets']} here{reduced}"
    sentence = f"{lost} lost on the wire{where}{bursts} ({counted}){law}; {flow.of_link()}"
    part = "corrupt" if loss is None and link is not None and link.impairment("corrupt") else "loss"
    key = flow.key("cc") if link is None else link.key(part)
    advice = "lower it"
    if not flow.is_blind:
        advice += (
            f", or change {flow.key('cc')} to one that answers single losses less, such as bbr"
        )
    bound, source = (None, None) if prediction is None else (prediction.rate, prediction.law)
    title = "random losses" if flow.is_blind else "cwnd after random losses"
    return Limit("random-loss", title, share, sentence, key, advice, bound, source)


def _tolerated(flow: FlowFacts) -> str | None:
    """Return the theoretical loss tolerance of an algorithm that answers no single loss."""
    law = flow.traits["tolerance"]
    if law is None:
        return None
    from ackclock import theory

    share = getattr(theory, law["function"])(**arguments_of(law, str(flow.row["cc"])))
    return f"{quantity(share, '%')} ({law['source']})"


def _asked(flow: FlowFacts) -> float | None:
    """Return the scenario's loss rate, if every packet is lost with one probability."""
    links = [
        link for link in flow.forward if link.row["dropped_wire"] or link.row["corrupted_packets"]
    ]
    kept = 1.0
    for link in links:
        loss = link.plan.get("loss")
        if loss is None or loss["kind"] != "bernoulli" or link.plan.get("impairments"):
            return None
        if link.plan.get("loss_window") is not None:
            return None
        kept *= 1.0 - loss["p"]
    return 1.0 - kept if links else None


KIND = Kind("random-loss", "losses on the wire", _find)
