"""Plays random scripts in a process of its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io import scratch
from ackclock.validation.random.report import BARS, RandomReport

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.engine.linux.virtual.kernels import VirtualKernel

__all__ = ["AT_ONCE", "check_ccs", "play_random"]

AT_ONCE = 100
"""Scripts that are played at a time.

More are no faster on two processors, and disturb each other.
"""
_REPEATS = 5
"""Number of times that a disturbed script is played again."""


def check_ccs(ccs: Sequence[str]) -> None:
    """Raise unless random scripts can compare these congestion controls.

    Raises
    ------
    ValueError
        One sentence: what is wrong, and what can be compared.
    """
    for cc in ccs:
        if cc not in BARS:
            raise ValueError(
                f"--cc: '{cc}' is not compared by random scripts; {', '.join(BARS)} are"
            )


def play_random(
    scripts: int,
    *,
    ccs: Sequence[str] = tuple(BARS),
    seed: int = 1,
    first: int = 0,
    shrink: int = 20,
    at_once: int = AT_ONCE,
    given: Sequence[dict[str, Any]] = (),
    progress: Callable[[float], None] | None = None,
    virtual: VirtualKernel | None = None,
) -> RandomReport:
    """Play random scripts on a kernel and on the simulator's sender, and compare them.

    Parameters
    ----------
    scripts
        Scripts for each congestion control.
    ccs
        Congestion controls: reno, cubic, bbr.
    seed
        Seed of the scripts.
    first
        Number of the first script of each congestion control.
    shrink
        Classes of difference of which a short example is looked for, for each congestion control.
    at_once
        Scripts that are played at a time.
    given
        Scripts to play in place of random ones, as a report has them.
    progress
        Called with the share that is done, 0 to 1.
    virtual
        Kernel in virtual time that plays them; None: this machine's.

    Returns
    -------
    RandomReport
        Number of scripts that agree, and the classes of the others' first differences.

    Raises
    ------
    ValueError
        If a congestion control cannot be compared.
    LinuxError
        If the machine does not permit it.
    """
    from ackclock.engine.linux.child import work
    from ackclock.engine.linux.machine import require_namespaces
    from ackclock.engine.linux.virtual.booting import work_in_virtual_time

    check_ccs(ccs)
    if virtual is None:
        require_namespaces()
    plan = {
        "seed": seed,
        "first": first,
        "scripts": scripts,
        "ccs": list(ccs),
        "at_once": at_once,
        "repeats": _REPEATS,
        "shrink": shrink,
        "transport": _transport(),
        "given": list(given),
    }
    with scratch() as staging:
        path = staging.new / "plan.json"
        path.write_text(json.dumps(plan), encoding="utf-8")
        if virtual is None:
            answer = work(["--random", str(path)], progress)
        else:
            answer = work_in_virtual_time(
                virtual.folder, staging.new, "random", seed=seed, progress=progress
            )
        return RandomReport.from_json(seed, answer)


def _transport() -> dict[str, Any]:
    """Profile linux, as every flow of it has it."""
    from ackclock.scenario import dumbbell, flow

    scenario = dumbbell(
        rate="10Mbit/s", rtt="60ms", buffer="1bdp", flows=[flow("reno")], duration="10s"
    )
    transport: dict[str, Any] = dict(scenario.plan()["flows"][0]["transport"])
    return transport | {"host_time": None, "clock_phase_ps": 0}
