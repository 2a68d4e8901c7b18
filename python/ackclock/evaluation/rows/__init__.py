"""The rows of the dossier: a module for each chapter of RFC 9743. A new row is one entry."""

from ackclock.evaluation.row import Row
from ackclock.evaluation.rows import alone, beside, changes, general, special

__all__ = ["ROWS"]

_CHAPTERS = (alone, beside, general, special, changes)

ROWS: tuple[Row, ...] = tuple(
    sorted((row for chapter in _CHAPTERS for row in chapter.ROWS), key=lambda row: row.id)
)
"""All rows, by id."""
