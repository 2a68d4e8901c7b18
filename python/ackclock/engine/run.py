"""Run one scenario."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ackclock import _core
from ackclock.core_types.sharing import plan_text
from ackclock.scenario import Scenario, ScenarioError, load

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ackclock.core_types.plan import Plan
    from ackclock.results import Result
    from ackclock.scenario.own import Finder

__all__ = ["run", "run_plan", "run_planned"]


def run(
    scenario: Scenario | str | Path,
    *,
    seed: int | None = None,
    progress: Callable[[float], None] | None = None,
    force: bool = False,
    allow_code: bool = False,
) -> Result:
    """Simulate a scenario.

    Parameters
    ----------
    scenario
        A scenario, or the path of its file.
    seed
        Seed that replaces the scenario's.
    progress
        Function that is called about ten times a second with the share of the run that is done, 0
        to 1. An exception from it ends the run.
    force
        Run even if the free memory does not suffice, as estimated by `ackclock.estimate`.
    allow_code
        As for `ackclock.load`, if `scenario` is the path of a file.

    Returns
    -------
    Result
        A result with ``summary()``, ``flows``, ``links``, ``samples``, ``plot()`` and
        ``write(folder)``.

    Raises
    ------
    ScenarioError
        If the scenario is wrong.
    NotTrustedError
        If the file names Python code in a folder that is not trusted.
    TooLargeError
        If the free memory does not suffice; the text says what to change.
    AlgorithmError
        If a congestion control that you wrote raises, or gives an impossible answer.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> ac.run(scenario).flows["cc"].to_list()
    ['reno']
    >>> ac.run(scenario, seed=7).value("goodput") > 9e6
    True
    """
    began = time.perf_counter()
    if not isinstance(scenario, Scenario):
        scenario = load(scenario, allow_code=allow_code)
    if seed is not None:
        scenario = scenario.replace({"seed": seed})
    plan = scenario.plan()
    if not force:
        from ackclock.engine.cost_model import check

        check(scenario, plan=plan, plots=False)
    return run_planned(scenario, plan, progress=progress, began=began)


def run_planned(
    scenario: Scenario,
    plan: Plan,
    *,
    progress: Callable[[float], None] | None = None,
    began: float | None = None,
) -> Result:
    """Simulate a scenario whose plan is made already; `began` is when its making began, s.

    See `run` for the exceptions.
    """
    from ackclock.results import Result

    began = time.perf_counter() if began is None else began
    text = plan_text(plan)
    set_up = time.perf_counter()
    try:
        core = run_plan(text, progress, scenario.finder)
    except ScenarioError as error:
        raise error.located(scenario.file) from None
    timing = {
        "setup_seconds": set_up - began,
        "run_seconds": time.perf_counter() - set_up,
        "events": core.events,
    }
    return Result(scenario=scenario, plan=plan, core=core, timing=timing)


def run_plan(text: str, progress: Callable[[float], None] | None, finder: Finder) -> _core.Run:
    """Simulate a plan, given as JSON; `finder` finds the classes that it names.

    Raises
    ------
    ScenarioError
        If the engine refuses the plan.
    """
    try:
        return _core.run(text, progress, finder)
    except ValueError as error:
        # An error of the user's algorithm has frames below this one; the engine's refusal has none.
        if (
            type(error) is not ValueError
            or error.__traceback__ is None
            or error.__traceback__.tb_next is not None
        ):
            raise
        raise ScenarioError(str(error)) from None
