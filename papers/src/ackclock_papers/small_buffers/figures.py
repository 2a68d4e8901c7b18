"""P3's figures over the buffer, and those of the open questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.plot.style import COLOURS, DASHES, GREY, MARKERS, ONE_COLUMN, TWO_COLUMNS, new_figure
from ackclock.plot.sweep.labels import Look, beside_lines, looks
from ackclock.plot_data.sweep.scale import sentence
from ackclock.stats import Estimate, bounded, estimates
from ackclock.studies.lines import interval_line
from ackclock.views.figure import paper
from ackclock_papers.drawing import drawing
from ackclock_papers.small_buffers import film, laws
from ackclock_papers.small_buffers.printed import PRINTED
from ackclock_papers.small_buffers.readings import (
    AXIS,
    LITERAL,
    NO_WINDOW,
    SAWTOOTH,
    SHORTER,
    STATED,
    STEADY,
    WINDOW,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.axes import Axes

    from ackclock.studies.claim import Evidence
    from ackclock.studies.results import Results, Spot
    from ackclock.views.figure import PaperFigure

_ONE_TOPIC = f"“{LITERAL}”, and one topic changed"
_BUNDLES = f"“{STATED}”, and more"


@dataclass(frozen=True)
class Panel:
    """One panel: a response under some readings, over the buffer."""

    title: str
    response: str
    lines: Sequence[tuple[str, str, str] | str]
    """Names of readings; or a name, a setting and a response of its own."""
    floor: float | None = None
    """Place of zero on a logarithmic scale, in the unit that is shown; None: a linear scale."""
    limit: float | None = None
    """A grey line, in the unit that is shown."""
    bottom: float = 0.0
    """Begin of a linear axis, in the unit that is shown."""
    label: str = ""
    """Label of the vertical axis; by default the response's name."""


def _line(
    axes: Axes,
    x: Sequence[float],
    rows: Sequence[Estimate | Evidence],
    look: Look,
    factor: float = 1.0,
    floor: float | None = None,
    label: str = "",
) -> tuple[float, float, Look] | None:
    """Draw a line with its intervals and return its end, or None if there is nothing to draw."""
    known = [(at, row) for at, row in zip(x, rows, strict=True) if _value(row) is not None]
    if not known:
        return None
    where = np.array([at for at, _ in known])
    middle, low, high = (
        factor
        * np.array(
            [
                _value(row) if end is None else end
                for (_, row), end in zip(known, column, strict=True)
            ],
            dtype=float,
        )
        for column in (
            [None] * len(known),
            [row.low for _, row in known],
            [row.high for _, row in known],
        )
    )
    if floor is not None:
        middle, low, high = (np.maximum(end, floor) for end in (middle, low, high))
    return interval_line(axes, where, middle, low, high, look, zorder=2, label=label)


def _value(row: Estimate | Evidence) -> float | None:
    return row.mean if isinstance(row, Estimate) else row.value


def _look(name: str, rank: int) -> Look:
    """Return a line's look: colours repeat after the seventh line, with another marker."""
    again = rank + rank // len(COLOURS)
    return Look(
        name,
        COLOURS[rank % len(COLOURS)],
        DASHES[again % len(DASHES)],
        MARKERS[again % len(MARKERS)],
    )


def _means(
    results: Results, experiment: str, response: str, at: Mapping[str, Any]
) -> list[tuple[Spot, Estimate]]:
    """Return means with 95 % intervals that stay within the response's range."""
    spots = results.spots(experiment, response, at)
    limits = results.limits(experiment, response)
    means = estimates([list(spot.values.values()) for spot in spots], 0.95)
    return [(spot, bounded(mean, *limits)) for spot, mean in zip(spots, means, strict=True)]


def _logarithmic(axes: Axes, floor: float) -> None:
    """Make a vertical axis on which zero stands at `floor`, labelled none."""
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(lambda y, _: "none" if y <= 1.01 * floor else f"{y:g}")


def _name(line: tuple[str, str, str] | str) -> str:
    return line if isinstance(line, str) else line[0]


def _draw(axes: Axes, results: Results, panel: Panel, ranks: Mapping[str, int]) -> None:
    factor, unit = _shown(results.unit("buffers", panel.response), panel.response)
    for line in panel.lines:
        under = results.under(line) if isinstance(line, str) else results
        response, at = (panel.response, {}) if isinstance(line, str) else (line[2], {AXIS: line[1]})
        name, means = _name(line), _means(under, "buffers", response, at)
        x = [float(spot.labels["buffer"]) for spot, _ in means]
        _line(
            axes, x, [row for _, row in means], _look(name, ranks[name]), factor, panel.floor, name
        )
    if printed := PRINTED.get(panel.response):
        y = factor * np.array(list(printed.values()))
        axes.plot(
            list(printed),
            y,
            color="black",
            linestyle="",
            marker="x",
            markersize=6,
            zorder=5,
            label="the paper",
        )
    if panel.limit is not None:
        axes.axhline(panel.limit, color=GREY, linewidth=0.8)
    axes.set(
        xlabel="Buffer (packets)",
        xticks=[5, 10, 20, 30, 50],
        ylabel=f"{panel.label or sentence(panel.response)} ({unit})",
    )
    if panel.floor is not None:
        _logarithmic(axes, panel.floor)
    if panel.title:
        axes.set_title(panel.title, loc="left")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.24), ncols=2)


def over_buffer(
    *panels: Panel, height: float = 3.6, alike: bool = True
) -> Callable[[Results], PaperFigure]:
    """Draw responses over the buffer in panels side by side.

    With `alike`, all panels have the first one's vertical axis.
    """

    def draw(results: Results) -> PaperFigure:
        with paper():
            figure = new_figure(TWO_COLUMNS, height)
            every = figure.subplots(1, len(panels), sharey=alike, squeeze=False)[0]
            names = dict.fromkeys(_name(line) for panel in panels for line in panel.lines)
            ranks = {name: rank for rank, name in enumerate(names)}
            for axes, panel in zip(every, panels, strict=True):
                _draw(axes, results, panel, ranks)
            # Limits follow when all panels have their lines: setting one stops the automatic other.
            for axes, panel in zip(every, panels, strict=True):
                axes.set_ylim(bottom=panel.bottom if panel.floor is None else 0.7 * panel.floor)
            if alike:
                for axes in every[1:]:
                    axes.set_ylabel("")
            return figure

    return draw


OTHER_JITTERS = (
    (f"{STATED}, by RFC 3550", STATED, "jitter by RFC 3550"),
    (f"{STATED}, the network's", STATED, "jitter of the network"),
)
AT_TARGET = ((f"{SAWTOOTH}, at the target", SAWTOOTH, "loss of TCP at the target link"),)

DELAY = over_buffer(
    Panel(
        _ONE_TOPIC,
        "network delay",
        (
            LITERAL,
            "bursts",
            "delayed ACKs",
            "window of 32",
            "no window",
            "80 ms",
            "the film's delay",
            "full film's delay",
        ),
    ),
    Panel(_BUNDLES, "network delay", (STATED, SHORTER, WINDOW, NO_WINDOW, SAWTOOTH, STEADY)),
)
JITTER = over_buffer(
    Panel(_ONE_TOPIC, "jitter", (LITERAL, "bursts", "RFC 3550", "the network's jitter"), floor=0.1),
    Panel(_BUNDLES, "jitter", (STATED, *OTHER_JITTERS), floor=0.1),
    height=3.2,
)
THROUGHPUT = over_buffer(
    Panel(
        _ONE_TOPIC,
        "throughput of TCP",
        (LITERAL, "80 % load", "bursts", "delayed ACKs", "no window", "80 ms", "after 20 s"),
        bottom=10,
    ),
    Panel(
        _BUNDLES,
        "throughput of TCP",
        (STATED, SHORTER, WINDOW, NO_WINDOW, SAWTOOTH, STEADY),
        bottom=10,
    ),
)
LOSS = over_buffer(
    Panel(
        "TCP",
        "loss of TCP",
        (LITERAL, "bursts", STATED, SAWTOOTH, STEADY, *AT_TARGET),
        floor=1e-4,
        label="Loss",
    ),
    Panel("the film (UDP)", "loss of the film", film.FILMS, floor=1e-4, label="Loss"),
    height=4.0,
)
FILM = over_buffer(
    Panel("", "decodable frames", film.FILMS),
    Panel("", "longest delay of the film", film.FILMS, limit=400),
    Panel("", "queueing delay, 99th percentile", film.FILMS),
    height=3.0,
    alike=False,
)


def _or(value: float | None, otherwise: float | None) -> float | None:
    return otherwise if value is None else value


def _shown(unit: str, response: str) -> tuple[float, str]:
    if unit == "s":
        return 1e3, "ms"
    if unit == "bit/s":
        return 1e-6, "Mbit/s"
    return (100.0, "%") if unit == "1" else (1.0, unit or response)


def kept(results: Results) -> PaperFigure:
    """Draw P3-Q9."""
    with drawing(TWO_COLUMNS, 2.6, 1, len(film.SCALES), sharey=True) as (figure, every):
        for axes, (scale, interval) in zip(
            every, (("by frame", "40 ms"), ("by second", "1 s")), strict=True
        ):
            ends = []
            axes.axhline(1.0, color=GREY, linewidth=0.8)
            for rank, name in enumerate(film.FILMS):
                x = [
                    float(spot.labels["buffer"])
                    for spot in results.spots("buffers", "loss of the film", {AXIS: name})
                ]
                ends.append(_line(axes, x, film.kept(results, scale, name), _look(name, rank)))
            axes.set_title(f"in intervals of {interval}", loc="left")
            axes.set(xlabel="Buffer (packets)", xticks=[5, 10, 20, 30, 50])
        every[0].set(ylabel="Variation of the film's bytes,\nreceived over sent", ylim=(0, None))
        beside_lines(figure, every[-1], [end for end in ends if end is not None])
        return figure


def thumb(results: Results) -> PaperFigure:
    """Draw P3-R1: utilisation, and how many connections lose at once."""
    with drawing(TWO_COLUMNS, 2.5, 1, 2) as (figure, every):
        for axes, response, title in zip(
            every,
            ("utilisation", "connections that lose at once"),
            ("Utilisation (%)", "Connections that lose\nat once (%)"),
            strict=True,
        ):
            ends = []
            for rank, count in enumerate((1, 4, 8)):
                means = _means(results, "thumb", response, {"connections": count})
                x = [float(spot.labels["share"]) for spot, _ in means]
                ends.append(
                    _line(
                        axes,
                        x,
                        [row for _, row in means],
                        _look("1 connection" if count == 1 else f"{count} connections", rank),
                        100.0,
                    )
                )
            axes.axvline(1.0, color=GREY, linewidth=0.8)
            axes.set_xscale("log")
            axes.set_xticks([0.25, 0.5, 1, 2], ["¼", "½", "1", "2"])
            axes.set_xticks([], minor=True)
            axes.set(xlabel="Buffer (RTT·C)", ylabel=title)
            if response != "utilisation":
                axes.set_ylim(0, 105)
            beside_lines(figure, axes, [end for end in ends if end is not None])
        return figure


_STEP = (
    ("connections that lose within 200 ms", "Connections that lose\nwithin 200 ms (%)", 100.0),
    ("correlation of the windows", "Mean correlation\nof the windows", 1.0),
)


def red(results: Results) -> PaperFigure:
    """Draw P3-RED: 18 and 36 connections, and how far they are in step."""
    with drawing(TWO_COLUMNS, 2.7, 1, len(_STEP)) as (figure, every):
        for axes, (response, label, factor) in zip(every, _STEP, strict=True):
            for rank, (count, queue) in enumerate(
                (count, queue) for count in (18, 36) for queue in ("RED", "DropTail")
            ):
                means = _means(results, "red", response, {"connections": count, "queue": queue})
                x = [float(spot.labels["buffer"]) for spot, _ in means]
                name = f"{count} connections, {queue}"
                _line(axes, x, [row for _, row in means], _look(name, rank), factor, label=name)
            axes.axhline(0.0, color=GREY, linewidth=0.8, zorder=1)
            axes.set(xlabel="Buffer (packets)", xticks=[5, 20, 50], ylabel=label)
        figure.legend(*every[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
        return figure


_QUEUES = (
    ("loss of the film", "Loss of the film (%)", 100.0, 0.01),
    ("decodable frames", "Decodable frames (%)", 100.0, None),
    ("throughput of TCP", "Throughput of TCP (Mbit/s)", 1e-6, None),
)


def queues(results: Results) -> PaperFigure:
    """Draw P3-Q3, Q5 and Q6: the film and TCP over the number of connections, by queue."""
    (axis,) = (
        dimension for dimension in results.sweeps["queues"].design.axes if dimension.name == "queue"
    )
    with drawing(TWO_COLUMNS, 2.9, 1, len(_QUEUES)) as (figure, every):
        for axes, (response, label, factor, floor) in zip(every, _QUEUES, strict=True):
            for look in looks(axis):
                means = _means(results, "queues", response, {"queue": look.label})
                x = [float(spot.labels["connections"]) for spot, _ in means]
                _line(axes, x, [row for _, row in means], look, factor, floor, look.label)
            axes.set_xscale("log")
            axes.set_xticks([18, 36, 72, 144], ["18", "36", "72", "144"])
            axes.set_xticks([], minor=True)
            axes.set(xlabel="Connections", ylabel=label)
            if floor is None:
                axes.set_ylim(bottom=0)
            else:
                _logarithmic(axes, floor)
        figure.legend(
            *every[0].get_legend_handles_labels(),
            loc="outside lower center",
            ncols=len(axis.labels),
        )
        return figure


def frames(results: Results) -> PaperFigure:
    """Draw P3-Q4."""
    (axis,) = (
        dimension for dimension in results.sweeps["queues"].design.axes if dimension.name == "queue"
    )
    with drawing(1.5 * ONE_COLUMN, 2.6) as (figure, axes):
        counts = laws.frames(results)
        for look in looks(axis):
            these = [
                (100 * lost, 100 * broken)
                for label, lost, broken, _ in counts
                if label.split(",")[0] == look.label
            ]
            if these:
                axes.plot(
                    *zip(*these, strict=True),
                    linestyle="",
                    marker=look.marker,
                    markersize=4.5,
                    color=look.colour,
                    label=look.label,
                )
        if counts:
            x = np.geomspace(100 * min(count[1] for count in counts), 100.0, 50)
            axes.plot(x, x, color=GREY, linewidth=0.8)
            axes.annotate(
                "as many frames as packets",
                (30, 30),
                color=GREY,
                fontsize=7,
                xytext=(-6, 0),
                textcoords="offset points",
                ha="right",
            )
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set(
            ylim=(0, 105),
            xlabel="Packets of the film lost (%)",
            ylabel="Frames that cannot\nbe decoded (%)",
        )
        return figure


def rules(results: Results) -> PaperFigure:
    """The smallest buffer for 99 % utilisation, with the three laws."""
    with drawing(TWO_COLUMNS * 0.75, 3.0) as (figure, axes):
        x = np.geomspace(1, 1000, 200)
        ends = []
        for (name, law), dashes in zip(
            laws.LAWS.items(), ("-", (0, (5, 1.5)), (0, (1, 1))), strict=True
        ):
            y = [law(value) for value in x]
            axes.plot(x, y, color=GREY, linestyle=dashes)
            ends.append((1000.0, y[-1], Look(name, GREY, dashes, "")))
        for rank, sending in enumerate(results.sweeps["rules"].design.axes[2].labels):
            look = Look(str(sending), COLOURS[(0, 5)[rank]], "-", MARKERS[rank])
            known = [
                requirement
                for requirement in laws.smallest(results, str(sending))
                if requirement.buffer.mean is not None and requirement.censored != ">"
            ]
            if not known:
                continue
            where = np.array([requirement.connections for requirement in known]) * (1.0, 1.06)[rank]
            middle = np.array([requirement.buffer.mean for requirement in known])
            low = np.array(
                [
                    max(1.0, _or(requirement.buffer.low, requirement.buffer.mean) or 1.0)
                    for requirement in known
                ]
            )
            high = np.array(
                [_or(requirement.buffer.high, requirement.buffer.mean) for requirement in known]
            )
            axes.errorbar(
                where,
                middle,
                yerr=[np.maximum(0, middle - low), high - middle],
                fmt="none",
                ecolor=look.colour,
                capsize=2,
            )
            among = list(results.numbers("rules", "connections").values())
            # A line across a number of connections without a mark would tell of a buffer that was
            # not found.
            breaks = [
                at
                for at in range(1, len(known))
                if among.index(known[at].connections) - among.index(known[at - 1].connections) > 1
            ]
            for part in np.split(np.arange(len(known)), breaks):
                axes.plot(
                    where[part], middle[part], color=look.colour, marker=look.marker, markersize=4
                )
            for need, at in zip(known, where, strict=True):
                if need.censored == "<":
                    axes.annotate(
                        "",
                        (at, need.buffer.mean),
                        xytext=(0, -16),
                        textcoords="offset points",
                        arrowprops={"arrowstyle": "<-", "color": look.colour, "linewidth": 0.8},
                    )
            ends.append((float(where[-1]), float(middle[-1]), look))
        axes.set(xscale="log", yscale="log", xlim=(0.9, 1150), ylim=(1, 1500))
        axes.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1,000"])
        axes.set_yticks([1, 10, 100, 1000], ["1", "10", "100", "1,000"])
        axes.set(xlabel="Connections", ylabel="Smallest buffer for 99 %\nutilisation (packets)")
        beside_lines(figure, axes, ends)
        return figure


def utilisation(results: Results) -> PaperFigure:
    """Utilisation over the buffer, from which the smallest buffers are read."""
    where = results.numbers("rules", "connections")
    with drawing(TWO_COLUMNS, 2.9, 1, 2, sharey=True) as (figure, both):
        for axes, sending in zip(both, ("by ACKs", "paced"), strict=True):
            for rank, label in enumerate(where):
                means = _means(
                    results, "rules", "utilisation", {"connections": label, "sending": sending}
                )
                x = [float(spot.labels["buffer"]) for spot, _ in means]
                _line(
                    axes,
                    x,
                    [row for _, row in means],
                    _look(f"{label:,}", rank),
                    100.0,
                    label=f"{label:,}",
                )
            axes.axhline(100 * laws.WANTED, color=GREY, linewidth=0.8)
            axes.set_title(f"sent {sending}", loc="left")
            axes.set_xscale("log")
            sizes = sorted(results.numbers("rules", "buffer").values())
            # 256 and 417 would run into each other.
            axes.set_xticks(
                sizes, [f"{size:g}" if size != 417 or 1024 not in sizes else "" for size in sizes]
            )
            axes.set_xticks([], minor=True)
            axes.set_xlabel("Buffer (packets)")
        both[0].set(ylabel="Utilisation (%)", ylim=(0, 103))
        figure.legend(
            *both[0].get_legend_handles_labels(),
            loc="outside lower center",
            ncols=len(where),
            title="connections",
        )
        return figure
