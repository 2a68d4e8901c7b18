"""Figures of lesson 6, BBR beside CUBIC."""

from lesson_claims.bars import LOSS_RATE, RTT, SHARE
from lesson_claims.claim import Claim
from lesson_runs import flow, mbit


def beside(case: str, bbr: str, cubic: str | None, before: str) -> list[Claim]:
    """Both flows' goodput in a case."""
    return [
        Claim(
            "bbr-beside-cubic",
            f"{before}goodput of {name}",
            said,
            lambda of, name=name: mbit(of(case), name.lower()),
            SHARE,
            "Mbit/s",
            1,
            (case,),
        )
        for name, said in (("BBR", bbr), ("CUBIC", cubic))
        if said is not None
    ]


BESIDE = [
    *beside("base", "8.3", "1.2", ""),
    Claim(
        "bbr-beside-cubic",
        "packets that CUBIC loses",
        "2.8",
        lambda of: 100 * flow(of("base"), "cubic")["loss_rate"],
        LOSS_RATE,
        "%",
        1,
    ),
    Claim(
        "bbr-beside-cubic",
        "packets that BBR loses",
        "1.5",
        lambda of: 100 * flow(of("base"), "bbr")["loss_rate"],
        LOSS_RATE,
        "%",
        1,
    ),
    *beside("2 BDP", "5.9", None, "2 BDP: "),
    *beside("4 BDP", "4.5", None, "4 BDP: "),
    *beside("try 1", "3.3", "6.4", "try 1, 8 BDP: "),
    Claim(
        "bbr-beside-cubic",
        "try 1: the lesser mean RTT",
        "above 310",
        lambda of: 1e3 * min(flow(of("try 1"), name)["rtt_mean"] for name in ("bbr", "cubic")),
        RTT,
        "ms",
        cases=("try 1",),
    ),
    *beside("try 2", "5.0", "4.6", "try 2, BBRv3: "),
    *beside("try 3", "4.9", "4.7", "try 3, FQ-CoDel: "),
    Claim(
        "bbr-beside-cubic",
        "try 3: packets that BBR loses",
        "9",
        lambda of: 100 * flow(of("try 3"), "bbr")["loss_rate"],
        LOSS_RATE,
        "%",
        1,
        ("try 3",),
    ),
]
