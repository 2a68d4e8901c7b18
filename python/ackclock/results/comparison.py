"""Many runs side by side: variants, settings, seeds."""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from ackclock.metrics import Metric, MetricError, UnknownMetricError, find_metric
from ackclock.results import files
from ackclock.results.diagnosis.sentences import cautions
from ackclock.results.text import MISSING, quantity, spoken, with_error
from ackclock.stats import Interval, mean_interval

if TYPE_CHECKING:
    import polars as pl
    from rich.console import RenderableType

    from ackclock.plot.style import PaperFigure
    from ackclock.results.result import ScenarioText

DEFAULT_METRIC = "lost_packets"

Setting = tuple[Any, ...]
"""Values of the `along` keys, in their order."""


class Grid(NamedTuple):
    """A comparison as a table of text: for terminal, notebook and report."""

    title: str
    header: list[str]
    rows: list[list[str]]
    note: str


class Comparison:
    """Runs of several variants over several settings and seeds.

    Parameters
    ----------
    cells : sequence of dict
        One per run: `variant` (str), `along` (dict of key to value), `seed` (int), `summary` (dict, as in summary.json), and for metrics
        that are not made from summaries `figures` (dict of a metric's name to its value, or None).
    metric : str or Metric, optional
        Shown when no other is named; lost_packets by default.
    scenario : ScenarioText or str, optional
        What was run, for the report.

    Attributes
    ----------
    cells : list of dict
        As given.
    variants, settings, seeds : list
        In order of first appearance.
    warnings : list of str
        The runs' warnings, each once, with the number of runs that gave it.
    """

    def __init__(
        self, cells: Sequence[Mapping[str, Any]], *, metric: str | Metric | None = None, scenario: "ScenarioText | str | None" = None
    ) -> None:
        if not cells:
            raise ValueError("a comparison needs at least one run")
        self.cells = [dict(cell) for cell in cells]
        self._asked = metric if isinstance(metric, Metric) else find_metric(metric or DEFAULT_METRIC)
        self.metric = self._asked.name
        self.scenario_toml = scenario if isinstance(scenario, str) else scenario.to_toml() if scenario else ""
        self.along: list[str] = list(self.cells[0]["along"])
        self.variants: list[str] = list(dict.fromkeys(cell["variant"] for cell in self.cells))
        self.settings: list[Setting] = list(dict.fromkeys(self._setting(cell) for cell in self.cells))
        self.seeds: list[int] = list(dict.fromkeys(cell["seed"] for cell in self.cells))

    def _setting(self, cell: Mapping[str, Any]) -> Setting:
        return tuple(cell["along"][key] for key in self.along)

    def figure(self, metric: str | None = None) -> Metric:
        """What a metric is; the comparison's own by default.

        Raises
        ------
        ackclock.metrics.UnknownMetricError
            With the nearest name that exists.
        """
        return self._asked if metric is None or metric == self._asked.name else find_metric(metric)

    @cached_property
    def warnings(self) -> list[str]:
        """What the runs warned about: the first run's words for each variant and kind, and how many runs warned."""
        found: dict[tuple[str, str], list[str]] = {}
        for cell in self.cells:
            for warning in cautions(cell["summary"]):
                found.setdefault((cell["variant"], caveat_kind(warning)), []).append(f"{self._where(cell)}: {warning}")
        return [
            first if len(every) == 1 else f"{first} ({len(every)} runs of {key[0]} warn of this.)"
            for key, every in found.items()
            for first in every[:1]
        ]

    def _where(self, cell: Mapping[str, Any]) -> str:
        values = [f"{key} {value}" for key, value in cell["along"].items()]
        return ", ".join([cell["variant"], *values, f"seed {cell['seed']}"])

    def values(self, metric: str | None = None) -> dict[tuple[Setting, str], dict[int, float]]:
        """A metric of every run: by setting and variant, then by seed. Runs where it is undefined are left out."""
        figure = self.figure(metric)
        table: dict[tuple[Setting, str], dict[int, float]] = {
            (setting, variant): {} for setting in self.settings for variant in self.variants
        }
        for cell in self.cells:
            value = self._value(cell, figure)
            if value is not None:
                table[self._setting(cell), cell["variant"]][cell["seed"]] = value
        return table

    def _value(self, cell: Mapping[str, Any], figure: Metric) -> float | None:
        kept: Mapping[str, float | None] = cell.get("figures", {})
        if figure.from_summary or figure.name in kept:
            return figure.value(cell["summary"]) if figure.from_summary else kept[figure.name]
        raise MetricError(f'the runs kept no "{figure.name}", which summaries do not hold: compare with metric="{figure.name}"')

    def table(self, metric: str | None = None) -> "pl.DataFrame":
        """Mean and 95 % confidence interval (Student's t) over seeds.

        Parameters
        ----------
        metric : str, optional
            The comparison's own by default.

        Returns
        -------
        polars.DataFrame
            Columns: one per `along` key, variant, mean, low, high, seeds. In the metric's unit; null where undefined.

        Raises
        ------
        ackclock.metrics.UnknownMetricError
            With the nearest name that exists.
        """
        import polars as pl

        rows = []
        for (setting, variant), by_seed in self.values(metric).items():
            interval = mean_interval(list(by_seed.values())) or Interval(math.nan, None, None, 0)
            mean = None if math.isnan(interval.mean) else interval.mean
            rows.append((*setting, variant, mean, interval.low, interval.high, interval.samples))
        tail = {"variant": pl.String, "mean": pl.Float64, "low": pl.Float64, "high": pl.Float64, "seeds": pl.Int64}
        columns = {name: [row[index] for row in rows] for index, name in enumerate([*self.along, *tail])}
        return pl.DataFrame(columns, schema_overrides=tail, strict=False)

    def difference(self, metric: str | None = None) -> "pl.DataFrame":
        """How far each variant is from the first, with the interval of the paired differences.

        Runs with the same seed see the same random draws, so seeds are compared one by one: the interval is
        narrower than the two means' own intervals suggest.

        Returns
        -------
        polars.DataFrame
            Columns: one per `along` key, variant, mean, low, high, seeds: variant minus first variant, in the metric's unit.
        """
        import polars as pl

        values = self.values(metric)
        rows = []
        for setting in self.settings:
            base = values[setting, self.variants[0]]
            for variant in self.variants[1:]:
                other = values[setting, variant]
                interval = mean_interval([other[seed] - base[seed] for seed in base if seed in other])
                shown = interval or Interval(math.nan, None, None, 0)
                rows.append((*setting, variant, None if interval is None else shown.mean, shown.low, shown.high, shown.samples))
        tail = {"variant": pl.String, "mean": pl.Float64, "low": pl.Float64, "high": pl.Float64, "seeds": pl.Int64}
        columns = {name: [row[index] for row in rows] for index, name in enumerate([*self.along, *tail])}
        return pl.DataFrame(columns, schema_overrides=tail, strict=False)

    def grid(self, metric: str | None = None) -> Grid:
        """The table of one metric as text."""
        figure = self.figure(metric)
        means = {(tuple(row[: len(self.along)]), row[len(self.along)]): row[-4:] for row in self.table(figure.name).iter_rows()}
        apart = {(tuple(row[: len(self.along)]), row[len(self.along)]): row[-4:] for row in self.difference(figure.name).iter_rows()}
        base = self.variants[0]
        header = [
            *(self.along or ["setting"]),
            *self.variants,
            *(f"{variant} − {base}" if len(self.variants) > 2 else f"difference from {base}" for variant in self.variants[1:]),
        ]
        rows = []
        for setting in self.settings:
            cells = [_with_interval(means[setting, variant], figure) for variant in self.variants]
            differences = [_difference(apart[setting, variant], means[setting, base][0], figure) for variant in self.variants[1:]]
            rows.append([*([str(value) for value in setting] or ["all"]), *cells, *differences])
        return Grid(metric_title(figure), header, rows, self._note())

    def _note(self) -> str:
        seeds = f"{len(self.seeds)} seed{'s' if len(self.seeds) != 1 else ''}"
        if len(self.seeds) < 2:
            return f"{seeds}: one run per cell, so no interval; more seeds show how much of a difference is chance"
        return (
            f"{seeds} ({', '.join(str(seed) for seed in self.seeds)}): mean ± half of the 95 % confidence interval (Student's t); "
            "differences are paired by seed; n.s.: not significant, the interval holds zero"
        )

    def plot(self, metric: str | None = None, *, width: float | None = None) -> "PaperFigure":
        """The metric over the first `along` key, a line with its confidence band per variant."""
        from ackclock import plot

        return plot.comparison(self, metric or self.metric, width=width or plot.ONE_COLUMN)

    def write(self, folder: str | Path) -> Path:
        """Write comparison.json, comparison.parquet, scenario.toml, plots/ and report.html, whole or not at all."""
        from ackclock import plot
        from ackclock.report import write_report

        target = Path(folder)
        with files.whole_folder(target, ("comparison.json",)) as temporary:
            if self.scenario_toml:
                (temporary / "scenario.toml").write_text(self.scenario_toml, encoding="utf-8")
            files.write_json(temporary / "comparison.json", self.to_dict())
            self.figures().write_parquet(temporary / "comparison.parquet", compression="zstd")
            plot.write_comparison(self, temporary / "plots")
            write_report(self, temporary / "report.html")
        return target

    def to_dict(self) -> dict[str, Any]:
        """As in comparison.json."""
        figure = self.figure()
        return {
            "metric": {"name": figure.name, "unit": figure.unit, "definition": figure.definition, "source": figure.source},
            "along": self.along,
            "variants": self.variants,
            "seeds": self.seeds,
            "table": self.table().to_dicts(),
            "difference": self.difference().to_dicts(),
            "warnings": self.warnings,
            "cells": self.cells,
        }

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read what `write` wrote."""
        where = Path(folder)
        if not (where / "comparison.json").is_file():
            raise FileNotFoundError(f"{where}: not the folder of a comparison: comparison.json is missing")
        stored = files.read_json(where / "comparison.json")
        scenario = where / "scenario.toml"
        text = scenario.read_text(encoding="utf-8") if scenario.exists() else ""
        return cls(stored["cells"], metric=_stored_metric(stored["metric"]), scenario=text)

    def figures(self) -> "pl.DataFrame":
        """Every metric that summaries hold, and the comparison's own, of every run.

        Returns
        -------
        polars.DataFrame
            One row per run and metric: along keys, variant, seed, metric, unit, value.
        """
        import polars as pl

        from ackclock.metrics import METRICS

        known = {name: figure for name, figure in METRICS.items() if figure.from_summary} | {self.metric: self._asked}
        rows = [
            {
                **cell["along"],
                "variant": cell["variant"],
                "seed": cell["seed"],
                "metric": name,
                "unit": figure.unit,
                "value": self._value(cell, figure),
            }
            for cell in self.cells
            for name, figure in known.items()
        ]
        return pl.DataFrame(rows, infer_schema_length=None, schema_overrides={"seed": pl.Int64, "value": pl.Float64})

    def __rich__(self) -> "RenderableType":
        """The table of the comparison's own metric, in a terminal."""
        from ackclock.results.terminal import comparison_view

        return comparison_view(self)

    def __repr__(self) -> str:
        """What was compared, in a line."""
        return f"Comparison({len(self.cells)} runs: {', '.join(self.variants)}; {len(self.settings)} settings; {len(self.seeds)} seeds)"

    def _repr_html_(self) -> str:
        from ackclock.report.notebook import comparison_html

        return comparison_html(self)


def _stored_metric(stored: Mapping[str, str]) -> Metric:
    """The metric that a comparison was about; of one that is not known here, somebody's own, its values are enough."""
    try:
        return find_metric(stored["name"])
    except UnknownMetricError:
        return Metric(stored["name"], stored["unit"], "run", stored["definition"], stored.get("source", ""), _unknown)


def _unknown(_result: object) -> None:
    raise MetricError("this metric's function is not known here")


def caveat_kind(warning: str) -> str:
    """What a warning asks to change: the same for one cause, whatever the flows and figures."""
    return warning.rsplit(": ", 1)[-1].rsplit("; ", 1)[-1]


def metric_title(figure: Metric) -> str:
    """A metric's name with its unit, for titles and axes: `lost packets`, `queue delay p95 (s)`."""
    name = spoken(figure.name)
    return name if figure.unit in {"1", "packets"} else f"{name} ({figure.unit})"


def _shown(figure: Metric) -> str:
    return "%" if figure.name.endswith(("_rate", "_share", "utilisation")) else figure.unit


def _with_interval(row: Sequence[Any], figure: Metric) -> str:
    mean, _, high, _ = row
    if mean is None:
        return MISSING
    return quantity(mean, _shown(figure)) if high is None else with_error(mean, high - mean, _shown(figure))


def _difference(row: Sequence[Any], base: float | None, figure: Metric) -> str:
    mean, low, high, _ = row
    if mean is None:
        return MISSING
    if mean == 0.0 and high in {None, 0.0}:
        return "none"
    sign = "+" if mean > 0 else "−" if mean < 0 else ""
    text = sign + (quantity(abs(mean), _shown(figure)) if high is None else with_error(abs(mean), high - mean, _shown(figure)))
    if base:
        text += f" ({100 * mean / base:+.0f} %)".replace("-", "−")
    return text if low is None or low > 0.0 or high < 0.0 else f"{text} n.s."
