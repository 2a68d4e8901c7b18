"""Regression tests of congestion controls: golden cells, recorded once and tested after a change.

docs/test.md describes the file of cells and the rules.
"""

from ackclock.golden.checking import check_golden, record_golden
from ackclock.golden.result import GoldenResult, Recorded

__all__ = ["GoldenResult", "Recorded", "check_golden", "record_golden"]
