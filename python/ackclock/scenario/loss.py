"""Loss on the wire, independent of the queue."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from ackclock.messages import shown
from ackclock.scenario.distributions import TimeOrDistribution, mean_of, time_distribution
from ackclock.scenario.errors import problem
from ackclock.scenario.probability import Probability, read_percent, read_probability
from ackclock.scenario.quantities import Time, time_ps
from ackclock.scenario.steps import check_times
from ackclock.scenario.synonyms import loss_line
from ackclock.scenario.table import Table, pair

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.core_types.plan import LossPlan, LossWindowPlan

__all__ = [
    "Bernoulli",
    "Bursts",
    "GilbertElliott",
    "Loss",
    "LossSchedule",
    "LossTable",
    "PacketList",
    "Periodic",
    "read_loss",
]


class LossTable(Table):
    """A loss process, and the time in which it acts."""

    start: Time | None = None
    """Time of the run from which on packets are counted and lost (default: from the beginning)."""
    stop: Time | None = None
    """Time of the run from which on nothing is lost any more (default: never)."""

    @model_validator(mode="after")
    def _ends_after_its_start(self) -> LossTable:
        start = self.start or "0s"
        if self.stop is not None and time_ps(self.stop) <= time_ps(start):
            raise problem(
                f"{shown(self.stop)} is not after the start of the loss, {shown(start)}", key="stop"
            )
        return self

    @abstractmethod
    def plan(self, folder: Path | None) -> LossPlan:
        """The process in the engine's form; `folder` is the scenario's, for files it names."""

    def window(self) -> LossWindowPlan | None:
        """The time in which the loss acts, in the engine's form; `None`: always."""
        start = time_ps(self.start or "0s")
        if start == 0 and self.stop is None:
            return None
        return {"start_ps": start, "stop_ps": None if self.stop is None else time_ps(self.stop)}

    def mean_cycle_s(self, folder: Path | None) -> float | None:  # noqa: ARG002
        """Mean time from a burst to the next, s; `None`: the loss does not go by time."""
        return None


class Bernoulli(LossTable):
    """Each packet is lost with the same probability, independently."""

    kind: Literal["bernoulli"]
    """Kind of the loss."""
    p: Probability
    """Probability, 0 to 1, or a percentage such as "1%"."""
    acks: bool = False
    """Whether pure ACKs are lost too."""

    def plan(self, folder: Path | None) -> LossPlan:  # noqa: ARG002
        """See `LossTable.plan`."""
        return {"kind": "bernoulli", "p": float(self.p), "acks": self.acks}


class RandomLoss(Table):
    """Bernoulli's loss without its kind: give one of `rate` and `p`."""

    rate: Probability | None = None
    """Probability that a packet is lost, 0 to 1, or a percentage such as "1%"."""
    p: Probability | None = None
    """Another word for `rate`."""
    acks: bool = False
    """Whether pure ACKs are lost too."""
    start: Time | None = None
    """Time of the run from which on packets are lost (default: from the beginning)."""
    stop: Time | None = None
    """Time of the run from which on nothing is lost any more (default: never)."""


_Step = Annotated[
    list[str | float], pair("a step: write a time and the loss from then on, such as ['10s', '1%']")
]


def _step_share(value: str | float) -> float:
    """The probability of a step."""
    share = read_probability(value)
    if share < 0:
        raise problem(f"{shown(value)} is too small: it must be at least 0", kind="out-of-range")
    return float(share)


class LossSchedule(LossTable):
    """Each packet is lost with the probability that holds when its last bit leaves."""

    kind: Literal["steps"]
    """Kind of the loss."""
    schedule: list[_Step] = Field(min_length=1)
    """Times, ascending, with probabilities: [["0s", "0%"], ["10s", "1%"]].

    Before the first time nothing is lost.
    """
    acks: bool = False
    """Whether pure ACKs are lost too."""

    @model_validator(mode="after")
    def _checked(self) -> LossSchedule:
        check_times([(str(time), str(p)) for time, p in self.schedule], "schedule")
        for index, (_, p) in enumerate(self.schedule):
            try:
                _step_share(p)
            except ValueError as error:
                raise problem(str(error), key=f"schedule.{index}") from None
        return self

    def plan(self, folder: Path | None) -> LossPlan:  # noqa: ARG002
        """See `LossTable.plan`."""
        steps = [[time_ps(str(time)), _step_share(p)] for time, p in self.schedule]
        return {"kind": "steps", "steps": steps, "acks": self.acks}


class GilbertElliott(LossTable):
    """Losses in bursts, by a good and a bad state (Gilbert 1960, Elliott 1963)."""

    kind: Literal["gilbert-elliott"]
    """Kind of the loss."""
    p: Probability
    """Probability, after each packet, to leave the good state, in which it begins."""
    r: Probability | None = None
    """Probability, after each packet, to leave the bad state (default 1 - p: Bernoulli's loss)."""
    loss_bad: Probability = 1.0
    """Probability of loss in the bad state, 1 - h."""
    loss_good: Probability = 0.0
    """Probability of loss in the good state, 1 - k."""
    acks: bool = False
    """Whether pure ACKs count and are lost too."""

    def plan(self, folder: Path | None) -> LossPlan:  # noqa: ARG002
        """See `LossTable.plan`."""
        return {
            "kind": "gilbert-elliott",
            "p": float(self.p),
            "r": float(1 - self.p if self.r is None else self.r),
            "loss_bad": float(self.loss_bad),
            "loss_good": float(self.loss_good),
            "acks": self.acks,
        }


class Periodic(LossTable):
    """One loss in every period of packets."""

    kind: Literal["periodic"]
    """Kind of the loss."""
    every: int = Field(ge=1)
    """The period, packets."""
    offset: int = Field(default=0, ge=0)
    """Packets before the first period begins."""
    acks: bool = False
    """Whether pure ACKs count and are lost too."""

    def plan(self, folder: Path | None) -> LossPlan:  # noqa: ARG002
        """See `LossTable.plan`."""
        return {"kind": "periodic", "every": self.every, "offset": self.offset, "acks": self.acks}


class PacketList(LossTable):
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

    def plan(self, folder: Path | None) -> LossPlan:  # noqa: ARG002
        """See `LossTable.plan`."""
        return {"kind": "list", "packets": list(self.packets), "acks": self.acks}


class Bursts(LossTable):
    """Bursts in which every packet is lost; their lengths are times and not numbers of packets.

    The share of time lost is the mean length over the mean of length and gap together.
    """

    kind: Literal["bursts"]
    """Kind of the loss."""
    length: TimeOrDistribution
    """Length of a burst, such as "uniform(20ms, 50ms)"."""
    gap: TimeOrDistribution
    """Time before each burst in which nothing is lost, such as "exponential(2s)"."""
    acks: bool = False
    """Whether pure ACKs are lost too."""

    def plan(self, folder: Path | None) -> LossPlan:
        """See `LossTable.plan`."""
        return {
            "kind": "bursts",
            "length": time_distribution(self.length, folder),
            "gap": time_distribution(self.gap, folder),
            "acks": self.acks,
        }

    def mean_cycle_s(self, folder: Path | None) -> float:
        """See `LossTable.mean_cycle_s`."""
        return sum(mean_of(time_distribution(text, folder)) for text in (self.length, self.gap))


# Keys that a table without its kind may have: it can then be no other loss.
_RANDOM_LOSS = frozenset(RandomLoss.model_fields)


def read_loss(value: Any) -> Any:
    """A loss in full: ``"1%"``, ``0.01`` and ``{ rate = "1%" }`` are losses at random.

    A table with a schedule is one of kind steps. Tables with their kind stay as they are.

    Raises
    ------
    PydanticCustomError
        If the value is no loss; it names the key inside the value.

    Examples
    --------
    >>> read_loss("1%")
    {'kind': 'bernoulli', 'p': 0.01}
    """
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return {"kind": "bernoulli", "p": _share(value)}
    if isinstance(value, dict) and "kind" not in value:
        if "schedule" in value:
            return {"kind": "steps", **value}
        given = [key for key in ("p", "rate") if key in value]
        if len(given) == 1 and set(value) <= _RANDOM_LOSS:
            kept = {key: entry for key, entry in value.items() if key != given[0]}
            return {"kind": "bernoulli", "p": _share(value[given[0]], given[0]), **kept}
        raise problem(
            f"{shown(value)} has no kind of loss: write kind = one of "
            f"{', '.join(map(repr, _KINDS))}, or loss at random as {loss_line(value)}",
            kind="missing",
        )
    if not isinstance(value, dict | Table):
        raise problem(f"{shown(value)} is not a loss: write {loss_line(value)}", kind="wrong-type")
    return value


def _share(value: Any, key: str = "") -> float:
    """The probability of a loss that is written short."""
    number = read_percent(value) if isinstance(value, str) else value
    if (
        isinstance(number, int | float)
        and not isinstance(number, bool)
        and (0 <= number < 1 or (isinstance(value, str) and number == 1))
    ):
        return float(number)
    percent = (
        f"; did you mean '{value:g}%'?"
        if isinstance(value, int | float) and not isinstance(value, bool) and 1 <= value <= 100
        else ""
    )
    raise problem(
        f"{shown(value)} is not a share of lost packets: write '1%', or a number from 0 to below 1"
        f"{percent}",
        key=key,
        kind="wrong-type" if isinstance(value, str) else "out-of-range",
    )


_Any = Bernoulli | LossSchedule | GilbertElliott | Periodic | PacketList | Bursts
_KINDS = ("bernoulli", "steps", "gilbert-elliott", "periodic", "list", "bursts")

Loss = Annotated[
    Annotated[_Any, Field(discriminator="kind")],
    BeforeValidator(read_loss, json_schema_input_type=Probability | RandomLoss | _Any),
]
