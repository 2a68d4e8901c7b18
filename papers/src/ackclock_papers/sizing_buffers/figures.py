"""Figures and tables of the study, on the paper's axes."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, GREY, ONE_COLUMN, TWO_COLUMNS, new_figure
from ackclock.plot.sweep.labels import Look
from ackclock.stats import bounded, estimates
from ackclock.studies.lines import line, look_of, name_lines, queue
from ackclock.tables.table import Table
from ackclock.theory import reno_utilisation
from ackclock.views.figure import paper
from ackclock_papers.drawing import drawing, labels
from ackclock_papers.sizing_buffers import laws, rules
from ackclock_papers.small_buffers.laws import crossing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.studies.results import Results, Spot
    from ackclock.views.figure import PaperFigure

CURVES = {
    "0.5 x RTT C": {"network.bottleneck.limit": "71 packets"},
    "1 x RTT C": {},
    "2 x RTT C": {"network.bottleneck.limit": "284 packets"},
}
WINDOWS = {
    name: {"flows.tcp.count": flows, "network.bottleneck.limit": f"{buffer:g} packets"}
    for name, (flows, buffer) in rules.WINDOWS.items()
}
_TARGETS = (0.98, 0.995, 0.999)


def curves(results: Results) -> PaperFigure:
    """Draw SB-F4."""
    with drawing(TWO_COLUMNS, 3.4, 2, len(CURVES), sharex=True, sharey="row") as (figure, every):
        for (top, bottom), (name, run) in zip(
            every.T, results.runs["one-curve"].items(), strict=True
        ):
            (flow,) = run.series
            top.plot(flow.time, flow.column("cwnd") / flow.mss, color=COLOURS[0], linewidth=0.9)
            bottom.plot(*queue(run), color=COLOURS[0], linewidth=0.9)
            if name == "1 x RTT C":
                start = float(rules.reductions(run)[1])
                after = np.linspace(0, 30.2, 60)
                top.plot(
                    start + after,
                    [laws.window_after(float(moment), rules.BDP, rules.RATE) for moment in after],
                    color="black",
                    linestyle=":",
                    linewidth=1.6,
                )
            top.set_title(name.replace("x", "×"), loc="left")
            bottom.set_xlabel("Time (s)")
        every[0][0].set_ylabel("Window (packets)")
        every[1][0].set_ylabel("Queue (packets)")
        every[0][0].set_ylim(bottom=0)
        every[1][0].set_ylim(bottom=0)
        return figure


def one_flow(results: Results) -> PaperFigure:
    """Draw SB-one."""
    with drawing(1.4 * ONE_COLUMN, 2.4) as (figure, axes):
        spots = results.spots("one", "utilisation")
        x = [float(spot.labels["buffer"]) for spot in spots]
        law = np.geomspace(0.2, 2.2, 80)
        axes.plot(law, [100 * reno_utilisation(float(share)) for share in law], color=GREY)
        end = line(axes, x, spots, look_of("runs", 0), scale=100, limits=(0.0, 1.0))
        axes.set_xscale("log")
        axes.set_xticks(x, [f"{value:g}" for value in x])
        axes.minorticks_off()
        axes.set(xlabel="Buffer (RTT × C)", ylabel="Utilisation (%)", ylim=(84, 101))
        name_lines(figure, axes, [end, (2.2, 97.5, Look("fluid", GREY, "-", ""))])
        return figure


def in_step(results: Results) -> PaperFigure:
    """Draw SB-in-step."""
    with drawing(1.5 * ONE_COLUMN, 2.5) as (figure, axes):
        ends = []
        for rank, tcp in enumerate(labels(results, "in-step", "tcp")):
            spots = results.spots("in-step", "share that loses at once", {"tcp": tcp})
            x = [float(spot.labels["long_flows"]) for spot in spots]
            ends.append(line(axes, x, spots, look_of(str(tcp), rank), scale=100, limits=(0.0, 1.0)))
        axes.set_xscale("log")
        ticks = [float(label) for label in labels(results, "in-step", "long_flows")]
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.minorticks_off()
        axes.set(
            ylim=(0, 100),
            xlabel="Connections",
            ylabel="Connections that lose\nwithin an episode (%)",
        )
        name_lines(figure, axes, ends)
        return figure


def distribution(results: Results) -> PaperFigure:
    """Draw SB-F8."""
    with drawing(TWO_COLUMNS, 2.5, 1, len(WINDOWS)) as (figure, every):
        for axes, (name, run) in zip(every, results.runs["windows"].items(), strict=True):
            _, total = rules.sum_of_windows(run)
            flows, buffer = rules.WINDOWS[name]
            axes.hist(total, bins=40, density=True, color=COLOURS[4], edgecolor="none")
            x = np.linspace(total.min(), total.max(), 200)
            mean, deviation = float(total.mean()), float(total.std(ddof=1))
            bound = laws.window_deviation(buffer, laws.OC3_PACKETS, flows)
            for spread, look in ((deviation, ("black", "-")), (bound, (COLOURS[5], (0, (4, 1.5))))):
                shape = NormalDist(mean, spread)
                axes.plot(
                    x,
                    [shape.pdf(float(value)) for value in x],
                    color=look[0],
                    linestyle=look[1],
                    linewidth=1.2,
                )
            axes.set_title(
                f"{name}: deviation {deviation:.0f}, bound {bound:.0f} packets",
                loc="left",
                fontsize=8,
            )
            axes.set_xlabel("Sum of the windows (packets)")
        every[0].set_ylabel("Probability density\n(1/packet)")
        return figure


def over_time(results: Results) -> PaperFigure:
    """Draw SB-F9."""
    with drawing(TWO_COLUMNS, 2.5, 1, len(WINDOWS)) as (figure, every):
        for axes, (name, run) in zip(every, results.runs["windows"].items(), strict=True):
            times, total = rules.sum_of_windows(run)
            at, waiting = queue(run)
            offset = float(total.mean()) - float(np.interp(times, at, waiting).mean())
            axes.plot(times, total, color=COLOURS[0], linewidth=0.9)
            axes.plot(
                times, np.interp(times, at, waiting) + offset, color=COLOURS[1], linewidth=0.9
            )
            axes.set_title(f"{name}: queue + {offset:.0f} packets", loc="left", fontsize=8)
            axes.set_xlabel("Time (s)")
        every[0].set_ylabel("Packets")
        name_lines(
            figure,
            every[-1],
            [
                (float(times[-1]), float(total[-1]), Look("sum of windows", COLOURS[0], "-", "")),
                (
                    float(times[-1]),
                    float(np.interp(times[-1], at, waiting)) + offset,
                    Look("queue", COLOURS[1], "-", ""),
                ),
            ],
        )
        return figure


_PRINTED = (("Model", "1"), ("Sim.", "x"), ("Exp.", "+"))


def router(results: Results) -> PaperFigure:
    """Draw SB-F15."""
    with paper():
        figure = new_figure(TWO_COLUMNS, 2.8)
        numbers = (100, 200, 300, 400)
        every = figure.subplots(1, len(numbers), sharey=True)
        ends: list[tuple[float, float, Look] | None] = []
        for axes, flows in zip(every, numbers, strict=True):
            ends = []
            rows = [name for name, row in laws.FIGURE_15.items() if row["flows"] == flows]
            for rank, tcp in enumerate(labels(results, "router", "tcp")):
                spots = results.spots("router", "utilisation", {"row": rows, "tcp": tcp})
                x = [float(laws.FIGURE_15[spot.labels["row"]]["multiple"]) for spot in spots]
                ends.append(
                    line(axes, x, spots, look_of(str(tcp), rank), scale=100, limits=(0.0, 1.0))
                )
            x = [float(laws.FIGURE_15[name]["multiple"]) for name in rows]
            for column, marker in _PRINTED:
                y = [100 * float(laws.FIGURE_15[name][column]) for name in rows]
                look = Look(f"paper: {column}", "black", "", marker)
                axes.plot(x, y, color="black", linestyle="", marker=marker, markersize=6, zorder=4)
                ends.append((x[-1], y[-1], look))
            axes.set_title(f"{flows} flows", loc="left")
            axes.set_xticks([0.5, 1, 2, 3], ["0.5", "1", "2", "3"])
        every[0].set(ylabel="Utilisation (%)", ylim=(None, 100.2))
        figure.supxlabel("Buffer (RTT × C / √n)", fontsize=8)
        # The paper's three columns end in one place: the caption explains their markers.
        name_lines(figure, every[-1], ends[: -len(_PRINTED)])
        return figure


def router_table(results: Results) -> Table:
    """Make the table SB-F15-table."""
    kinds = labels(results, "router", "tcp")
    rows = []
    for name, row in laws.FIGURE_15.items():
        bound = laws.utilisation_bound(row["packets"], laws.TABLE_PACKETS, row["flows"])
        ours = []
        for tcp in kinds:
            spots = results.spots("router", "utilisation", {"row": [name], "tcp": tcp})
            ours.append(_percent(spots, 2))
        waits = results.spots("router", "queue_delay.mean", {"row": [name], "tcp": kinds[0]})
        rows.append(
            (
                str(row["flows"]),
                f"{row['multiple']:g} ×",
                str(row["packets"]),
                f"{100 * row['Model']:.1f}",
                f"{100 * bound:.1f}",
                f"{100 * row['Sim.']:.1f}",
                f"{100 * row['Exp.']:.1f}",
                *ours,
                _scaled(waits, 1e3, 1),
            )
        )
    header = (
        "flows",
        "RTT C / √n",
        "packets",
        "Model (%)",
        "equation 6 (%)",
        "Sim. (%)",
        "Exp. (%)",
    )
    return Table((*header, *(f"{tcp} (%)" for tcp in kinds), "mean wait (ms)"), rows, 2)


def _scaled(spots: Sequence[Spot], factor: float, digits: int) -> str:
    values = [value for spot in spots for value in spot.values.values()]
    return f"{factor * math.fsum(values) / len(values):.{digits}f}" if values else "–"


def _percent(spots: Sequence[Spot], digits: int) -> str:
    return _scaled(spots, 100, digits)


def examples_table(results: Results) -> Table:  # noqa: ARG001
    """Make the table SB-eq6-table."""
    rows = []
    for multiple, printed in laws.PRINTED_EXAMPLES.items():
        bound = laws.utilisation_bound(multiple * 1e4, 1e6, 1e4)
        rows.append(
            (
                f"{multiple:g} ×",
                f"{100 * printed:.7g}",
                f"{100 * bound:.7g}",
                f"{1 - bound:.2g}",
                f"{1 - printed:.2g}",
            )
        )
    return Table(
        ("2 Tp C / √n", "printed (%)", "equation 6 (%)", "lost, computed", "lost, as printed"),
        rows,
        1,
    )


def smallest(results: Results) -> PaperFigure:
    """Draw SB-F11."""
    with drawing(1.5 * ONE_COLUMN, 2.9) as (figure, axes):
        numbers = [int(label) for label in labels(results, "minimum", "connections")]
        x = np.geomspace(min(numbers), max(numbers), 100)
        ends: list[tuple[float, float, Look] | None] = []
        for factor, dashes in ((1, "-"), (2, (0, (4, 1.5)))):
            y = factor * laws.OC3_PACKETS / np.sqrt(x)
            axes.plot(x, y, color=GREY, linestyle=dashes)
            ends.append(
                (
                    float(x[-1]),
                    float(y[-1]),
                    Look(f"{factor if factor > 1 else ''} RTT C / √n".strip(), GREY, dashes, ""),
                )
            )
        for rank, wanted in enumerate(_TARGETS):
            crossings: list[tuple[float, float, float, float]] = []
            for connections in numbers:
                spots = results.spots("minimum", "utilisation", {"connections": connections})
                buffers = [float(spot.labels["buffer"]) for spot in spots]
                seeds = sorted(set.intersection(*(set(spot.values) for spot in spots)))
                of_seeds = [
                    crossing(buffers, [spot.values[seed] for spot in spots], wanted)
                    for seed in seeds
                ]
                if not of_seeds or not all(map(math.isfinite, of_seeds)):
                    continue
                mean = bounded(estimates([of_seeds])[0], 0.0)
                middle = float(mean.mean or 0.0)
                low_end, high_end = (
                    middle if end is None else end for end in (mean.low, mean.high)
                )
                crossings.append((float(connections), middle, low_end, high_end))
            if not crossings:
                continue
            where, middle_, low, high = (
                np.array(column) for column in zip(*crossings, strict=True)
            )
            look = look_of(f"{100 * wanted:g} %", rank)
            axes.errorbar(
                where,
                middle_,
                yerr=[middle_ - np.maximum(low, 1.0), high - middle_],
                fmt="none",
                ecolor=look.colour,
                elinewidth=0.8,
            )
            axes.plot(
                where,
                middle_,
                color=look.colour,
                linestyle=look.dashes,
                marker=look.marker,
                markersize=3.5,
            )
            ends.append((float(where[-1]), float(middle_[-1]), look))
        axes.set(xscale="log", yscale="log")
        axes.set_xticks(numbers, [str(number) for number in numbers])
        axes.set_yticks([20, 50, 100, 200, 500, 1000], ["20", "50", "100", "200", "500", "1,000"])
        axes.minorticks_off()
        axes.set(xlabel="Long connections", ylabel="Smallest buffer (packets)")
        name_lines(figure, axes, ends)
        return figure


def utilisation(results: Results) -> PaperFigure:
    """Draw SB-F11-utilisation."""
    return results.sweeps["minimum"].plot("utilisation", x="buffer", by="connections")


def lost(results: Results) -> PaperFigure:
    """Draw SB-loss."""
    with drawing(1.5 * ONE_COLUMN, 2.7) as (figure, axes):
        ends = []
        x = np.geomspace(20, 900, 80)
        for rank, connections in enumerate(labels(results, "minimum", "connections")):
            look = look_of(f"{connections} connections", rank)
            axes.plot(
                x,
                [100 * laws.losses(float(value), laws.OC3_PACKETS, connections) for value in x],
                color=look.colour,
                linewidth=0.8,
            )
            spots = results.spots("minimum", "loss_rate", {"connections": connections})
            marks = Look(look.label, look.colour, "", look.marker)
            ends.append(
                line(
                    axes,
                    [float(spot.labels["buffer"]) for spot in spots],
                    spots,
                    marks,
                    scale=100,
                    limits=(0.0, 1.0),
                )
            )
        axes.set(xscale="log", yscale="log")
        axes.set_xticks([25, 50, 100, 200, 400, 800], ["25", "50", "100", "200", "400", "800"])
        axes.yaxis.set_major_formatter("{x:g}")
        axes.minorticks_off()
        axes.set(xlabel="Buffer (packets)", ylabel="Lost packets (%)")
        name_lines(figure, axes, ends)
        return figure


def short(results: Results) -> PaperFigure:
    """Draw SB-F10."""
    with drawing(1.5 * ONE_COLUMN, 2.7) as (figure, axes):
        lengths = range(2, 63)
        computed = [laws.mean_short_queue(length) for length in lengths]
        axes.plot(lengths, computed, color="black", linewidth=0.9)
        ends: list[tuple[float, float, Look] | None] = [
            (62.0, computed[-1], Look("M/G/1", "black", "-", ""))
        ]
        for rank, rate in enumerate(labels(results, "short", "rate")):
            spots = results.spots("short", "mean wait", {"rate": rate})
            x = [float(spot.labels["length"]) for spot in spots]
            look = look_of(str(rate), rank)
            # Little's law: as many wait as come in the time that one waits.
            arrivals = laws.SHORT_LOAD * float(str(rate).split()[0]) * 1e6 / 12_000
            ends.append(
                line(axes, x, spots, Look(look.label, look.colour, "", look.marker), scale=arrivals)
            )
        axes.set(
            xlim=(0, 64),
            ylim=(0, None),
            xlabel="Length of the flows (packets)",
            ylabel="Mean queue (packets)",
        )
        name_lines(figure, axes, ends)
        return figure


def completion(results: Results) -> PaperFigure:
    """Draw SB-F12."""
    with drawing(1.5 * ONE_COLUMN, 2.4) as (figure, axes):
        buffers = list(labels(results, "completion", "buffer"))
        ends = []
        for rank, rate in enumerate(labels(results, "completion", "rate")):
            spots = results.spots("completion", "completion time", {"rate": rate})
            x = [float(buffers.index(spot.labels["buffer"])) for spot in spots]
            ends.append(line(axes, x, spots, look_of(str(rate), rank), scale=1e3))
        axes.set_xticks(range(len(buffers)), [str(buffer) for buffer in buffers])
        axes.set(xlabel="Buffer", ylabel="Mean completion time (ms)", ylim=(0, None))
        name_lines(figure, axes, ends)
        return figure


def mix(results: Results) -> PaperFigure:
    """Draw SB-F14."""
    with drawing(TWO_COLUMNS, 2.5, 1, 2) as (figure, (left, right)):
        for axes, response, scale, title in (
            (left, "completion time", 1e3, "Mean completion time\nof the short flows (ms)"),
            (right, "utilisation", 100, "Utilisation (%)"),
        ):
            ends = []
            for rank, flows in enumerate(labels(results, "mix", "long_flows")):
                spots = results.spots("mix", response, {"long_flows": flows})
                x = [float(spot.labels["buffer"]) for spot in spots]
                ends.append(line(axes, x, spots, look_of(f"{flows} long flows", rank), scale=scale))
            axes.set_xscale("log")
            axes.set_xticks([119, 189, 2667], ["119", "189", "2,667"])
            axes.minorticks_off()
            axes.set(xlabel="Buffer (packets)", ylabel=title)
        left.set_ylim(bottom=0)
        right.set_ylim(94, 100.2)
        name_lines(figure, right, ends)
        return figure
