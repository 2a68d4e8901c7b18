"""One judgement for all judged work: a figure's values, a reference, a margin, and the verdict.

`ackclock test`, `validate`, `evaluate`, `study` and `size` judge by it. What stays with each of
them is its content (cells, recordings, rows, claims) and its words for the outcomes.
docs/statistics.md explains the rules.
"""

from ackclock.verdicts.families import settled, settled_moves
from ackclock.verdicts.judgement import Judgement, Kind, Span
from ackclock.verdicts.margin import Margin
from ackclock.verdicts.paired import Contrast, beside, counted, equivalent, moved
from ackclock.verdicts.ranges import Range
from ackclock.verdicts.recorded import recorded, within_runs
from ackclock.verdicts.result import Verdicts
from ackclock.verdicts.tally import Tally
from ackclock.verdicts.words import Words

__all__ = [
    "Contrast",
    "Judgement",
    "Kind",
    "Margin",
    "Range",
    "Span",
    "Tally",
    "Verdicts",
    "Words",
    "beside",
    "counted",
    "equivalent",
    "moved",
    "recorded",
    "settled",
    "settled_moves",
    "within_runs",
]
