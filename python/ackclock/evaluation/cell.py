"""A cell: one scenario with an empty seat; and the choices of a user that decide on cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Cell", "Context", "Figures", "Response", "Seats", "Table"]

Table = dict[str, Any]
"""A scenario or a part of one, with the keys of its TOML file."""

Response = str | Mapping[str, Any]
"""A figure that a run gives, as the table `sweep.responses` takes it."""

Seats = Mapping[str, Callable[[Table], Table]]
"""References with other scenarios than the cell's own: a change of it by name."""

Figures = Mapping[str, float | None]
"""Figures of a run by the name of the response."""


@dataclass(frozen=True)
class Context:
    """The choices of a user that decide which cells a row has."""

    subject: str
    """Congestion control under test, as `cc` takes it."""
    quick: bool = False
    """Fewer cells, half the time."""
    ecn: str = "off"
    """`transport.ecn` of the subject's flows: its own, or the user's `--ecn`."""
    implies_ecn: bool = False
    """Whether the subject always has ECN, as Prague has."""
    claims: frozenset[str] = frozenset()
    """Special cases that the subject claims: "data-centre"."""


@dataclass(frozen=True)
class Cell:
    """One scenario with an empty seat for the subject or a reference."""

    scenario: Table
    """The scenario; `slots` say which flows the seat's algorithm gets."""
    base_rtt: float
    """Base round-trip time of the subject's path, s; floors of rules refer to it."""
    rate: float
    """Rate of the bottleneck, bit/s."""
    responses: tuple[Response, ...] = ()
    """Figures that a run gives; by default the row's."""
    slots: tuple[str, ...] = ("s",)
    """Names of the entries of flows in the seat."""
    seats: Seats | None = None
    """References with other scenarios than the cell's own; None: the row's references."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Place of the cell in its row: quantity and value, such as "buffer": "0.25 BDP"."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """The values that the labels stand for, by the axis' name."""

    @property
    def id(self) -> str:
        """Name of the cell in its row, for `--cell`."""
        return ", ".join(self.labels.values()) or "whole"

    @property
    def duration(self) -> float:
        """Length of the run, s."""
        return float(str(self.scenario["duration"]).removesuffix("s"))
