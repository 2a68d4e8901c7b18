"""Fairness: the evenness of shares of a capacity."""

import math
from collections.abc import Sequence


def jain_index(rates: Sequence[float]) -> float | None:
    """Jain's fairness index of some rates.

    Parameters
    ----------
    rates : sequence of float
        One non-negative rate per flow, any unit.

    Returns
    -------
    float or None
        From 1/n (one flow has everything) to 1 (all equal); None without flows or if all are zero.

    Notes
    -----
    R. Jain, D. Chiu, W. Hawe, "A quantitative measure of fairness and discrimination for resource
    allocation in shared computer systems", DEC-TR-301, 1984: (sum x)^2 / (n sum x^2).
    RFC 5166 section 2.3.1 names it among the measures of fairness between flows.

    Examples
    --------
    >>> jain_index([1.0, 1.0, 1.0, 0.0])
    0.75
    """
    # The built-in sum rounds otherwise from Python 3.12 on.
    squares = math.fsum(rate * rate for rate in rates)
    return math.fsum(rates) ** 2 / (len(rates) * squares) if squares > 0.0 else None


def min_max_ratio(rates: Sequence[float]) -> float | None:
    """Smallest of some rates over the largest.

    Parameters
    ----------
    rates : sequence of float
        One non-negative rate per flow, any unit.

    Returns
    -------
    float or None
        From 0 (somebody has nothing) to 1 (all equal); None without flows or if all are zero.

    Notes
    -----
    RFC 5166 section 2.3.1: an allocation is epsilon-fair if this is at least 1 - epsilon. Where
    Jain's index averages over many flows, this shows the one that starves.

    Examples
    --------
    >>> min_max_ratio([1.0, 1.0, 1.0, 0.5])
    0.5
    """
    largest = max(rates, default=0.0)
    return min(rates) / largest if largest > 0.0 else None


def proportional_utility(rates: Sequence[float]) -> float | None:
    """Sum of the logarithms of rates, which is largest under proportional fairness.

    Parameters
    ----------
    rates : sequence of float
        One rate per flow, bit/s.

    Returns
    -------
    float or None
        Sum of ln(rate in bit/s); None without flows or if one has nothing (the sum is minus
        infinity).

    Notes
    -----
    F. Kelly, A. Maulloo, D. Tan, "Rate control for communication networks: shadow prices,
    proportional fairness and stability", JORS 49(3), 1998; RFC 5166 section 2.3.2. Its exponential
    is the product measure of section 2.3.1. Only differences mean anything: between allocations of
    one capacity to the same number of flows, ln 2 more is one flow's rate doubled at no cost to the
    others.

    Examples
    --------
    >>> proportional_utility([2.0, 2.0]) > proportional_utility([3.0, 1.0])
    True
    """
    return math.fsum(math.log(rate) for rate in rates) if rates and min(rates) > 0.0 else None


def max_min_rates(
    paths: Sequence[Sequence[int]], capacities: Sequence[float | None]
) -> list[float | None]:
    """The max-min fair allocation: nobody's rate can rise without lowering one that is no larger.

    Parameters
    ----------
    paths : sequence of sequence of int
        Indices of the links that each flow crosses.
    capacities : sequence of float or None
        Rate of each link, any unit; None for one without limit.

    Returns
    -------
    list of float or None
        One rate per flow, in the capacities' unit; None where no link limits a flow.

    Notes
    -----
    Progressive filling: D. Bertsekas, R. Gallager, "Data Networks", second edition, section 6.5.2:
    of the links with flows that have no rate yet, the one that has the least left for each of them
    gives it to them.

    Examples
    --------
    A long flow over two links beside a flow on each:

    >>> max_min_rates([[0, 1], [0], [1]], [10.0, 4.0])
    [2.0, 8.0, 2.0]
    """
    rates: list[float | None] = [None] * len(paths)
    left = {link: float(rate) for link, rate in enumerate(capacities) if rate is not None}
    waiting = {flow for flow, path in enumerate(paths) if any(link in left for link in path)}
    while waiting:
        users = {link: [flow for flow in sorted(waiting) if link in paths[flow]] for link in left}
        share, tightest = min(
            (left[link] / len(flows), link) for link, flows in users.items() if flows
        )
        for flow in users[tightest]:
            rates[flow] = share
            for link in set(paths[flow]) & left.keys():
                left[link] = max(left[link] - share, 0.0)
        waiting -= set(users[tightest])
    return rates


def max_min_fairness(rates: Sequence[float], fair: Sequence[float | None]) -> float | None:
    """Return the smallest ratio of a flow's rate to its max-min fair rate.

    Parameters
    ----------
    rates : sequence of float
        One rate per flow.
    fair : sequence of float or None
        `max_min_rates` of the same flows, in the same unit; None leaves a flow out.

    Returns
    -------
    float or None
        0 (somebody has nothing) to about 1 (everybody has the fair rate); None without flows.

    Notes
    -----
    RFC 5166 section 2.3.2 on max-min fairness. A flow that does not want its fair rate counts as
    one that does not get it.

    Examples
    --------
    >>> max_min_fairness([1.5, 8.5, 2.5], [2.0, 8.0, 2.0])
    0.75
    """
    return min(
        (rate / share for rate, share in zip(rates, fair, strict=True) if share), default=None
    )


def rtt_normalised(
    rates: Sequence[float], rtts: Sequence[float], exponent: float = 1.0
) -> list[float]:
    """Rates times RTTs: equal where each flow gets its share under TCP's model.

    Parameters
    ----------
    rates : sequence of float
        One rate per flow.
    rtts : sequence of float
        Base round-trip time of each, s.
    exponent : float
        Exponent of the RTT: 1 where losses strike packets alike (square-root law), up to 2 where
        all lose at once, 0 for rates as they are.

    Notes
    -----
    M. Mathis et al., "The macroscopic behavior of the TCP congestion avoidance algorithm", CCR
    27(3), 1997: rate ~ 1/RTT at one loss rate; T. Lakshman, U. Madhow, "The performance of TCP/IP
    for networks with high bandwidth-delay products and random loss", ToN 5(3), 1997: 1/RTT^2 when
    losses are synchronised. RFC 5166 section 2.3.3 on fairness and round-trip times.

    Examples
    --------
    >>> rtt_normalised([4.0, 2.0], [0.5, 1.0])
    [2.0, 2.0]
    """
    return [rate * rtt**exponent for rate, rtt in zip(rates, rtts, strict=True)]
