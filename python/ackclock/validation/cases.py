"""The scenarios of `validation/`, and both ways of running one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.metrics.reduction import recorded
from ackclock.scenario import Scenario, load
from ackclock.validation import storing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ackclock.metrics.recorded_run import RecordedRun

__all__ = ["FOLDER", "Case", "cases", "folder", "named", "simulate"]

FOLDER = Path("validation")
_SCENARIO = "scenario.toml"
_SOURCE = Path(__file__).parents[3] / "validation"


@dataclass(frozen=True)
class Case:
    """A scenario, and the folder of its recordings."""

    name: str
    scenario: Scenario
    recordings: Path | None
    """Folder of the recordings; None: the user's file, without recordings."""

    @property
    def description(self) -> str:
        """Return the scenario's purpose in a sentence."""
        return self.scenario.description or ""

    @property
    def has_recordings(self) -> bool:
        """Whether there are recordings to compare the simulator with."""
        return self.recordings is not None and bool(storing.repetitions(self.recordings))

    def recorded(self) -> list[RecordedRun]:
        """The kernel's repetitions."""
        if self.recordings is None:
            return []
        return [
            storing.load(self.recordings, number) for number in storing.repetitions(self.recordings)
        ]


def folder() -> Path | None:
    """`validation/` below the working directory or else the source tree, or None."""
    return next((place for place in (FOLDER, _SOURCE) if place.is_dir()), None)


def cases(where: Path) -> dict[str, Case]:
    """Every scenario of the folder, by name."""
    return {
        path.parent.name: Case(path.parent.name, load(path), path.parent / "linux")
        for path in sorted(where.glob(f"*/{_SCENARIO}"))
    }


def named(path: Path) -> Case:
    """A user's scenario file, set to record the data that the figures need."""
    scenario = load(path)
    bottleneck = scenario.plan()["links"][0]["name"]
    return Case(
        scenario.name,
        scenario.replace({"record.samples": "10ms", "record.packets": [bottleneck]}),
        None,
    )


def simulate(scenario: Scenario, seeds: Sequence[int]) -> Iterator[RecordedRun]:
    """The scenario in the simulator, a run per seed."""
    from ackclock.engine.run import run

    for seed in seeds:
        yield recorded(run(scenario, seed=seed))
