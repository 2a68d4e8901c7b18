"""Claims and questions of a paper, their criteria and their verdicts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.studies.results import Results

__all__ = ["Claim", "Criterion", "Evidence", "Leaning", "Question", "Verdict", "VerdictKind"]

VerdictKind = Literal[
    "holds", "in part", "does not hold", "cannot be judged", "nothing to judge", "answered"
]
"""A claim has any verdict but the last; a question has one of the last three."""

Leaning = Literal["for", "against", "open", "tie"]


@dataclass(frozen=True)
class Evidence:
    """One interval that a verdict rests on."""

    where: str
    """The setting, in words."""
    leaning: Leaning
    """"for": the interval lies inside the claimed range; "against": outside; "open": across an end
    of it; "tie": neither setting has anything of which the other could have less.
    """
    value: float | None
    low: float | None
    high: float | None
    unit: str
    """Unit of the numbers, as for a metric; "%": a share, here from 0 to 1."""
    n: int
    """Number of seeds."""
    why: str = ""
    """How the interval was made, or why there is none."""


@dataclass(frozen=True)
class Verdict:
    """The outcome of a criterion."""

    kind: VerdictKind
    sentence: str
    """The outcome with its numbers, intervals and number of seeds."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """The intervals behind the sentence, for other programs."""
    evidence: tuple[Evidence, ...] = ()
    subject: str = ""
    """Name of the measured quantity, where the sentence does not say it."""
    parts: tuple[tuple[str, Verdict], ...] = ()
    """The verdicts of several criteria at once, each with its name."""
    left_out: tuple[str, ...] = ()
    """Settings that quick runs leave out, if that is why nothing was weighed: `cc = bbr`."""

    @property
    def text(self) -> str:
        """Return the sentence with its subject."""
        return f"{self.subject}: {self.sentence}" if self.subject else self.sentence


class Criterion(Protocol):
    """A rule that is fixed in code; a run only applies it."""

    @property
    def experiments(self) -> tuple[str, ...]:
        """Names of the experiments that the criterion looks at."""
        ...

    def describe(self) -> str:
        """The rule in a sentence: direction, size, significance."""
        ...

    def judge(self, results: Results) -> Verdict:
        """Apply the rule to a run."""
        ...


@dataclass(frozen=True)
class Claim:
    """A statement of a paper that an experiment can support or contradict."""

    id: str
    """The paper and its figure or table: `P1-F6`; with a letter where one figure has several
    claims.
    """
    text: str
    """The claim in one sentence of the study's author."""
    paper: str
    """The paper's evidence for the claim, with its numbers."""
    criterion: Criterion
    reading: str | None = None
    """The study's choice where the paper leaves something open or contradicts itself."""
    why: str | None = None
    """The mechanism behind the outcome, if known. Numbers of runs belong in verdicts."""
    differs: str | None = None
    """Why the runs of another simulator give another verdict, if they do."""
    figures: tuple[str, ...] = ()
    """Ids of the figures and tables that show the claim."""


@dataclass(frozen=True)
class Question:
    """A question that a paper leaves open; its answer is computed like a verdict."""

    id: str
    text: str
    """The question in a sentence."""
    criterion: Criterion
    """The criterion that computes the answer."""
    reading: str | None = None
    why: str | None = None
    differs: str | None = None
    figures: tuple[str, ...] = ()
    paper: str = ""
    """The paper's nearest statement, if there is one."""
