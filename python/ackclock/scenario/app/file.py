"""One file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ackclock.scenario.app.base import Transfer
from ackclock.scenario.quantities import Size, size_bytes

if TYPE_CHECKING:
    from ackclock.core_types.plan import FileAppPlan
    from ackclock.scenario.app.place import Place

__all__ = ["File"]


class File(Transfer):
    """One file; then the connection is closed.

    The completion time counts from the SYN to the last byte acknowledged.
    """

    kind: Literal["file"]
    """Name of the application."""
    size: Size
    """Size of the file, such as "1MB" (10^6 bytes)."""

    def plan(self, place: Place) -> FileAppPlan:  # noqa: ARG002
        """See `Transfer.plan`."""
        return {"kind": "file", "size_bytes": size_bytes(self.size)}
