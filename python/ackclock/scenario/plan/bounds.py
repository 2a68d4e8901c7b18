"""What the engine's clock, its timestamps and its memory can hold: said when a plan is made, before anything runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.scenario.errors import ScenarioError, shown
from ackclock.scenario.quantities import PS_PER_S

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ackclock.scenario.plan.entries import Entry
    from ackclock.scenario.topology import DirectedLink

__all__ = [
    "CLOCK_PS",
    "LARGEST",
    "LONGEST_PS",
    "check_link_steps",
    "check_round_trips",
    "check_segments",
    "lasting",
]

LARGEST = 2**63 - 1
"""Largest number of a plan: bytes, packets."""
LONGEST_PS = 480 * 3600 * PS_PER_S
"""Longest run and longest base RTT: the estimator's sums of eight RTTs then fit into the clock."""
CLOCK_PS = 2**64 - 1
"""What the engine's clock counts: 213 days."""

_MOST_SEGMENTS = 1 << 22
_MOST_STEPS = 50_000_000


def lasting(ps: float) -> str:
    """A long time as a message says it: hours, or days from 72 hours on."""
    hours = ps / PS_PER_S / 3600
    return f"{hours / 24:.4g} days" if hours >= 72 else f"{hours:.4g} h" if hours >= 1 else f"{ps / PS_PER_S:.4g} s"


def check_round_trips(entries: Iterable[Entry]) -> None:
    """Raise if a base RTT is longer than any run.

    Raises
    ------
    ScenarioError
        With the entry of the flow as its key.
    """
    for entry in entries:
        longest = max(one.base_rtt_ps for one in entry.flows)
        if longest > LONGEST_PS:
            raise ScenarioError(
                f"its base RTT of {lasting(longest)} is too long: at most {lasting(LONGEST_PS)}; lower the delay of a link on its path, "
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
            f"{shown(text)} holds {buffer // mss} segments of {mss} bytes, and {_MOST_SEGMENTS} is the most: lower it, or raise mss",
            key=f"{key}.receive_buffer",
            value=text,
        )


def _steps(table: dict[str, Any], name: str, duration: int) -> int:
    """How often the cycle of a schedule begins a new step in a run."""
    period = table.get("period_ps")
    return 0 if not period else len(table[name]) * (duration // period)


def check_link_steps(link: DirectedLink, duration: int) -> None:
    """Raise if a link changes more often in a run than the engine can count through at its end.

    Raises
    ------
    ScenarioError
        With the link's rate or outages as its key.
    """
    service = link.service or {}
    outages = service.get("outages")
    found = {"outages": _steps(outages, "windows", duration) if outages else 0}
    # Without outages whole cycles are counted at once.
    found["rate"] = _steps(service, "rates", duration) if outages and "rates" in service else 0
    for name, steps in found.items():
        if steps > _MOST_STEPS:
            raise ScenarioError(
                f"it would change {steps} times in {lasting(duration)}, and {_MOST_STEPS} is the most: make its cycle longer, or the run "
                "shorter",
                key=f"{link.key}.{name}",
            )
