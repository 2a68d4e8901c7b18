"""Numbers of lesson 6, BBR beside CUBIC."""

from math import inf

from ackclock_papers.lessons.measures import Run, internal, lost_share, mbit, most, rtt
from ackclock_papers.lessons.number import (
    BASE,
    LOSS_RATE,
    MS,
    RTT,
    SHARE,
    TRY_1,
    TRY_2,
    TRY_3,
    Number,
    measured,
)

VARIANTS = {
    f"{products} BDP": {"network.bottleneck.limit": f"{products}bdp"} for products in (2, 4)
}
_GOODPUTS = (
    ("", "BBR", "warm-up BBR gets {} Mbit/s", BASE, None),
    ("", "CUBIC", "Mbit/s and CUBIC {}.", BASE, None),
    ("2 BDP: ", "BBR", "At # BDP BBR has {} Mbit/s", measured("2 BDP"), None),
    ("4 BDP: ", "BBR", "at # BDP {}; on Linux", measured("4 BDP"), None),
    ("try 1, 8 BDP: ", "BBR", "and BBR {} Mbit/s (on", TRY_1, 0.06),
    ("try 1, 8 BDP: ", "CUBIC", "CUBIC gets {} and BBR", TRY_1, 0.06),
    ("try 2, BBRv3: ", "BBR", "It gets {} Mbit/s", TRY_2, 0.06),
    ("try 2, BBRv3: ", "CUBIC", "leaves {} to CUBIC", TRY_2, 0.06),
    ("try 3, FQ-CoDel: ", "BBR", "half, # and {} Mbit/s", TRY_3, 0.06),
    ("try 3, FQ-CoDel: ", "CUBIC", "half, {} and # Mbit/s", TRY_3, 0.06),
)


def _lesser_rtt(run: Run) -> float:
    """Return the mean RTT of the flow that has the lesser one, ms."""
    return min(rtt(run, "bbr"), rtt(run, "cubic"))


def _min_rtt(run: Run) -> float:
    """Return the least RTT that BBR takes for the path's after 12 s, ms."""
    rows = internal(run, "min_rtt")
    return -1e3 * most(-rows.filter(rows["time"] > 12)["value"])


_GOODPUT = [
    Number(f"{before}goodput of {name}", words, of(mbit, name.lower()), SHARE, within)
    for before, name, words, of, within in _GOODPUTS
]
NUMBERS = (
    *_GOODPUT[:2],
    Number("packets that CUBIC loses", "CUBIC loses {} %", BASE(lost_share, "cubic"), LOSS_RATE),
    Number("packets that BBR loses", "packets, BBR {} %", BASE(lost_share, "bbr"), LOSS_RATE),
    *_GOODPUT[2:6],
    Number(
        "try 1: the lesser mean RTT", "mean RTT of both is {} ms", TRY_1(_lesser_rtt), RTT, (0, 10)
    ),
    Number(
        "try 1: least RTT that BBR measures",
        "{never sees an empty queue}",
        TRY_1(_min_rtt),
        MS,
        lies=(130, inf),
    ),
    *_GOODPUT[6:],
    Number("try 3: packets that BBR loses", "BBR loses {} %", TRY_3(lost_share, "bbr"), LOSS_RATE),
)
