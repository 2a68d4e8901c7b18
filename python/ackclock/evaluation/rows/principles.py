"""Section 5.3: principles and deployment, which no run can answer."""

from __future__ import annotations

from ackclock.evaluation.row import Row

__all__ = ["ROWS"]

_E20 = Row(
    id="E20",
    section="5.3.1",
    sections=("5.3.2",),
    strength="MUST",
    title="Principles and incremental deployment",
    demand=(
        "Deviations from established principles (RFC 2914, RFC 7141) must be explained, and "
        "incremental deployment must be discussed."
    ),
    choice=(
        "A form: the text of the algorithm's own documentation stands under the RFC's headings. "
        "An empty heading is not answered, and authors fill it in dossier.md."
    ),
    cells=lambda _context: (),
    measures=(),
    references=(),
)

ROWS = (_E20,)
