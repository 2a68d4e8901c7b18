"""The question, and the runs that answer it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ackclock.sweeps import Design

__all__ = ["QUESTION", "SCENARIO", "question_design"]

QUESTION = "Does COS-Slow-Start lose fewer packets than Reno's slow start?"
SCENARIO = Path(__file__).with_name("cos-slow-start.toml")
"""The scenario, with the variants and numbers of connections in its [compare] table."""


def question_design() -> Design:
    """The design of the demonstration: 5 numbers of connections, 2 slow starts, 5 seeds."""
    from ackclock.scenario import load
    from ackclock.sweeps.comparing import comparison_of

    return comparison_of([load(SCENARIO)])
