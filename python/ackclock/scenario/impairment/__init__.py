"""Impairments of a wire beyond delay and loss: a file each, and a field of `Wire`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.scenario.impairment.corrupt import Corrupt
from ackclock.scenario.impairment.delay_schedule import DelaySchedule
from ackclock.scenario.impairment.duplicate import Duplicate
from ackclock.scenario.impairment.ecn_rewrite import EcnRewrite
from ackclock.scenario.impairment.jitter import Jitter
from ackclock.scenario.impairment.reorder import Reorder
from ackclock.scenario.table import Table

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.core_types.plan import ImpairmentPlan
    from ackclock.scenario.impairment.base import Impairment

__all__ = ["Wire"]


class Wire(Table):
    """The impairments of a direction, applied in the order of the fields as in netem."""

    ecn_rewrite: EcnRewrite | None = None
    """Changes to the ECN field after the queue: "bleach", "clear-ce" or "ect1-to-ect0"."""
    duplicate: Duplicate | None = None
    """Packets arrive twice, such as { p = 0.01 }."""
    corrupt: Corrupt | None = None
    """Packets are damaged, and the receiving host discards them, such as { p = 0.001 }."""
    delay_schedule: DelaySchedule | None = None
    """Delays from given times on, such as [["10s", "60ms"], ["20s", "25ms"]].

    A bdp and base RTTs still follow from `delay`.
    """
    jitter: Jitter | None = None
    """Random time added to the delay, such as "normal(5ms, 2ms)".

    Packets stay in order unless { reorder = true }.
    """
    reorder: Reorder | None = None
    """Packets that skip the delay, { p = 0.2, gap = 5 }, or are late, { p = 0.1, extra = "1s" }."""

    def impairments(self, folder: Path | None) -> list[ImpairmentPlan]:
        """The impairments that are set, in the engine's form."""
        given: list[Impairment | None] = [getattr(self, name) for name in Wire.model_fields]
        return [impairment.plan(folder) for impairment in given if impairment is not None]
