"""The engines that can run a plan; all must give identical bytes.

A further engine is one function and one line in `ENGINES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ackclock.scenario import Scenario

__all__ = ["ENGINES", "Engine"]


def _simulator(plan: str, scenario: Scenario) -> Any:
    """The event-driven engine."""
    return _core.run(plan, None, scenario.finder)


Engine = "Callable[[str, Scenario], Any]"
"""Takes a plan as JSON and its scenario; returns an object like that of `ackclock._core.run`."""

ENGINES: Mapping[str, Callable[[str, Scenario], Any]] = {"simulator": _simulator}
"""Engines by name. The oracles judge the results of the first."""
