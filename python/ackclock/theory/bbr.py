"""BBR: what the bandwidth filters of flows that share a link settle at.

The gains and times of BBR v1 are the defaults.
"""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = [
    "BbrProbe",
    "TwoFlows",
    "bbr_filter_share",
    "bbr_flow_map",
    "bbr_loss_cliff",
    "bbr_probe_rtt_rounds",
    "bbr_settling_probes",
    "bbr_two_flow_map",
]

PROBE_GAIN = 1.25
"""Pacing gain of the phase that probes for bandwidth (Linux's bbr_pacing_gain)."""

PROBE_RTT = 0.2
"""Time for which PROBE_RTT keeps the pipe empty, s (Linux's bbr_probe_rtt_mode_ms)."""


def bbr_filter_share(flows: int, gain: float = PROBE_GAIN) -> float:
    """Bandwidth that each of N equal flows estimates, as a share of the link: m = g / (g + N - 1).

    Parameters
    ----------
    flows
        N.
    gain
        g, the pacing gain of a probe.

    Notes
    -----
    Huang, Zhu & Wang, Reducing BBR's Latency, 2022. A full link is divided as the rates that are
    sent into it. A flow that probes alone sends g m while each other sends m, so that it gets, and
    its filter keeps, g m / (g m + (N - 1) m). The filters' sum exceeds 1: that is BBR's standing
    queue.

    Valid while a probe fills a whole rate sample (a probe lasts one smallest RTT, a sample one RTT
    with its queue), flows probe one after another, and no window limits them. With a queue as long
    as the path the filters are up to a tenth lower.

    Examples
    --------
    >>> [round(bbr_filter_share(flows), 4) for flows in (1, 2, 3, 5)]
    [1.0, 0.5556, 0.3846, 0.2381]
    """
    if flows < 1 or gain <= 0:
        raise ValueError(
            f"{flows} flows with a gain of {gain}: at least one flow, and a gain above zero"
        )
    return gain / (gain + flows - 1)


@dataclass(frozen=True)
class TwoFlows:
    """Two flows after a probe, in shares of the link.

    Attributes
    ----------
    rates
        Share that each flow gets during the probe.
    filters
        Share that each flow estimates after the probe.
    """

    rates: tuple[float, float]
    filters: tuple[float, float]


def bbr_two_flow_map(share: float, probes: int, gain: float = PROBE_GAIN) -> list[TwoFlows]:
    """Rates and filters of two flows that probe in turn, from any division of the link.

    Parameters
    ----------
    share
        The first flow's share, and its estimate, at the beginning; the second has the rest.
    probes
        Number of probes, the first flow's first.
    gain
        Pacing gain of a probe.

    Returns
    -------
    list of TwoFlows
        After each probe.

    Notes
    -----
    Huang, Zhu & Wang, Reducing BBR's Latency, 2022: x' = g x / (g x + y) for the flow that probes,
    and its filter takes that, the other's stays. The fixed point is `bbr_filter_share` of two. Near
    it a pair of probes leaves 0.856 of the deviation at g = 1.25, the larger eigenvalue of the
    linear map. The paper says that any start converges in about 34 probes: to within 10 %, 34 do
    from a share of 0.13 to 0.86; 60 from 0.99.

    Examples
    --------
    >>> last = bbr_two_flow_map(0.9, 100)[-1]
    >>> [round(value, 3) for value in (*last.rates, *last.filters)]
    [0.445, 0.555, 0.556, 0.555]
    """
    if not 0 < share < 1:
        raise ValueError(f"a share of {share} leaves one flow without any; it is between 0 and 1")
    filters = [share, 1 - share]
    course = []
    for probe in range(probes):
        prober, other = probe % 2, 1 - probe % 2
        rate = gain * filters[prober] / (gain * filters[prober] + filters[other])
        filters[prober] = rate
        rates = (rate, 1 - rate) if prober == 0 else (1 - rate, rate)
        course.append(TwoFlows(rates=rates, filters=(filters[0], filters[1])))
    return course


@dataclass(frozen=True)
class BbrProbe:
    """N flows after a probe of one of them, in shares of the link.

    Attributes
    ----------
    rates
        Share that each flow gets during the probe.
    filters
        Share that each flow estimates after the probe.
    """

    rates: tuple[float, ...]
    filters: tuple[float, ...]


def bbr_flow_map(shares: Sequence[float], probes: int, gain: float = PROBE_GAIN) -> list[BbrProbe]:
    """Rates and filters of N flows that probe in turn, from any division of the link.

    Parameters
    ----------
    shares
        Each flow's share, and its estimate, at the beginning.
    probes
        Number of probes, the first flow's first.
    gain
        g, the pacing gain of a probe.

    Notes
    -----
    `bbr_two_flow_map` for N: the link is divided as the rates that are sent into it, x_i' = g x_i /
    (g x_i + sum of the others'), and only the probing flow's filter takes what it gets. The fixed
    point is `bbr_filter_share`: Huang, Zhu & Wang, Reducing BBR's Latency, 2022. There the flow
    that probes has m = g / (g + N - 1) and each other 1 / (g + N - 1).

    Examples
    --------
    >>> last = bbr_flow_map([0.6, 0.2, 0.1, 0.05, 0.05], 1000)[-1]
    >>> [round(value, 4) for value in last.filters], [round(value, 4) for value in last.rates]
    ([0.2381, 0.2381, 0.2381, 0.2381, 0.2381], [0.1905, 0.1905, 0.1905, 0.1905, 0.2381])
    """
    if not shares or min(shares) <= 0:
        raise ValueError(f"shares of {list(shares)}: one above zero for each flow")
    filters = list(shares)
    course = []
    for probe in range(probes):
        prober = probe % len(filters)
        sent = [gain * value if flow == prober else value for flow, value in enumerate(filters)]
        rates = tuple(value / sum(sent) for value in sent)
        filters[prober] = rates[prober]
        course.append(BbrProbe(rates=rates, filters=tuple(filters)))
    return course


def bbr_settling_probes(
    shares: Sequence[float], gain: float = PROBE_GAIN, within: float = 0.1
) -> int:
    """Probes, of all flows together, after which every filter stays near its limit.

    Parameters
    ----------
    shares, gain
        As for `bbr_flow_map`.
    within
        Deviation from `bbr_filter_share`, as a share of it.

    Notes
    -----
    A flow probes in one of the eight phases of PROBE_BW, so that N flows make N probes in about
    eight round trips. For two flows Huang, Zhu & Wang say about 34.

    Examples
    --------
    >>> bbr_settling_probes([0.13, 0.87]), bbr_settling_probes([0.6, 0.1, 0.1, 0.1, 0.1])
    (33, 211)
    """
    if within <= 0:
        raise ValueError(f"a deviation of {within}: above zero")
    target = bbr_filter_share(len(shares), gain)
    probes = 64
    while True:
        course = bbr_flow_map(shares, probes, gain)
        outside = [
            n
            for n, probe in enumerate(course, 1)
            if max(abs(value / target - 1) for value in probe.filters) > within
        ]
        last = outside[-1] if outside else 0
        # Half of the course without a deviation: the map contracts, so that it has settled.
        if last <= probes // 2:
            return last + 1 if outside else 0
        probes *= 2


def bbr_probe_rtt_rounds(rtt: float, duration: float = PROBE_RTT) -> float:
    """Round trips that pass in PROBE_RTT: duration / RTT + 1.

    Parameters
    ----------
    rtt
        s.
    duration
        Length of PROBE_RTT, s.

    Notes
    -----
    Huang, Zhu & Wang, Reducing BBR's Latency, 2022. More than ten, at RTTs below 22.2 ms, outlive
    the bandwidth filter: an implementation that takes PROBE_RTT's own samples for the bandwidth
    forgets it then. Linux's does not take them.

    Examples
    --------
    >>> round(bbr_probe_rtt_rounds(0.2 / 9), 6), round(bbr_probe_rtt_rounds(0.008))
    (10.0, 26)
    """
    return duration / rtt + 1


def bbr_loss_cliff(gain: float = PROBE_GAIN) -> float:
    """The loss rate up to which a probe still measures what is sent without it: 1 - 1/g.

    Parameters
    ----------
    gain
        g, the pacing gain of a probe.

    Notes
    -----
    A probe at g times the estimate delivers g (1 - p) of it. Below p = 1 - 1/g this is at least the
    estimate; above, each probe measures less than the last. Linux takes heavy loss for a policer
    (above 50 lost per 256 delivered, 16.3 % of the packets sent), and this comes first.

    Examples
    --------
    >>> round(bbr_loss_cliff(), 3), round(bbr_loss_cliff(1.2), 3)
    (0.2, 0.167)
    """
    return 1 - 1 / gain
