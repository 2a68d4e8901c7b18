"""Figures of lesson 7, unequal RTTs."""

from lesson_claims.bars import COUNT, RTT, SHARE
from lesson_claims.claim import Claim
from lesson_runs import flow, mbit


def pair(case: str, near: str | None, far: str | None, before: str) -> list[Claim]:
    return [
        Claim(
            "unequal-rtts",
            f"{before}goodput of the {name} flow",
            said,
            lambda of, name=name: mbit(of(case), name),
            SHARE,
            "Mbit/s",
            1,
            (case,),
        )
        for name, said in (("near", near), ("far", far))
        if said is not None
    ]


def mean_rtts(case: str, near: str, far: str, before: str) -> list[Claim]:
    return [
        Claim(
            "unequal-rtts",
            f"{before}mean RTT of the {name} flow",
            said,
            lambda of, name=name: 1e3 * flow(of(case), name)["rtt_mean"],
            RTT,
            "ms",
            0,
            (case,),
        )
        for name, said in (("near", near), ("far", far))
    ]


UNEQUAL = [
    *mean_rtts("base", "62", "124", ""),
    *pair("base", "7.5", "2.2", ""),
    Claim(
        "unequal-rtts",
        "recoveries of the near flow",
        "30",
        lambda of: flow(of("base"), "near")["recoveries"],
        COUNT,
    ),
    Claim(
        "unequal-rtts",
        "recoveries of the far flow",
        "23",
        lambda of: flow(of("base"), "far")["recoveries"],
        COUNT,
    ),
    *mean_rtts("try 1", "216", "276", "try 1: "),
    *pair("try 1", "6.6", "3.1", "try 1: "),
    *pair("try 2", None, "3.8", "try 2, FQ-CoDel: "),
    *pair("try 3", "4.0", "5.5", "try 3, BBR: "),
]
