"""Run a sweep from Python: design, runs, analysis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io import scratch
from ackclock.cc import spec_of
from ackclock.scenario import Scenario, ScenarioError, load
from ackclock.sweeps.left import left_of
from ackclock.sweeps.making import make_design, read_design

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from ackclock.engine.cost_model import Estimate
    from ackclock.sweeps.cost import Left
    from ackclock.sweeps.design import Design
    from ackclock.sweeps.result import SweepResult
    from ackclock.sweeps.running import Progress, RunReport
    from ackclock.sweeps.store import Store

__all__ = [
    "carry_out",
    "check_room",
    "design_of",
    "find_warmup",
    "kept_in",
    "open_sweep",
    "plain",
    "sweep",
]


def sweep(
    scenario: Scenario | str | Path,
    *,
    axes: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None,
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

    Defaults are those of the scenario's table ``[sweep]``.

    Parameters
    ----------
    scenario
        A scenario, or the path of its file.
    axes
        One table per axis: ``{"network.bottleneck.limit": ["5 packets", "10 packets"]}``; several
        keys in one table vary together. A range is
        ``{"flows.count": {"from": 1, "to": 100, "points": 5, "spacing": "log"}}``. A value of
        ``flows.cc`` may be a class that you wrote. A mapping in place of the list has one axis per
        key: ``{"cc": ["reno", Mine], "network.rtt": ["20ms", "80ms"]}``.
    replications
        Number of seeds, counted up from the scenario's.
    responses
        Metrics, or tables:
        ``{"name": "share", "metric": "goodput", "flows": "cubic", "over": "total"}``.
    comparisons
        Axes along which runs are compared seed by seed, or tables:
        ``{"axis": "cc", "base": "reno", "ratio": True}``.
    stop
        Rule that adds seeds until an interval is narrow:
        ``{"response": "goodput", "relative": 0.02, "most": 200, "batch": 10}``.
    warmup
        ``"auto"``: found by pilot runs; by default the scenario's warm-up.
    confidence
        Confidence of the intervals; 0.95 by default.
    starts
        Starts of flows. ``"fixed"``: as the scenario says. A time such as ``"40ms"``: drawn within
        this time after the scenario's start. ``"auto"``, the default: drawn within one base RTT if
        there are several seeds and nothing else is random.
    store
        Folder that keeps the runs, so that none is made twice; by default a temporary one.
    executor
        Worker pool: ``"threads"``, ``"processes"``, the address of a Dask scheduler, or any
        ``concurrent.futures.Executor``.
    workers
        Runs at the same time; by default one per core. The number changes no result.
    progress
        Function that is called as runs finish.
    force
        Run even if the free memory does not suffice.

    Returns
    -------
    SweepResult
        A result with ``runs``, ``responses``, ``differences``, ``plot`` and ``write(folder)``.

    Raises
    ------
    ScenarioError
        If the sweep, or the scenario of one of its settings, is wrong; nothing has run.
    TooLargeError
        If the free memory does not suffice for so many runs at the same time.
    AlgorithmError
        If a congestion control that you wrote raises, or gives an impossible answer.
    MetricError
        If a metric that you wrote raises, or gives an impossible answer.
    SweepError
        If a run fails for another reason; finished runs are kept in the store.

    Examples
    --------
    >>> import ackclock as ac
    >>> flows = [ac.flow("reno", start="uniform(0s, 1s)")]
    >>> base = ac.dumbbell(
    ...     rate="5Mbit/s", rtt="20ms", buffer="1bdp", flows=flows, duration="3s"
    ... )
    >>> axes = [{"flows.cc": ["reno", "cubic"]}]
    >>> ac.sweep(base, axes=axes, replications=3, responses=["utilisation"]).runs.height
    6
    """
    given = {
        "axes": _tables(axes),
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
    return kept_in(store, design, executor=executor, workers=workers, progress=progress)


def _tables(
    axes: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None,
) -> Sequence[Mapping[str, Any]] | None:
    """The table of each axis; a mapping without name and labels is one axis per key."""
    if not isinstance(axes, Mapping):
        return axes
    if not {"name", "labels"}.isdisjoint(axes):
        return [axes]
    return [{key: values} for key, values in axes.items()]


def kept_in(
    store: str | Path | None,
    design: Design,
    *,
    executor: Executor | str | None,
    workers: int | None,
    progress: Callable[[Progress], None] | None,
) -> SweepResult:
    """Make the missing runs of a design, and analyse all; by default in a temporary store."""
    from ackclock.sweeps.store import Store

    with ExitStack() as until_the_end:
        if store is None:
            store = until_the_end.enter_context(scratch()).new / "runs"
        runs = Store.open(store, create=True)
        warmup_ps = find_warmup(design, runs, executor=executor, workers=workers, progress=progress)
        return carry_out(
            design, runs, warmup_ps=warmup_ps, executor=executor, workers=workers, progress=progress
        )[0]


def open_sweep(folder: str | Path) -> SweepResult:
    """Read the folder of a finished sweep or comparison.

    Parameters
    ----------
    folder
        Folder that ``ackclock sweep``, ``ackclock compare`` or ``SweepResult.write`` wrote.

    Raises
    ------
    FileNotFoundError
        If the folder holds no finished sweep.

    Examples
    --------
    >>> import ackclock as ac
    >>> from tempfile import mkdtemp
    >>> base = ac.dumbbell(rate="5Mbit/s", rtt="20ms", flows=[ac.flow("reno")], duration="3s")
    >>> folder = mkdtemp() + "/results"
    >>> _ = ac.sweep(base, axes=[{"flows.cc": ["reno", "cubic"]}], replications=2).write(folder)
    >>> ac.open_sweep(folder).runs.height
    4
    """
    from ackclock.sweeps.result import SweepResult

    return SweepResult.load(folder)


def design_of(
    scenario: Scenario, given: Mapping[str, Any] | None = None, *, checked: bool = True
) -> Design:
    """The design of a scenario's table ``[sweep]``, with other values for some of its keys.

    Parameters
    ----------
    scenario
        A scenario with or without the table.
    given
        Values by key of the table; None stands for the table's value.
    checked
        Whether to make the plan of every setting, to find errors: it takes a millisecond for each,
        more with many flows.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.sweeps import design_of
    >>> base = ac.dumbbell(rate="5Mbit/s", rtt="20ms", flows=[ac.flow("reno")], duration="3s")
    >>> design = design_of(base, {"axes": [{"flows.cc": ["reno", "cubic"]}], "replications": 2})
    >>> len(design.settings)
    2
    """
    changes = {
        key: plain(value, f"sweep.{key}", scenario.file)
        for key, value in (given or {}).items()
        if value is not None
    }
    if changes:
        table = scenario.data().get("sweep") or {}
        scenario = scenario.replace({"sweep": {**table, **changes}})
    return make_design(scenario) if checked else read_design(scenario)


def plain(value: Any, key: str, file: str | None) -> Any:
    """A value as in TOML: classes by name, sequences and arrays as lists."""
    if isinstance(value, type):
        try:
            return spec_of(value)
        except ValueError as error:
            raise ScenarioError(str(error), key=key, value=value, file=file) from None
    if isinstance(value, Mapping):
        return {name: plain(inner, f"{key}.{name}", file) for name, inner in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [plain(inner, key, file) for inner in value]
    return value


def check_room(
    design: Design,
    left: Left | None = None,
    *,
    executor: Executor | str | None = None,
    workers: int | None = None,
    force: bool = False,
    tell: Callable[[Estimate], None] | None = None,
) -> Estimate | None:
    """Estimate a sweep's runs, and refuse them if this machine has too little memory.

    `left` are the missing runs, by default all; `tell` is called with the estimate if the runs are
    long or large. Returns None if other machines may make the runs.

    Raises
    ------
    TooLargeError
        If the free memory does not suffice, unless `force` is set.
    """
    from ackclock.engine.cost_model import check_many
    from ackclock.sweeps.executors import cores

    if executor is not None and executor not in ("threads", "processes"):
        return None
    has_own_code = any(design.prepared(at).plans.code for at in range(len(design.settings)))
    sizes = design.run_sizes()
    return check_many(
        sizes,
        [
            0 if design.is_live(at) else count
            for at, count in enumerate((left or design.whole).runs)
        ],
        design.scenario_at,
        workers=workers or cores(),
        own_processes=executor == "processes" or (executor is None and has_own_code),
        force=force,
        tell=tell,
    )


def find_warmup(
    design: Design,
    store: Store,
    *,
    executor: Executor | str | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> int | None:
    """The warm-up that pilots agree on, ps; None if the design has the scenario's warm-up."""
    if design.warmup is None:
        return None
    from ackclock.sweeps.running import run_design
    from ackclock.sweeps.warmup import agreed, pilots

    report = run_design(
        pilots(design), store, executor=executor, workers=workers, progress=progress
    )
    return agreed(design, {place: row.figures for place, row in report.rows.items()})


def carry_out(
    design: Design,
    store: Store,
    *,
    warmup_ps: int | None = None,
    executor: Executor | str | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[SweepResult, RunReport]:
    """Make the missing runs of a design, and analyse all; `warmup_ps` comes from `find_warmup`."""
    from ackclock.sweeps.result import SweepResult
    from ackclock.sweeps.running import run_design
    from ackclock.sweeps.warned import warnings_of

    warmups = None if warmup_ps is None else dict.fromkeys(range(len(design.settings)), warmup_ps)
    report = run_design(
        design, store, executor=executor, workers=workers, progress=progress, warmups=warmups
    )
    return SweepResult.of(
        design, report.rows, warmup_ps=warmup_ps, warnings=warnings_of(design, report.rows)
    ), report
