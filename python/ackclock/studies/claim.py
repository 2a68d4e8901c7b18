"""What a paper says, how that is judged, and what came out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.studies.results import Results

__all__ = ["Claim", "Criterion", "Evidence", "Leaning", "Question", "Verdict", "VerdictKind"]

VerdictKind = Literal["holds", "in part", "does not hold", "cannot be judged", "nothing to judge", "answered"]
"""Of a claim all but the last, of a question the last three."""

Leaning = Literal["for", "against", "open", "tie"]


@dataclass(frozen=True)
class Evidence:
    """One interval that was weighed."""

    where: str
    """The setting, in words."""
    leaning: Leaning
    """Whether all of the interval, or nothing of it, is what the claim says; "open": a part is; "tie": neither has
    anything of which the other could have less."""
    value: float | None
    low: float | None
    high: float | None
    unit: str
    """As a metric's; "%": a share, here 0 to 1."""
    n: int
    """Seeds."""
    why: str = ""
    """What made the interval, or why there is none."""


@dataclass(frozen=True)
class Verdict:
    """What came out."""

    kind: VerdictKind
    sentence: str
    """With numbers, intervals and how many seeds."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """The same for machines."""
    evidence: tuple[Evidence, ...] = ()
    subject: str = ""
    """What was measured, where the sentence does not say it."""
    parts: tuple[tuple[str, Verdict], ...] = ()
    """Of several criteria at once, each with its name."""
    left_out: tuple[str, ...] = ()
    """What quick runs leave out, where that is why nothing was weighed: `cc = bbr`."""

    @property
    def text(self) -> str:
        """The sentence with its subject."""
        return f"{self.subject}: {self.sentence}" if self.subject else self.sentence


class Criterion(Protocol):
    """A rule that is fixed in code; a run only applies it."""

    @property
    def experiments(self) -> tuple[str, ...]:
        """Names of the experiments that it looks at."""
        ...

    def describe(self) -> str:
        """The rule in a sentence: direction, size, significance."""
        ...

    def judge(self, results: Results) -> Verdict:
        """Apply it."""
        ...


@dataclass(frozen=True)
class Claim:
    """What a paper says."""

    id: str
    """The paper and its figure or table: `P1-F6`; a letter more where one figure holds several claims."""
    text: str
    """The claim in a sentence of ours."""
    paper: str
    """What the paper shows for it, its numbers restated."""
    criterion: Criterion
    reading: str | None = None
    """What was chosen where the paper leaves something open or contradicts itself."""
    why: str | None = None
    """The mechanism, if known. Numbers of runs belong into verdicts."""
    differs: str | None = None
    """Why another simulator's runs give another verdict, where they do."""
    figures: tuple[str, ...] = ()
    """Ids of the figures and tables that show it."""


@dataclass(frozen=True)
class Question:
    """What a paper leaves open; the answer is computed as a verdict is."""

    id: str
    text: str
    """The question."""
    criterion: Criterion
    """How it is answered."""
    reading: str | None = None
    why: str | None = None
    differs: str | None = None
    figures: tuple[str, ...] = ()
    paper: str = ""
    """What the paper says nearest to it, if anything."""
