"""Designs of sweeps, and runs of them whose figures are made up."""

from collections.abc import Callable, Sequence
from typing import Any

import ackclock as ac
from ackclock.sweeps.design import Design
from ackclock.sweeps.running import Row
from ackclock.sweeps.sweeping import design_of

Figure = Callable[[int, int], float | None]


def design(
    axes: Sequence[dict[str, Any]] = (
        {"network.bottleneck.limit": ["5 packets", "10 packets"]},
        {"flows.cc": ["reno", "cubic", "vegas"]},
    ),
    responses: Sequence[Any] = ("utilisation", "goodput"),
    **given: Any,
) -> Design:
    scenario = ac.dumbbell(
        rate="5Mbit/s",
        rtt="20ms",
        buffer="1bdp",
        flows=[ac.flow("reno", start="uniform(0s, 1s)")],
        duration="4s",
    )
    return design_of(scenario, {"axes": list(axes), "responses": list(responses), **given})


def made_up(
    of: Design, figure: Figure, replications: int | None = None
) -> dict[tuple[int, int], Row]:
    """Runs whose every response has the figure of (setting, replication)."""
    runs = {}
    for setting in of.settings:
        for replication in range(replications or of.replications):
            value = figure(setting.index, replication)
            figures = {response.name: value for response in of.responses}
            key = f"{setting.index:032x}{replication:032x}"
            runs[setting.index, replication] = Row(
                key, of.seed(replication), f"digest of {value}", figures
            )
    return runs
