"""Numbers of lesson 4, bufferbloat and CoDel."""

from math import inf

from ackclock_papers.lessons.measures import call, delay_at, first_drop, mbit, queue_delay
from ackclock_papers.lessons.number import (
    BASE,
    DELAY,
    LOSS,
    MBIT,
    MS,
    RATE,
    SCORE,
    SECONDS,
    SHORT_TIME,
    TRY_1,
    TRY_2,
    TRY_3,
    Number,
    nth,
)

VARIANTS: dict[str, dict[str, str]] = {}
_GROWTH = "as here: # s at # s, # s at # s, # s at # s."
_HYSTART = "ns-3's CUBIC does not leave slow start by HyStart here, so the buffer fills sooner."

NUMBERS = (
    Number(
        "queue delay just before the download",
        "{for itself}",
        BASE(delay_at, 4.9),
        SECONDS,
        lies=(0, 0.006),
    ),
    *(
        Number(
            f"queue delay at {time} s",
            nth(_GROWTH, at),
            BASE(delay_at, time),
            SHORT_TIME,
            0.006,
            differs=differs,
        )
        for at, time, differs in ((0, 10, _HYSTART), (2, 15, _HYSTART), (4, 20, ""))
    ),
    Number(
        "first loss",
        "{nothing is lost before the buffer is full}",
        BASE(first_drop),
        SECONDS,
        lies=(19, inf),
    ),
    Number("score of the call", "opinion score of {},", BASE(call, "mos"), SCORE, 0.01),
    Number("goodput of the download", "of its {} Mbit/s", BASE(mbit, "download"), RATE),
    Number(
        "try 1: mean delay of the call's datagrams",
        "The call's datagrams take {} ms",
        TRY_1(call, "delay_mean"),
        DELAY,
    ),
    Number("try 1: score of the call", "its score is {} of", TRY_1(call, "mos"), SCORE),
    Number("try 1: goodput of the download", "keeps {} of", TRY_1(mbit, "download"), RATE),
    Number(
        "try 2: 95th percentile of the delay",
        "take less than {} ms",
        TRY_2(call, "delay_p95"),
        DELAY,
        (inf, 0),
    ),
    Number("try 2: least delay", "path alone takes {} ms", TRY_2(call, "delay_min"), MS),
    Number("try 3: longest queue delay, ms", "stays {} ms", TRY_3(queue_delay, "max"), DELAY),
    Number("try 3: goodput of the download", "", TRY_3(mbit, "download"), RATE),
    Number(
        "try 3: rate that the download loses",
        "{loses nothing of its rate}",
        BASE(mbit, "download") - TRY_3(mbit, "download"),
        MBIT,
        lies=(-0.02, 0.02),
    ),
    Number("try 3: datagrams lost, of 810", "call loses {} of", TRY_3(call, "lost_packets"), LOSS),
    Number("try 3: datagrams sent", "of {} datagrams", TRY_3(call, "sent_packets")),
)
