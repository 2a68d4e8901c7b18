"""P3's figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, GREY, MARKERS, ONE_COLUMN, TWO_COLUMNS, new_figure, paper
from ackclock.plot.sweep.labels import Look, beside_lines, looks
from ackclock.plot.sweep.scale import sentence
from ackclock.stats import estimates
from ackclock.studies.small_buffers import laws
from ackclock.studies.small_buffers.printed import PRINTED

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.plot.style import PaperFigure
    from ackclock.studies.results import Results

CURVES = ("5 packets", "10 packets", "30 packets")
_FILMS = {"spread": {}, "in bursts": {"flows.film.app.rate": "1.5Mbit/s", "flows.film.access.rate": "100Mbit/s"}}
VARIANTS = {f"{size}, {film}": {"network.bottleneck.limit": size, **keys} for size in CURVES for film, keys in _FILMS.items()}


def over_buffer(response: str) -> Callable[[Results], PaperFigure]:
    """A response over the buffer; a panel for each reading of the film."""

    def draw(results: Results) -> PaperFigure:
        numbers = results.numbers("buffers", "buffer")
        factor, unit = _shown(results.unit("buffers", response), response)
        with paper():
            figure = new_figure(TWO_COLUMNS, 2.6)
            ends: list[tuple[float, float, Look]] = []
            both = figure.subplots(1, 2, sharey=True)
            for axes, film in zip(both, ("spread", "in bursts"), strict=True):
                ends.clear()
                if printed := PRINTED.get(response):
                    x, y = np.array(list(printed)), factor * np.array(list(printed.values()))
                    axes.plot(x, y, color=_PRINTED.colour, linestyle="", marker=_PRINTED.marker, markersize=5.5, zorder=4)
                    ends.append((float(x[-1]), float(y[-1]), _PRINTED))
                for look, experiment, at in _LINES:
                    spots = results.spots(experiment, response, {"film": film, **at})
                    rows = estimates([list(spot.values.values()) for spot in spots], 0.95)
                    known = [(spot, row) for spot, row in zip(spots, rows, strict=True) if row.mean is not None]
                    if not known:
                        continue
                    x = np.array([numbers[spot.labels["buffer"]] for spot, _ in known])
                    middle, low, high = (
                        factor * np.array(each)
                        for each in zip(*((row.mean, _or(row.low, row.mean), _or(row.high, row.mean)) for _, row in known), strict=True)
                    )
                    axes.errorbar(x, middle, yerr=[middle - low, high - middle], fmt="none", ecolor=look.colour, elinewidth=0.8, capsize=2)
                    axes.plot(x, middle, color=look.colour, linestyle=look.dashes, marker=look.marker, markersize=3.5)
                    ends.append((float(x[-1]), float(middle[-1]), look))
                axes.set_title(f"film {film}", loc="left")
                axes.set_xlabel("Buffer (packets)")
                axes.set_xticks(sorted(numbers.values()))
            both[0].set_ylabel(f"{sentence(response)} ({unit})")
            # Once both panels have their lines: a limit that is set ends the search for the other.
            both[0].set_ylim(bottom=0)
            beside_lines(figure, both[-1], ends)
            return figure

    return draw


_LINES: tuple[tuple[Look, str, dict[str, str]], ...] = (
    (Look("52 Mbit/s, RED", COLOURS[0], "-", MARKERS[0]), "buffers", {"link": "52 Mbit/s", "queue": "RED"}),
    (Look("52 Mbit/s, DropTail", COLOURS[0], (0, (4, 1.5)), MARKERS[1]), "buffers", {"link": "52 Mbit/s", "queue": "DropTail"}),
    (Look("24.4 Mbit/s, RED", COLOURS[5], "-", MARKERS[2]), "buffers", {"link": "24.4 Mbit/s", "queue": "RED"}),
    (Look("24.4 Mbit/s, DropTail", COLOURS[5], (0, (4, 1.5)), MARKERS[3]), "buffers", {"link": "24.4 Mbit/s", "queue": "DropTail"}),
    (Look("24.4 Mbit/s, RED, 80 ms", COLOURS[2], (0, (1, 1)), MARKERS[4]), "rtt", {}),
)
_PRINTED = Look("the paper", COLOURS[6], "", "x")


def _or(value: float | None, otherwise: float | None) -> float | None:
    return otherwise if value is None else value


def _shown(unit: str, response: str) -> tuple[float, str]:
    if unit == "s":
        return 1e3, "ms"
    if unit == "bit/s":
        return 1e-6, "Mbit/s"
    return (100.0, "%") if unit == "1" else (1.0, unit or response)


def delay_curve(results: Results) -> PaperFigure:
    """P3-F2, over time."""
    with paper():
        figure = new_figure(TWO_COLUMNS, 2.2)
        every = figure.subplots(1, len(CURVES), sharey=True)
        for axes, name in zip(every, CURVES, strict=True):
            # Thousands of dots as paths would be megabytes of the page.
            found = results.runs["curve"][f"{name}, spread"].samples.datagrams.drop_nulls("delay")
            axes.plot(found["sent_time"], 1e3 * found["delay"].to_numpy(), ",", color=COLOURS[0], rasterized=True)
            axes.axhline(400, color=GREY, linewidth=0.8)
            axes.set_title(name, loc="left")
            axes.set_xlabel("Time (s)")
            axes.set_ylim(0, 600)
        every[0].set_ylabel("Delay of each packet (ms)")
        return figure


def throughput_curve(results: Results) -> PaperFigure:
    """P3-F4, over time."""
    with paper():
        figure = new_figure(1.25 * ONE_COLUMN, 2.4)
        axes = figure.subplots()
        ends = []
        for rank, name in enumerate(CURVES):
            time, rate = _throughput(results, name)
            look = Look(name, COLOURS[(0, 5, 2)[rank]], ("-", (0, (5, 1.5)), (0, (1, 1)))[rank], MARKERS[rank])
            axes.step(time, 1e-6 * rate, where="pre", color=look.colour, linestyle=look.dashes)
            ends.append((float(time[-1]), 1e-6 * float(rate[-1]), look))
        axes.set_xlabel("Time (s)")
        axes.set_ylabel("TCP, all connections (Mbit/s)")
        axes.set_ylim(0, 20)
        axes.set_xlim(0, 100)
        beside_lines(figure, axes, ends)
        return figure


def _throughput(results: Results, name: str) -> tuple[np.ndarray, np.ndarray]:
    """What all connections delivered in every two seconds, with headers."""
    edges = np.arange(0.0, 100.1, 2.0)
    total = np.zeros(len(edges))
    for flow in results.runs["curve"][f"{name}, in bursts"].series:
        if not flow.name.startswith("tcp"):
            continue
        packets = np.interp(edges, flow.time, np.nan_to_num(flow.column("delivered"))) / 1460
        total += 1500 * packets
    return edges[1:], 8 * np.diff(total) / 2.0


def queues(response: str) -> Callable[[Results], PaperFigure]:
    """A response over the number of connections, by queue."""
    return lambda results: results.sweeps["queues"].plot(response, x="connections", by="queue")


def frames(results: Results) -> PaperFigure:
    """P3-Q4."""
    (axis,) = (each for each in results.sweeps["queues"].design.axes if each.name == "queue")
    with paper():
        figure = new_figure(1.5 * ONE_COLUMN, 2.6)
        axes = figure.subplots()
        found = laws.frames(results)
        for look in looks(axis):
            these = [(100 * lost, 100 * broken) for label, lost, broken, _ in found if label.split(",")[0] == look.label]
            if these:
                axes.plot(*zip(*these, strict=True), linestyle="", marker=look.marker, markersize=4.5, color=look.colour, label=look.label)
        if found:
            x = np.geomspace(100 * min(each[1] for each in found), 100.0, 50)
            axes.plot(x, x, color=GREY, linewidth=0.8)
            axes.annotate(
                "as many frames as packets", (30, 30), color=GREY, fontsize=7, xytext=(-6, 0), textcoords="offset points", ha="right"
            )
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_ylim(0, 105)
        axes.set_xlabel("Packets of the film lost (%)")
        axes.set_ylabel("Frames that cannot\nbe decoded (%)")
        return figure


def rules(results: Results) -> PaperFigure:
    """The smallest buffer for 99 % utilisation, with the three laws."""
    with paper():
        figure = new_figure(TWO_COLUMNS * 0.75, 3.0)
        axes = figure.subplots()
        x = np.geomspace(1, 1000, 200)
        ends = []
        for (name, law), dashes in zip(laws.LAWS.items(), ("-", (0, (5, 1.5)), (0, (1, 1))), strict=True):
            y = [law(each) for each in x]
            axes.plot(x, y, color=GREY, linestyle=dashes)
            ends.append((1000.0, y[-1], Look(name, GREY, dashes, "")))
        for rank, sending in enumerate(results.sweeps["rules"].design.axes[2].labels):
            look = Look(str(sending), COLOURS[(0, 5)[rank]], "-", MARKERS[rank])
            known = [one for one in laws.smallest(results, str(sending)) if one.buffer.mean is not None and one.censored != ">"]
            if not known:
                continue
            where = np.array([one.connections for one in known]) * (1.0, 1.06)[rank]
            middle = np.array([one.buffer.mean for one in known])
            low = np.array([max(1.0, _or(one.buffer.low, one.buffer.mean) or 1.0) for one in known])
            high = np.array([_or(one.buffer.high, one.buffer.mean) for one in known])
            axes.errorbar(where, middle, yerr=[np.maximum(0, middle - low), high - middle], fmt="none", ecolor=look.colour, capsize=2)
            among = list(results.numbers("rules", "connections").values())
            # A line across a number of connections without a mark would tell of a buffer that was not found.
            breaks = [at for at in range(1, len(known)) if among.index(known[at].connections) - among.index(known[at - 1].connections) > 1]
            for part in np.split(np.arange(len(known)), breaks):
                axes.plot(where[part], middle[part], color=look.colour, marker=look.marker, markersize=4)
            for one, at in zip(known, where, strict=True):
                if one.censored == "<":
                    axes.annotate(
                        "",
                        (at, one.buffer.mean),
                        xytext=(0, -16),
                        textcoords="offset points",
                        arrowprops={"arrowstyle": "<-", "color": look.colour, "linewidth": 0.8},
                    )
            ends.append((float(where[-1]), float(middle[-1]), look))
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlim(0.9, 1150)
        axes.set_ylim(1, 1500)
        axes.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1,000"])
        axes.set_yticks([1, 10, 100, 1000], ["1", "10", "100", "1,000"])
        axes.set_xlabel("Connections")
        axes.set_ylabel("Smallest buffer for 99 %\nutilisation (packets)")
        beside_lines(figure, axes, ends)
        return figure


def utilisation(results: Results) -> PaperFigure:
    """What the smallest buffers are read from."""
    return results.sweeps["rules"].plot("utilisation", x="buffer", by="connections")
