"""P2's Figure 1: rate and RTT of windows from too small to too large, and of algorithms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ackclock.plot.style import COLOURS, MARKERS, TWO_COLUMNS
from ackclock.studies.criteria import Curve, Level
from ackclock_papers.bbr_latency.legends import legend_beside
from ackclock_papers.bbr_latency.rules import PACKET_BYTES, PACKET_S, RATE, RTT_S
from ackclock_papers.builders import every
from ackclock_papers.drawing import drawing

if TYPE_CHECKING:
    from ackclock.studies.results import Results
    from ackclock.views.figure import PaperFigure

MSS = 1448
ACK_S = 8 * 52 / RATE
"""An ACK's time on the way back."""

EMPTY_S = RTT_S + PACKET_S + ACK_S
"""A packet's round trip where nothing waits."""

PRODUCT = EMPTY_S / PACKET_S
"""Packets in flight at point A."""

BUFFER = 250
FULL = PRODUCT + BUFFER
"""Packets in flight at point B."""

RTT_AT_B = FULL * PACKET_S
WITHIN = (12, 24, 36, 50, 62, 74, 100, 150, 200, 250, 290)
"""Windows that the path and the buffer hold."""

BEYOND = (350, 400)


def rate(window: float) -> float:
    """Goodput of a fixed window, bit/s: a window per round trip, until the link is full."""
    return 8 * MSS * min(window / EMPTY_S, 1 / PACKET_S)


def round_trip(window: float) -> float:
    """Return the round-trip time of a fixed window, s.

    It is the path's until the link is full; then each packet waits for all others.
    """
    return max(EMPTY_S, min(window, FULL) * PACKET_S)


_NAME = "Kleinrock's two lines"
LINES = every(
    {
        "goodput": Curve(
            "operating",
            "goodput",
            "window",
            {window: rate(window) for window in WITHIN},
            0.03,
            name=_NAME,
        ),
        "RTT": Curve(
            "operating",
            "rtt.p50",
            "window",
            {window: round_trip(window) for window in WITHIN},
            0.03,
            name=_NAME,
        ),
    }
)

LOSSES = every(
    {
        "beyond B": Level("operating", "loss_rate", lowest=1e-5, at={"window": list(BEYOND)}),
        "before B": Level("operating", "loss_rate", highest=1e-6, at={"window": list(WITHIN)}),
    }
)


def _mean(values: dict[int, float]) -> float:
    return math.fsum(values.values()) / len(values)


def draw(results: Results) -> PaperFigure:
    """Draw P2-F1: RTT above goodput, over what is in flight."""
    with drawing(TWO_COLUMNS, 3.8, 2, 1, sharex=True) as (figure, (upper, lower)):
        line = [*range(4, 420, 2)]
        for axes, response, law, scale in (
            (upper, "rtt.p50", round_trip, 1e3),
            (lower, "goodput", rate, 1e-6),
        ):
            axes.plot(
                line,
                [scale * law(window) for window in line],
                color="#B0B0B0",
                linewidth=2,
                label="theory",
                zorder=0,
            )
            spots = results.spots("operating", response, {"window": list(WITHIN)})
            windows = [float(spot.labels["window"]) for spot in spots]
            means = [scale * _mean(dict(spot.values)) for spot in spots]
            axes.plot(
                windows,
                means,
                color="#000000",
                linewidth=0,
                marker=".",
                markersize=5,
                label="a window that never changes",
            )
            for rank, spot in enumerate(results.spots("points", response)):
                # Mean packets in flight, by Little's law from the measured rate and RTT.
                (mean_rtt,) = results.spots("points", "rtt.mean", {"cc": spot.labels["cc"]})
                (goodput,) = results.spots("points", "goodput", {"cc": spot.labels["cc"]})
                flight = _mean(dict(goodput.values)) / (8 * MSS) * _mean(dict(mean_rtt.values))
                value = scale * _mean(dict(spot.values))
                axes.plot(
                    [flight],
                    [value],
                    color=COLOURS[rank],
                    marker=MARKERS[rank],
                    linewidth=0,
                    markersize=6,
                    label=spot.labels["cc"],
                )
            for name, window in (("A", PRODUCT), ("B", FULL)):
                axes.axvline(window, color="#B0B0B0", linewidth=0.8, linestyle=":")
                axes.annotate(
                    name,
                    (window, 0.94),
                    xycoords=("data", "axes fraction"),
                    xytext=(3, 0),
                    textcoords="offset points",
                    va="top",
                )
        upper.set(ylabel="Median RTT (ms)", ylim=(0, 420))
        lower.set(
            ylabel="Goodput (Mbit/s)",
            ylim=(0, 11),
            xlim=(0, 420),
            xlabel=f"In flight (packets of {PACKET_BYTES} bytes)",
        )
        legend_beside(figure, upper)
        return figure
