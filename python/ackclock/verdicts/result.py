"""All judgements of one product: counts, exit status, text, table, JSON and JUnit."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from markupsafe import escape

from ackclock.tables.table import Table
from ackclock.verdicts.junit import junit_xml
from ackclock.verdicts.tally import Tally
from ackclock.verdicts.text import compared, count, sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.verdicts.judgement import Judgement
    from ackclock.verdicts.words import Words

__all__ = ["Verdicts"]


@dataclass(frozen=True)
class Verdicts:
    """Judgements with a product's words for them.

    Examples
    --------
    >>> from ackclock.verdicts import Judgement, Words
    >>> one = Judgement(case="a", figure="goodput", unit="bit/s", kind="within", values=(1e6,))
    >>> result = Verdicts("demo", "demo.toml", (one,), Words({"within": "ok", "beyond": "changed"}))
    >>> result.ok, result.headline
    (True, '1 case, 1 check: 1 ok')
    """

    name: str
    file: str
    """Source of the cases, for readers of JUnit XML."""
    judgements: tuple[Judgement, ...]
    words: Words
    properties: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Conditions of each case by its name: scenario, congestion control, seeds."""

    @property
    def cases(self) -> tuple[str, ...]:
        """Names of the cases, in order."""
        return tuple(
            dict.fromkeys([*self.properties, *(judgement.case for judgement in self.judgements)])
        )

    @property
    def failed(self) -> tuple[Judgement, ...]:
        """Judgements beyond their margins."""
        return tuple(judgement for judgement in self.judgements if not judgement.is_ok)

    @property
    def ok(self) -> bool:
        """Whether no figure is beyond its margin."""
        return not self.failed

    @property
    def exit_status(self) -> int:
        """Status of a command that demands that all figures are within their margins: 0 or 1."""
        return int(not self.ok)

    @property
    def tally(self) -> Tally:
        """Numbers of the outcomes."""
        return Tally.of(judgement.kind for judgement in self.judgements)

    @property
    def counts(self) -> dict[str, int]:
        """Number of judgements by the word for their outcome."""
        return dict(Counter(self.words.of(judgement) for judgement in self.judgements))

    @property
    def headline(self) -> str:
        """Numbers of cases and judgements by outcome, in a sentence."""
        outcomes = ", ".join(f"{number} {word}" for word, number in self.counts.items())
        cases = count(len(self.cases), self.words.case)
        return f"{cases}, {count(len(self.judgements), self.words.figure)}: {outcomes}"

    @property
    def lines(self) -> list[str]:
        """A line for each judgement beyond its margin."""
        return [sentence(judgement, self.words) for judgement in self.failed]

    def text(self) -> str:
        """The headline, and a line for each judgement beyond its margin."""
        return "\n".join([self.headline, *(f"  {line}" for line in self.lines)])

    def to_dict(self) -> dict[str, Any]:
        """The judgements as plain data for JSON; figures in their units."""
        return {
            "name": self.name,
            "ok": self.ok,
            "counts": self.counts,
            "judgements": [
                {
                    "case": judgement.case,
                    "figure": judgement.figure,
                    "unit": judgement.unit,
                    "outcome": self.words.of(judgement),
                    "kind": judgement.kind,
                    "mean": judgement.mean,
                    "values": list(judgement.values),
                    "against": judgement.against,
                    "reference": judgement.reference_mean,
                    "low": judgement.low,
                    "high": judgement.high,
                    "margin": judgement.margin,
                    "difference": None
                    if judgement.difference is None
                    else judgement.difference._asdict(),
                    "p": judgement.p,
                    "why": judgement.why,
                }
                for judgement in self.judgements
            ],
        }

    def table(self) -> Table:
        """The judgements as a table: a row for each, for terminals, pages, papers and frames."""
        return Table(
            (self.words.case, "figure", "expected", "now", "change", "result"),
            tuple(
                (judgement.case, judgement.figure, *compared(judgement), self.words.of(judgement))
                for judgement in self.judgements
            ),
            align="llrrrl",
            name="verdicts",
            title=f"{self.name}: {self.headline}",
        )

    def section(self) -> str:
        """The judgements as a part of a page in HTML: headline and table."""
        return f"<p><strong>{escape(self.headline)}.</strong></p>\n{self.table().to_html()}"

    def junit(self) -> str:
        """The judgements as JUnit XML: a suite for each case, a test case for each figure."""
        return junit_xml(self.name, self.file, self.judgements, self.words, self.properties)

    def __str__(self) -> str:
        """The headline and the figures beyond their margins."""
        return self.text()
