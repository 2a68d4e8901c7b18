"""Slots: packets leave a link in batches."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from ackclock.scenario.errors import problem, shown
from ackclock.scenario.quantities import PositiveTime, Size, Time, size_bytes, time_ps
from ackclock.scenario.table import Table

__all__ = ["Slot", "Slots"]


class Slots(Table):
    """Slots as of tc-netem(8): a packet that comes after the last slot opens the next, and all that come until then leave with it."""

    min_delay: Time
    """The shortest time to the next slot."""
    max_delay: PositiveTime | None = None
    """The longest; drawn uniformly between the two for each slot (default min_delay)."""
    packets: int | None = Field(default=None, ge=1)
    """The most packets of a slot (default unlimited)."""
    bytes: Size | None = None
    """A slot ends with the packet that reaches this size (default unlimited)."""

    @model_validator(mode="after")
    def _ordered(self) -> Slots:
        if self.max_delay is None and time_ps(self.min_delay) == 0:
            raise problem(f"{shown(self.min_delay)}: a slot with no time to wait for changes nothing", key="min_delay")
        if self.max_delay is not None and time_ps(self.max_delay) < time_ps(self.min_delay):
            raise problem(f"{shown(self.max_delay)} is less than min_delay, {shown(self.min_delay)}", key="max_delay")
        return self

    def plan(self) -> dict[str, Any]:
        """As the engine takes it."""
        return {
            "kind": "slot",
            "min_delay_ps": time_ps(self.min_delay),
            "max_delay_ps": time_ps(self.max_delay or self.min_delay),
            "packets": self.packets,
            "bytes": None if self.bytes is None else size_bytes(self.bytes),
        }


def _short(value: Any) -> Any:
    return {"min_delay": value} if isinstance(value, str) else value


Slot = Annotated[Slots, BeforeValidator(_short, json_schema_input_type=Time | Slots)]
