"""What a trained build learns from: python bench/training.py.

The compiler can be told how often each branch is taken (profile-guided optimisation). Here it learns that from the example scenarios, and
from none of the benchmark's workloads, so that these say what anybody's scenario gets. maturin calls this with a core that counts
(`make trained`); bench/workloads.py has the engine alone count the same runs.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import ackclock as ac

if TYPE_CHECKING:
    from collections.abc import Iterator

SCENARIOS = Path(__file__).parent.parent / "scenarios"


def scenarios() -> list[Path]:
    """Those of the folder itself; studies and sweeps repeat them many times."""
    return sorted(SCENARIOS.glob("*.toml"))


def plans() -> Iterator[str]:
    """What the engine takes of those that need no Python."""
    for path in scenarios():
        plan = ac.load(path).plan()
        if not any("python:" in flow["cc"] for flow in plan["flows"]):
            yield json.dumps(plan)


def main() -> None:
    """Run each once."""
    for path in scenarios():
        ac.run(path)


if __name__ == "__main__":
    main()
