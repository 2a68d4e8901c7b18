"""One run of a sweep as it travels to whoever makes it, and what comes back."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.sweeps.carried import unpack
from ackclock.sweeps.errors import SweepError
from ackclock.sweeps.key import canonical, names_of_own
from ackclock.sweeps.own_code import own_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from ackclock.sweeps.responses import Response

__all__ = ["Outcome", "Task", "definition", "digest_of", "digest_of_figures", "perform"]


@dataclass(frozen=True)
class Task:
    """A run to be made: all that its worker needs, in any process of any machine."""

    key: str
    """As `ackclock.sweeps.key.SettingPlans.key` makes it."""
    plan: str
    """The plan, JSON, its seed inside."""
    folder: str | None
    """Where the user's own classes and metrics are looked for first."""
    responses: tuple[Response, ...]
    results_version: int
    code: str
    """Hash of the user's own modules; "": it uses none."""
    modules: tuple[str, ...]
    """Modules that the carried code refers to."""
    carried: bytes
    """Code of the user's that lies in no file, as `ackclock.sweeps.carried.unpack` takes it; b"": none."""
    weight: float
    """What it costs: about how long it takes, s of a core."""
    where: str
    """For messages, such as "setting 3 (limit=5 packets, cc=reno), seed 7"."""


@dataclass(frozen=True)
class Outcome:
    """What a run left."""

    key: str
    seed: int
    summary: Mapping[str, Any]
    figures: Mapping[str, float | None]
    """By the response's name."""
    digest: str
    """sha256 of summary and figures, without key and seed: two settings that give the same are one."""


class _NoScenario:
    """Stands where a result wants its scenario: a run of a sweep travels as a plan."""

    class _Record:
        pcap: tuple[str, ...] = ()

    class _Network:
        kind = ""

    record = _Record()
    network = _Network()

    def to_toml(self) -> str:
        raise ValueError("a run of a sweep has no scenario.toml: read the result's plan")


def definition(response: Response) -> str:
    """What a response is, whatever a sweep calls it: metric, flows, and how theirs become one."""
    of = getattr(response, "of", None)
    if of is not None:
        return f"steady: {definition(of)}"
    if response.flows is None and response.over == "own":
        return response.metric
    return f"{response.metric} of {'all flows' if response.flows is None else response.flows} ({response.over})"


def digest_of(summary: Mapping[str, Any], figures: Mapping[str, float | None], responses: Iterable[Response]) -> str:
    """The digest of a run, the same for whatever names a sweep gives its responses."""
    return digest_of_figures(summary, {definition(one): figures[one.name] for one in responses})


def digest_of_figures(summary: Mapping[str, Any], figures: Mapping[str, float | None]) -> str:
    """The same of figures by definition."""
    return hashlib.sha256(canonical([summary, figures]).encode()).hexdigest()


def perform(task: Task, progress: Callable[[float], None] | None = None) -> Outcome:
    """Make a run, in any thread of any process of any machine.

    Parameters
    ----------
    task
        The run.
    progress
        Called about ten times a second with the share of the run that is done. An exception from it ends the run.

    Raises
    ------
    SweepError
        If another version of ackclock, or of the user's modules, runs here than there where the sweep was designed.
    ScenarioError
        If the engine refuses the plan, or a table that the figures are made of was full before the end.
    AlgorithmError, MetricError
        If the user's own code fails.
    """
    from ackclock import _core
    from ackclock.results import Result
    from ackclock.running import run_plan
    from ackclock.scenario.errors import ScenarioError
    from ackclock.scenario.own import Finder

    if task.results_version != _core.RESULTS_VERSION:
        raise SweepError(
            f"the worker's ackclock has version {_core.RESULTS_VERSION} of the results and this one has {task.results_version}: install "
            "the same on both"
        )
    folder = None if task.folder is None else Path(task.folder)
    plan = json.loads(task.plan)
    carried = unpack(task.carried)
    if task.code:
        _check_code(task, plan, folder)
    core = run_plan(task.plan, progress, Finder(folder, carried=carried))
    result = Result(_NoScenario(), plan, core, {})
    if full := core.recorded_until():
        # Nobody reads the warnings of a thousand runs, and figures of different spans of time do not compare.
        table, until = min(full.items(), key=lambda item: item[1])
        raise ScenarioError(
            f"{table} were full at {until:.6g} s, so that figures of them are not of the whole run: raise it, or lengthen record.samples",
            key="record.max_size",
        )
    figures = {response.name: response.value(result) for response in task.responses}
    summary: Mapping[str, Any] = result.summary()
    return Outcome(task.key, plan["seed"], summary, figures, digest_of(summary, figures, task.responses))


def _check_code(task: Task, plan: Mapping[str, Any], folder: Path | None) -> None:
    from ackclock.metrics import find_metric

    names = names_of_own(plan, task.responses)
    # A metric of a module is known by its plain name too once the module is imported.
    for name in names:
        if name.startswith("python:") and name not in {flow["cc"] for flow in plan["flows"]}:
            find_metric(name, folder)
    here = own_code(names, folder, task.modules)
    if here != task.code:
        raise SweepError(
            f"the modules of your own that the worker finds (in {folder}) are not those that the sweep was designed with: give both the "
            "same files, and leave them alone while the sweep runs"
        )
