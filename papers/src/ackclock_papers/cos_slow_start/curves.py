"""P1-F2 to F4 and the efficiencies: the curves of both slow starts, by formula and from runs."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, ONE_COLUMN, TWO_COLUMNS
from ackclock.plot.sweep.labels import ink
from ackclock.studies.claim import Verdict
from ackclock.studies.weighing import capital, counted
from ackclock.tables.quantities import significant
from ackclock.tables.table import Table
from ackclock.theory import (
    cos_efficiency,
    cos_slope,
    cos_window,
    doubling_efficiency,
    doubling_slope,
    doubling_window,
    slow_start_efficiency,
    slow_start_rounds,
    straight_window,
)
from ackclock_papers.drawing import drawing

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from ackclock.results import Result
    from ackclock.results.series import Floats
    from ackclock.studies.results import Results
    from ackclock.views.figure import PaperFigure

SSTHRESHES = (4, 8, 16, 64, 100, 256, 1024, 3000, 10_000)
_SSTHRESHES_OF_FORMULA = range(4, 10_001)
SHOWN = 64
"""The paper's figures do not give their ssthresh."""

NAMES = {"doubling": "classic+reno", "COS": "cos(sigma=0)+reno"}
FORMULAS: dict[str, Callable[[float, float], float]] = {
    "doubling": doubling_window,
    "COS": cos_window,
}
EFFICIENCIES = {"doubling": doubling_efficiency, "COS": cos_efficiency}
COLOUR = {"doubling": COLOURS[0], "COS": COLOURS[1]}
MARKER = {"doubling": "o", "COS": "s"}

VARIANTS = {
    f"{name}, {s}": {"flows.cc": cc, "flows.ssthresh": f"{s} packets"}
    for s in SSTHRESHES
    for name, cc in NAMES.items()
}


def count(ssthresh: float) -> int:
    """Return the whole round trips to ssthresh."""
    return math.ceil(slow_start_rounds(ssthresh) - 1e-9)


def measured(run: Result, rounds: int) -> list[float]:
    """Return the windows of a run's only flow after 0, 1, ... round trips, packets.

    The handshake takes the first round trip. Half a round trip later all growth by a round trip's
    ACKs has happened.
    """
    flow = run.series[0]
    time, cwnd = flow.time, flow.column("cwnd") / flow.mss
    at = np.searchsorted(time, (np.arange(rounds + 1) + 1.5) * flow.base_rtt) - 1
    return [float(window) for window in cwnd[at]]


def windows(results: Results) -> list[tuple[str, float, float]]:
    """Measured and computed windows, of every run and round trip."""
    curves = []
    for s in SSTHRESHES:
        for name, formula in FORMULAS.items():
            seen = measured(results.runs["growth"][f"{name}, {s}"], count(s))
            curves += [
                (f"{name}, ssthresh {s:,}, round {x}", window, min(formula(x, s), s))
                for x, window in enumerate(seen)
            ]
    return curves


def rounds(results: Results) -> list[tuple[str, float, float]]:
    """Round trips until ssthresh, of COS and of doubling."""

    def until(name: str, s: int) -> float:
        seen = measured(results.runs["growth"][f"{name}, {s}"], count(s) + 1)
        return float(next((x for x, window in enumerate(seen) if window >= s), math.inf))

    return [(f"ssthresh {s:,}", until("COS", s), until("doubling", s)) for s in SSTHRESHES]


def judge_growth(results: Results) -> Verdict:
    """Judge where each window grows fastest."""
    failures, last = [], {}
    powers = [s for s in SSTHRESHES if s >= 64 and s & (s - 1) == 0]
    for s in powers:
        length = count(s)
        grown = {
            name: np.diff(measured(results.runs["growth"][f"{name}, {s}"], length))
            for name in NAMES
        }
        last[s] = float(grown["COS"][-1] / grown["doubling"][-1])
        # Growth in round k stands at its middle, k + 1/2.
        middle = float(np.argmax(grown["COS"])) + 0.5
        if (
            int(np.argmax(grown["doubling"])) != length - 1
            or abs(middle - length / 2) > 1
            or last[s] >= 0.25
        ):
            failures.append(s)
    kind = counted(len(powers) - len(failures), len(powers))
    listing = ", ".join(
        f"{significant(100 * share, 2)} % at ssthresh {s:,}" for s, share in last.items()
    )
    failed = f"; not so at ssthresh {', '.join(map(str, failures))}" if failures else ""
    sentence = (
        f"The claim holds at {len(powers) - len(failures)} of {len(powers)} ssthreshes; in the "
        f"last round trip COS grows by a share of doubling's growth: {listing}{failed}."
    )
    return Verdict(kind, sentence, {"last_growth": {str(s): share for s, share in last.items()}})


def judge_bursts(results: Results) -> Verdict:
    """Judge the growth of a window within a round trip of the second half."""
    larger, shares = [], {}
    for s in SSTHRESHES:
        length = count(s)
        grown = {
            name: np.diff(measured(results.runs["growth"][f"{name}, {s}"], length))
            for name in NAMES
        }
        # Growth k is that of the round trip from k to k + 1.
        since = math.ceil(slow_start_rounds(s) / 2 - 1e-9)
        second = {name: float(pair[since:].max()) for name, pair in grown.items()}
        shares[s] = second["COS"] / second["doubling"]
        if shares[s] >= 1.0:
            larger.append(s)
    kind = counted(len(SSTHRESHES) - len(larger), len(SSTHRESHES))
    failed = f"; not so at ssthresh {', '.join(map(str, larger))}" if larger else ""
    listing = ", ".join(
        f"{significant(100 * shares[s], 2)} % at ssthresh {s:,}" for s in (64, 1024)
    )
    sentence = (
        f"The claim holds at {len(SSTHRESHES) - len(larger)} of {len(SSTHRESHES)} ssthreshes; "
        f"COS's share of doubling's: {listing}{failed}."
    )
    return Verdict(kind, sentence, {"share": {str(s): share for s, share in shares.items()}})


@cache
def _all_efficiencies() -> dict[str, dict[str, Floats]]:
    return {
        ends: {
            name: np.array([formula(s, ends) for s in _SSTHRESHES_OF_FORMULA])
            for name, formula in EFFICIENCIES.items()
        }
        for ends in ("paper", "sent", "area")
    }


def judge_efficiency(results: Results) -> Verdict:  # noqa: ARG001
    """Judge by formula."""
    fewer, least = {}, {}
    for ends, efficiency in _all_efficiencies().items():
        fewer[ends] = int((efficiency["COS"] <= efficiency["doubling"]).sum())
        least[ends] = float((efficiency["COS"] / efficiency["doubling"]).min())
    total = 3 * len(_SSTHRESHES_OF_FORMULA)
    passed = total - sum(fewer.values())
    at = [
        f"{cos_efficiency(s) / doubling_efficiency(s):.2f} at ssthresh {s:,}" for s in (64, 10_000)
    ]
    sentence = (
        f"The claim holds in {passed:,} of {total:,} cases; η_cos/η_exp is "
        f"{min(least.values()):.2f} at least, and over rounds 1 to N {' and '.join(at)}."
    )
    return Verdict(counted(passed, total), sentence, {"not_above": fewer, "least_ratio": least})


def efficiency_of(results: Results, name: str, s: int) -> float:
    """Return the efficiency of a run, over round trips 1 to N."""
    return slow_start_efficiency(measured(results.runs["growth"][f"{name}, {s}"], count(s))[1:], s)


def judge_measured(results: Results) -> Verdict:
    """Judge by runs."""
    ratios = {
        s: efficiency_of(results, "COS", s) / efficiency_of(results, "doubling", s)
        for s in SSTHRESHES
    }
    failures = [s for s, ratio in ratios.items() if ratio <= 1.0]
    kind = counted(len(ratios) - len(failures), len(ratios))
    said = (
        f"at {len(ratios)} ssthreshes η_cos/η_exp is {min(ratios.values()):.2f} to "
        f"{max(ratios.values()):.2f}"
    )
    return Verdict(
        kind,
        f"{capital(said)}{f'; not above 1 at {failures}' if failures else ''}.",
        {"ratio": {str(s): ratio for s, ratio in ratios.items()}},
    )


def _dots(axes: Axes, x: ArrayLike, y: ArrayLike, name: str, *, clip_on: bool = False) -> None:
    """Draw a run's figures of a slow start as its markers."""
    axes.plot(
        x, y, linestyle="", marker=MARKER[name], markersize=4, color=COLOUR[name], clip_on=clip_on
    )


def draw_windows(results: Results) -> PaperFigure:
    """Draw P1-F2."""
    x = np.linspace(0, slow_start_rounds(SHOWN), 200)
    with drawing(ONE_COLUMN, 2.4) as (figure, axes):
        axes.plot(x, [doubling_window(value) for value in x], color=COLOUR["doubling"])
        axes.plot(
            x,
            [cos_window(value, SHOWN, whole=False) for value in x],
            color=COLOUR["COS"],
            linestyle=(0, (5, 1.5)),
        )
        for name in NAMES:
            seen = measured(results.runs["growth"][f"{name}, {SHOWN}"], count(SHOWN))
            _dots(axes, range(len(seen)), seen, name)
        axes.annotate(
            "doubling", (4.6, 22), color=COLOUR["doubling"], ha="left", va="top", fontsize=7.5
        )
        axes.annotate("COS", (3.2, 40), color=ink(COLOUR["COS"]), ha="right", fontsize=7.5)
        axes.axhline(SHOWN - 2, color="#A0A0A0", linewidth=0.7, linestyle=(0, (1, 1)))
        axes.annotate("ssthresh − sigma", (0.1, SHOWN - 3), color="#767676", va="top", fontsize=7)
        axes.set(
            xlabel="Round trips since slow start began",
            ylabel="cwnd (packets)",
            ylim=(0, SHOWN * 1.06),
            xlim=(0, 6.1),
        )
        return figure


def draw_line(results: Results) -> PaperFigure:
    """Draw P1-F3: the windows with the line of equal area."""
    length = slow_start_rounds(SHOWN)
    x = np.linspace(0, length, 200)
    cos = np.array([cos_window(value, SHOWN, whole=False) for value in x])
    line = np.array([straight_window(value, SHOWN) for value in x])
    with drawing(ONE_COLUMN, 2.4) as (figure, axes):
        axes.fill_between(x, cos, line, color=COLOUR["COS"], alpha=0.2, linewidth=0)
        axes.plot(x, [doubling_window(value) for value in x], color=COLOUR["doubling"])
        axes.plot(x, cos, color=COLOUR["COS"], linestyle=(0, (5, 1.5)))
        axes.plot(x, line, color=COLOURS[2], linestyle=(0, (1, 1)))
        for name in NAMES:
            seen = measured(results.runs["growth"][f"{name}, {SHOWN}"], count(SHOWN))
            _dots(axes, range(len(seen)), seen, name)
        axes.annotate(
            "$w_b$, doubling",
            (4.7, 20),
            color=COLOUR["doubling"],
            ha="left",
            va="top",
            fontsize=7.5,
        )
        axes.annotate("$w_a$, COS", (3.9, 52), color=ink(COLOUR["COS"]), ha="right", fontsize=7.5)
        axes.annotate("$w_c$", (1.5, 21), color=ink(COLOURS[2]), ha="right", fontsize=7.5)
        axes.set(
            xlabel="Round trips since slow start began",
            ylabel="cwnd (packets)",
            ylim=(0, SHOWN * 1.06),
            xlim=(0, 6.1),
        )
        return figure


def draw_growth(results: Results) -> PaperFigure:
    """Draw P1-F4."""
    length = slow_start_rounds(SHOWN)
    x = np.linspace(0, length, 200)
    with drawing(ONE_COLUMN, 2.4) as (figure, axes):
        axes.plot(x, [doubling_slope(value) for value in x], color=COLOUR["doubling"])
        axes.plot(
            x,
            [cos_slope(value, SHOWN) for value in x],
            color=COLOUR["COS"],
            linestyle=(0, (5, 1.5)),
        )
        for name in NAMES:
            grown = np.diff(measured(results.runs["growth"][f"{name}, {SHOWN}"], count(SHOWN)))
            _dots(axes, np.arange(len(grown)) + 0.5, grown, name, clip_on=True)
        axes.annotate("doubling", (5.0, 27), color=COLOUR["doubling"], ha="right", fontsize=7.5)
        axes.annotate("COS", (2.0, 17), color=ink(COLOUR["COS"]), ha="right", fontsize=7.5)
        axes.set(
            xlabel="Round trips since slow start began",
            ylabel="Growth (packets per round trip)",
            ylim=(0, None),
            xlim=(0, 6.1),
        )
        return figure


def draw_efficiency(results: Results) -> PaperFigure:
    """Draw η over ssthresh."""
    s = np.array(_SSTHRESHES_OF_FORMULA)
    efficiencies = _all_efficiencies()
    # Whole rounds make steps: a point for each is drawn as a line.
    with drawing(TWO_COLUMNS * 0.72, 2.5) as (figure, axes):
        for name in NAMES:
            axes.plot(
                s,
                efficiencies["paper"][name],
                color=COLOUR[name],
                linestyle="-" if name == "doubling" else (0, (5, 1.5)),
            )
            axes.fill_between(
                s,
                efficiencies["sent"][name],
                efficiencies["paper"][name],
                color=COLOUR[name],
                alpha=0.15,
                linewidth=0,
            )
            seen = [efficiency_of(results, name, ssthresh) for ssthresh in SSTHRESHES]
            _dots(axes, SSTHRESHES, seen, name)
            axes.annotate(
                name,
                (1.01, float(efficiencies["paper"][name][-1])),
                xycoords=("axes fraction", "data"),
                color=ink(COLOUR[name]),
                va="center",
                fontsize=7.5,
            )
        axes.set(xscale="log", xlim=(4, 10_000), ylim=(0, 1.05))
        axes.set_xticks([4, 10, 100, 1000, 10_000], ["4", "10", "100", "1,000", "10,000"])
        axes.set(xlabel="ssthresh (packets)", ylabel="η")
        return figure


def efficiency_table(results: Results) -> Table:
    """η by formula and by run."""
    rows = []
    for s in SSTHRESHES:
        row = [f"{s:,}", str(count(s))]
        for name, formula in EFFICIENCIES.items():
            row += [f"{formula(s):.4f}", f"{efficiency_of(results, name, s):.4f}"]
        rows.append(
            [
                *row,
                f"{efficiency_of(results, 'COS', s) / efficiency_of(results, 'doubling', s):.3f}",
            ]
        )
    return Table(
        ("ssthresh", "N", "doubling, formula", "run", "COS, formula", "run", "COS / doubling, run"),
        rows,
        1,
    )
