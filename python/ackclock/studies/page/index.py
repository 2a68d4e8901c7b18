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
    studies: Mapping[str, Sequence[Mapping[str, Any]]], about: Mapping[str, Mapping[str, Any]]
) -> str:
    """Return a page over the claims of all studies, with each study's title, paper and summary."""
    return render(
        "studies.html",
        title="The papers, claim by claim",
        facts=f"{len(studies)} paper{'' if len(studies) == 1 else 's'}, "
        f"{sum(map(len, studies.values()))} claims and questions",
        warnings=[],
        kinds=[tuple(badge(kind)) for kind in ORDER if kind != "answered"],
        studies=[_outline(name, claims, about[name]) for name, claims in studies.items()],
        versions=versions(),
    )


def _outline(name: str, claims: Sequence[Mapping[str, Any]], about: Mapping[str, Any]) -> Outline:
    title, paper, summary = (
        about.get(key, other) for key, other in (("title", name), ("paper", ""), ("summary", ""))
    )
    rows: dict[str, list[tuple[str, str, Badge, str, str]]] = {"claim": [], "question": []}
    for claim in claims:
        # An earlier version of ackclock had no readings.
        headline = (
            claim.get("headline", "")
            if len(claim.get("cases", ())) > 1 and claim["kind"] == "claim"
            else ""
        )
        rows[claim["kind"]].append(
            (claim["id"], claim["text"], badge(claim["verdict"]), headline, claim["sentence"])
        )
    counts = Counter(verdict.kind for _, _, verdict, _, _ in rows["claim"])
    return Outline(
        name,
        title,
        paper,
        summary,
        counts,
        rows["claim"],
        rows["question"],
        any(claim["quick"] for claim in claims),
    )
