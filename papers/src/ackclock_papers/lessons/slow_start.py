"""Numbers of lesson 1, slow start."""

from math import log2

from ackclock_papers.lessons.measures import (
    PACKET_AT_10,
    burst,
    cut_time,
    first_drop,
    full_at,
    lost,
    lost_before,
    peak,
    rtt,
    slow_start_end,
    slow_start_window,
    ssthresh,
    window,
)
from ackclock_papers.lessons.number import (
    BASE,
    GROWTH,
    LOSS,
    MS,
    PACKETS,
    RTT,
    SECONDS,
    SHORT_TIME,
    TRY_1,
    TRY_2,
    TRY_3,
    WINDOW,
    Kind,
    Number,
    formula,
    measured,
)

# The kernel has HyStart in CUBIC alone, and its decision comes before the avoidance.
VARIANTS = {"CUBIC": {"flows.reno.cc": "cubic"}}
_CUBIC = measured("CUBIC")
_PATH = 0.060 / PACKET_AT_10
"""Packets that the path holds."""
_FIRST_ROUNDS = (
    "ns-3 delays ACKs from the first packet on, so windows of the first round trips are some "
    "packets smaller."
)

NUMBERS = (
    Number("initial window", "begins with {} packets", BASE(window, "reno", 0.1), PACKETS),
    Number("window at 0.17 s", "then {} at # s", BASE(window, "reno", 0.17), WINDOW),
    Number(
        "window at 0.23 s",
        "{} at # s and #",
        BASE(window, "reno", 0.23),
        WINDOW,
        differs=_FIRST_ROUNDS,
    ),
    Number("window at 0.31 s", "and {} at # s.", BASE(window, "reno", 0.31), WINDOW),
    Number("path by its rate and RTT", "path holds {} packets", formula(_PATH), PACKETS),
    Number("the queue is full", "full at {} s", BASE(full_at, 49), SHORT_TIME, 0.011),
    Number(
        "from the full queue to the first drop",
        "dropped {a moment later}",
        BASE(first_drop) - BASE(full_at, 49),
        SECONDS,
        lies=(0, 0.02),
    ),
    Number(
        "from the drop until the sender learns of it",
        "takes {} ms",
        (BASE(cut_time, "reno") - BASE(first_drop)) / formula(1e-3),
        Kind("ms", "20", 0.05, 20),
        20,
    ),
    Number(
        "window before the first cut", "once more, to {} packets", BASE(peak, "reno"), WINDOW, 1
    ),
    # RFC 5681, section 3.1: a window doubles in a round trip. A drop is learned of one round trip
    # after the window has filled the path and a queue of 50 packets.
    Number(
        "window before the first cut, by RFC 5681",
        "once more, to {} packets",
        formula(2 * (_PATH + 50)),
        PACKETS,
    ),
    Number("packets lost in the burst", "Therefore {} packets", BASE(burst), LOSS),
    Number(
        "ssthresh after it",
        "recovery then {halves} the window",
        BASE(ssthresh, "reno"),
        WINDOW,
        lies=(100, 102),
    ),
    Number(
        "growth of the window from 8 s to 9 s, about ten round trips",
        "adds {only one packet per round trip}",
        BASE(window, "reno", 9) - BASE(window, "reno", 8),
        GROWTH,
        lies=(8, 16),
    ),
    Number("doublings, by their factor", "log2(#) = {} doublings", formula(log2(10 / 2))),
    Number(
        "try 1: the first loss comes later by",
        "comes {} s later",
        TRY_1(cut_time, "reno") - BASE(cut_time, "reno"),
        SHORT_TIME,
        0.011,
        differs=_FIRST_ROUNDS,
    ),
    Number("try 1: packets lost in the burst", "", TRY_1(burst), LOSS),
    Number(
        "try 1: packets lost more than before",
        "{As many packets} are lost",
        TRY_1(lost, "reno") - BASE(lost, "reno"),
        lies=(0, 0),
    ),
    Number(
        "try 2: slow start goes on until",
        "goes on until {} s",
        TRY_2(cut_time, "reno"),
        SHORT_TIME,
        0.011,
    ),
    Number("try 2: window then", "a window of {} packets", TRY_2(peak, "reno"), WINDOW, 1),
    Number(
        "try 2: window then, by RFC 5681",
        "a window of {} packets",
        formula(2 * (_PATH + 200)),
        PACKETS,
    ),
    Number("try 2: largest RTT", "rises to {} ms", TRY_2(rtt, "reno", "max"), RTT, 5),
    Number(
        "try 2: largest RTT, of path and full queue",
        "rises to {} ms",
        formula(60 + 200 * 1e3 * PACKET_AT_10),
        MS,
    ),
    Number("try 2: packets lost", "and {} packets are lost", TRY_2(burst, 0.6), LOSS),
    Number(
        "try 3: HyStart ends slow start at",
        "slow start at {} s",
        TRY_3(slow_start_end, "reno"),
        SHORT_TIME,
    ),
    Number(
        "try 3: window then",
        "s and {} packets, because",
        TRY_3(slow_start_window, "reno"),
        WINDOW,
        1,
    ),
    Number(
        "try 3: packets lost in two seconds",
        "{} packets are lost in the first two",
        TRY_3(lost_before, "reno", 2),
        LOSS,
    ),
    Number(
        "try 3 with CUBIC behind HyStart: slow start ends at",
        "",
        _CUBIC(slow_start_end, "reno"),
        SHORT_TIME,
    ),
    Number(
        "try 3 with CUBIC behind HyStart: window then",
        "",
        _CUBIC(slow_start_window, "reno"),
        WINDOW,
    ),
)
