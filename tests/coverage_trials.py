"""The share of 95 % intervals that hold a known mean, over trials with several distributions."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ackclock.stats import Method, differences, estimates
from ackclock.sweeps.sequential import wanted

TRIALS = 2000
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Known:
    """A distribution with its mean."""

    draw: Callable[[np.random.Generator, tuple[int, int]], Floats]
    mean: float


KNOWN: Mapping[str, Known] = {
    "normal": Known(lambda rng, size: rng.normal(5.0, 1.0, size), 5.0),
    # Skewness 2, 1.75 and 6.2.
    "exponential": Known(lambda rng, size: rng.exponential(1.0, size), 1.0),
    "lognormal, sigma 0.5": Known(
        lambda rng, size: rng.lognormal(0.0, 0.5, size), float(np.exp(0.125))
    ),
    "lognormal, sigma 1": Known(
        lambda rng, size: rng.lognormal(0.0, 1.0, size), float(np.exp(0.5))
    ),
    "1 in a fifth of the runs, else 0": Known(
        lambda rng, size: (rng.random(size) < 0.2) * 1.0, 0.2
    ),
    "exponential in half of the runs, else 0": Known(
        lambda rng, size: (rng.random(size) < 0.5) * rng.exponential(1.0, size), 0.5
    ),
}


@dataclass(frozen=True)
class Coverage:
    """The share of trials whose interval held the mean, and what made the intervals."""

    held: float
    width: float
    methods: Mapping[str, float]


def _held(intervals: list[Any], mean: float) -> Coverage:
    inside = [interval.low <= mean <= interval.high for interval in intervals]
    methods: dict[str, float] = {}
    for interval in intervals:
        methods[interval.method] = methods.get(interval.method, 0.0) + 1.0 / len(intervals)
    return Coverage(
        float(np.mean(inside)),
        float(np.median([interval.high - interval.low for interval in intervals])),
        methods,
    )


def of_means(
    name: str, n: int, method: Method | None = None, *, trials: int = TRIALS, seed: int = 1
) -> Coverage:
    known = KNOWN[name]
    rows = known.draw(np.random.default_rng([seed, n]), (trials, n))
    return _held(estimates(rows.tolist(), method=method), known.mean)


def of_differences(n: int, *, paired: bool = True, trials: int = TRIALS, seed: int = 2) -> Coverage:
    """Compare two algorithms on common random numbers.

    A seed's own part is exponential; A takes a tenth more of it; each algorithm has its noise.
    """
    rng = np.random.default_rng([seed, n])
    common = rng.exponential(1.0, (trials, n))
    a = 1.1 * common + rng.normal(0.0, 0.1, (trials, n))
    b = common + rng.normal(0.0, 0.1, (trials, n))
    if not paired:
        b = rng.permuted(b, axis=1)
    return _held(differences(list(zip(a.tolist(), b.tolist(), strict=True))), 0.1)


def of_a_sequential_stop(
    name: str, first: int, batch: int, half_width: float, *, trials: int = TRIALS, seed: int = 3
) -> tuple[Coverage, float]:
    """Coverage, and the mean number of replications; each trial is a setting of one sweep."""
    most = 400
    known = KNOWN[name]
    values = known.draw(np.random.default_rng([seed, first, batch]), (trials, most))
    settings = tuple(SimpleNamespace(index=index, labels=(index,)) for index in range(trials))
    stop = SimpleNamespace(
        response="x", half_width=half_width, relative=None, most=most, batch=batch, comparison=None
    )
    axis = SimpleNamespace(name="trial")
    # A figure without limits of its own, as these values have none.
    figure = SimpleNamespace(
        name="x", unit="s", limits=(-math.inf, math.inf), over="mean", of="run", element=None
    )
    response = SimpleNamespace(name="x", figure=figure, over="own")
    design: Any = SimpleNamespace(
        responses=(response,),
        axes=(axis,),
        settings=settings,
        comparisons=(),
        replications=first,
        stop=stop,
        confidence=0.95,
    )
    figures: dict[tuple[int, int], dict[str, float | None]] = {}
    while more := wanted(design, figures):
        figures.update({run: {"x": float(values[run])} for run in more})
    made = [sum((index, at) in figures for at in range(most)) for index in range(trials)]
    rows = [values[index, :count].tolist() for index, count in enumerate(made)]
    return _held(estimates(rows), known.mean), float(np.mean(made))
