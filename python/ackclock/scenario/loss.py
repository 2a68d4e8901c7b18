"""Loss on the wire: packets that vanish whatever the queue does."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from ackclock.scenario.errors import problem
from ackclock.scenario.table import Table

__all__ = ["Bernoulli", "Loss", "PacketList", "Periodic"]


class Bernoulli(Table):
    """Each packet is lost with the same probability, independently."""

    kind: Literal["bernoulli"]
    """Which kind of loss."""
    p: float = Field(ge=0, le=1)
    """Probability, 0 to 1."""
    acks: bool = False
    """Whether pure ACKs are lost too."""


class Periodic(Table):
    """Every so many packets, one is lost."""

    kind: Literal["periodic"]
    """Which kind of loss."""
    every: int = Field(ge=1)
    """The period, packets."""
    offset: int = Field(default=0, ge=0)
    """Packets before the first period begins."""
    acks: bool = False
    """Whether pure ACKs count and are lost too."""


class PacketList(Table):
    """Exactly these packets are lost."""

    kind: Literal["list"]
    """Which kind of loss."""
    packets: list[Annotated[int, Field(ge=1)]] = Field(min_length=1)
    """Ordinal numbers on the link, from 1, ascending."""
    acks: bool = False
    """Whether pure ACKs count and are lost too."""

    @model_validator(mode="after")
    def _ascending(self) -> PacketList:
        for before, after in zip(self.packets, self.packets[1:], strict=False):
            if after <= before:
                raise problem(f"{after} after {before}: the packets must be ascending, each once", key="packets")
        return self


Loss = Annotated[Bernoulli | Periodic | PacketList, Field(discriminator="kind")]
