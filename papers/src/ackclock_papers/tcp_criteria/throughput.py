"""P4, section III: throughput over RTT, losses, bandwidth, and the receiver's window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, GREY, MARKERS, TWO_COLUMNS
from ackclock.studies.criteria import Curve
from ackclock.studies.criteria.phrases import means_within
from ackclock.studies.lines import marks
from ackclock.theory import aimd_random_window, scalable_window
from ackclock_papers.builders import agreement
from ackclock_papers.drawing import drawing
from ackclock_papers.tcp_criteria.power import Power
from ackclock_papers.tcp_criteria.response import SMALL_LOSSES

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import polars as pl

    from ackclock.results import Result
    from ackclock.studies.results import Results
    from ackclock.views.figure import PaperFigure

PAYLOAD_BITS, WIRE_BITS = 8 * 1448, 8 * 1500
LOSS = 1e-3
"""Loss rate of the experiments over RTT and over rate."""
RTT_S = 0.1
"""Round-trip time of the experiments over loss and over rate, s."""
RTTS_MS = (20, 40, 80, 160, 320)
FAR_RATES_MBIT = (0.3, 1.2, 20, 80)
"""Four times below what losses allow, or four times above, and more."""
WINDOWS: dict[str, Callable[[float], float]] = {
    "reno": aimd_random_window,
    "scalable": scalable_window,
}


def _law(cc: str, loss: float, rtt: float) -> float:
    """Goodput, bit/s: a window per round trip."""
    return PAYLOAD_BITS * WINDOWS[cc](loss) / rtt


def _limit(rate: float) -> float:
    """Goodput, bit/s: the rate that losses allow, at most the line rate's payload."""
    return min(_law("reno", LOSS, RTT_S), rate * PAYLOAD_BITS / WIRE_BITS)


def inverse_rtt(cc: str) -> Power:
    """Goodput over RTT as a power."""
    return Power("by-rtt", "goodput", "rtt", -1.0, 0.05, {"cc": cc})


def by_rtt(cc: str) -> Curve:
    """Goodput over RTT against W / RTT."""
    law = {rtt: _law(cc, LOSS, rtt / 1e3) for rtt in RTTS_MS}
    return Curve("by-rtt", "goodput", "rtt", law, 0.15, {"cc": cc}, "W(p) / RTT")


INVERSE_ROOT = Power(
    "response", "goodput", "loss", -0.5, 0.05, {"cc": "reno", "loss": SMALL_LOSSES}
)
BY_LOSS = Curve(
    "response",
    "goodput",
    "loss",
    {p: _law("reno", p, RTT_S) for p in SMALL_LOSSES},
    0.15,
    {"cc": "reno"},
    "W(p) / RTT",
)
BY_RATE = Curve(
    "by-rate",
    "goodput",
    "rate",
    {rate: _limit(1e6 * rate) for rate in FAR_RATES_MBIT},
    0.1,
    name="the smaller of the line rate and W(p) / RTT",
)

RECEIVE_WINDOWS = (16, 64, 256)
"""Packets; the path holds 83 of them."""
MSS = 1448


def _window(packets: int) -> dict[str, object]:
    size = f"{packets * MSS} bytes"
    return {"transport.receive_buffer": size, "transport.initial_receive_window": size}


VARIANTS: dict[str, dict[str, object]] = {
    **{f"rwnd of {packets} packets": _window(packets) for packets in RECEIVE_WINDOWS},
    # Losses keep cwnd near 26 packets.
    "rwnd of 64 packets, losses": {
        **_window(64),
        "duration": "130s",
        "network.bottleneck.loss": {"kind": "bernoulli", "p": 2e-3},
    },
}


def _steady(run: Result) -> pl.DataFrame:
    """Return the samples after the warm-up in which nothing is repaired."""
    rows = run.samples.flows
    return rows.filter((rows["time"] >= run.warmup) & (rows["state"].cast(str) == "open"))


def _in_flight(run: Result, _: str) -> float:
    """Return the mean over time, packets."""
    return float(_steady(run)["inflight"].to_numpy().mean()) / MSS


def _allowed(run: Result, name: str) -> float:
    """Return the mean over time of min(cwnd, rwnd), packets."""
    return float(np.minimum(_steady(run)["cwnd"].to_numpy() / MSS, int(name.split()[2])).mean())


@agreement(
    "mean data in flight against the mean of min(cwnd, rwnd), while nothing is repaired",
    0.05,
    "receive-window",
    unit="packets",
    names=("in flight", "allowed"),
)
def in_flight(results: Results) -> list[tuple[str, float, float]]:
    sent = results.recorded("receive-window", "in_flight", _in_flight)
    allowed = results.recorded("receive-window", "allowed", _allowed)
    return [(name, sent[name][0], allowed[name][0]) for name in VARIANTS if name in sent]


def draw(results: Results) -> PaperFigure:
    """Goodput over RTT, losses and rate, and the laws."""
    with drawing(TWO_COLUMNS, 2.7, 1, 3) as (figure, (rtt, loss, rate)):
        grid = np.geomspace(15, 420, 40)
        for rank, (cc, name) in enumerate((("reno", "classic"), ("scalable", "Scalable"))):
            rtt.plot(
                grid,
                [_law(cc, LOSS, x / 1e3) / 1e6 for x in grid],
                color=COLOURS[rank],
                linewidth=0.9,
            )
            _marks(rtt, results, "by-rtt", "rtt", {"cc": cc}, rank, name)
        grid = np.geomspace(7e-5, 1.4e-2, 40)
        for rank, (cc, name) in enumerate((("reno", "classic"), ("scalable", "Scalable"))):
            loss.plot(
                grid, [_law(cc, p, RTT_S) / 1e6 for p in grid], color=COLOURS[rank], linewidth=0.9
            )
            _marks(loss, results, "response", "loss", {"cc": cc}, rank, name)
        grid = np.geomspace(0.2, 120, 200)
        rate.plot(grid, [_limit(1e6 * x) / 1e6 for x in grid], color=COLOURS[0], linewidth=0.9)
        _marks(rate, results, "by-rate", "rate", {}, 0, "classic")
        for axes, label, ticks in (
            (rtt, "Round-trip time (ms)", RTTS_MS),
            (loss, "Share of packets lost by chance (%)", (1e-4, 1e-3, 1e-2)),
            (rate, "Line rate (Mbit/s)", (0.3, 1.2, 5, 20, 80)),
        ):
            axes.set(xscale="log", yscale="log")
            axes.set_xticks(ticks, [f"{100 * x:g}" if axes is loss else f"{x:g}" for x in ticks])
            axes.minorticks_off()
            axes.set_xlabel(label)
            low, high = axes.get_ylim()
            yticks = [y for y in (0.1, 0.3, 1, 3, 10, 30, 100) if low <= y <= high]
            axes.set_yticks(yticks, [f"{y:g}" for y in yticks])
        rtt.set_title("0.1 % lost, 200 Mbit/s")
        loss.set_title("100 ms, 300 Mbit/s")
        rate.set_title("0.1 % lost, 100 ms")
        rtt.set_ylabel("Goodput (Mbit/s)")
        rtt.legend(loc="lower left")
        for axes in (loss, rate):
            axes.axhline(0, color=GREY, linewidth=0)
        return figure


def _marks(
    axes: Any,
    results: Results,
    experiment: str,
    along: str,
    at: dict[str, Any],
    rank: int,
    name: str,
) -> None:
    spots = results.spots(experiment, "goodput", at)
    marks(
        axes,
        [float(spot.labels[along]) for spot in spots],
        means_within(results, experiment, "goodput", spots),
        factor=1e-6,
        fmt=MARKERS[rank],
        color=COLOURS[rank],
        mfc="white",
        markersize=4,
        linestyle="none",
        label=name,
    )
