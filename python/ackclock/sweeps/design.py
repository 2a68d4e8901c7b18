"""A sweep as it will run: its settings, its runs, and how large it is."""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ackclock import _core
from ackclock.chance import AS_GIVEN, chance_of_plan
from ackclock.estimating import slowness_for
from ackclock.scenario.record import Record, recorded_for
from ackclock.scenario.sweep import AxisComparison
from ackclock.scenario.sweep import Stop as StopTable
from ackclock.sweeps.cost import Estimate, run_size
from ackclock.sweeps.left import Left

if TYPE_CHECKING:
    from ackclock.chance import Chance, Starts
    from ackclock.estimating import Size
    from ackclock.scenario import Scenario
    from ackclock.sweeps.axes import Axis, Label, Setting
    from ackclock.sweeps.key import SettingPlans
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.task import Task

__all__ = ["Comparison", "Design", "Estimate", "Prepared", "Same", "Stop", "where"]

# Plans of many flows are large: those of a sweep of many settings are made again rather than all kept.
_PLANS_KEPT_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Comparison:
    """Paired differences along one axis: every other value's run minus the base's of the same seed."""

    axis: str
    base: Label
    """Label of the value that the others are compared with."""
    ratio: bool = False
    """Quotients in place of differences."""


@dataclass(frozen=True)
class Stop:
    """When there are replications enough."""

    response: str
    half_width: float | None
    """In the response's unit."""
    relative: float | None
    """As a share of the mean; one of the two is given."""
    most: int
    """Replications per setting at most."""
    batch: int = 10
    """Replications that are added at a time."""
    comparison: str | None = None
    """Axis of the comparison whose paired differences are meant; None: the response itself."""


@dataclass(frozen=True)
class Same:
    """Two values of an axis that give the very same plan at every setting of the other axes: nothing can differ."""

    axis: str
    a: Label
    b: Label


@dataclass(frozen=True)
class Prepared:
    """A setting's plans, with what a run of it costs."""

    plans: SettingPlans
    size: int
    """Of the plan's text, bytes."""
    extent: Size
    """How large a run is."""
    chance: Chance
    """What its runs depend on besides the setting."""

    @property
    def weight(self) -> float:
        """Seconds of a core that a run takes, about."""
        return self.extent.seconds


@dataclass
class Design:
    """A sweep, checked; made by `ackclock.sweeps.making.make_design`."""

    name: str
    scenario: Scenario
    """Without its tables of comparisons and sweeps."""
    axes: tuple[Axis, ...]
    settings: tuple[Setting, ...]
    responses: tuple[Response, ...]
    comparisons: tuple[Comparison, ...]
    replications: int
    stop: Stop | None
    confidence: float = 0.95
    warmup: Literal["auto"] | None = None
    starts: Starts = AS_GIVEN
    """How the starts of all runs are chosen."""
    starts_asked: str | None = None
    """As the table [sweep] has it."""
    chances: tuple[Chance, ...] = ()
    """What each setting's runs depend on besides starts that are drawn for the sweep; empty: it was not looked at."""
    same: tuple[Same, ...] = ()
    """What the axes vary without any effect on the plans."""
    sizes: tuple[Size, ...] | None = None
    """How large a run of each setting is; None: not looked at yet."""
    _prepared: OrderedDict[tuple[int, int | None], Prepared] = field(default_factory=OrderedDict, init=False, repr=False, compare=False)
    _kept: int = field(default=0, init=False, repr=False, compare=False)

    def scenario_at(self, setting: int, *, warmup_ps: int | None = None) -> Scenario:
        """The scenario of a setting, recording what the responses need."""
        changed = self.starts.applied(self.scenario.replace(self.settings[setting].changes))
        needs = {need for response in self.responses for need in response.needs}
        update: dict[str, Any] = {"record": Record.model_validate(recorded_for(needs, changed))}
        if warmup_ps is not None:
            update["warmup"] = _core.format_time(warmup_ps)
        return changed.model_copy(update=update)

    def seed(self, replication: int) -> int:
        """The seed of a replication: the same at every setting, so that all see the same draws."""
        return self.scenario.seed + replication

    def task(self, setting: int, replication: int, *, warmup_ps: int | None = None) -> Task:
        """One run, to be made or found.

        Parameters
        ----------
        setting, replication
            Which.
        warmup_ps
            When its metrics begin, where that is not the scenario's own warm-up.
        """
        from ackclock.sweeps.task import Task

        prepared = self.prepared(setting, warmup_ps)
        seed = self.seed(replication)
        plan = prepared.plans.text(seed)
        carried = prepared.plans.carried
        return Task(
            key=prepared.plans.key(plan),
            plan=plan,
            folder=None if self.scenario.folder is None else str(self.scenario.folder),
            responses=self.responses,
            results_version=_core.RESULTS_VERSION,
            code=prepared.plans.code,
            modules=() if carried is None else carried.modules,
            carried=b"" if carried is None else carried.pickled,
            weight=prepared.weight,
            where=f"{self.where(setting)}, seed {seed}",
        )

    def where(self, setting: int) -> str:
        """A setting in words, for messages: `setting 3 (limit=5 packets, cc=reno)`."""
        return where(self.axes, self.settings[setting])

    def estimate(self, left: Left | None = None) -> Estimate:
        """How large the sweep is.

        Parameters
        ----------
        left
            What is left of it, as `ackclock.sweeps.left.left_of` finds it; by default all.
        """
        left = Left.everything(self) if left is None else left
        settings = len(self.settings)
        runs = settings * self.replications
        most = self.replications if self.stop is None else max(self.stop.most, self.replications)
        # A pilot is a run as the others are.
        counts = [run + pilot for run, pilot in zip(left.runs, left.pilots, strict=True)]
        every = list(zip(self.run_sizes(), counts, strict=True))
        work = sum(size.seconds * count for size, count in every)
        factor = slowness_for(work)
        longest = max((size.seconds for size, count in every if count), default=0.0)
        return Estimate(settings, runs, settings * most, sum(left.pilots), work * factor, longest * factor, runs - sum(left.runs))

    def run_sizes(self) -> tuple[Size, ...]:
        """How large a run of each setting is."""
        if self.sizes is None:
            self.sizes = tuple(run_size(self.scenario_at(at).plan(), reads_tables=self.reads_tables) for at in range(len(self.settings)))
        return self.sizes

    @property
    def reads_tables(self) -> bool:
        """Whether a response is made of time series or packets."""
        return any(response.needs for response in self.responses)

    def forget(self) -> None:
        """Forget the plans that were made, where something that they were made from changes."""
        self._prepared.clear()
        self._kept = 0

    def table(self) -> dict[str, Any]:
        """The table [sweep] as resolved."""
        axes = [_axis_table(axis) for axis in self.axes]
        responses = [_response_table(one) for one in self.responses]
        table: dict[str, Any] = {"replications": self.replications, "confidence": self.confidence, "responses": responses}
        if self.warmup is not None:
            table["warmup"] = self.warmup
        starts = _core.format_time(self.starts.within_ps) if self.starts.within_ps else self.starts_asked
        if starts is not None:
            table["starts"] = starts
        if axes:
            table["axes"] = axes
        if self.comparisons:
            table["comparisons"] = [AxisComparison(axis=one.axis, base=one.base, ratio=one.ratio).model_dump() for one in self.comparisons]
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
        """The sweep as resolved; it loads back to the same design.

        The scenario stands there as it was given: its defaults depend on what the axes vary.

        Parameters
        ----------
        folder
            Folder that the text will be in; files that the scenario names are then given relative to it.
        """
        import tomli_w

        data = {key: value for key, value in self.scenario.data().items() if value is not None}
        table = self.table()
        home = self.scenario.folder
        if home is not None and _names_files([data, table], home):
            table["folder"] = str(home) if folder is None else Path(os.path.relpath(home, Path(folder).absolute())).as_posix()
        return tomli_w.dumps({"name": self.name, **data, "sweep": table})

    def prepared(self, setting: int, warmup_ps: int | None = None) -> Prepared:
        """A setting's plans; those of the settings asked for last are kept."""
        found = self._prepared.get((setting, warmup_ps))
        if found is None:
            found = _prepare(self.scenario_at(setting, warmup_ps=warmup_ps), self.responses)
            self._prepared[setting, warmup_ps] = found
            self._kept += found.size
            while self._kept > _PLANS_KEPT_BYTES and len(self._prepared) > 1:
                self._kept -= self._prepared.popitem(last=False)[1].size
        return found


def _prepare(scenario: Scenario, responses: tuple[Response, ...]) -> Prepared:
    """Make the plan of a setting."""
    from ackclock.sweeps.key import SettingPlans

    plans = SettingPlans(scenario, responses)
    text = plans.text(scenario.seed)
    reads_tables = any(response.needs for response in responses)
    plan = json.loads(text)
    return Prepared(plans, len(text), run_size(plan, reads_tables=reads_tables), chance_of_plan(plan, plans.drawn))


def where(axes: tuple[Axis, ...], setting: Setting) -> str:
    """A setting in words."""
    told = ", ".join(f"{axis.name}={label}" for axis, label in zip(axes, setting.labels, strict=True))
    return f"setting {setting.index}{f' ({told})' if told else ''}"


def _response_table(response: Response) -> dict[str, Any]:
    table = {"metric": response.metric, "name": response.name, "flows": response.flows}
    if response.over != "own":
        table["over"] = response.over
    return {key: value for key, value in table.items() if value is not None}


def _axis_table(axis: Axis) -> dict[str, Any]:
    columns = zip(*axis.values, strict=True)
    return {"name": axis.name, **{key: list(column) for key, column in zip(axis.keys, columns, strict=True)}, "labels": list(axis.labels)}


def _names_files(value: Any, folder: Path) -> bool:
    """Whether anything in it is looked for in the scenario's folder: a file there, or code of the user's own."""
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
