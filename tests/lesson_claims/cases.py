"""Runs that the figures come from: lessons, their things to try, and some beside them."""

from dataclasses import dataclass
from typing import Any

from lesson_runs import scenario


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
