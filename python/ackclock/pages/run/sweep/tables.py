"""A sweep's frames as tables of text, for the terminal, the notebook and the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ackclock.plot_data.sweep.layout import cells, find_axis, places_of, samples, values_of
from ackclock.plot_data.sweep.paired import difference_unit
from ackclock.plot_data.sweep.paired import differences as rows_of
from ackclock.plot_data.sweep.scale import Numbers, response_unit
from ackclock.plot_data.sweep.scale import words as spoken_name
from ackclock.sweeps.analysis import changes_of
from ackclock.tables.intervals import (
    Digits,
    alone,
    bar,
    decimals,
    effect,
    p_value,
    rounded,
    signed,
    span_of,
)
from ackclock.tables.quantities import MISSING
from ackclock.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ackclock.plot_data.sweep.layout import Layout, Place
    from ackclock.results.series import Floats
    from ackclock.stats.bounded import Change
    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.design import Comparison
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult

__all__ = [
    "changes",
    "compared",
    "differences",
    "distributions",
    "every_run",
    "intervals",
    "other",
    "overview",
    "pair",
    "response",
]


def compared(result: SweepResult) -> list[Axis]:
    """The axes of the sweep's comparisons."""
    return [find_axis(result, comparison.axis) for comparison in result.design.comparisons]


def named(name: str, unit: Numbers) -> str:
    """A name with its unit: `queue delay p95 (ms)`."""
    said = spoken_name(name)
    return f"{said} ({unit.unit})" if unit.unit and unit.unit not in said.split() else said


def _sd(values: Floats) -> float:
    """Standard deviation; 0 for one value or equal values."""
    if len(values) < 2 or values.min() == values.max():
        return 0.0
    return float(np.std(values, ddof=1))


def _sd_text(values: Floats) -> str:
    sd = _sd(values)
    return rounded(sd, decimals(sd)) if sd else MISSING if len(values) < 2 else "none"


def _varied(result: SweepResult, held: Sequence[str] = ()) -> list[int]:
    return [
        index
        for index, axis in enumerate(result.design.axes)
        if len(axis.labels) > 1 and axis.name not in held
    ]


def _labels(result: SweepResult, place: Place, axes: Sequence[int]) -> list[str]:
    return [str(result.design.axes[index].labels[place[index]]) for index in axes]


def overview(result: SweepResult, responses: Sequence[Response] | None = None) -> Table:
    """Means with intervals: a row per setting, a column per response, by default for all."""
    shown = _varied(result)
    columns = []
    header = [result.design.axes[index].name for index in shown]
    for response in result.shown if responses is None else responses:
        table = cells(result, response)
        unit = response_unit(response, [row["mean"] for row in table.values()])
        columns.append((table, Digits(unit.factor)))
        header.append(named(response.name, unit))
    rows = []
    for place in places_of(result.design.axes):
        texts = [_mean(column, table.get(place)) for table, column in columns]
        rows.append([*_labels(result, place, shown), *texts])
    return Table(header, rows, len(shown), title="Means with intervals")


def response(result: SweepResult, response: Response, layout: Layout) -> Table:
    """One response: a row per value of the layout's `x`, a column per value of `by`."""
    table = cells(result, response)
    unit = response_unit(response, [row["mean"] for row in table.values()])
    column = Digits(unit.factor)
    ranks = [None] if layout.by is None else list(range(len(layout.by.labels)))
    steps = [None] if layout.x is None else list(range(len(layout.x.labels)))
    header = [axis.name for axis in layout.panels]
    header += [] if layout.x is None else [layout.x.name]
    apart = None if layout.by is None else [str(label) for label in layout.by.labels]
    header += apart or [named(response.name, unit)]
    rows = []
    for panel, _ in layout.each_panel():
        lead = [str(axis.labels[index]) for axis, index in zip(layout.panels, panel, strict=True)]
        for step in steps:
            along = [] if layout.x is None or step is None else [str(layout.x.labels[step])]
            means = [
                table.get(layout.places(result.design.axes, step, rank, panel)) for rank in ranks
            ]
            rows.append([*lead, *along, *(_mean(column, row) for row in means)])
    by = f" by {layout.by.name}" if layout.by is not None else ""
    return Table(
        header,
        rows,
        len(header) - len(ranks),
        title=f"{named(response.name, unit)}{by}",
        note=layout.held_text(result.design.axes),
    )


def differences(
    result: SweepResult,
    response: Response,
    axis: Axis,
    held: dict[str, int] | None = None,
    *,
    bars: int = 0,
) -> Table:
    """One comparison of one response: a row per setting that is no base.

    With `bars` the intervals are drawn, `bars` characters wide.
    """
    rows = rows_of(result, response, axis, held or {})
    unit = difference_unit(result, response, axis, rows)
    column = Digits(unit.factor)
    shown = _varied(result, (axis.name, *(held or {})))
    several = len({difference.value for difference in rows}) > 1
    ratio = bool(rows) and rows[0].neutral == 1.0
    base = rows[0].row["base"] if rows else MISSING
    values = [axis.name] if several else []
    what = f"ratio to {base}" if ratio else f"difference from {base}"
    name = what if not unit.unit else f"{what} ({unit.unit})"
    header = [*(result.design.axes[index].name for index in shown), *values]
    header += [name, "relative", "d_z", "p"]
    seeds = {difference.row["n"] for difference in rows}
    header += ["seeds"] if len(seeds) > 1 else []
    parts = [
        part
        for difference in rows
        for part in (
            difference.row["difference"],
            difference.row["low"],
            difference.row["high"],
            difference.neutral,
        )
        if part is not None
    ]
    span = span_of(parts)
    texts = []
    for difference in rows:
        row = difference.row
        text = column.text(
            row["difference"], row["low"], row["high"], sign=not ratio, each=_same(row)
        )
        texts.append(
            [
                *_labels(result, difference.place, shown),
                *([str(axis.labels[difference.value])] if several else []),
                *(_bar(row, span, difference.neutral, bars) if bars else ()),
                text if difference.clear or row["low"] is None else f"{text} n.s.",
                MISSING if row["relative"] is None else _relative(row),
                effect(row["effect_size"]),
                p_value(row["p"]),
                *([str(row["n"])] if len(seeds) > 1 else []),
            ]
        )
    names = len(shown) + len(values)
    if bars:
        header.insert(names, "")
        names += 1
    other = axis.labels[rows[0].value] if rows and not several else axis.name
    note = f"{seeds.pop()} pairs of seeds" if len(seeds) == 1 else ""
    title = f"{spoken_name(response.name)}: {other} against {base}"
    return Table(header, texts, names, title=title, note=note)


def changes(result: SweepResult, axis: Axis, responses: Sequence[Response] | None = None) -> Table:
    """One comparison of several responses, a column each; a row per setting that is no base.

    Shares are compared in percentage points, other responses in percent of the base's mean.
    """
    [comparison, *_] = [
        comparison for comparison in result.design.comparisons if comparison.axis == axis.name
    ]
    shown = _varied(result, (axis.name,))
    header = [*(result.design.axes[index].name for index in shown), axis.name]
    columns: list[tuple[dict[tuple[Place, int], Ends], Digits]] = []
    for response in result.shown if responses is None else responses:
        rows = {
            (difference.place, difference.value): difference
            for difference in rows_of(result, response, axis, {})
        }
        ends = {
            at: Ends(
                difference.row["difference"],
                difference.row["low"],
                difference.row["high"],
                _same(difference.row),
            )
            for at, difference in rows.items()
        }
        factor, name = 1.0, ""
        if not comparison.ratio and response_unit(response, ()).unit == "%":
            factor, name = 100.0, " (points)"
        elif not comparison.ratio and response.unit != "1":
            made = changes_of(result.design, comparison, result.runs, response)
            if any(change.change is not None for change in made.values()):
                factor, name = 100.0, " (%)"
                ends = {
                    at: Ends.of(made.get(difference.row["setting"]))
                    for at, difference in rows.items()
                }
        header.append(f"{spoken_name(response.name)}{name}")
        columns.append((ends, Digits(factor)))
    texts = [
        [
            *_labels(result, at[0], shown),
            str(axis.labels[at[1]]),
            *(_change(column, ends.get(at), comparison) for ends, column in columns),
        ]
        for at in sorted({at for ends, _ in columns for at in ends})
    ]
    what = "ratio to" if comparison.ratio else "difference from"
    title = f"{what} {comparison.base}, seed by seed"
    return Table(header, texts, len(shown) + 1, title=title)


class Ends(NamedTuple):
    """A difference with its interval."""

    middle: float | None
    low: float | None
    high: float | None
    same: bool
    """Whether all seeds gave this difference."""

    @classmethod
    def of(cls, change: Change | None) -> Ends:
        """A relative change of a mean; empty where a share of the base's mean makes no sense."""
        if change is None or change.change is None:
            return cls(None, None, None, same=False)
        if change.method == "constant":
            return cls(change.change, None, None, same=True)
        return cls(change.change, change.low, change.high, same=False)


def _change(column: Digits, ends: Ends | None, comparison: Comparison) -> str:
    neutral = 1.0 if comparison.ratio else 0.0
    if ends is None or ends.middle is None:
        return MISSING
    if ends.middle == neutral and ends.low is None:
        return "none"
    text = column.text(ends.middle, ends.low, ends.high, sign=not comparison.ratio, each=ends.same)
    is_clear = ends.low is None or ends.high is None or not ends.low <= neutral <= ends.high
    return text if is_clear else f"{text} n.s."


def other(result: SweepResult, response: Response) -> list[Table]:
    """Means of a metric that the results keep beside the responses, and its differences."""
    compared_along = (differences(result, response, axis) for axis in compared(result))
    return [overview(result, [response]), *compared_along]


def every_run(result: SweepResult) -> Table:
    """A row per run: setting, seed and responses."""
    shown = _varied(result)
    places = places_of(result.design.axes)
    names = [response.name for response in result.shown]
    units = [
        response_unit(response, result.runs[response.name].to_list()) for response in result.shown
    ]
    header = [
        *(result.design.axes[index].name for index in shown),
        "seed",
        *(named(name, unit) for name, unit in zip(names, units, strict=True)),
    ]
    rows = [
        [
            *_labels(result, places[setting], shown),
            str(seed),
            *(
                MISSING if value is None else alone(value * unit.factor)
                for value, unit in zip(values, units, strict=True)
            ),
        ]
        for setting, seed, *values in result.runs.select("setting", "seed", *names).iter_rows()
    ]
    return Table(header, rows, len(shown), title="Every run")


def _bar(
    row: Mapping[str, Any], span: tuple[float, float], neutral: float, width: int
) -> tuple[str]:
    middle: float = row["difference"]
    low, high = (middle if row[end] is None else row[end] for end in ("low", "high"))
    return (bar(low, middle, high, span, width, neutral),)


def _same(row: Mapping[str, Any]) -> bool:
    """Whether all runs gave one value."""
    return bool(row["method"] == "constant")


def _mean(column: Digits, row: Mapping[str, Any] | None) -> str:
    if row is None:
        return MISSING
    return column.text(row["mean"], row["low"], row["high"], each=_same(row))


def _relative(row: Mapping[str, Any]) -> str:
    """The difference as a share of the base, with the digits that the interval justifies."""
    share, size = row["relative"], row["difference"]
    places = 1 if abs(share) < 0.1 else 0
    if row["low"] is not None and size and not row["ratio"]:
        places = min(places, decimals(100 * abs(share / size) * (row["high"] - row["low"]) / 2))
    return f"{signed(rounded(100 * abs(share), places), share)} %"


def distributions(
    result: SweepResult, response: Response, held: dict[str, int] | None = None
) -> Table:
    """Quantiles and spread of one response over its replications: a row per setting."""
    table = samples(result, response)
    unit = response_unit(
        response, [value for by_seed in table.values() for value in by_seed.values()]
    )
    shown = _varied(result, tuple(held or {}))
    header = [result.design.axes[index].name for index in shown]
    header += ["seeds", "least", "p25", "median", "p75", "most", "sd"]
    rows = []
    for place in _places(result, held):
        values = values_of(table.get(place)) * unit.factor
        if not len(values):
            rows.append([*_labels(result, place, shown), "0", *[MISSING] * 6])
            continue
        sd = _sd(values)
        quantiles = [
            rounded(value, decimals(sd)) if sd else alone(value)
            for value in np.quantile(values, (0.0, 0.25, 0.5, 0.75, 1.0))
        ]
        lead = [*_labels(result, place, shown), str(len(values))]
        rows.append([*lead, *quantiles, _sd_text(values)])
    return Table(header, rows, len(shown), title=f"{named(response.name, unit)} over seeds")


def pair(
    result: SweepResult, upward: Response, across: Response, held: dict[str, int] | None = None
) -> Table:
    """Two responses at each setting: means, standard deviations, and correlation over seeds."""
    heights, other = samples(result, upward), samples(result, across)
    units = [
        response_unit(response, [v for by_seed in table.values() for v in by_seed.values()])
        for response, table in ((upward, heights), (across, other))
    ]
    shown = _varied(result, tuple(held or {}))
    header = [
        *(result.design.axes[index].name for index in shown),
        named(upward.name, units[0]),
        "sd",
        named(across.name, units[1]),
        "sd",
        "correlation",
    ]
    rows = []
    for place in _places(result, held):
        seeds = [seed for seed in heights.get(place, {}) if seed in other.get(place, {})]
        both = [
            [heights[place][seed] * units[0].factor, other[place][seed] * units[1].factor]
            for seed in seeds
        ]
        pairs: Floats = np.array(both, dtype=float).reshape(-1, 2)
        texts = []
        for values in (pairs[:, 0], pairs[:, 1]):
            mean = MISSING
            if sd := _sd(values):
                mean = rounded(float(np.mean(values)), decimals(sd))
            elif len(values):
                mean = alone(float(values[0]))
            texts += [mean, _sd_text(values)]
        together = len(seeds) > 2 and bool((pairs.std(axis=0) > 0.0).all())
        correlation = f"{_correlation(pairs):+.2f}".replace("-", "−") if together else MISSING
        rows.append([*_labels(result, place, shown), *texts, correlation])
    title = f"{spoken_name(upward.name)} against {spoken_name(across.name)}"
    return Table(header, rows, len(shown), title=title)


def _correlation(pairs: Floats) -> float:
    """Pearson's correlation."""
    matrix: Floats = np.asarray(np.corrcoef(pairs.T))
    return float(matrix[0, 1])


def intervals(result: SweepResult) -> Table:
    """The method of each mean's interval, with the reason for its choice."""
    shown = _varied(result)
    places = places_of(result.design.axes)
    rows = [
        [
            *_labels(result, places[row["setting"]], shown),
            spoken_name(row["response"]),
            str(row["n"]),
            row["method"],
            row["why"],
        ]
        for row in result.responses.iter_rows(named=True)
    ]
    header = [
        *(result.design.axes[index].name for index in shown),
        "response",
        "seeds",
        "interval",
        "why",
    ]
    return Table(header, rows, len(header), title="What made each interval")


def _places(result: SweepResult, held: dict[str, int] | None) -> list[Place]:
    axes = result.design.axes
    return [
        place
        for place in places_of(axes)
        if all((held or {}).get(axis.name, at) == at for axis, at in zip(axes, place, strict=True))
    ]
