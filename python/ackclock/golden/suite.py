"""Read a file of golden cells: every cell with its scenario and its checks."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ackclock.errors import UnknownNameError
from ackclock.golden.source import scenario_of
from ackclock.golden.tables import GoldenFile
from ackclock.messages import nearest_or_all, shown
from ackclock.runtime.permission import require_in
from ackclock.scenario.errors import ScenarioError, check_plain, translate
from ackclock.scenario.loading import read_toml
from ackclock.sweeps.ranges import base_number
from ackclock.sweeps.sweeping import design_of
from ackclock.tables.quantities import short_cc

if TYPE_CHECKING:
    from ackclock.golden.tables import Cell, MetricTable
    from ackclock.scenario import Scenario
    from ackclock.sweeps.design import Design

__all__ = ["Case", "Checked", "Suite", "read_suite"]

_LEAST = "golden cells are [[cells]] with name, scenario and metrics"


@dataclass(frozen=True)
class Checked:
    """A metric of a cell and the rule that it is tested by."""

    name: str
    """Name of the response."""
    unit: str
    tolerance: float
    """Change that always passes, as a share of the recorded mean."""
    low: float | None
    """Smallest mean that passes, in the unit; None: no such bound."""
    high: float | None
    """Largest mean that passes, in the unit; None: no such bound."""

    @property
    def is_bounded(self) -> bool:
        """Whether bounds of the file decide, and not the recording."""
        return self.low is not None or self.high is not None


@dataclass(frozen=True)
class Case:
    """A golden cell that can be run."""

    name: str
    design: Design
    """The sweep of one setting, with the seeds of a test or of a recording."""
    checks: tuple[Checked, ...]
    is_exact: bool
    """Whether results must be equal to the byte."""
    scenario_name: str
    """Name of the scenario."""

    @property
    def needs_recording(self) -> bool:
        """Whether any check looks at the recording."""
        return self.is_exact or any(not check.is_bounded for check in self.checks)

    @property
    def cc(self) -> str:
        """The congestion controls of the cell's flows, without repeats."""
        flows = self.design.scenario.flows
        return ", ".join(dict.fromkeys(short_cc(flow.cc) for flow in flows if flow.cc is not None))


@dataclass(frozen=True)
class Suite:
    """The chosen cells of a file."""

    file: str
    """The file, as given."""
    names: tuple[str, ...]
    """Names of all cells of the file."""
    cases: tuple[Case, ...]
    """The chosen cells."""
    comparisons: int
    """Number of metrics in the whole file that are compared with the recording."""
    false_alarms: float
    """Largest chance that a test of the whole file fails although nothing has changed."""

    @property
    def recording(self) -> Path:
        """The file of the recording, beside the file of the cells."""
        return Path(self.file).with_suffix(".recorded.toml")

    @property
    def level(self) -> float:
        """Chance of a false alarm of one comparison: Bonferroni's share of the file's."""
        return self.false_alarms / max(1, self.comparisons)


def read_suite(
    path: str | Path,
    *,
    only: str | None = None,
    seeds: int | None = None,
    is_recording: bool = False,
) -> Suite:
    """Read a file of golden cells, and check every chosen cell.

    Parameters
    ----------
    path
        The file.
    only
        Pattern of the names of cells, as in a shell: `bbr-*`.
    seeds
        Number of seeds of every cell, in place of the file's.
    is_recording
        Whether the cells have the seeds of a recording, and not those of a test.

    Raises
    ------
    ScenarioError
        If the file, or the scenario of a chosen cell, is wrong.
    UnknownNameError
        If no cell fits the pattern.
    """
    file = str(path)
    data = read_toml(Path(path), file, _LEAST)
    try:
        check_plain(data)
        table = GoldenFile.model_validate(data)
    except ScenarioError as error:
        raise error.located(file) from None
    except ValidationError as errors:
        raise translate(errors, data, file) from None
    names = tuple(cell.name for cell in table.cells)
    chosen = [
        (index, cell)
        for index, cell in enumerate(table.cells)
        if only is None or fnmatch.fnmatchcase(cell.name, only)
    ]
    if not chosen:
        raise UnknownNameError(
            f"{file}: no cell is called {shown(only)}{nearest_or_all(only, names)}"
        )
    folder = Path(path).absolute().parent
    require_in([cell.model_dump() for _, cell in chosen], [folder], file)
    cases = tuple(
        _case(table, cell, f"cells.{index}", file, folder, seeds, is_recording=is_recording)
        for index, cell in chosen
    )
    comparisons = sum(
        metric.low is None and metric.high is None
        for cell in table.cells
        for metric in cell.metrics
    )
    return Suite(file, names, cases, comparisons, table.false_alarms)


def _case(
    table: GoldenFile,
    cell: Cell,
    where: str,
    file: str,
    folder: Path,
    seeds: int | None,
    *,
    is_recording: bool,
) -> Case:
    scenario = scenario_of(cell, where, file, folder)
    tested = cell.seeds or table.seeds
    recorded = max(tested, cell.record_seeds or table.record_seeds)
    count = seeds or (recorded if is_recording else tested)
    design = _design(scenario, cell, where, file, count)
    tolerance = table.tolerance if cell.tolerance is None else cell.tolerance
    checks = tuple(
        Checked(
            name=response.name,
            unit=response.unit,
            tolerance=tolerance if metric.tolerance is None else metric.tolerance,
            low=_bound(metric, "low", response.unit, f"{where}.metrics.{index}", file),
            high=_bound(metric, "high", response.unit, f"{where}.metrics.{index}", file),
        )
        # A cell without metrics has the sweep's default responses, which it does not check.
        for index, (metric, response) in enumerate(
            zip(cell.metrics, design.responses if cell.metrics else (), strict=True)
        )
    )
    return Case(cell.name, design, checks, cell.exact, scenario.name)


def _design(scenario: Scenario, cell: Cell, where: str, file: str, count: int) -> Design:
    responses = [
        metric.model_dump(include={"metric", "name", "flows", "over"}, exclude_none=True)
        for metric in cell.metrics
    ]
    given: dict[str, Any] = {"replications": count, "responses": responses, "starts": cell.starts}
    try:
        design = design_of(scenario, given)
    except ScenarioError as error:
        tail = error.key.removeprefix("sweep.")
        if tail == error.key:
            raise
        key = f"{where}.{tail.replace('responses', 'metrics').replace('replications', 'seeds')}"
        raise ScenarioError(
            error.message, key=key, value=error.value, file=file, kind=error.kind
        ) from None
    return design


def _bound(metric: MetricTable, end: str, unit: str, where: str, file: str) -> float | None:
    given = getattr(metric, end)
    if given is None:
        return None
    amount = base_number(given)
    if amount is None or amount[1] not in {None, unit}:
        how = "without a unit" if unit == "1" else f"in {unit}, or text with a unit of that kind"
        raise ScenarioError(
            f"{shown(given)} is no bound of {metric.metric}: write a number {how}",
            key=f"{where}.{end}",
            value=given,
            file=file,
        )
    return amount[0]
