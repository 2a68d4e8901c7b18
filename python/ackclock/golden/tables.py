"""The tables of a file of golden cells."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from ackclock.messages import shown
from ackclock.scenario.errors import problem
from ackclock.scenario.names import ScenarioName
from ackclock.scenario.spelling import dotted
from ackclock.scenario.starts import StartChoice
from ackclock.scenario.sweep import MOST_REPLICATIONS, ResponseTable
from ackclock.scenario.table import Table, short_form

__all__ = ["Cell", "GoldenFile", "MetricTable"]

# One seed shows no chance, and starts of flows are drawn for several seeds only.
_LEAST_SEEDS = 2


class MetricTable(ResponseTable):
    """A figure of a cell's runs, compared with its recording or with bounds."""

    low: float | int | str | None = None
    """Smallest mean that passes, in the metric's unit or with a unit; replaces the recording."""
    high: float | int | str | None = None
    """Largest mean that passes, in the metric's unit or with a unit; replaces the recording."""
    tolerance: float | None = Field(default=None, ge=0.0)
    """Change that always passes, as a share of the recorded mean (default: the cell's)."""


_Metric = Annotated[MetricTable, short_form("metric", str, schema=str | MetricTable)]


def _check_source(value: Any) -> Any:
    if not isinstance(value, str | dict):
        raise problem(
            f"{shown(value)} is not a scenario: write the name of a file, or a table with the keys "
            "of a scenario"
        )
    return value


def _flat(value: Any) -> Any:
    """Dotted keys for keys written without quotes, which TOML reads as tables in tables."""
    if not isinstance(value, dict):
        raise problem(
            f"{shown(value)} is not a table of changes: write "
            '{ "flows.cc" = "cubic" }, keys as for --set'
        )
    # A key with a dot was written in quotes, and its table is the value.
    changes: dict[str, Any] = {}
    for key, inner in value.items():
        changes |= {key: inner} if "." in key else dotted({key: inner})
    return changes


class Cell(Table):
    """A scenario with changes, the number of its seeds, and the figures that are tested."""

    name: ScenarioName
    """Name of the cell, in tables and recordings."""
    scenario: Annotated[str | dict[str, Any], BeforeValidator(_check_source)]
    """File of a scenario, relative to this file, a table with the keys of a scenario, or a cell of
    an evaluation: `{ row = "E06", cell = "2 flows, 0.25 BDP", cc = "bbr" }`.
    """
    changes: Annotated[dict[str, Any], BeforeValidator(_flat)] = Field(
        default_factory=dict, alias="set"
    )
    """Values by dotted key of the scenario, as for --set."""
    seeds: int | None = Field(default=None, ge=_LEAST_SEEDS, le=MOST_REPLICATIONS)
    """Number of seeds of a test, from the scenario's on (default: the file's)."""
    record_seeds: int | None = Field(default=None, ge=_LEAST_SEEDS, le=MOST_REPLICATIONS)
    """Number of seeds of a recording (default: the file's)."""
    metrics: list[_Metric] = Field(default_factory=list)
    """Metrics (ackclock list metric), or tables of metric, name, flows, over and a rule."""
    tolerance: float | None = Field(default=None, ge=0.0)
    """Change that always passes, as a share of the recorded mean (default: the file's)."""
    exact: bool = False
    """Whether the results of every run must be equal, to the byte, to the recorded ones."""
    starts: StartChoice | None = None
    """Starts of flows, as in a sweep: "fixed", a time, or "auto" (default)."""

    @model_validator(mode="after")
    def _tests_something(self) -> Cell:
        if not self.metrics and not self.exact:
            raise problem(
                'a cell without a check: list metrics = ["goodput"], or write exact = true',
                key="metrics",
                kind="missing",
            )
        return self


class GoldenFile(Table):
    """Golden cells, with defaults for all of them."""

    cells: list[Cell] = Field(min_length=1)
    """The cells, [[cells]]."""
    seeds: int = Field(default=5, ge=_LEAST_SEEDS, le=MOST_REPLICATIONS)
    """Number of seeds of a test."""
    record_seeds: int = Field(default=20, ge=_LEAST_SEEDS, le=MOST_REPLICATIONS)
    """Number of seeds of a recording; more make the recorded intervals narrower."""
    tolerance: float = Field(default=0.01, ge=0.0)
    """Change that always passes, as a share of the recorded mean."""
    false_alarms: float = Field(default=0.01, gt=0.0, le=0.5)
    """Largest chance that a test of the whole file fails although nothing has changed."""

    @model_validator(mode="after")
    def _names(self) -> GoldenFile:
        names = [cell.name for cell in self.cells]
        for index, name in enumerate(names):
            if name in names[:index]:
                raise problem(
                    f"'{name}' also names cells.{names.index(name)}: each cell needs its own name",
                    key=f"cells.{index}.name",
                )
        return self
