"""Slots: packets leave a link in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field, model_validator

from ackclock.messages import shown
from ackclock.scenario.errors import problem
from ackclock.scenario.quantities import PositiveTime, Size, Time, size_bytes, time_ps
from ackclock.scenario.table import Table, short_form

if TYPE_CHECKING:
    from ackclock.core_types.plan import SlotImpairmentPlan

__all__ = ["Slot", "Slots"]


class Slots(Table):
    """Slots of tc-netem(8): packets wait for the next slot, and all that wait leave together.

    A packet that comes after the last slot opens the next.
    """

    min_delay: Time
    """Shortest time to the next slot."""
    max_delay: PositiveTime | None = None
    """Longest time to the next slot, each drawn uniformly between the two (default min_delay)."""
    packets: int | None = Field(default=None, ge=1)
    """Most packets of a slot (default unlimited)."""
    bytes: Size | None = None
    """Size in a slot whose first packet to reach it ends the slot (default unlimited)."""

    @model_validator(mode="after")
    def _ordered(self) -> Slots:
        if self.max_delay is None and time_ps(self.min_delay) == 0:
            raise problem(
                f"{shown(self.min_delay)}: a slot with no time to wait for changes nothing",
                key="min_delay",
            )
        if self.max_delay is not None and time_ps(self.max_delay) < time_ps(self.min_delay):
            raise problem(
                f"{shown(self.max_delay)} is less than min_delay, {shown(self.min_delay)}",
                key="max_delay",
            )
        return self

    def plan(self) -> SlotImpairmentPlan:
        """The slots in the engine's form."""
        return {
            "kind": "slot",
            "min_delay_ps": time_ps(self.min_delay),
            "max_delay_ps": time_ps(self.max_delay or self.min_delay),
            "packets": self.packets,
            "bytes": None if self.bytes is None else size_bytes(self.bytes),
        }


Slot = Annotated[Slots, short_form("min_delay", str, schema=Time | Slots)]
