"""What a trained build learns from: python bench/training.py.

The compiler can be told how often each branch is taken (profile-guided optimisation). Here it learns that from the example scenarios and
each setting of the example sweeps, and from none of the benchmark's workloads, so that these say what anybody's scenario gets. maturin
calls this with a core that counts (`make trained`); bench/workloads.py has the engine alone count the same runs.
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
"""What a run's slowest link may carry, 20,000 packets: a long or fast scenario shall not outweigh the others."""


def scenarios() -> Iterator[ac.Scenario]:
    """All examples, and all settings of those that are swept."""
    for path in sorted(SCENARIOS.glob("*.toml")):
        yield ac.load(path)
    for path in sorted((SCENARIOS / "sweeps").glob("*.toml")):
        design = design_of(ac.load(path))
        for setting in range(len(design.settings)):
            yield design.scenario_at(setting)


def cut(plan: dict[str, Any]) -> dict[str, Any]:
    """The plan, ended when its slowest link has carried so much."""
    rates = [link["rate_bps"] for link in plan["links"] if link["rate_bps"]]
    longest = round(MOST_BITS / min(rates, default=1) * 1e12)
    duration = min(plan["duration_ps"], longest)
    return {**plan, "duration_ps": duration, "warmup_ps": min(plan["warmup_ps"], duration // 2)}


def plans() -> Iterator[str]:
    """What the engine takes of those that need no Python."""
    for scenario in scenarios():
        plan = scenario.plan()
        if not any("python:" in flow["cc"] for flow in plan["flows"]):
            yield json.dumps(cut(plan))


def main() -> None:
    """Run each once."""
    for scenario in scenarios():
        _core.run(json.dumps(cut(scenario.plan())), None, scenario.finder)


if __name__ == "__main__":
    main()
