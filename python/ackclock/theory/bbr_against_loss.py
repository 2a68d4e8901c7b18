"""BBR (v1) beside loss-based flows at a tail-drop queue, after Ware, Mukerjee, Seshan & Sherry."""

__all__ = ["bbr_min_rtt_estimate", "bbr_probe_rtt_share", "bbr_share_against_loss"]

PROBE_RTT_WINDOW = 4
"""Packets in flight in PROBE_RTT (Linux's bbr_cwnd_min_target)."""

PROBE_RTT_TIME = 0.2
"""Time for which they are kept at that, s (Linux's bbr_probe_rtt_mode_ms)."""

PROBE_RTT_EVERY = 10.0
"""From one PROBE_RTT to the next, s (Linux's bbr_min_rtt_win_sec)."""


def bbr_min_rtt_estimate(
    rate: float, rtt: float, flows: int, loss_based_queue: float = 0.0
) -> float:
    """The RTT that N BBR flows find in PROBE_RTT: max(l, (p q + 4 N) / c), s.

    Parameters
    ----------
    rate
        c, line rate, packets/s.
    rtt
        l, without a queue, s.
    flows
        N, BBR flows that probe at the same time.
    loss_based_queue
        p q, what loss-based flows have in the queue then, packets; without any, 0. With any, l is
        added.

    Notes
    -----
    Each BBR flow still has four packets in flight: more together than the path holds, they queue.
    R. Ware, M. Mukerjee, S. Seshan & J. Sherry, Modeling BBR's interactions with loss-based
    congestion control, IMC 2019, equations 6 and 7.

    Examples
    --------
    15 Mbit/s and 40 ms hold 50 packets: up to 12 flows find 40 ms.

    >>> [round(1e3 * bbr_min_rtt_estimate(1250, 0.04, n)) for n in (2, 8, 16, 64)]
    [40, 40, 51, 205]
    """
    held = PROBE_RTT_WINDOW * flows / rate
    return loss_based_queue / rate + held + rtt if loss_based_queue else max(rtt, held)


def bbr_probe_rtt_share(buffer_bdp: float, rtt: float) -> float:
    """Share of the time that BBR spends in PROBE_RTT: (q/c + 0.2 s + l) / 10 s.

    Parameters
    ----------
    buffer_bdp
        X, the buffer, in bandwidth-delay products: q = X c l.
    rtt
        l, without a queue, s.

    Notes
    -----
    Before it has four packets in flight the full queue must drain, q/c; then it stays for 0.2 s and
    a round trip. Ware et al. 2019, equation 11; not above 1.

    Examples
    --------
    >>> round(bbr_probe_rtt_share(32, 0.04), 3), round(bbr_probe_rtt_share(1, 0.04), 3)
    (0.152, 0.028)
    """
    return min(1.0, (buffer_bdp * rtt + PROBE_RTT_TIME + rtt) / PROBE_RTT_EVERY)


def bbr_share_against_loss(
    buffer_bdp: float, rate: float, rtt: float, flows: int = 1, *, probe_rtt: bool = True
) -> float:
    """Share of the link that N BBR flows have together, for any number of loss-based flows.

    Parameters
    ----------
    buffer_bdp
        X, the buffer, in bandwidth-delay products.
    rate
        c, line rate, packets/s.
    rtt
        l, without a queue, s.
    flows
        N, BBR flows.
    probe_rtt
        Whether the time in PROBE_RTT counts; without, 1 - p.

    Notes
    -----
    BBR pushes loss-based flows out of the queue until its window stops it, at two estimated
    bandwidth-delay products. BBR's bandwidth is its part of the queue, (1 - p) c. Its RTT comes
    from the rest of the queue, with its own four packets: 2 (1 - p) c ((p q + 4 N) / c + l) = (1 -
    p) (q + c l), and

        p = 1/2 - 1 / (2 X) - 4 N / q, at least 0;   share = (1 - p) (1 - `bbr_probe_rtt_share`).

    Ware et al. 2019, equations 7 to 11. Assumed are one RTT for all, a full queue, BBR flows in
    step, loss-based flows without timeouts. The authors' median error is 5 % against CUBIC and 8 %
    against Reno; for buffers of up to a BDP it says that nothing is left for the others, which is a
    bound rather than a forecast.

    Examples
    --------
    One flow on 10 Mbit/s and 40 ms, over buffers of 1 to 64 BDP:

    >>> rate = 10e6 / 8 / 1500
    >>> [round(bbr_share_against_loss(x, rate, 0.04), 2) for x in (1, 2, 4, 8, 16, 32, 64)]
    [0.97, 0.78, 0.63, 0.55, 0.49, 0.44, 0.37]
    """
    if min(buffer_bdp, rate, rtt) <= 0 or flows < 1:
        raise ValueError(
            f"a buffer of {buffer_bdp} BDP, {rate} packets/s, {rtt} s and {flows} flows: all "
            "above 0, and a flow at least"
        )
    queue = buffer_bdp * rate * rtt
    others = max(0.0, 0.5 - 0.5 / buffer_bdp - PROBE_RTT_WINDOW * flows / queue)
    return (1 - others) * (1 - bbr_probe_rtt_share(buffer_bdp, rtt) if probe_rtt else 1.0)
