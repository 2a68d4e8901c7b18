"""Studies in a line each: how much is in them, and about how long they take."""

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
    """A study in short."""

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
        """For machines."""
        return asdict(self)


def outline_of(study: Study) -> Outline:
    """What there is to say of a study before it runs."""
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
    from ackclock.comparing import cores
    from ackclock.studies.running import designs

    return sum(_core_seconds(design) for design in designs(study, quick=quick, checked=False).values()) / cores()


def _core_seconds(design: Design) -> float:
    """Of all runs on one core: from some settings, spread over all of them."""
    from ackclock.sweeps.cost import run_size

    count = len(design.settings)
    looked_at = min(count, _SETTINGS_LOOKED_AT)
    places = [round((at + 0.5) * count / looked_at - 0.5) for at in range(looked_at)]
    reads = design.reads_tables
    plans = [design.scenario_at(place).plan() for place in places]
    seconds = sum(run_size(plan, reads_tables=reads).seconds for plan in plans)
    return seconds * count / looked_at * design.replications
