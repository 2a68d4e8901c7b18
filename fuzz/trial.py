"""The run of one scenario, with the figures that oracles ask for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ackclock.results import Result
from ackclock.scenario import Scenario
from fuzz.engines import ENGINES

if TYPE_CHECKING:
    from pathlib import Path

    from fuzz.generate import Case

__all__ = ["Trial", "checked", "counters", "run"]


@dataclass
class Trial:
    """A run with its plan and result."""

    case: Case
    number: int
    """Number of the scenario. Oracles that take long judge only some numbers."""
    folder: Path
    """Folder with the files that the scenario names; oracles may write into it."""
    scenario: Scenario
    plan: dict[str, Any]
    core: Any
    """Object that the first engine returned."""
    result: Result

    @cached_property
    def flows(self) -> list[dict[str, Any]]:
        """The core's counters of flows."""
        return [dict(row) for row in self.core.flows()]

    @cached_property
    def links(self) -> list[dict[str, Any]]:
        """The core's counters of links."""
        return [dict(row) for row in self.core.links()]

    @cached_property
    def streams(self) -> list[dict[str, Any]]:
        """The core's figures of UDP streams."""
        return [dict(row) for row in self.core.streams()]

    @cached_property
    def packets(self) -> dict[str, Any]:
        """Packet events by column."""
        return dict(self.core.packets())

    @cached_property
    def counters(self) -> str:
        """All counters of the run as JSON."""
        return counters(self.core)

    @property
    def warmup(self) -> float:
        """Time at which counting begins, s."""
        return float(self.plan["warmup_ps"] / 1e12)

    @property
    def counts_all(self) -> bool:
        """Whether counting begins with the run."""
        return bool(self.plan["warmup_ps"] == 0)


def counters(core: Any) -> str:
    """Return all counters of a run as JSON, with floats in full."""
    return json.dumps([core.end_time, core.flows(), core.links(), core.streams(), core.sessions()])


def checked(case: Case, folder: Path) -> tuple[Scenario, dict[str, Any]]:
    """Return the scenario and its plan; raise ScenarioError if the scenario is refused."""
    case.lay_out(folder)
    scenario = Scenario.parse(case.data, folder=folder)
    return scenario, scenario.plan()


def run(case: Case, number: int, folder: Path) -> Trial:
    """Run a scenario with the first engine."""
    scenario, plan = checked(case, folder)
    engine = next(iter(ENGINES.values()))
    core = engine(json.dumps(plan, allow_nan=False), scenario)
    timing = {"setup_seconds": 0.0, "run_seconds": 0.0, "events": core.events}
    result = Result(scenario=scenario, plan=plan, core=core, timing=timing)
    return Trial(case, number, folder, scenario, plan, core, result)
