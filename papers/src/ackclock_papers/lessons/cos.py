"""Numbers of lesson 8, COS-Slow-Start."""

from math import acos, ceil, cos, floor, log2, pi

from ackclock_papers.lessons.measures import (
    Run,
    burst,
    counter,
    cut_time,
    cuts,
    first_drop,
    lost,
    mbit,
    waiting,
    window,
)
from ackclock_papers.lessons.number import (
    BASE,
    LOSS,
    MBIT,
    PACKETS,
    RATE,
    SECONDS,
    SHORT_TIME,
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
_WINDOWS = "window is # packets, then #, #, #, # and #:"
_LOST = "s; {} packets are lost, and the"


def _cosine(rounds: int) -> float:
    """Return the window of Ru and Liu 2007, rounded down in the first half and up in the second."""
    most = int(20e6 * 0.1 / 8 / 1500) + 1
    length, half = log2(most), most / 2
    at = length / pi * acos(1 - (10 - 1) / half) + rounds
    packets = half - half * cos(pi * at / length) + 1
    return floor(packets) if at <= length / 2 else ceil(packets)


def _losses(run: Run) -> float:
    return len(cuts(run, "flow"))


NUMBERS = (
    Number("initial window", "initial window of {} enters", BASE(window, "flow", 0.2), PACKETS),
    *(
        Number(
            f"window after {rounds} round trip{'s' if rounds > 1 else ''}",
            nth(_WINDOWS, rounds - 1),
            BASE(window, "flow", 0.2 + rounds / 10),
            WINDOW,
        )
        for rounds in range(1, 7)
    ),
    *(
        Number(
            f"window after {rounds} round trip{'s' if rounds > 1 else ''}, by the formula",
            nth(_WINDOWS, rounds - 1),
            formula(_cosine(rounds)),
            PACKETS,
            0,
        )
        for rounds in range(1, 6)
    ),
    Number(
        "time that the receiver's window limits",
        "After one round trip {the window is}",
        BASE(counter, "flow", "limited_receive_window"),
        SECONDS,
        lies=(0, 0),
    ),
    Number(
        "longest queue of the first 1.5 s",
        "queue has {} at its longest",
        BASE(waiting, 0, 1.4999, max),
        Kind("packets", "1", 0, 1),
    ),
    Number("first loss", "loss comes at {} s", BASE(cut_time, "flow"), TIME),
    Number("losses", "the {first loss} comes", BASE(_losses), lies=(1, 1)),
    Number("goodput", "instead of {} Mbit/s", BASE(mbit, "flow"), RATE, 0.06),
    Number(
        "try 1, doubling: the buffer overflows",
        "{} s; # packets are lost, and the flow",
        TRY_1(first_drop),
        SHORT_TIME,
        0.006,
    ),
    Number("try 1: packets lost", f"{_LOST} flow", TRY_1(burst), LOSS),
    Number("try 1: packets lost in all", f"{_LOST} flow", TRY_1(lost, "flow")),
    Number("try 1: goodput", "flow gets {} instead", TRY_1(mbit, "flow"), RATE, 0.06),
    Number(
        "try 2: the buffer overflows",
        "steeper and overflows the buffer at {} s",
        TRY_2(first_drop),
        SECONDS,
        0.006,
    ),
    Number("try 2: packets lost", f"{_LOST} goodput", TRY_2(burst), LOSS),
    Number("try 2: packets lost in all", f"{_LOST} goodput", TRY_2(lost, "flow")),
    Number("try 2: goodput", "goodput is {} Mbit/s", TRY_2(mbit, "flow"), RATE),
    Number(
        "try 3: slow start ends", "slow start ends at {} s", TRY_3(cut_time, "flow"), SHORT_TIME
    ),
    Number(
        "try 3: slow start ends, by the flow",
        "slow start ends at {} s",
        TRY_3(counter, "flow", "slow_start_end_time"),
        SECONDS,
        0.006,
    ),
    Number("try 3: packets lost", "with {} packets lost", TRY_3(burst), LOSS),
    Number("try 3: packets lost in all", "with {} packets lost", TRY_3(lost, "flow")),
    Number("try 3: goodput", "flow gets {} Mbit/s, about", TRY_3(mbit, "flow"), MBIT),
)
