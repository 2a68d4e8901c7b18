"""Kinds of figures that suit a sweep's design."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.plot_data.sweep.clouds import delay_response, throughput_response

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ackclock.sweeps.pictures import Kind
    from ackclock.sweeps.result import SweepResult

__all__ = ["suitable"]

_LEAST_RUNS = 5
_MOST_BOXES = 36


def suitable(result: SweepResult) -> Iterator[tuple[Kind, str]]:
    """Kinds of figures that suit a sweep's design, with their responses."""
    design = result.design
    varied = [axis for axis in design.axes if len(axis.labels) > 1]
    several = result.runs.height >= _LEAST_RUNS * len(design.settings)
    known = [
        response
        for response in result.shown
        if result.runs[response.name].null_count() < result.runs.height
    ]
    if (
        any(axis.numbers is None for axis in varied)
        and several
        and {delay_response(result), throughput_response(result)} <= set(known)
    ):
        yield "scatter", ""
    for response in known:
        if varied:
            yield "line", response.name
        if sum(axis.numbers is not None for axis in varied) >= 2:
            yield "heat", response.name
        if design.comparisons:
            yield "difference", response.name
        if several and len(design.settings) <= _MOST_BOXES:
            yield "box", response.name
            if response is known[0]:
                yield "cdf", response.name
