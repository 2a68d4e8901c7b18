"""The table of a sweep: axes, seeds and responses."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from ackclock.core_types.names import LONGEST_MADE
from ackclock.messages import did_you_mean, shown
from ackclock.scenario.errors import problem, translate
from ackclock.scenario.names import LONGEST, check_length
from ackclock.scenario.spelling import dotted
from ackclock.scenario.starts import StartChoice
from ackclock.scenario.table import Table, short_form

__all__ = [
    "MOST_REPLICATIONS",
    "AxisComparison",
    "Range",
    "ResponseTable",
    "Stop",
    "Sweep",
    "is_range",
]

MOST_REPLICATIONS = 1_000_000
_OF_AN_AXIS = ("name", "labels")
_OF_A_RANGE = ("from", "to", "points", "step", "spacing")


class Range(Table):
    """Values from one end to the other, both included."""

    first: str | int | float = Field(alias="from")
    """First value: a number, or text with a unit."""
    last: str | int | float = Field(alias="to")
    """Last value."""
    points: int | None = Field(default=None, ge=2, le=100_000)
    """Number of values."""
    step: str | int | float | None = None
    """Distance between neighbouring values, in place of points."""
    spacing: Literal["linear", "log"] = "linear"
    """Equal distances, or equal ratios."""

    @model_validator(mode="after")
    def _either(self) -> Range:
        if (self.points is None) == (self.step is None):
            raise problem(
                "a range has either points, how many values, or step, the distance from each to "
                "the next",
                key="points",
            )
        if self.step is not None and self.spacing == "log":
            raise problem(
                'a step is a distance: with spacing = "log" give points, how many values',
                key="step",
            )
        return self


def is_range(value: Any) -> bool:
    """Whether a table is a range, and not one of scenario keys, whose values would be lists."""
    return isinstance(value, dict) and any(
        key in value and not isinstance(value[key], list | dict) for key in _OF_A_RANGE
    )


def _range(values: dict[str, Any], key: str) -> dict[str, Any]:
    try:
        return Range.model_validate(values).model_dump(by_alias=True, exclude_unset=True)
    except ValidationError as errors:
        error = translate(errors, values)
        raise problem(error.message, key=f"{key}.{error.key}" if error.key else key) from None


def _check_axis(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise problem(
            f"{shown(value)} is not an axis: write a table of keys with their values, such as "
            '"flows.count" = [1, 5, 10]'
        )
    axis: dict[str, Any] = {}
    for written, values in dotted(value, is_value=is_range).items():
        # The congestion control of every flow; no other table has one.
        key = f"flows.{written}" if written.partition(".")[0] == "cc" else written
        if key == "name":
            if not isinstance(values, str) or not values:
                raise problem(f"{shown(values)} is not a name for an axis: write text", key=key)
            check_length(values, key=key)
        elif key == "labels":
            if not isinstance(values, list) or any(
                isinstance(label, bool) or not isinstance(label, str | int | float)
                for label in values
            ):
                raise problem(f"{shown(values)} is not a list of texts or numbers", key=key)
            for label in values:
                # Those of a comparison are made of names.
                check_length(str(label), LONGEST_MADE, key)
        elif isinstance(values, dict):
            axis[key] = _range(values, key)
            continue
        elif not isinstance(values, list | tuple):
            raise problem(
                f"{shown(values)} is not a list of values: write [ ... ], or a range "
                "{ from = ..., to = ..., points = ... }",
                key=key,
            )
        elif not values:
            raise problem("an axis without values: give at least one", key=key, kind="missing")
        axis[key] = list(values) if isinstance(values, tuple) else values
    if not set(axis) - set(_OF_AN_AXIS):
        raise problem(
            "an axis without a key of the scenario: write it in quotes with its values, such as "
            '"flows.count" = [1, 5, 10]'
        )
    return axis


def _check_axes(value: Any) -> Any:
    if isinstance(value, dict):
        raise problem(
            f"{shown(value)} is one table: write [[sweep.axes]] with double brackets, once for "
            "each axis",
            kind="wrong-type",
        )
    return value


_AXIS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "Keys of the scenario, dotted as for --set, each with its values; several keys "
    "vary together.",
    "properties": {
        "name": {
            "type": "string",
            "maxLength": LONGEST,
            "description": "Name of the axis in tables (default: the last part of the key).",
        },
        "labels": {
            "type": "array",
            "items": {"type": ["string", "number"]},
            "description": "Labels that tables show in place of the values.",
        },
    },
}


class _AxisSchema:
    """The JSON Schema of an axis; the schema of a range is made when somebody asks."""

    def __get_pydantic_json_schema__(self, _core: object, _handler: object) -> dict[str, Any]:
        values = [
            {"type": "array", "minItems": 1},
            {"type": "object", "properties": Range.described_schema()["properties"]},
        ]
        return {**_AXIS_SCHEMA, "additionalProperties": {"anyOf": values}}


_Axis = Annotated[dict[str, Any], BeforeValidator(_check_axis), _AxisSchema()]


def _short(name: Any) -> Any:
    return check_length(name) if isinstance(name, str) else name


_ResponseName = Annotated[str, BeforeValidator(_short), Field(min_length=1, max_length=LONGEST)]


class ResponseTable(Table):
    """A figure of a run, perhaps over one group of flows."""

    metric: str
    """Metric (ackclock list metric), or python:MODULE:FUNCTION, your own."""
    name: _ResponseName | None = None
    """Name of the response in tables (default: the metric, with the group)."""
    flows: str | None = None
    """Flows that count: name of an entry, of a flow or of a congestion control (default: all)."""
    over: Literal["total", "mean", "min", "max"] | None = None
    """Aggregation over the flows (default: the metric's own)."""


_Response = Annotated[ResponseTable, short_form("metric", str, schema=str | ResponseTable)]


class AxisComparison(Table):
    """Paired differences along one axis: every other value minus the base, seed by seed."""

    axis: str
    """The axis, by name."""
    base: str | int | float | None = None
    """Value, or its label, that the others are compared with (default: the first)."""
    ratio: bool = False
    """Ratios in place of differences."""


_Comparison = Annotated[AxisComparison, short_form("axis", str, schema=str | AxisComparison)]


class Stop(Table):
    """Rule that ends the replications; `replications` is then the first batch."""

    response: str
    """Response whose interval shall become narrow, by name."""
    half_width: str | float | int | None = None
    """Half of the interval: a number in the response's unit, or text with a unit."""
    relative: float | None = Field(default=None, gt=0.0)
    """Half of the interval as a share of the mean, in place of half_width."""
    most: int = Field(ge=2, le=MOST_REPLICATIONS)
    """Most replications per setting, even if the interval is still too wide."""
    batch: int = Field(default=10, ge=1, le=MOST_REPLICATIONS)
    """Replications that are added at a time."""
    comparison: str | None = None
    """Axis of the comparison whose interval counts (default: the response's own interval)."""

    @model_validator(mode="after")
    def _either(self) -> Stop:
        if (self.half_width is None) == (self.relative is None):
            raise problem(
                "give either half_width, in the response's unit, or relative, a share of the mean",
                key="half_width",
            )
        return self


def _check_confidence(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.5 <= value < 1.0:
        raise problem(
            f"{shown(value)} is not a confidence: a number from 0.5 to below 1, such as 0.95"
        )
    return float(value)


def _check_warmup(value: Any) -> Any:
    if value != "auto":
        hint = did_you_mean(value, ["auto"]) or "; a time belongs into the scenario's own warmup"
        raise problem(
            f"{shown(value)} is not 'auto', which removes the warm-up found by pilots{hint}"
        )
    return value


class Sweep(Table):
    """The scenario at every combination of the axes' values, with the same seeds at each."""

    scenario: str | None = None
    """File of the scenario; this one then has only name, description and [sweep]."""
    folder: str | None = None
    """Folder that the scenario's files are relative to; sweeps write it (default: this file's)."""
    axes: Annotated[list[_Axis], BeforeValidator(_check_axes)] = Field(default_factory=list)
    """The axes, [[sweep.axes]], which are crossed; each is a table of keys with their values.

    Two keys are not of the scenario: `on` chooses the engine, "sim", "linux", "virtual" or
    "virtual:NAME", and `scenario`, with tables, takes another scenario for each value.
    """
    replications: int = Field(default=10, ge=1, le=MOST_REPLICATIONS)
    """Number of seeds: the scenario's and those that follow it, the same at every setting."""
    responses: list[_Response] = Field(default_factory=list)
    """Figures of every run: metrics, or tables { name, metric, flows, over }.

    Default: utilisation, queue_delay.p95, goodput and loss_rate.
    """
    every_metric: bool = False
    """Whether the results keep every metric of the summaries, as those of a comparison do."""
    comparisons: list[_Comparison] = Field(default_factory=list)
    """Paired differences, [[sweep.comparisons]]; an axis alone compares with its first value."""
    confidence: Annotated[float, BeforeValidator(_check_confidence)] = 0.95
    """Confidence of the intervals."""
    warmup: Annotated[Literal["auto"], BeforeValidator(_check_warmup)] | None = None
    """"auto": remove the transient that MSER-5 finds on pilots (default: the scenario's)."""
    stop: Stop | None = None
    """Rule that ends the replications (default: none, after the given number)."""
    starts: StartChoice | None = None
    """Starts of flows: "fixed", as in the scenario; a time such as "40ms", the most drawn on top;
    "auto" (default): up to one base RTT on top if there are several seeds and no other draws.
    """
