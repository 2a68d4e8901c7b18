"""Figures of lesson 8, COS-Slow-Start."""

import polars as pl

from lesson_claims.bars import LOSS, RATE, TIME, WINDOW, Bar
from lesson_claims.claim import Claim
from lesson_claims.measures import first, lost_in_first_episode, slow_start_ended_by_loss
from lesson_runs import first_drop, mbit, queue, window

COS = [
    *(
        Claim(
            "cos-slow-start",
            f"window after {rounds} round trip{'s' if rounds > 1 else ''}",
            str(packets),
            lambda of, rounds=rounds: window(of("base"), "flow", 0.2 + rounds / 10),
            WINDOW,
            "packets",
        )
        for rounds, packets in enumerate((32, 63, 99, 132, 156, 165), 1)
    ),
    Claim(
        "cos-slow-start",
        "longest queue of the first 1.5 s",
        "35",
        lambda of: float(queue(of("base")).filter(pl.col("time") < 1.5)["queue_packets"].max()),
        Bar.of(0, 1, "1"),
        "packets",
    ),  # type: ignore[arg-type]
    Claim(
        "cos-slow-start", "first loss", "5.8", lambda of: first(of("base"), "flow")[0], TIME, "s", 1
    ),
    Claim(
        "cos-slow-start", "goodput", "16.3", lambda of: mbit(of("base"), "flow"), RATE, "Mbit/s", 1
    ),
    Claim(
        "cos-slow-start",
        "try 1, doubling: the buffer overflows",
        "0.53",
        lambda of: first_drop(of("try 1")),
        TIME,
        "s",
        2,
        ("try 1",),
    ),
    Claim(
        "cos-slow-start",
        "try 1: packets lost",
        "40",
        lambda of: lost_in_first_episode(of("try 1"), 0.5),
        LOSS,
        cases=("try 1",),
    ),
    Claim(
        "cos-slow-start",
        "try 1: goodput",
        "13.9",
        lambda of: mbit(of("try 1"), "flow"),
        RATE,
        "Mbit/s",
        1,
        ("try 1",),
    ),
    Claim(
        "cos-slow-start",
        "try 2: packets lost",
        "19",
        lambda of: lost_in_first_episode(of("try 2"), 0.5),
        LOSS,
        cases=("try 2",),
    ),
    Claim(
        "cos-slow-start",
        "try 2: goodput",
        "12.5",
        lambda of: mbit(of("try 2"), "flow"),
        RATE,
        "Mbit/s",
        1,
        ("try 2",),
    ),
    Claim(
        "cos-slow-start",
        "try 3: slow start ends",
        "0.4",
        lambda of: slow_start_ended_by_loss(of("try 3"), "flow"),
        TIME,
        "s",
        2,
        ("try 3",),
    ),
    Claim(
        "cos-slow-start",
        "try 3: packets lost",
        "11",
        lambda of: lost_in_first_episode(of("try 3"), 0.5),
        LOSS,
        cases=("try 3",),
    ),
]
