"""A comparison: a sweep whose axis is the variant, and whose replications are the seeds."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ackclock.cc import spec_of
from ackclock.messages import did_you_mean
from ackclock.scenario import Scenario, ScenarioError, load
from ackclock.scenario.compare import Compare
from ackclock.scenario.engine import SIMULATOR
from ackclock.scenario.errors import translate
from ackclock.sweeps.engines import chosen_engines
from ackclock.sweeps.left import left_of
from ackclock.sweeps.limits import flows_of
from ackclock.sweeps.making import make_design
from ackclock.sweeps.sweeping import check_room, kept_in, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Executor

    from ackclock.engine.cost_model import Estimate
    from ackclock.scenario.engine import Engine
    from ackclock.sweeps.design import Design
    from ackclock.sweeps.result import SweepResult
    from ackclock.sweeps.running import Progress

__all__ = ["DEFAULT_METRICS", "VARIANT", "compare", "comparison_of"]

VARIANT = "variant"
"""Name of the axis of a comparison's variants."""
DEFAULT_METRICS = ("goodput", "queue_delay.p95", "loss_rate", "fct.mean", "jain_index")
"""Metrics of a comparison that names none."""
# Keys of a sweep's table, and their names in a comparison.
_KEYS = {
    "replications": "seeds",
    "responses": "metric",
    "starts": "starts",
    "stop": "stop",
    "confidence": "confidence",
}


def compare(
    scenarios: Scenario | str | Path | Sequence[Scenario | str | Path],
    *,
    cc: Sequence[str | type[Any]] | None = None,
    flows: Sequence[str] | None = None,
    along: Mapping[str, Sequence[Any]] | None = None,
    seeds: int | None = None,
    metric: str | None = None,
    on: Sequence[str] | None = None,
    starts: str | None = None,
    stop: Mapping[str, Any] | None = None,
    store: str | Path | None = None,
    executor: Executor | str = "threads",
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    force: bool = False,
    tell: Callable[[Estimate], None] | None = None,
) -> SweepResult:
    """Run every variant at every setting with every seed, on all cores.

    A variant is a scenario, or a scenario with one of the algorithms in `cc`. Every variant sees
    the same seeds, and so the same draws: differences are between like and like. Defaults are those
    of the first scenario's ``[compare]`` table. A comparison is a sweep; `sweep` can do more.

    Parameters
    ----------
    scenarios
        One or more scenarios, or paths of their files; all of one seed.
    cc
        Algorithms, by name or as your classes, that replace the flows' algorithm; the first is the
        base of the differences.
    flows
        Entries of flows whose algorithm is replaced; by default all.
    along
        Values by dotted key, as ``--set`` takes it; each key is an axis of that name.
    seeds
        Number of seeds, counted up from the scenario's.
    metric
        Metric that the tables show; its inputs are recorded. By default goodput, queueing delay,
        losses, completion times and fairness. The results keep every metric of summaries.
    on
        Engines that run every variant: `"sim"`, the simulator (by default); `"linux"`, this
        machine's kernel in real time; `"virtual:NAME"`, a kernel in virtual time of
        ``ackclock kernel list``, and `"virtual"`, the newest. A variant on a kernel is called
        `VARIANT (linux)` or `VARIANT (virtual NAME)`. Runs in real time follow one after another,
        after all others.
    starts
        Starts of the simulated flows. `"fixed"`: as the scenarios say. A time such as `"40ms"`:
        drawn within this time after the scenario's start. `"auto"`, the default: drawn within one
        base RTT if there are several seeds and nothing else is random.
    stop
        Rule that adds seeds until an interval is narrow, as in `ackclock.sweep`:
        ``{"response": "goodput", "relative": 0.02, "most": 200}``. With
        ``"comparison": "variant"`` it looks at the interval of the differences.
    store
        Folder that keeps the runs, so that none is made twice; by default a temporary one.
    executor
        Worker pool of the simulations, as in `ackclock.sweep`.
    workers
        Simulations at the same time; by default one per core. The number changes no result.
    progress
        Called from this thread as runs advance.
    force
        Run even what this machine has no memory for.
    tell
        Called once with the estimate of all simulations, before any, if they are long or large.

    Returns
    -------
    SweepResult
        A result with ``runs``, ``table()``, ``difference()``, ``plot()`` and ``write(folder)``. The
        column ``variant`` names the variants; a single variant without `cc` has no such column.

    Raises
    ------
    ScenarioError
        If a scenario is wrong, or asks for something that the kernel cannot do; nothing has run.
    TooLargeError
        If the free memory does not suffice for so many runs at the same time.
    LinuxError
        If variants are to run on a kernel, and this machine does not allow it.
    AlgorithmError
        If a congestion control that you wrote raises, or gives an impossible answer.
    MetricError
        If a metric that you wrote raises, or gives an impossible answer.

    Examples
    --------
    >>> import ackclock as ac
    >>> base = ac.dumbbell(
    ...     rate="5Mbit/s", rtt="20ms", buffer="1bdp", flows=[ac.flow("reno")], duration="3s"
    ... )
    >>> ac.compare(base, cc=["reno", "cubic"]).table("lost_packets")["variant"].to_list()
    ['reno', 'cubic']
    """
    design = comparison_of(
        scenarios,
        cc=cc,
        flows=flows,
        along=along,
        seeds=seeds,
        metric=metric,
        on=on,
        starts=starts,
        stop=stop,
    )
    left = left_of(design, store)
    check_room(design, left, executor=executor, workers=workers, force=force, tell=tell)
    return kept_in(store, design, executor=executor, workers=workers, progress=progress)


def comparison_of(
    scenarios: Scenario | str | Path | Sequence[Scenario | str | Path],
    *,
    cc: Sequence[str | type[Any]] | None = None,
    flows: Sequence[str] | None = None,
    along: Mapping[str, Sequence[Any]] | None = None,
    seeds: int | None = None,
    metric: str | None = None,
    on: Sequence[str] | None = None,
    starts: str | None = None,
    stop: Mapping[str, Any] | None = None,
) -> Design:
    """The design of a comparison, with every setting checked; parameters as in `compare`."""
    given = [scenarios] if isinstance(scenarios, Scenario | str | Path) else list(scenarios)
    loaded = [scenario if isinstance(scenario, Scenario) else load(scenario) for scenario in given]
    if not loaded:
        raise ScenarioError("no scenario to compare", key="scenarios")
    first = loaded[0]
    asked = _asked(
        first,
        {
            "cc": None if cc is None else [_spec(spec, first.file) for spec in cc],
            "flows": None if flows is None else list(flows),
            "along": None if along is None else plain(along, "compare.along", first.file),
            "seeds": seeds,
            "metric": metric,
            "on": [on] if isinstance(on, str) else on,
            "starts": starts,
            "stop": stop,
        },
    )
    _check_names(loaded)
    engines = chosen_engines(asked.on or [str(SIMULATOR)], "compare.on", first.file)
    axes = _axes_along(asked.along, first.file)
    variant = _variant(loaded, asked, engines)
    axes += [variant] if variant is not None else []
    repeats = any(engine.kind != "linux" for engine in engines)
    several = asked.seeds > 1 or asked.stop is not None
    table = {
        "axes": axes,
        "replications": asked.seeds,
        "responses": [_response(asked.metric, first)] if asked.metric else list(DEFAULT_METRICS),
        "every_metric": True,
        "comparisons": [VARIANT] if variant is not None and len(variant["labels"]) > 1 else [],
        # A single run, and a run in real time, start as the scenario says.
        **({"starts": asked.starts} if asked.starts and several and repeats else {}),
        **({} if asked.stop is None else {"stop": asked.stop.model_dump(exclude_none=True)}),
    }
    try:
        design = make_design(first.without("compare", "sweep").replace({"sweep": table}))
    except ScenarioError as error:
        raise _in_words_of_a_comparison(error, axes, first.file) from None
    if not asked.metric and not any(
        flows_of(design.scenario_at(at)) > 1 for at in range(len(design.settings))
    ):
        # A single flow shares with no other: no fairness.
        design.responses = tuple(
            response for response in design.responses if response.name != "jain_index"
        )
    return design


def _asked(first: Scenario, given: Mapping[str, Any]) -> Compare:
    """The table [compare], where given values replace the table's."""
    table = {} if first.compare is None else first.compare.model_dump(exclude_unset=True)
    data = {**table, **{key: value for key, value in given.items() if value is not None}}
    try:
        return Compare.model_validate(data, context={"folder": first.folder})
    except ValidationError as errors:
        error = translate(errors, data, first.file)
        raise ScenarioError(
            error.message, key=f"compare.{error.key}", value=error.value, file=first.file
        ) from None


def _spec(cc: str | type[Any], file: str | None) -> str:
    try:
        return cc if isinstance(cc, str) else spec_of(cc)
    except ValueError as error:
        raise ScenarioError(str(error), key="compare.cc", value=cc, file=file) from None


def _check_names(scenarios: Sequence[Scenario]) -> None:
    names = [scenario.name for scenario in scenarios]
    for index, (name, scenario) in enumerate(zip(names, scenarios, strict=True)):
        if name in names[:index]:
            raise ScenarioError(
                f"'{name}' is the name of two of the scenarios: give each its own",
                key="name",
                value=name,
                file=scenario.file,
            )
        if scenario.seed != scenarios[0].seed:
            raise ScenarioError(
                f"{scenario.seed} is not the seed of the first scenario, {scenarios[0].seed}: "
                "variants are compared seed by seed, so give both one (--seed)",
                key="seed",
                value=scenario.seed,
                file=scenario.file,
            )


def _axes_along(along: Mapping[str, Sequence[Any]], file: str | None) -> list[dict[str, Any]]:
    for key in along:
        if key == "seed" or key.split(".")[0] == "compare":
            raise ScenarioError(
                f"'{key}' cannot vary here; the number of seeds is compare.seeds",
                key="compare.along",
                value=key,
                file=file,
            )
    return [{"name": key, key: list(values)} for key, values in along.items()]


def _variant(
    scenarios: Sequence[Scenario], asked: Compare, engines: Sequence[Engine]
) -> dict[str, Any] | None:
    """The axis of the variants; None if the only variant is the unchanged scenario."""
    from ackclock.tables.quantities import short_cc

    first = scenarios[0]
    specs = asked.cc
    if specs is None and len(scenarios) == 1 and list(engines) == [SIMULATOR]:
        return None
    for index, spec in enumerate(specs or []):
        if spec in (specs or [])[:index]:
            raise ScenarioError(
                f"'{spec}' is there twice", key="compare.cc", value=spec, file=first.file
            )
    short = [short_cc(spec) for spec in specs or []]
    known_as = [
        brief if short.count(brief) == 1 else spec
        for spec, brief in zip(specs or [], short, strict=True)
    ]
    # With one scenario the axis varies the algorithms; with several, whole scenarios.
    columns: dict[str, list[Any]] = {}
    labels: list[str] = []
    for scenario in scenarios:
        keys = [] if specs is None else _keys_of_cc(scenario, asked.flows)
        for spec, brief in zip(specs or [""], known_as or [scenario.name], strict=True):
            changes: dict[str, Any] = dict.fromkeys(keys, spec)
            if len(scenarios) > 1:
                changes = {"scenario": _whole(scenario.replace(changes), first)}
            label = (
                f"{scenario.name} {brief}" if len(scenarios) > 1 and specs is not None else brief
            )
            for engine in engines:
                labels.append(label if engine == SIMULATOR else f"{label} ({engine.label})")
                for key, value in changes.items():
                    columns.setdefault(key, []).append(value)
                if list(engines) != [SIMULATOR]:
                    columns.setdefault("on", []).append(str(engine))
    return {"name": VARIANT, **columns, "labels": labels}


def _keys_of_cc(scenario: Scenario, flows: Sequence[str] | None) -> list[str]:
    """Keys of the algorithms that the variants replace."""
    names = scenario.entry_names()
    streams = {name for name, flow in zip(names, scenario.flows, strict=True) if flow.is_stream}
    for name in flows or []:
        if name not in names or name in streams:
            why = (
                f"'{name}' is a UDP stream, which has no congestion control"
                if name in streams
                else f"there is no entry '{name}' in flows, only {', '.join(names)}"
                f"{did_you_mean(name, names)}"
            )
            raise ScenarioError(why, key="compare.flows", value=name, file=scenario.file)
    return [
        f"flows.{index}.cc"
        for index, name in enumerate(names)
        if name not in streams and (flows is None or name in flows)
    ]


def _whole(scenario: Scenario, first: Scenario) -> dict[str, Any]:
    """A scenario as a value of an axis."""
    data = scenario.without("compare", "sweep").data()
    if scenario.folder is not None and scenario.folder != first.folder:
        data["folder"] = str(scenario.folder)
    return data


def _response(metric: str, scenario: Scenario) -> dict[str, str]:
    from ackclock.metrics import UnknownMetricError, find_metric

    try:
        figure = find_metric(metric, scenario.finder.folder)
    except UnknownMetricError as error:
        raise ScenarioError(
            str(error), key="compare.metric", value=metric, file=scenario.file
        ) from None
    return {"metric": metric, "name": figure.name}


def _in_words_of_a_comparison(
    error: ScenarioError, axes: Sequence[Mapping[str, Any]], file: str | None
) -> ScenarioError:
    """A sweep's error with the key that the user of a comparison writes."""
    match = re.fullmatch(r"sweep\.axes\.(\d+)\.?(.*)", error.key)
    parts = error.key.split(".")
    if match is not None:
        is_variant = axes[int(match[1])]["name"] == VARIANT
        what = match[2].split(".")[0] if is_variant else ""
        key = (
            f"compare.{'on' if what == 'on' else 'cc' if what == 'flows' else 'scenarios'}"
            if is_variant
            else f"compare.along.{match[2]}"
        )
    elif parts[0] == "sweep" and len(parts) > 1 and parts[1] in _KEYS:
        rest = [] if parts[1] == "responses" else parts[2:]
        key = ".".join(["compare", _KEYS[parts[1]], *rest])
    else:
        return error
    return ScenarioError(error.message, key=key, value=error.value, file=error.file or file)
