"""The comparison: runs of both sides, and their judgement."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ackclock.validation import storing
from ackclock.validation.cases import Case, simulate
from ackclock.validation.judging import Comparison, judge
from ackclock.validation.kernel import on_kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ackclock.metrics.recorded_run import RecordedRun

    Progress = Callable[[float, str], None]

__all__ = ["compare"]

_MOST_SEEDS = 8
"""Most runs, as a multiple of those wanted, to find the kernel's orders of flows."""


def compare(
    chosen: Sequence[Case],
    *,
    live: bool,
    record: bool,
    repetitions: int,
    seeds: int,
    retry: int = 0,
    progress: Progress | None = None,
) -> list[Comparison]:
    """Hold the simulator against the kernel in each of these scenarios.

    Parameters
    ----------
    chosen
        The scenarios.
    live, record
        Whether the kernel runs here, beside what is recorded; whether its runs replace that.
    repetitions
        Runs of the kernel, if it runs.
    seeds
        Runs of the simulator, of seeds from 1 on. Where chance decides what a wire does or what an
        application writes, they have the seeds of the kernel's runs, so that both sides have the
        same losses and the same writes. Where flows start together, the runs are those whose first
        packets come in an order that one of the kernel's runs had.
    retry
        Number of times that a disturbed run of the kernel is repeated.
    progress
        Called with the share that is done and what is being done.
    """
    runs = repetitions if live or record else 0
    tell = progress or (lambda _share, _text: None)
    total = len(chosen) * (runs + seeds)
    comparisons = []
    for place, case in enumerate(chosen):
        done = place * (runs + seeds)
        kernel = [] if record else case.recorded()
        for number in range(runs):
            kernel.append(_on_kernel(case, number + 1, retry, done + number, total, tell))
        if record and case.recordings is not None:
            storing.replace(case.recordings, [run for run in kernel if not run.disturbed] or kernel)
        simulated: list[RecordedRun] = []
        for run in _simulated(case, kernel, seeds):
            simulated.append(run)
            tell((done + runs + min(len(simulated), seeds)) / total, f"{case.name}: simulator")
        comparisons.append(judge(case.name, case.description, kernel, simulated))
    return comparisons


def _simulated(case: Case, kernel: Sequence[RecordedRun], wanted: int) -> Iterator[RecordedRun]:
    own = _seeds_of_chance(case, kernel)
    if own:
        yield from simulate(case.scenario, own)
        return
    room = _orders(kernel, wanted)
    left_out: list[RecordedRun] = []
    made = 0
    for run in simulate(
        case.scenario, range(1, _MOST_SEEDS * wanted + 1) if room else range(1, wanted + 1)
    ):
        pattern = _pattern(run)
        if room and room[pattern] == 0:
            left_out.append(run)
            continue
        room[pattern] -= 1
        made += 1
        yield run
        if made == wanted:
            return
    # An order that no seed has drawn: better some runs than none.
    yield from left_out[: wanted - made]


def _seeds_of_chance(case: Case, kernel: Sequence[RecordedRun]) -> list[int]:
    """The seeds of the kernel's runs, where a wire or an application draws from them."""
    plan = case.scenario.plan()
    wires = any(link["loss"] is not None or link.get("impairments") for link in plan["links"])
    writes = bool(plan["sessions"]) or any(
        flow["app"]["kind"] == "on-off" for flow in plan["flows"]
    )
    if not wires and not writes:
        return []
    return sorted(
        {
            int(run.conditions["seed"])
            for run in kernel
            if "seed" in run.conditions and not run.disturbed
        }
    )


def _pattern(run: RecordedRun) -> tuple[str, ...]:
    """Return the first of flows that start together: of two by name, of more by algorithm.

    Flows of one algorithm are alike.
    """
    if len(run.order) <= 2:
        return run.order
    algorithms = {flow.name: flow.cc for flow in run.flows}
    return tuple(algorithms[name] for name in run.order)


def _orders(kernel: Sequence[RecordedRun], wanted: int) -> Counter[tuple[str, ...]]:
    """Return the number of runs that shall have each order of the kernel's runs.

    The proportions are the kernel's; empty: any order will do.
    """
    seen = Counter(_pattern(run) for run in kernel if not run.disturbed)
    if not seen or () in seen:
        return Counter()
    room = Counter({pattern: wanted * number // seen.total() for pattern, number in seen.items()})
    # The most frequent takes the remainder of the division.
    for pattern, _ in seen.most_common()[: wanted - room.total()]:
        room[pattern] += 1
    return room


def _on_kernel(
    case: Case, number: int, retry: int, done: int, total: int, tell: Progress
) -> RecordedRun:
    """The first repetition without disturbances, or else the one with the fewest."""
    runs: list[RecordedRun] = []
    for attempt in range(retry + 1):
        again = f" again, it was disturbed ({attempt} of {retry})" if attempt else ""
        text = f"{case.name}: kernel, run {number}{again}"
        runs.append(
            on_kernel(
                case.scenario,
                number,
                lambda share, text=text: tell((done + share) / total, text),  # type: ignore[misc]
            )
        )
        if not runs[-1].disturbed:
            break
    return min(runs, key=lambda run: len(run.disturbed))
