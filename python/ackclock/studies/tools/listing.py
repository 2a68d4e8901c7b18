"""Lists studies in a line each: their size and about how long they take."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock.studies.study import Study
    from ackclock.sweeps.design import Design

__all__ = ["Outline", "outline_of"]

# Making every plan of every setting takes half a minute for all studies; that of some tells enough.
_SETTINGS_LOOKED_AT = 3


@dataclass(frozen=True)
class Outline:
    """Size and duration of a study."""

    name: str
    title: str
    paper: str
    claims: int
    questions: int
    experiments: int
    """Sweeps and recordings."""
    quick_seconds: float
    """About how long its quick runs take on this machine's cores, s."""
    full_seconds: float
    """About how long all its runs take, s."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        return asdict(self)


def outline_of(study: Study) -> Outline:
    """Return a study's size and estimated duration, before it runs."""
    return Outline(
        study.name,
        study.title,
        study.paper,
        len(study.claims),
        len(study.questions),
        len(study.experiments) + len(study.recordings),
        _seconds(study, quick=True),
        _seconds(study, quick=False),
    )


def _seconds(study: Study, *, quick: bool) -> float:
    from ackclock.engine.cost_model import size_of
    from ackclock.studies.running import designs, recorded_scenarios
    from ackclock.sweeps.executors import cores

    sweeps = designs(study, quick=quick, checked=False).values()
    recorded = (
        scenario
        for recording in study.recordings
        for scenario in recorded_scenarios(study, recording, quick=quick).values()
    )
    seconds = sum(map(_core_seconds, sweeps)) + sum(
        size_of(scenario.plan(), writes=False, plots=False).seconds for scenario in recorded
    )
    return seconds / cores()


def _core_seconds(design: Design) -> float:
    """Estimate the seconds of all runs on one core, from a sample of the settings."""
    count = len(design.settings)
    looked_at = min(count, _SETTINGS_LOOKED_AT)
    places = [round((at + 0.5) * count / looked_at - 0.5) for at in range(looked_at)]
    seconds = sum(design.prepared(place).extent.seconds for place in places)
    return seconds * count / looked_at * design.replications
