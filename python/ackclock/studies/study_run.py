"""A study with its runs and verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.scenario import Scenario
    from ackclock.studies.claim import Verdict
    from ackclock.studies.judging import Judgement
    from ackclock.studies.results import Results
    from ackclock.studies.study import Study
    from ackclock.sweeps import Design

__all__ = ["StudyRun"]


@dataclass(frozen=True)
class StudyRun:
    """A finished study: runs, verdicts, sources.

    Examples
    --------
    >>> from ackclock.studies import StudyRun
    >>> "verdicts" in dir(StudyRun)
    True
    """

    study: Study
    results: Results
    judgements: Mapping[str, Judgement]
    """Verdicts under every reading, by the id of the claim or question."""
    designs: Mapping[str, Design]
    """The experiments as they ran."""
    recorded: Mapping[str, Mapping[str, Scenario]]
    """The recordings' scenarios as they ran."""
    made: int
    reused: int
    """Number of runs that the store already had."""

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        """Return verdicts under the most literal reading, by the id of the claim or question."""
        return {name: judgement.verdict for name, judgement in self.judgements.items()}
