"""Section 5.3 of RFC 9743: text that the author of an algorithm wrote beside it."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["answers_of"]

_HEADINGS = (
    ("Differences with congestion control principles (5.3.1)", "Principles"),
    ("Incremental deployment (5.3.2)", "Deployment"),
)
"""Headings of the form, and the words that begin their paragraphs in a class's docstring."""


def answers_of(subject: str, folder: Path) -> tuple[tuple[str, str], ...]:
    """The form of section 5.3, filled from the algorithm's documentation.

    A paragraph of a class's docstring that begins with ``Principles:`` or ``Deployment:`` answers
    a heading. An empty text stands for no answer.
    """
    documentation = _documentation(subject, folder)
    return tuple((heading, _paragraph(documentation, word)) for heading, word in _HEADINGS)


def _documentation(subject: str, folder: Path) -> str:
    if "python:" not in subject:
        # The registry's summaries say what an algorithm does, not why it may be deployed.
        return ""
    from ackclock.scenario.own import Finder

    name = next(part for part in re.split(r"\+(?=\w)", subject) if part.startswith("python:"))
    own = Finder(folder)(name.partition("(")[0], {})
    return "" if own is None else inspect.getdoc(own.algorithm) or ""


def _paragraph(text: str, word: str) -> str:
    for paragraph in re.split(r"\n\s*\n", text):
        first, colon, rest = paragraph.strip().partition(":")
        if colon and first == word:
            return " ".join(rest.split())
    return ""
