"""P2's figures: curves of recorded runs, and means of sweeps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.plot.style import COLOURS, TWO_COLUMNS
from ackclock.stats import bounded, estimates
from ackclock.studies.criteria.phrases import censored
from ackclock.theory import bbr_filter_share, bbr_two_flow_map
from ackclock_papers.bbr_latency.legends import legend_beside
from ackclock_papers.bbr_latency.rules import FIVE_S, FLOWS, goodput, internal, measured_filters
from ackclock_papers.bbr_latency.variants import READ_OTHERWISE, TITLES
from ackclock_papers.drawing import drawing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.axes import Axes

    from ackclock.results.series import Floats, FlowSeries
    from ackclock.stats import Estimate
    from ackclock.studies.results import Results, Spot
    from ackclock.views.figure import PaperFigure

_GREY = "#D8D8D8"


def rows(
    experiment: str,
    response: str,
    title: str,
    *,
    scale: float = 1.0,
    at: Mapping[str, Any] | None = None,
    fair_time: bool = False,
    left: float = 0.0,
    beyond: tuple[str, ...] = (),
    printed: tuple[float, ...] = (),
    readings: bool = False,
) -> Callable[[Results], PaperFigure]:
    """Return a row with mean and 95 % interval for each value of the experiment's last axis.

    The horizontal axis begins at `left` and has values times `scale`. With `fair_time`, seeds
    without a value count as the run's length, as in the verdicts. Rows in `beyond` are given in
    words, because they would crowd all others together.
    """

    def draw(results: Results) -> PaperFigure:
        axis = results.sweeps[experiment].design.axes[-1].name
        shown_spots = results.spots(experiment, response, at)
        # Other readings of the same algorithm have figures of their own.
        shown_spots = [
            spot for spot in shown_spots if readings or not _is_other_reading(spot.labels[axis])
        ]
        spots = (
            censored(results, experiment, shown_spots, FIVE_S)
            if fair_time
            else [spot for spot in shown_spots if spot.values]
        )
        with drawing(0.75 * TWO_COLUMNS, 0.6 + 0.2 * len(spots)) as (figure, axes):
            labels = [str(spot.labels[axis]) for spot in spots]
            limits = (0.0, FIVE_S) if fair_time else results.limits(experiment, response)
            for rank, interval in enumerate(intervals(spots, limits)):
                if labels[rank] in beyond:
                    _tell_beyond(
                        axes,
                        rank,
                        [
                            scale * end
                            for end in (interval.mean, interval.low, interval.high)
                            if end is not None
                        ],
                    )
                    continue
                if interval.low is not None and interval.high is not None:
                    axes.plot(
                        [scale * interval.low, scale * interval.high],
                        [rank, rank],
                        color=COLOURS[0],
                        linewidth=1.5,
                    )
                if interval.mean is not None:
                    axes.plot(
                        [scale * interval.mean], [rank], color=COLOURS[0], marker="o", markersize=4
                    )
            for number in printed:
                axes.axvline(number, color="#B0B0B0", linewidth=1.2, zorder=0)
            axes.set_yticks(range(len(spots)), labels)
            axes.set(
                ylim=(len(spots) - 0.5, -0.5),
                xlim=(left, axes.dataLim.xmax + 0.05 * (axes.dataLim.xmax - left)),
                xlabel=title,
            )
            return figure

    return draw


def intervals(
    spots: Sequence[Spot], limits: tuple[float, float] = (0.0, math.inf)
) -> list[Estimate]:
    """Means with 95 % intervals that stay within what the figure can be."""
    return [
        bounded(estimate, *limits)
        for estimate in estimates([list(spot.values.values()) for spot in spots], 0.95)
    ]


def _is_other_reading(label: Any) -> bool:
    return label in READ_OTHERWISE or str(label).endswith((", any ACK", ", at once", ", in 30"))


def _tell_beyond(axes: Axes, rank: int, numbers: Sequence[float]) -> None:
    """A mean, and its interval, that the axis does not reach."""
    ends = " to ".join(f"{number:.0f}" for number in numbers[1:])
    text = f"{numbers[0]:.0f} ({ends})" if ends else f"{numbers[0]:.0f}"
    axes.text(
        0.99,
        rank,
        f"beyond: {text} →",
        transform=axes.get_yaxis_transform(),
        ha="right",
        va="center",
        fontsize="small",
    )


def _rtt(flow: FlowSeries) -> tuple[Floats, Floats]:
    rtt = flow.column("rtt_sample")
    return flow.time[~np.isnan(rtt)], 1e3 * rtt[~np.isnan(rtt)]


def one_curve(results: Results) -> PaperFigure:
    """Draw P2-F3 and F4."""
    with drawing(TWO_COLUMNS, 2.3, 1, 4, sharey=True) as (figure, every):
        for axes, (name, run) in zip(every, results.runs["one-curve"].items(), strict=True):
            axes.axhspan(60, 80, color="#F0F0F0", linewidth=0, zorder=0)
            axes.plot(*_rtt(run.series[0]), color=COLOURS[0], linewidth=0.5, label="RTT")
            time, smallest = internal(run, "min_rtt")
            axes.step(
                time,
                1e3 * smallest,
                where="post",
                color=COLOURS[5],
                linewidth=1.2,
                label="smallest RTT known",
            )
            axes.set_title(TITLES[name], loc="left")
            axes.set(xlabel="Time (s)", xlim=(0, 65), ylim=(55, 110))
        every[0].set_ylabel("RTT (ms)")
        every[0].legend(loc="upper right")
        return figure


def two_flow_map(results: Results) -> PaperFigure:  # noqa: ARG001
    """Draw P2-F6."""
    with drawing(TWO_COLUMNS, 2.6, 1, 2) as (figure, (left, right)):
        for rank, share in enumerate((0.05, 0.3, 0.9)):
            course = bbr_two_flow_map(share, 80)
            colour = COLOURS[rank]
            left.plot(
                *zip(*((share, 1 - share), *(moment.filters for moment in course)), strict=True),
                color=colour,
                linewidth=0.8,
                marker=".",
            )
            right.plot(
                [moment.filters[0] for moment in course],
                color=colour,
                linewidth=1,
                label=f"first share {share:g}",
            )
            right.plot(
                [moment.rates[0] for moment in course],
                color=colour,
                linewidth=0,
                marker=".",
                markersize=2.5,
            )
        left.plot([0, 1], [1, 0], color=_GREY, linewidth=0.8, zorder=0)
        settled = bbr_filter_share(2)
        left.plot([settled], [settled], color="#000000", marker="+", markersize=8)
        left.set(xlabel="Filter of the first (share of the link)", ylabel="Filter of the second")
        right.axvline(34, color=_GREY, linewidth=0.8, zorder=0)
        right.axhline(settled, color="#000000", linewidth=0.6, linestyle=":")
        right.set(xlabel="Probes", ylabel="Of the first (share of the link)")
        legend_beside(figure, right)
        return figure


def filters(results: Results) -> PaperFigure:
    """Draw P2-F6 for N flows, from runs."""
    with drawing(0.75 * TWO_COLUMNS, 2.4) as (figure, axes):
        line = np.arange(1, max(FLOWS) + 1)
        axes.plot(
            line,
            [n * bbr_filter_share(int(n)) for n in line],
            color="#000000",
            linewidth=0.8,
            label="N g / (g + N − 1)",
        )
        axes.axhline(1.0, color=_GREY, linewidth=0.8, zorder=0)
        for rank, buffer in enumerate(("half a BDP", "ten BDP")):
            runs = [
                run
                for name, run in results.runs["filters"].items()
                if name.startswith(f"{buffer},")
            ]
            axes.plot(
                [run.flows.height for run in runs],
                [sum(measured_filters(run)) for run in runs],
                linewidth=0,
                marker="os"[rank],
                color=COLOURS[5 * rank],
                label=f"runs, {buffer} of buffer",
            )
        axes.set(ylim=(0.9, 1.3), xlabel="Flows", ylabel="Sum of the filters (share of the link)")
        legend_beside(figure, axes)
        return figure


def two_curve(results: Results) -> PaperFigure:
    """Draw P2-F9."""
    with drawing(TWO_COLUMNS, 2.3, 1, 4, sharey=True) as (figure, every):
        for axes, (name, run) in zip(every, results.runs["two-curve"].items(), strict=True):
            axes.axhspan(70, 90, color="#F0F0F0", linewidth=0, zorder=0)
            axes.axhline(72, color="#B0B0B0", linewidth=0.8, zorder=0)
            axes.plot(*_rtt(run.series[0]), color=COLOURS[0], linewidth=0.5)
            axes.set_title(TITLES[name], loc="left")
            axes.set(xlabel="Time (s)", xlim=(0, 27), ylim=(55, 200))
        every[0].set_ylabel("RTT of the first (ms)")
        return figure


def leave_curve(results: Results) -> PaperFigure:
    """Draw P2-F10."""
    with drawing(TWO_COLUMNS, 3.6, 2, 1, sharex=True) as (figure, (upper, lower)):
        for rank, (name, run) in enumerate(results.runs["two-curve"].items()):
            look: dict[str, Any] = {
                "color": COLOURS[(0, 2, 5, 1)[rank]],
                "linestyle": ("-", "--", "-.", ":")[rank],
                "label": TITLES[name],
            }
            upper.plot(*goodput(run.series[0], 0.25), **look)
            lower.plot(*_rtt(run.series[0]), **{**look, "linewidth": 0.8})
        for axes in (upper, lower):
            axes.axvline(27, color=_GREY, linewidth=0.8, zorder=0)
        lower.set(xlabel="Time (s)", xlim=(20, 38))
        upper.set(ylim=(0, 10.5), ylabel="Goodput (Mbit/s)")
        lower.set(ylim=(55, 200), ylabel="RTT (ms)")
        legend_beside(figure, upper)
        return figure


def five_curve(results: Results) -> PaperFigure:
    """Draw P2-F11."""
    with drawing(TWO_COLUMNS, 3.6, 2, 4, sharex=True, sharey="row") as (figure, grid):
        for column, (name, run) in enumerate(results.runs["five-curve"].items()):
            upper, lower = grid[0][column], grid[1][column]
            for rank, flow in enumerate(run.series):
                upper.plot(*goodput(flow, 1.0), color=COLOURS[rank % len(COLOURS)], linewidth=0.7)
            upper.axhline(10 * 1448 / 1500 / 5, color="#000000", linewidth=0.6, linestyle=":")
            for printed in (3, 42):
                upper.axvline(printed, color=_GREY, linewidth=1, zorder=0)
            lower.plot(*_rtt(run.series[0]), color=COLOURS[0], linewidth=0.4)
            upper.set_title(TITLES[name], loc="left")
            lower.set(xlabel="Time (s)", xlim=(0, 60))
            upper.set_ylim(0, 6)
            lower.set_ylim(55, 260)
        grid[0][0].set_ylabel("Goodput of each (Mbit/s)")
        grid[1][0].set_ylabel("RTT of the first (ms)")
        return figure


def spread(results: Results) -> PaperFigure:
    """Draw P2-F9's swing: from the 5th to the 95th percentile of the queue."""
    sweep = results.sweeps["two"]
    labels = [str(label) for label in sweep.design.axes[0].labels if not _is_other_reading(label)]
    with drawing(0.75 * TWO_COLUMNS, 2.4) as (figure, axes):
        for rank, label in enumerate(labels):
            low, middle, high = (
                float(
                    np.mean(
                        [*results.spots("two", f"queue p{p}", {"cc": label})[0].values.values()]
                    )
                )
                for p in (5, 50, 95)
            )
            if label.startswith("copa"):
                _tell_beyond(axes, rank, [middle, low, high])
                continue
            axes.plot([low, high], [rank, rank], color=COLOURS[0], linewidth=2)
            axes.plot([middle], [rank], color=COLOURS[5], marker="o", markersize=4)
        axes.set_yticks(range(len(labels)), labels)
        axes.set(
            ylim=(len(labels) - 0.5, -0.5),
            xlim=(0, None),
            xlabel="Queue (packets): 5th, 50th and 95th percentile",
        )
        return figure
