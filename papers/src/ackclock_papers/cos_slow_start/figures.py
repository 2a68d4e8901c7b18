"""P1's figures that are drawn from sweeps, the queue behind RED, and a window of today."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, DASHES, DROP_COLOUR, GREY, MARKERS, TWO_COLUMNS, new_figure
from ackclock.plot.sweep.labels import Look, beside_lines, legend_above
from ackclock.studies.criteria import Change
from ackclock.studies.lines import interval_line
from ackclock.studies.outside import read_outside
from ackclock.studies.reading import Reading
from ackclock.views.figure import paper
from ackclock_papers.cos_slow_start.drawing import (
    FILES,
    LOOKS,
    NAMES,
    SHARE,
    dots,
    lines,
    means_of,
    with_intervals,
)
from ackclock_papers.drawing import drawing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from matplotlib.axes import Axes

    from ackclock.studies.results import Results
    from ackclock.views.figure import PaperFigure

_RATES = {rate: rate for rate in FILES}
_TIME = "Transfer time (s)"
UNITS = {"bits": "1 Kb = 1 kilobit", "bytes": "1 Kb = 1 kilobyte"}
_FEW = [1, 5, 10, 20]
_HERE = Path(__file__).parent
_NS2_FILES = {"lost-packets": "ns2.json", "headers": "ns2-headers.json"}


def in_ns2(results: Results, experiment: str) -> Results:
    """Return results that look at ns-2's runs in place of ackclock's."""
    rows = read_outside(_HERE / _NS2_FILES[experiment]).rows
    return replace(results, elsewhere={experiment: rows})


def _over_connections(
    results: Results,
    response: str,
    title: str,
    *,
    experiment: str = "lost-packets",
    connections: Sequence[int] | None = None,
    ns2: bool = False,
) -> PaperFigure:
    """Draw a response over the number of connections, bits and bytes side by side.

    Each unit has its own scale.
    """
    from matplotlib.ticker import MaxNLocator

    at = {} if connections is None else {"connections": list(connections)}
    with paper():
        figure = new_figure(TWO_COLUMNS, 2.4)
        every = figure.subplots(1, 2, squeeze=False)[0]
        ends: list[tuple[float, float, Look]] = []
        for axes, (units, name) in zip(every, UNITS.items(), strict=True):
            ends = []
            for cc in ("reno", "cos+reno"):
                spots = results.spots(experiment, response, {"units": units, "cc": cc, **at})
                x = [float(spot.labels["connections"]) for spot in spots]
                ends.append(with_intervals(axes, x, means_of(spots), LOOKS[cc]))
                if ns2:
                    others = in_ns2(results, experiment).spots(
                        experiment, response, {"units": units, "cc": cc, **at}
                    )
                    x = [float(spot.labels["connections"]) for spot in others]
                    y = [mean.value for mean in means_of(others)]
                    look = LOOKS[cc]
                    axes.plot(
                        x,
                        y,
                        color="#A0A0A0",
                        linestyle=look.dashes,
                        marker=look.marker,
                        markersize=2.5,
                        linewidth=0.7,
                        zorder=1,
                    )
            axes.set_title(name)
            axes.set_xlim(left=0)
            axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
            axes.set_ylim(bottom=0)
            axes.yaxis.set_major_formatter(lambda value, _: f"{value:,g}")
            axes.set_xlabel("Connections")
        every[0].set_ylabel(title)
        beside_lines(figure, every[-1], ends)
        return figure


def lost(results: Results) -> PaperFigure:
    """Draw P1-F6."""
    return _over_connections(results, "lost_packets", "Lost packets", ns2=True)


def lost_few(results: Results) -> PaperFigure:
    """Draw P1-F6, with up to 20 connections."""
    return _over_connections(results, "lost_packets", "Lost packets", connections=_FEW, ns2=True)


def lost_today(results: Results) -> PaperFigure:
    """Draw P1-Q1."""
    return _over_connections(results, "lost_packets", "Lost packets", experiment="today-transport")


def transfer_time(results: Results) -> PaperFigure:
    """Draw P1-T."""
    return _over_connections(results, "transfer_time", "Mean transfer time (s)")


def timeouts(results: Results) -> PaperFigure:
    """Draw the timeouts that explain P1-T."""
    return _over_connections(results, "timeouts", "Timeouts")


def utilisation(results: Results) -> PaperFigure:
    """Draw P1-U."""
    return _over_connections(results, "utilisation", "Utilisation")


def _drawn_changes(
    axes: Axes, results: Results, pairing: Change, along: str, look: Look, aside: float = 0.0
) -> tuple[float, float, Look]:
    """Draw changes in per cent over an axis with the verdict's intervals; return the line's end."""
    changes = [
        (
            float(ours.labels[along]) + aside,
            *(
                100 * (change.value if end is None else end)
                for end in (change.value, change.low, change.high)
            ),
        )
        for change, (ours, _) in zip(pairing.weigh(results), pairing.pairs(results), strict=True)
        if change.value is not None
    ]
    x, middle, low, high = (np.array(column) for column in zip(*changes, strict=True))
    return interval_line(axes, x, middle, low, high, look)


def _changes_by_units(results: Results, response: str, title: str) -> PaperFigure:
    ours = {
        "as ns-2 has it": Look("from 1 packet", COLOURS[1], DASHES[1], MARKERS[1]),
        "window of 4": Look("from 4 packets", COLOURS[2], DASHES[2], MARKERS[2]),
        "20 wait": Look("20 wait", COLOURS[3], DASHES[3], MARKERS[3]),
    }
    others = Look("ns-2", "#A0A0A0", "-", "o")
    with drawing(TWO_COLUMNS, 2.6, 1, 2, sharey=True) as (figure, every):
        ends: list[tuple[float, float, Look]] = []
        for axes, (units, name) in zip(every, UNITS.items(), strict=True):
            axes.axhline(0.0, color=GREY, linewidth=0.8, zorder=1)
            ends = []
            for place, (setup, look) in enumerate(ours.items()):
                at = {"units": units, "setup": setup}
                pairing = Change("lost-packets", response, "cc", "cos+reno", "reno", at)
                ends.append(
                    _drawn_changes(axes, results, pairing, "connections", look, 0.8 * (place - 0.5))
                )
            pairing = Change(
                "lost-packets",
                response,
                "cc",
                "cos+reno",
                "reno",
                {"units": units, "setup": "as ns-2 has it"},
            )
            ends.append(
                _drawn_changes(
                    axes, in_ns2(results, "lost-packets"), pairing, "connections", others, -1.2
                )
            )
            axes.set_title(name)
            axes.set_xlabel("Connections")
        every[0].set_ylabel(title)
        beside_lines(figure, every[-1], ends)
        return figure


def lost_change(results: Results) -> PaperFigure:
    """Draw P1-F6, seed by seed."""
    return _changes_by_units(results, "lost_packets", "Change of lost packets (%)")


def time_change(results: Results) -> PaperFigure:
    """Draw P1-T, seed by seed."""
    return _changes_by_units(results, "transfer_time", "Change of transfer time (%)")


def headers(results: Results) -> PaperFigure:
    """Draw P1-Q10."""
    looks = (Look("ackclock", COLOURS[1], DASHES[1], MARKERS[1]), Look("ns-2", "#A0A0A0", "-", "o"))
    with drawing(TWO_COLUMNS, 2.3, 1, 2) as (figure, every):
        ends: list[tuple[float, float, Look]] = []
        titles = {
            "lost_packets": "Change of lost packets (%)",
            "transfer_time": "Change of transfer time (%)",
        }
        for axes, (response, title) in zip(every, titles.items(), strict=True):
            axes.axhline(0.0, color=GREY, linewidth=0.8, zorder=1)
            pairing = Change("headers", response, "cc", "cos+reno", "reno")
            both = (results, in_ns2(results, "headers"))
            ends = [
                _drawn_changes(axes, these, pairing, "connections", look)
                for these, look in zip(both, looks, strict=True)
            ]
            axes.set(xlabel="Connections", ylabel=title)
        beside_lines(figure, every[-1], ends)
        return figure


def fractions(results: Results) -> PaperFigure:
    """Draw P1-Q11: ackclock's runs, changed step by step towards ns-2."""
    cos = ("lost_packets", "cc", "cos+reno", "reno")
    in_bits = Change(
        "lost-packets",
        *cos,
        {"units": "bits", "setup": "as ns-2 has it", "connections": [1, 20, 60, 80, 100]},
    )
    steps = (
        (results, in_bits, Look("ackclock", COLOURS[1], DASHES[1], MARKERS[1])),
        (
            results,
            Change("fractions", *cos, {"handshake": "with the file"}),
            Look("fractions", COLOURS[2], DASHES[2], MARKERS[2]),
        ),
        (
            results,
            Change("fractions", *cos, {"handshake": "before"}),
            Look("and no handshake", COLOURS[3], DASHES[3], MARKERS[3]),
        ),
        (in_ns2(results, "lost-packets"), in_bits, Look("ns-2", "#A0A0A0", "-", "o")),
    )
    with drawing(TWO_COLUMNS * 0.72, 2.5) as (figure, axes):
        axes.axhline(0.0, color=GREY, linewidth=0.8, zorder=1)
        ends = [
            _drawn_changes(axes, these, pairing, "connections", look, 0.8 * (place - 1.5))
            for place, (these, pairing, look) in enumerate(steps)
        ]
        axes.set(xlabel="Connections", ylabel="Change of lost packets (%)")
        beside_lines(figure, axes, ends)
        return figure


def _grid(
    results: Results, columns: Sequence[tuple[str, str, str]], *, log: bool = True
) -> PaperFigure:
    """Draw means over the number of connections: a row per unit, a column per response."""
    from matplotlib.ticker import MaxNLocator

    with drawing(TWO_COLUMNS, 3.9, 2, len(columns), sharex="col") as (figure, rows):
        for at, (row, (units, name)) in enumerate(zip(rows, UNITS.items(), strict=True)):
            ends: list[tuple[float, float, Look]] = []
            for axes, (experiment, response, title) in zip(row, columns, strict=True):
                ends, x = [], []
                for label in ("reno", "cos+reno"):
                    spots = results.spots(experiment, response, {"cc": label, "units": units})
                    x = [float(spot.labels["connections"]) for spot in spots]
                    ends.append(with_intervals(axes, x, means_of(spots), LOOKS[label]))
                if log:
                    axes.set_xscale("log")
                axes.set_xticks(x, [f"{value:g}" for value in x])
                axes.minorticks_off()
                axes.set(ylabel=title, ylim=(0, None))
                axes.yaxis.set_major_locator(MaxNLocator(5))
                if at == len(rows) - 1:
                    axes.set_xlabel("Connections")
            row[len(columns) // 2].set_title(name)
            beside_lines(figure, row[-1], ends)
        return figure


def red(results: Results) -> PaperFigure:
    """Draw P1-F7 and P1-Q8: mean queue, its peak, and losses."""
    titles = {
        "mean queue": "Mean queue (packets)",
        "longest queue": "Longest queue (packets)",
        "lost_packets": "Lost packets",
    }
    held = replace(results, reading=held_at(results, "red", "as ns-2.28 has it"))
    return _grid(held, [("red-queue", response, title) for response, title in titles.items()])


def held_at(results: Results, axis: str, label: str) -> Reading:
    """Return the reading with one more axis held, for a figure of one of its labels."""
    reading = results.reading or Reading("", "", "")
    return replace(reading, settings={**reading.settings, axis: label})


def halves(results: Results) -> PaperFigure:
    """Draw P1-U1 and P1-B."""
    return _grid(
        results,
        [
            ("first-half", "utilisation", "Utilisation, first half"),
            ("second-half", "burst", "Burst (packets)"),
            ("second-half", "longest queue", "Longest queue (packets)"),
        ],
    )


def jitter(results: Results) -> PaperFigure:
    """Draw P1-G and P1-J."""
    return _grid(
        results,
        [
            ("synchronisation", "synchronisation", "Share that loses per epoch"),
            ("synchronisation", "load_jitter", "Jitter of load (σ/mean)"),  # noqa: RUF001
            ("synchronisation", "delay_jitter", "Jitter of delay (s)"),
        ],
    )


def short_change(results: Results) -> PaperFigure:
    """Draw P1-S2 and P1-S3: sizes, and pages, in rows; windows of one packet and of four."""
    looks = {
        1: Look("from 1 packet", COLOURS[1], "", MARKERS[1]),
        4: Look("from 4 packets", COLOURS[2], "", MARKERS[2]),
    }
    sizes = next(
        axis.labels for axis in results.sweeps["short-flows"].design.axes if axis.name == "size"
    )
    loads = (0.1, 0.5)
    with drawing(TWO_COLUMNS, 2.9, 1, 4, sharex=True, sharey=True) as (figure, every):
        panels = [(units, load) for units in UNITS for load in loads]
        drawn = []
        for axes, (units, load) in zip(every, panels, strict=True):
            axes.axvline(0.0, color=GREY, linewidth=0.8, zorder=1)
            for place, (window, look) in enumerate(looks.items()):
                under = {"units": units, "initial_window": window}
                # The verdict's intervals: those of all settings together, of which a panel shows
                # some.
                changes = []
                for experiment, response in (
                    ("short-flows", "transfer_time"),
                    ("web", "page_load_time"),
                ):
                    pairing = Change(experiment, response, "cc", "cos+reno", "reno", under)
                    weighed = zip(pairing.weigh(results), pairing.pairs(results), strict=True)
                    changes += [
                        change for change, (ours, _) in weighed if ours.labels["load"] == load
                    ]
                middle, low, high = (
                    np.array([100 * (getattr(change, part) or 0.0) for change in changes])
                    for part in ("value", "low", "high")
                )
                y = np.arange(len(changes)) + 0.22 * (place - 0.5)
                spread = [middle - low, high - middle]
                drawn.append(
                    axes.errorbar(
                        middle,
                        y,
                        xerr=spread,
                        fmt=look.marker,
                        color=look.colour,
                        markersize=3.5,
                        elinewidth=0.8,
                    )
                )
            axes.set_title(f"{UNITS[units]}\nload {load:g}")
        every[0].set_yticks(range(len(sizes) + 1), [*map(str, sizes), "web page"])
        every[0].invert_yaxis()
        every[1].set_xlabel("Change of the mean time (%)")
        legend_above(figure, drawn[:2], [look.label for look in looks.values()], TWO_COLUMNS)
        return figure


def sigma(results: Results) -> PaperFigure:
    """Draw P1-sigma: figures over the exit rule, as a share of those of doubling."""
    titles = {"lost_packets": "Lost packets", "transfer_time": "Transfer time"}
    with drawing(TWO_COLUMNS, 2.5, 1, 2) as (figure, every):
        ends: list[tuple[float, float, Look]] = []
        for axes, (response, title) in zip(every, titles.items(), strict=True):
            axes.axhline(1.0, color=GREY, linewidth=0.8, zorder=1)
            axes.axvline(2.0, color="#D0D0D0", linewidth=3, zorder=0)
            ends = []
            counts = next(
                axis.labels
                for axis in results.sweeps["sigma"].design.axes
                if axis.name == "connections"
            )
            for rank, connections in enumerate(counts):
                for units in UNITS:
                    spots = results.spots(
                        "sigma", response, {"units": units, "connections": connections}
                    )
                    means = {
                        spot.labels["sigma"]: mean.value
                        for spot, mean in zip(spots, means_of(spots), strict=True)
                    }
                    x = [label for label in means if label != "doubling"]
                    y = [means[label] / means["doubling"] for label in x]
                    dashes = "-" if units == "bits" else (0, (5, 1.5))
                    look = Look(f"{connections}, {units}", COLOURS[rank], dashes, MARKERS[rank])
                    where = [float(label) for label in x]
                    axes.plot(
                        where,
                        y,
                        color=look.colour,
                        linestyle=dashes,
                        marker=look.marker,
                        markersize=3.5,
                    )
                    ends.append((where[-1], y[-1], look))
            axes.set(
                xlabel="sigma (packets)", ylabel=f"{title}, share of doubling's", ylim=(0, None)
            )
        beside_lines(figure, every[-1], ends)
        return figure


def recoveries(results: Results) -> PaperFigure:
    """Draw P1-Q9."""
    names = {"tahoe": "Tahoe", "reno": "Reno", "newreno": "NewReno", "sack": "SACK"}
    with drawing(TWO_COLUMNS, 2.5, 1, 2, sharey=True) as (figure, every):
        ends: list[tuple[float, float, Look]] = []
        for axes, (units, title) in zip(every, UNITS.items(), strict=True):
            axes.axhline(0.0, color=GREY, linewidth=0.8, zorder=1)
            ends = []
            for rank, (base, name) in enumerate(names.items()):
                pairing = Change(
                    "recoveries", "lost_packets", "cc", f"cos+{base}", base, {"units": units}
                )
                look = Look(name, COLOURS[rank], DASHES[rank], MARKERS[rank])
                ends.append(
                    _drawn_changes(axes, results, pairing, "connections", look, 0.5 * (rank - 1.5))
                )
            axes.set_title(title)
            axes.set_xlabel("Connections")
        every[0].set_ylabel("Change of lost packets (%)")
        beside_lines(figure, every[-1], ends)
        return figure


def red_curve(results: Results) -> PaperFigure:
    """Draw P1-F7."""
    runs = results.runs["red-curve"]
    spans = {"bits": 1.3, "bytes": 1.0}
    with drawing(TWO_COLUMNS, 3.8, 2, 2, sharey=True, sharex=True) as (figure, rows):
        for row, (units, title) in zip(rows, UNITS.items(), strict=True):
            for axes, count in zip(row, (1, 5), strict=True):
                axes.axvspan(0.0, spans[units], color="#F0F0F0", linewidth=0, zorder=0)
                for cc in ("reno", "cos+reno"):
                    links = runs[f"{cc}, {count}, {units}"].samples.links
                    samples = links.filter(links["link"].cast(str) == "bottleneck")
                    time, queue = (
                        samples["time"].to_numpy(),
                        samples["queue_packets"].to_numpy().astype(float),
                    )
                    axes.step(
                        time,
                        queue,
                        where="post",
                        color=LOOKS[cc].colour,
                        linewidth=0.7,
                        label=NAMES[cc],
                    )
                axes.set_title(f"{title}, {count} connection{'s' if count > 1 else ''}")
                axes.set(xlim=(0, 3), ylim=(0, 21))
            row[0].set_ylabel("Queue (packets)")
        for axes in rows[-1]:
            axes.set_xlabel("Time (s)")
        rows[0][1].legend(loc="upper right")
        return figure


def wrong_losses(results: Results) -> PaperFigure:
    """Draw P1-Q5."""
    return lines(
        results,
        "wrong-ssthresh",
        "lost_packets",
        SHARE,
        panels=_RATES,
        across="rate",
        along="ssthresh",
    )


def wrong_time(results: Results) -> PaperFigure:
    """Draw P1-Q5."""
    return lines(
        results,
        "wrong-ssthresh",
        "transfer_time",
        _TIME,
        panels=_RATES,
        across="rate",
        along="ssthresh",
    )


def acks(results: Results) -> PaperFigure:
    """Draw P1-Q3 and Q4."""
    rows = [
        (f"{kind}; from {window}", {"acks": kind, "window": window})
        for window in (1, 10)
        for kind in ("each packet", "delayed, ACKs counted", "delayed, bytes counted")
    ]
    return dots(results, "acks", "transfer_time", _TIME, rows=rows, by="cc")


def _starts(results: Results) -> list[tuple[str, Mapping[str, Any]]]:
    axis = next(axis for axis in results.sweeps["today"].design.axes if axis.name == "slow_start")
    return [(str(label), {"slow_start": label}) for label in axis.labels]


def today_losses(results: Results) -> PaperFigure:
    """Draw P1-Q6 and Q7."""
    return dots(results, "today", "lost_packets", SHARE, rows=_starts(results), by="buffer")


def today_time(results: Results) -> PaperFigure:
    """Draw P1-Q6 and Q7."""
    return dots(results, "today", "transfer_time", _TIME, rows=_starts(results), by="buffer")


def today_curve(results: Results) -> PaperFigure:
    """Draw P1-Q6: where the first loss meets each window."""
    with drawing(TWO_COLUMNS * 0.72, 2.3) as (figure, axes):
        ends = []
        for rank, (name, run) in enumerate(results.runs["today-curve"].items()):
            flow, look = run.series[0], Look(name, COLOURS[rank], DASHES[rank], "")
            begin, end = (float(run.flows[column][0]) for column in ("start_time", "finish_time"))
            time, window, lost_so_far = (
                flow.time - begin,
                flow.column("cwnd") / flow.mss,
                flow.column("lost"),
            )
            shown = (time >= 0) & (time <= end - begin)
            axes.plot(time[shown], window[shown], color=look.colour, linestyle=look.dashes)
            first = int(np.flatnonzero(lost_so_far > 0)[0]) - 1
            axes.plot(
                time[first], window[first], marker="x", color=DROP_COLOUR, markersize=6, zorder=4
            )
            last = int(np.searchsorted(time, end - begin)) - 1
            ends.append((float(time[last]), float(window[last]), look))
        axes.set(
            xlabel="Time since the file began (s)",
            ylabel="cwnd (packets)",
            xlim=(0, None),
            ylim=(0, None),
        )
        beside_lines(figure, axes, ends)
        return figure
