"""Each figure in the lessons as a measure that every run can answer, also one elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import polars as pl

from lesson_runs import (
    MSS,
    cuts,
    first_drop,
    flow,
    mbit,
    queue,
    run,
    samples,
    scenario,
    share,
    window,
)

Of = Callable[[str], Any]
"""From the name of a case to its run."""


@dataclass(frozen=True)
class Case:
    """A lesson's scenario, one of its things to try, or another variation that it speaks of."""

    thing: int | None = None
    settings: tuple[str, ...] = ()
    duration: str | None = None
    """Enough for all that is measured, where it is less than the lesson's."""

    def scenario(self, lesson: str) -> Any:
        found = scenario(lesson, self.thing, *self.settings)
        return found if self.duration is None else found.replace({"duration": self.duration})


CASES: dict[str, dict[str, Case]] = {
    "slow-start": {
        "base": Case(duration="10s"),
        "try 1": Case(1, duration="5s"),
        "try 2": Case(2, duration="5s"),
        "try 3": Case(3, duration="5s"),
        # The kernel has HyStart in CUBIC alone, and its decision comes before the avoidance.
        "CUBIC": Case(settings=("flows.reno.cc=cubic",), duration="5s"),
    },
    "aimd-fairness": {
        "base": Case(),
        "try 1": Case(1),
        # A connection of the kernel cannot begin with a threshold.
        "without ssthresh": Case(settings=("flows.second.ssthresh=unlimited",), duration="36s"),
        "try 1 without ssthresh": Case(1, ("flows.second.ssthresh=unlimited",), duration="26s"),
        "try 2": Case(2),
        "try 3": Case(3),
    },
    "cubic": {"base": Case(), "try 1": Case(1), "try 2": Case(2, duration="42s"), "try 3": Case(3)},
    "bufferbloat-codel": {"base": Case(), "try 1": Case(1), "try 2": Case(2), "try 3": Case(3)},
    "bbr-probes": {
        "base": Case(),
        "try 1": Case(1, duration="18s"),
        "try 2": Case(2),
        "try 2 with Reno": Case(2, ("flows.bbr.cc=reno",)),
        "try 3": Case(3),
    },
    "bbr-beside-cubic": {
        "base": Case(),
        "2 BDP": Case(settings=("network.bottleneck.limit=2bdp",)),
        "4 BDP": Case(settings=("network.bottleneck.limit=4bdp",)),
        "try 1": Case(1),
        "try 2": Case(2),
        "try 3": Case(3),
    },
    "unequal-rtts": {"base": Case(), "try 1": Case(1), "try 2": Case(2), "try 3": Case(3)},
    "cos-slow-start": {"base": Case(), "try 1": Case(1), "try 2": Case(2), "try 3": Case(3)},
}

NOT_ON_LINUX = {
    ("slow-start", "try 3"),
    ("aimd-fairness", "base"),
    ("aimd-fairness", "try 1"),
    ("aimd-fairness", "try 2"),
    ("aimd-fairness", "try 3"),
    ("cubic", "try 3"),
    ("bbr-beside-cubic", "try 2"),
    *(("cos-slow-start", name) for name in CASES["cos-slow-start"]),
}
"""Cases that Linux 6.18 with reno, cubic and bbr cannot run, by lesson and name."""


@dataclass(frozen=True)
class Bar:
    """Distance that a run elsewhere may be off before its figure counts as another one."""

    relative: float
    absolute: float
    """In the claim's unit."""
    text: str

    def holds(self, ours: float, least: float, most: float) -> bool:
        """Whether our figure lies from `least` to `most`, widened by the bar on both sides."""
        margin = max(self.relative * abs(ours), self.absolute)
        return least - margin <= ours <= most + margin


# Rates, RTTs, windows, losses and periods have the bars of docs/validation.md, where both sides are
# measured in this way.
RATE = Bar(0.02, 0.05, "2 %")
SHARE = Bar(0.0, 0.5, "0.5")
SHARE_OF_20 = Bar(0.0, 1.0, "1")
RTT = Bar(0.03, 0.0, "3 %")
WINDOW = Bar(0.05, 1.0, "5 % or 1")
LOSS = Bar(0.25, 5.0, "25 % or 5")
LOSS_RATE = Bar(0.25, 0.0, "25 %")
TIME = Bar(0.05, 0.02, "5 % or 0.02")
COUNT = Bar(0.25, 1.0, "25 % or 1")
SCORE = Bar(0.0, 0.05, "0.05")
# ns-3's device holds a packet below CoDel, for 1.2 ms at 10 Mbit/s.
DELAY = Bar(0.05, 1.3, "5 % or 1.3")


@dataclass(frozen=True)
class Claim:
    """A figure that a lesson states."""

    lesson: str
    text: str
    """The figure's meaning in a few words."""
    said: str
    """The figure as the lesson has it."""
    measure: Callable[[Of], float]
    bar: Bar
    unit: str = ""
    digits: int = 0
    cases: tuple[str, ...] = ("base",)

    @property
    def ours(self) -> float:
        """The simulator's figure."""
        return self.measure(lambda name: simulated(self.lesson, name))


@cache
def simulated(lesson: str, name: str) -> Any:
    """The simulator's run of a case, as long as the lesson's."""
    case = CASES[lesson][name]
    return run(lesson, case.thing, *case.settings)


def first(result: Any, name: str) -> tuple[float, float, float]:
    """The first cut: its time, the window before, ssthresh after, packets."""
    return cuts(result, name)[0]


def lost_before(result: Any, name: str, time: float) -> float:
    """Packets that the flow lost, or the bottleneck dropped where the run does not say."""
    rows = samples(result, name).filter(pl.col("time") < time)
    most = rows["lost"].max() if "lost" in rows.columns else None
    if most is None:
        most = queue(result).filter(pl.col("time") < time)["dropped"].max()
    return float(most)


def lost_in_first_episode(result: Any, within: float) -> float:
    """Packets dropped from the first drop on, for `within` seconds."""
    return float(
        queue(result).filter(pl.col("time") < first_drop(result) + within)["dropped"].max()  # type: ignore[arg-type]
    )


def fills(result: Any, packets: int) -> float:
    """The time at which so many packets wait first."""
    return float(queue(result).filter(pl.col("queue_packets") >= packets)["time"][0])


def delay_at(result: Any, time: float) -> float:
    """The queue's delay at a time, s."""
    return float(queue(result).filter(pl.col("time") <= time + 1e-9)["queue_delay"][-1])


def slow_start_ended(result: Any, name: str) -> tuple[float, float]:
    """Time and window (packets) at which ssthresh is known first."""
    rows = samples(result, name).filter(pl.col("ssthresh").is_not_null())
    return float(rows["time"][0]), float(rows["ssthresh"][0]) / MSS


def peaks(result: Any, name: str, begin: float, end: float) -> list[float]:
    """Windows just before each cut of a while, packets."""
    return [peak for time, peak, _ in cuts(result, name) if begin < time < end]


def at_shared_loss(result: Any, number: int) -> tuple[float, float, float]:
    """The shared loss of that number after 11 s: time, window of the first and the second flow."""
    one = [cut for cut in cuts(result, "first") if cut[0] > 11]
    other = [cut for cut in cuts(result, "second") if cut[0] > 11]
    both = [
        (mine[0], mine[1], near[1])
        for mine in one
        for near in other
        if abs(mine[0] - near[0]) < 0.15
    ]
    return both[number - 1]


def shrinking(result: Any) -> float:
    """Share that a shared loss leaves of the difference between two windows, on average.

    Differences of less than 15 packets are left out: a packet more or less would decide.
    """
    both = [
        (mine[0], abs(mine[1] - theirs[1]))
        for mine in cuts(result, "first")
        for theirs in cuts(result, "second")
        if mine[0] > 11 and abs(mine[0] - theirs[0]) < 0.15
    ]
    times = [cut[0] for name in ("first", "second") for cut in cuts(result, name)]
    left = [
        after / before
        for (begin, before), (end, after) in pairwise(both)
        # No loss of one flow alone came between.
        if before >= 15 and not any(begin + 0.15 < time < end - 0.15 for time in times)
    ]
    return sum(left) / len(left)


def alone(result: Any) -> float:
    """The time of the first loss after 11 s that hits one of two flows alone."""
    one = [cut[0] for cut in cuts(result, "first") if cut[0] > 11]
    other = [cut[0] for cut in cuts(result, "second") if cut[0] > 11]
    lonely = [
        time
        for mine, theirs in ((one, other), (other, one))
        for time in mine
        if all(abs(time - near) > 0.5 for near in theirs)
    ]
    return min(lonely)


def phase_end(result: Any, name: str) -> float:
    """The end of the first phase of that name, once STARTUP has begun."""
    rows = result.phases().rows()
    begin = next(index for index, row in enumerate(rows) if row[3] == "STARTUP")
    return float(next(row[2] for row in rows[begin:] if row[3] == name))


def phase_length(result: Any, name: str) -> float:
    rows = result.phases().rows()
    begin = next(index for index, row in enumerate(rows) if row[3] == "STARTUP")
    return float(next(row[2] - row[1] for row in rows[begin:] if row[3] == name))


def probes_per_second(result: Any) -> float:
    gains = result.samples.internals.filter(pl.col("name").cast(str) == "pacing_gain")
    probes = gains.filter(pl.col("time").is_between(2, 9.99)).filter(
        (pl.col("value") > 1.2) & (pl.col("value").shift(1) <= 1)
    )
    return probes.height / 8


def plateau(result: Any, begin: float, end: float) -> float:
    """By how many packets the window changes in a while."""
    rows = samples(result, "cubic").filter(pl.col("time").is_between(begin, end))["cwnd"] / MSS
    return float(rows.max() - rows.min())  # type: ignore[operator]


def cut_near(result: Any, name: str, time: float) -> tuple[float, float, float]:
    """The cut that is nearest to a time."""
    return min(cuts(result, name), key=lambda cut: abs(cut[0] - time))


def waiting(result: Any) -> "pl.Series":
    return queue(result).filter(pl.col("time").is_between(2, 10))["queue_packets"]


def periods(result: Any, *, of: Callable[[list[float]], float]) -> float:
    times = [time for time, *_ in cuts(result, "cubic") if time > 5]
    return of([end - begin for begin, end in pairwise(times)])


SLOW_START = [
    Claim(
        "slow-start",
        "window at 0.17 s",
        "20",
        lambda of: window(of("base"), "reno", 0.17),
        WINDOW,
        "packets",
    ),
    Claim(
        "slow-start",
        "window at 0.23 s",
        "40",
        lambda of: window(of("base"), "reno", 0.23),
        WINDOW,
        "packets",
    ),
    Claim(
        "slow-start",
        "window at 0.31 s",
        "84",
        lambda of: window(of("base"), "reno", 0.31),
        WINDOW,
        "packets",
    ),
    Claim(
        "slow-start", "the queue is full", "0.33", lambda of: fills(of("base"), 49), TIME, "s", 2
    ),
    Claim(
        "slow-start",
        "from the drop until the sender learns of it",
        "120",
        lambda of: 1e3 * (first(of("base"), "reno")[0] - first_drop(of("base"))),
        Bar(0.05, 20, "20"),
        "ms",
    ),
    Claim(
        "slow-start",
        "window before the first cut",
        "200",
        lambda of: first(of("base"), "reno")[1],
        WINDOW,
        "packets",
    ),
    Claim(
        "slow-start",
        "packets lost in the burst",
        "103",
        lambda of: lost_in_first_episode(of("base"), 0.5),
        LOSS,
    ),
    Claim(
        "slow-start",
        "ssthresh after it",
        "half",
        lambda of: first(of("base"), "reno")[2],
        WINDOW,
        "packets",
    ),
    Claim(
        "slow-start",
        "growth of the window from 8 s to 9 s, about ten round trips",
        "one packet each",
        lambda of: window(of("base"), "reno", 9) - window(of("base"), "reno", 8),
        COUNT,
        "packets",
    ),
    Claim(
        "slow-start",
        "try 1: the first loss comes later by",
        "0.14",
        lambda of: first(of("try 1"), "reno")[0] - first(of("base"), "reno")[0],
        TIME,
        "s",
        2,
        ("base", "try 1"),
    ),
    Claim(
        "slow-start",
        "try 1: packets lost in the burst",
        "103",
        lambda of: lost_in_first_episode(of("try 1"), 0.5),
        LOSS,
        cases=("try 1",),
    ),
    Claim(
        "slow-start",
        "try 2: slow start goes on until",
        "0.82",
        lambda of: first(of("try 2"), "reno")[0],
        TIME,
        "s",
        2,
        ("try 2",),
    ),
    Claim(
        "slow-start",
        "try 2: window then",
        "500",
        lambda of: first(of("try 2"), "reno")[1],
        WINDOW,
        "packets",
        cases=("try 2",),
    ),
    Claim(
        "slow-start",
        "try 2: largest RTT",
        "300",
        lambda of: 1e3 * flow(of("try 2"), "reno")["rtt_max"],
        RTT,
        "ms",
        cases=("try 2",),
    ),
    Claim(
        "slow-start",
        "try 2: packets lost",
        "254",
        lambda of: lost_in_first_episode(of("try 2"), 0.6),
        LOSS,
        cases=("try 2",),
    ),
    Claim(
        "slow-start",
        "try 3: HyStart ends slow start at",
        "0.34",
        lambda of: slow_start_ended(of("try 3"), "reno")[0],
        TIME,
        "s",
        2,
        ("try 3",),
    ),
    Claim(
        "slow-start",
        "try 3: window then",
        "107",
        lambda of: slow_start_ended(of("try 3"), "reno")[1],
        WINDOW,
        "packets",
        cases=("try 3",),
    ),
    Claim(
        "slow-start",
        "try 3: packets lost in two seconds",
        "6",
        lambda of: lost_before(of("try 3"), "reno", 2),
        LOSS,
        cases=("try 3",),
    ),
    Claim(
        "slow-start",
        "try 3 with CUBIC behind HyStart: slow start ends at",
        "",
        lambda of: slow_start_ended(of("CUBIC"), "reno")[0],
        TIME,
        "s",
        2,
        ("CUBIC",),
    ),
    Claim(
        "slow-start",
        "try 3 with CUBIC behind HyStart: window then",
        "",
        lambda of: slow_start_ended(of("CUBIC"), "reno")[1],
        WINDOW,
        "packets",
        cases=("CUBIC",),
    ),
]

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
        Bar(0.1, 0, "10 %"),
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
        Bar(0.1, 0, "10 %"),
        "s",
        1,
        ("without ssthresh",),
    ),
    Claim(
        "aimd-fairness",
        "no ssthresh of the second: from loss to loss the difference shrinks to",
        "half",
        lambda of: 100 * shrinking(of("without ssthresh")),
        Bar(0, 10, "10"),
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
        Bar(0, 0.1, "0.1"),
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
        Bar(0, 0, "0"),
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

CUBIC = [
    Claim(
        "cubic",
        "window before the cut at 16.8 s",
        "506",
        lambda of: cut_near(of("base"), "cubic", 16.8)[1],
        WINDOW,
        "packets",
    ),
    Claim(
        "cubic",
        "share of its window that a loss costs",
        "30",
        lambda of: 100 * (1 - (cut := cut_near(of("base"), "cubic", 16.8))[2] / cut[1]),
        Bar(0, 0.5, "0.5"),
        "%",
    ),
    Claim(
        "cubic",
        "next loss",
        "22.1",
        lambda of: cut_near(of("base"), "cubic", 22.1)[0],
        TIME,
        "s",
        1,
    ),
    Claim(
        "cubic",
        "window then",
        "502",
        lambda of: cut_near(of("base"), "cubic", 22.1)[1],
        WINDOW,
        "packets",
    ),
    Claim(
        "cubic",
        "plateau after it, at 28 s",
        "427",
        lambda of: window(of("base"), "cubic", 28),
        WINDOW,
        "packets",
    ),
    Claim(
        "cubic",
        "change of the window from 25 s to 30 s",
        "less than 15",
        lambda of: plateau(of("base"), 25, 30),
        COUNT,
        "packets",
    ),
    Claim(
        "cubic",
        "loss that ends the convex part",
        "33.8",
        lambda of: cut_near(of("base"), "cubic", 33.8)[0],
        TIME,
        "s",
        1,
    ),
    Claim("cubic", "long period", "12", lambda of: periods(of("base"), of=max), TIME, "s", 1),
    Claim("cubic", "short period", "5", lambda of: periods(of("base"), of=min), TIME, "s", 1),
    Claim("cubic", "goodput", "47.9", lambda of: mbit(of("base"), "cubic"), RATE, "Mbit/s", 1),
    Claim(
        "cubic",
        "packets lost in all",
        "41",
        lambda of: flow(of("base"), "cubic")["lost_packets"],
        LOSS,
    ),
    Claim(
        "cubic",
        "try 1: Reno's loss",
        "2.9",
        lambda of: cut_near(of("try 1"), "cubic", 2.9)[0],
        TIME,
        "s",
        1,
        ("try 1",),
    ),
    Claim(
        "cubic",
        "try 1: window after it",
        "251",
        lambda of: cut_near(of("try 1"), "cubic", 2.9)[2],
        WINDOW,
        "packets",
        cases=("try 1",),
    ),
    Claim(
        "cubic",
        "try 1: time to be back",
        "24",
        lambda of: cut_near(of("try 1"), "cubic", 27)[0] - cut_near(of("try 1"), "cubic", 2.9)[0],
        TIME,
        "s",
        1,
        ("try 1",),
    ),
    Claim(
        "cubic",
        "try 1: goodput",
        "45.7",
        lambda of: mbit(of("try 1"), "cubic"),
        RATE,
        "Mbit/s",
        1,
        ("try 1",),
    ),
    *(
        Claim(
            "cubic",
            f"try 2: window at {time} s",
            str(packets),
            lambda of, time=time: window(of("try 2"), "cubic", time),
            WINDOW,
            "packets",
            cases=("try 2",),
        )
        for time, packets in ((30, 430), (35, 569), (38, 837))
    ),
    Claim(
        "cubic",
        "try 3: window of the overshoot",
        "962",
        lambda of: first(of("try 3"), "cubic")[1],
        WINDOW,
        "packets",
        cases=("try 3",),
    ),
    Claim(
        "cubic",
        "try 3: packets lost in the burst",
        "hundreds",
        lambda of: lost_in_first_episode(of("try 3"), 0.5),
        LOSS,
        cases=("try 3",),
    ),
    Claim(
        "cubic",
        "try 1: window of the overshoot, where Reno has no HyStart either",
        "962",
        lambda of: first(of("try 1"), "cubic")[1],
        WINDOW,
        "packets",
        cases=("try 1",),
    ),
    Claim(
        "cubic",
        "try 1: packets lost in that burst",
        "hundreds",
        lambda of: lost_in_first_episode(of("try 1"), 0.5),
        LOSS,
        cases=("try 1",),
    ),
    Claim(
        "cubic",
        "try 3: packets lost in all",
        "684",
        lambda of: flow(of("try 3"), "cubic")["lost_packets"],
        LOSS,
        cases=("try 3",),
    ),
]

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

BBR = [
    Claim(
        "bbr-probes",
        "STARTUP ends",
        "0.54",
        lambda of: phase_end(of("base"), "STARTUP"),
        TIME,
        "s",
        2,
    ),
    Claim(
        "bbr-probes",
        "most packets in flight by then",
        "104",
        lambda of: (
            float(samples(of("base"), "bbr").filter(pl.col("time") < 1)["inflight"].max()) / MSS
        ),  # type: ignore[arg-type]
        WINDOW,
    ),
    Claim(
        "bbr-probes", "DRAIN ends", "0.66", lambda of: phase_end(of("base"), "DRAIN"), TIME, "s", 2
    ),
    Claim(
        "bbr-probes",
        "probes per second",
        "3",
        lambda of: probes_per_second(of("base")),
        Bar(0.1, 0, "10 %"),
        digits=1,
    ),
    Claim(
        "bbr-probes",
        "packets that wait on average, 2 s to 10 s",
        "5",
        lambda of: float(waiting(of("base")).mean()),
        Bar(0.1, 0.5, "0.5"),
        digits=1,
    ),  # type: ignore[arg-type]
    Claim(
        "bbr-probes", "at most", "13", lambda of: float(waiting(of("base")).max()), Bar(0, 2, "2")
    ),  # type: ignore[arg-type]
    Claim(
        "bbr-probes",
        "PROBE_RTT begins",
        "10.05",
        lambda of: phase_end(of("base"), "PROBE_BW"),
        TIME,
        "s",
        2,
    ),
    Claim(
        "bbr-probes",
        "PROBE_RTT takes",
        "0.26",
        lambda of: phase_length(of("base"), "PROBE_RTT"),
        TIME,
        "s",
        2,
    ),
    Claim(
        "bbr-probes",
        "window in it",
        "4",
        lambda of: window(of("base"), "bbr", 10.2),
        Bar(0, 0.1, "0.1"),
        "packets",
    ),
    Claim(
        "bbr-probes",
        "try 1: pacing rate at 15.5 s",
        "19",
        lambda of: (
            float(
                samples(of("try 1"), "bbr")
                .filter(pl.col("time").is_between(15.5, 15.65))["pacing_rate"]
                .mean()  # type: ignore[arg-type]
            )
            / 1e6
        ),
        Bar(0.05, 0, "5 %"),
        "Mbit/s",
        1,
        ("try 1",),
    ),
    Claim(
        "bbr-probes",
        "try 2: goodput with 2 % of losses",
        "9.3",
        lambda of: mbit(of("try 2"), "bbr"),
        RATE,
        "Mbit/s",
        1,
        ("try 2",),
    ),
    Claim(
        "bbr-probes",
        "try 2: Reno's goodput there",
        "2.1",
        lambda of: mbit(of("try 2 with Reno"), "bbr"),
        Bar(0.1, 0, "10 %"),
        "Mbit/s",
        1,
        ("try 2 with Reno",),
    ),
    Claim(
        "bbr-probes",
        "mean queue delay of one flow",
        "9",
        lambda of: 1e3 * of("base").links["queue_delay_mean"][0],
        DELAY,
        "ms",
        1,
    ),
    Claim(
        "bbr-probes",
        "try 3: mean queue delay of two flows",
        "66",
        lambda of: 1e3 * of("try 3").links["queue_delay_mean"][0],
        DELAY,
        "ms",
        1,
        ("try 3",),
    ),
]


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
        Bar(0, 1, "1"),
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


def slow_start_ended_by_loss(result: Any, name: str) -> float:
    """The time of the first cut."""
    return first(result, name)[0]


CLAIMS = [*SLOW_START, *AIMD, *CUBIC, *BUFFERBLOAT, *BBR, *BESIDE, *UNEQUAL, *COS]
