"""dossier.md: text for the evaluation section of a draft, in the order of RFC 9743."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from ackclock.evaluation.rows import ROWS
from ackclock.evaluation.selecting import section_order
from ackclock.tables.markdown import page_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from ackclock.evaluation.output.outcome import Outcome
    from ackclock.evaluation.row import Row

__all__ = ["SECTIONS", "markdown_of", "short_of"]

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
    return "\n".join(_wrapped(line) for line in _lines(outcome)) + "\n"


def short_of(outcome: Outcome, picture: str, full: str) -> str:
    """The dossier's answer: how many rows of each strength are a concern, and which.

    Parameters
    ----------
    outcome
        Verdicts and sentences.
    picture
        The file of the picture, as the text's link names it.
    full
        A sentence on where all rows are.
    """
    return "\n".join(_wrapped(line) for line in _short_lines(outcome, picture, full)) + "\n"


def _wrapped(line: str) -> str:
    """A paragraph or an item in lines of at most 100 columns; headings and tables stay a line."""
    if line.startswith(("#", "|", "!")):
        return line
    indent = "  " if line.startswith("- ") else ""
    return textwrap.fill(
        line, _COLUMNS, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _made_by(outcome: Outcome) -> str:
    runs = "a quick evaluation" if outcome["quick"] else "a full evaluation"
    count, competing = outcome["seeds"]
    return (
        f"Made by `{outcome['command']}` of ackclock {outcome['ackclock']}: {runs}, "
        f"{count} seeds, {competing} where flows compete. RFC 9743 "
        "states demands and no thresholds; scenarios, references (Reno, CUBIC) and lines are "
        "ackclock's."
    )


def _rows(outcome: Outcome) -> list[tuple[Row, Mapping[str, Any]]]:
    """The rows in the order of RFC 9743, each with its outcome."""
    rows = sorted(ROWS, key=lambda one: section_order(one.section))
    return [(one, outcome["rows"][one.id]) for one in rows if one.id in outcome["rows"]]


def _lines(outcome: Outcome) -> Iterator[str]:
    yield f"# Evaluation of {outcome['subject']} by RFC 9743"
    yield ""
    yield _made_by(outcome)
    section = ""
    for row, found in _rows(outcome):
        if row.section != section:
            section = row.section
            yield ""
            yield f"## Section {section}: {SECTIONS.get(section, '')}"
        yield ""
        yield from _row(row, found)


def _row(row: Row, found: Mapping[str, Any]) -> Iterator[str]:
    yield f"**{row.title}** ({row.id}, {row.strength}): {found['verdict']}."
    yield ""
    yield f"RFC 9743: {row.demand}"
    yield ""
    yield f"Experiment: {row.choice}"
    yield ""
    if "answers" in found:
        for heading, text in found["answers"].items():
            yield f"- {heading}: {text or 'not answered'}"
        return
    yield f"Result: {found['sentence']}"
    if "worst" in found:
        yield ""
        for cell in found["worst"]:
            yield f"- {cell}"
        if "more" in found:
            yield f"- and {found['more']}"
    if "kernel" in found:
        yield ""
        yield f"On Linux: {found['kernel']}"


_STRENGTHS = (("MUST", "MUST"), ("SHOULD", "SHOULD"), ("consider", "other"))


def _short_lines(outcome: Outcome, picture: str, full: str) -> Iterator[str]:
    rows = _rows(outcome)
    concerns = [
        (row, found) for row, found in rows if found["verdict"] == "concern" and not row.informative
    ]
    counts = [
        f"{sum(row.strength == strength for row, _ in concerns)} of "
        f"{sum(row.strength == strength and not row.informative for row, _ in rows)} {name}"
        for strength, name in _STRENGTHS
    ]
    yield f"# {outcome['subject']} by RFC 9743"
    yield ""
    yield f"**Rows with a concern: {', '.join(counts)}.** {_starving(rows)}".rstrip()
    yield ""
    yield f"{_made_by(outcome)} [How it is judged](../evaluate.md). {full}"
    yield ""
    yield f"![Verdict of each row, by the strength of the demand]({picture})"
    yield ""
    if concerns:
        order = [strength for strength, _ in _STRENGTHS]
        ordered = sorted(concerns, key=lambda pair: order.index(pair[0].strength))
        table = page_table(
            ("row", "RFC 9743", "asks for", "what came out"),
            (
                (
                    f"{row.id} {row.title}",
                    f"{row.section}, {row.strength}",
                    row.demand,
                    found["sentence"],
                )
                for row, found in ordered
            ),
        )
        yield from table.splitlines()
    else:
        yield "No row is a concern."


def _starving(rows: list[tuple[Row, Mapping[str, Any]]]) -> str:
    names = [row.id for row, found in rows if "starves" in found]
    return f"Its own flows starve in {', '.join(names)}." if names else ""
