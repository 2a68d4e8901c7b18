"""cwnd after drops of a queue that is too small to keep its link busy."""

from ackclock.results.diagnosis.facts import FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.results.text import quantity

_RENO = frozenset({"reno", "newreno"})


def _find(flow: FlowFacts) -> Limit | None:
    """One Reno flow keeps a share of its link busy that the buffer in BDPs gives (`theory.reno_utilisation`)."""
    share = flow.time.take("forced")
    link = flow.worst("dropped_forced")
    if not share:
        return None
    buffer, bdp = None if link is None else link.buffer_bytes, flow.bdp
    size, bound, law, advice = "", None, None, "raise it"
    if buffer is not None and bdp:
        size = f" of {quantity(buffer, 'bytes')}, {quantity(buffer / bdp, '1', 2)} BDP,"
        advice = f"raise it towards 1 BDP, {quantity(bdp, 'bytes')}"
        if flow.base_cc in _RENO and flow.is_alone and flow.link is link and link is not None and link.rate:
            from ackclock import theory

            busy = theory.reno_utilisation(min(buffer / bdp, 1.0))
            bound, law = busy * link.rate * flow.payload_share, "Reno's sawtooth, theory reno_utilisation"
    name = "a queue" if link is None else f"the queue of {link.name}"
    reached = "" if bound is None else f"; one {flow.cc} flow gets {quantity(bound, 'bit/s')} then ({law})"
    sentence = (
        f"{name}{size} dropped {flow.lost['forced']} of its packets ({quantity(flow.loss_share('forced'), '%')}), and cwnd then left "
        f"the link idle for {quantity(1.0 - flow.busy, '%')} of the time{reached}; {flow.of_link()}"
    )
    key = flow.key("cc") if link is None else link.key("limit")
    return Limit("buffer", "cwnd after drops of a small queue", share, sentence, key, advice, bound, law)


KIND = Kind("buffer", "drops at queues' limits", _find)
