"""A sweep's runs as tidy frames: runs, means with intervals, paired differences, axes that change nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from ackclock.sweep.design import Design
    from ackclock.sweep.task import Outcome

__all__ = ["DIFFERENCES", "RESERVED", "RESPONSES", "RUNS", "Unchanged", "differences_frame", "responses_frame", "runs_frame", "unchanged"]

RUNS = ("setting", "*axes", "replication", "seed", "key", "digest", "*responses")
"""Columns of the frame of runs: a row per run, by setting and replication."""
RESPONSES = ("setting", "*axes", "response", "unit", "n", "mean", "sd", "median", "low", "high", "method", "why")
"""Columns of the frame of responses: a row per setting and response."""
DIFFERENCES = (
    "setting",
    "base_setting",
    "*axes",  # null in the compared axis' own column
    "axis",
    "value",  # labels as text
    "base",
    "response",
    "unit",
    "ratio",
    "n",
    "difference",
    "low",
    "high",
    "method",
    "why",
    "relative",
    "effect_size",
    "p",
)
"""Columns of the frame of differences: a row per comparison, setting and response."""

RESERVED = frozenset(name for name in (*RUNS, *RESPONSES, *DIFFERENCES) if not name.startswith("*"))
"""Names that no axis and no response may have."""


@dataclass(frozen=True)
class Unchanged:
    """Two values of an axis that gave the same bytes, run by run."""

    axis: str
    a: str | float | int
    b: str | float | int


def runs_frame(design: Design, outcomes: Mapping[tuple[int, int], Outcome]) -> pl.DataFrame:
    """One row per run: its setting, axes, replication, seed, key, digest, and a column per response; null where one is undefined."""
    raise NotImplementedError


def responses_frame(design: Design, runs: pl.DataFrame) -> pl.DataFrame:
    """One row per setting and response: mean, spread and interval over the replications."""
    raise NotImplementedError


def differences_frame(design: Design, runs: pl.DataFrame) -> pl.DataFrame:
    """One row per comparison, value other than the base, setting of the other axes, and response: the paired difference."""
    raise NotImplementedError


def unchanged(design: Design, runs: pl.DataFrame) -> list[Unchanged]:
    """Pairs of an axis' values whose runs are the same bytes at every setting of the other axes and every seed."""
    raise NotImplementedError
