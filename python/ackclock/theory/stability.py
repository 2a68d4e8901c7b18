"""Stability of flows at a shared queue, by linearised fluid models and Nyquist's criterion."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ackclock.errors import Error
from ackclock.theory.loop import Loop, loop_margins
from ackclock.theory.red import red_base_probability, red_drop_share
from ackclock.theory.roots import root
from ackclock.theory.window_laws import DelayLaw, law_of, window_law

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["StabilityMargin", "red_loop", "stability_margin", "stability_region", "tail_drop_loop"]

LEAST_WINDOW = 2.0
"""Packets: with less, timeouts rule and no law of the window holds."""


@dataclass(frozen=True)
class StabilityMargin:
    """Equal flows at rest, and how far they are from oscillation.

    Attributes
    ----------
    stable
        Whether disturbances die out.
    gain_margin
        Factor that the loop's gain may grow by until it oscillates; below 1 it does already.
    phase_margin
        Degrees to oscillation where the gain is 1; below 0 it oscillates; inf if the gain is never
        1.
    period
        Period of that frequency, about that of an oscillation, s; NaN if the gain is never 1.
    window
        Window of each flow at rest, packets.
    loss_rate
        At rest; 0 where delay steers.
    queue
        At rest, packets.
    """

    stable: bool
    gain_margin: float
    phase_margin: float
    period: float
    window: float
    loss_rate: float
    queue: float


def red_loop(cc: str, rtt: float, rate: float, flows: int, slope: float, averaging: float) -> Loop:
    """The loop of equal flows through a queue that drops in proportion to its average length.

    Marks count as drops.

    Parameters
    ----------
    cc
        A control whose window moves by itself alone, written as in a scenario: reno,
        scalable(a=0.02, b=0.25).
    rtt
        R, at rest, with the delay in the queue, s.
    rate
        C, line rate, packets/s.
    flows
        N.
    slope
        Share of packets dropped per packet of average queue, 1/packets: RED's max_p /
        (max_threshold - min_threshold).
    averaging
        K, the rate at which the average follows the queue, 1/s: -ln(1 - weight) C.

    Notes
    -----
    With i(W) gained per ACK and d(W) given per loss, W' = W(t - R)/R (i (1 - p(t - R)) - d p(t -
    R)) and q' = N W / R - C. Linearised at rest:

        L(s) = slope (W/R) (i + d) (N/R) K e^(-sR) / ((s + A) (s + 1/R) (s + K)),
        A = -(W/R) (i' (1 - p) - d' p).

    1/R in the queue is that a longer one slows the flows that are clocked by its ACKs. For Reno A =
    2 N / (R^2 C) and the gain C^2 / (2 N): C. Hollot, V. Misra, D. Towsley & W. Gong, A control
    theoretic analysis of RED, INFOCOM 2001, who grow the window by lost packets too, so that their
    A differs by p. Other laws of the window: G. Raina, D. Towsley & D. Wischik, CCR 35(3), 2005.

    Examples
    --------
    Their example: 60 flows, 3750 packets/s, 246 ms.

    >>> loop = red_loop("reno", 0.246, 3750, 60, slope=1.86e-4, averaging=0.005)
    >>> [round(pole, 3) for pole in loop.poles]
    [0.524, 4.065, 0.005]
    """
    law, window = window_law(cc), rate * rtt / flows
    answer = window / rtt * (law.growth(window) + law.cut(window))
    poles = (window / rtt * law.pull(window), 1 / rtt, averaging)
    return Loop(slope * answer * flows / rtt * averaging, poles, rtt)


def tail_drop_loop(cc: str, rtt: float, window: float, buffer: float) -> Loop:
    """The loop of equal flows at a small tail-drop buffer, with p = (y / C)^B and no queue.

    Parameters
    ----------
    cc
        As for `red_loop`.
    rtt
        R, s.
    window
        W of each flow at rest, packets.
    buffer
        B, packets.

    Notes
    -----
    Many flows make arrivals Poisson at the scale of a small buffer, and p is the chance that a
    queue of exponential packets is at B. With y the arrival rate y p' = B p, and (i + d) p = i at
    rest, so that

        L(s) = (i B / R) e^(-sR) / (s + A),

    stable for every R and C if i B < pi/2: B < pi/2 W for Reno, a B < pi/2 for Scalable. G. Raina,
    D. Towsley & D. Wischik, Part II: control theory for buffer sizing, CCR 35(3), 2005; S.
    Prabhakar & G. Raina, Design considerations based on stability for a class of TCP algorithms,
    2025.

    A buffer of a bandwidth-delay product is not small. It fills over many round trips and then
    drops in bursts, for which there is no such model. Flows in step are then the rule, and they
    make the sawtooth.

    Examples
    --------
    >>> tail_drop_loop("scalable", 0.1, 500, 20).gain * 0.1
    0.2
    """
    law = window_law(cc)
    return Loop(law.growth(window) * buffer / rtt, (window / rtt * law.pull(window),), rtt)


def delay_loop(
    cc: str, rtt: float, rate: float, flows: int, *, self_clocked: bool = True
) -> tuple[Loop, float]:
    """The loop of equal flows that steer by delay, and their queue at rest, packets.

    Parameters
    ----------
    cc
        One of these, written as in a scenario.
    rtt
        d, without a queue, s.
    rate
        C, line rate, packets/s.
    flows
        N.
    self_clocked
        Whether a longer queue slows the flows that its ACKs clock; without, the queue integrates
        rates alone.

    Notes
    -----
    With b = W q / R packets of the flow queued, q the delay in the queue and R = d + q, fast has W'
    = (g / R) (alpha - b) with g its gain over its period, stabilised-vegas W' = (g / R) (alpha - b
    - a W q') with g = 2 mu / pi. In round trips, sigma = s R:

        L = g (d/R + a sigma) e^(-sigma) / ((sigma + g q/R) (sigma + 1)),

    and (sigma) for (sigma + 1) where it is not self-clocked. Rate and RTT count by d/R alone.
    Self-clocked, FAST is stable for every gain up to 1, as measured and as proven by K. Jacobsson,
    L. Andrew, A. Tang, S. Low & H. Hjalmarsson, An improved link model for window flow control and
    its application to FAST TCP, IEEE Trans. Automatic Control 54(3), 2009; without, it is predicted
    to oscillate where q is short beside d, which it does not: J. Wang, D. Wei, J. Choi & S. Low,
    Modelling and stability of FAST TCP, 2007.
    """
    law = law_of(cc)
    if not isinstance(law, DelayLaw):
        raise ValueError(f"'{cc}' does not steer by delay")  # noqa: TRY004 a value of a user
    queue = law.alpha * flows
    total = rtt + queue / rate
    gain, damping = law.gain, law.damping
    share = rtt / total
    poles = (gain * (1 - share) / total, 1 / total if self_clocked else 0.0)
    if damping:
        return Loop(gain * damping / total, poles, total, (share / (damping * total),)), queue
    return Loop(gain * share / total**2, poles, total), queue


def stability_margin(
    cc: str,
    rtt: float,
    rate: float,
    flows: int = 1,
    *,
    queue: Literal["red", "tail-drop"] = "red",
    min_threshold: float | None = None,
    max_threshold: float | None = None,
    max_p: float = 0.1,
    weight: float | None = None,
    wait: bool = True,
    buffer: float = 20.0,
) -> StabilityMargin:
    """Gain and phase margin of N equal flows at one queue, and where they are at rest.

    Parameters
    ----------
    cc
        Control, written as in a scenario: reno, aimd, multcp, binomial, scalable, highspeed,
        compound (with loss); fast, stabilised-vegas (with delay, for any queue).
    rtt
        Without a queue, s.
    rate
        Line rate, packets/s.
    flows
        N.
    queue
        "red", or "tail-drop" with a small buffer.
    min_threshold, max_threshold
        RED's, packets; as a scenario's "auto" if not given: 2.5 ms at line rate, at least five
        packets, and three times that.
    max_p
        Probability at the upper threshold; beyond it RED is gentle.
    weight
        RED's, 0 to 1; as a scenario's "auto" if not given: the average follows over ten times 100
        ms or 1.5 round trips.
    wait
        RED spaces drops out, as for `red_drop_share`.
    buffer
        Limit of the queue "tail-drop", packets.

    Notes
    -----
    `red_loop`, `tail_drop_loop` and `delay_loop`, and `loop_margins`. Local: a disturbance that is
    small. Flows are alike and many enough for a mean, so a single sawtooth is not part of the
    model. Controls without such a model are refused, with the reason.

    Examples
    --------
    >>> slow = {"min_threshold": 150, "max_threshold": 700, "weight": 1.33e-6}
    >>> far = stability_margin("reno", 0.246, 3750, 60, **slow)
    >>> fast = {"min_threshold": 150, "max_threshold": 160, "weight": 0.002}
    >>> near = stability_margin("reno", 0.246, 3750, 60, **fast)
    >>> far.stable, round(far.phase_margin), near.stable
    (True, 83, False)
    """
    if min(rtt, rate) <= 0 or flows < 1:
        raise ValueError(
            f"{flows} flows at {rate} packets/s and {rtt} s: one flow at least, rate and RTT "
            "above 0"
        )
    if isinstance(law_of(cc), DelayLaw):
        loop, kept = delay_loop(cc, rtt, rate, flows)
        return _judged(loop, rate * loop.delay / flows, 0.0, kept)
    if queue == "tail-drop":
        window, loss = _tail_drop_rest(cc, rtt, rate, flows, buffer)
        return _judged(tail_drop_loop(cc, rtt, window, buffer), window, loss, 0.0)
    if queue != "red":
        raise ValueError(f"a queue '{queue}': it is red or tail-drop")
    low, high, follow = _red(rtt, rate, min_threshold, max_threshold, weight)

    def share(average: float) -> float:
        return red_drop_share(red_base_probability(average, low, high, max_p), wait=wait)

    length = _red_rest(cc, rtt, rate, flows, share, low, high)
    step = 1e-6 * (high - low)
    slope = (share(length + step) - share(length - step)) / (2 * step)
    total = rtt + length / rate
    return _judged(
        red_loop(cc, total, rate, flows, slope, follow), rate * total / flows, share(length), length
    )


def stability_region(
    cc: str, rtts: Sequence[float], rates: Sequence[float], flows: int = 1, **queue: object
) -> NDArray[np.float64]:
    """Phase margin for every RTT (rows) and rate (columns), degrees: flows oscillate below 0.

    Parameters
    ----------
    cc, flows
        As for `stability_margin`.
    rtts
        Without a queue, s.
    rates
        Line rates, packets/s.
    **queue
        The rest of `stability_margin`'s.

    Returns
    -------
    NDArray
        NaN where the flows' windows are too small for the model.

    Examples
    --------
    Reno with RED oscillates at long RTTs, and at high rates: 50 flows, 20, 100 and 500 ms, 1000 to
    100 000 packets/s.

    >>> red = {"min_threshold": 100, "max_threshold": 500}
    >>> region = stability_region("reno", [0.02, 0.1, 0.5], [1e3, 1e4, 1e5], 50, **red)
    >>> (region > 0).tolist()
    [[True, True, False], [True, False, False], [True, False, False]]
    """
    import numpy as np

    margins = np.full((len(rtts), len(rates)), np.nan)
    for row, rtt in enumerate(rtts):
        for column, rate in enumerate(rates):
            try:
                margins[row, column] = stability_margin(cc, rtt, rate, flows, **queue).phase_margin  # type: ignore[arg-type]
            except SmallWindowError:
                continue
    return margins


class SmallWindowError(Error, ValueError):
    """The flows' windows are too small for the model."""

    kind = "out-of-range"


def _checked(window: float, flows: int) -> float:
    if window < LEAST_WINDOW:
        raise SmallWindowError(
            f"{flows} flows have windows of {window:.2g} packets: below {LEAST_WINDOW:g}, "
            "timeouts rule and not this model"
        )
    return window


def _judged(loop: Loop, window: float, loss: float, queue: float) -> StabilityMargin:
    margins = loop_margins(loop)
    return StabilityMargin(
        margins.stable,
        margins.gain_margin,
        margins.phase_margin,
        2 * math.pi / margins.crossover,
        window=window,
        loss_rate=loss,
        queue=queue,
    )


def _red(
    rtt: float, rate: float, low: float | None, high: float | None, weight: float | None
) -> tuple[float, float, float]:
    """Thresholds, packets, and the rate at which the average follows, 1/s."""
    from ackclock.scenario.qdisc.red_auto import auto_red

    # Only packets per second count: packets of one byte.
    auto = auto_red(round(8 * rate), round(rtt / 2 * 1e12), 1, 5 * 10**9)
    low = auto.min_threshold if low is None else low
    high = 3 * low if high is None else high
    if not 0 < low < high:
        raise ValueError(
            f"thresholds of {low} and {high} packets: above 0, and the second above the first"
        )
    return low, high, -math.log1p(-(auto.weight if weight is None else weight)) * rate


def _red_rest(
    cc: str,
    rtt: float,
    rate: float,
    flows: int,
    share: Callable[[float], float],
    low: float,
    high: float,
) -> float:
    law = window_law(cc)

    def excess(length: float) -> float:
        return share(length) - law.loss_rate((rate * rtt + length) / flows)

    _checked((rate * rtt + low) / flows, flows)
    # At twice the upper threshold everything is dropped, and no window is at rest.
    return root(excess, low, 2 * high)


def _tail_drop_rest(
    cc: str, rtt: float, rate: float, flows: int, buffer: float
) -> tuple[float, float]:
    law = window_law(cc)
    path = _checked(rate * rtt / flows, flows)

    def excess(window: float) -> float:
        return buffer * math.log(window / path) - math.log(law.loss_rate(window))

    window = root(excess, 1e-3 * path, path)
    return _checked(window, flows), law.loss_rate(window)
