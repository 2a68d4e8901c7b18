"""A sweep's result."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl
    from rich.console import RenderableType

    from ackclock.sweep.analysis import Unchanged
    from ackclock.sweep.design import Design
    from ackclock.sweep.sequential import Stopped
    from ackclock.sweep.task import Outcome

__all__ = ["SweepResult"]


class SweepResult:
    """What a sweep gave.

    Attributes
    ----------
    design : Design
        Settings, axes, responses and comparisons.
    runs : polars.DataFrame
        One row per run; columns: `ackclock.sweep.analysis.RUNS`.
    warmup_ps : int or None
        The warm-up that pilots gave, ps; None: the scenario's own.
    """

    def __init__(self, design: Design, runs: pl.DataFrame, *, warmup_ps: int | None = None) -> None:
        self.design = design
        self.runs = runs
        self.warmup_ps = warmup_ps

    @classmethod
    def of(cls, design: Design, outcomes: Mapping[tuple[int, int], Outcome], *, warmup_ps: int | None = None) -> SweepResult:
        """The result of runs that were just made, by setting and replication."""
        from ackclock.sweep.analysis import runs_frame

        return cls(design, runs_frame(design, outcomes), warmup_ps=warmup_ps)

    @classmethod
    def load(cls, folder: str | Path) -> SweepResult:
        """Read what `write` wrote; `ackclock.open_sweep` does this.

        Raises
        ------
        FileNotFoundError
            If it is not the folder of a sweep, or of one that is not finished.
        """
        raise NotImplementedError

    @cached_property
    def responses(self) -> pl.DataFrame:
        """Means with intervals; columns: `ackclock.sweep.analysis.RESPONSES`."""
        from ackclock.sweep.analysis import responses_frame

        return responses_frame(self.design, self.runs)

    @cached_property
    def differences(self) -> pl.DataFrame:
        """Paired differences; columns: `ackclock.sweep.analysis.DIFFERENCES`."""
        from ackclock.sweep.analysis import differences_frame

        return differences_frame(self.design, self.runs)

    @cached_property
    def unchanged(self) -> list[Unchanged]:
        """Pairs of an axis' values that made no difference at all."""
        from ackclock.sweep.analysis import unchanged

        return unchanged(self.design, self.runs)

    @cached_property
    def stopped(self) -> list[Stopped]:
        """Where the sequential stop left each group of settings; empty without one."""
        raise NotImplementedError

    def table(self, response: str | None = None) -> pl.DataFrame:
        """One response's rows of `responses`, the first's by default."""
        raise NotImplementedError

    def write(self, folder: str | Path) -> Path:
        """Write sweep.toml, runs.parquet, responses.parquet, differences.parquet, sweep.json, plots/ and report.html.

        What else the folder holds, the runs' store above all, is left alone; each file is whole or not there.
        """
        raise NotImplementedError

    def __rich__(self) -> RenderableType:
        """The sweep's tables, in a terminal."""
        from ackclock.report.sweep import sweep_view

        return sweep_view(self)

    def _repr_html_(self) -> str:
        from ackclock.report.sweep import sweep_html

        return sweep_html(self)
