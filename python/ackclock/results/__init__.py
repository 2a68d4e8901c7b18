"""What came out of runs: `Result` of one, `Comparison` of many."""

from ackclock.results.comparison import Comparison
from ackclock.results.result import Result, Samples
from ackclock.results.summary import Summary, json_schema

__all__ = ["Comparison", "Result", "Samples", "Summary", "json_schema"]
