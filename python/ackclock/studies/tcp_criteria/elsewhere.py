"""Recorded runs of another simulator, which stand in for ours where its rows are judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ackclock.studies.results import Results

__all__ = ["told"]


def told(results: Results, recording: str, run: str, figure: str) -> float | None:
    """What another simulator's run of that name gave, if its runs of the recording are looked at."""
    rows = results.elsewhere.get(recording, ())
    return next((float(row[figure]) for row in rows if row["run"] == run), None)
