"""A scenario on a kernel in virtual time and in the simulator, and where both part."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from ackclock.errors import Error
from ackclock.validation.exact.divergence import Divergence, divergences, lateness

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.engine.linux.virtual.kernels import VirtualKernel
    from ackclock.results import Result
    from ackclock.scenario import Scenario

__all__ = ["Exact", "all_of", "compare_exactly", "figures", "side_by_side"]

T = TypeVar("T")

_RECORD = {"record.pcap": ["sender", "receiver"], "record.samples": "1ms"}


@dataclass(frozen=True)
class Exact:
    """Both runs of a scenario, compared packet by packet."""

    name: str
    kernel: str
    """Kernel and mode, as results name them."""
    divergences: tuple[Divergence, ...]
    """Of each flow and series, the earliest first."""
    late: float
    """Largest difference of the times of equal packets before the first difference, s."""
    figures: tuple[tuple[str, float, float], ...]
    """Figures of the whole run: name with unit, the kernel's value, the simulator's."""
    shortest: Scenario | None = None
    """Scenario made shorter, in which both still part; None: they do not part."""

    @property
    def first(self) -> Divergence | None:
        """The earliest difference; None: packets and values are equal to the end."""
        earliest = self.divergences[0] if self.divergences else None
        return None if earliest is None or earliest.at is None else earliest

    def least(self, kind: str) -> float:
        """Smallest share of a series that is equal before its first difference, of all flows."""
        shares = [it.share for it in self.divergences if it.kind == kind]
        return min(shares, default=1.0)

    def is_equal(self, kind: str) -> bool:
        """Whether a series of all flows is equal to the end."""
        return all(it.at is None for it in self.divergences if it.kind == kind)

    def as_json(self) -> dict[str, Any]:
        """The comparison as JSON."""
        return {
            "scenario": self.name,
            "kernel": self.kernel,
            "equal": self.first is None,
            "late": self.late,
            "series": [
                {
                    "flow": it.flow,
                    "kind": it.kind,
                    "equal": it.equal,
                    "entries": it.entries,
                    "first_difference": it.at,
                    "kernel": it.kernel,
                    "simulator": it.simulated,
                }
                for it in self.divergences
            ],
            "figures": [
                {"name": name, "kernel": theirs, "simulator": ours}
                for name, theirs, ours in self.figures
            ],
            "shortest": None if self.shortest is None else self.shortest.to_toml(defaults=False),
        }


def compare_exactly(
    scenarios: Sequence[Scenario],
    kernel: VirtualKernel,
    *,
    workers: int,
    progress: Callable[[float, str], None] | None = None,
) -> list[Exact]:
    """Run each scenario on both sides and compare the runs, in the order given.

    Parameters
    ----------
    scenarios
        The scenarios. What they record is replaced.
    kernel
        The kernel.
    workers
        Number of scenarios at a time; each run of a kernel keeps one processor busy.
    progress
        Called with the share that is done and the scenario that was done last.

    Raises
    ------
    ScenarioError
        If the kernel cannot run a scenario.
    LinuxError
        If a kernel does not boot, panics or hangs.
    """
    return all_of(
        [partial(_compare, scenario, kernel) for scenario in scenarios],
        workers,
        None if progress is None else lambda share, place: progress(share, scenarios[place].name),
    )


def all_of(
    work: Sequence[Callable[[], T]],
    workers: int,
    progress: Callable[[float, int], None] | None = None,
) -> list[T]:
    """Results of all calls, in their order; `progress` gets the share and the place of the last."""
    results: dict[int, T] = {}
    with ThreadPoolExecutor(workers) as pool:
        waiting = {pool.submit(call): place for place, call in enumerate(work)}
        try:
            for future in as_completed(waiting):
                place = waiting[future]
                results[place] = future.result()
                if progress is not None:
                    progress(len(results) / len(work), place)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [results[place] for place in range(len(work))]


def _compare(scenario: Scenario, kernel: VirtualKernel) -> Exact:
    exact = side_by_side(scenario, kernel)
    first = exact.first
    if first is None:
        return exact
    return replace(exact, shortest=_shortest(scenario.without("record"), kernel, first))


def side_by_side(scenario: Scenario, kernel: VirtualKernel) -> Exact:
    """Compare a run of both sides, and look for no shorter scenario.

    Raises
    ------
    ScenarioError
        If the kernel cannot run the scenario.
    LinuxError
        If the kernel does not boot, panics or hangs.
    """
    theirs, ours = _both(scenario.without("record"), kernel)
    parts = tuple(divergences(theirs, ours))
    until = parts[0].at if parts else None
    return Exact(
        scenario.name, theirs.engine, parts, lateness(theirs, ours, until), _beside(theirs, ours)
    )


def _both(scenario: Scenario, kernel: VirtualKernel) -> tuple[Result, Result]:
    from ackclock.engine.linux import run_on_linux
    from ackclock.engine.run import run

    observed = scenario.replace(_RECORD)
    return run_on_linux(observed, virtual=kernel), run(observed)


def figures(result: Result) -> dict[str, float]:
    """Figures of a whole run, by name and unit; those that the run has."""
    flows, links = result.flows, result.links
    sums = {
        "goodput, bit/s": "goodput",
        "packets lost": "lost_packets",
        "retransmissions": "retransmitted_packets",
        "timeouts": "timeouts",
    }
    found = {name: float(flows[column].sum()) for name, column in sums.items()}
    times = {
        "RTT, mean, ms": flows["rtt_mean"],
        "queueing delay, mean, ms": links["queue_delay_mean"].head(1),
        "completion, mean, ms": flows["fct"],
    }
    for name, column in times.items():
        seconds = column.drop_nulls().to_list()
        if seconds:
            found[name] = 1e3 * sum(seconds) / len(seconds)
    return found


def _beside(theirs: Result, ours: Result) -> tuple[tuple[str, float, float], ...]:
    left, right = figures(theirs), figures(ours)
    return tuple((name, left[name], right[name]) for name in left if name in right)


def _shortest(scenario: Scenario, kernel: VirtualKernel, first: Divergence) -> Scenario:
    """The scenario with as few flows as still part, cut shortly behind the first difference.

    A cut that the scenario forbids, or after which both sides are equal, is not made.
    """
    shortest = scenario
    for entry in reversed(range(len(scenario.flows))):
        if len(shortest.flows) > 1:
            fewer = [flow for place, flow in enumerate(shortest.data()["flows"]) if place != entry]
            if parted := _if_it_parts(shortest, {"flows": fewer}, kernel):
                shortest, first = parted
    assert first.at is not None
    until = first.at + max(0.1, first.at / 10)
    if until < scenario.plan()["duration_ps"] / 1e12:
        cut = {"duration": f"{until:.3f}s", "warmup": "0s"}
        if parted := _if_it_parts(shortest, cut, kernel):
            shortest, _ = parted
    return shortest


def _if_it_parts(
    scenario: Scenario, changes: dict[str, Any], kernel: VirtualKernel
) -> tuple[Scenario, Divergence] | None:
    try:
        changed = scenario.replace(changes)
        first = divergences(*_both(changed, kernel))[0]
    except Error:
        return None
    return None if first.at is None else (changed, first)
