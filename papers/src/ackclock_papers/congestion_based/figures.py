"""Figures of the study, on the article's axes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, DASHES, GREY, MARKERS, ONE_COLUMN, TWO_COLUMNS, new_figure
from ackclock.plot.sweep.labels import Look, beside_lines
from ackclock.studies.lines import delivered_rate, internal, line, queue
from ackclock.views.figure import paper
from ackclock_papers.congestion_based import rules
from ackclock_papers.drawing import drawing, labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from ackclock.studies.results import Results
    from ackclock.views.figure import PaperFigure

_LOOKS = {
    "BBR": Look("BBR", COLOURS[2], "-", "o"),
    "BBR, no policer": Look("BBR, no policer", COLOURS[0], (0, (4, 1.5)), "^"),
    "CUBIC": Look("CUBIC", COLOURS[5], "-", "s"),
}


def _named(
    figure: PaperFigure, axes: Axes, ends: Sequence[tuple[float, float, Look] | None]
) -> None:
    beside_lines(figure, axes, [end for end in ends if end is not None])


def over_loss(results: Results) -> PaperFigure:
    """Draw CB-F10."""
    with paper():
        buffers = labels(results, "loss", "buffer")
        figure = new_figure(TWO_COLUMNS, 2.6)
        every = figure.subplots(1, len(buffers), sharey=True, squeeze=False)[0]
        x = np.geomspace(1e-5, 0.5, 100)
        ends: list[tuple[float, float, Look] | None] = []
        for axes, buffer in zip(every, buffers, strict=True):
            top = [1e-6 * rules.limit(float(value)) for value in x]
            axes.plot(100 * x, top, color=GREY, linewidth=0.9)
            # What the text prints: a tenth at 0.1 %, nothing above 1 %, the limit up to 5 %.
            axes.plot(
                [0.1, 1.2],
                [9.65, 0],
                color="black",
                linestyle="",
                marker="x",
                markersize=6,
                zorder=5,
            )
            axes.plot(
                [5],
                [1e-6 * rules.limit(0.05)],
                color="black",
                linestyle="",
                marker="x",
                markersize=6,
                zorder=5,
            )
            ends = [(50.0, top[-1], Look("limit", GREY, "-", ""))]
            for name in labels(results, "loss", "cc"):
                spots = results.spots("loss", "goodput", {"cc": name, "buffer": buffer})
                places = [100 * float(spot.labels["loss"]) for spot in spots]
                ends.append(line(axes, places, spots, _LOOKS[name], scale=1e-6))
                kernel = rules.on_the_kernel(name, buffer)
                heights = [1e-6 * share for share in kernel.values()]
                axes.plot(
                    [100 * loss for loss in kernel],
                    heights,
                    color=_LOOKS[name].colour,
                    linestyle="",
                    marker="D",
                    markersize=4,
                )
            axes.set_xscale("log")
            axes.set_xticks([0.001, 0.01, 0.1, 1, 10], ["0.001", "0.01", "0.1", "1", "10"])
            axes.minorticks_off()
            axes.set_title(buffer, loc="left")
            axes.set_xlabel("Lost at random (%)")
        every[0].set(ylim=(-2, 105), ylabel="Goodput (Mbit/s)")
        _named(figure, every[-1], ends)
        return figure


def first_seconds(results: Results) -> PaperFigure:
    """Draw CB-F6."""
    with drawing(TWO_COLUMNS, 3.6, 2, 2, sharex="col") as (figure, every):
        ends: list[tuple[float, float, Look] | None] = []
        for name, run in results.runs["first-seconds"].items():
            flow, look = run.series[0], _LOOKS[name]
            rtt = 1e3 * flow.column("rtt_sample")
            for (top, bottom), until in zip(every.T, (1.0, 8.0), strict=True):
                seen = flow.time <= until
                top.plot(
                    flow.time[seen],
                    1e-6 * flow.column("delivered")[seen],
                    color=look.colour,
                    linewidth=1.0,
                )
                bottom.plot(flow.time[seen], rtt[seen], color=look.colour, linewidth=1.0)
            ends.append((float(flow.time[-1]), float(rtt[~np.isnan(rtt)][-1]), look))
        times, mode = internal(results.runs["first-seconds"]["BBR"], "mode", "flow")
        changes = times[1:][np.diff(mode) != 0]
        for axes in every[:, 0]:
            for change in changes[changes < 1.0]:
                axes.axvline(change, color=GREY, linewidth=0.6)
        for axes in every[0]:
            axes.set_ylabel("Delivered (MB)")
        for axes in every[1]:
            axes.set(ylabel="RTT (ms)", xlabel="Time (s)", ylim=(0, None))
        _named(figure, every[1][1], ends)
        return figure


def finding(results: Results) -> PaperFigure:
    """Draw CB-startup."""
    with drawing(1.4 * ONE_COLUMN, 2.4) as (figure, axes):
        names = list(results.runs["startup-rates"])
        sizes = [rules.packets_in_path(name) for name in names]
        computed = [math.log2(size) for size in sizes]
        measured = [
            rules.round_trips_to_find(results.runs["startup-rates"][name], name) for name in names
        ]
        axes.plot(sizes, computed, color="black", marker="x", markersize=6)
        axes.plot(sizes, measured, color=COLOURS[2], marker="o", markersize=3.5)
        axes.set_xscale("log")
        axes.set_xticks(sizes, [f"{size:,.0f}" for size in sizes])
        axes.minorticks_off()
        axes.set(
            ylim=(0, None),
            xlabel="Bandwidth-delay product (packets)",
            ylabel="Round trips until 90 %\nof the bandwidth is known",
        )
        looks = [Look("log2 BDP", "black", "-", "x"), Look("run", COLOURS[2], "-", "o")]
        _named(
            figure, axes, [(sizes[-1], computed[-1], looks[0]), (sizes[-1], measured[-1], looks[1])]
        )
        return figure


def queues(results: Results) -> PaperFigure:
    """Draw CB-queue."""
    with drawing(TWO_COLUMNS, 2.4, 1, 2) as (figure, (left, right)):
        sizes = [float(str(label).split()[0]) for label in labels(results, "settled", "room")]
        ends: list[tuple[float, float, Look] | None] = []
        for name in labels(results, "settled", "cc"):
            spots = results.spots("settled", "mean queue", {"cc": name})
            line(left, sizes, spots, _LOOKS[name], scale=1 / rules.BDP)
            spots = results.spots("settled", "utilisation", {"cc": name})
            ends.append(line(right, sizes, spots, _LOOKS[name], scale=100, limits=(0.0, 1.0)))
        low = results.spots("settled", "queue p5", {"cc": "CUBIC"})
        dashed = Look("CUBIC, 5th percentile", COLOURS[5], DASHES[1], MARKERS[2])
        line(left, sizes, low, dashed, scale=1 / rules.BDP)
        left.plot(
            sizes,
            [0.7 * size for size in sizes],
            color="black",
            linestyle="",
            marker="x",
            markersize=6,
        )
        left.text(
            sizes[2] * 1.1, 0.7 * sizes[2] - 0.5, "×: 70 % of the buffer", va="top", fontsize=7
        )
        for axes, title in ((left, "Queue (BDP)"), (right, "Utilisation (%)")):
            axes.set_xscale("log", base=2)
            axes.set_xticks(sizes, [f"{size:g}" for size in sizes])
            axes.minorticks_off()
            axes.set(xlabel="Buffer (BDP)", ylabel=title)
        right.set_ylim(90, 100.5)
        _named(figure, right, ends)
        return figure


def steady(results: Results) -> PaperFigure:
    """Draw CB-F4."""
    with paper():
        run = results.runs["steady"]["run"]
        flow = run.series[0]
        figure = new_figure(TWO_COLUMNS, 3.6)
        every = figure.subplots(3, 1, sharex=True)
        begin, end = 15.0, 15.7
        seen = (flow.time >= begin) & (flow.time <= end)
        times, bandwidth = internal(run, "bw", flow.name)
        kept = (times >= begin) & (times <= end)
        every[0].plot(flow.time[seen], 1e3 * flow.column("rtt_sample")[seen], color=COLOURS[0])
        every[1].plot(
            flow.time[seen], flow.column("inflight")[seen] / flow.mss / rules.BDP, color=COLOURS[2]
        )
        every[1].axhline(1, color=GREY, linewidth=0.8)
        every[2].plot(times[kept], 1e-6 * bandwidth[kept], color=GREY, linewidth=2.4)
        every[2].plot(
            flow.time[seen],
            1e-6 * flow.column("delivery_rate")[seen],
            color=COLOURS[5],
            linewidth=1.0,
        )
        for axes, title in zip(
            every, ("RTT (ms)", "Out (BDP)", "Delivery rate\n(Mbit/s)"), strict=True
        ):
            axes.set_ylabel(title)
        every[2].set(xlabel="Time (s)", xlim=(begin, end))
        return figure


def steps(results: Results) -> PaperFigure:
    """Draw CB-F5."""
    with paper():
        run = results.runs["steps"]["run"]
        flow = run.series[0]
        figure = new_figure(TWO_COLUMNS, 3.2)
        every = figure.subplots(2, 2, sharex="col", sharey="row")
        times, bandwidth = internal(run, "bw", flow.name)
        for (top, bottom), (begin, end) in zip(every.T, ((19.0, 23.0), (39.0, 43.0)), strict=True):
            seen = (flow.time >= begin) & (flow.time <= end)
            kept = (times >= begin) & (times <= end)
            top.plot(
                flow.time[seen],
                1e-3 * flow.column("inflight")[seen],
                color=COLOURS[2],
                linewidth=1.0,
            )
            bottom.plot(times[kept], 1e-6 * bandwidth[kept], color=GREY, linewidth=2.4)
            bottom.plot(
                flow.time[seen],
                1e-6 * flow.column("delivery_rate")[seen],
                color=COLOURS[5],
                linewidth=0.8,
            )
            bottom.set(xlabel="Time (s)", xlim=(begin, end))
        every[0][0].set_ylabel("Out (kB)")
        every[1][0].set_ylabel("Bandwidth\n(Mbit/s)")
        every[0][0].set_ylim(bottom=0)
        every[1][0].set_ylim(0, 25)
        return figure


def sharing(results: Results) -> PaperFigure:
    """Draw CB-F8."""
    with drawing(TWO_COLUMNS, 2.6) as (figure, axes):
        for rank, flow in enumerate(results.runs["sharing-curve"]["run"].series):
            time, rate = delivered_rate(flow, 0.25)
            axes.plot(time, 1e-6 * rate, color=COLOURS[rank], linewidth=0.9)
        axes.axhline(100 * rules.PAYLOAD / 5, color="black", linewidth=0.9, linestyle=":")
        axes.set(
            xlim=(0, 60), ylim=(0, 105), xlabel="Time (s)", ylabel="Goodput of each flow (Mbit/s)"
        )
        return figure


def fairness(results: Results) -> PaperFigure:
    """Draw CB-F8-jain."""
    with drawing(1.4 * ONE_COLUMN, 2.3) as (figure, axes):
        buffers = sorted(
            labels(results, "sharing", "buffer"), key=lambda label: float(str(label).split()[0])
        )
        ends = []
        for rank, starts in enumerate(labels(results, "sharing", "starts")):
            spots = [
                results.spots("sharing", "jain_index", {"starts": starts, "buffer": buffer})[0]
                for buffer in buffers
            ]
            look = Look(str(starts), COLOURS[rank], DASHES[rank], MARKERS[rank])
            ends.append(line(axes, list(range(len(buffers))), spots, look))
        axes.axhline(0.95, color=GREY, linewidth=0.8)
        axes.set_xticks(range(len(buffers)), [str(buffer) for buffer in buffers])
        axes.set(xlabel="Buffer", ylabel="Jain's index, 40 s to 60 s", ylim=(None, 1.005))
        _named(figure, axes, ends)
        return figure


def waiting(results: Results) -> PaperFigure:
    """Draw CB-F7."""
    with drawing(TWO_COLUMNS, 2.2) as (figure, axes):
        ends: list[tuple[float, float, Look] | None] = []
        for name, run in results.runs["first-seconds"].items():
            times, packets = queue(run)
            axes.plot(times, packets / rules.BDP, color=_LOOKS[name].colour, linewidth=1.0)
            ends.append((float(times[-1]), float(packets[-1] / rules.BDP), _LOOKS[name]))
        for share in (0.7, 1.0):
            axes.axhline(8 * share, color=GREY, linewidth=0.8, linestyle=":")
        axes.set(xlim=(0, 8), ylim=(0, 8.6), xlabel="Time (s)", ylabel="Queue (BDP)")
        _named(figure, axes, ends)
        return figure
