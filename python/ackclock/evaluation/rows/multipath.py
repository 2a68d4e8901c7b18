"""Section 7.10: multipath."""

from __future__ import annotations

from ackclock.evaluation.row import Row

__all__ = ["ROWS"]

_E39 = Row(
    id="E39",
    section="7.10",
    strength="MUST",
    title="Multipath",
    demand="Multipath proposals must be looked at on shared bottlenecks and at fail-over.",
    choice="Subflows of one transfer on one bottleneck beside one CUBIC flow.",
    cells=lambda _context: (),
    measures=(),
    references=(),
    applies=lambda _context: (
        "the subject is no multipath proposal: it controls one path, and ackclock couples no "
        "subflows"
    ),
)

ROWS = (_E39,)
