"""A scenario on a kernel in virtual time and in the simulator, and where both part."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ackclock.errors import Error
from ackclock.validation.exact.divergence import Divergence, divergences, lateness

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.engine.linux.virtual.kernels import VirtualKernel
    from ackclock.results import Result
    from ackclock.scenario import Scenario

__all__ = ["Exact", "compare_exactly"]

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
    done = 0
    exact: dict[int, Exact] = {}
    with ThreadPoolExecutor(workers) as pool:
        waiting = {
            pool.submit(_compare, scenario, kernel): place
            for place, scenario in enumerate(scenarios)
        }
        try:
            for future in as_completed(waiting):
                place = waiting[future]
                exact[place] = future.result()
                done += 1
                if progress is not None:
                    progress(done / len(scenarios), scenarios[place].name)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [exact[place] for place in range(len(scenarios))]


def _compare(scenario: Scenario, kernel: VirtualKernel) -> Exact:
    scenario = scenario.without("record")
    theirs, ours = _both(scenario, kernel)
    parts = tuple(divergences(theirs, ours))
    until = parts[0].at if parts else None
    exact = Exact(
        scenario.name, theirs.engine, parts, lateness(theirs, ours, until), _figures(theirs, ours)
    )
    first = exact.first
    return exact if first is None else replace(exact, shortest=_shortest(scenario, kernel, first))


def _both(scenario: Scenario, kernel: VirtualKernel) -> tuple[Result, Result]:
    from ackclock.engine.linux import run_on_linux
    from ackclock.engine.run import run

    observed = scenario.replace(_RECORD)
    return run_on_linux(observed, virtual=kernel), run(observed)


def _figures(theirs: Result, ours: Result) -> tuple[tuple[str, float, float], ...]:
    def of(result: Result) -> dict[str, float]:
        flows, links = result.flows, result.links
        return {
            "goodput, bit/s": float(flows["goodput"].sum()),
            "packets lost": float(flows["lost_packets"].sum()),
            "retransmissions": float(flows["retransmitted_packets"].sum()),
            "queueing delay, mean, ms": 1e3 * float(links["queue_delay_mean"][0] or 0.0),
        }

    left, right = of(theirs), of(ours)
    return tuple((name, left[name], right[name]) for name in left)


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
