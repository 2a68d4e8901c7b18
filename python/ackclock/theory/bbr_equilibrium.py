"""BBR (v1) flows alone at a tail-drop queue: their equilibria in deep and in shallow buffers."""

from dataclasses import dataclass

from ackclock.theory.bbr import PROBE_GAIN, bbr_filter_share

__all__ = ["BbrEquilibrium", "bbr_equilibrium"]

CWND_GAIN = 2.0
"""Largest data in flight, in estimated bandwidth-delay products (Linux's bbr_cwnd_gain)."""


@dataclass(frozen=True)
class BbrEquilibrium:
    """BBR flows at rest.

    Attributes
    ----------
    queue_bdp
        Standing queue, in bandwidth-delay products.
    sent
        Rate that each flow sends, as a share of the link.
    lost
        Share of sent packets that are lost.
    limited_by
        "window" or "rate".
    """

    queue_bdp: float
    sent: float
    lost: float
    limited_by: str


def bbr_equilibrium(flows: int, buffer_bdp: float, gain: float = PROBE_GAIN) -> BbrEquilibrium:
    """Queue, rates and loss of N BBR flows of one RTT between PROBE_RTTs.

    Parameters
    ----------
    flows
        N.
    buffer_bdp
        Buffer, in bandwidth-delay products.
    gain
        g, the pacing gain of a probe.

    Notes
    -----
    The filters' sum exceeds the link (`bbr_filter_share`), so the queue grows until something stops
    it. Where a bandwidth-delay product may wait, the window of two products stops it: each flow has
    its share and the queue is one product. In a shallower buffer the windows are never full. Each
    flow then sends m = g / (g + N - 1) of the link, 5 / (4 N + 1) for g = 5/4. The buffer is full,
    and the excess is lost: (N - 1) / (5 N), up to a fifth. One flow alone keeps no queue.

    S. Scherrer, M. Legner, A. Perrig & S. Schmid, Model-based insights on the performance,
    fairness, and stability of BBR, IMC 2022, with their fluid model, in which both points are
    stable; RTTs are one, and packets no part of it.

    Examples
    --------
    >>> deep, shallow = bbr_equilibrium(4, 4), bbr_equilibrium(4, 0.5)
    >>> deep.queue_bdp, shallow.queue_bdp, round(shallow.lost, 3)
    (1.0, 0.5, 0.15)
    """
    if flows < 1 or buffer_bdp < 0:
        raise ValueError(
            f"{flows} flows and a buffer of {buffer_bdp} BDP: one flow at least, and a buffer of "
            "0 or more"
        )
    if flows == 1:
        return BbrEquilibrium(0.0, 1.0, 0.0, "rate")
    if buffer_bdp >= CWND_GAIN - 1:
        return BbrEquilibrium(CWND_GAIN - 1, 1 / flows, 0.0, "window")
    sent = bbr_filter_share(flows, gain)
    return BbrEquilibrium(buffer_bdp, sent, 1 - 1 / (flows * sent), "rate")
