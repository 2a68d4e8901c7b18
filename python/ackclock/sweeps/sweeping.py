"""A sweep from Python: designed, run or found, and analysed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from ackclock.cc import spec_of
from ackclock.scenario import Scenario, ScenarioError, load
from ackclock.sweeps.left import Left, left_of
from ackclock.sweeps.making import make_design, read_design
from ackclock.writing import scratch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from ackclock.estimating import Estimate
    from ackclock.sweeps.design import Design
    from ackclock.sweeps.result import SweepResult
    from ackclock.sweeps.running import Progress, RunReport
    from ackclock.sweeps.store import Store

__all__ = ["carry_out", "check_room", "design_of", "find_warmup", "open_sweep", "sweep"]


def sweep(
    scenario: Scenario | str | Path,
    *,
    axes: Sequence[Mapping[str, Any]] | None = None,
    replications: int | None = None,
    responses: Sequence[str | Mapping[str, Any]] | None = None,
    comparisons: Sequence[str | Mapping[str, Any]] | None = None,
    stop: Mapping[str, Any] | None = None,
    warmup: str | None = None,
    confidence: float | None = None,
    starts: str | None = None,
    store: str | Path | None = None,
    executor: Executor | str | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    force: bool = False,
) -> SweepResult:
    """Run a scenario at every combination of the axes' values, with the same seeds at each.

    What is not given is taken from the scenario's table ``[sweep]``.

    Parameters
    ----------
    scenario
        A scenario, or the path of its file.
    axes
        One table per axis: ``{"network.bottleneck.limit": ["5 packets", "10 packets"]}``; several keys in one vary together. A range is
        ``{"flows.count": {"from": 1, "to": 100, "points": 5, "spacing": "log"}}``. A class of your own is a value of ``flows.cc``.
    replications
        Number of seeds: the scenario's and those that follow it.
    responses
        Metrics, or tables: ``{"name": "share", "metric": "goodput", "flows": "cubic", "over": "total"}``.
    comparisons
        Axes along which runs are compared seed by seed, or tables: ``{"axis": "cc", "base": "reno", "ratio": True}``.
    stop
        More seeds until an interval is narrow: ``{"response": "goodput", "relative": 0.02, "most": 200, "batch": 10}``.
    warmup
        ``"auto"``: found on pilots and removed; by default the scenario's own.
    confidence
        Of the intervals; 0.95 by default.
    starts
        Starts of flows: ``"fixed"``, as the scenario says; a time such as ``"40ms"``, drawn within it after that; ``"auto"``, the
        default: drawn within one base RTT if there are several seeds and nothing else is random.
    store
        Folder where runs are kept, and found when they are asked for again; by default none outlives the call.
    executor
        What makes the runs: ``"threads"``, ``"processes"``, the address of a Dask scheduler, or any ``concurrent.futures.Executor``.
    workers
        Runs at the same time; by default one per core. It changes no result.
    progress
        Called as runs finish.
    force
        Run even what this machine has no memory for.

    Returns
    -------
    SweepResult
        Its ``runs``, ``responses``, ``differences``, ``plot`` and ``write(folder)``.

    Raises
    ------
    ScenarioError
        If anything is wrong with the sweep, or with the scenario of any of its settings; nothing has run then.
    TooLargeError
        If the memory that is free does not suffice for as many runs at the same time.
    SweepError
        If a run fails; those that are finished are kept in the store.

    Examples
    --------
    >>> import ackclock as ac
    >>> base = ac.dumbbell(rate="5Mbit/s", rtt="20ms", buffer="1bdp", flows=[ac.flow("reno", start="uniform(0s, 1s)")], duration="3s")
    >>> result = ac.sweep(base, axes=[{"flows.cc": ["reno", "cubic"]}], replications=3, responses=["utilisation"])
    >>> result.runs.height
    6
    """
    from ackclock.sweeps.store import Store

    given = {
        "axes": axes,
        "replications": replications,
        "responses": responses,
        "comparisons": comparisons,
        "stop": stop,
        "warmup": warmup,
        "confidence": confidence,
        "starts": starts,
    }
    design = design_of(scenario if isinstance(scenario, Scenario) else load(scenario), given)
    check_room(design, left_of(design, store), executor=executor, workers=workers, force=force)
    with ExitStack() as until_the_end:
        if store is None:
            store = until_the_end.enter_context(scratch()).new / "runs"
        runs = Store.open(store, create=True)
        warmup_ps = find_warmup(design, runs, executor=executor, workers=workers, progress=progress)
        return carry_out(design, runs, warmup_ps=warmup_ps, executor=executor, workers=workers, progress=progress)[0]


def open_sweep(folder: str | Path) -> SweepResult:
    """Read the folder of a finished sweep.

    Parameters
    ----------
    folder
        What ``ackclock sweep`` or ``SweepResult.write`` wrote.

    Raises
    ------
    FileNotFoundError
        If it is not one.
    """
    from ackclock.sweeps.result import SweepResult

    return SweepResult.load(folder)


def design_of(scenario: Scenario, given: Mapping[str, Any] | None = None, *, checked: bool = True) -> Design:
    """The design of a scenario's table ``[sweep]``, with other values for some of its keys; None there means: as the table has it.

    Parameters
    ----------
    scenario
        With or without the table.
    given
        Other values, by key of the table.
    checked
        Whether every setting is made once, so that whatever is wrong with one is said: a millisecond for each, more for many flows.
    """
    changes = {key: _plain(value, f"sweep.{key}", scenario.file) for key, value in (given or {}).items() if value is not None}
    if changes:
        table = scenario.data().get("sweep") or {}
        scenario = scenario.replace({"sweep": {**table, **changes}})
    return make_design(scenario) if checked else read_design(scenario)


def _plain(value: Any, key: str, file: str | None) -> Any:
    """As TOML gives it: classes by their names, sequences and arrays as lists."""
    if isinstance(value, type):
        try:
            return spec_of(value)
        except ValueError as error:
            raise ScenarioError(str(error), key=key, value=value, file=file) from None
    if isinstance(value, Mapping):
        return {name: _plain(inner, f"{key}.{name}", file) for name, inner in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [_plain(inner, key, file) for inner in value]
    return value


def check_room(
    design: Design,
    left: Left | None = None,
    *,
    executor: Executor | str | None = None,
    workers: int | None = None,
    force: bool = False,
) -> Estimate | None:
    """Estimate a sweep's runs, and refuse them where this machine has no room.

    Parameters
    ----------
    design
        The sweep.
    left
        What is left of it; by default all.
    executor, workers
        What makes the runs, and how many at the same time.
    force
        Refuse nothing.

    Returns
    -------
    Estimate or None
        None where other machines make the runs.

    Raises
    ------
    TooLargeError
        If the memory that is free does not suffice.
    """
    from ackclock.comparing import cores
    from ackclock.estimating import check_many

    if executor is not None and executor not in ("threads", "processes"):
        return None
    has_own_code = any(design.prepared(at).plans.code for at in range(len(design.settings)))
    sizes = design.run_sizes()
    return check_many(
        sizes,
        (Left.everything(design) if left is None else left).runs,
        design.scenario_at,
        workers=workers or cores(),
        own_processes=executor == "processes" or (executor is None and has_own_code),
        force=force,
    )


def find_warmup(
    design: Design,
    store: Store,
    *,
    executor: Executor | str | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> int | None:
    """The warm-up that pilots agree on, ps; None where the design has the scenario's own."""
    if design.warmup is None:
        return None
    from ackclock.sweeps.running import run_design
    from ackclock.sweeps.warmup import agreed, pilots

    found = run_design(pilots(design), store, executor=executor, workers=workers, progress=progress)
    return agreed(design, {place: row.figures for place, row in found.rows.items()})


def carry_out(
    design: Design,
    store: Store,
    *,
    warmup_ps: int | None = None,
    executor: Executor | str | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[SweepResult, RunReport]:
    """Make the runs of a design that the store does not have, and analyse all; `warmup_ps` is what `find_warmup` gave."""
    from ackclock.sweeps.result import SweepResult
    from ackclock.sweeps.running import run_design
    from ackclock.sweeps.warned import warnings_of

    warmups = None if warmup_ps is None else dict.fromkeys(range(len(design.settings)), warmup_ps)
    report = run_design(design, store, executor=executor, workers=workers, progress=progress, warmups=warmups)
    return SweepResult.of(design, report.rows, warmup_ps=warmup_ps, warnings=warnings_of(design, report.rows)), report
