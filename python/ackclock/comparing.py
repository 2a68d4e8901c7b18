"""Many runs side by side: every variant, at every setting, with the same seeds."""

from __future__ import annotations

import itertools
import json
import os
import threading
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from pydantic import ValidationError

from ackclock.cc import spec_of
from ackclock.chance import chance_of_plan, decide
from ackclock.scenario import Scenario, ScenarioError, load
from ackclock.scenario.compare import Compare
from ackclock.scenario.distributions import watched_draws
from ackclock.scenario.errors import did_you_mean, shown, translate
from ackclock.scenario.quantities import PS_PER_S, time_ps
from ackclock.scenario.record import recorded_for
from ackclock.scenario.watchdog import interrupt_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ackclock.chance import Chance
    from ackclock.estimating import Estimate, Size
    from ackclock.metrics import Metric
    from ackclock.results import Comparison
    from ackclock.scenario.plan import Plan

__all__ = ["Progress", "compare", "cores"]


Engine = Literal["sim", "linux"]
"""What runs a variant: the simulator, or this machine's kernel."""

# How long Ctrl-C may go unheard, s.
_PATIENCE_S = 0.1


@dataclass(frozen=True)
class Progress:
    """How far a comparison is."""

    finished: int
    """Runs that are done."""
    runs: int
    """Runs in all."""
    share: float
    """Share of the simulated work that is done, 0 to 1."""


@dataclass(frozen=True)
class _Cell:
    """One run to be made."""

    variant: str
    along: dict[str, Any]
    scenario: Scenario
    engine: Engine = "sim"
    seconds: float = 0.0
    """What its simulation takes, about, s."""

    @property
    def weight(self) -> float:
        """Seconds that the run takes, about; on the kernel those that it lasts."""
        if self.engine == "linux":
            return float(time_ps(self.scenario.duration)) / PS_PER_S
        return self.seconds


class _StoppedError(Exception):
    """Another run failed, or the user wants no more."""


class _Meter:
    """Adds up the progress of runs on several threads, and ends them all when one must end."""

    def __init__(self, cells: Sequence[_Cell], progress: Callable[[Progress], None] | None) -> None:
        self._weights = [cell.weight for cell in cells]
        self._shares = [0.0] * len(cells)
        self._finished = 0
        self._progress = progress
        self._lock = threading.Lock()
        self.stop = threading.Event()
        self.threads: set[int] = set()

    def report(self, index: int, share: float) -> None:
        """Take note of one run's progress."""
        if self.stop.is_set():
            raise _StoppedError
        with self._lock:
            self._shares[index] = share
            self._tell()

    def finish(self, index: int) -> None:
        """Take note that one run is done."""
        with self._lock:
            self._shares[index] = 1.0
            self._finished += 1
            self._tell()

    def _tell(self) -> None:
        if self._progress is not None:
            done = sum(weight * share for weight, share in zip(self._weights, self._shares, strict=True))
            self._progress(Progress(self._finished, len(self._weights), done / sum(self._weights)))


def _labels(values: Sequence[Any]) -> list[Any]:
    """Values as a table's column can hold them: numbers if all are, else text."""
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return list(values)
    return [value if isinstance(value, str) else json.dumps(value) for value in values]


def _settings(along: Mapping[str, Sequence[Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Every combination: labels and values by key."""
    columns = [list(zip(_labels(values), values, strict=True)) for values in along.values()]
    for row in itertools.product(*columns):
        yield (
            {key: label for key, (label, _) in zip(along, row, strict=True)},
            {key: value for key, (_, value) in zip(along, row, strict=True)},
        )


def _variants(scenarios: Sequence[Scenario], cc: Sequence[str] | None, flows: Sequence[str] | None) -> list[tuple[str, Scenario]]:
    from ackclock.results.text import short_cc

    names = [scenario.name for scenario in scenarios]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise ScenarioError(
                f"'{name}' is the name of two of the scenarios: give each its own", key="name", value=name, file=scenarios[index].file
            )
    if cc is None:
        return list(zip(names, scenarios, strict=True))
    for index, spec in enumerate(cc):
        if spec in cc[:index]:
            raise ScenarioError(f"'{spec}' is there twice", key="compare.cc", value=spec, file=scenarios[0].file)
    short = [short_cc(spec) for spec in cc]
    found = []
    for name, scenario in zip(names, scenarios, strict=True):
        for spec, brief in zip(cc, short, strict=True):
            known_as = brief if short.count(brief) == 1 else spec
            label = known_as if len(scenarios) == 1 else f"{name} {known_as}"
            found.append((label, _with_cc(scenario, spec, flows)))
    return found


def _spec(cc: str | type[Any], file: str | None) -> str:
    try:
        return cc if isinstance(cc, str) else spec_of(cc)
    except ValueError as error:
        raise ScenarioError(str(error), key="compare.cc", value=cc, file=file) from None


def _with_cc(scenario: Scenario, cc: str, flows: Sequence[str] | None) -> Scenario:
    names = scenario.entry_names()
    for name in flows or []:
        if name not in names:
            raise ScenarioError(
                f"there is no entry '{name}' in flows, only {', '.join(names)}{did_you_mean(name, names)}",
                key="compare.flows",
                value=name,
                file=scenario.file,
            )
    streams = {name for name, flow in zip(names, scenario.flows, strict=True) if flow.is_stream}
    for name in flows or []:
        if name in streams:
            raise ScenarioError(
                f"'{name}' is a UDP stream, which has no congestion control", key="compare.flows", value=name, file=scenario.file
            )
    chosen = [index for index, name in enumerate(names) if name not in streams and (flows is None or name in flows)]
    return scenario.replace({f"flows.{index}.cc": cc for index in chosen})


def _check_along(along: Mapping[str, Sequence[Any]], file: str | None) -> None:
    for key, values in along.items():
        if key == "seed" or key.split(".")[0] == "compare":
            raise ScenarioError(
                f"'{key}' cannot vary here; the number of seeds is compare.seeds", key="compare.along", value=key, file=file
            )
        if not values:
            raise ScenarioError(f"'{key}' has no values", key="compare.along", value=key, file=file)
        labels = _labels(values)
        for index, label in enumerate(labels):
            if label in labels[:index]:
                raise ScenarioError(f"{shown(label)} is there twice", key=f"compare.along.{key}", value=label, file=file)


def _engines(on: Sequence[Engine] | None, file: str | None) -> list[Engine]:
    engines: list[Engine] = ["sim"] if on is None else list(on)
    known = get_args(Engine)
    for index, engine in enumerate(engines):
        if engine not in known:
            raise ScenarioError(
                f"{shown(engine)} is not one of {', '.join(known)}{did_you_mean(engine, known)}", key="compare.on", value=engine, file=file
            )
        if engine in engines[:index]:
            raise ScenarioError(f"'{engine}' is there twice", key="compare.on", value=engine, file=file)
    if not engines:
        raise ScenarioError("nothing to run on: name sim, linux or both", key="compare.on", value=on, file=file)
    return engines


def _check_kernel(scenarios: Sequence[Scenario]) -> None:
    """Say before the runs what this machine's kernel cannot do."""
    if not scenarios:
        return
    from ackclock.linux import check_capacity, linux_plan, require_namespaces

    plans = [linux_plan(scenario)["plan"] for scenario in scenarios]
    require_namespaces()
    for scenario, plan in zip(scenarios, plans, strict=True):
        check_capacity(scenario, plan)


def _names(plan: Plan) -> Plan:
    flows = [element["name"] for flow in plan["flows"] for element in (flow["part_of"], flow) if element is not None]
    streams = [stream["name"] for stream in plan["streams"]]
    return {"flows": list(dict.fromkeys([*flows, *streams])), "streams": streams, "links": [link["name"] for link in plan["links"]]}


def _starts(text: str, file: str | None) -> str | None:
    try:
        return Compare.model_validate({"starts": text}).starts
    except ValidationError as errors:
        error = translate(errors, {"starts": text}, file)
        raise ScenarioError(error.message, key="compare.starts", value=text, file=file) from None


def _metric(name: str, scenario: Scenario) -> Metric:
    from ackclock.metrics import UnknownMetricError, find_metric

    try:
        return find_metric(name, scenario.finder.folder)
    except UnknownMetricError as error:
        raise ScenarioError(str(error), key="compare.metric", value=name, file=scenario.file) from None


def _check_element(metric: Metric, plans: Sequence[Plan], file: str | None) -> None:
    """Say before the runs, and not after, that they have no such flow or link."""
    if metric.element is None:
        return
    for plan in plans:
        names = plan[metric.of]
        if metric.element not in names:
            raise ScenarioError(
                f"{shown(metric.name)}: a run has no {metric.of[:-1]} '{metric.element}'{did_you_mean(metric.element, names)}",
                key="compare.metric",
                value=metric.name,
                file=file,
            )


def _run_cell(cell: _Cell, index: int, meter: _Meter, metric: Metric | None) -> dict[str, Any]:
    from ackclock.linux import run_on_linux
    from ackclock.running import run

    if meter.stop.is_set():
        raise _StoppedError
    meter.threads.add(threading.get_ident())

    def tell(share: float) -> None:
        meter.report(index, share)

    # Whether there is room for all of them has been looked at before.
    result = run_on_linux(cell.scenario, progress=tell) if cell.engine == "linux" else run(cell.scenario, progress=tell, force=True)
    figures = {} if metric is None or metric.from_summary else {"figures": {metric.name: metric.value(result)}}
    meter.finish(index)
    return {"variant": cell.variant, "along": cell.along, "seed": cell.scenario.seed, "summary": result.summary(), **figures}


def _run_all(
    cells: Sequence[_Cell], workers: int, progress: Callable[[Progress], None] | None, metric: Metric | None
) -> list[dict[str, Any]]:
    meter = _Meter(cells, progress)
    done = _simulate_all(cells, workers, meter, metric)
    # One after another, and with nothing of ours beside them: they keep time.
    for index, cell in enumerate(cells):
        if cell.engine == "linux":
            done[index] = _run_cell(cell, index, meter, metric)
    return [done[index] for index in range(len(cells))]


def _simulate_all(cells: Sequence[_Cell], workers: int, meter: _Meter, metric: Metric | None) -> dict[int, dict[str, Any]]:
    simulated = [index for index, cell in enumerate(cells) if cell.engine == "sim"]
    # The longest first, so that no core waits at the end; results stand in the order of the cells all the same.
    order = sorted(simulated, key=lambda index: -cells[index].weight)
    with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="run") as pool:
        futures = {index: pool.submit(_run_cell, cells[index], index, meter, metric) for index in order}
        try:
            waiting = set(futures.values())
            failed: list[BaseException] = []
            while waiting and not failed:
                # Not without a timeout: where another thread takes the signal, a wait without end is not interrupted by Ctrl-C.
                done, waiting = wait(waiting, timeout=_PATIENCE_S, return_when=FIRST_EXCEPTION)
                # In their order: of several that failed, the first is told.
                failed = [error for future in futures.values() if future in done and (error := future.exception()) is not None]
            for error in sorted(failed, key=lambda error: isinstance(error, _StoppedError)):
                raise error  # noqa: TRY301 - the handler below ends the other runs
            return {index: futures[index].result() for index in simulated}
        except BaseException:
            meter.stop.set()
            while wait(futures.values(), timeout=_PATIENCE_S).not_done:
                # A run that was not begun does not end, either.
                pool.shutdown(wait=False, cancel_futures=True)
                interrupt_threads(meter.threads)
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def compare(
    scenarios: Scenario | str | Path | Sequence[Scenario | str | Path],
    *,
    cc: Sequence[str | type[Any]] | None = None,
    flows: Sequence[str] | None = None,
    along: Mapping[str, Sequence[Any]] | None = None,
    seeds: int | None = None,
    metric: str | None = None,
    on: Sequence[Engine] | None = None,
    starts: str | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    force: bool = False,
    tell: Callable[[Estimate], None] | None = None,
) -> Comparison:
    """Run every variant at every setting with every seed, on all cores.

    A variant is a scenario, or a scenario with one of the algorithms in `cc`. Every variant sees the same seeds, and so
    the same draws: differences are between like and like. What is not given is taken from the ``[compare]`` table of
    the first scenario.

    Parameters
    ----------
    scenarios
        One or more scenarios, or paths of their files.
    cc
        Algorithms, names or classes of your own, that replace the one of the flows; the first is the base of the differences.
    flows
        Entries of flows whose algorithm is replaced; by default all.
    along
        Values by dotted key, as ``--set`` takes it; every combination is a setting.
    seeds
        Number of seeds: the scenario's and those that follow it.
    metric
        What the table shows, and what it needs is recorded; by default goodput, queueing delay, losses and fairness.
    on
        What runs every variant: `"sim"`, the simulator (by default), `"linux"`, this machine's kernel in real time, or both; a variant on
        the kernel is called `VARIANT (linux)`. Runs on the kernel follow one after another, with nothing of ours beside them.
    starts
        Starts of the simulated flows: `"fixed"`, as the scenarios say; a time such as `"40ms"`, drawn within it after that; `"auto"`, the
        default: drawn within one base RTT if there are several seeds and nothing else is random.
    workers
        Simulations at the same time; by default as many as there are cores. It changes no result.
    progress
        Called, now from one thread and now from another but never from two at once, as runs advance.
    force
        Run even what this machine has no memory for.
    tell
        Called once with the estimate of all simulations, before any, if they are long or large.

    Returns
    -------
    Comparison
        Its ``table()``, ``plot()`` and ``write(folder)``.

    Raises
    ------
    ScenarioError
        If anything is wrong in any of the scenarios, or the kernel cannot do what one asks for; nothing has run then.
    TooLargeError
        If the memory that is free does not suffice for as many runs at the same time.
    LinuxError
        If variants shall run on a kernel, and this machine does not let them.
    AlgorithmError
        If a congestion control of your own raises, or gives an impossible answer.
    MetricError
        If a metric of your own does.
    """
    from ackclock.estimating import check_many, size_of
    from ackclock.results import Comparison

    given = [scenarios] if isinstance(scenarios, Scenario | str | Path) else list(scenarios)
    loaded = [one if isinstance(one, Scenario) else load(one) for one in given]
    if not loaded:
        raise ScenarioError("no scenario to compare", key="scenarios")
    first = loaded[0]
    asked = first.compare or Compare()
    if cc is None:
        cc = asked.cc
    specs = None if cc is None else [_spec(one, first.file) for one in cc]
    if flows is None:
        flows = asked.flows
    along = dict(asked.along if along is None else along)
    seeds = asked.seeds if seeds is None else seeds
    starts = asked.starts if starts is None else _starts(starts, first.file)
    metric = asked.metric if metric is None else metric
    engines = _engines(asked.on if on is None else on, first.file)
    if seeds < 1:
        raise ScenarioError(
            f"{seeds} is too small: a comparison needs at least one seed", key="compare.seeds", value=seeds, file=first.file
        )
    _check_along(along, first.file)
    figure = None if metric is None else _metric(metric, first)

    plans: list[Plan] = []  # only the names: the rest of a plan of many flows is large
    sizes: list[Size] = []
    reads_tables = figure is not None and bool(figure.needs)
    chances: list[Chance] = []
    settings: list[tuple[str, dict[str, Any], Scenario]] = []
    variants = _variants(loaded, specs, flows)
    for labels, values in _settings(along):
        for variant, scenario in variants:
            setting = scenario.replace({**values, "record": recorded_for(() if figure is None else figure.needs, scenario)})
            with watched_draws() as drawn:
                plan = setting.plan()
            plans.append(_names(plan))
            sizes.append(size_of(plan, writes=reads_tables, plots=False, bounds=False))
            chances.append(chance_of_plan(plan, drawn))
            settings.append((variant, labels, setting))
    chosen = decide(chances, starts, several=seeds > 1 and "sim" in engines, varied=along)
    cells: list[_Cell] = []
    for (variant, labels, setting), size in zip(settings, sizes, strict=True):
        for engine in engines:
            # The kernel's own timing makes its runs differ.
            label, used = (variant, chosen.applied(setting)) if engine == "sim" else (f"{variant} (linux)", setting)
            cells += [_Cell(label, labels, used.replace({"seed": used.seed + offset}), engine, size.seconds) for offset in range(seeds)]
    if figure is not None:
        _check_element(figure, plans, first.file)
    _check_kernel([cell.scenario for cell in cells if cell.engine == "linux"])
    if "sim" in engines:
        counts = [seeds] * len(sizes)
        check_many(sizes, counts, lambda at: settings[at][2], workers=workers or cores(), force=force, tell=tell)
    results = _run_all(cells, workers or cores(), progress, figure)
    effective = Compare.model_validate(
        {
            "along": {key: list(values) for key, values in along.items()},
            "seeds": seeds,
            **({} if specs is None else {"cc": specs}),
            **({} if flows is None else {"flows": list(flows)}),
            **({} if metric is None else {"metric": metric}),
            **({} if starts is None else {"starts": starts}),
            **({} if engines == ["sim"] else {"on": engines}),
        }
    )
    base = first.replace({"compare": effective.model_dump(exclude_none=True)})
    of_settings = {(tuple(labels.values()), variant): chance for (variant, labels, _), chance in zip(settings, chances, strict=True)}
    return Comparison(results, metric=figure, scenario=base, starts=chosen, chances=of_settings)
