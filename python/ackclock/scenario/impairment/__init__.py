"""What a wire does to packets besides taking its time and losing them: a file each, and a field of `Wire`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.scenario.impairment.corrupt import Corrupt
from ackclock.scenario.impairment.delay_schedule import DelaySchedule
from ackclock.scenario.impairment.duplicate import Duplicate
from ackclock.scenario.impairment.jitter import Jitter
from ackclock.scenario.impairment.reorder import Reorder
from ackclock.scenario.table import Table

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.scenario.impairment.base import Impairment

__all__ = ["Wire"]


class Wire(Table):
    """The impairments of one direction of a link. They come in the order of the fields, which is netem's."""

    duplicate: Duplicate | None = None
    """Packets arrive twice, such as { p = 0.01 }."""
    corrupt: Corrupt | None = None
    """Packets are damaged, and discarded where they end, such as { p = 0.001 }."""
    delay_schedule: DelaySchedule | None = None
    """Delays from given times on, such as [["10s", "60ms"], ["20s", "25ms"]]; a bdp and base RTTs are those of `delay`."""
    jitter: Jitter | None = None
    """A random time that is added to the delay, such as "normal(5ms, 2ms)"; packets stay in order unless { reorder = true }."""
    reorder: Reorder | None = None
    """Some packets skip the delay, such as { p = 0.25, gap = 5 }, or are late, { p = 0.01, extra = "10ms" }."""

    def impairments(self, folder: Path | None) -> list[dict[str, Any]]:
        """Those that there are, as the engine takes them."""
        given: list[Impairment | None] = [getattr(self, name) for name in Wire.model_fields]
        return [impairment.plan(folder) for impairment in given if impairment is not None]
