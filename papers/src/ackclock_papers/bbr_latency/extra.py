"""P2's figures for the paper's words: loss, queues of several flows, ACKs, steadiness."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, TWO_COLUMNS, new_figure
from ackclock.studies.lines import look_of, marked_line
from ackclock.views.figure import paper
from ackclock_papers.bbr_latency.figures import intervals
from ackclock_papers.bbr_latency.legends import legend_beside
from ackclock_papers.bbr_latency.rules import PACKET_S, RATE, RTT_S, combined, goodput, internal
from ackclock_papers.bbr_latency.variants import TITLES
from ackclock_papers.drawing import drawing, labels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from ackclock.results.series import Floats
    from ackclock.studies.results import Results, Spot
    from ackclock.views.figure import PaperFigure

_GREY = "#D8D8D8"
_PAYLOAD = 1448 / 1500


def _line(
    axes: Axes,
    x: Sequence[float],
    spots: Sequence[Spot],
    rank: int,
    label: str,
    scale: Sequence[float],
) -> None:
    """Means with 95 % intervals over seeds, each times its scale."""
    marked_line(axes, x, intervals(spots), look_of(label, rank), factor=scale)


def cliff(results: Results) -> PaperFigure:
    """Goodput over random loss, as a share of what the link can deliver after the loss."""
    names = {
        "no policers": "bbr, as published",
        "bbr": "bbr, as Linux",
        "bbr-lowlat": "bbr-lowlat",
        "cubic": "cubic",
    }
    with drawing(TWO_COLUMNS, 2.6) as (figure, axes):
        axes.axvline(20, color="#B0B0B0", linewidth=1.2, zorder=0)
        for rank, (cc, name) in enumerate(names.items()):
            spots = results.spots("loss", "goodput", {"cc": cc})
            losses = [float(spot.labels["loss"]) for spot in spots]
            _line(
                axes,
                [100 * loss for loss in losses],
                spots,
                rank,
                name,
                [1 / (RATE * _PAYLOAD * (1 - loss)) for loss in losses],
            )
        axes.set(
            xlabel="Random loss (%)",
            ylabel="Goodput over what is left",
            ylim=(0, 1.05),
            xlim=(-0.5, 30.5),
        )
        legend_beside(figure, axes)
        return figure


def several(results: Results) -> PaperFigure:
    """Mean queueing delay over the number of flows, in round-trip times of the path."""
    rates = labels(results, "several", "rate")
    with paper():
        figure = new_figure(TWO_COLUMNS, 2.6)
        every = figure.subplots(1, len(rates), sharey=True, squeeze=False)[0]
        for axes, rate in zip(every, rates, strict=True):
            axes.axhspan(1, 1.5, color="#F0F0F0", linewidth=0, zorder=0)
            for rank, cc in enumerate(labels(results, "several", "cc")):
                spots = results.spots("several", "queue_delay.mean", {"rate": rate, "cc": cc})
                _line(
                    axes,
                    [float(spot.labels["flow_count"]) for spot in spots],
                    spots,
                    rank,
                    cc,
                    [1 / RTT_S] * len(spots),
                )
            axes.set_title(rate, loc="left")
            axes.set(xlabel="Flows", ylim=(0, None))
        every[0].set_ylabel("Mean queueing delay (RTT)")
        legend_beside(figure, every[0])
        return figure


def patches(results: Results) -> PaperFigure:
    """Queueing delay without the two published patches, with each, and with both."""
    kinds = ("bbr", "early exit", "drain", "patched")
    with drawing(TWO_COLUMNS, 2.0, 1, 2, sharey=True) as (figure, every):
        for axes, (experiment, name) in zip(
            every, (("two", "Two flows"), ("five", "Five flows")), strict=True
        ):
            spots = {
                cc: results.spots(experiment, "queue_delay.mean", {"cc": cc})[0] for cc in kinds
            }
            for rank, interval in enumerate(intervals([*spots.values()])):
                if interval.low is not None and interval.high is not None:
                    axes.plot(
                        [1e3 * interval.low, 1e3 * interval.high],
                        [rank, rank],
                        color=COLOURS[0],
                        linewidth=1.5,
                    )
                axes.plot(
                    [1e3 * (interval.mean or 0.0)],
                    [rank],
                    color=COLOURS[0],
                    marker="o",
                    markersize=4,
                )
            plain, drained = (
                math.fsum(spots[cc].values.values()) / len(spots[cc].values)
                for cc in ("bbr", "drain")
            )
            # The paper's words: 40 % less than plain, and a further 10 %.
            axes.plot([600 * plain], [2], color="#000000", marker="x", markersize=5, linewidth=0)
            axes.plot([900 * drained], [3], color="#000000", marker="x", markersize=5, linewidth=0)
            axes.set_title(name, loc="left")
            axes.set(xlabel="Mean queueing delay (ms)", xlim=(0, None))
        every[0].set_yticks(
            range(len(kinds)), ["bbr", "early probe exit", "drain to target", "both patches"]
        )
        every[0].set_ylim(len(kinds) - 0.5, -0.5)
        return figure


def acks(results: Results) -> PaperFigure:
    """Utilisation over the number of packets per ACK."""
    rtts = labels(results, "acks", "rtt_ms")
    with paper():
        figure = new_figure(TWO_COLUMNS, 2.3)
        every = figure.subplots(1, len(rtts), sharey=True, squeeze=False)[0]
        for axes, rtt in zip(every, rtts, strict=True):
            axes.axvline(4, color=_GREY, linewidth=1.2, zorder=0)
            for rank, cc in enumerate(("bbr", "gains", "lowlat")):
                spots = results.spots("acks", "utilisation", {"rtt_ms": rtt, "cc": cc})
                _line(
                    axes,
                    [float(spot.labels["delayed_ack"]) for spot in spots],
                    spots,
                    rank,
                    cc,
                    [100] * len(spots),
                )
            axes.set_xscale("log")
            ticks = [int(label) for label in labels(results, "acks", "delayed_ack")]
            axes.set_xticks(ticks, [str(tick) for tick in ticks])
            axes.minorticks_off()
            axes.set_title(f"RTT {rtt} ms", loc="left")
            axes.set(xlabel="Packets per ACK", ylim=(50, 101))
        every[0].set_ylabel("Busy (% of the time)")
        legend_beside(figure, every[0])
        return figure


def creep(results: Results) -> PaperFigure:
    """The smallest RTT of each ten seconds."""
    with drawing(0.75 * TWO_COLUMNS, 2.2) as (figure, axes):
        axes.axhline(1e3 * RTT_S, color=_GREY, linewidth=1.2, zorder=0)
        for rank, cc in enumerate(("bbr", "patched")):
            spots = results.spots("creep", "rtt.min", {"cc": cc})
            _line(
                axes,
                [float(spot.labels["since"]) for spot in spots],
                spots,
                rank,
                TITLES[cc],
                [1e3] * len(spots),
            )
        axes.set(xlabel="Ten seconds from (s)", ylabel="Smallest RTT (ms)", ylim=(59, 66))
        legend_beside(figure, axes)
        return figure


def steady(results: Results) -> PaperFigure:
    """Variation of goodput and RTT: two flows, the one that stays, five flows."""
    kinds = ["bbr", "patched", "lowlat", "lowlat, at once", "lowlat, in 30"]
    shown = (("two", "Two flows"), ("alone-again", "After one has left"), ("five", "Five flows"))
    with drawing(TWO_COLUMNS, 3.4, 2, 3, sharey=True) as (figure, grid):
        for column, (experiment, name) in enumerate(shown):
            varied = [
                results.spots(experiment, "variation of goodput", {"cc": cc})[0] for cc in kinds
            ]
            upper, lower = (
                [results.spots(experiment, f"queue p{p}", {"cc": cc})[0] for cc in kinds]
                for p in (95, 5)
            )
            swings = combined(upper, lower, lambda a, b: PACKET_S * (a - b))
            for axes, spots, scale in (
                (grid[0][column], varied, 100),
                (grid[1][column], swings, 1e3),
            ):
                for rank, interval in enumerate(intervals(spots)):
                    if interval.low is not None and interval.high is not None:
                        axes.plot(
                            [scale * interval.low, scale * interval.high],
                            [rank, rank],
                            color=COLOURS[0],
                            linewidth=1.5,
                        )
                    axes.plot(
                        [scale * (interval.mean or 0.0)],
                        [rank],
                        color=COLOURS[0],
                        marker="o",
                        markersize=4,
                    )
                axes.set_xlim(0, None)
            grid[0][column].set_title(name, loc="left")
            grid[0][column].set_xlabel("Variation of goodput (%)")
            grid[1][column].set_xlabel("Swing of the RTT (ms)")
        for row in grid:
            row[0].set_yticks(range(len(kinds)), kinds)
            row[0].set_ylim(len(kinds) - 0.5, -0.5)
        return figure


def probe_curve(results: Results) -> PaperFigure:
    """Draw P2-F13: the pacing gain over time on the long path."""
    with drawing(TWO_COLUMNS, 3.0, 3, 1, sharex=True, sharey=True) as (figure, every):
        for axes, (name, run) in zip(every, results.runs["long-curve"].items(), strict=True):
            time, gain = internal(run, "pacing_gain")
            axes.step(time, gain, where="post", color=COLOURS[0], linewidth=0.8)
            axes.set_title(TITLES.get(name, name), loc="left")
            axes.set_ylim(0.6, 1.4)
        every[1].set_ylabel("Pacing gain")
        every[-1].set(xlabel="Time (s)", xlim=(0, 60))
        return figure


def rise_curve(results: Results) -> PaperFigure:
    """The rate after the link's has doubled."""
    with drawing(TWO_COLUMNS, 2.3) as (figure, axes):
        edges: Floats = np.array([25.0, 30.0, 30.0, 42.0])
        axes.plot(
            edges,
            _PAYLOAD * np.array([10.0, 10.0, 20.0, 20.0]),
            color="#B0B0B0",
            linewidth=1.5,
            label="link",
            zorder=0,
        )
        for rank, (name, run) in enumerate(results.runs["rise-curve"].items()):
            axes.plot(
                *goodput(run.series[0], 0.25),
                color=COLOURS[(0, 2, 5, 1)[rank]],
                linestyle=("-", "--", "-.", ":")[rank],
                label=TITLES[name],
            )
        axes.set(xlabel="Time (s)", ylabel="Goodput (Mbit/s)", xlim=(26, 42), ylim=(0, 21))
        legend_beside(figure, axes)
        return figure


def probes(results: Results) -> PaperFigure:
    """Length of upward probes after the other flow has left."""
    kinds: Mapping[str, str] = {
        **{cc: TITLES[cc] for cc in ("bbr", "patched", "lowlat")},
        "lowlat, in 30": TITLES["lowlat, in 30"],
    }
    with drawing(0.75 * TWO_COLUMNS, 1.5) as (figure, axes):
        spots = [results.spots("leave", "length of a probe", {"cc": cc})[0] for cc in kinds]
        for rank, interval in enumerate(intervals(spots)):
            if interval.low is not None and interval.high is not None:
                axes.plot(
                    [1e3 * interval.low, 1e3 * interval.high],
                    [rank, rank],
                    color=COLOURS[0],
                    linewidth=1.5,
                )
            axes.plot(
                [1e3 * (interval.mean or 0.0)], [rank], color=COLOURS[0], marker="o", markersize=4
            )
        axes.set_yticks(range(len(kinds)), list(kinds.values()))
        axes.set(
            ylim=(len(kinds) - 0.5, -0.5), xlim=(0, None), xlabel="Mean length of a probe (ms)"
        )
        return figure
