"""Numbers of lesson 2, AIMD and fairness."""

from math import inf

from ackclock_papers.lessons.measures import (
    Run,
    alone,
    counter,
    dropped,
    lost,
    queue_delay,
    share,
    shared_losses,
    shrinking,
)
from ackclock_papers.lessons.number import (
    BASE,
    MBIT,
    PACKETS,
    ROUND_DELAY,
    SHARE_OF_20,
    TIME,
    TIMES,
    TRY_1,
    TRY_2,
    TRY_3,
    WINDOW,
    Kind,
    Number,
    measured,
    nth,
)

# A connection of the kernel cannot begin with a threshold.
VARIANTS = {
    "without ssthresh": {"flows.second.ssthresh": "unlimited"},
    "try 1 without ssthresh": {
        "network.bottleneck.delay": "40ms",
        "flows.second.ssthresh": "unlimited",
    },
}
_WITHOUT = measured("without ssthresh")
_LOSSES = "At # s they are # and # packets, at # s # and #, at # s # and #, and at # s # and #."
_ALONE = Kind("s", "10 %", 0.1, digits=1)
_VEGAS = (
    "Where Vegas comes to rest depends on each ACK of the slow start before; the lesson claims "
    "that the shares stay, and not which flow has more."
)


def _shared(run: Run, loss: int, flow: int, part: int) -> float:
    """Return of a shared loss the time (0) or the window (1) of a flow."""
    return shared_losses(run)[loss][flow][part]


def _halved(run: Run, loss: int, flow: int) -> float:
    """Return the window at a loss by arithmetic: both halve, and grow by as much until each."""
    first, *later = ([cut[1] for cut in both] for both in shared_losses(run)[: loss + 1])
    windows = first
    for measured_then in later:
        growth = (sum(measured_then) - sum(windows) / 2) / 2
        windows = [window / 2 + growth for window in windows]
    return windows[flow]


NUMBERS = (
    *(
        Number(
            f"loss {loss + 1}: window of the {('first', 'second')[part - 1]} flow"
            if part
            else f"shared loss {loss + 1}",
            nth(_LOSSES, 3 * loss + part),
            BASE(_shared, loss, max(0, part - 1), min(1, part)),
            WINDOW if part else TIME,
            within=None if part else 0.1,
        )
        for loss in range(4)
        for part in range(3)
    ),
    *(
        Number(
            f"loss {loss + 1}: window of the {name} flow, by arithmetic",
            nth(_LOSSES, 3 * loss + flow + 1),
            BASE(_halved, loss, flow),
            PACKETS,
            1.5,
        )
        for loss in range(1, 4)
        for flow, name in enumerate(("first", "second"))
    ),
    Number(
        "rate of the first flow from 20 s to 25 s",
        "flows get {} and #",
        BASE(share, "first", 20, 25),
        SHARE_OF_20,
        0.06,
    ),
    Number(
        "rate of the second",
        "flows get # and {} Mbit/s",
        BASE(share, "second", 20, 25),
        SHARE_OF_20,
        0.06,
    ),
    Number("a loss hits one flow alone", "here {} s", BASE(alone), _ALONE, (2.5, 0.5)),
    Number(
        "try 1: cuts are as rare as",
        "cuts are {four times} as rare",
        BASE(counter, "first", "recoveries") / TRY_1(counter, "first", "recoveries"),
        TIMES,
        lies=(3, 4.5),
    ),
    Number(
        "try 1: rate of the first flow from 20 s to 25 s",
        "are still {} and #",
        TRY_1(share, "first", 20, 25),
        SHARE_OF_20,
        0.06,
    ),
    Number(
        "try 1: rate of the second",
        "are still # and {} Mbit/s",
        TRY_1(share, "second", 20, 25),
        SHARE_OF_20,
        0.06,
    ),
    *(
        Number(
            f"{before}: rate of the {name} flow from 20 s to 25 s",
            "",
            measured(variant)(share, name, 20, 25),
            SHARE_OF_20,
        )
        for variant, before in (
            ("without ssthresh", "no ssthresh of the second"),
            ("try 1 without ssthresh", "try 1, no ssthresh of the second"),
        )
        for name in ("first", "second")
    ),
    Number("no ssthresh of the second: a loss hits one flow alone", "", _WITHOUT(alone), _ALONE),
    Number(
        "no ssthresh of the second: from loss to loss the difference shrinks to",
        "halving both windows {halves} the difference",
        _WITHOUT(shrinking),
        Kind("%", "10", 0, 10),
        lies=(40, 60),
    ),
    Number("mean queue delay", "on average in place of {} ms", BASE(queue_delay), ROUND_DELAY),
    Number(
        "try 2: cuts are as frequent as",
        "{more than three times} as frequent",
        TRY_2(counter, "first", "recoveries") / BASE(counter, "first", "recoveries"),
        TIMES,
        lies=(3, inf),
    ),
    Number(
        "try 2: mean queue delay in place of 22 ms",
        "fuller: {} ms",
        TRY_2(queue_delay),
        ROUND_DELAY,
    ),
    Number("try 3: mean queue delay", "shrinks to {} ms", TRY_3(queue_delay), ROUND_DELAY),
    Number(
        "try 3: rate of the first flow from 40 s to 50 s",
        "here at {} and #",
        TRY_3(share, "first", 40, 50),
        SHARE_OF_20,
        0.06,
        differs=_VEGAS,
    ),
    Number(
        "try 3: change of the first flow's rate in the next 10 s",
        "{stay where they came to rest}",
        TRY_3(share, "first", 50, 60) - TRY_3(share, "first", 40, 50),
        Kind("Mbit/s", "0.1", 0, 0.1, 1),
        lies=(-0.1, 0.1),
    ),
    Number(
        "try 3: packets lost",
        "{Nothing is lost}",
        TRY_3(dropped, 60) - TRY_3(dropped, 9),
        Kind("", "0"),
        lies=(0, 0),
    ),
    Number(
        "try 3: rate of the second",
        "here at # and {} Mbit/s",
        TRY_3(share, "second", 40, 50),
        SHARE_OF_20,
        0.06,
        differs=_VEGAS,
    ),
    *(
        Number(
            f"try 3: rate of the {name} flow from {begin} s to {begin + 10} s, too",
            words,
            TRY_3(share, name, begin, begin + 10),
            MBIT,
            0.06,
        )
        for name, words in (("first", "here at {} and #"), ("second", "here at # and {} Mbit/s"))
        for begin in (20, 50)
    ),
    *(
        Number(
            f"try 3: packets that the {name} flow lost",
            "{Nothing is lost}",
            TRY_3(lost, name),
            lies=(0, 0),
        )
        for name in ("first", "second")
    ),
)
