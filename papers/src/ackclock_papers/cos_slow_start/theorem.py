"""Computes the paper's proofs: the line w_c, efficiencies, second derivatives, the curve's end."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, GREY, TWO_COLUMNS
from ackclock.plot.sweep.labels import ink
from ackclock.studies.claim import Verdict
from ackclock.studies.weighing import counted
from ackclock.tables.quantities import significant
from ackclock.theory import (
    cos_efficiency,
    cos_slope,
    cos_window,
    doubling_efficiency,
    doubling_window,
    parabolic_efficiency,
    slow_start_rounds,
    straight_efficiency,
    straight_window,
    window_advantage,
)
from ackclock_papers.drawing import drawing

if TYPE_CHECKING:
    from ackclock.studies.results import Results
    from ackclock.theory.slow_starts import Ends
    from ackclock.views.figure import PaperFigure

POWERS = tuple(2**n for n in range(3, 14))
ALL = range(4, 10_001)
ENDS: tuple[Ends, ...] = ("paper", "sent", "area")
PAIRS = 1000
SEED = 2007
_PARTS = np.linspace(0, 1, 101)[1:-1]


def _count(passed: int, total: int, more: str = "", **figures: object) -> Verdict:
    """Return a verdict from the number of cases in which the claim holds."""
    sentence = f"The claim holds in {passed:,} of {total:,} cases{more}."
    return Verdict(
        counted(passed, total), sentence, {"passed": int(passed), "cases": total, **figures}
    )


def judge_line(results: Results) -> Verdict:  # noqa: ARG001
    """P1-F3: where the three windows lie."""
    passed = 0
    for s in POWERS:
        length = slow_start_rounds(s)
        middle = 2 * straight_window(length / 2, s)
        fine = True
        for x in length * _PARTS:
            cos, line = cos_window(x, s, whole=False), straight_window(x, s)
            mirrored = cos + cos_window(length - x, s, whole=False)
            below = cos < line or x >= length / 2 - 1e-9
            fine &= below and abs(mirrored / middle - 1) < 1e-9 and doubling_window(x) < line
        passed += fine
    return _count(passed, len(POWERS))


def _area(s: float, points: int = 2001) -> float:
    """Return the area of COS's unrounded curve over L s, by the trapezoidal rule."""
    x = np.linspace(0, slow_start_rounds(s), points)
    window = np.array([cos_window(float(value), s, whole=False) for value in x])
    return float(np.sum((window[1:] + window[:-1]) / 2) / (points - 1) / s)


def judge_areas(results: Results) -> Verdict:  # noqa: ARG001
    """Judge η_c = η_a as areas."""
    at = [float(s) for s in np.geomspace(4, 10_000, 60)]
    errors = [abs(_area(s) / straight_efficiency(s, "area") - 1) for s in at]
    return _count(sum(error <= 1e-6 for error in errors), len(at), largest=max(errors))


def judge_sums_of_powers(results: Results) -> Verdict:  # noqa: ARG001
    """Judge η_c = η_a as sums over whole round trips."""
    powers = (4, *POWERS)
    errors = [
        abs(cos_efficiency(s, whole=whole) / straight_efficiency(s) - 1)
        for s in powers
        for whole in (True, False)
    ]
    return _count(sum(error <= 1e-9 for error in errors), len(errors), largest=max(errors))


def judge_sums(results: Results) -> Verdict:  # noqa: ARG001
    """Judge η_c = η_a as sums, where the last round trip is cut short."""
    errors = {s: cos_efficiency(s, whole=False) / straight_efficiency(s) - 1 for s in ALL}
    worst = max(errors, key=lambda s: abs(errors[s]))
    difference = (
        f"; the largest difference is {significant(100 * abs(errors[worst]), 2)} %, at ssthresh "
        f"{worst:,}"
    )
    passed = sum(abs(error) <= 0.01 for error in errors.values())
    return _count(passed, len(ALL), difference, largest=errors[worst], at=worst)


def _solved(second_derivative: np.ndarray, step: float) -> np.ndarray:
    """Return the function with this second derivative at the inner points and 0 at both ends."""
    n = len(second_derivative)
    matrix = np.diag(np.full(n, -2.0)) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    return np.concatenate([[0.0], np.linalg.solve(matrix, second_derivative * step**2), [0.0]])


@cache
def pairs() -> tuple[tuple[float, float], ...]:
    """Return efficiencies of random pairs of slow starts.

    The first has the smaller second derivative throughout. Sums over 8 round trips to 256 packets.
    Every curve is the line plus the bend of a random second derivative, found on 64 points; the
    second curve's second derivative exceeds the first's by random amounts that are positive
    everywhere.
    """
    draw = np.random.default_rng(SEED)
    rounds, per_round, s = 8, 8, 256
    points = rounds * per_round
    x = np.linspace(0, rounds, points + 1)
    line = s / rounds * x + 1
    rows = []
    for _ in range(PAIRS):
        first = draw.normal(0, 20, points - 1).cumsum() / 5
        second = first + draw.exponential(10, points - 1)
        both = (line + _solved(half, 1 / per_round) for half in (first, second))
        a, b = (float(window[per_round::per_round].sum() / (rounds * s)) for window in both)
        rows.append((a, b))
    return tuple(rows)


def judge_pairs(results: Results) -> Verdict:  # noqa: ARG001
    """Judge the general statement."""
    return _count(sum(a > b for a, b in pairs()), PAIRS, seed=SEED)


def judge_line_and_doubling(results: Results) -> Verdict:  # noqa: ARG001
    """The pair of windows that the paper applies it to."""
    passed = 0
    for s in ALL:
        length = slow_start_rounds(s)
        lead = np.array([window_advantage(float(x), s) for x in length * np.linspace(0, 1, 21)])
        shaped = bool((lead[1:-1] > 0).all() and (np.diff(lead, 2) < 0).all())
        passed += shaped and all(
            straight_efficiency(s, ends) > doubling_efficiency(s, ends) for ends in ENDS
        )
    return _count(passed, len(ALL))


def growth_at_the_end(s: float, sigma: float) -> float:
    """Slope of COS's curve where it is sigma packets below ssthresh, packets per round trip."""
    length = slow_start_rounds(s)
    x = length / np.pi * np.arccos(1 - 2 * (s - sigma - 1) / s)
    return cos_slope(float(x), s)


@cache
def _growths(sigma: float) -> np.ndarray:
    return np.array([growth_at_the_end(s, sigma) for s in range(8, 10_001)])


def judge_flatter(results: Results) -> Verdict:  # noqa: ARG001
    """Judge that a smaller sigma makes the end flatter."""
    passed = int((_growths(0.0) < _growths(2.0)).sum())
    return _count(passed, len(_growths(0.0)))


def judge_too_flat(results: Results) -> Verdict:  # noqa: ARG001
    """Judge whether the end is flatter than congestion avoidance."""
    least = float(_growths(0.0).min())
    passed = int((_growths(0.0) < 1.0).sum())
    growth = f"; the smallest growth is {significant(least, 3)} packets per round trip"
    return _count(passed, len(_growths(0.0)), growth, least=least)


def draw_proof(results: Results) -> PaperFigure:  # noqa: ARG001
    """Draw P1-H: the lead of the line, and efficiency over the second derivative."""
    s = 64
    length = slow_start_rounds(s)
    x = np.linspace(0, length, 200)
    with drawing(TWO_COLUMNS, 2.4, 1, 2) as (figure, (left, right)):
        left.plot(x, [window_advantage(value, s) for value in x], color=COLOURS[2])
        lead = [cos_window(value, s, whole=False) - doubling_window(value) for value in x]
        left.plot(x, lead, color=COLOURS[1], linestyle=(0, (5, 1.5)))
        left.axhline(0, color=GREY, linewidth=0.8)
        left.annotate("$w_c - w_b$", (2.2, 23.5), color=ink(COLOURS[2]), ha="right", fontsize=7.5)
        left.annotate("$w_a - w_b$", (5.1, 30), color=ink(COLOURS[1]), ha="left", fontsize=7.5)
        left.set(
            xlabel="Round trips since slow start began",
            ylabel="Lead over doubling (packets)",
            xlim=(0, 6.1),
        )
        bent = np.linspace(-8, 8, 50)
        right.plot(bent, [parabolic_efficiency(s, point, "area") for point in bent], color=GREY)
        right.plot(0, straight_efficiency(s, "area"), marker="D", color=COLOURS[2], markersize=5)
        right.annotate(
            "line $w_c$, and COS",
            (0.4, straight_efficiency(s, "area") + 0.02),
            color=ink(COLOURS[2]),
            fontsize=7.5,
        )
        right.axhline(doubling_efficiency(s, "area"), color=COLOURS[0], linestyle=(0, (1, 1)))
        right.annotate(
            "doubling", (-8, doubling_efficiency(s, "area") + 0.01), color=COLOURS[0], fontsize=7.5
        )
        right.set(xlabel="Second derivative (packets per round trip²)", ylabel="η, as area")
        return figure
