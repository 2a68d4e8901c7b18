"""One scenario, one run, one result."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from ackclock import _core
from ackclock.scenario import Scenario, ScenarioError, load

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ackclock.results import Result
    from ackclock.scenario.own import Finder

__all__ = ["run", "run_plan"]


def run(
    scenario: Scenario | str | Path,
    *,
    seed: int | None = None,
    progress: Callable[[float], None] | None = None,
    force: bool = False,
) -> Result:
    """Simulate a scenario.

    Parameters
    ----------
    scenario
        A scenario, or the path of its file.
    seed
        Another seed than the scenario's.
    progress
        Called about ten times a second with the share of the run that is done, 0 to 1. An exception from it ends the run.
    force
        Run even what this machine has no memory for, as `ackclock.estimate` has it.

    Returns
    -------
    Result
        Its ``summary()``, ``flows``, ``links``, ``samples``, ``plot()`` and ``write(folder)``.

    Raises
    ------
    ScenarioError
        If anything in the scenario is wrong.
    TooLargeError
        If the memory that is free does not suffice; a ScenarioError, which says what to change.
    AlgorithmError
        If a congestion control of your own raises, or gives an impossible answer.
    """
    from ackclock.results import Result

    began = time.perf_counter()
    if not isinstance(scenario, Scenario):
        scenario = load(scenario)
    if seed is not None:
        scenario = scenario.replace({"seed": seed})
    plan = scenario.plan()
    if not force:
        from ackclock.estimating import check

        check(scenario, plan=plan, plots=False)
    text = json.dumps(plan, allow_nan=False)
    set_up = time.perf_counter()
    try:
        core = run_plan(text, progress, scenario.finder)
    except ScenarioError as error:
        raise error.located(scenario.file) from None
    timing = {"setup_seconds": set_up - began, "run_seconds": time.perf_counter() - set_up, "events": core.events}
    return Result(scenario=scenario, plan=plan, core=core, timing=timing)


def run_plan(text: str, progress: Callable[[float], None] | None, finder: Finder) -> _core.Run:
    """Simulate a plan.

    Parameters
    ----------
    text
        The plan, JSON.
    progress
        As `run` takes it.
    finder
        Finds the classes that the plan names.

    Raises
    ------
    ScenarioError
        If the engine refuses the plan.
    """
    try:
        return _core.run(text, progress, finder)
    except ValueError as error:
        # The engine's own refusal of a plan has no frame below this one; what a user's algorithm raises has.
        if type(error) is not ValueError or error.__traceback__ is None or error.__traceback__.tb_next is not None:
            raise
        raise ScenarioError(str(error)) from None
