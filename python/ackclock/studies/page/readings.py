"""The table of claims and readings: which reading of the paper gives which verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ackclock.studies.page.badge import Badge, badge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.studies.claim import Claim
    from ackclock.studies.judging import Judgement
    from ackclock.studies.study import Study

__all__ = ["Grid", "grid_of", "together"]


class Grid(NamedTuple):
    """Claims by readings, and by other simulators under them."""

    columns: list[str]
    rows: list[tuple[str, list[tuple[Badge, bool]]]]
    """Id of the claim; for each column its verdict, and whether that reading looks elsewhere than
    the first one. The verdict is empty for a simulator that has not run the claim.
    """
    sentence: str
    """A sentence that says how many claims hold under each reading."""


def grid_of(study: Study, judgements: Mapping[str, Judgement]) -> Grid | None:
    """Return the table, if any claim has more than one verdict."""
    claims = [claim for claim in study.claims if len(judgements[claim.id].cases) > 1]
    if not claims:
        return None
    outside = list(
        dict.fromkeys(case.name for claim in claims for case in judgements[claim.id].outside)
    )
    columns = [reading.name for reading in study.readings] + outside
    rows = [
        (claim.id, [_cell(judgements[claim.id], name, outside) for name in columns])
        for claim in claims
    ]
    return Grid(columns, rows, together(study, study.claims, judgements))


def _cell(judgement: Judgement, name: str, outside: Sequence[str]) -> tuple[Badge, bool]:
    for case in judgement.cases:
        if case.name == name:
            return badge(case.verdict.kind), True
    return (badge(""), False) if name in outside else (badge(judgement.verdict.kind), False)


def together(study: Study, claims: Sequence[Claim], judgements: Mapping[str, Judgement]) -> str:
    """Say in a sentence whether one reading makes all claims hold."""
    if len(study.readings) < 2:
        return ""
    holding = {
        reading.name: [
            claim.id for claim in claims if _kind(judgements[claim.id], reading.name) == "holds"
        ]
        for reading in study.readings
    }
    ever = {name for names in holding.values() for name in names}
    whole = [reading for reading, names in holding.items() if len(names) == len(claims)]
    if whole:
        return f"All {len(claims)} claims hold under “{'”, “'.join(whole)}”."
    most = max(map(len, holding.values()))
    best = [f"“{reading}”" for reading, names in holding.items() if len(names) == most]
    under_best = set(
        holding[next(reading for reading, names in holding.items() if len(names) == most)]
    )
    counted = f"Of {len(claims)} claims {most} hold under {', '.join(best)}"
    if ever == under_best:
        return f"{counted}, and no other reading makes another claim hold."
    return (
        f"No reading makes all claims hold that hold under some reading ({len(ever)}). {counted}."
    )


def _kind(judgement: Judgement, reading: str) -> str:
    return next(
        (case.verdict.kind for case in judgement.ours if case.reading == reading),
        judgement.verdict.kind,
    )
