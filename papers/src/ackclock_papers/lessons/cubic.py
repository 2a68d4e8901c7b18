"""Numbers of lesson 3, CUBIC."""

from itertools import pairwise
from math import inf

from ackclock_papers.lessons.measures import (
    PACKET_AT_50,
    Run,
    burst,
    changes_of_window,
    cut_time,
    lost,
    mbit,
    peak,
    periods,
    ssthresh,
    window,
)
from ackclock_papers.lessons.number import (
    BASE,
    GROWTH,
    LOSS,
    PACKETS,
    RATE,
    SECONDS,
    TIME,
    TRY_1,
    TRY_2,
    TRY_3,
    WINDOW,
    Kind,
    Number,
    formula,
    nth,
)

VARIANTS: dict[str, dict[str, str]] = {}
_CONVEX = "carries it on: # packets at # s, # at # s, # at # s"
_OVERSHOOT = (
    "With ns-3 the overshoot is 903 packets, and more are lost; Reno has no HyStart either, and "
    "its overshoot on the kernel is 958 to 960 packets."
)


def _kept(run: Run) -> float:
    """Return the share of its window that the loss at 16.8 s costs, %."""
    return 100 * (1 - ssthresh(run, "cubic", 16.8) / peak(run, "cubic", 16.8))


def _beta(run: Run) -> float:
    """Return the window after the loss at 16.8 s by RFC 9438, section 4.6, packets."""
    return 0.7 * peak(run, "cubic", 16.8)


def _greatest(run: Run) -> float:
    """Return W_max after the loss at 22.1 s by RFC 9438, section 4.7, packets."""
    return peak(run, "cubic", 22.1) * (1 + 0.7) / 2


def _curve(run: Run, time: float) -> float:
    """Return the window after it by RFC 9438, sections 4.1.2 (C = 0.4), 4.2 (K), 4.6, packets."""
    k: float = ((_greatest(run) - 0.7 * peak(run, "cubic", 22.1)) / 0.4) ** (1 / 3)
    # Congestion avoidance begins at 22.2 s, when the recovery of a round trip is over; half a
    # tenth of a second is 6 packets at 38 s.
    return _greatest(run) + 0.4 * float(time - 22.2 - k) ** 3


def _repeated(lengths: list[float]) -> float:
    """Return how often two long or two short periods follow one another."""
    return sum((before > 8) == (after > 8) for before, after in pairwise(lengths))


NUMBERS = (
    Number(
        "window before the cut at 16.8 s", "goes from {} packets", BASE(peak, "cubic", 16.8), WINDOW
    ),
    Number("window after it", "packets to {}.", BASE(ssthresh, "cubic", 16.8), PACKETS),
    Number("window after it, by RFC 9438", "packets to {}.", BASE(_beta), PACKETS, 1),
    Number(
        "share of its window that a loss costs",
        "only {} % of its window",
        BASE(_kept),
        Kind("%", "0.5", 0, 0.5),
    ),
    Number("next loss", "full again at {} s", BASE(cut_time, "cubic", 22.1), TIME),
    Number("window then", "s, at {} packets.", BASE(peak, "cubic", 22.1), WINDOW),
    Number(
        "plateau after it, at 28 s",
        "aims lower, at {} packets",
        BASE(window, "cubic", 28),
        WINDOW,
        1,
    ),
    Number("plateau, by RFC 9438", "aims lower, at {} packets", BASE(_greatest), PACKETS),
    Number(
        "change of the window from 25 s to 30 s",
        "changes by {} packets",
        BASE(changes_of_window, "cubic", 25, 30),
        GROWTH,
    ),
    Number(
        "loss that ends the convex part",
        "until the loss at {} s",
        BASE(cut_time, "cubic", 33.8),
        TIME,
    ),
    Number(
        "peak then, above the last one by",
        "peak is {higher} than the last",
        BASE(peak, "cubic", 33.8) - BASE(peak, "cubic", 22.1),
        PACKETS,
        lies=(0.5, inf),
    ),
    Number("long period", "periods of {} s and # s", BASE(periods, "cubic", max), TIME),
    Number("short period", "periods of # s and {} s", BASE(periods, "cubic", min), TIME),
    Number(
        "periods like the one before",
        "s {alternate}",
        BASE(periods, "cubic", _repeated),
        lies=(0, 0),
    ),
    Number("goodput", "instead of {} Mbit/s", BASE(mbit, "cubic"), RATE),
    Number("packets lost in all", "in all, instead of {}.", BASE(lost, "cubic"), LOSS),
    Number("try 1: Reno's loss", "After the loss at {} s", TRY_1(cut_time, "cubic", 2.9), TIME),
    Number("try 1: window after it", "falls to {} packets", TRY_1(ssthresh, "cubic", 2.9), WINDOW),
    Number(
        "try 1: time to be back",
        "needs {} s",
        TRY_1(cut_time, "cubic", 27) - TRY_1(cut_time, "cubic", 2.9),
        TIME,
    ),
    # One packet per round trip, 80 ms while the window fits the path and longer with a queue.
    Number(
        "try 1: time to be back, by arithmetic",
        "needs {} s",
        formula(sum(max(0.080, packets * PACKET_AT_50) for packets in range(251, 502))),
        SECONDS,
        1.2,
    ),
    Number("try 1: goodput", "flow gets {} instead", TRY_1(mbit, "cubic"), RATE),
    *(
        Number(
            f"try 2: window at {time} s",
            nth(_CONVEX, at),
            TRY_2(window, "cubic", time),
            WINDOW,
            1.5,
        )
        for at, time in ((0, 30), (2, 35), (4, 38))
    ),
    *(
        Number(
            f"try 2: window at {time} s, by RFC 9438",
            nth(_CONVEX, at),
            BASE(_curve, time),
            PACKETS,
            6,
        )
        for at, time in ((0, 30), (2, 35), (4, 38))
    ),
    Number(
        "try 3: window of the overshoot",
        "overshoots to {} packets",
        TRY_3(peak, "cubic"),
        WINDOW,
        1,
        differs=_OVERSHOOT,
    ),
    Number(
        "try 3: packets lost in the burst",
        "loses {hundreds}",
        TRY_3(burst),
        LOSS,
        lies=(200, 999),
        differs=_OVERSHOOT,
    ),
    Number(
        "try 1: window of the overshoot, where Reno has no HyStart either",
        "",
        TRY_1(peak, "cubic"),
        WINDOW,
    ),
    Number("try 1: packets lost in that burst", "", TRY_1(burst), LOSS),
    Number(
        "try 3: packets lost in all",
        "hundreds: {} packets in all",
        TRY_3(lost, "cubic"),
        LOSS,
        differs=_OVERSHOOT,
    ),
)
