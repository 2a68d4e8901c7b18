"""Measures of a run: the same functions for the kernel's runs and the simulator's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.validation.measures import bbr, delays, losses, rates, sawtooth, slow_start, transfers
from ackclock.validation.measures.base import Measure, Value

if TYPE_CHECKING:
    from ackclock.validation.observed import Observed

__all__ = ["MEASURES", "Key", "Measure", "Value", "measure"]

MEASURES: tuple[Measure, ...] = (
    *rates.MEASURES,
    *delays.MEASURES,
    *losses.MEASURES,
    *sawtooth.MEASURES,
    *slow_start.MEASURES,
    *bbr.MEASURES,
    *transfers.MEASURES,
)


@dataclass(frozen=True)
class Key:
    """One figure of one run."""

    measure: str
    of: str
    """An algorithm or a flow; empty: the run."""
    title: str
    unit: str

    def __str__(self) -> str:
        """Name in notes and JSON."""
        return f"{self.measure}@{self.of}" if self.of else self.measure


def measure(run: Observed) -> dict[Key, float]:
    """Every figure that the run has, in the order of the tables."""
    algorithms = list(dict.fromkeys(flow.cc for flow in run.flows))
    several = len(algorithms) > 1
    figures: dict[Key, float] = {}
    for one in MEASURES:
        if one.name in losses.STEADY and run.warmup == 0.0:
            # The whole run is the steady part.
            continue
        for cc in algorithms if one.per_algorithm else [""]:
            value = one.function(run, [flow for flow in run.flows if cc in ("", flow.cc)])
            if value is not None:
                of = cc if several else ""
                figures[Key(one.name, of, f"{one.title} ({of})" if of else one.title, one.unit)] = (
                    value
                )
        if one.name == "goodput":
            for name, share in rates.shares(run).items():
                figures[Key("share", name, f"share of {name}", "%")] = share
    return figures
