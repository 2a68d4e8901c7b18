"""P4's Table 1: recovery from one loss, of classic and Scalable TCP, over the round-trip time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, DASHES, MARKERS, ONE_COLUMN
from ackclock.studies.rules import Agreement
from ackclock.tables.quantities import MISSING, quantity
from ackclock.tables.table import Table
from ackclock.theory import aimd_recovery_time, path_window, scalable_recovery_rounds
from ackclock_papers.builders import agreement
from ackclock_papers.drawing import drawing

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.studies.results import Results
    from ackclock.views.figure import PaperFigure

RTT_S = 0.2

PRINTED = {
    1e6: (17.0, 1.7),
    10e6: (170.0, 17.0),
    100e6: (1700.0, 170.0),
    1e9: (17_000.0, 1680.0),
    10e9: (170_000.0, 16_980.0),
}
"""Rate -> window, packets, and recovery time, s."""

_CLASSIC_S = {1e6: 30, 10e6: 40, 100e6: 220}
"""Lengths that allow one recovery; at 1 Gbit/s it would be 28 minutes of 83,000 packets a second.
"""
_SCALABLE_RATES = (10e6, 100e6, 1e9)
"""At 1 Mbit/s the window is one packet above the 16 below which Scalable TCP follows Reno's rules.
"""


RTTS_S = {10e6: (0.05, 0.1, 0.2, 0.4), 100e6: (0.025, 0.05, 0.1, 0.2)}
"""Rate -> round-trip times of the runs of classic TCP; Table 1 has 0.2 s alone."""
_SCALABLE_RTTS_S = (0.05, 0.1, 0.2, 0.4)
_SCALABLE_RATE = 100e6


def _variant(cc: str, rate: float, rtt: float, seconds: float) -> dict[str, object]:
    window = path_window(rate, rtt)
    return {
        "flows.cc": cc,
        "network.bottleneck.rate": f"{rate / 1e6:g}Mbit/s",
        "network.bottleneck.delay": f"{500 * rtt:g}ms",
        "duration": f"{seconds:g}s",
        # Slow start has sent two windows when it reaches the path's; the third is the one that
        # loses a packet.
        "network.bottleneck.loss": {"kind": "list", "packets": [round(3.5 * window)]},
    }


def name_of(cc: str, rate: float, rtt: float = RTT_S) -> str:
    """Return a run's name."""
    path = f"{cc}, {quantity(rate, 'bit/s')}"
    return path if rtt == RTT_S else f"{path}, {1e3 * rtt:g} ms"


def _long_enough(rate: float, rtt: float) -> float:
    return math.ceil(1.2 * aimd_recovery_time(rate, rtt) + 25 * rtt)


VARIANTS = (
    {
        name_of("reno", rate): _variant("reno", rate, RTT_S, seconds)
        for rate, seconds in _CLASSIC_S.items()
    }
    | {
        name_of("reno", rate, rtt): _variant("reno", rate, rtt, _long_enough(rate, rtt))
        for rate, rtts in RTTS_S.items()
        for rtt in rtts
        if rtt != RTT_S
    }
    | {
        name_of("scalable", rate): _variant("scalable", rate, RTT_S, 12.0)
        for rate in _SCALABLE_RATES
    }
    | {
        name_of("scalable", _SCALABLE_RATE, rtt): _variant(
            "scalable", _SCALABLE_RATE, rtt, 60 * rtt
        )
        for rtt in _SCALABLE_RTTS_S
        if rtt != RTT_S
    }
)
QUICK = tuple(name for name in VARIANTS if "1 Gbit" not in name)


@agreement("the closed form dW RTT against the printed table", 0.03, names=("computed", "printed"))
def formula(results: Results) -> list[tuple[str, float, float]]:  # noqa: ARG001
    pairs = []
    for rate, (window, time) in PRINTED.items():
        pairs.append((f"packets at {quantity(rate, 'bit/s')}", path_window(rate, RTT_S), window))
        pairs.append(
            (f"recovery at {quantity(rate, 'bit/s')}", aimd_recovery_time(rate, RTT_S), time)
        )
    return pairs


def _times(results: Results) -> dict[str, float]:
    """Seconds from the loss to the old window, by variant."""
    values = results.recorded(
        "one-loss", "recovery_time", lambda run, _: run.metric("recovery_time")
    )
    return {name: time for name, (time,) in values.items()}


@agreement(
    "time of a run from the loss to the old window against the printed one",
    0.1,
    "one-loss",
    unit="s",
)
def classic(results: Results) -> list[tuple[str, float, float]]:
    pairs, times = [], _times(results)
    for rate in _CLASSIC_S:
        measured = times.get(name_of("reno", rate))
        if measured is not None:
            pairs.append((quantity(rate, "bit/s"), measured, PRINTED[rate][1]))
    return pairs


def _scalable(results: Results) -> list[tuple[str, float, float]]:
    pairs, times = [], _times(results)
    for rate in _SCALABLE_RATES:
        measured = times.get(name_of("scalable", rate))
        if measured is not None:
            pairs.append((quantity(rate, "bit/s"), measured, scalable_recovery_rounds() * RTT_S))
    return pairs


@agreement(
    "time of a run from the loss to the old window against W RTT / 2", 0.1, "one-loss", unit="s"
)
def by_rtt(results: Results) -> list[tuple[str, float, float]]:
    pairs, times = [], _times(results)
    for rate, rtts in RTTS_S.items():
        for rtt in rtts:
            measured = times.get(name_of("reno", rate, rtt))
            if measured is not None:
                where = f"{quantity(rate, 'bit/s')}, {1e3 * rtt:g} ms"
                pairs.append((where, measured, aimd_recovery_time(rate, rtt)))
    return pairs


def _exponent(times: dict[float, float | None]) -> float | None:
    """Slope of ln time over ln x, by least squares."""
    known = {x: time for x, time in times.items() if time is not None}
    if len(known) < 2:
        return None
    return float(np.polyfit(np.log(list(known)), np.log(list(known.values())), 1)[0])


def _exponents(
    cc: str, expected: float, rates: tuple[float, ...]
) -> Callable[[Results], list[tuple[str, float, float]]]:
    def pairs(results: Results) -> list[tuple[str, float, float]]:
        parts, times = [], _times(results)
        for rate in rates:
            rtts = _SCALABLE_RTTS_S if cc == "scalable" else RTTS_S[rate]
            slope = _exponent({rtt: times.get(name_of(cc, rate, rtt)) for rtt in rtts})
            if slope is not None:
                parts.append((f"RTT, {quantity(rate, 'bit/s')}", slope, expected))
        return parts

    return pairs


_POWERS = ("of the runs", "of the formula")


@agreement(
    "exponent of the rate in the runs' recovery times (least squares in logarithms) against 1",
    0.05,
    "one-loss",
    names=_POWERS,
)
def linear(results: Results) -> list[tuple[str, float, float]]:
    times = _times(results)
    slope = _exponent({rate: times.get(name_of("reno", rate)) for rate in _CLASSIC_S})
    return [] if slope is None else [("rate, 200 ms", slope, 1.0)]


SQUARE = Agreement(
    "exponent of the round-trip time in the runs' recovery times (least squares in logarithms) "
    "against 2",
    _exponents("reno", 2.0, tuple(RTTS_S)),
    0.05,
    ("one-loss",),
    names=_POWERS,
)
SCALABLE_LINEAR = Agreement(
    "exponent of the round-trip time in Scalable TCP's recovery times (least squares in "
    "logarithms) against 1",
    _exponents("scalable", 1.0, (_SCALABLE_RATE,)),
    0.05,
    ("one-loss",),
    names=_POWERS,
)
SCALABLE = Agreement(
    "time of a run from the loss to the old window against ln(1/(1 − b)) / ln(1 + a) = 13.4 round "
    "trips",
    _scalable,
    0.1,
    ("one-loss",),
    "s",
)


@agreement(
    "times of runs at higher rates against that at 10 Mbit/s",
    0.1,
    "one-loss",
    unit="s",
    names=("there", "at 10 Mbit/s"),
)
def same(results: Results) -> list[tuple[str, float, float]]:
    times = [(name, measured) for name, measured, _ in _scalable(results)]
    return [
        (f"{name} against {times[0][0]}", measured, times[0][1]) for name, measured in times[1:]
    ]


def _told(seconds: float) -> str:
    """Return a time as the paper prints it."""
    whole = round(seconds)
    if whole < 120:
        return quantity(seconds, "s")
    hours, minutes = divmod(round(whole / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{whole // 60} min {whole % 60} s"


def table(results: Results) -> Table:
    """Make the table of printed, computed and measured times."""
    times = _times(results)
    rows = []
    for rate, (window, time) in PRINTED.items():
        name = quantity(rate, "bit/s")
        runs = [times.get(name_of(cc, rate)) for cc in ("reno", "scalable")]
        classic, scalable = (MISSING if run is None else _told(run) for run in runs)
        rows.append(
            (
                name,
                f"{window:,.0f}",
                f"{path_window(rate, RTT_S):,.0f}",
                _told(time),
                _told(aimd_recovery_time(rate, RTT_S)),
                classic,
                _told(scalable_recovery_rounds() * RTT_S),
                scalable,
            )
        )
    header = (
        *("rate", "packets, printed", "computed", "classic, printed", "computed", "from a run"),
        *("Scalable, computed", "from a run"),
    )
    return Table(header, rows, 1)


def draw(results: Results) -> PaperFigure:
    """Recovery time over the round-trip time: formulas, Table 1, and runs."""
    times = _times(results)
    grid = np.geomspace(0.02, 0.5, 40)
    with drawing(1.6 * ONE_COLUMN, 3.2) as (figure, axes):
        axes.set(xscale="log", yscale="log")
        for rank, (rate, (_, time)) in enumerate(PRINTED.items()):
            colour = COLOURS[rank]
            axes.plot(
                1e3 * grid,
                [aimd_recovery_time(rate, rtt) for rtt in grid],
                color=colour,
                linestyle=DASHES[rank],
                label=f"classic, {quantity(rate, 'bit/s')}",
            )
            axes.plot([1e3 * RTT_S], [time], "x", color="black", markersize=6, zorder=5, label="_")
            known = [
                (rtt, times.get(name_of("reno", rate, rtt)))
                for rtt in dict.fromkeys((*RTTS_S.get(rate, ()), RTT_S))
            ]
            runs = [(1e3 * rtt, time) for rtt, time in known if time is not None]
            if runs:
                axes.plot(
                    *zip(*runs, strict=True),
                    MARKERS[rank],
                    color=colour,
                    mfc="white",
                    markersize=4.5,
                )
        rounds = scalable_recovery_rounds()
        axes.plot(
            1e3 * grid,
            rounds * grid,
            color=COLOURS[5],
            linestyle=DASHES[5],
            label="Scalable, any rate",
        )
        known = [
            (rtt, times.get(name_of("scalable", _SCALABLE_RATE, rtt))) for rtt in _SCALABLE_RTTS_S
        ]
        runs = [(1e3 * rtt, time) for rtt, time in known if time is not None]
        if runs:
            axes.plot(
                *zip(*runs, strict=True), MARKERS[5], color=COLOURS[5], mfc="white", markersize=4.5
            )
        axes.plot([], [], "x", color="black", markersize=6, label="Table 1")
        axes.plot(
            [], [], "o", color="black", mfc="white", markersize=4.5, linestyle="none", label="runs"
        )
        axes.set_xlim(20, 500)
        axes.set_xticks([20, 50, 100, 200, 500], ["20", "50", "100", "200", "500"])
        axes.minorticks_off()
        axes.set_yticks(
            [0.1, 1, 10, 60, 600, 3600, 36_000],
            ["0.1 s", "1 s", "10 s", "1 min", "10 min", "1 h", "10 h"],
        )
        axes.set(xlabel="Round-trip time (ms)", ylabel="Time from a loss to the old window")
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        return figure
