"""Many runs side by side: variants, settings, seeds."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ackclock.chance import AS_GIVEN, Starts
from ackclock.metrics import Metric, MetricError, UnknownMetricError, find_metric, range_of, whole
from ackclock.results import files
from ackclock.results.diagnosis.sentences import cautions
from ackclock.results.text import spoken
from ackclock.stats import bounded, changes_of_means, cut_differences, differences, estimates
from ackclock.writing import recover, whole_folder, write_parquet, write_text

if TYPE_CHECKING:
    import polars as pl
    from rich.console import RenderableType

    from ackclock.chance import Chance
    from ackclock.plot.style import PaperFigure
    from ackclock.results.comparison_text import Grid
    from ackclock.results.result import ScenarioText

DEFAULT_METRICS = ("goodput", "queue_delay.p95", "loss_rate", "fct.mean", "jain_index")
"""Shown where none is named: throughput, delay, loss, when transfers ended, and how several flows share."""

Setting = tuple[Any, ...]
"""Values of the `along` keys, in their order."""

_CONFIDENCE = 0.95


class Comparison:
    """Runs of several variants over several settings and seeds.

    Parameters
    ----------
    cells : sequence of dict
        One per run: `variant` (str), `along` (dict of key to value), `seed` (int), `summary` (dict, as in summary.json), and for metrics
        that are not made from summaries `figures` (dict of a metric's name to its value, or None).
    metric : str or Metric, optional
        What is shown; by default goodput, queueing delay, loss rate, and completion times and fairness where there
        are any.
    scenario : ScenarioText or str, optional
        What was run, for the report.
    starts : Starts, optional
        How the starts of the runs were chosen.
    chances : mapping of (setting, variant) to Chance, optional
        What the runs depend on besides starts that were drawn for the comparison.
    said : sequence of str, optional
        What was said of starts and of identical runs when it ran, of a comparison that is read.

    Attributes
    ----------
    cells : list of dict
        As given.
    variants, settings, seeds : list
        In order of first appearance.
    metrics : list of Metric
        What is shown, in order.
    warnings : list of str
        The runs' warnings, each once, with the number of runs that gave it.
    """

    def __init__(
        self,
        cells: Sequence[Mapping[str, Any]],
        *,
        metric: str | Metric | None = None,
        scenario: "ScenarioText | str | None" = None,
        starts: Starts = AS_GIVEN,
        chances: "Mapping[tuple[Setting, str], Chance] | None" = None,
        said: Sequence[str] | None = None,
    ) -> None:
        if not cells:
            raise ValueError("a comparison needs at least one run")
        self.cells = [dict(cell) for cell in cells]
        self.is_asked = metric is not None
        """Whether one metric was asked for."""
        self._asked = metric if isinstance(metric, Metric) else find_metric(metric or DEFAULT_METRICS[0])
        self.metric = self._asked.name
        self.starts = starts
        self.chances = chances or {}
        self.said = said
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

    @cached_property
    def metrics(self) -> list[Metric]:
        """What is shown: the metric asked for, or those of `DEFAULT_METRICS` that say something here."""
        if self.is_asked:
            return [self._asked]
        known = [find_metric(name) for name in DEFAULT_METRICS]
        several = any(self._flows(cell) > 1 for cell in self.cells)
        return [
            figure
            for figure in known
            if (several or figure.name != "jain_index") and any(self._value(cell, figure) is not None for cell in self.cells)
        ]

    @staticmethod
    def _flows(cell: Mapping[str, Any]) -> int:
        return len(whole(cell["summary"]["flows"]))

    @cached_property
    def identical(self) -> dict[tuple[Setting, str], int]:
        """Where several seeds gave one result, in every figure: how many, by setting and variant."""
        found: dict[tuple[Setting, str], list[Any]] = {}
        for cell in self.cells:
            found.setdefault((self._setting(cell), cell["variant"]), []).append((cell["summary"], cell.get("figures")))
        return {where: len(runs) for where, runs in found.items() if len(runs) > 1 and all(run == runs[0] for run in runs)}

    def _limits(self, figure: Metric) -> dict[Setting, tuple[float, float]]:
        """Smallest and largest value that a metric can have at each setting."""
        flows: dict[Setting, int] = {}
        for cell in self.cells:
            setting = self._setting(cell)
            flows[setting] = max(flows.get(setting, 0), self._flows(cell))
        return {setting: range_of(figure, count) for setting, count in flows.items()}

    def table(self, metric: str | None = None) -> "pl.DataFrame":
        """Mean and 95 % confidence interval over seeds.

        Parameters
        ----------
        metric : str, optional
            The comparison's own by default.

        Returns
        -------
        polars.DataFrame
            Columns: one per `along` key, variant, mean, low, high, seeds, identical, method. In the metric's unit;
            null where undefined. `identical`: several seeds, and all gave this very value, so there is no interval.

        Raises
        ------
        ackclock.metrics.UnknownMetricError
            With the nearest name that exists.

        Notes
        -----
        Intervals are those of `ackclock.stats.estimates`; they never leave the range of the metric
        (`ackclock.stats.bounded`).
        """
        import polars as pl

        figure = self.figure(metric)
        limits = self._limits(figure)
        values = self.values(figure.name)
        made = estimates([list(by_seed.values()) for by_seed in values.values()], _CONFIDENCE)
        rows = []
        for (setting, variant), one in zip(values, made, strict=True):
            within = bounded(one, *limits[setting])
            same = one.method == "constant"
            ends = (None, None) if same else (within.low, within.high)
            rows.append((*setting, variant, one.mean, *ends, one.n, same, one.method))
        tail = {
            "variant": pl.String, "mean": pl.Float64, "low": pl.Float64, "high": pl.Float64, "seeds": pl.Int64, "identical": pl.Boolean,
            "method": pl.String,
        }  # fmt: skip
        columns = {name: [row[index] for row in rows] for index, name in enumerate([*self.along, *tail])}
        return pl.DataFrame(columns, schema_overrides=tail, strict=False)

    def difference(self, metric: str | None = None) -> "pl.DataFrame":
        """How far each variant is from the first, with the interval of the paired differences.

        Runs with the same seed see the same random draws, so seeds are compared one by one: the interval is
        narrower than the two means' own intervals suggest.

        Returns
        -------
        polars.DataFrame
            Columns: one per `along` key, variant, mean, low, high, seeds, identical, method: variant minus first
            variant, in the metric's unit; then relative, relative_low, relative_high: what became of the mean, as a
            share of the first variant's, never below -1; null for a metric that may be negative or a base of zero.

        Notes
        -----
        Intervals are those of `ackclock.stats.differences`, cut where the metric's range ends
        (`ackclock.stats.cut_differences`), and of `ackclock.stats.changes_of_means`.
        """
        import polars as pl

        figure = self.figure(metric)
        values = self.values(figure.name)
        places = [(setting, variant) for setting in self.settings for variant in self.variants[1:]]
        pairs: list[tuple[list[float | None], list[float | None]]] = []
        for setting, variant in places:
            base, other = values[setting, self.variants[0]], values[setting, variant]
            common = [seed for seed in base if seed in other]
            pairs.append(([other[seed] for seed in common], [base[seed] for seed in common]))
        limits = self._limits(figure)
        within = [limits[setting] for setting, _ in places]
        found = cut_differences(differences(pairs, _CONFIDENCE), pairs, within, _CONFIDENCE)
        changed = [
            change if lowest >= 0.0 else None
            for change, (lowest, _) in zip(changes_of_means([_not_negative(pair) for pair in pairs], _CONFIDENCE), within, strict=True)
        ]
        rows = []
        for (setting, variant), one, change in zip(places, found, changed, strict=True):
            ends = (None, None) if one.method == "constant" else (one.low, one.high)
            relative: tuple[float | None, ...] = (None, None, None)
            if change is not None:
                relative = (change.change, *((None, None) if change.method == "constant" else (change.low, change.high)))
            rows.append((*setting, variant, one.difference, *ends, one.n, one.method == "constant", one.method, *relative))
        tail = {
            "variant": pl.String, "mean": pl.Float64, "low": pl.Float64, "high": pl.Float64, "seeds": pl.Int64, "identical": pl.Boolean,
            "method": pl.String, "relative": pl.Float64, "relative_low": pl.Float64, "relative_high": pl.Float64,
        }  # fmt: skip
        columns = {name: [row[index] for row in rows] for index, name in enumerate([*self.along, *tail])}
        return pl.DataFrame(columns, schema_overrides=tail, strict=False)

    def grid(self, metric: str | None = None) -> "Grid":
        """The table of one metric as text: a row per setting, a column per variant, the differences from the first."""
        from ackclock.results.comparison_text import grid

        return grid(self, self.figure(metric))

    def plot(self, metric: str | None = None, *, width: float | None = None) -> "PaperFigure":
        """The metric over the first `along` key, a line with its confidence band per variant."""
        from ackclock import plot

        return plot.comparison(self, metric or self.metric, width=width or plot.ONE_COLUMN)

    def write(self, folder: str | Path) -> Path:
        """Write comparison.json, comparison.parquet, scenario.toml, plots/ and report.html, whole or not at all.

        Raises
        ------
        FileExistsError
            If something is there that no comparison wrote.
        ackclock.WriteError
            If it cannot be written: which folder, and why. An earlier comparison there is untouched.
        """
        from ackclock import plot
        from ackclock.report import write_report

        target = Path(folder)
        with whole_folder(target, files.COMPARISON) as temporary:
            if self.scenario_toml:
                write_text(temporary / "scenario.toml", self.scenario_toml)
            files.write_json(temporary / "comparison.json", self.to_dict())
            write_parquet(temporary / "comparison.parquet", self.figures())
            plot.write_comparison(self, temporary / "plots")
            write_report(self, temporary / "report.html")
        return target

    def to_dict(self) -> dict[str, Any]:
        """As in comparison.json."""
        from ackclock.results.comparison_text import notes

        figure = self.figure()
        return {
            "metric": {"name": figure.name, "unit": figure.unit, "definition": figure.definition, "source": figure.source},
            "asked": self.is_asked,
            "along": self.along,
            "variants": self.variants,
            "seeds": self.seeds,
            "starts": asdict(self.starts),
            "notes": notes(self),
            "table": self.table().to_dicts(),
            "difference": self.difference().to_dicts(),
            "metrics": [
                {
                    "name": one.name,
                    "unit": one.unit,
                    "table": self.table(one.name).to_dicts(),
                    "difference": self.difference(one.name).to_dicts(),
                }
                for one in self.metrics
            ],
            "warnings": self.warnings,
            "cells": self.cells,
        }

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read what `write` wrote."""
        where = Path(folder)
        recover(where)
        if not (where / "comparison.json").is_file():
            raise FileNotFoundError(f"{where}: not the folder of a comparison: comparison.json is missing")
        stored = files.read_json(where / "comparison.json")
        scenario = where / "scenario.toml"
        text = scenario.read_text(encoding="utf-8") if scenario.exists() else ""
        # Before version 0.2 there was always one metric, and nothing was said of starts.
        metric = _stored_metric(stored["metric"]) if stored.get("asked", True) else None
        return cls(stored["cells"], metric=metric, scenario=text, starts=Starts(**stored.get("starts", {})), said=stored.get("notes"))

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
        """The comparison's tables, in a terminal."""
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


def _not_negative(pair: tuple[list[float | None], list[float | None]]) -> tuple[list[float | None], list[float | None]]:
    """The pair, or an empty one where there is a negative value, of which there is no share."""
    values = [value for side in pair for value in side if value is not None]
    return ([], []) if values and min(values) < 0.0 else pair
