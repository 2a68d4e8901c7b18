"""cwnd after drops of a queue that is too small to keep its link busy."""

from ackclock.catalogue.algorithms import arguments_of
from ackclock.results.diagnosis.advice import of_queue
from ackclock.results.diagnosis.facts import FlowFacts, LinkFacts
from ackclock.results.diagnosis.growth import growth
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity

MANY = 0.02
"""From this share of packets on, drops count for algorithms that answer no single one."""

SMALL = 0.9
"""From this share of a bandwidth-delay product on, a queue is not small."""

REACHED = 0.9
"""A window of this share of the link's and the queue's capacity has filled them."""


def _find(flow: FlowFacts) -> Limit | None:
    """Find drops at a queue's limit; the bound of one Reno flow is `theory.reno_utilisation`."""
    if flow.keeps_own_window:
        return None
    link = flow.worst("dropped_forced")
    buffer, bdp = None if link is None else link.buffer_bytes, flow.bdp
    is_small = buffer is not None and bdp is not None and buffer < SMALL * bdp
    is_blind = flow.is_blind and is_small and flow.loss_share("forced") >= MANY
    share = flow.time.take("forced", *(["unreduced"] if is_blind else []))
    if not share:
        return None
    size, bursts, bound, law = "", "", None, None
    if buffer is not None and bdp:
        size = f" of {quantity(buffer, 'bytes')}, {quantity(buffer / bdp, '1', 2)} BDP,"
        filled = flow.row["cwnd_max"] * flow.connections / bdp / flow.payload_share
        if filled < REACHED and flow.is_alone:
            bursts = (
                f"; these were bursts, for cwnd was {quantity(filled, '%', 2)} of the "
                "bandwidth-delay product at most"
            )
        elif link is not None:
            bound, law = _sawtooth(flow, link, buffer / bdp)
    name = "a queue" if link is None else f"the queue of {link.name}"
    reached = (
        ""
        if bound is None
        else f"; one {flow.cc} flow gets {quantity(bound, 'bit/s')} then ({law})"
    )
    sentence = (
        f"{name}{size} dropped {flow.lost['forced']} of its packets "
        f"({quantity(flow.loss_share('forced'), '%')}){bursts}, and the link was idle for "
        f"{quantity(1.0 - flow.busy, '%')} of the time{reached}; {flow.of_link()}"
    )
    key, advice = (
        (flow.key("cc"), "use another") if link is None else of_queue(flow, link, is_full=True)
    )
    if link is not None and not is_small:
        advice = "raise it"
    if flow.traits["gives_way"]:
        key, advice = flow.key("cc"), f"use another, for {flow.base_cc} grows slowly after a drop"
    drops = "drops of a small queue" if is_small else "drops at a queue's limit"
    title = drops if is_blind else f"cwnd after {drops}"
    return Limit("buffer", title, share, sentence, key, advice, bound, law)


def _sawtooth(flow: FlowFacts, link: LinkFacts, buffer: float) -> tuple[float | None, str | None]:
    """Return the payload rate of Reno's sawtooth and its law, if there are enough teeth."""
    law = flow.traits["utilisation"]
    if (
        law is None
        or not flow.is_alone
        or flow.connections > 1
        or flow.link is not link
        or not link.rate
        or not flow.bdp
    ):
        return None, None
    slow_start = growth(flow)
    began = flow.start if slow_start is None else slow_start.began + slow_start.seconds
    # A tooth grows from half of the link's and queue's capacity to all of it, a segment per RTT.
    tooth = 0.5 * flow.bdp * (1.0 + buffer) / flow.mss * flow.row["base_rtt"]
    if flow.end - began < TEETH * tooth:
        return None, None
    from ackclock import theory

    arguments = arguments_of(law, str(flow.row["cc"]), buffer=min(buffer, 1.0))
    used: float = getattr(theory, law["function"])(**arguments)
    return used * link.rate * flow.payload_share, law["source"]


TEETH = 2.0
"""Fewest teeth in a run for the mean over a sawtooth to apply."""

KIND = Kind("buffer", "drops at queues' limits", _find)
