"""report.html of a sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock.pages.run.charts.sweep import charts
from ackclock.pages.run.page import definitions, json_in_page, known, render, versions
from ackclock.pages.run.run import MOST_ROWS
from ackclock.pages.run.scripts import library_version
from ackclock.pages.run.sweep import tables, words
from ackclock.plot_data.sweep.captions import caption
from ackclock.plot_data.sweep.layout import choose
from ackclock.plot_data.sweep.scale import sentence
from ackclock.plot_data.sweep.scale import words as spoken
from ackclock.tables.quantities import significant
from ackclock.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.sweeps.pictures import Kind
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult

    Charts = Mapping[tuple[Kind, str], dict[str, Any]]

__all__ = ["sweep_page"]

_OVER = {
    "total": "all together",
    "mean": "their mean",
    "min": "the least of them",
    "max": "the most of them",
}


_NAMES = {
    "line": "means",
    "heat": "means over two axes",
    "box": "runs",
    "cdf": "distribution",
    "scatter": "",
    "difference": "differences",
}


class Picture(NamedTuple):
    """A figure on the page."""

    kind: str
    name: str
    data: str
    """The figure as JSON."""
    says: str
    """The finding in words, for readers without the picture."""
    caption: str
    wide: bool
    """Whether it needs the page's whole width."""


class Section(NamedTuple):
    """One response on the page."""

    name: str
    title: str
    definition: str
    pictures: list[Picture]
    table: Table | None
    """Table of the response; None if the table of all settings is enough."""
    differences: list[Table]


class Other(NamedTuple):
    """A metric on the page that the results keep beside the responses."""

    name: str
    title: str
    definition: str
    tables: list[Table]


def sweep_page(result: SweepResult) -> str:
    """The page as HTML text."""
    design = result.design
    drawn = charts(result)
    libraries = ("d3", "plot") if drawn else ()
    metrics = {response.figure.name: response.figure for response in result.design.kept}
    return render(
        "sweep.html",
        title=design.name,
        facts=words.facts(result),
        notes=words.notes(result),
        warnings=words.warnings(result),
        description=design.scenario.description,
        question=words.question(result),
        axes=_axes(result),
        responses=_responses(result),
        rules=_rules(result),
        together=_pictures(result, drawn, ""),
        overview=tables.overview(result),
        changes=[tables.changes(result, axis) for axis in tables.compared(result)]
        if len(result.shown) > words.MOST_DETAILED
        else [],
        others=_others(result),
        runs=tables.every_run(result) if design.every_metric else None,
        sections=[_section(result, drawn, response) for response in result.shown],
        method=words.method(result),
        intervals=tables.intervals(result),
        definitions=definitions(metrics.values()),
        most_rows=MOST_ROWS,
        sweep=design.to_toml(),
        has_charts=bool(drawn),
        versions=versions(*map(library_version, libraries), *known("numpy", "polars", "scipy")),
    )


def _pictures(result: SweepResult, drawn: Charts, name: str) -> list[Picture]:
    shown = next((candidate for candidate in result.shown if candidate.name == name), None)
    own = {kind: chart for (kind, response), chart in drawn.items() if response == name}
    several = any(len(chart["panels"]) > 1 for chart in own.values())
    return [
        Picture(
            chart["kind"],
            _NAMES[kind],
            json_in_page(chart),
            chart["says"],
            caption(kind, result, shown),
            len(chart["panels"]) > 1 or (several and kind == "difference"),
        )
        for kind, chart in own.items()
    ]


def _section(result: SweepResult, drawn: Charts, response: Response) -> Section:
    layout = choose(result, most_panels=None)
    return Section(
        response.name,
        sentence(response.name),
        _meaning(response),
        _pictures(result, drawn, response.name),
        None if layout.by is None else tables.response(result, response, layout),
        [tables.differences(result, response, axis) for axis in tables.compared(result)],
    )


def _others(result: SweepResult) -> list[Other]:
    """Metrics that the results keep beside the responses, where a run has a value."""
    return [
        Other(
            response.name,
            sentence(response.name),
            _meaning(response),
            tables.other(result, response),
        )
        for response in result.design.kept
        if response not in result.shown and result.runs[response.name].count()
    ]


def _meaning(response: Response) -> str:
    definition = response.figure.definition
    if response.flows is None and response.over == "own":
        return definition
    which = "of all flows" if response.flows is None else f"of {response.flows} alone"
    return (
        f"{definition} Here {which}{'' if response.over == 'own' else f', {_OVER[response.over]}'}."
    )


def _axes(result: SweepResult) -> Table:
    rows = [
        (axis.name, ", ".join(axis.keys), str(len(axis.labels)), ", ".join(map(str, axis.labels)))
        for axis in result.design.axes
    ]
    return Table(("axis", "keys", "values", "which"), rows, names=4)


def _responses(result: SweepResult) -> Table:
    rows = [
        (spoken(response.name), "–" if response.unit == "1" else response.unit, _meaning(response))
        for response in result.shown
    ]
    return Table(("response", "unit", "what it is"), rows, names=3)


def _rules(result: SweepResult) -> list[tuple[str, str]]:
    """The design's rules besides axes and responses: seeds, stop, comparisons, confidence."""
    design = result.design
    stop = design.stop
    first = (
        f"{design.replications} seeds at every setting, the same at each"
        if stop is None
        else f"{design.replications} seeds at first"
    )
    rules = [("replications", first)]
    if stop is not None:
        of, asked = words.narrow(result)
        until = f"until half of {of} is below {asked}, or {stop.most} seeds are there"
        rules.append(("stop", f"{stop.batch} seeds more {until}"))
    for comparison in design.comparisons:
        how = "ratio to" if comparison.ratio else "difference from"
        rules += [
            ("comparison", f"along {comparison.axis}, {how} {comparison.base}, paired by seed")
        ]
    rules.append(("confidence", f"{significant(100 * design.confidence, 4)} %"))
    rules.append(
        ("warm-up", "found by pilots (MSER-5)" if design.warmup == "auto" else "the scenario's own")
    )
    return rules
