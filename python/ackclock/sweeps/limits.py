"""Smallest and largest values of a sweep's responses; intervals stay within them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ackclock.metrics import range_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ackclock.scenario import Scenario
    from ackclock.sweeps.design import Design
    from ackclock.sweeps.responses import Response

__all__ = ["Limits", "flows_of", "limits_of"]

Limits = tuple[float, float]
"""Smallest and largest value, in the response's unit."""


def limits_of(design: Design, response: Response, settings: Iterable[int]) -> dict[int, Limits]:
    """Smallest and largest value of a response, by the index of the setting.

    The range depends on the setting if the range of the metric depends on the number of flows.
    """
    figure = response.figure
    together = figure.over if response.over == "own" else response.over
    lowest, highest = range_of(figure)
    if together in {"sum", "total"}:
        # The sum of ten shares may be ten.
        lowest, highest = (0.0, math.inf) if lowest >= 0.0 else (-math.inf, math.inf)
    if range_of(figure, 2) == range_of(figure):
        return dict.fromkeys(settings, (lowest, highest))
    return {
        setting: range_of(figure, flows_of(design.scenario_at(setting))) for setting in settings
    }


def flows_of(scenario: Scenario) -> int:
    """Number of TCP flows of a scenario; a parallel transfer counts as one."""
    return sum(flow.count for flow in scenario.flows if not flow.is_stream)
