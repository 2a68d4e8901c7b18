"""dossier.md: text for the evaluation section of a draft, in the order of RFC 9743."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from ackclock.evaluation.output.words import command_of, counted, told, verdict_sentence
from ackclock.evaluation.selecting import section_order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ackclock.evaluation.dossier import Dossier, RowResult

__all__ = ["SECTIONS", "markdown_of"]

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

_MOST_CELLS = 5
_COLUMNS = 100


def markdown_of(dossier: Dossier) -> str:
    """The dossier as text; an author edits it and pastes it into a draft."""
    return "\n".join(_wrapped(line) for line in _lines(dossier)) + "\n"


def _wrapped(line: str) -> str:
    """A paragraph or an item in lines of at most 100 columns; a heading stays one line."""
    if line.startswith("#"):
        return line
    indent = "  " if line.startswith("- ") else ""
    return textwrap.fill(
        line, _COLUMNS, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _lines(dossier: Dossier) -> Iterator[str]:
    from ackclock import _core

    runs = "a quick evaluation" if dossier.context.quick else "a full evaluation"
    yield f"# Evaluation of {dossier.subject} by RFC 9743"
    yield ""
    yield (
        f"Made by `{command_of(dossier)}` of ackclock {_core.__version__}: {runs}, "
        f"{dossier.seeds.count} seeds, {dossier.seeds.competing} where flows compete. RFC 9743 "
        "states demands and no thresholds; scenarios, references (Reno, CUBIC) and lines are "
        "ackclock's."
    )
    for section in sorted(
        dict.fromkeys(one.row.section for one in dossier.rows), key=section_order
    ):
        yield ""
        yield f"## Section {section}: {SECTIONS.get(section, '')}"
        for one in dossier.rows:
            if one.row.section == section:
                yield ""
                yield from _row(one)


def _row(result: RowResult) -> Iterator[str]:
    row = result.row
    yield f"**{row.title}** ({row.id}, {row.strength}): {result.kind}."
    yield ""
    yield f"RFC 9743: {row.demand}"
    yield ""
    yield f"Experiment: {row.choice}"
    yield ""
    if result.answers:
        for heading, text in result.answers:
            yield f"- {heading}: {text or 'not answered'}"
        return
    yield f"Result: {verdict_sentence(result)}"
    concerns = [one for one in result.judged if one.kind == "concern" and not one.own]
    if concerns:
        yield ""
        worst = sorted(concerns, key=lambda one: -one.excess)[:_MOST_CELLS]
        for one in worst:
            yield f"- {one.cell}: {told(one)}"
        if len(concerns) > len(worst):
            yield f"- and {len(concerns) - len(worst)} more ({counted(result)})"
    if result.kernel is not None:
        yield ""
        yield f"On Linux: {result.kernel.kind}. {verdict_sentence(result.kernel)}"
