"""The design of a sweep: its settings, runs and size."""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ackclock import _core
from ackclock.scenario import Scenario
from ackclock.scenario.directive import directive
from ackclock.scenario.engine import SIMULATOR, Engine
from ackclock.scenario.quantities import PS_PER_S, time_ps
from ackclock.scenario.randomness import AS_GIVEN, chance_of_plan
from ackclock.scenario.record import Record
from ackclock.scenario.sweep import AxisComparison
from ackclock.scenario.sweep import Stop as StopTable
from ackclock.sweeps.cost import Estimate, Left, on_virtual_kernel, run_size

if TYPE_CHECKING:
    from ackclock.engine.cost_model import Size
    from ackclock.engine.linux.virtual.kernels import VirtualKernel
    from ackclock.scenario.randomness import Chance, Starts
    from ackclock.sweeps.axes import Axis, Label, Setting
    from ackclock.sweeps.key import SettingPlans
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.task import Task

__all__ = ["Comparison", "Design", "Estimate", "Prepared", "Same", "Stop", "where"]

# Plans of many flows are large. A sweep of many settings makes them again instead of keeping all.
_PLANS_KEPT_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Comparison:
    """Paired differences along one axis: each value's run minus the base's run of the same seed."""

    axis: str
    base: Label
    """Label of the value that the others are compared with."""
    ratio: bool = False
    """Quotients in place of differences."""


@dataclass(frozen=True)
class Stop:
    """The rule that ends the adding of replications: an interval is narrow enough."""

    response: str
    half_width: float | None
    """Half-width to reach, in the response's unit; None if `relative` is given."""
    relative: float | None
    """Half-width to reach as a share of the mean; None if `half_width` is given."""
    most: int
    """Largest number of replications per setting."""
    batch: int = 10
    """Replications that are added at a time."""
    comparison: str | None = None
    """Axis of the comparison whose paired differences count; None: the response itself counts."""


@dataclass(frozen=True)
class Same:
    """Two values of an axis whose plans are equal at every setting of the other axes."""

    axis: str
    a: Label
    b: Label


@dataclass(frozen=True)
class Prepared:
    """A setting's plans, with the cost of a run."""

    plans: SettingPlans
    size: int
    """Size of the plan's text, bytes."""
    extent: Size
    """Estimated time and memory of a run."""
    chance: Chance
    """Random parts of the setting's runs."""

    @property
    def weight(self) -> float:
        """Approximate time of a run on one core, s."""
        return self.extent.seconds


@dataclass
class Design:
    """A sweep, checked; made by `ackclock.sweeps.making.make_design`.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.sweeps import Design, design_of
    >>> base = ac.dumbbell(rate="5Mbit/s", rtt="20ms", flows=[ac.flow("reno")], duration="3s")
    >>> design = design_of(base, {"axes": [{"flows.cc": ["reno", "cubic"]}], "replications": 2})
    >>> isinstance(design, Design), [axis.name for axis in design.axes]
    (True, ['cc'])
    """

    name: str
    scenario: Scenario
    """The scenario without its tables [compare] and [sweep]."""
    axes: tuple[Axis, ...]
    settings: tuple[Setting, ...]
    responses: tuple[Response, ...]
    comparisons: tuple[Comparison, ...]
    replications: int
    stop: Stop | None
    confidence: float = 0.95
    warmup: Literal["auto"] | None = None
    starts: Starts = AS_GIVEN
    """Rule by which the starts of all runs are chosen."""
    starts_asked: str | None = None
    """`starts` as written in the table [sweep]."""
    chances: tuple[Chance, ...] = ()
    """Random parts of each setting's runs, without starts drawn for the sweep.

    Empty for a design that was read back.
    """
    same: tuple[Same, ...] = ()
    """Values of the axes that make no difference to the plans."""
    every_metric: bool = False
    """Whether the results keep every metric of summaries beside the responses."""
    kernels: dict[str, VirtualKernel] = field(default_factory=dict)
    """The kernels in virtual time by name, as they were when the sweep began or was written."""
    sizes: tuple[Size, ...] | None = None
    """Estimated size of a run at each setting; None until it is computed."""
    _prepared: OrderedDict[tuple[int, int | None], Prepared] = field(
        default_factory=OrderedDict, init=False, repr=False, compare=False
    )
    _kept: int = field(default=0, init=False, repr=False, compare=False)

    @cached_property
    def others(self) -> tuple[Response, ...]:
        """Metrics of summaries that the results keep beside the responses; none by default."""
        from ackclock.metrics import METRICS
        from ackclock.sweeps.responses import Response

        known = {response.metric for response in self.responses}
        return tuple(
            Response(name, name)
            for name, metric in METRICS.items()
            if self.every_metric and metric.from_summary and name not in known
        )

    @property
    def kept(self) -> tuple[Response, ...]:
        """The responses, followed by `others`."""
        return (*self.responses, *self.others)

    def base_at(self, setting: int) -> Scenario:
        """The scenario that a setting changes."""
        base: Scenario = self.settings[setting].changes.get("scenario", self.scenario)
        return base

    def engine_at(self, setting: int) -> Engine:
        """The engine that runs a setting."""
        engine: Engine = self.settings[setting].changes.get("on", SIMULATOR)
        return engine

    def is_live(self, setting: int) -> bool:
        """Whether this machine's kernel runs a setting, in real time."""
        return self.engine_at(setting).kind == "linux"

    def kernel_at(self, setting: int) -> VirtualKernel | None:
        """The kernel that runs a setting in virtual time; None: another engine does.

        Raises
        ------
        LinuxError
            If none of its name is built.
        """
        engine = self.engine_at(setting)
        if engine.kind != "virtual":
            return None
        if engine.kernel not in self.kernels:
            from ackclock.engine.linux.virtual.kernels import virtual

            self.kernels[engine.kernel] = virtual(engine.kernel)
        return self.kernels[engine.kernel]

    def scenario_at(self, setting: int, *, warmup_ps: int | None = None) -> Scenario:
        """The scenario of a setting, recording what the responses need."""
        changes = self.settings[setting].changes
        changed = self.base_at(setting).replace(
            {key: value for key, value in changes.items() if key not in ("on", "scenario")}
        )
        if not self.is_live(setting):
            # Runs in real time already differ by their timing.
            changed = self.starts.applied(changed)
        needs = {need for response in self.responses for need in response.needs}
        update: dict[str, Any] = {"record": Record.model_validate(changed.record_for(needs))}
        if warmup_ps is not None:
            update["warmup"] = _core.format_time(warmup_ps)
        return changed.model_copy(update=update)

    def seed(self, replication: int) -> int:
        """The seed of a replication. All settings share it, so that they see the same draws."""
        return self.scenario.seed + replication

    def task(self, setting: int, replication: int, *, warmup_ps: int | None = None) -> Task:
        """One run, to be made or found in the store.

        `warmup_ps` replaces the scenario's warm-up.
        """
        from ackclock.sweeps.task import Task

        prepared = self.prepared(setting, warmup_ps)
        seed = self.seed(replication)
        plan = prepared.plans.text(seed)
        carried = prepared.plans.carried
        folder = self.base_at(setting).folder
        return Task(
            key=prepared.plans.key(plan),
            plan=plan,
            folder=None if folder is None else str(folder),
            responses=self.kept,
            results_version=_core.RESULTS_VERSION,
            code=prepared.plans.code,
            permitted=prepared.plans.permitted,
            modules=() if carried is None else carried.modules,
            carried=b"" if carried is None else carried.pickled,
            weight=prepared.weight,
            where=f"{self.where(setting)}, seed {seed}",
            on_kernel=None
            if self.engine_at(setting) == SIMULATOR
            else self.scenario_at(setting, warmup_ps=warmup_ps).model_copy(update={"seed": seed}),
            kernel=self.kernel_at(setting),
        )

    def where(self, setting: int) -> str:
        """A setting in words, for messages: `setting 3 (limit=5 packets, cc=reno)`."""
        return where(self.axes, self.settings[setting])

    @property
    def whole(self) -> Left:
        """All runs, as if a store had none."""
        settings = len(self.settings)
        pilots = 1 if self.warmup == "auto" else 0
        return Left((self.replications,) * settings, (pilots,) * settings)

    def estimate(self, left: Left | None = None) -> Estimate:
        """Estimate the sweep's size; `left` are the missing runs, by default all."""
        left = self.whole if left is None else left
        settings = len(self.settings)
        runs = settings * self.replications
        most = self.replications if self.stop is None else max(self.stop.most, self.replications)
        work = longest = in_real_time = 0.0
        for at, size in enumerate(self.run_sizes()):
            count = left.runs[at] + left.pilots[at]
            if self.is_live(at):
                in_real_time += size.seconds * count
            elif count:
                work += size.seconds * count
                longest = max(longest, size.seconds)
        return Estimate(
            settings,
            runs,
            settings * most,
            sum(left.pilots),
            work,
            longest,
            runs - sum(left.runs),
            in_real_time,
        )

    def run_sizes(self) -> tuple[Size, ...]:
        """Estimated size of a run at each setting."""
        if self.sizes is None:
            self.sizes = tuple(self.prepared(at).extent for at in range(len(self.settings)))
        return self.sizes

    def forget(self) -> None:
        """Drop the kept plans, after a change of the data that they are made from."""
        self._prepared.clear()
        self._kept = 0

    def table(self, folder: Path | None = None) -> dict[str, Any]:
        """The resolved table [sweep]; folders in it are relative to `folder`, if given."""
        axes = [_axis_table(axis, folder) for axis in self.axes]
        responses = [_response_table(response) for response in self.responses]
        table: dict[str, Any] = {
            "replications": self.replications,
            "confidence": self.confidence,
            "responses": responses,
        }
        if self.warmup is not None:
            table["warmup"] = self.warmup
        starts = (
            _core.format_time(self.starts.within_ps) if self.starts.within_ps else self.starts_asked
        )
        if starts is not None:
            table["starts"] = starts
        if self.every_metric:
            table["every_metric"] = True
        if axes:
            table["axes"] = axes
        if self.comparisons:
            table["comparisons"] = [
                AxisComparison(
                    axis=comparison.axis, base=comparison.base, ratio=comparison.ratio
                ).model_dump()
                for comparison in self.comparisons
            ]
        if self.stop is not None:
            stop = self.stop
            table["stop"] = StopTable(
                response=stop.response,
                half_width=stop.half_width,
                relative=stop.relative,
                most=stop.most,
                batch=stop.batch,
                comparison=stop.comparison,
            ).model_dump(exclude_none=True)
        return table

    def to_toml(self, folder: str | Path | None = None) -> str:
        """The resolved sweep as TOML text, which loads back to an equal design.

        The scenario stands as it was given, because its defaults depend on the axes. `folder` is
        the folder that the text will be in: files in the text are then relative to it.
        """
        import tomli_w

        data = _data(self.scenario)
        target = None if folder is None else Path(folder).absolute()
        home = self.scenario.folder
        # An axis of whole scenarios has a folder with each of them.
        own = [axis for axis in self.axes if "scenario" not in axis.keys]
        plain = [data, [_axis_table(axis, None) for axis in own], self.table(target)["responses"]]
        if home is not None and _names_files(plain, home):
            table = {**self.table(home), "folder": _seen_from(target, home)}
        else:
            table = self.table(target)
        return directive() + tomli_w.dumps({"name": self.name, **data, "sweep": table})

    def prepared(self, setting: int, warmup_ps: int | None = None) -> Prepared:
        """A setting's plans, made on demand; the latest are kept."""
        prepared = self._prepared.get((setting, warmup_ps))
        if prepared is None:
            prepared = _prepare(
                self.scenario_at(setting, warmup_ps=warmup_ps),
                self.responses,
                self.engine_at(setting),
                self.kernel_at(setting),
            )
            self._prepared[setting, warmup_ps] = prepared
            self._kept += prepared.size
            while self._kept > _PLANS_KEPT_BYTES and len(self._prepared) > 1:
                self._kept -= self._prepared.popitem(last=False)[1].size
        return prepared


def _prepare(
    scenario: Scenario,
    responses: tuple[Response, ...],
    engine: Engine,
    kernel: VirtualKernel | None,
) -> Prepared:
    from ackclock.engine.linux import machine
    from ackclock.sweeps.key import SettingPlans

    plans = SettingPlans(
        scenario, responses, None if engine == SIMULATOR else kernel or machine.kernel
    )
    text = plans.text(scenario.seed)
    reads_tables = any(response.needs for response in responses)
    plan = json.loads(text)
    size = run_size(plan, reads_tables=reads_tables)
    if kernel is not None:
        size = on_virtual_kernel(size)
    elif engine != SIMULATOR:
        size = replace(size, seconds=time_ps(scenario.duration) / PS_PER_S)
    return Prepared(plans, len(text), size, chance_of_plan(plan, plans.drawn, scenario.finder))


def where(axes: tuple[Axis, ...], setting: Setting) -> str:
    """A setting in words."""
    labels = ", ".join(
        f"{axis.name}={label}" for axis, label in zip(axes, setting.labels, strict=True)
    )
    return f"setting {setting.index}{f' ({labels})' if labels else ''}"


def _response_table(response: Response) -> dict[str, Any]:
    table = {"metric": response.metric, "name": response.name, "flows": response.flows}
    if response.over != "own":
        table["over"] = response.over
    return {key: value for key, value in table.items() if value is not None}


def _data(scenario: Scenario) -> dict[str, Any]:
    """A scenario as TOML holds it: the keys that were given."""
    return {key: value for key, value in scenario.data().items() if value is not None}


def _seen_from(place: Path | None, folder: Path) -> str:
    return str(folder) if place is None else Path(os.path.relpath(folder, place)).as_posix()


def _axis_table(axis: Axis, folder: Path | None) -> dict[str, Any]:
    def plain(value: Any) -> Any:
        if isinstance(value, Engine):
            return str(value)
        if not isinstance(value, Scenario):
            return value
        data = _data(value)
        if value.folder is not None and _names_files(data, value.folder):
            data["folder"] = _seen_from(folder, value.folder)
        return data

    columns = zip(*axis.values, strict=True)
    return {
        "name": axis.name,
        **{
            key: [plain(value) for value in column]
            for key, column in zip(axis.keys, columns, strict=True)
        },
        "labels": list(axis.labels),
    }


def _names_files(value: Any, folder: Path) -> bool:
    """Whether a value refers to the scenario's folder: a file in it, or the user's code."""
    if isinstance(value, dict):
        return any(_names_files(inner, folder) for inner in value.values())
    if isinstance(value, list | tuple):
        return any(_names_files(inner, folder) for inner in value)
    if not isinstance(value, str):
        return False
    if "python:" in value or "cdf(" in value:
        return True
    try:
        return (folder / value).is_file()
    except (OSError, ValueError):
        return False
