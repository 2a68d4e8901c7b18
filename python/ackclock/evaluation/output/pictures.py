"""Pictures of the worst cells: rates and queue over time, with the subject and a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ackclock.evaluation.output.words import in_words
from ackclock.evaluation.row import STRENGTHS
from ackclock.evaluation.running import seat_scenario, subject_scenario

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from ackclock.evaluation.cell import Cell
    from ackclock.evaluation.dossier import Dossier, RowResult
    from ackclock.results import Result
    from ackclock.results.series import FlowSeries
    from ackclock.verdicts.judgement import Judgement

__all__ = ["Picture", "worst_cells"]

_MOST = 3
_POINTS = 240
_MOST_ENTRIES = 4
_ORDER = list(STRENGTHS)
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#666666")


class Picture(NamedTuple):
    """A drawn cell."""

    row: str
    title: str
    caption: str
    svg: str


def worst_cells(dossier: Dossier, folder: Path) -> list[Picture]:
    """Draw the worst cell of up to three rows: strongest demands first, then the largest excess."""
    concerns = [(result, worst) for result in dossier.concerns if (worst := result.worst)]
    concerns.sort(key=lambda pair: (_ORDER.index(pair[0].row.strength), -pair[1].excess))
    drawn = []
    for result, worst in concerns:
        cell = next(cell for cell in result.cells if cell.id == worst.case)
        if cell.seats is None and worst.against is not None:
            drawn.append(_picture(dossier, result, worst, cell, folder))
        if len(drawn) == _MOST:
            break
    return drawn


def _picture(
    dossier: Dossier, result: RowResult, worst: Judgement, cell: Cell, folder: Path
) -> Picture:
    reference = worst.against or ""
    runs = [
        (name, _run(table, cell, seed, folder))
        for name, table, seed in (
            (dossier.subject, subject_scenario(cell, dossier.context), dossier.seeds.subject_first),
            (reference, seat_scenario(cell, reference), dossier.seeds.first),
        )
    ]
    return Picture(
        result.row.id,
        f"{result.row.id} · {worst.case}",
        f"{result.row.title}. {in_words(worst)} (means of {len(worst.values)} seeds). "
        "One run each: goodput of each group of flows, and the queue.",
        _draw(runs, cell.slots),
    )


def _run(table: dict[str, Any], cell: Cell, seed: int, folder: Path) -> Result:
    from ackclock.engine.run import run
    from ackclock.scenario import Scenario

    step = max(1.0, 1000.0 * cell.duration / _POINTS)
    table["record"] = {"samples": f"{step:.0f}ms"}
    return run(Scenario.parse({**table, "name": "cell"}, folder=folder), seed=seed)


def _label(flow: FlowSeries, slots: tuple[str, ...], *, many: bool) -> str:
    """Group of a flow: its entry, or, where entries are many, the seat and the others."""
    entry = flow.name.partition(".")[0]
    if not many:
        return f"{entry} ({flow.cc})"
    return f"in the seat ({flow.cc})" if entry in slots else f"others ({flow.cc})"


def _draw(runs: list[tuple[str, Result]], slots: tuple[str, ...]) -> str:
    import numpy as np

    from ackclock.views.figure import PaperFigure, paper

    with paper(as_written=True):
        figure = PaperFigure(figsize=(7.2, 3.4), layout="constrained")
        axes = figure.subplots(2, 2, sharex=True, sharey="row")
        for at, (name, result) in enumerate(runs):
            rates, queue = axes[0][at], axes[1][at]
            groups: dict[str, tuple[Any, Any]] = {}
            entries = {series.name.partition(".")[0] for series in result.series}
            for series in result.series:
                if series.part_of is not None or len(series.time) < 2:
                    continue
                label = _label(series, slots, many=len(entries) > _MOST_ENTRIES)
                grid = np.linspace(0.0, result.end_time, 121)
                delivered = np.interp(grid, series.time, series.column("delivered"), left=0.0)
                rate = np.diff(delivered) * 8e-6 / (grid[1] - grid[0])
                before = groups.get(label)
                groups[label] = (grid[1:], rate if before is None else before[1] + rate)
            for colour, (label, (time, rate)) in zip(_COLOURS, groups.items(), strict=False):
                rates.plot(time, rate, color=colour, label=label)
            links = result.samples.links
            first = links["link"][0]
            bottleneck = links.filter(links["link"] == first)
            queue.plot(
                bottleneck["time"], bottleneck["queue_delay"] * 1e3, color=_COLOURS[4], lw=0.8
            )
            rates.set_title(name if at == 0 else f"{name} in its seat")
            rates.legend(loc="upper right")
            queue.set_xlabel("time, s")
        axes[0][0].set_ylabel("goodput, Mbit/s")
        axes[1][0].set_ylabel("queueing delay, ms")
        axes[0][0].set_ylim(bottom=0)
        axes[1][0].set_ylim(bottom=0)
        return figure.svg()
