"""Throughput over delay: the two responses, the runs of each setting, and their ellipse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot_data.sweep.layout import Layout, samples

if TYPE_CHECKING:
    from ackclock.plot_data.sweep.layout import Place
    from ackclock.results.series import Floats
    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult

__all__ = ["TWO_DECADES", "delay_response", "ellipse", "pairs_of", "place", "throughput_response"]

TWO_DECADES = 100.0
"""Ratio of the largest delay to the smallest from which on the axis is logarithmic."""

_THROUGHPUT = ("goodput", "throughput", "utilisation")
_DELAY = ("queue_delay", "rtt", "one_way_delay", "fct")
_CIRCLE = np.linspace(0.0, 2.0 * np.pi, 73)


def throughput_response(result: SweepResult) -> Response | None:
    """The first response that is a throughput."""
    candidates = (
        response
        for name in _THROUGHPUT
        for response in result.shown
        if response.metric.startswith(name)
    )
    return next(candidates, None)


def delay_response(result: SweepResult) -> Response | None:
    """The first response that is a delay in seconds."""
    candidates = (
        response for name in _DELAY for response in result.shown if response.metric.startswith(name)
    )
    return next((response for response in candidates if response.unit == "s"), None)


def place(layout: Layout) -> tuple[Layout, Axis | None]:
    """The layout of a scatter, and the axis whose numbers a curve follows."""
    if layout.by is None:
        return Layout(None, layout.x, layout.panels, layout.held), None
    if layout.x is not None and layout.x.numbers is not None:
        return layout, layout.x
    of_panels = (() if layout.x is None else (layout.x,)) + layout.panels
    return Layout(None, layout.by, of_panels, layout.held), None


def pairs_of(result: SweepResult, across: Response, upward: Response) -> dict[Place, Floats]:
    """Delay and throughput of the runs that have both, by setting."""
    delays, rates = samples(result, across), samples(result, upward)
    pairs = {}
    for at, by_seed in delays.items():
        both = [
            (value, rates[at][seed]) for seed, value in by_seed.items() if seed in rates.get(at, {})
        ]
        if both:
            pairs[at] = np.array(both)
    return pairs


def ellipse(pairs: Floats) -> tuple[Floats, Floats | None]:
    """Mean of pairs, and an ellipse of one standard deviation; None for fewer than three pairs."""
    centre: Floats = pairs.mean(axis=0)
    if len(pairs) < 3:
        return centre, None
    sizes, directions = np.linalg.eigh(np.cov(pairs, rowvar=False))
    around = np.stack([np.cos(_CIRCLE), np.sin(_CIRCLE)], axis=1) * np.sqrt(np.maximum(sizes, 0.0))
    outline: Floats = centre + around @ directions.T
    return centre, outline
