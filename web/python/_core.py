"""The functions of the compiled core that the package needs in the page.

The engine, compiled to WebAssembly, answers them. The module `_constants` holds the answers to
questions without arguments; the build writes it, from the compiled core itself.
"""

from __future__ import annotations

import json
from typing import Any

# The page registers this module: `ask(question)` and `run(plan)`.
import ackclock_engine

from ackclock import _constants

__version__: str = _constants.VERSION
RESULTS_VERSION: int = _constants.RESULTS_VERSION

# The largest integer that JSON carries exactly between all programs.
_EXACT = 2**53


class OfOwnAlgorithms:
    """Stands for the types that algorithms written in Python get; none runs in the page."""


AckEvent = CongestionEvent = Exit = ExitAt = Interval = IntervalStart = OfOwnAlgorithms
LostSegment = RateSample = Round = RoundSummary = Window = OfOwnAlgorithms


def _ask(function: str, *arguments: str | int) -> Any:
    exact = [
        str(value) if isinstance(value, int) and value > _EXACT else value for value in arguments
    ]
    return _answer(ackclock_engine.ask(json.dumps({"f": function, "a": exact})))


def _answer(text: str) -> Any:
    """Return the engine's answer; a refusal is raised as a ValueError."""
    answer = json.loads(text)
    if "error" in answer:
        raise ValueError(answer["error"])
    return answer["ok"]


def parse_time(text: str) -> int:
    """See the core's."""
    return _ask("parse_time", text)


def parse_rate(text: str) -> int:
    """See the core's."""
    return _ask("parse_rate", text)


def parse_size(text: str) -> int:
    """See the core's."""
    return _ask("parse_size", text)


def format_time(ps: int) -> str:
    """See the core's."""
    return _ask("format_time", ps)


def format_rate(bps: int) -> str:
    """See the core's."""
    return _ask("format_rate", bps)


def check_distribution(distribution: str) -> None:
    """See the core's."""
    _ask("check_distribution", distribution)


def draw(seed: int, stream: str, distribution: str, count: int) -> list[float]:
    """See the core's."""
    return _ask("draw", seed, stream, distribution, count)


def mean(distribution: str) -> float:
    """See the core's."""
    return _ask("mean", distribution)


def _no_own_class(spec: str) -> None:
    if "python:" in spec:
        raise ValueError(
            "a class of your own cannot run in the page: ackclock run runs it on the command line"
        )


def check_cc(spec: str, find: object = None) -> None:  # noqa: ARG001
    """See the core's; an algorithm of the user's own is refused."""
    _no_own_class(spec)
    _ask("check_cc", spec)


def implied_by_cc(spec: str, find: object = None) -> dict[str, str]:  # noqa: ARG001
    """See the core's; an algorithm of the user's own is refused."""
    _no_own_class(spec)
    return _ask("implied_by_cc", spec)


def list_cc() -> list[dict[str, Any]]:
    """See the core's."""
    return _constants.LIST_CC


def list_qdisc() -> list[dict[str, Any]]:
    """See the core's."""
    return _constants.LIST_QDISC


def columns() -> dict[str, list[dict[str, Any]]]:
    """See the core's."""
    return _constants.COLUMNS


def row_bytes() -> dict[str, int]:
    """See the core's."""
    return _constants.ROW_BYTES


class Run:
    """A finished run: counters, and the tables' columns as memory views."""

    def __init__(self, instance: Any) -> None:
        self._instance = instance
        self._counters = _answer(instance.finished)
        self.end_time: float = self._counters["end_time"]
        self.events: int = self._counters["events"]

    def flows(self) -> list[dict[str, Any]]:
        """See the core's."""
        return self._counters["flows"]

    def links(self) -> list[dict[str, Any]]:
        """See the core's."""
        return self._counters["links"]

    def streams(self) -> list[dict[str, Any]]:
        """See the core's."""
        return self._counters["streams"]

    def sessions(self) -> list[dict[str, Any]]:
        """See the core's."""
        return self._counters["sessions"]

    def recorded_until(self) -> dict[str, float]:
        """See the core's."""
        return self._counters["recorded_until"]

    def transfers(self) -> dict[str, Any]:
        """See the core's."""
        return self._instance.table("transfers").to_py()


def run(text: str, progress: object, find: object) -> Run:  # noqa: ARG001
    """See the core's.

    Raises
    ------
    ScenarioError
        If the engine refuses the plan.
    """
    from ackclock.scenario import ScenarioError

    instance = ackclock_engine.run(text)
    if instance.error:
        raise ScenarioError(instance.error)
    try:
        return Run(instance)
    except ValueError as error:
        raise ScenarioError(str(error)) from None
