"""The index over several studies."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock.pages.run.page import render, versions
from ackclock.studies.page.badge import ORDER, Badge, badge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["index_page"]


class Outline(NamedTuple):
    """One study on the index."""

    name: str
    title: str
    paper: str
    summary: str
    counts: Mapping[str, int]
    """Counts of the claims' verdicts."""
    claims: list[tuple[str, str, Badge, str, str]]
    """Rows of id, text, verdict, headline and sentence."""
    questions: list[tuple[str, str, Badge, str, str]]
    quick: bool


def index_page(
    found: Mapping[str, Sequence[Mapping[str, Any]]], about: Mapping[str, Mapping[str, Any]]
) -> str:
    """Return a page over the claims of all studies, with each study's title, paper and summary."""
    return render(
        "studies.html",
        title="The papers, claim by claim",
        facts=f"{len(found)} paper{'' if len(found) == 1 else 's'}, "
        f"{sum(map(len, found.values()))} claims and questions",
        warnings=[],
        kinds=[tuple(badge(kind)) for kind in ORDER if kind != "answered"],
        studies=[_outline(name, claims, about[name]) for name, claims in found.items()],
        versions=versions(),
    )


def _outline(name: str, found: Sequence[Mapping[str, Any]], about: Mapping[str, Any]) -> Outline:
    title, paper, summary = (
        about.get(key, other) for key, other in (("title", name), ("paper", ""), ("summary", ""))
    )
    rows: dict[str, list[tuple[str, str, Badge, str, str]]] = {"claim": [], "question": []}
    for each in found:
        # An earlier version of ackclock had no readings.
        headline = (
            each.get("headline", "")
            if len(each.get("cases", ())) > 1 and each["kind"] == "claim"
            else ""
        )
        rows[each["kind"]].append(
            (each["id"], each["text"], badge(each["verdict"]), headline, each["sentence"])
        )
    counts = Counter(each.kind for _, _, each, _, _ in rows["claim"])
    return Outline(
        name,
        title,
        paper,
        summary,
        counts,
        rows["claim"],
        rows["question"],
        any(each["quick"] for each in found),
    )
