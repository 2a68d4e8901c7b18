"""Results of random scripts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["BARS", "CcResult", "Difference", "RandomReport"]

BARS = {"reno": 0.99, "cubic": 0.99, "bbr": 0.95}
"""The share of scripts that must agree, by congestion control."""

_COUNTS = ("cc", "scripts", "agreed", "agreed_again", "disturbed")


@dataclass(frozen=True)
class Difference:
    """Scripts whose first difference is of one class."""

    name: str
    """First difference, the kernel's state at it, and the event before it."""
    scripts: int
    """Number of scripts."""
    numbers: tuple[int, ...]
    """Numbers of some of them."""
    events: int
    """Events of the shortest script that shows it."""
    detail: str
    """Both sides at the difference."""
    story: str
    """The shortest script on both sides, step by step."""
    packetdrill: str
    """The shortest script for packetdrill, asserting the kernel's behaviour."""
    script: dict[str, Any]
    """The shortest script as it was played."""


@dataclass(frozen=True)
class CcResult:
    """The scripts of one congestion control."""

    cc: str
    """The kernel's name."""
    scripts: int
    """Scripts that count: those that were disturbed each time are left out."""
    agreed: int
    """Scripts without a difference."""
    agreed_again: int
    """Agreeing scripts that differed when first played, and not when played again."""
    disturbed: int
    """Scripts that were disturbed each time."""
    differences: tuple[Difference, ...]
    """Classes of difference, the most frequent first."""

    @property
    def share(self) -> float:
        """The share of scripts that agree; 0 if none counts."""
        return self.agreed / self.scripts if self.scripts else 0.0

    @property
    def bar(self) -> float:
        """The share that must agree."""
        return BARS[self.cc]

    @property
    def holds(self) -> bool:
        """Whether enough scripts agree."""
        return self.share >= self.bar

    def as_json(self) -> dict[str, Any]:
        """A part of the report's document."""
        differences = [
            {
                "class": difference.name,
                "scripts": difference.scripts,
                "numbers": list(difference.numbers),
                "detail": difference.detail,
                "script": difference.script,
            }
            for difference in self.differences
        ]
        counts = {key: getattr(self, key) for key in _COUNTS}
        return {**counts, "bar": self.bar, "holds": self.holds, "differences": differences}


@dataclass(frozen=True)
class RandomReport:
    """A campaign of random scripts."""

    kernel: str
    """Release of the kernel."""
    seed: int
    """Seed of the scripts."""
    played: int
    """Times that a script was played, repetitions and shrinking included."""
    results: tuple[CcResult, ...]
    """A result for each congestion control."""

    @property
    def holds(self) -> bool:
        """Whether each congestion control's bar holds."""
        return all(result.holds for result in self.results)

    @classmethod
    def from_json(cls, seed: int, document: dict[str, Any]) -> RandomReport:
        """A report from what the core answers."""
        return cls(
            document["kernel"], seed, document["played"], tuple(map(_result, document["results"]))
        )

    def as_json(self) -> dict[str, Any]:
        """A document for programs."""
        return {
            "kernel": self.kernel,
            "seed": self.seed,
            "played": self.played,
            "results": [result.as_json() for result in self.results],
        }


def _result(document: dict[str, Any]) -> CcResult:
    counts = {key: document[key] for key in _COUNTS}
    return CcResult(**counts, differences=tuple(map(_difference, document["classes"])))


def _difference(document: dict[str, Any]) -> Difference:
    example = document["example"]
    return Difference(
        name=document["class"],
        scripts=document["scripts"],
        numbers=tuple(document["numbers"]),
        events=len(example["script"]["events"]),
        detail=example["difference"]["detail"],
        story=example["story"],
        packetdrill=example["packetdrill"],
        script=example["script"],
    )
