"""Make the design of a scenario's table [sweep], and find its errors before anything runs."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ackclock.messages import did_you_mean, shown
from ackclock.metrics.registry import UNKNOWN_UNIT
from ackclock.runtime.permission import current
from ackclock.scenario.engine import SIMULATOR
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.randomness import AS_GIVEN, decide
from ackclock.scenario.sweep import Sweep
from ackclock.sweeps.analysis import RESERVED
from ackclock.sweeps.axes import make_axes, number_of_settings, settings_of
from ackclock.sweeps.checking import check_groups, check_setting, elements_of, same_values
from ackclock.sweeps.design import Comparison, Design, Stop
from ackclock.sweeps.ranges import base_number
from ackclock.sweeps.responses import DEFAULT_RESPONSES, Response

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.engine.cost_model import Size
    from ackclock.metrics import Metric
    from ackclock.scenario import Scenario
    from ackclock.scenario.randomness import Chance
    from ackclock.scenario.sweep import AxisComparison, ResponseTable
    from ackclock.scenario.sweep import Stop as StopTable
    from ackclock.sweeps.axes import Axis, Label

__all__ = ["make_design", "read_design"]

# Every setting's scenario is made and checked first, about a millisecond each.
_MOST_SETTINGS = 100_000
_MOST_RUNS = 10_000_000
_LARGEST_SEED = 2**63 - 1


def make_design(scenario: Scenario) -> Design:
    """The design of a scenario's table [sweep], with every setting checked.

    Raises
    ------
    ScenarioError
        If the table is wrong, or a setting's scenario cannot be run.
    """
    try:
        design = _design(scenario, finds_kernels=True)
        _check_all(design)
    except ScenarioError as error:
        raise error.located(scenario.file) from None
    return design


def read_design(scenario: Scenario, known: Mapping[str, Metric] | None = None) -> Design:
    """The design of a sweep that was checked when it ran.

    `known` describes metrics by the response's name; their functions need not exist here.
    """
    try:
        return _design(scenario, known or {})
    except ScenarioError as error:
        raise error.located(scenario.file) from None


def _design(
    scenario: Scenario,
    known: Mapping[str, Metric] = MappingProxyType({}),
    *,
    finds_kernels: bool = False,
) -> Design:
    table = scenario.sweep or Sweep()
    responses = _responses(table.responses, scenario, known)
    taken = sorted({*RESERVED, *(response.name for response in responses)})
    axes = make_axes(table.axes, taken, scenario.folder, finds_kernels=finds_kernels)
    comparisons = tuple(
        _comparison(comparison, index, axes) for index, comparison in enumerate(table.comparisons)
    )
    for index, comparison in enumerate(comparisons):
        if comparison in comparisons[:index]:
            raise ScenarioError(
                f"axis '{comparison.axis}' is compared with this base already",
                key=f"sweep.comparisons.{index}",
                value=comparison.axis,
            )
    stop = (
        None
        if table.stop is None
        else _stop(table.stop, table.replications, responses, comparisons, axes)
    )
    _check_size(axes, table.replications, stop)
    _check_seeds(scenario.seed, table.replications if stop is None else stop.most)
    return Design(
        name=scenario.name,
        scenario=scenario.without("compare", "sweep"),
        axes=axes,
        settings=tuple(settings_of(axes)),
        responses=responses,
        comparisons=comparisons,
        replications=table.replications,
        stop=stop,
        confidence=table.confidence,
        warmup=table.warmup,
        # Any value but "auto" is decided without looking at the settings.
        starts=AS_GIVEN
        if table.starts in {None, "auto"}
        else decide([], table.starts, several=True),
        starts_asked=table.starts,
        every_metric=table.every_metric,
    )


def _check_all(design: Design) -> None:
    """Check every setting's plan; make the plans again if starts are drawn for the sweep."""
    _check_kernel(design)
    if design.starts_asked in {None, "auto"}:
        design.starts = AS_GIVEN
        design.chances = tuple(_check_plans(design))
        several = design.replications > 1 or design.stop is not None
        varied = [key for axis in design.axes for key in axis.keys]
        repeatable = [chance for at, chance in enumerate(design.chances) if not design.is_live(at)]
        design.starts = decide(repeatable, None, several=several, varied=varied)
        if not design.starts.within_ps:
            return
        design.forget()
        _check_plans(design)
    else:
        design.chances = tuple(_check_plans(design))


def _check_kernel(design: Design) -> None:
    """Refuse settings that their kernel, or this machine, cannot run."""
    on_kernel = [
        setting for setting in design.settings if design.engine_at(setting.index) != SIMULATOR
    ]
    if not on_kernel:
        return
    from ackclock.engine.linux import check_capacity, linux_plan, require_namespaces

    live = []
    for setting in on_kernel:
        kernel = design.kernel_at(setting.index)
        with check_setting(design, setting):
            plan = linux_plan(
                design.scenario_at(setting.index), None if kernel is None else kernel.kernel
            )
        if kernel is None:
            live.append((setting, plan["plan"]))
    if live:
        require_namespaces()
    for setting, timed in live:
        with check_setting(design, setting):
            check_capacity(design.scenario_at(setting.index), timed)


def _check_plans(design: Design) -> list[Chance]:
    """Make and check every setting's plan; return the random parts of each setting's runs."""
    digests: list[bytes] = []
    sizes: list[Size] = []
    chances: list[Chance] = []
    known: dict[frozenset[str], int] = {}
    for setting in design.settings:
        with check_setting(design, setting):
            prepared = design.prepared(setting.index)
        text = prepared.plans.text(design.scenario.seed)
        kernel = design.kernel_at(setting.index)
        engine = design.engine_at(setting.index).kind if kernel is None else kernel.digest
        digests.append(hashlib.sha256(f"{engine} {text}".encode()).digest())
        sizes.append(prepared.extent)
        chances.append(prepared.chance)
        known.setdefault(elements_of(text), setting.index)
    check_groups(design, known)
    design.same = same_values(design, digests)
    design.sizes = tuple(sizes)
    return chances


def _responses(
    tables: Sequence[ResponseTable], scenario: Scenario, known: Mapping[str, Metric]
) -> tuple[Response, ...]:
    from ackclock.metrics import UnknownMetricError

    folder = None if scenario.folder is None else str(scenario.folder)
    given: list[ResponseTable | str] = [*tables] or [*DEFAULT_RESPONSES]
    responses: list[Response] = []
    for index, table in enumerate(given):
        where = f"sweep.responses.{index}"
        if isinstance(table, str):
            responses.append(Response(table, table))
            continue
        response = Response(
            name=table.name or _response_name(table),
            metric=table.metric,
            flows=table.flows,
            over=table.over or "own",
            folder=folder if table.metric.startswith("python:") else None,
        )
        if current().looks and response.name in known:
            # The results describe the metric better than its name does.
            responses.append(replace(response, read=known[response.name]))
            continue
        try:
            figure = response.figure
        except UnknownMetricError as error:
            if response.name in known:
                responses.append(replace(response, read=known[response.name]))
                continue
            raise ScenarioError(str(error), key=where, value=table.metric) from None
        if (table.flows is not None or table.over is not None) and figure.unit != UNKNOWN_UNIT:
            part = "flows" if table.flows is not None else "over"
            if figure.of != "flows" or figure.element is not None:
                of = (
                    f"of {figure.element}"
                    if figure.element is not None
                    else "of the whole run"
                    if figure.of == "run"
                    else f"of {figure.of}"
                )
                raise ScenarioError(
                    f"metric '{table.metric}' is {of}, and has no flows to choose from",
                    key=f"{where}.{part}",
                    value=table.flows,
                )
            if table.over is None and figure.over == "all" and not figure.from_summary:
                raise ScenarioError(
                    f"metric '{table.metric}' puts all flows together, not some: write over = "
                    "total, mean, min or max",
                    key=f"{where}.over",
                )
        if response.name in RESERVED:
            raise ScenarioError(
                f"'{response.name}' is a column of the results already: give this response "
                "another name",
                key=f"{where}.name",
                value=response.name,
            )
        if response.name in {earlier.name for earlier in responses}:
            raise ScenarioError(
                f"there is a response '{response.name}' already: give this one a name of its own",
                key=f"{where}.name",
                value=response.name,
            )
        responses.append(response)
    return tuple(responses)


def _response_name(table: ResponseTable) -> str:
    parts = [table.metric]
    if table.flows is not None:
        parts.append(f"of {table.flows}")
    if table.over is not None:
        parts.append(f"({table.over})")
    return " ".join(parts)


def _axis(name: str, axes: Sequence[Axis], where: str) -> Axis:
    for axis in axes:
        if axis.name == name:
            return axis
    by_key = [axis for axis in axes if name in axis.keys]
    if by_key:
        return by_key[0]
    names = [axis.name for axis in axes]
    there_are = f"only {', '.join(names)}" if names else "and none at all"
    raise ScenarioError(
        f"there is no axis '{name}', {there_are}{did_you_mean(name, names)}",
        key=where,
        value=name,
        kind="unknown-name",
    )


def _comparison(table: AxisComparison, index: int, axes: Sequence[Axis]) -> Comparison:
    where = f"sweep.comparisons.{index}"
    axis = _axis(table.axis, axes, f"{where}.axis")
    if len(axis.labels) < 2:
        raise ScenarioError(
            f"axis '{axis.name}' has one value only: nothing to compare it with",
            key=f"{where}.axis",
            value=table.axis,
        )
    return Comparison(
        axis.name,
        axis.labels[0] if table.base is None else _base(table.base, axis, f"{where}.base"),
        table.ratio,
    )


def _base(base: Label, axis: Axis, where: str) -> Label:
    for label, values in zip(axis.labels, axis.values, strict=True):
        if (
            base == label
            or str(base) == str(label)
            or (len(values) == 1 and (base == values[0] or base == str(values[0])))
        ):
            return label
    labels = [str(label) for label in axis.labels]
    raise ScenarioError(
        f"axis '{axis.name}' has no value {shown(base)}, only "
        f"{', '.join(labels[:12])}{did_you_mean(str(base), labels)}",
        key=where,
        value=base,
        kind="unknown-name",
    )


def _stop(
    table: StopTable,
    replications: int,
    responses: Sequence[Response],
    comparisons: Sequence[Comparison],
    axes: Sequence[Axis],
) -> Stop:
    where = "sweep.stop"
    names = [response.name for response in responses]
    response = next(
        (candidate for candidate in responses if candidate.name == table.response), None
    )
    if response is None:
        raise ScenarioError(
            f"there is no response '{table.response}', only "
            f"{', '.join(names)}{did_you_mean(table.response, names)}",
            key=f"{where}.response",
            value=table.response,
            kind="unknown-name",
        )
    compared = None
    if table.comparison is not None:
        compared = _axis(table.comparison, axes, f"{where}.comparison").name
        if compared not in {comparison.axis for comparison in comparisons}:
            raise ScenarioError(
                f"there is no comparison along '{compared}': add it to [[sweep.comparisons]]",
                key=f"{where}.comparison",
                value=table.comparison,
            )
    if table.most < replications:
        raise ScenarioError(
            f"{table.most} is less than the first batch, replications = {replications}",
            key=f"{where}.most",
            value=table.most,
        )
    if table.most < 2 or replications < 2:
        raise ScenarioError(
            "one replication has no interval: the first batch needs 2 or more, and replications "
            f"= {replications}",
            key="sweep.replications",
        )
    half_width = None if table.half_width is None else _half_width(table.half_width, response)
    return Stop(response.name, half_width, table.relative, table.most, table.batch, compared)


def _half_width(given: Any, response: Response) -> float:
    where = "sweep.stop.half_width"
    unit = None if response.unit == "1" else response.unit
    amount = base_number(given)
    if amount is None or (amount[1] not in {None, unit} and unit != UNKNOWN_UNIT):
        of = (
            "has no unit: write a number"
            if unit is None
            else f"is in {unit}: write a number, or text with a unit of that kind"
        )
        raise ScenarioError(
            f"{shown(given)} is no half-width for {response.name}, which {of}",
            key=where,
            value=given,
        )
    if amount[0] <= 0:
        raise ScenarioError(
            f"{shown(given)} is too small: it must be more than 0",
            key=where,
            value=given,
            kind="out-of-range",
        )
    return amount[0]


def _check_size(axes: Sequence[Axis], replications: int, stop: Stop | None) -> None:
    settings = number_of_settings(axes)
    product = " × ".join(f"{len(axis.values)} ({axis.name})" for axis in axes)
    if settings > _MOST_SETTINGS:
        raise ScenarioError(
            f"{product} = {settings:,} settings, and {_MOST_SETTINGS:,} are the most: take fewer "
            "values",
            key="sweep.axes",
            value=settings,
        )
    per_setting = replications if stop is None else stop.most
    if settings * per_setting > _MOST_RUNS:
        raise ScenarioError(
            f"{settings:,} settings × {per_setting:,} replications = "
            f"{settings * per_setting:,} runs, and {_MOST_RUNS:,} are the most",
            key="sweep.replications" if stop is None else "sweep.stop.most",
            value=per_setting,
        )


def _check_seeds(first: int, replications: int) -> None:
    if first + replications - 1 > _LARGEST_SEED:
        raise ScenarioError(
            f"{first} has no {replications - 1} seeds after it: the largest is {_LARGEST_SEED}",
            key="seed",
            value=first,
        )
