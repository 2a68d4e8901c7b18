"""A scenario, resolved and written as TOML, loads back to an equal plan."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from ackclock.scenario import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.trial import Trial

__all__ = ["text_and_back"]

_EVERY = 4
"""Period of judged runs: reading TOML takes longer than most runs."""


def text_and_back(trial: Trial) -> Iterator[str]:
    """Write and read the resolved scenario and plan it; write and read the given one."""
    if trial.number % _EVERY:
        return
    text = trial.result.scenario_toml
    again = Scenario.parse(tomllib.loads(text), folder=trial.folder)
    plan = again.plan()
    if plan != trial.plan:
        keys = [key for key in plan if plan[key] != trial.plan[key]]
        yield f"the resolved scenario has another plan: {', '.join(keys)}"
    if again.to_toml() != text:
        yield "the resolved scenario is written differently when it is read"
    given = tomllib.loads(trial.case.toml())
    if given != trial.case.data:
        yield "the scenario reads back as another"
