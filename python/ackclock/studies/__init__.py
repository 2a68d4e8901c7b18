"""Papers, executed: their experiments as sweeps, their claims as declared criteria."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ackclock.studies.running import StudyRun, run_study
    from ackclock.studies.study import Study

__all__ = ["STUDIES", "StudyRun", "find_study", "run_study", "studies"]

STUDIES = {
    "cos-slow-start": "ackclock.studies.cos_slow_start",
    "bbr-latency": "ackclock.studies.bbr_latency",
    "small-buffers": "ackclock.studies.small_buffers",
    "tcp-criteria": "ackclock.studies.tcp_criteria",
    "sizing-buffers": "ackclock.studies.sizing_buffers",
    "bbr-beside-loss": "ackclock.studies.bbr_beside_loss",
    "congestion-based": "ackclock.studies.congestion_based",
}
"""Where each paper is, in the order in which they are shown; a package's `STUDY` is the study."""

_HOMES = {"StudyRun": "running", "run_study": "running"}


def __getattr__(name: str) -> object:
    """Import a name when it is first used: a study's criteria bring scipy with them."""
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(importlib.import_module(f"ackclock.studies.{_HOMES[name]}"), name)


def studies() -> tuple[str, ...]:
    """Names of the studies that there are."""
    return tuple(name for name, module in STUDIES.items() if importlib.util.find_spec(module) is not None)


def find_study(name: str) -> Study:
    """A study by its name.

    Parameters
    ----------
    name
        As in `STUDIES`.

    Raises
    ------
    ValueError
        With the nearest name that exists.
    """
    from ackclock.scenario.errors import did_you_mean
    from ackclock.studies.study import Study

    known = studies()
    if name not in known:
        raise ValueError(f"there is no study '{name}', only {', '.join(known)}{did_you_mean(name, known)}")
    study = importlib.import_module(STUDIES[name]).STUDY
    assert isinstance(study, Study)
    return study
