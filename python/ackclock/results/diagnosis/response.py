"""Mean rates of algorithms under random loss, from closed forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock import theory

if TYPE_CHECKING:
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
    Reno's kin: Ott, Kemperman & Mathis 1996 (`theory.aimd_random_window`), from 1 % on with
    timeouts (RFC 5348 section 3.1, `theory.tfrc_rate`). The others:
    `theory.cubic_random_average_window` (or Reno's where that is larger), `scalable_window`,
    `highspeed_window`, `htcp_window`, `compound_window`, `multcp_window`.
    """
    make = _WINDOWS.get(flow.base_cc)
    if make is None or flow.is_own or not 0.0 < loss_rate < 1.0:
        return None
    try:
        window, law = make(flow, loss_rate)
    except (ValueError, ArithmeticError):
        # Far from the paths that it was made for, a formula may have no solution.
        return None
    rate = 8.0 * flow.connections * window * flow.mss * (1.0 - loss_rate) / flow.rtt
    if flow.base_cc in _RENO and loss_rate >= _TIMEOUTS_FROM:
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
    return Response(rate, window, law)


_TIMEOUTS_FROM = 0.01

_Window = Callable[["FlowFacts", float], tuple[float, str]]


def _acked(flow: FlowFacts) -> int:
    """Return the packets per ACK, for a sender that counts ACKs."""
    return (
        int(flow.transport["delayed_ack_count"])
        if flow.transport["ack_counting"] == "packets"
        else 1
    )


def _reno(flow: FlowFacts, p: float) -> tuple[float, str]:
    return theory.aimd_random_window(p, 1.0 / _acked(flow)), "Mathis et al. 1997, 1.31/sqrt(p)"


def _aimd(flow: FlowFacts, p: float) -> tuple[float, str]:
    a, b = flow.options.get("a", 1.0), flow.options.get("b", 0.5)
    return theory.aimd_random_window(p, a / _acked(flow), b), "Ott et al. 1996, AIMD(a, b)"


def _multcp(flow: FlowFacts, p: float) -> tuple[float, str]:
    return theory.multcp_window(p, flow.options.get("n", 2.0)), "Crowcroft & Oechslin 1998"


def _cubic(flow: FlowFacts, p: float) -> tuple[float, str]:
    steep = theory.cubic_random_average_window(p, flow.rtt, c=flow.options.get("c", 0.4))
    friendly, _ = _reno(flow, p)
    if steep >= friendly:
        return steep, "Poojary & Sharma 2019, C^(1/4) (RTT/p)^(3/4)"
    return friendly, "Mathis et al. 1997, CUBIC's Reno-friendly region"


def _scalable(_flow: FlowFacts, p: float) -> tuple[float, str]:
    return theory.scalable_window(p), "Kelly 2003, a/(p ln(1/(1-b)))"


def _highspeed(_flow: FlowFacts, p: float) -> tuple[float, str]:
    return theory.highspeed_window(p), "RFC 3649"


def _htcp(flow: FlowFacts, p: float) -> tuple[float, str]:
    return theory.htcp_window(p, flow.rtt), "Leith & Shorten 2004"


def _compound(_flow: FlowFacts, p: float) -> tuple[float, str]:
    return theory.compound_window(p), "Tan et al. 2006"


_RENO = frozenset({"reno", "newreno", "tahoe", "dctcp", "prague", "ledbat"})

_WINDOWS: Mapping[str, _Window] = {
    **dict.fromkeys(sorted(_RENO), _reno),
    "aimd": _aimd,
    "multcp": _multcp,
    "cubic": _cubic,
    "scalable": _scalable,
    "highspeed": _highspeed,
    "htcp": _htcp,
    "compound": _compound,
}
