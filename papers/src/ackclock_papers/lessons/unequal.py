"""Numbers of lesson 7, unequal RTTs."""

from math import log

from ackclock_papers.lessons.measures import Run, counter, mbit, rtt
from ackclock_papers.lessons.number import (
    BASE,
    COUNT,
    RTT,
    SHARE,
    TIMES,
    TRY_1,
    TRY_2,
    TRY_3,
    Number,
)

VARIANTS: dict[str, dict[str, str]] = {}


def _power(run: Run) -> float:
    """Return the power of the RTT with which the shares fall."""
    goodputs, rtts = (log(of(run, "near") / of(run, "far")) for of in (mbit, rtt))
    return -goodputs / rtts


NUMBERS = (
    *(
        Number(f"{before}{figure} of the {name} flow", words, of(function, name), kind)
        for before, figure, name, words, of, function, kind in (
            ("", "mean RTT", "near", "RTTs are {} and # ms", BASE, rtt, RTT),
            ("", "mean RTT", "far", "RTTs are # and {} ms", BASE, rtt, RTT),
            ("", "goodput", "near", "near flow gets {} Mbit/s", BASE, mbit, SHARE),
            ("", "goodput", "far", "the far one {}, three", BASE, mbit, SHARE),
        )
    ),
    Number(
        "goodput of the near flow, times that of the far one",
        "{three and a half times} less",
        BASE(mbit, "near") / BASE(mbit, "far"),
        TIMES,
        lies=(3.4, 3.6),
    ),
    Number(
        "recoveries of the near flow",
        "near flow has {} recoveries",
        BASE(counter, "near", "recoveries"),
        COUNT,
    ),
    Number(
        "recoveries of the far flow",
        "recoveries and the far one {}.",
        BASE(counter, "far", "recoveries"),
        COUNT,
    ),
    Number("power of the RTT", "the power is {},", BASE(_power)),
    *(
        Number(f"{before}{figure} of the {name} flow", words, of(function, name), kind)
        for before, figure, name, words, of, function, kind in (
            ("try 1: ", "mean RTT", "near", "are then {} and # ms", TRY_1, rtt, RTT),
            ("try 1: ", "mean RTT", "far", "are then # and {} ms", TRY_1, rtt, RTT),
            ("try 1: ", "goodput", "near", "closer: {} and # Mbit/s", TRY_1, mbit, SHARE),
            ("try 1: ", "goodput", "far", "closer: # and {} Mbit/s", TRY_1, mbit, SHARE),
            ("try 2, FQ-CoDel: ", "goodput", "far", "far flow gets {} Mbit/s", TRY_2, mbit, SHARE),
            ("try 3, BBR: ", "goodput", "near", "against {} Mbit/s, on", TRY_3, mbit, SHARE),
            ("try 3, BBR: ", "goodput", "far", "gets more: {} against", TRY_3, mbit, SHARE),
        )
    ),
)
