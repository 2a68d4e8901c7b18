"""Results of a run."""

from ackclock.results.result import Result, Samples
from ackclock.results.summary import Summary, json_schema

__all__ = ["Result", "Samples", "Summary", "json_schema"]
