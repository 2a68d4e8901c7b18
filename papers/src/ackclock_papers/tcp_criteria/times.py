"""P4's Table 2: T1/2, T2 and rate variation of Scalable TCP with four pairs of a and b."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, TWO_COLUMNS
from ackclock.studies.criteria import Curve
from ackclock.studies.criteria.phrases import means_within
from ackclock.studies.lines import marks
from ackclock.studies.rules import Agreement
from ackclock.tables.quantities import significant
from ackclock.tables.table import Table
from ackclock.theory import scalable_doubling_time, scalable_halving_time, scalable_random_variation
from ackclock_papers.drawing import drawing

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.stats import Estimate
    from ackclock.studies.results import Results
    from ackclock.views.figure import PaperFigure

RTT_S = 0.12


@dataclass(frozen=True)
class Row:
    """A row of the paper's table."""

    b: float
    a: float
    halving: float
    doubling: float
    variation: float

    @property
    def label(self) -> str:
        """Label on the axis of the experiments."""
        return f"{self.b:g}, {self.a:g}"


ROWS = (
    Row(0.5, 0.04, 0.12, 2.124, 0.72),
    Row(0.25, 0.02, 0.2892, 4.2, 0.502),
    Row(0.125, 0.01, 0.6228, 8.364, 0.354),
    Row(0.0625, 0.005, 1.2084, 16.68, 0.257),
)

FORMULAS: dict[str, Callable[[Row], float]] = {
    "halving": lambda row: scalable_halving_time(RTT_S, row.b),
    "doubling": lambda row: scalable_doubling_time(RTT_S, row.a),
    "variation": lambda row: scalable_random_variation(row.b),
}


def printed(what: str, words: str, tolerance: float, *, unit: float = 1.0) -> Agreement:
    """Compare a column of the table with its formula, in so many units a second.

    With "root", the variation is compared with the root of b.
    """

    def pairs(results: Results) -> list[tuple[str, float, float]]:  # noqa: ARG001
        if what == "root":
            return [(f"b, a = {row.label}", math.sqrt(row.b), row.variation) for row in ROWS]
        return [
            (f"b, a = {row.label}", unit * FORMULAS[what](row), getattr(row, what)) for row in ROWS
        ]

    return Agreement(
        f"{words} against the printed column", pairs, tolerance, names=("computed", "printed")
    )


MENDED = Agreement(
    "T½ by formula, s, against the printed column with 1.2888 for 1.2084",
    lambda results: [  # noqa: ARG005
        (
            f"b, a = {row.label}",
            FORMULAS["halving"](row),
            1.2888 if row.halving == 1.2084 else row.halving,
        )
        for row in ROWS
    ],
    0.02,
    names=("computed", "printed"),
)


def by_row(experiment: str, response: str, what: str, *, formula: bool) -> Curve:
    """The mean of a response at each pair of a and b, against the formula or against print."""
    law = {row.label: FORMULAS[what](row) if formula else float(getattr(row, what)) for row in ROWS}
    return Curve(
        experiment,
        response,
        "law",
        law,
        0.1,
        name="the formula" if formula else "the printed figure",
    )


def measured(results: Results, experiment: str, response: str) -> list[tuple[Row, Estimate]]:
    """The mean of each row over seeds."""
    spots = {str(spot.labels["law"]): spot for spot in results.spots(experiment, response)}
    rows = [row for row in ROWS if row.label in spots]
    means = means_within(results, experiment, response, [spots[row.label] for row in rows])
    return list(zip(rows, means, strict=True))


_COLUMNS = (
    ("halving", "T½ (s)", (("steps", "halving_time", "a fall of the rate"),)),
    ("doubling", "T2 (s)", (("steps", "doubling_time", "its return"),)),
    (
        "variation",
        "Rate variation",
        (
            ("variation-chance", "window_variation", "window, by chance"),
            ("variation-chance", "rate_variation", "goodput, by chance"),
            ("variation-queue", "rate_variation", "goodput, at a queue"),
        ),
    ),
)


def draw(results: Results) -> PaperFigure:
    """Draw printed values, formula and runs over b."""
    with drawing(TWO_COLUMNS, 2.5, 1, 3) as (figure, every):
        b = np.array([row.b for row in ROWS])
        for axes, (what, title, runs) in zip(every, _COLUMNS, strict=True):
            axes.set_xscale("log", base=2)
            axes.set_yscale("log")
            axes.plot(b, [FORMULAS[what](row) for row in ROWS], color=COLOURS[6], label="formula")
            axes.plot(
                b,
                [getattr(row, what) for row in ROWS],
                "o",
                mfc="none",
                color=COLOURS[6],
                markersize=5,
                label="paper",
            )
            for rank, (experiment, response, name) in enumerate(runs):
                measures = measured(results, experiment, response)
                places = [row.b * 1.06**rank for row, _ in measures]
                marks(
                    axes,
                    places,
                    [pair for _, pair in measures],
                    fmt="sD^"[rank],
                    color=COLOURS[(5, 0, 2)[rank]],
                    markersize=3.5,
                    label=name,
                )
            axes.set_xticks(b, [f"{decrease:g}" for decrease in b])
            axes.minorticks_off()
            ticks = {
                "halving": (0.1, 0.2, 0.5, 1, 2),
                "doubling": (2, 5, 10, 20),
                "variation": (0.05, 0.1, 0.2, 0.5, 1),
            }[what]
            axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
            axes.set(xlabel="b", ylabel=title)
            axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=1)
        return figure


def table(results: Results) -> Table:
    """Make the table of printed values, formulas and runs."""
    means = {
        (experiment, response): {
            row.label: estimate.mean for row, estimate in measured(results, experiment, response)
        }
        for _, _, runs in _COLUMNS
        for experiment, response, _ in runs
    }
    rows = []
    for row in ROWS:
        cells = [f"{row.b:g}", f"{row.a:g}"]
        for what, _, runs in _COLUMNS:
            cells += [f"{getattr(row, what):g}", significant(FORMULAS[what](row), 4)]
            for experiment, response, _ in runs:
                mean = means[experiment, response].get(row.label)
                cells.append("–" if mean is None else significant(mean, 3))
        rows.append(tuple(cells))
    header = ["b", "a"]
    for name, made in (
        ("T½", ("run",)),
        ("T2", ("run",)),
        ("variation", ("window, by chance", "goodput, by chance", "goodput, at a queue")),
    ):
        header += [f"{name}, printed", "formula", *made]
    return Table(header, rows, 2)
