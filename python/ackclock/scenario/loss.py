"""Loss on the wire, independent of the queue."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from ackclock.scenario.errors import problem
from ackclock.scenario.synonyms import loss_line
from ackclock.scenario.table import Table
from ackclock.wording import shown

__all__ = ["Bernoulli", "GilbertElliott", "Loss", "PacketList", "Periodic"]


class Bernoulli(Table):
    """Each packet is lost with the same probability, independently."""

    kind: Literal["bernoulli"]
    """Kind of the loss."""
    p: float = Field(ge=0, le=1)
    """Probability, 0 to 1."""
    acks: bool = False
    """Whether pure ACKs are lost too."""


class GilbertElliott(Table):
    """Losses in bursts, by a good and a bad state (Gilbert 1960, Elliott 1963)."""

    kind: Literal["gilbert-elliott"]
    """Kind of the loss."""
    p: float = Field(ge=0, le=1)
    """Probability, after each packet, to leave the good state, in which it begins."""
    r: float | None = Field(default=None, ge=0, le=1)
    """Probability, after each packet, to leave the bad state (default 1 - p: Bernoulli's loss)."""
    loss_bad: float = Field(default=1.0, ge=0, le=1)
    """Probability of loss in the bad state, 1 - h."""
    loss_good: float = Field(default=0.0, ge=0, le=1)
    """Probability of loss in the good state, 1 - k."""
    acks: bool = False
    """Whether pure ACKs count and are lost too."""


class Periodic(Table):
    """One loss in every period of packets."""

    kind: Literal["periodic"]
    """Kind of the loss."""
    every: int = Field(ge=1)
    """The period, packets."""
    offset: int = Field(default=0, ge=0)
    """Packets before the first period begins."""
    acks: bool = False
    """Whether pure ACKs count and are lost too."""


class PacketList(Table):
    """Losses of the packets in a list."""

    kind: Literal["list"]
    """Kind of the loss."""
    packets: list[Annotated[int, Field(ge=1)]] = Field(min_length=1)
    """Numbers of the lost packets on the link, from 1, ascending."""
    acks: bool = False
    """Whether pure ACKs count and are lost too."""

    @model_validator(mode="after")
    def _ascending(self) -> PacketList:
        for before, after in zip(self.packets, self.packets[1:], strict=False):
            if after <= before:
                raise problem(
                    f"{after} after {before}: the packets must be ascending, each once",
                    key="packets",
                )
        return self


def _check_form(value: Any) -> Any:
    if not isinstance(value, dict | Table):
        raise problem(f"{shown(value)} is not a table: write {loss_line(value)}")
    if isinstance(value, dict) and "kind" not in value:
        raise problem(f"{shown(value)} has no kind of loss: write {loss_line(value)}")
    return value


Loss = Annotated[
    Annotated[Bernoulli | GilbertElliott | Periodic | PacketList, Field(discriminator="kind")],
    BeforeValidator(_check_form),
]
