"""P1's figures that are drawn from sweeps, the queue behind RED, and a window of today."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import MaxNLocator

from ackclock.plot.style import COLOURS, DASHES, DROP_COLOUR, TWO_COLUMNS, new_figure, paper
from ackclock.plot.sweep.labels import Look, beside_lines
from ackclock.studies.cos_slow_start.drawing import FILES, LOOKS, NAMES, SHARE, dots, lines, means_of, with_intervals
from ackclock.studies.criteria import Change
from ackclock.studies.drawing import changes

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ackclock.plot.style import PaperFigure
    from ackclock.studies.results import Results

_TRANSPORTS = {"classic": "the paper's transport", "linux": "today's transport"}
_RATES = {rate: rate for rate in FILES}
_TIME = "Transfer time (s)"


def _over_connections(results: Results, response: str, title: str) -> PaperFigure:
    return lines(results, "lost-packets", response, title, panels=_TRANSPORTS, across="transport", along="connections")


def lost(results: Results) -> PaperFigure:
    """P1-F6."""
    return _over_connections(results, "lost_packets", "Lost packets")


def transfer_time(results: Results) -> PaperFigure:
    """P1-T."""
    return _over_connections(results, "transfer_time", "Mean transfer time (s)")


def timeouts(results: Results) -> PaperFigure:
    """P1-T, why."""
    return _over_connections(results, "timeouts", "Timeouts")


def _changes(results: Results, response: str) -> PaperFigure:
    panels = {
        title: {NAMES[value]: Change("lost-packets", response, "cc", value, "reno", {"transport": transport}) for value in list(NAMES)[1:]}
        for transport, title in _TRANSPORTS.items()
    }
    return changes(results, panels, "connections")


def lost_change(results: Results) -> PaperFigure:
    """P1-F6, seed by seed."""
    return _changes(results, "lost_packets")


def time_change(results: Results) -> PaperFigure:
    """P1-T, seed by seed."""
    return _changes(results, "transfer_time")


def red(results: Results) -> PaperFigure:
    """P1-F7 and P1-Q8: the queue in the mean, its peak, and what is lost."""
    titles = {"mean queue": "Mean queue (packets)", "longest queue": "Longest queue (packets)", "lost_packets": "Lost packets"}
    with paper():
        figure = new_figure(TWO_COLUMNS, 2.2)
        for axes, (response, title) in zip(figure.subplots(1, len(titles)), titles.items(), strict=True):
            ends, x = [], []
            for label in ("reno", "cos+reno"):
                spots = results.spots("red-queue", response, {"cc": label})
                x = [float(spot.labels["connections"]) for spot in spots]
                ends.append(with_intervals(axes, x, means_of(spots), LOOKS[label]))
            axes.set_xscale("log")
            axes.set_xticks(x, [f"{each:g}" for each in x])
            axes.minorticks_off()
            axes.set_xlabel("Connections")
            axes.set_ylabel(title)
            axes.set_ylim(bottom=0)
            axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
            if response == "lost_packets":
                beside_lines(figure, axes, ends)
        return figure


def red_curve(results: Results) -> PaperFigure:
    """P1-F7."""
    runs = results.runs["red-curve"]
    with paper():
        figure = new_figure(TWO_COLUMNS, 2.3)
        both = figure.subplots(1, 2, sharey=True)
        for axes, count in zip(both, ("1 connection", "5 connections"), strict=True):
            axes.axvspan(0.0, 1.0, color="#F0F0F0", linewidth=0, zorder=0)
            for cc in ("reno", "cos+reno"):
                links = runs[f"{cc}, {count}"].samples.links
                one = links.filter(links["link"].cast(str) == "bottleneck")
                time, queue = one["time"].to_numpy(), one["queue_packets"].to_numpy().astype(float)
                axes.step(time, queue, where="post", color=LOOKS[cc].colour, linewidth=0.7, label=NAMES[cc])
            axes.set_title(count)
            axes.set_xlabel("Time (s)")
            axes.set_xlim(0, 3)
            axes.set_ylim(0, 21)
            axes.legend(loc="upper right" if count == "1 connection" else "upper center")
        both[0].set_ylabel("Queue (packets)")
        return figure


def wrong_losses(results: Results) -> PaperFigure:
    """P1-Q5."""
    return lines(results, "wrong-ssthresh", "lost_packets", SHARE, panels=_RATES, across="rate", along="ssthresh")


def wrong_time(results: Results) -> PaperFigure:
    """P1-Q5."""
    return lines(results, "wrong-ssthresh", "transfer_time", _TIME, panels=_RATES, across="rate", along="ssthresh")


def acks(results: Results) -> PaperFigure:
    """P1-Q3 and Q4."""
    rows = [
        (f"{kind}; from {window}", {"acks": kind, "initial_window": window})
        for window in (1, 10)
        for kind in ("each packet", "delayed, ACKs counted", "delayed, bytes counted")
    ]
    return dots(results, "acks", "transfer_time", _TIME, rows=rows, by="cc")


def _starts(results: Results) -> list[tuple[str, Mapping[str, Any]]]:
    axis = next(axis for axis in results.sweeps["today"].design.axes if axis.name == "slow_start")
    return [(str(label), {"slow_start": label}) for label in axis.labels]


def today_losses(results: Results) -> PaperFigure:
    """P1-Q6 and Q7."""
    return dots(results, "today", "lost_packets", SHARE, rows=_starts(results), by="buffer")


def today_time(results: Results) -> PaperFigure:
    """P1-Q6 and Q7."""
    return dots(results, "today", "transfer_time", _TIME, rows=_starts(results), by="buffer")


def today_curve(results: Results) -> PaperFigure:
    """P1-Q6: where the first loss meets each window."""
    with paper():
        figure = new_figure(TWO_COLUMNS * 0.72, 2.3)
        axes = figure.subplots()
        ends = []
        for rank, (name, run) in enumerate(results.runs["today-curve"].items()):
            flow, look = run.series[0], Look(name, COLOURS[rank], DASHES[rank], "")
            begin, end = (float(run.flows[column][0]) for column in ("start_time", "finish_time"))
            time, window, lost_so_far = flow.time - begin, flow.column("cwnd") / flow.mss, flow.column("lost")
            axes.plot(time[(time >= 0) & (time <= end - begin)], window[(time >= 0) & (time <= end - begin)], color=look.colour,
                      linestyle=look.dashes)  # fmt: skip
            first = int(np.flatnonzero(lost_so_far > 0)[0]) - 1
            axes.plot(time[first], window[first], marker="x", color=DROP_COLOUR, markersize=6, zorder=4)
            last = int(np.searchsorted(time, end - begin)) - 1
            ends.append((float(time[last]), float(window[last]), look))
        axes.set_xlabel("Time since the file began (s)")
        axes.set_ylabel("cwnd (packets)")
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        beside_lines(figure, axes, ends)
        return figure
