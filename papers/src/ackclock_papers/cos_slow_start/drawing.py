"""Draws P1's figures: lines over an axis, dots in rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ackclock.plot.style import COLOURS, DASHES, MARKERS, TWO_COLUMNS, new_figure
from ackclock.plot.sweep.labels import Look, beside_lines, legend_above
from ackclock.stats import bounded, estimates
from ackclock.studies.lines import interval_line
from ackclock.views.figure import paper

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from matplotlib.axes import Axes

    from ackclock.studies.results import Results, Spot
    from ackclock.views.figure import PaperFigure

NAMES = {"reno": "Reno", "cos+reno": "COS"}
LOOKS = {
    label: Look(name, COLOURS[rank], DASHES[rank], MARKERS[rank])
    for rank, (label, name) in enumerate(NAMES.items())
}
FILES = {"10 Mbit/s": 1e6, "100 Mbit/s": 10e6, "1 Gbit/s": 100e6}
"""Bytes, by the rate: 0.8 s of the link."""
_PACKETS = {"wrong-ssthresh": 1000, "today": 1448}
"""Payload of a packet of the file, bytes."""
_ALONE = 0.8
SHARE = "Lost packets (% of the file)"
"""A title that makes counts shares."""


class Mean(NamedTuple):
    """A mean with its 95 % interval."""

    value: float
    low: float
    high: float


def means_of(spots: Sequence[Spot], factors: Sequence[float] = ()) -> list[Mean]:
    """Means over seeds, each times its factor."""
    # No figure drawn here can be negative.
    means = [
        bounded(estimate, 0.0)
        for estimate in estimates([list(spot.values.values()) for spot in spots])
    ]
    kept = []
    for mean, factor in zip(means, factors or [1.0] * len(spots), strict=True):
        value = np.nan if mean.mean is None else mean.mean
        low, high = (value if end is None else end for end in (mean.low, mean.high))
        kept.append(Mean(factor * value, factor * low, factor * high))
    return kept


def _factors(experiment: str, title: str, spots: Sequence[Spot]) -> list[float]:
    return [
        100 * _PACKETS[experiment] / FILES[spot.labels["rate"]] if title == SHARE else 1.0
        for spot in spots
    ]


def with_intervals(
    axes: Axes, x: Sequence[float], means: Sequence[Mean], look: Look
) -> tuple[float, float, Look]:
    """Draw one line; returns its end, for its name."""
    middle, low, high = (np.array(column) for column in zip(*means, strict=True))
    return interval_line(axes, x, middle, low, high, look, clip_on=False)


def lines(
    results: Results,
    experiment: str,
    response: str,
    title: str,
    *,
    panels: Mapping[str, str],
    across: str,
    along: str,
) -> PaperFigure:
    """Draw means over the axis `along`, a line per control, a panel per label of `across`."""
    with paper():
        figure = new_figure(TWO_COLUMNS, 2.4)
        there = [label for label in panels if results.spots(experiment, response, {across: label})]
        every = figure.subplots(1, len(there), sharey=True, squeeze=False)[0]
        ends: list[tuple[float, float, Look]] = []
        for axes, panel in zip(every, there, strict=True):
            ends, x = [], []
            for label, look in LOOKS.items():
                spots = [
                    spot
                    for spot in results.spots(experiment, response, {across: panel})
                    if spot.labels["cc"] == label
                ]
                if spots:
                    x = [float(spot.labels[along]) for spot in spots]
                    ends.append(
                        with_intervals(
                            axes, x, means_of(spots, _factors(experiment, title, spots)), look
                        )
                    )
            axes.set_title(panels[panel])
            if along == "ssthresh":
                axes.set_xscale("log", base=2)
                axes.set_xticks(x, [f"{value:g}" for value in x])
                axes.set_xlabel("ssthresh (BDP)")
            else:
                axes.set(xlim=(0, None), xlabel=along.capitalize())
        every[0].yaxis.set_major_formatter(lambda value, _: f"{value:,g}")
        every[0].set_ylabel(title)
        # Limits are shared, so they are set when all panels have their lines.
        every[0].set_ylim(bottom=0)
        beside_lines(figure, every[-1], ends)
        return figure


def dots(
    results: Results,
    experiment: str,
    response: str,
    title: str,
    *,
    rows: Sequence[tuple[str, Mapping[str, Any]]],
    by: str,
) -> PaperFigure:
    """Means in rows, a panel for each rate, a marker for each label of `by`."""
    axes_of = {axis.name: axis.labels for axis in results.sweeps[experiment].design.axes}
    rates, labels = axes_of["rate"], axes_of[by]
    names = [
        NAMES.get(str(label), f"buffer {label:g} BDP" if by == "buffer" else str(label))
        for label in labels
    ]
    looks = [Look(name, COLOURS[at], "", MARKERS[at]) for at, name in enumerate(names)]
    with paper():
        figure = new_figure(TWO_COLUMNS, 0.8 + 0.23 * len(rows))
        every = figure.subplots(1, len(rates), sharex=True, sharey=True, squeeze=False)[0]
        drawn = []
        for axes, rate in zip(every, rates, strict=True):
            for at, (label, look) in enumerate(zip(labels, looks, strict=True)):
                spots = [
                    results.spots(experiment, response, {**held, "rate": rate, by: label})[0]
                    for _, held in rows
                ]
                means = means_of(spots, _factors(experiment, title, spots))
                y = np.arange(len(rows)) + 0.26 * (at - (len(labels) - 1) / 2)
                spread = np.array(
                    [
                        [mean.value - mean.low for mean in means],
                        [mean.high - mean.value for mean in means],
                    ]
                )
                x = [mean.value for mean in means]
                drawn.append(
                    axes.errorbar(
                        x,
                        y,
                        xerr=spread,
                        fmt=look.marker,
                        color=look.colour,
                        markersize=4,
                        elinewidth=0.8,
                        clip_on=False,
                    )
                )
            axes.set_title(str(rate))
            axes.grid(visible=True, axis="y", color="#F0F0F0")
        every[0].set_xlim(left=0.0 if title == SHARE else _ALONE)
        every[len(every) // 2].set_xlabel(title)
        every[0].set_yticks(range(len(rows)), [name for name, _ in rows])
        every[0].invert_yaxis()
        legend_above(figure, drawn[: len(labels)], [look.label for look in looks], TWO_COLUMNS)
        return figure
