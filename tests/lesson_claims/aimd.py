"""Figures of lesson 2, AIMD and fairness."""

import polars as pl

from lesson_claims.bars import DELAY, SHARE_OF_20, TIME, WINDOW, Bar
from lesson_claims.claim import Claim
from lesson_claims.measures import alone, at_shared_loss, shrinking
from lesson_runs import queue, share

AIMD = [
    claim
    for number, (time, first_window, second_window) in enumerate(
        ((11.2, 102, 34), (13.4, 86, 51), (15.6, 77, 59), (17.8, 72, 63)), 1
    )
    for claim in (
        Claim(
            "aimd-fairness",
            f"shared loss {number}",
            str(time),
            lambda of, number=number: at_shared_loss(of("base"), number)[0],
            TIME,
            "s",
            1,
        ),
        Claim(
            "aimd-fairness",
            f"loss {number}: window of the first flow",
            str(first_window),
            lambda of, number=number: at_shared_loss(of("base"), number)[1],
            WINDOW,
            "packets",
        ),
        Claim(
            "aimd-fairness",
            f"loss {number}: window of the second flow",
            str(second_window),
            lambda of, number=number: at_shared_loss(of("base"), number)[2],
            WINDOW,
            "packets",
        ),
    )
] + [
    Claim(
        "aimd-fairness",
        "rate of the first flow from 20 s to 25 s",
        "9.8",
        lambda of: share(of("base"), "first", 20, 25),
        SHARE_OF_20,
        "Mbit/s",
        1,
    ),
    Claim(
        "aimd-fairness",
        "rate of the second",
        "9.6",
        lambda of: share(of("base"), "second", 20, 25),
        SHARE_OF_20,
        "Mbit/s",
        1,
    ),
    Claim(
        "aimd-fairness",
        "a loss hits one flow alone",
        "near 30",
        lambda of: alone(of("base")),
        Bar.of(0.1, 0, "10 %"),
        "s",
        1,
    ),
    Claim(
        "aimd-fairness",
        "try 1: rate of the first flow from 20 s to 25 s",
        "12.7",
        lambda of: share(of("try 1"), "first", 20, 25),
        SHARE_OF_20,
        "Mbit/s",
        1,
        ("try 1",),
    ),
    Claim(
        "aimd-fairness",
        "try 1: rate of the second",
        "6.6",
        lambda of: share(of("try 1"), "second", 20, 25),
        SHARE_OF_20,
        "Mbit/s",
        1,
        ("try 1",),
    ),
    *(
        Claim(
            "aimd-fairness",
            f"{before}: rate of the {name} flow from 20 s to 25 s",
            "",
            lambda of, case=case, name=name: share(of(case), name, 20, 25),
            SHARE_OF_20,
            "Mbit/s",
            1,
            (case,),
        )
        for case, before in (
            ("without ssthresh", "no ssthresh of the second"),
            ("try 1 without ssthresh", "try 1, no ssthresh of the second"),
        )
        for name in ("first", "second")
    ),
    Claim(
        "aimd-fairness",
        "no ssthresh of the second: a loss hits one flow alone",
        "",
        lambda of: alone(of("without ssthresh")),
        Bar.of(0.1, 0, "10 %"),
        "s",
        1,
        ("without ssthresh",),
    ),
    Claim(
        "aimd-fairness",
        "no ssthresh of the second: from loss to loss the difference shrinks to",
        "half",
        lambda of: 100 * shrinking(of("without ssthresh")),
        Bar.of(0, 10, "10"),
        "%",
        cases=("without ssthresh",),
    ),
    Claim(
        "aimd-fairness",
        "mean queue delay",
        "22",
        lambda of: 1e3 * of("base").links["queue_delay_mean"][0],
        DELAY,
        "ms",
    ),
    Claim(
        "aimd-fairness",
        "try 2: mean queue delay in place of 22 ms",
        "36",
        lambda of: 1e3 * of("try 2").links["queue_delay_mean"][0],
        DELAY,
        "ms",
        cases=("try 2",),
    ),
    Claim(
        "aimd-fairness",
        "try 3: mean queue delay",
        "5",
        lambda of: 1e3 * of("try 3").links["queue_delay_mean"][0],
        DELAY,
        "ms",
        cases=("try 3",),
    ),
    Claim(
        "aimd-fairness",
        "try 3: rate of the first flow from 40 s to 50 s",
        "8.0",
        lambda of: share(of("try 3"), "first", 40, 50),
        SHARE_OF_20,
        "Mbit/s",
        1,
        ("try 3",),
    ),
    Claim(
        "aimd-fairness",
        "try 3: change of the first flow's rate in the next 10 s",
        "none",
        lambda of: share(of("try 3"), "first", 50, 60) - share(of("try 3"), "first", 40, 50),
        Bar.of(0, 0.1, "0.1"),
        "Mbit/s",
        1,
        ("try 3",),
    ),
    Claim(
        "aimd-fairness",
        "try 3: packets lost",
        "none",
        lambda of: (
            float(queue(of("try 3")).filter(pl.col("time") > 20)["dropped"].max())  # type: ignore[arg-type]
            - float(queue(of("try 3")).filter(pl.col("time") <= 9)["dropped"].max())
        ),  # type: ignore[arg-type]
        Bar.of(0, 0, "0"),
        "",
        0,
        ("try 3",),
    ),
    Claim(
        "aimd-fairness",
        "try 3: rate of the second",
        "11.3",
        lambda of: share(of("try 3"), "second", 40, 50),
        SHARE_OF_20,
        "Mbit/s",
        1,
        ("try 3",),
    ),
]
