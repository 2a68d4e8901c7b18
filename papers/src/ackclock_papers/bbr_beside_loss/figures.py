"""Figures of the study, on the paper's axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, GREY, ONE_COLUMN, TWO_COLUMNS, new_figure
from ackclock.plot.sweep.labels import Look
from ackclock.studies.lines import delivered_rate, line, look_of, name_lines
from ackclock.views.figure import paper
from ackclock_papers.bbr_beside_loss import laws, rules
from ackclock_papers.drawing import drawing, labels

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from matplotlib.axes import Axes

    from ackclock.studies.results import Results
    from ackclock.views.figure import PaperFigure


def _on_two(axes: Axes, ticks: Sequence[float]) -> None:
    axes.set_xscale("log", base=2)
    axes.set_xticks(list(ticks), [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()


def over_time(results: Results) -> PaperFigure:
    """Draw BL-F1."""
    with paper():
        figure = new_figure(TWO_COLUMNS, 2.4)
        names = [
            name for name in ("CUBIC, 32 BDP", "Reno, 32 BDP") if name in results.runs["curve"]
        ]
        every = figure.subplots(1, len(names), sharey=True, squeeze=False)[0]
        ends: list[tuple[float, float, Look] | None] = []
        for axes, name in zip(every, names, strict=True):
            ends = []
            for rank, flow in enumerate(results.runs["curve"][name].series):
                time, rate = delivered_rate(flow, 4.0)
                look = Look("BBR" if rank == 0 else "the other", COLOURS[rank], "-", "")
                axes.plot(time, 1e-6 * rate, color=look.colour, linewidth=1.0)
                ends.append((float(time[-1]), 1e-6 * float(rate[-1]), look))
            axes.set_title(f"Beside {name.split(',')[0]}", loc="left")
            axes.set(xlabel="Time (s)", xlim=(0, 400))
        every[0].set(ylim=(0, 10), ylabel="Goodput (Mbit/s)")
        name_lines(figure, every[-1], ends)
        return figure


def window(results: Results) -> PaperFigure:
    """Draw BL-window."""
    with paper():
        figure = new_figure(TWO_COLUMNS, 2.4)
        names = [
            name for name in ("CUBIC, 32 BDP", "alone, 32 BDP") if name in results.runs["curve"]
        ]
        every = figure.subplots(1, len(names), sharey=True, squeeze=False)[0]
        ends: list[tuple[float, float, Look] | None] = []
        for axes, name in zip(every, names, strict=True):
            flow = next(
                series for series in results.runs["curve"][name].series if series.name == "bbr"
            )
            ends = []
            for rank, (column, said) in enumerate((("cwnd", "window"), ("inflight", "out"))):
                look = Look(said, COLOURS[rank], "-", "")
                packets = flow.column(column) / flow.mss
                axes.plot(flow.time, packets, color=look.colour, linewidth=(1.6, 0.7)[rank])
                ends.append((float(flow.time[-1]), float(packets[-1]), look))
            axes.set_title(
                name.split(",")[0] if "alone" in name else f"Beside {name.split(',')[0]}",
                loc="left",
            )
            axes.set(xlabel="Time (s)", xlim=(0, 400), yscale="log")
            axes.set_yticks([4, 10, 30, 100, 300, 1000], ["4", "10", "30", "100", "300", "1,000"])
            axes.minorticks_off()
        every[0].set_ylabel("Packets of the BBR flow")
        name_lines(figure, every[-1], ends)
        return figure


def simple_model(results: Results) -> PaperFigure:  # noqa: ARG001
    """Draw BL-F3."""
    with drawing(1.4 * ONE_COLUMN, 2.5) as (figure, axes):
        others = np.linspace(0, 1, 201)
        rest = [laws.rest_of_queue(float(p)) for p in others]
        cap = [laws.cap_of_queue(float(p)) for p in others]
        axes.plot(others, rest, color=COLOURS[0])
        axes.plot(others, cap, color=COLOURS[2])
        axes.plot([0.5], [0.5], color="black", marker="x", linestyle="", markersize=7)
        axes.set(
            xlim=(0, 1),
            ylim=(0, 1),
            xlabel="Share of the queue that others hold, p",
            ylabel="Of the queue, BBR's",
        )
        axes.text(0.13, 0.9, "what is left: 1 − p", color=COLOURS[0], fontsize=7)
        axes.text(0.02, 0.33, "cap: 2 (p − p²)", color=COLOURS[2], fontsize=7)
        return figure


def over_queue(experiment: str, peer: str | None) -> Callable[[Results], PaperFigure]:
    """Draw BL-F8: a panel for each number of BBR flows."""

    def draw(results: Results) -> PaperFigure:
        path = laws.SLOW if experiment == "over-queue" else laws.FASTER
        numbers = labels(results, experiment, "bbr_flows")
        queues = [float(label) for label in labels(results, experiment, "queue")]
        rows = 1 if len(numbers) <= 3 else 2
        with paper():
            figure = new_figure(TWO_COLUMNS, 1.2 + 1.5 * rows)
            every = figure.subplots(
                rows, -(-len(numbers) // rows), sharex=True, sharey=True, squeeze=False
            ).flatten()
            for axes, flows in zip(every, numbers, strict=False):
                at = {"bbr_flows": flows, **({"peer": peer} if peer else {})}
                spots = rules.shares(results, experiment, at)
                computed = [laws.share(queue, int(flows), path) for queue in queues]
                axes.plot(queues, computed, color="black", linestyle="", marker="x", markersize=6)
                line(axes, [float(spot.labels["queue"]) for spot in spots], spots, look_of("", 0))
                axes.set_title(f"{flows} BBR flow{'' if flows == 1 else 's'}", loc="left")
                _on_two(axes, queues)
            every[0].set_ylim(0, 1.05)
            figure.supylabel("Share of the link of all BBR flows", fontsize=8)
            figure.supxlabel("Queue (BDP)", fontsize=8)
            return figure

    return draw


def estimates(results: Results) -> PaperFigure:
    """Draw BL-F6."""
    with drawing(TWO_COLUMNS, 2.4, 1, 2) as (figure, (left, right)):
        numbers = [int(name.split()[0]) for name in results.runs["alone"]]
        measured = [rules.taken_for_rtt(run) for run in results.runs["alone"].values()]
        left.plot(
            numbers,
            [1e3 * laws.rtt_estimate(number) for number in numbers],
            color="black",
            marker="x",
            markersize=6,
        )
        left.plot(
            numbers,
            [1e3 * value for value in measured],
            color=COLOURS[0],
            marker="o",
            markersize=3.5,
        )
        windows = [_window_of(run) for run in results.runs["alone"].values()]
        caps = [1e-3 * laws.bytes_in_flight(number) for number in numbers]
        right.plot(numbers, caps, color="black", marker="x", markersize=6)
        right.plot(numbers, windows, color=COLOURS[0], marker="o", markersize=3.5)
        for axes, title in (
            (left, "Taken for the\nround-trip time (ms)"),
            (right, "Window of a flow (kB)"),
        ):
            _on_two(axes, numbers)
            axes.set(ylim=(0, None), xlabel="BBR flows alone", ylabel=title)
        looks = [Look("equation 6", "black", "", "x"), Look("run", COLOURS[0], "-", "o")]
        name_lines(
            figure, right, [(numbers[-1], caps[-1], looks[0]), (numbers[-1], windows[-1], looks[1])]
        )
        return figure


def _window_of(run: Any) -> float:
    """Mean window of the flows in the last 5 s, outside of PROBE_RTT, kB on the wire."""
    windows = []
    for flow in run.series:
        if flow.part_of is None and flow.name == "bbr" and len(run.series) > 1:
            continue
        cwnd = flow.column("cwnd")[flow.time > flow.end - 5.0]
        windows.append(float(np.median(cwnd)) / flow.mss * 1.5)
    return float(np.mean(windows))


def probing(results: Results) -> PaperFigure:
    """Draw BL-F7."""
    with drawing(1.4 * ONE_COLUMN, 2.4) as (figure, axes):
        names = [name for name in results.runs["curve"] if name.startswith("CUBIC")]
        queues = [float(name.split()[1]) for name in names]
        computed = [100 * laws.probe_share(queue) for queue in queues]
        measured = [100 * rules.probing_share(results.runs["curve"][name]) for name in names]
        axes.plot(queues, computed, color="black", marker="x", markersize=6)
        axes.plot(queues, measured, color=COLOURS[0], marker="o", markersize=3.5)
        _on_two(axes, queues)
        axes.set(ylim=(0, None), xlabel="Queue (BDP)", ylabel="Time in PROBE_RTT (%)")
        looks = [Look("equation 11", "black", "", "x"), Look("run", COLOURS[0], "-", "o")]
        name_lines(
            figure,
            axes,
            [(queues[-1], computed[-1], looks[0]), (queues[-1], measured[-1], looks[1])],
        )
        return figure


def peers(results: Results) -> PaperFigure:
    """Draw BL-peers."""
    with paper():
        figure = new_figure(TWO_COLUMNS, 2.6)
        kinds = labels(results, "peers", "peer")
        every = figure.subplots(1, len(kinds), sharey=True, squeeze=False)[0]
        others = [float(label) for label in labels(results, "peers", "others")]
        x = np.geomspace(others[0], others[-1], 60)
        ends: list[tuple[float, float, Look] | None] = []
        for axes, peer in zip(every, kinds, strict=True):
            axes.axhline(0.5, color=GREY, linewidth=0.8)
            fair = 1 / (1 + x)
            axes.plot(x, fair, color=GREY, linestyle=":")
            model = laws.share(32, 1)
            axes.plot(
                others, [model] * len(others), color="black", linestyle="", marker="x", markersize=6
            )
            ends = [
                (others[-1], float(fair[-1]), Look("fair share", GREY, ":", "")),
                (others[-1], model, Look("model", "black", "", "x")),
            ]
            for rank, starts in enumerate(labels(results, "peers", "starts")):
                spots = rules.shares(results, "peers", {"peer": peer, "starts": starts})
                ends.append(
                    line(
                        axes,
                        [float(spot.labels["others"]) for spot in spots],
                        spots,
                        look_of(str(starts), rank),
                    )
                )
            kernel = rules.on_the_kernel(peer)
            if kernel:
                look = Look("Linux 6.18, together", COLOURS[3], "", "D")
                axes.plot(
                    list(kernel),
                    list(kernel.values()),
                    color=look.colour,
                    linestyle="",
                    marker=look.marker,
                    markersize=4,
                )
            axes.set_title("Beside CUBIC" if peer == "cubic" else "Beside Reno", loc="left")
            _on_two(axes, others)
            axes.set_xlabel("Loss-based flows")
        every[0].set(ylim=(0, 0.75), ylabel="Share of the BBR flow")
        name_lines(figure, every[-1], ends)
        return figure


def versions(results: Results) -> PaperFigure:
    """Draw BL-versions."""
    with drawing(1.4 * ONE_COLUMN, 2.3) as (figure, axes):
        others = [float(label) for label in labels(results, "versions", "others")]
        ends = []
        for rank, version in enumerate(labels(results, "versions", "version")):
            spots = rules.shares(results, "versions", {"version": version})
            ends.append(
                line(
                    axes,
                    [float(spot.labels["others"]) for spot in spots],
                    spots,
                    look_of(str(version), rank),
                )
            )
        _on_two(axes, others)
        axes.set(ylim=(0, 0.6), xlabel="CUBIC flows beside it", ylabel="Its share of the link")
        name_lines(figure, axes, ends)
        return figure
