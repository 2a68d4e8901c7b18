"""Mean rates of algorithms under random loss, from closed forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock import theory
from ackclock.algorithms import arguments_of

if TYPE_CHECKING:
    from ackclock._core import Law
    from ackclock.results.diagnosis.facts import FlowFacts

__all__ = ["Response", "response"]


@dataclass(frozen=True)
class Response:
    """Mean rate of an algorithm under random loss.

    Attributes
    ----------
    rate
        Payload, bit/s; of a parallel transfer that of all its connections.
    window
        Mean window of a connection, packets.
    law
        Its name and source.
    """

    rate: float
    window: float
    law: str


def response(flow: FlowFacts, loss_rate: float) -> Response | None:
    """Return the mean rate of a flow's algorithm under independent losses.

    Parameters
    ----------
    flow
        The flow; its mean RTT and options are used.
    loss_rate
        Loss events per packet sent.

    Returns
    -------
    Response or None
        None: theory has no response function of the algorithm.

    Notes
    -----
    The closed forms are those of the algorithm's traits, of which the one with the largest window
    holds. From 1 % on timeouts lower Reno's (RFC 5348 section 3.1, `theory.tfrc_rate`).
    """
    laws = flow.traits["response"]
    if flow.is_own or not 0.0 < loss_rate < 1.0:
        return None
    try:
        windows = [_window(flow, law, loss_rate) for law in laws]
    except (ValueError, ArithmeticError):
        # Far from the paths that it was made for, a formula may have no solution.
        return None
    if not windows:
        return None
    window = max(windows)
    law = laws[windows.index(window)]
    rate = 8.0 * flow.connections * window * flow.mss * (1.0 - loss_rate) / flow.rtt
    if law["has_timeouts"] and loss_rate >= _TIMEOUTS_FROM:
        rto = max(flow.transport["min_rto_ps"] / 1e12, 2.0 * flow.rtt)
        padhye = (
            8.0
            * flow.connections
            * flow.mss
            * theory.tfrc_rate(loss_rate, flow.rtt, rto, acked=_acked(flow))
        )
        if padhye < rate:
            return Response(
                padhye,
                padhye * flow.rtt / 8.0 / flow.mss / flow.connections,
                "Padhye et al. 1998 as in RFC 5348 3.1",
            )
    return Response(rate, window, law["source"])


_TIMEOUTS_FROM = 0.01


def _acked(flow: FlowFacts) -> int:
    """Return the packets per ACK, for a sender that counts ACKs."""
    return (
        int(flow.transport["delayed_ack_count"])
        if flow.transport["ack_counting"] == "packets"
        else 1
    )


def _window(flow: FlowFacts, law: Law, loss_rate: float) -> float:
    """Return the mean window by a law, packets; a law of a rate gives packets per second."""
    arguments = arguments_of(
        law,
        str(flow.row["cc"]),
        loss_rate=loss_rate,
        rtt=flow.rtt,
        queueing=flow.rtt - float(flow.row["rtt_min"] or flow.row["base_rtt"]),
        acked=_acked(flow),
    )
    value = float(getattr(theory, law["function"])(**arguments))
    return value * flow.rtt if law["function"].endswith("_rate") else value
