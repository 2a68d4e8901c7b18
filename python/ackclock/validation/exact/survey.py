"""Drawn scenarios on both sides: shares of figures that agree, beside the kernel's own spread."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ackclock.scenario.quantities import rate_bps
from ackclock.validation.exact.drawing import drawn, shifted
from ackclock.validation.exact.running import Exact, all_of, figures, side_by_side

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ackclock.engine.linux.virtual.kernels import VirtualKernel
    from ackclock.scenario import Scenario

__all__ = ["KINDS", "Agreement", "Drawn", "Survey", "survey"]

KINDS = ("segment", "ACK", "window", "cwnd")
"""Series whose equality to the end is counted."""

_RELATIVE = 0.05
_SLACK = {"packets lost": 1.0, "retransmissions": 1.0, "timeouts": 0.0}
"""Packets by which small counts may differ, because a twentieth of them is less than one."""
_SLACK_MS = 0.05
_NARROW_BPS = 2e6


@dataclass(frozen=True)
class Drawn:
    """A drawn scenario, compared."""

    scenario: Scenario
    exact: Exact
    again: dict[str, float]
    """Figures of the kernel with other starts: what its own chance does."""


@dataclass(frozen=True)
class Agreement:
    """Comparisons of figures, and how many agree."""

    name: str
    figures: int
    simulator: int
    """Figures of the simulator within 5 % of the kernel's."""
    kernel: int
    """Figures of the kernel with other starts within 5 % of its own."""


@dataclass(frozen=True)
class Survey:
    """All drawn scenarios."""

    kernel: str
    seed: int
    cases: tuple[Drawn, ...]

    def equal(self, kind: str) -> int:
        """Number of scenarios in which a series of all flows is equal to the end."""
        return sum(case.exact.is_equal(kind) for case in self.cases)

    def by_figure(self) -> list[Agreement]:
        """Agreement of each figure, and of all."""
        names = dict.fromkeys(name for case in self.cases for name, _, _ in case.exact.figures)
        rows = [_agreement(name, self.cases, {name}) for name in names]
        return [*rows, _agreement("all figures", self.cases, set(names))]

    def by_group(self) -> list[Agreement]:
        """Agreement of all figures, by congestion control, queue, number of flows and rate."""
        groups: dict[str, list[Drawn]] = {}
        for case in self.cases:
            for group in _groups(case.scenario):
                groups.setdefault(group, []).append(case)
        return [_agreement(name, groups[name], None) for name in sorted(groups)]

    def as_json(self) -> dict[str, Any]:
        """The survey as JSON."""
        return {
            "kernel": self.kernel,
            "seed": self.seed,
            "scenarios": [
                {
                    "toml": case.scenario.to_toml(defaults=False),
                    **case.exact.as_json(),
                    "kernel_again": case.again,
                }
                for case in self.cases
            ],
            "equal": {kind: self.equal(kind) for kind in KINDS},
            "agreement": [
                {
                    "name": row.name,
                    "figures": row.figures,
                    "simulator": row.simulator,
                    "kernel": row.kernel,
                }
                for row in (*self.by_figure(), *self.by_group())
            ],
        }


def survey(
    number: int,
    seed: int,
    kernel: VirtualKernel,
    *,
    controls: Sequence[str] | None,
    workers: int,
    progress: Callable[[float, str], None] | None = None,
) -> Survey:
    """Draw scenarios, run each twice on the kernel and once in the simulator.

    Parameters
    ----------
    number, seed
        Number of scenarios, and the seed of their draws.
    kernel
        The kernel.
    controls
        Congestion controls of half of the flows; None: all of the kernel that the simulator has.
    workers
        Number of scenarios at a time.
    progress
        Called with the share that is done and the scenario that was done last.

    Raises
    ------
    LinuxError
        If the kernel does not boot, panics or hangs.
    """
    from ackclock import _core

    if controls is None:
        known = {entry["name"] for entry in _core.list_cc()}
        # DCTCP is made for queues that mark at a step, and is held to those elsewhere.
        controls = sorted(known.intersection(kernel.kernel.congestion_controls) - {"dctcp"})
    scenarios = [drawn(place, seed, controls) for place in range(number)]
    cases = all_of(
        [partial(_case, scenario, kernel) for scenario in scenarios],
        workers,
        None if progress is None else lambda share, place: progress(share, scenarios[place].name),
    )
    return Survey(cases[0].exact.kernel, seed, tuple(cases))


def _case(scenario: Scenario, kernel: VirtualKernel) -> Drawn:
    from ackclock.engine.linux import run_on_linux

    again = run_on_linux(shifted(scenario), virtual=kernel)
    return Drawn(scenario, side_by_side(scenario, kernel), figures(again))


def _groups(scenario: Scenario) -> set[str]:
    data = scenario.data()
    bottleneck = data["network"]["bottleneck"]
    groups = {str(flow["cc"]) for flow in data["flows"]}
    groups.add(f"queue {bottleneck.get('qdisc', {'kind': 'fifo'})['kind']}")
    groups.add("one flow" if len(data["flows"]) == 1 else "several flows")
    if rate_bps(bottleneck["rate"]) < _NARROW_BPS:
        groups.add("below 2 Mbit/s")
    return groups


def _agreement(name: str, cases: Iterable[Drawn], wanted: set[str] | None) -> Agreement:
    total = ours = again = 0
    for case in cases:
        for figure, kernel, simulated in case.exact.figures:
            if (wanted is None or figure in wanted) and figure in case.again:
                total += 1
                ours += _is_near(figure, kernel, simulated)
                again += _is_near(figure, kernel, case.again[figure])
    return Agreement(name, total, ours, again)


def _is_near(figure: str, kernel: float, other: float) -> bool:
    slack = _SLACK.get(figure, _SLACK_MS if figure.endswith("ms") else 0.0)
    return abs(other - kernel) <= max(_RELATIVE * abs(kernel), slack)
