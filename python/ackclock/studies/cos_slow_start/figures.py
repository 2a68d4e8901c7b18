"""P1's figures that are drawn from sweeps, and the queue behind RED."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.plot.style import COLOURS, TWO_COLUMNS, new_figure, paper
from ackclock.studies.criteria import Change
from ackclock.studies.drawing import changes

if TYPE_CHECKING:
    from ackclock.plot.style import PaperFigure
    from ackclock.studies.results import Results


def lost(results: Results) -> PaperFigure:
    """P1-F6."""
    return results.sweeps["lost-packets"].plot("lost_packets", x="connections", by="cc")


def _changes(results: Results, response: str) -> PaperFigure:
    panels = {
        f"transport = {transport}": {
            value: Change("lost-packets", response, "cc", value, "reno", {"transport": transport})
            for value in ("cos+reno", "cos(sigma=0)+reno")
        }
        for transport in ("classic", "linux")
    }
    return changes(results, panels, "connections")


def lost_change(results: Results) -> PaperFigure:
    """P1-F6, seed by seed."""
    return _changes(results, "lost_packets")


def time_change(results: Results) -> PaperFigure:
    """P1-T, seed by seed."""
    return _changes(results, "transfer_time")


def transfer_time(results: Results) -> PaperFigure:
    """P1-T."""
    return results.sweeps["lost-packets"].plot("transfer_time", x="connections", by="cc")


def timeouts(results: Results) -> PaperFigure:
    """P1-T, why."""
    return results.sweeps["lost-packets"].plot("timeouts", x="connections", by="cc")


def red_queue(results: Results) -> PaperFigure:
    """P1-F7, mean and longest over seeds."""
    return results.sweeps["red-queue"].plot("mean queue", x="connections", by="cc")


def red_lost(results: Results) -> PaperFigure:
    """P1-Q8."""
    return results.sweeps["red-queue"].plot("lost_packets", x="connections", by="cc")


def red_curve(results: Results) -> PaperFigure:
    """P1-F7."""
    runs = results.runs["red-curve"]
    with paper():
        figure = new_figure(TWO_COLUMNS, 2.3)
        both = figure.subplots(1, 2, sharey=True)
        for axes, count in zip(both, ("1 connection", "5 connections"), strict=True):
            for cc, colour, dashes in (("reno", COLOURS[0], "-"), ("cos+reno", COLOURS[5], "-")):
                links = runs[f"{cc}, {count}"].samples.links
                one = links.filter(links["link"].cast(str) == "bottleneck")
                time, queue = one["time"].to_numpy(), one["queue_packets"].to_numpy().astype(float)
                axes.step(time, queue, where="post", color=colour, linestyle=dashes, linewidth=0.7, label=cc)
            axes.set_title(count, loc="left")
            axes.set_xlabel("Time (s)")
            axes.set_xlim(0, 3)
            axes.set_ylim(0, 21)
        both[0].set_ylabel("Queue (packets)")
        for axes in both:
            axes.axvspan(0.0, 1.0, color="#F0F0F0", linewidth=0, zorder=0)
        both[0].legend(loc="upper left")
        return figure


def wrong_losses(results: Results) -> PaperFigure:
    """P1-Q5."""
    return results.sweeps["wrong-ssthresh"].plot("lost_packets", x="ssthresh", by="cc")


def wrong_time(results: Results) -> PaperFigure:
    """P1-Q5."""
    return results.sweeps["wrong-ssthresh"].plot("transfer_time", x="ssthresh", by="cc")


def acks(results: Results) -> PaperFigure:
    """P1-Q3 and Q4."""
    return results.sweeps["acks"].plot("transfer_time", x="acks", by="cc")


def today_losses(results: Results) -> PaperFigure:
    """P1-Q6 and Q7."""
    return results.sweeps["today"].plot("lost_packets", x="rate", by="slow_start")


def today_time(results: Results) -> PaperFigure:
    """P1-Q6 and Q7."""
    return results.sweeps["today"].plot("transfer_time", x="rate", by="slow_start")
