"""Why a sender did what it did: its recorded decisions in sentences.

`decision` tells of single decisions, `faster` of what held a flow back over the measured time.
`source` reads the decisions of a run's folder, or runs a scenario again with the record on.
"""

from ackclock.tools.explain.decision import Decision, decisions_at
from ackclock.tools.explain.faster import Holding, why_not_faster
from ackclock.tools.explain.source import ExplainError, open_run, rows_of

__all__ = [
    "Decision",
    "ExplainError",
    "Holding",
    "decisions_at",
    "open_run",
    "rows_of",
    "why_not_faster",
]
