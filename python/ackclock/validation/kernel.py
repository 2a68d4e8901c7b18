"""A scenario on this machine's kernel, and what is kept of the run."""

from __future__ import annotations

import importlib
import platform
from typing import TYPE_CHECKING, Any

from ackclock.validation.observing import observe

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.results import Result
    from ackclock.scenario import Scenario
    from ackclock.validation.observed import Observed

__all__ = ["obstacle", "on_kernel"]


def _linux() -> Any:
    return importlib.import_module("ackclock.linux")


def obstacle() -> str | None:
    """Why this machine cannot run a scenario on its kernel; None: it can."""
    found: str | None = _linux().obstacle()
    return found


def on_kernel(scenario: Scenario, seed: int, progress: Callable[[float], None] | None = None) -> Observed:
    """One repetition."""
    result: Result = _linux().run_on_linux(scenario, seed=seed, progress=progress)
    return observe(result, _conditions(result, seed))


def _conditions(result: Result, seed: int) -> dict[str, Any]:
    return {"kernel": f"Linux {platform.release()}", "machine": platform.machine(), "seed": seed, "warnings": list(result.warnings)}
