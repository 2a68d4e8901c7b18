"""The check that this machine has room for a run, and a message before long work."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ackclock import _core
from ackclock.engine.cost_model.cost import PROCESS, Size, size_of
from ackclock.engine.cost_model.machine import first_moments, free_disk, free_memory
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.quantities import PS_PER_S, time_ps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from ackclock.core_types.plan import Plan
    from ackclock.scenario.scenario import Scenario

__all__ = ["Estimate", "TooLargeError", "check", "check_many", "estimate", "lasting", "paced"]

# A run that takes longer than this anyhow is worth its first moments, s.
_WORTH_MEASURING_S = 10.0
_LONG_S = 60.0
_LARGE = 1e9
# What other programs may take while a run goes on is left to them.
_SHARE = 0.9


class TooLargeError(ScenarioError):
    """A run that this machine has no room for; it has not been started.

    `force=True` (``--force``) starts it all the same.

    Examples
    --------
    >>> import ackclock as ac
    >>> issubclass(ac.TooLargeError, ac.ScenarioError), ac.TooLargeError.kind
    (True, 'too-large')
    """

    kind = "too-large"


@dataclass(frozen=True)
class Estimate:
    """Estimated time and size of work that has not begun.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> size = ac.estimate(scenario)
    >>> isinstance(size, ac.Estimate), size.packets > 1000
    (True, True)
    """

    packets: float
    """Packets that all runs can carry at most, ACKs included."""
    seconds: float
    """Wall time on this machine with nothing else running, s."""
    memory: float
    """Bytes of memory at most, the process included."""
    disk: float
    """Bytes of the results."""

    @property
    def is_long(self) -> bool:
        """Whether the work is over a minute or a gigabyte, and thus worth a line beforehand."""
        return self.seconds > _LONG_S or self.is_large

    @property
    def is_large(self) -> bool:
        """Whether the work takes over a gigabyte of memory or disk."""
        return self.memory > _LARGE or self.disk > _LARGE

    def __str__(self) -> str:
        """One line: time, memory, disk and packets."""
        parts = [lasting(self.seconds), f"{_bytes(self.memory)} of memory"]
        if self.disk > 1e6:
            parts.append(f"{_bytes(self.disk)} on disk")
        return f"about {', '.join(parts)}: at most {_count(self.packets)} packets"


def estimate(
    scenario: Scenario, *, plan: Plan | None = None, writes: bool = True, plots: bool = True
) -> Estimate:
    """Estimate how long and how large a run of a scenario will be.

    Packets, memory and disk follow from the most that links and applications carry. So does time;
    a run of over 10 s is begun for half a second, and its pace tells the time. docs/estimates.md
    has the errors.

    Parameters
    ----------
    scenario
        The scenario that would run.
    plan
        The scenario's plan, if there is one already.
    writes
        Whether the results are written.
    plots
        Whether figures and a report are written with them.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(rate="1Gbit/s", rtt="20ms", flows=[ac.flow("reno")], duration="1h")
    >>> 1e8 < ac.estimate(scenario).packets < 1e9
    True
    """
    made = scenario.plan() if plan is None else plan
    size = size_of(made, pcap=scenario.record.pcap, writes=writes, plots=plots)
    cost = _told([size], [1], 1)
    return replace(cost, seconds=paced(cost.seconds, [size], [1], lambda _: made))


def check(
    scenario: Scenario,
    *,
    plan: Plan | None = None,
    folder: str | Path | None = None,
    plots: bool = True,
    force: bool = False,
    real_time: bool = False,
    tell: Callable[[Estimate], None] | None = None,
) -> Estimate:
    """Estimate a run, and refuse it where this machine has no room for it.

    Parameters
    ----------
    scenario
        The scenario that would run.
    plan
        The scenario's plan, if there is one already.
    folder
        Folder of the results; None: they are not written.
    plots
        Whether figures and a report are written.
    force
        Refuse nothing.
    real_time
        Whether a simulated second takes a second, as on the kernel.
    tell
        Called with the estimate if the work is long or large, and not refused.

    Raises
    ------
    TooLargeError
        If memory or disk does not suffice; the message has the lack and the remedy.
    """
    made = scenario.plan() if plan is None else plan
    size = size_of(made, pcap=scenario.record.pcap, writes=folder is not None, plots=plots)
    cost = _told([size], [1], 1)
    if not force:
        _refuse(lambda: scenario, size, cost, at_once=1, folder=folder)
    if real_time:
        cost = replace(cost, seconds=time_ps(scenario.duration) / PS_PER_S)
    elif tell is not None:
        cost = replace(cost, seconds=paced(cost.seconds, [size], [1], lambda _: made))
    if tell is not None and cost.is_long:
        tell(cost)
    return cost


def check_many(
    sizes: Sequence[Size],
    counts: Sequence[int],
    scenario_at: Callable[[int], Scenario],
    *,
    workers: int,
    own_processes: bool = False,
    force: bool = False,
    tell: Callable[[Estimate], None] | None = None,
) -> Estimate:
    """Estimate runs that only give figures, several at a time, and refuse what has no room.

    Parameters
    ----------
    sizes
        Size of a run of each setting.
    counts
        Runs of each.
    scenario_at
        Gives the scenario of a setting, for the message.
    workers
        Runs at the same time.
    own_processes
        Whether each worker is a process.
    force
        Refuse nothing.
    tell
        Called with the estimate if the work is long or large, and not refused.

    Raises
    ------
    TooLargeError
        If the memory does not suffice for that many runs at the same time.
    """
    at_once = max(1, min(workers, sum(counts)))
    cost = _told(sizes, counts, at_once, own_processes=own_processes)
    if not force and sizes:
        largest = max(range(len(sizes)), key=lambda at: sizes[at].own_memory)
        _refuse(lambda: scenario_at(largest), sizes[largest], cost, at_once=at_once, folder=None)
    if tell is not None:
        seconds = paced(cost.seconds, sizes, counts, lambda at: scenario_at(at).plan())
        cost = replace(cost, seconds=seconds)
        if cost.is_long:
            tell(cost)
    return cost


def paced(
    seconds: float, sizes: Sequence[Size], counts: Sequence[int], plan_at: Callable[[int], Plan]
) -> float:
    """Correct a time by formula, s, with the first moments of the longest run, if it is worth them.

    Parameters
    ----------
    seconds
        Time by formula of all runs.
    sizes
        Size of a run of each setting.
    counts
        Runs of each.
    plan_at
        Gives the plan of a setting.
    """
    if seconds <= _WORTH_MEASURING_S:
        return seconds
    longest = max(range(len(sizes)), key=lambda at: sizes[at].seconds * min(counts[at], 1))
    measured = first_moments(plan_at(longest), sizes[longest].until)
    return seconds if measured is None else seconds * measured / sizes[longest].simulating


def lasting(seconds: float) -> str:
    """A time that is not known well: `40 s`, `15 min`, `2.1 h`, `8 days`."""
    if seconds < 1.0:
        return "a second"
    if seconds < 60.0:
        return f"{seconds:.0f} s"
    minutes = seconds / 60.0
    if minutes < 90.0:
        return f"{minutes:.0f} min"
    hours = minutes / 60.0
    return f"{hours:.1f} h" if hours < 48.0 else f"{hours / 24.0:,.0f} days"


def _told(
    sizes: Sequence[Size], counts: Sequence[int], at_once: int, *, own_processes: bool = False
) -> Estimate:
    every = list(zip(sizes, counts, strict=True))
    work = sum(size.seconds * count for size, count in every)
    longest = max((size.seconds for size in sizes), default=0.0)
    # The largest runs might meet.
    owns = sorted(size.own_memory for size, count in every for _ in range(min(count, at_once)))
    own = sum(owns[-at_once:])
    processes = 1 + (at_once if own_processes else 0)
    return Estimate(
        packets=sum(size.packets * count for size, count in every),
        seconds=max(work / at_once, longest),
        memory=PROCESS * processes + own,
        disk=sum(size.disk * count for size, count in every),
    )


# What takes the most, the key that says so, and what to write there.
_ADVICE: Mapping[str, tuple[str, str]] = {
    "packets": ("record.packets", "record the packets of fewer links"),
    "captured": ("record.pcap", "capture at fewer places"),
    "decisions": ("record.decisions", "name fewer flows"),
    "datagrams": ("record.samples", "record.samples = 'off' leaves out the datagrams"),
    "transfers": ("duration", ""),
    "frames": ("duration", ""),
    "connections": ("flows", "fewer flows"),
    "standing": ("network", "lower rates or shorter queues"),
    "waiting": ("flows", "a lower load, which the links carry"),
    "kernel": ("", ""),
}


def _advice(scenario: Scenario, by: Mapping[str, float]) -> tuple[str, str]:
    """The key that causes most of the size, and the value to write there."""
    worst = max(by, key=lambda name: by[name])
    if worst == "packets" and scenario.record.pcap:
        worst = "captured"
    if worst in _ADVICE:
        return _ADVICE[worst]
    if scenario.record.samples == "changes":
        return "record.samples", "record.samples = '10ms' in place of 'changes'"
    return "record.samples", "a longer record.samples, or fewer record.flows"


def _refuse(
    scenario: Callable[[], Scenario],
    size: Size,
    cost: Estimate,
    *,
    at_once: int,
    folder: str | Path | None,
) -> None:
    if cost.memory > _LARGE:
        free = _SHARE * free_memory()
        if cost.memory > free:
            others = f" for {at_once} runs at the same time" if at_once > 1 else ""
            raise _error(
                scenario(),
                size.memory_by,
                f"takes about {_bytes(cost.memory)} of memory{others}, and {_bytes(free)} are free",
                (free - PROCESS) / (cost.memory - PROCESS),
                "fewer --workers" if at_once > 1 else None,
            )
    if folder is not None and cost.disk > 1e6:
        free = _SHARE * free_disk(folder)
        if cost.disk > free:
            lack = f"about {_bytes(cost.disk)} would be written, and {_bytes(free)} are free"
            raise _error(scenario(), size.disk_by, f"{lack} at '{folder}'", free / cost.disk, None)


def _error(
    scenario: Scenario, by: Mapping[str, float], lack: str, fits: float, first: str | None
) -> TooLargeError:
    key, advice = _advice(scenario, by)
    ways = [way for way in (first, advice, _shorter(scenario, key, fits)) if way]
    value: Any = None
    message = f"{lack}: {', or '.join(ways)}; --force runs it all the same"
    return TooLargeError(message, key=key, value=value, file=scenario.file)


def _shorter(scenario: Scenario, key: str, fits: float) -> str:
    """The duration that fits, if a shorter run takes less."""
    if key in {"flows", "network", ""} or fits < 1e-6:
        return ""
    most = time_ps(scenario.duration) * fits * 0.9
    digits = 10 ** max(0, len(str(int(most))) - 2)
    most_ps = int(most) // digits * digits
    if most_ps <= time_ps(scenario.warmup):
        return ""
    return f"duration = '{_core.format_time(most_ps)}'"


def _bytes(number: float) -> str:
    from ackclock.tables.quantities import quantity

    return quantity(number, "bytes", 2)


def _count(number: float) -> str:
    return (
        f"{number:.1e}".replace("e+0", "e").replace("e+", "e")
        if number >= 1e6
        else f"{number:,.0f}"
    )
