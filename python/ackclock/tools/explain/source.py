"""The decisions to explain: those of a run's folder, or of a scenario that is run again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io import is_file
from ackclock.errors import Error
from ackclock.messages import did_you_mean

if TYPE_CHECKING:
    import polars as pl

    from ackclock.results import Result

__all__ = ["ExplainError", "mss_of", "open_run", "rows_of"]

_MOST_NAMED = 8


class ExplainError(Error):
    """There is nothing to explain: no such run, flow or moment; one sentence."""


def open_run(run: str | Path, flow: str) -> Result:
    """Open a run whose decisions of a flow are recorded.

    Parameters
    ----------
    run : str or Path
        A run's folder with the record, or a scenario file, which is run now with the record on.
    flow : str
        Name of the flow.

    Raises
    ------
    ExplainError
        If there is no such run or flow, or the run has no record of the flow's decisions.
    """
    where = Path(run)
    if where.is_dir():
        return _recorded(where, flow)
    if where.is_file():
        return _run_again(where, flow)
    raise ExplainError(
        f"{run}: there is no such file or folder; give a scenario, or a run's folder"
    )


def _recorded(folder: Path, flow: str) -> Result:
    from ackclock.results import Result

    if is_file(folder, "sweep.toml"):
        raise ExplainError(
            f"{folder}: the folder of a sweep, whose runs keep no decisions; give its scenario.toml"
        )
    result = Result.load(folder)
    _check_name(result, flow)
    recorded = {result.plan["flows"][at]["name"] for at in _recorded_flows(result)}
    if flow not in recorded:
        raise ExplainError(
            f"{folder}: the decisions of '{flow}' were not recorded; run the scenario with "
            f'record.decisions = ["{flow}"], or give {folder / "scenario.toml"}, which is then '
            "run again"
        )
    return result


def _run_again(file: Path, flow: str) -> Result:
    from ackclock.engine.run import run
    from ackclock.scenario import load

    scenario = load(file)
    known = [entry["name"] for entry in scenario.plan()["flows"]]
    if flow not in known:
        raise ExplainError(f"{file}: {_no_flow(flow, known)}")
    return run(scenario.replace({"record.decisions": [flow]}))


def _recorded_flows(result: Result) -> list[int]:
    record: dict[str, Any] = dict(result.plan.get("record", {}))
    return list(record.get("decision_flows", []))


def _check_name(result: Result, flow: str) -> None:
    known = [entry["name"] for entry in result.plan["flows"]]
    if flow not in known:
        raise ExplainError(_no_flow(flow, known))


def _no_flow(flow: str, known: list[str]) -> str:
    shown = ", ".join(known[:_MOST_NAMED]) + (", ..." if len(known) > _MOST_NAMED else "")
    return f"there is no TCP flow '{flow}', only {shown}{did_you_mean(flow, known)}"


def rows_of(result: Result, flow: str) -> pl.DataFrame:
    """Return the decisions of a flow, in the order of time.

    Raises
    ------
    ExplainError
        If there is no such flow, or it decided nothing.
    """
    import polars as pl

    _check_name(result, flow)
    rows = result.decisions.filter(pl.col("flow") == flow)
    if rows.is_empty():
        raise ExplainError(f"the flow '{flow}' decided nothing: it started after the run's end")
    return rows


def mss_of(result: Result, flow: str) -> int:
    """Return the payload of a full segment of a flow, bytes."""
    return int(
        next(entry["transport"]["mss"] for entry in result.plan["flows"] if entry["name"] == flow)
    )
