"""Runs the scenarios that train a build: python bench/training.py.

A profile tells the compiler how often each branch is taken (profile-guided optimisation). It comes
from the example scenarios and each setting of the example sweeps. The benchmark's workloads are
left out, so that their figures are those that any scenario gets. maturin calls this with a core
that counts (`make trained`); bench/workloads.py counts these runs with the engine alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ackclock as ac
from ackclock import _core
from ackclock.sweeps import design_of

if TYPE_CHECKING:
    from collections.abc import Iterator

SCENARIOS = Path(__file__).parent.parent / "scenarios"
MOST_BITS = 20_000 * 12_000
"""Most bits that the slowest link of a run carries, 20,000 packets: all runs weigh alike."""


def scenarios() -> Iterator[ac.Scenario]:
    """Yield all example scenarios, and all settings of the example sweeps."""
    for path in sorted(SCENARIOS.glob("*.toml")):
        yield ac.load(path)
    for path in sorted((SCENARIOS / "sweeps").glob("*.toml")):
        design = design_of(ac.load(path))
        for setting in range(len(design.settings)):
            yield design.scenario_at(setting)


def cut(plan: dict[str, Any]) -> dict[str, Any]:
    """Return the plan, shortened to the time in which its slowest link carries `MOST_BITS`."""
    rates = [link["rate_bps"] for link in plan["links"] if link["rate_bps"]]
    longest = round(MOST_BITS / min(rates, default=1) * 1e12)
    duration = min(plan["duration_ps"], longest)
    return {**plan, "duration_ps": duration, "warmup_ps": min(plan["warmup_ps"], duration // 2)}


def plans() -> Iterator[str]:
    """Yield the plans of the scenarios without algorithms in Python, as JSON."""
    for scenario in scenarios():
        plan = scenario.plan()
        if not any("python:" in flow["cc"] for flow in plan["flows"]):
            yield json.dumps(cut(plan))


def main() -> None:
    """Run each scenario once."""
    for scenario in scenarios():
        _core.run(json.dumps(cut(scenario.plan())), None, scenario.finder)


if __name__ == "__main__":
    main()
