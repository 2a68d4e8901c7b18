"""One run of a sweep as it travels to a worker, and the worker's answer."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

from ackclock.runtime.permission import acting
from ackclock.sweeps.carried import unpack
from ackclock.sweeps.errors import SweepError
from ackclock.sweeps.key import canonical, names_of_own
from ackclock.sweeps.own_code import own_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from ackclock.core_types.plan import Plan
    from ackclock.engine.linux.virtual.kernels import VirtualKernel
    from ackclock.results import Result
    from ackclock.scenario import Scenario
    from ackclock.sweeps.responses import Response

__all__ = ["Outcome", "Task", "definition", "digest_of", "figures_of", "perform"]


@dataclass(frozen=True)
class Task:
    """A run to be made, with everything that a worker needs in any process of any machine."""

    key: str
    """Key of the run, from `ackclock.sweeps.key.SettingPlans.key`."""
    plan: str
    """The plan with its seed, as JSON."""
    folder: str | None
    """Folder in which the user's classes and metrics are looked for first."""
    responses: tuple[Response, ...]
    results_version: int
    code: str
    """Hash of the user's modules; "" if the run uses none."""
    permitted: tuple[tuple[str, tuple[str, ...]], ...]
    """The user's modules that the worker may import, with the folders to look for each in."""
    modules: tuple[str, ...]
    """Modules that the carried code refers to."""
    carried: bytes
    """The user's code that is in no file, for `ackclock.sweeps.carried.unpack`; b"" if none."""
    weight: float
    """Approximate time of the run on one core, s."""
    where: str
    """Text for messages, such as "setting 3 (limit=5 packets, cc=reno), seed 7"."""
    on_kernel: Scenario | None = None
    """The scenario, if a kernel runs it; None: the simulator runs the plan."""
    kernel: VirtualKernel | None = None
    """The kernel that runs it in virtual time; None: this machine's, in real time."""


@dataclass(frozen=True)
class Outcome:
    """The results of a finished run."""

    key: str
    seed: int
    summary: Mapping[str, Any]
    """As in summary.json, without the diagnosis."""
    figures: Mapping[str, float | None]
    """Figures by the response's name."""
    digest: str
    """sha256 of summary and figures, without key and seed: equal results have equal digests."""
    cautions: tuple[str, ...] = ()
    """Warnings, and limits of the diagnosis that a reader would not suspect."""
    text: str = field(default="", compare=False, repr=False)
    """`canonical` of the summary, if it is known: it goes into the digest and into the store."""


Keep: TypeAlias = "Callable[[Task, Outcome], None]"
"""Puts a finished run into a store."""


class _NoScenario:
    """Takes the place of a result's scenario: a run of a sweep travels as a plan."""

    class _Record:
        pcap: tuple[str, ...] = ()
        qlog: tuple[str, ...] = ()

    class _Network:
        kind = ""

    record = _Record()
    network = _Network()

    def to_toml(self) -> str:
        raise ValueError("a run of a sweep has no scenario.toml: read the result's plan")


def definition(response: Response) -> str:
    """A response without the name that a sweep gives it: metric, flows, and rule over flows."""
    of = getattr(response, "of", None)
    if of is not None:
        return f"steady: {definition(of)}"
    if response.flows is None and response.over == "own":
        return response.metric
    return (
        f"{response.metric} of {'all flows' if response.flows is None else response.flows} "
        f"({response.over})"
    )


def figures_of(outcome: Outcome, responses: Iterable[Response]) -> dict[str, float | None]:
    """The figures of an outcome by definition: names that a sweep gives do not matter."""
    return {definition(response): outcome.figures[response.name] for response in responses}


def digest_of(summary: str, figures: Mapping[str, float | None]) -> str:
    """The digest of a run, from its summary's `canonical` text and its figures by definition."""
    return hashlib.sha256(f"[{summary},{canonical(figures)}]".encode()).hexdigest()


def perform(task: Task, progress: Callable[[float], None] | None = None) -> Outcome:
    """Make a run, in any thread of any process of any machine.

    `progress` is called about ten times a second with the share of the run that is done; an
    exception from it ends the run.

    Raises
    ------
    SweepError
        If ackclock or the user's modules have another version here than where the sweep was
        designed.
    ScenarioError
        If the engine refuses the plan, or a table that the figures need was full before the end.
    AlgorithmError, MetricError
        If the user's code fails.
    LinuxError
        If the kernel fails, or this machine has not the one that the sweep began with.
    """
    from ackclock import _core

    if task.results_version != _core.RESULTS_VERSION:
        raise SweepError(
            f"the worker's ackclock has version {_core.RESULTS_VERSION} of the results and this "
            f"one has {task.results_version}: install the same on both"
        )
    with acting(dict(task.permitted)):
        return _performed(task, progress)


def _performed(task: Task, progress: Callable[[float], None] | None) -> Outcome:
    plan = _plan_of(task.plan)
    if task.on_kernel is None:
        result = _simulated(task, plan, progress)
    else:
        from ackclock.engine.linux import run_on_linux

        kernel = None if task.kernel is None else task.kernel.here()
        result = run_on_linux(task.on_kernel, progress=progress, virtual=kernel)
    summary: Mapping[str, Any] = result.brief()
    # `response.value(result)` would make the diagnosis, which such a metric does not need.
    values = [
        response.value(summary if getattr(response, "from_summary", False) else result)
        for response in task.responses
    ]
    figures = {response.name: value for response, value in zip(task.responses, values, strict=True)}
    text = canonical(summary)
    by_definition = {
        definition(response): value for response, value in zip(task.responses, values, strict=True)
    }
    return Outcome(
        task.key,
        plan["seed"],
        summary,
        figures,
        digest_of(text, by_definition),
        tuple(result.cautions()),
        text,
    )


# Plans of many flows are large: keeping them read would take as much memory as a run.
_LARGEST_KEPT = 256 * 1024


@lru_cache(maxsize=4)
def _plan_without_seed(text: str) -> Plan:
    plan: Plan = json.loads(text)
    return plan


def _plan_of(text: str) -> Plan:
    """The plan of a text from `SettingPlans.text`; do not change it.

    Runs of a setting share all of it but the seed, with which the text begins.
    """
    head, comma, body = text.partition(",")
    if not comma or not head.startswith('{"seed":') or len(text) > _LARGEST_KEPT:
        plan: Plan = json.loads(text)
        return plan
    return cast("Plan", {**json.loads(f"{head}}}"), **_plan_without_seed(f"{{{body}")})


def _simulated(task: Task, plan: Plan, progress: Callable[[float], None] | None) -> Result:
    from ackclock.engine.run import run_plan
    from ackclock.results import Result
    from ackclock.scenario.errors import ScenarioError
    from ackclock.scenario.own import Finder

    folder = None if task.folder is None else Path(task.folder)
    carried = unpack(task.carried)
    if task.code:
        _check_code(task, plan, folder)
    core = run_plan(task.plan, progress, Finder(folder, carried=carried))
    if full := core.recorded_until():
        # An error, because figures over different spans of time cannot be compared, and a warning
        # among a thousand runs is easily missed.
        table, until = min(full.items(), key=lambda item: item[1])
        raise ScenarioError(
            f"{table} were full at {until:.6g} s, so that figures of them are not of the whole "
            "run: raise it, or lengthen record.samples",
            key="record.max_size",
        )
    return Result(_NoScenario(), plan, core, {})


def _check_code(task: Task, plan: Mapping[str, Any], folder: Path | None) -> None:
    from ackclock.metrics import find_metric

    names = names_of_own(plan, task.responses)
    # Finding a metric imports its module, after which the metric is known by its plain name, too.
    for name in names:
        if name.startswith("python:") and name not in {flow["cc"] for flow in plan["flows"]}:
            find_metric(name, folder)
    here = own_code(names, folder, task.modules)
    if here != task.code:
        raise SweepError(
            f"the modules of your own that the worker finds (in {folder}) are not those that the "
            "sweep was designed with: give both the same files, and leave them alone while the "
            "sweep runs"
        )
