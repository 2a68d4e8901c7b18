"""A connection of a capture over time: sequence, inflight, round-trip time, goodput."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, Unpack

import numpy as np
import polars as pl

from ackclock.plot.looking import drawn
from ackclock.plot.style import COLOURS, GREY, TWO_COLUMNS, legend, new_figure
from ackclock.views.figure import PaperFigure, paper
from ackclock.views.figure_options import Options, make_look

if TYPE_CHECKING:
    from typing import Any

    from matplotlib.axes import Axes


class Connection(Protocol):
    """A connection that was laid out; `ackclock.tools.pcap.Capture` is one."""

    figures: "dict[str, Any]"
    segments: pl.DataFrame
    sacks: pl.DataFrame
    rates: pl.DataFrame


KIND_STYLES: Mapping[str, tuple[str, str]] = {
    "fast retransmission": ("#D55E00", "o"),
    "timeout retransmission": ("#000000", "s"),
    "tail loss probe": ("#CC79A7", "^"),
    "retransmission": ("#E69F00", "D"),
    "out of order": ("#009E73", "v"),
}
"""Colour and marker of repeated segments, by kind."""

_HEIGHTS = (2.1, 1.4, 1.3, 1.2)


def capture(connection: Connection, **options: Unpack[Options]) -> PaperFigure:
    """Sequence numbers, inflight, round-trip times and rates of a captured connection.

    Examples
    --------
    >>> import ackclock as ac
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s",
    ...     rtt="40ms",
    ...     flows=[ac.flow("reno")],
    ...     duration="5s",
    ...     record={"pcap": ["sender"]},
    ... )
    >>> folder = ac.run(scenario).write(Path(mkdtemp()) / "run")
    >>> seen = ac.read_pcap(folder / "pcap" / "sender.pcapng")
    >>> ac.plot.capture(seen).svg().startswith("<?xml")
    True
    """
    look = make_look(options)
    panels: list[Callable[[Axes, Connection], None]] = [_sequence, _inflight, _rtt, _rates]

    def make() -> PaperFigure:
        with paper(as_written=True):
            height = look.height or 0.6 + sum(_HEIGHTS)
            figure = new_figure(look.width or TWO_COLUMNS, height)
            axes = figure.subplots(
                len(panels), 1, sharex=True, gridspec_kw={"height_ratios": _HEIGHTS}
            )
            for draw, panel in zip(panels, axes, strict=True):
                draw(panel, connection)
                legend(panel, columns=4, outside=True)
            axes[-1].set_xlabel("Time (s)")
            axes[-1].set_xlim(0.0, max(connection.figures["duration"], 1e-6))
            figure.align_ylabels(axes)
            return figure

    return drawn(make, look)


def _sequence(axes: "Axes", connection: Connection) -> None:
    data = connection.segments.filter(pl.col("is_data") & (pl.col("length") > 0))
    acks = connection.segments.filter(~pl.col("is_data"))
    mega = 1e-6
    axes.plot(acks["time"], acks["ack"] * mega, color=GREY, drawstyle="steps-post", label="ACK")
    edge = connection.segments["right_edge"]
    highest = float(data["seq"].max() or 0) if data.height else 0.0  # type: ignore[arg-type]
    if edge.drop_nulls().len():
        inside = np.where(edge.to_numpy() <= 1.2 * highest, edge.to_numpy() * mega, np.nan)
        axes.plot(
            connection.segments["time"],
            inside,
            color=GREY,
            linewidth=0.6,
            linestyle=(0, (1, 1)),
            drawstyle="steps-post",
            label="receive window",
        )
    plain = data.filter(~pl.col("kind").cast(pl.String).is_in(list(KIND_STYLES)))
    axes.plot(
        plain["time"],
        plain["seq"] * mega,
        linestyle="none",
        marker=".",
        markersize=1.5,
        color=COLOURS[0],
        label="data",
        rasterized=True,
    )
    for kind, (colour, marker) in KIND_STYLES.items():
        rows = data.filter(pl.col("kind").cast(pl.String) == kind)
        if rows.height:
            axes.plot(
                rows["time"],
                rows["seq"] * mega,
                linestyle="none",
                marker=marker,
                markersize=3.5,
                markeredgewidth=0.0,
                color=colour,
                label=kind,
                zorder=4,
            )
    axes.set_ylabel("Sequence (MB)")


def _inflight(axes: "Axes", connection: Connection) -> None:
    kilo = 1e-3
    time = connection.segments["time"]
    for name, label, colour, width in (
        ("inflight", "inflight", COLOURS[4], 0.7),
        ("cwnd", "estimated cwnd", COLOURS[1], 1.0),
    ):
        axes.plot(
            time,
            connection.segments[name] * kilo,
            color=colour,
            linewidth=width,
            drawstyle="steps-post",
            label=label,
        )
    axes.set_ylabel("Inflight (kB)")
    axes.set_ylim(bottom=0.0)


def _rtt(axes: "Axes", connection: Connection) -> None:
    milli = 1e3
    for name, label, colour in (
        ("ack_rtt", "data to ACK", COLOURS[0]),
        ("sender_rtt", "ACK to data", COLOURS[1]),
    ):
        rows = connection.segments.filter(pl.col(name).is_not_null())
        if rows.height and (
            name == "ack_rtt" or connection.figures["vantage"]["place"] != "sender"
        ):
            axes.plot(
                rows["time"],
                rows[name] * milli,
                linestyle="none",
                marker=".",
                markersize=1.5,
                color=colour,
                label=label,
                rasterized=True,
            )
    axes.set_ylabel("RTT (ms)")
    axes.set_ylim(bottom=0.0)


def _rates(axes: "Axes", connection: Connection) -> None:
    mega = 1e-6
    for name, colour in (("throughput", COLOURS[4]), ("goodput", COLOURS[2])):
        axes.plot(connection.rates["time"], connection.rates[name] * mega, color=colour, label=name)
    axes.set_ylabel("Rate (Mbit/s)")
    axes.set_ylim(bottom=0.0)
