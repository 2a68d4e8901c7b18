"""Runs a study through one store and judges the results by its criteria."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io import make_place, scratch
from ackclock.studies.judging import judge, under_first_reading
from ackclock.studies.results import Results
from ackclock.studies.study_run import StudyRun

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ackclock.engine.cost_model import Estimate
    from ackclock.results import Result
    from ackclock.scenario import Scenario
    from ackclock.studies.study import Experiment, Recording, Study
    from ackclock.sweeps import Design, Progress
    from ackclock.sweeps.cost import Left

__all__ = ["designs", "recorded_scenarios", "run_study"]


def run_study(
    name: str | Study,
    *,
    quick: bool = False,
    store: str | Path | None = None,
    out: str | Path | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    claims: Sequence[str] | None = None,
    seeds: int | None = None,
    force: bool = False,
    tell: Callable[[Estimate], None] | None = None,
) -> StudyRun:
    """Run a paper's experiments and judge its claims.

    Parameters
    ----------
    name
        The study's name, or a study.
    quick
        Fewer seeds and settings; the same criteria.
    store
        Folder where runs are kept and found again; by default that of `out`, or one that does not
        outlive the call.
    out
        Folder that the page and claims.json are written to; None: nothing is written.
    workers
        Runs at the same time; by default one per core. It changes no result.
    progress
        Called as runs finish.
    claims
        Ids of claims and questions: these alone are judged, and only what they need is run.
    seeds
        Replications of every experiment; by default the study's own.
    force
        Run even what this machine has no memory for.
    tell
        Called once with the estimate of all runs, before any, if they are long or large.

    Raises
    ------
    TooLargeError
        If the memory that is free does not suffice for as many runs at the same time.
    StudyError
        If there is no such claim.

    Examples
    --------
    >>> from ackclock.studies import run_study, studies
    >>> if "bbr-beside-loss" in studies():
    ...     done = run_study("bbr-beside-loss", quick=True, claims=["BL-Q3"])
    ...     assert list(done.verdicts) == ["BL-Q3"]
    """
    from ackclock.studies.registered import find_study
    from ackclock.studies.study import Study
    from ackclock.studies.tools.part import part_of, with_seeds
    from ackclock.sweeps import Store
    from ackclock.sweeps.left import left_of
    from ackclock.sweeps.running import progress_within
    from ackclock.sweeps.sweeping import carry_out, find_warmup

    study = name if isinstance(name, Study) else find_study(name)
    study = study if claims is None else part_of(study, claims)
    study = study if seeds is None else with_seeds(study, seeds)
    planned = designs(study, quick=quick, seeds=seeds)
    known = store if store is not None or out is None else Path(out) / "runs"
    left = {name: left_of(design, known) for name, design in planned.items()}
    _check_room(planned, left, workers, force=force, tell=tell)
    weights = {name: design.estimate(left[name]).seconds_on(1) for name, design in planned.items()}
    total, before = sum(weights.values()) or 1.0, 0.0
    made = reused = 0
    sweeps = {}
    with ExitStack() as until_the_end:
        if store is None:
            where = Path(out) if out is not None else until_the_end.enter_context(scratch()).new
            store = where / "runs"
        make_place(Path(store).parent)
        runs = Store.open(store, create=True)
        for experiment, design in planned.items():
            share = weights[experiment] / total
            callback = progress_within(progress, experiment, before / total, share)
            warmup_ps = find_warmup(design, runs, workers=workers, progress=callback)
            sweeps[experiment], report = carry_out(
                design, runs, warmup_ps=warmup_ps, workers=workers, progress=callback
            )
            made, reused = made + report.made, reused + report.reused
            before += weights[experiment]
    scenarios = {
        recording.name: recorded_scenarios(study, recording, quick=quick)
        for recording in study.recordings
    }
    if progress is not None and scenarios:
        from ackclock.sweeps import Progress

        count = sum(map(len, scenarios.values()))
        progress(Progress(0, count, 0, 1.0, 0.0, None, "recordings"))
    results = under_first_reading(study, Results(sweeps, _record(scenarios, workers), quick))
    done = StudyRun(study, results, judge(study, results), planned, scenarios, made, reused)
    if out is not None:
        from ackclock.studies.writing import write_study

        write_study(done, Path(out), Path(store))
    return done


def _check_room(
    planned: Mapping[str, Design],
    left: Mapping[str, Left],
    workers: int | None,
    *,
    force: bool,
    tell: Callable[[Estimate], None] | None,
) -> None:
    from ackclock.engine.cost_model import check_many
    from ackclock.sweeps.executors import cores

    places = [(design, at) for design in planned.values() for at in range(len(design.settings))]
    check_many(
        [design.run_sizes()[at] for design, at in places],
        [runs for name in planned for runs in left[name].runs],
        lambda place: places[place][0].scenario_at(places[place][1]),
        workers=workers or cores(),
        force=force,
        tell=tell,
    )


def designs(
    study: Study, *, quick: bool, seeds: int | None = None, checked: bool = True
) -> dict[str, Design]:
    """Return the experiments as they will run; `checked` finds their errors before any runs."""
    return {
        experiment.name: _design(study, experiment, quick=quick, seeds=seeds, checked=checked)
        for experiment in study.experiments
    }


def _design(
    study: Study, experiment: Experiment, *, quick: bool, seeds: int | None, checked: bool
) -> Design:
    from ackclock.scenario import load
    from ackclock.sweeps.making import read_design
    from ackclock.sweeps.sweeping import design_of

    scenario = load(study.folder / experiment.file)
    less = dict(experiment.quick) if quick else {}
    kept = less.pop("axes", {})
    given: dict[str, Any] = {key: less.pop(key) for key in ("replications", "stop") if key in less}
    if scenario.sweep is None or scenario.sweep.starts is None:
        # Starts are drawn at random only where the study's files say so.
        given["starts"] = "fixed"
    if seeds is not None:
        # So many seeds and no more: a rule that asks for more until an interval is narrow is left
        # out.
        given["replications"] = seeds
        given.pop("stop", None)
        table = scenario.data().get("sweep") or {}
        scenario = scenario.replace(
            {"sweep": {key: value for key, value in table.items() if key != "stop"}}
        )
    if less:
        scenario = scenario.replace(less)
    if kept:
        full = read_design(scenario)
        given["axes"] = [
            _fewer(entry, kept[axis.name], axis.labels, axis.name) if axis.name in kept else entry
            for axis, entry in zip(full.axes, full.table()["axes"], strict=True)
        ]
    return design_of(scenario, given, checked=checked)


def _fewer(entry: Mapping[str, Any], kept: Any, labels: Any, name: str) -> dict[str, Any]:
    """Return the axis with some of its values."""
    unknown = [label for label in kept if label not in labels]
    if unknown:
        raise ValueError(
            f"quick: axis '{name}' has no value '{unknown[0]}', only {', '.join(map(str, labels))}"
        )
    chosen = [at for at, label in enumerate(labels) if label in kept]
    return {
        key: [values[at] for at in chosen] if isinstance(values, list) else values
        for key, values in entry.items()
    }


def recorded_scenarios(study: Study, recording: Recording, *, quick: bool) -> dict[str, Scenario]:
    """Return a recording's scenarios by variant."""
    from ackclock.scenario import load

    base = load(study.folder / recording.file)
    wanted = (
        recording.variants
        if not quick or recording.quick is None
        else {name: recording.variants[name] for name in recording.quick}
    )
    return {name: base.replace(changes) if changes else base for name, changes in wanted.items()}


def _record(
    recorded: Mapping[str, Mapping[str, Scenario]], workers: int | None
) -> dict[str, dict[str, Result]]:
    """Make all runs at once: the core lets go of Python's lock."""
    from ackclock.engine.run import run
    from ackclock.sweeps.executors import cores

    with ThreadPoolExecutor(workers or cores()) as pool:
        under_way = {
            name: {variant: pool.submit(run, scenario) for variant, scenario in those.items()}
            for name, those in recorded.items()
        }
        return {
            name: {variant: future.result() for variant, future in those.items()}
            for name, those in under_way.items()
        }
