"""Always data to send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ackclock.scenario.app.base import Transfer

if TYPE_CHECKING:
    from ackclock.core_types.plan import BulkAppPlan
    from ackclock.scenario.app.place import Place

__all__ = ["Bulk"]


class Bulk(Transfer):
    """Always data to send, until the flow is stopped or the run ends."""

    kind: Literal["bulk"]
    """Name of the application."""

    def plan(self, place: Place) -> BulkAppPlan:  # noqa: ARG002
        """See `Transfer.plan`."""
        return {"kind": "bulk"}
