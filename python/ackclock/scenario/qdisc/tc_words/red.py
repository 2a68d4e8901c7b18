"""RED in tc's words: bytes, and a burst in place of a weight."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ackclock.scenario.qdisc.tc_words.qdisc import UNLIMITED
from ackclock.scenario.qdisc.tc_words.units import number, rate

if TYPE_CHECKING:
    from ackclock.core_types.plan import RedQdiscPlan

__all__ = ["burst_of", "red", "weight_exponent"]

_WAIT = (
    "Linux's RED is another queue than this one. With wait = true, as in ns-2, a drop or mark "
    "comes 1/p to 2/p packets after the last, and in Linux 1 to 1/p packets: three times as many "
    "at the same average queue, so that Linux's queue is shorter. Write wait = false in the "
    "scenario's qdisc, which is Linux's RED, and run it again."
)

_MOST_BURST = 100_000


def weight_exponent(min_bytes: int, burst: int, average_packet: int) -> int | None:
    """Exponent n of the weight 2^-n that tc chooses for a burst; None if tc refuses it.

    ``tc_red_eval_ewma`` of iproute2 takes the first n with
    burst + 1 - min / avpkt <= (1 - (1 - W)^burst) / W, W = 2^-n. That is equation 3 of Floyd &
    Jacobson 1993: such a burst, from an empty queue, brings the average to `min`.
    """
    needed = burst + 1 - min_bytes / average_packet
    if needed < 1.0:
        return None
    for exponent in range(1, 32):
        weight = 0.5**exponent
        if needed <= -math.expm1(burst * math.log1p(-weight)) / weight:
            return exponent
    return None


def burst_of(weight: float, min_bytes: int, average_packet: int) -> tuple[int, float]:
    """The burst, packets, for which tc chooses the power of two nearest to a weight.

    Returns
    -------
    tuple of int and float
        The burst, and the weight that tc makes of it.

    Examples
    --------
    >>> burst_of(0.002, 7500, 1500)
    (48, 0.001953125)
    """
    wanted = max(1, min(31, round(-math.log2(weight))))
    first = max(1, math.ceil(min_bytes / average_packet))
    best = (first, 0.5)
    for burst in range(first, _MOST_BURST):
        exponent = weight_exponent(min_bytes, burst, average_packet)
        if exponent is None:
            continue
        best = (burst, 0.5**exponent)
        if exponent >= wanted:
            break
    return best


def red(
    plan: RedQdiscPlan, mtu: int, rate_bps: int | None
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """RED's parameters for tc-red(8), which are bytes, with notes and warnings.

    tc-red(8): "limit: Hard limit on the real (not average) queue size in bytes", and burst is
    "used for determining how fast the average queue size is influenced by the real queue size".
    ``harddrop`` stands for RFC 3168 section 7, by which ECN-capable packets above the upper
    threshold are dropped. Its drops are spaced as in section 7 of Floyd & Jacobson 1993: gaps
    are uniform over 1 ... 1/p (``red_random`` and ``red_mark_probability`` of ``red.h``).
    """
    mean = plan["mean_packet_bytes"]
    unit = 1 if plan["byte_mode"] else mean
    lower, upper = round(plan["min_threshold"] * unit), round(plan["max_threshold"] * unit)
    packets, size = plan["limit"].get("limit_packets"), plan["limit"].get("limit_bytes")
    limit = size if size is not None else (UNLIMITED if packets is None else packets) * mtu
    burst, weight = burst_of(plan["weight"], lower, mean)
    notes = []
    if packets is not None:
        notes.append(
            f"tc counts this limit in bytes: {packets} packets of {mtu} bytes are {limit} bytes."
        )
    if abs(weight / plan["weight"] - 1) > 0.01:
        notes.append(
            f"tc's weight of a new sample is a power of two: {weight:.4g}, and the scenario has "
            f"{plan['weight']:.4g}."
        )
    if plan["gentle"]:
        notes.append(
            "Linux has no gentle RED: above max every packet is dropped, where the scenario's "
            "probability rises to 1 at twice max."
        )
    if plan["adaptive"]:
        notes.append("Linux adapts the probability within 0.01 and 0.5, as the paper does.")
    if plan["byte_mode"]:
        notes.append("Linux does not scale the probability by a packet's size.")
    words = (
        *("red", "limit", str(limit), "min", str(lower), "max", str(upper)),
        *("avpkt", str(mean), "burst", str(burst), "probability", number(plan["max_p"])),
        *(() if rate_bps is None else ("bandwidth", rate(rate_bps))),
        *(("adaptive",) if plan["adaptive"] else ()),
        *(("ecn", "harddrop") if plan["ecn"] else ()),
    )
    return words, tuple(notes), (_WAIT,) if plan["wait"] else ()
