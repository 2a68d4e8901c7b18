"""One file after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from ackclock.scenario.app.base import Session
from ackclock.scenario.quantities import Size, Time, size_bytes, time_ps

if TYPE_CHECKING:
    from ackclock.scenario.app.place import Place

__all__ = ["Repeated"]


class Repeated(Session):
    """Files of a size, one after another, each over a connection of its own; every file is a row of transfers.parquet."""

    kind: Literal["repeated"]
    """Which application."""
    size: Size
    """Size of each file, such as "10MB"."""
    think: Time = "0s"
    """Pause between the end of a file and the next connection."""
    files: int | None = Field(default=None, ge=1)
    """How many (default: until the flow stops or the run ends)."""

    def plan(self, place: Place) -> dict[str, Any]:  # noqa: ARG002
        """See `Session.plan`."""
        return {"kind": "repeated", "size_bytes": size_bytes(self.size), "think_ps": time_ps(self.think), "count": self.files}
