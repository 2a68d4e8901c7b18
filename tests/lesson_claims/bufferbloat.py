"""Figures of lesson 4, bufferbloat and CoDel."""

from lesson_claims.bars import DELAY, LOSS, RATE, SCORE, TIME
from lesson_claims.claim import Claim
from lesson_claims.measures import delay_at
from lesson_runs import mbit

BUFFERBLOAT = [
    *(
        Claim(
            "bufferbloat-codel",
            f"queue delay at {time} s",
            str(delay),
            lambda of, time=time: delay_at(of("base"), time),
            TIME,
            "s",
            2,
        )
        for time, delay in ((10, 0.28), (15, 0.53), (20, 1.2))
    ),
    Claim(
        "bufferbloat-codel",
        "score of the call",
        "1.0",
        lambda of: of("base").streams["mos"][0],
        SCORE,
        digits=2,
    ),
    Claim(
        "bufferbloat-codel",
        "goodput of the download",
        "9.6",
        lambda of: mbit(of("base"), "download"),
        RATE,
        "Mbit/s",
        1,
    ),
    Claim(
        "bufferbloat-codel",
        "try 1: mean delay of the call's datagrams",
        "18",
        lambda of: 1e3 * of("try 1").streams["delay_mean"][0],
        DELAY,
        "ms",
        1,
        ("try 1",),
    ),
    Claim(
        "bufferbloat-codel",
        "try 1: score of the call",
        "4.36",
        lambda of: of("try 1").streams["mos"][0],
        SCORE,
        digits=2,
        cases=("try 1",),
    ),
    Claim(
        "bufferbloat-codel",
        "try 1: goodput of the download",
        "9.3",
        lambda of: mbit(of("try 1"), "download"),
        RATE,
        "Mbit/s",
        1,
        ("try 1",),
    ),
    Claim(
        "bufferbloat-codel",
        "try 2: 95th percentile of the delay",
        "16.3",
        lambda of: 1e3 * of("try 2").streams["delay_p95"][0],
        DELAY,
        "ms",
        1,
        ("try 2",),
    ),
    Claim(
        "bufferbloat-codel",
        "try 3: longest queue delay, ms",
        "below 30",
        lambda of: 1e3 * of("try 3").links["queue_delay_max"][0],
        DELAY,
        "ms",
        1,
        ("try 3",),
    ),
    Claim(
        "bufferbloat-codel",
        "try 3: goodput of the download",
        "9.6",
        lambda of: mbit(of("try 3"), "download"),
        RATE,
        "Mbit/s",
        1,
        ("try 3",),
    ),
    Claim(
        "bufferbloat-codel",
        "try 3: datagrams lost, of 810",
        "8",
        lambda of: of("try 3").streams["lost_packets"][0],
        LOSS,
        cases=("try 3",),
    ),
]
