"""Where an application's quantities become numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ackclock.scenario.paths import find

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Place"]


class Place(NamedTuple):
    """One flow of an entry: what its application may need to know."""

    key: str
    """The application's key in the scenario, for messages: "flows.0.app"."""
    stream: str
    """Prefix of the flow's random streams: "flow/web.1"."""
    seed: int
    folder: Path | None
    """The folder of the scenario's file, which paths are relative to; `None`: the current one."""
    start_ps: int
    stop_ps: int
    """When it begins nothing more: its stop, or the end of the run."""

    slowest_bps: int | None
    """Rate of the slowest link of the path, the flow's own access links apart; `None`: none has a rate."""
    mss: int
    """Payload of a full segment."""
    header: int
    """Bytes that each packet has besides."""

    def path(self, text: str) -> Path:
        """A path as the scenario writes it."""
        return find(text, self.folder)
