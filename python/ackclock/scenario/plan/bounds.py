"""Checks of a plan against the engine's clock and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.messages import shown
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.quantities import LONGEST_PS, PS_PER_S, lasting

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ackclock.scenario.plan.entries import Entry
    from ackclock.scenario.topology import DirectedLink

__all__ = ["check_link_steps", "check_round_trips", "check_segments"]

_MOST_SEGMENTS = 1 << 22
_MOST_STEPS = 50_000_000
# In each of these, opportunities of a trace are looked for: a longer walk would be deaf to Ctrl-C.
_MOST_OUTAGES_OF_TRACE = 5_000_000
_SHORTEST_CYCLE_S = 1e-6


def check_round_trips(entries: Iterable[Entry]) -> None:
    """Raise if a base RTT is longer than any run.

    Raises
    ------
    ScenarioError
        With the entry of the flow as its key.
    """
    for entry in entries:
        longest = max(flow.base_rtt_ps for flow in entry.flows)
        if longest > LONGEST_PS:
            raise ScenarioError(
                f"its base RTT of {lasting(longest)} is too long: at most {lasting(LONGEST_PS)}; "
                "lower the delay of a link on its path, "
                "or access.delay",
                key=entry.key,
            )


def check_segments(buffer: int, mss: int, key: str, text: str) -> None:
    """Raise if a window can hold so many segments that one ACK could release seconds of work.

    Raises
    ------
    ScenarioError
        With the receive buffer as its key.
    """
    if buffer // mss > _MOST_SEGMENTS:
        raise ScenarioError(
            f"{shown(text)} holds {buffer // mss} segments of {mss} bytes, and {_MOST_SEGMENTS} "
            "is the most: lower it, or raise mss",
            key=f"{key}.receive_buffer",
            value=text,
        )


def _steps(steps: list[list[int]], period: int | None, duration: int) -> int:
    """Number of steps that the cycles of a schedule begin in a run."""
    return 0 if not period else len(steps) * (duration // period)


def _bursts(link: DirectedLink, duration: int, folder: Path | None) -> int:
    """Number of bursts and gaps of a link's loss in a run."""
    cycle = None if link.loss is None else link.loss.mean_cycle_s(folder)
    if cycle is None:
        return 0
    if cycle < _SHORTEST_CYCLE_S:
        raise ScenarioError(
            f"a burst and the gap before it take {cycle * 1e9:.3g}ns on average: at least 1us",
            key=f"{link.key}.loss",
        )
    return int(2 * duration / (PS_PER_S * cycle))


def check_link_steps(link: DirectedLink, duration: int, folder: Path | None) -> None:
    """Raise if a link changes more often in a run than the engine can count through at its end.

    `folder` is the scenario's, for files that it names.

    Raises
    ------
    ScenarioError
        With the link's rate, outages or loss as its key.
    """
    counts = {"outages": 0, "rate": 0, "loss": _bursts(link, duration, folder)}
    service = link.service
    outages = None if service is None else service.get("outages")
    if service is not None and outages:
        counts["outages"] = _steps(outages["windows"], outages.get("period_ps"), duration)
        # A rate without outages is counted in whole cycles, however many there are.
        if service["kind"] == "schedule":
            counts["rate"] = _steps(service["rates"], service.get("period_ps"), duration)
    has_trace = service is not None and service["kind"] == "trace"
    for name, steps in counts.items():
        most = _MOST_OUTAGES_OF_TRACE if has_trace and name == "outages" else _MOST_STEPS
        if steps > most:
            raise ScenarioError(
                f"it would change {steps} times in {lasting(duration)}, and {most} is the most: "
                "make its cycle longer, or the run shorter",
                key=f"{link.key}.{name}",
            )
