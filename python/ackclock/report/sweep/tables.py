"""A sweep's frames as tables of text, for the terminal, the notebook and the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ackclock.plot.sweep.difference import difference_unit
from ackclock.plot.sweep.difference import differences as rows_of
from ackclock.plot.sweep.layout import cells, find_axis, places_of, samples, values_of
from ackclock.plot.sweep.scale import Numbers, response_unit
from ackclock.plot.sweep.scale import words as spoken_name
from ackclock.report.page import Table
from ackclock.results.interval_text import Column, alone, bar, decimals, effect, p_value, rounded, signed, span_of
from ackclock.results.text import MISSING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ackclock.plot.sweep.layout import Layout, Place
    from ackclock.results.series import Floats
    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult

__all__ = ["Titled", "compared", "differences", "distributions", "intervals", "overview", "pair", "response"]


class Titled(NamedTuple):
    """A table with what it shows."""

    title: str
    table: Table
    note: str = ""


def compared(result: SweepResult) -> list[Axis]:
    """The axes of the sweep's comparisons."""
    return [find_axis(result, comparison.axis) for comparison in result.design.comparisons]


def named(name: str, unit: Numbers) -> str:
    """`queue delay p95 (ms)`."""
    return f"{spoken_name(name)} ({unit.unit})" if unit.unit and unit.unit not in spoken_name(name).split() else spoken_name(name)


def _varied(result: SweepResult, held: Sequence[str] = ()) -> list[int]:
    return [index for index, axis in enumerate(result.design.axes) if len(axis.labels) > 1 and axis.name not in held]


def _labels(result: SweepResult, place: Place, axes: Sequence[int]) -> list[str]:
    return [str(result.design.axes[index].labels[place[index]]) for index in axes]


def overview(result: SweepResult, responses: Sequence[Response] | None = None) -> Titled:
    """A row per setting, a column per response, by default of all: means with their intervals."""
    shown = _varied(result)
    columns = []
    header = [result.design.axes[index].name for index in shown]
    for each in result.design.responses if responses is None else responses:
        table = cells(result, each)
        unit = response_unit(each, [row["mean"] for row in table.values()])
        columns.append((table, Column(unit.factor)))
        header.append(named(each.name, unit))
    rows = []
    for place in places_of(result.design.axes):
        texts = [
            column.text(row["mean"], row["low"], row["high"], each=_same(row)) if (row := table.get(place)) is not None else MISSING
            for table, column in columns
        ]
        rows.append([*_labels(result, place, shown), *texts])
    return Titled("Means with intervals", Table(header, rows, len(shown)))


def response(result: SweepResult, each: Response, layout: Layout) -> Titled:
    """One response: a row per value along, a column per value apart."""
    table = cells(result, each)
    unit = response_unit(each, [row["mean"] for row in table.values()])
    column = Column(unit.factor)
    ranks = [None] if layout.by is None else list(range(len(layout.by.labels)))
    steps = [None] if layout.x is None else list(range(len(layout.x.labels)))
    header = [axis.name for axis in layout.panels]
    header += [] if layout.x is None else [layout.x.name]
    header += [named(each.name, unit)] if layout.by is None else [str(label) for label in layout.by.labels]
    rows = []
    for panel, _ in layout.each_panel():
        for step in steps:
            texts = []
            for rank in ranks:
                row = table.get(layout.places(result.design.axes, step, rank, panel))
                texts.append(MISSING if row is None else column.text(row["mean"], row["low"], row["high"], each=_same(row)))
            lead = [str(axis.labels[index]) for axis, index in zip(layout.panels, panel, strict=True)]
            rows.append([*lead, *([] if layout.x is None or step is None else [str(layout.x.labels[step])]), *texts])
    by = f" by {layout.by.name}" if layout.by is not None else ""
    return Titled(f"{named(each.name, unit)}{by}", Table(header, rows, len(header) - len(ranks)), layout.held_text(result.design.axes))


def differences(result: SweepResult, each: Response, axis: Axis, held: dict[str, int] | None = None, *, bars: int = 0) -> Titled:
    """One comparison of one response: a row per setting of the other axes and value; with intervals drawn `bars` characters wide."""
    rows = rows_of(result, each, axis, held or {})
    unit = difference_unit(result, each, axis, rows)
    column = Column(unit.factor)
    shown = _varied(result, (axis.name, *(held or {})))
    several = len({one.value for one in rows}) > 1
    ratio = bool(rows) and rows[0].neutral == 1.0
    base = rows[0].row["base"] if rows else MISSING
    values = [f"{axis.name}"] if several else []
    what = f"ratio to {base}" if ratio else f"difference from {base}"
    name = what if not unit.unit else f"{what} ({unit.unit})"
    header = [*(result.design.axes[index].name for index in shown), *values, name, "relative", "d_z", "p"]
    seeds = {one.row["n"] for one in rows}
    header += ["seeds"] if len(seeds) > 1 else []
    parts = [part for one in rows for part in (one.row["difference"], one.row["low"], one.row["high"], one.neutral) if part is not None]
    span = span_of(parts)
    texts = []
    for one in rows:
        row = one.row
        text = column.text(row["difference"], row["low"], row["high"], sign=not ratio, each=_same(row))
        texts.append(
            [
                *_labels(result, one.place, shown),
                *([str(axis.labels[one.value])] if several else []),
                *(_bar(row, span, one.neutral, bars) if bars else ()),
                text if one.clear or row["low"] is None else f"{text} n.s.",
                MISSING if row["relative"] is None else _relative(row),
                effect(row["effect_size"]),
                p_value(row["p"]),
                *([str(row["n"])] if len(seeds) > 1 else []),
            ]
        )
    names = len(shown) + len(values)
    if bars:
        header.insert(names, "")
    whole = f"{axis.labels[rows[0].value]} against {base}" if rows and not several else f"{axis.name} against {base}"
    note = f"{seeds.pop()} pairs of seeds" if len(seeds) == 1 else ""
    return Titled(f"{spoken_name(each.name)}: {whole}", Table(header, texts, names + (1 if bars else 0)), note)


def _bar(row: Mapping[str, Any], span: tuple[float, float], neutral: float, width: int) -> tuple[str]:
    middle: float = row["difference"]
    low, high = (middle if row[end] is None else row[end] for end in ("low", "high"))
    return (bar(low, middle, high, span, width, neutral),)


def _same(row: Mapping[str, Any]) -> bool:
    """Whether all runs gave the same."""
    return bool(row["method"] == "constant")


def _relative(row: Mapping[str, Any]) -> str:
    """The difference as a share of the base: no more digits than the difference's interval bears."""
    share, size = row["relative"], row["difference"]
    places = 1 if abs(share) < 0.1 else 0
    if row["low"] is not None and size and not row["ratio"]:
        places = min(places, decimals(100 * abs(share / size) * (row["high"] - row["low"]) / 2))
    return f"{signed(rounded(100 * abs(share), places), share)} %"


def distributions(result: SweepResult, each: Response, held: dict[str, int] | None = None) -> Titled:
    """The replications of one response: a row per setting, quantiles and spread."""
    table = samples(result, each)
    unit = response_unit(each, [value for by_seed in table.values() for value in by_seed.values()])
    shown = _varied(result, tuple(held or {}))
    header = [*(result.design.axes[index].name for index in shown), "seeds", "least", "p25", "median", "p75", "most", "sd"]
    rows = []
    for place in _places(result, held):
        values = values_of(table.get(place)) * unit.factor
        if not len(values):
            rows.append([*_labels(result, place, shown), "0", *[MISSING] * 6])
            continue
        sd = float(np.std(values, ddof=1)) if len(values) > 1 and values.min() < values.max() else 0.0
        quantiles = [rounded(value, decimals(sd)) if sd else alone(value) for value in np.quantile(values, (0.0, 0.25, 0.5, 0.75, 1.0))]
        spread = rounded(sd, decimals(sd)) if sd else MISSING if len(values) == 1 else "none"
        rows.append([*_labels(result, place, shown), str(len(values)), *quantiles, spread])
    return Titled(f"{named(each.name, unit)} over seeds", Table(header, rows, len(shown)))


def pair(result: SweepResult, upward: Response, across: Response, held: dict[str, int] | None = None) -> Titled:
    """Two responses of each setting beside each other: means, standard deviations, and how they go together over seeds."""
    one, other = samples(result, upward), samples(result, across)
    units = [
        response_unit(each, [v for by_seed in table.values() for v in by_seed.values()]) for each, table in ((upward, one), (across, other))
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
        seeds = [seed for seed in one.get(place, {}) if seed in other.get(place, {})]
        both = [[one[place][seed] * units[0].factor, other[place][seed] * units[1].factor] for seed in seeds]
        pairs: Floats = np.array(both, dtype=float).reshape(-1, 2)
        texts = []
        for values in (pairs[:, 0], pairs[:, 1]):
            sd = float(np.std(values, ddof=1)) if len(values) > 1 and values.min() < values.max() else 0.0
            mean = MISSING if not len(values) else rounded(float(np.mean(values)), decimals(sd)) if sd else alone(float(values[0]))
            texts += [mean, rounded(sd, decimals(sd)) if sd else MISSING if len(values) < 2 else "none"]
        together = len(seeds) > 2 and bool((pairs.std(axis=0) > 0.0).all())
        correlation = f"{_correlation(pairs):+.2f}".replace("-", "−") if together else MISSING
        rows.append([*_labels(result, place, shown), *texts, correlation])
    return Titled(f"{spoken_name(upward.name)} against {spoken_name(across.name)}", Table(header, rows, len(shown)))


def _correlation(pairs: Floats) -> float:
    """Pearson's."""
    matrix: Floats = np.asarray(np.corrcoef(pairs.T))
    return float(matrix[0, 1])


def intervals(result: SweepResult) -> Titled:
    """What made the interval of each mean, and why that."""
    shown = _varied(result)
    places = places_of(result.design.axes)
    rows = [
        [*_labels(result, places[row["setting"]], shown), spoken_name(row["response"]), str(row["n"]), row["method"], row["why"]]
        for row in result.responses.iter_rows(named=True)
    ]
    header = [*(result.design.axes[index].name for index in shown), "response", "seeds", "interval", "why"]
    return Titled("What made each interval", Table(header, rows, len(header)))


def _places(result: SweepResult, held: dict[str, int] | None) -> list[Place]:
    axes = result.design.axes
    return [place for place in places_of(axes) if all((held or {}).get(axis.name, at) == at for axis, at in zip(axes, place, strict=True))]
