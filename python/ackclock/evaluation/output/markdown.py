"""dossier.md: text for the evaluation section of a draft, in the order of RFC 9743."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from ackclock.evaluation.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from ackclock.evaluation.output.data import Outcome
    from ackclock.evaluation.row import Row

__all__ = ["SECTIONS", "made_by", "markdown_of", "rows_of", "wrapped"]

SECTIONS = {
    "5.1.1": "Protection against congestion collapse",
    "5.1.2": "Protection against bufferbloat",
    "5.1.3": "Protection against high packet loss",
    "5.1.4": "Fairness within the proposed algorithm",
    "5.1.5": "Short flows",
    "5.2": "Mixed algorithm behaviour",
    "5.2.1": "Existing general-purpose algorithms",
    "5.2.2": "Real-time algorithms",
    "5.2.3": "Short and long flows",
    "5.3.1": "Differences with congestion control principles",
    "6": "General use",
    "6.1": "Paths with tail-drop queues",
    "6.2": "Tunnels",
    "6.3": "Wired paths",
    "6.4": "Wireless paths",
    "7.1": "Active queue management",
    "7.2": "Operation with circuit breakers",
    "7.3": "Paths with varying delay",
    "7.4": "Internet of Things and constrained nodes",
    "7.5": "Paths with high delay",
    "7.6": "Misbehaving nodes",
    "7.7": "Extreme packet reordering",
    "7.8": "Transient events",
    "7.9": "Sudden changes in the path",
    "7.10": "Multipath transport",
    "7.11": "Data centers",
}
"""Sections of RFC 9743 that rows answer, with their subjects."""

_COLUMNS = 100


def markdown_of(outcome: Outcome) -> str:
    """The dossier as text; an author edits it and pastes it into a draft."""
    return "\n".join(wrapped(line) for line in _lines(outcome)) + "\n"


def wrapped(line: str) -> str:
    """A paragraph or an item in lines of at most 100 columns; headings and tables stay a line."""
    if line.startswith(("#", "|", "!")):
        return line
    indent = "  " if line.startswith("- ") else ""
    return textwrap.fill(
        line, _COLUMNS, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def made_by(outcome: Outcome) -> str:
    """The command, the seeds, and whose demands and thresholds these are."""
    runs = "a quick evaluation" if outcome["quick"] else "a full evaluation"
    count, competing = outcome["seeds"]
    return (
        f"Made by `{outcome['command']}` of ackclock {outcome['ackclock']}: {runs}, "
        f"{count} seeds, {competing} where flows compete. RFC 9743 "
        "states demands and no thresholds; scenarios, references (Reno, CUBIC) and lines are "
        "ackclock's."
    )


def rows_of(outcome: Outcome) -> list[tuple[Row, Mapping[str, Any]]]:
    """The rows in the order of RFC 9743, each with its outcome."""
    outcomes = outcome["rows"]
    return [
        (row, outcomes[row.id])
        for row in sorted(ROWS, key=lambda row: row.order)
        if row.id in outcomes
    ]


def _lines(outcome: Outcome) -> Iterator[str]:
    yield f"# Evaluation of {outcome['subject']} by RFC 9743"
    yield ""
    yield made_by(outcome)
    section = ""
    for row, result in rows_of(outcome):
        if row.section != section:
            section = row.section
            yield ""
            yield f"## Section {section}: {SECTIONS.get(section, '')}"
        yield ""
        yield from _entry(row, result)


def _entry(row: Row, result: Mapping[str, Any]) -> Iterator[str]:
    yield f"**{row.title}** ({row.id}, {row.strength}): {result['verdict']}."
    yield ""
    yield f"RFC 9743: {row.demand}"
    yield ""
    yield f"Experiment: {row.choice}"
    yield ""
    if "answers" in result:
        for heading, text in result["answers"].items():
            yield f"- {heading}: {text or 'not answered'}"
        return
    yield f"Result: {result['sentence']}"
    if "worst" in result:
        yield ""
        for cell in result["worst"]:
            yield f"- {cell}"
        if "more" in result:
            yield f"- and {result['more']}"
    for label, verdict in result.get("kernels", {}).items():
        yield ""
        yield f"On {label}: {verdict}"
