"""The congestion circuit breaker of RTP: a rate over the rate of TCP in its place."""

from collections.abc import Sequence


def breaker_ratio(
    sent: Sequence[float],
    lost: Sequence[float],
    rtts: Sequence[float],
    *,
    report: float,
    reports: int,
) -> float | None:
    """Largest ratio of the sending rate to TCP's that holds for some reports running.

    Parameters
    ----------
    sent, lost : sequence of float
        Packets sent and packets lost in each report interval.
    rtts : sequence of float
        Round-trip time of each report, s.
    report : float
        Length of a report interval, s.
    reports : int
        Reports that must follow each other.

    Returns
    -------
    float or None
        At least 0. Above 10 the breaker would trip. A report without a loss gives no equation and
        has the ratio 0. None with fewer than `reports` intervals.

    Notes
    -----
    RFC 8083 section 4.3: the breaker trips if the sending rate is above ten times that of the TCP
    throughput equation for several report intervals running. The equation is that of RFC 5348
    section 3.1, with the loss fraction of the interval in place of the rate of loss events.

    Examples
    --------
    One packet in a hundred is lost, at 1123 packets per second, and TCP would send 112.3:

    >>> round(breaker_ratio([1123.0], [11.23], [0.1], report=1.0, reports=1), 2)
    10.0
    """
    ratios = [
        _ratio(packets / report, min(losses / packets, 1.0) if packets > 0.0 else 0.0, rtt)
        for packets, losses, rtt in zip(sent, lost, rtts, strict=True)
    ]
    spans = range(len(ratios) - reports + 1)
    return max((min(ratios[first : first + reports]) for first in spans), default=None)


def _ratio(rate: float, loss: float, rtt: float) -> float:
    # The package of all closed forms is loaded only where a metric needs one.
    from ackclock.theory.pftk import tfrc_rate

    return rate / tfrc_rate(loss, rtt) if loss > 0.0 and rtt > 0.0 else 0.0
