"""The flow that an application is planned for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Place"]


class Place(NamedTuple):
    """Facts about one flow of an entry that the plan of its application needs."""

    key: str
    """The application's key in the scenario, for messages: "flows.0.app"."""
    stream: str
    """Prefix of the flow's random streams: "flow/web.1"."""
    seed: int
    folder: Path | None
    """The folder of the scenario's file, which paths are relative to; `None`: the current one."""
    start_ps: int
    stop_ps: int
    """Time from which the application starts nothing new: the flow's stop, or the run's end."""

    slowest_bps: int | None
    """Rate of the slowest link of the path, access links apart; `None`: no link has a rate."""
    mss: int
    """Payload of a full segment, bytes."""
    header: int
    """Headers of each packet, bytes."""
