"""The answer: sizes that were tried, the smallest that suffices, and what rules say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ackclock.results.queue_limits import LimitUnits
from ackclock.tools.sizing.question import PACKET_BYTES, Question
from ackclock.verdicts.ranges import Range
from ackclock.views import view

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import RenderableType

    from ackclock.verdicts.judgement import Kind, Span

__all__ = ["BufferSize", "Point", "Rule"]

Kept = Literal["yes", "no", "open"]

_KEPT: Mapping[Kind, Kept] = {"within": "yes", "beyond": "no", "undecided": "open"}


@dataclass(frozen=True)
class Point:
    """A size that was tried."""

    packets: int
    seeds: int
    utilisation: Span
    """Share of the time that the link was busy."""
    queue_mean: float
    """Mean queueing delay, s."""
    queue_p95: float
    """95th percentile of the queueing delay, s."""
    loss: float
    """Share of the data packets that were lost."""

    def kept(self, keep: float) -> Kept:
        """Whether the link was busy for the wanted share of its time; "open" within the interval.

        The whole interval must be on one side.
        """
        claimed = Range(lowest=keep)
        return _KEPT[claimed.kind(self.utilisation.low, self.utilisation.high)]


@dataclass(frozen=True)
class Rule:
    """A size by a closed form."""

    name: str
    """Function of `ackclock.theory`, or "bdp"."""
    meaning: str
    packets: float


@dataclass(frozen=True)
class BufferSize:
    """The smallest buffer that keeps a link busy, with the runs that show it."""

    question: Question
    points: tuple[Point, ...]
    """Sizes that were tried, ascending."""
    rules: tuple[Rule, ...]
    """Sizes by closed forms."""
    made: int
    """Runs that were made."""
    reused: int
    """Runs that were found in the store."""

    @property
    def size(self) -> int | None:
        """Smallest tried size from which on every size keeps the link busy; packets.

        None: the largest does not.
        """
        smallest = None
        for point in reversed(self.points):
            if point.kept(self.question.keep) != "yes":
                break
            smallest = point.packets
        return smallest

    @property
    def too_small(self) -> int | None:
        """Largest tried size below `size` that does not keep the link busy; packets.

        None: every tried size does, or is open.
        """
        top = self.size
        return max(
            (
                point.packets
                for point in self.points
                if point.kept(self.question.keep) == "no" and (top is None or point.packets < top)
            ),
            default=None,
        )

    @property
    def falls_again(self) -> tuple[Point, ...]:
        """Larger sizes that do not keep the link busy although a smaller one does."""
        first = next(
            (point.packets for point in self.points if point.kept(self.question.keep) == "yes"),
            None,
        )
        return tuple(
            point
            for point in self.points
            if first is not None
            and point.packets > first
            and point.kept(self.question.keep) == "no"
        )

    def point(self, packets: int) -> Point:
        """The runs at a size that was tried."""
        return next(point for point in self.points if point.packets == packets)

    def units(self, packets: float) -> LimitUnits:
        """A size in packets, bytes, seconds and bandwidth-delay products."""
        question = self.question
        return LimitUnits.of(packets, question.rate_bps, question.rtt_s, PACKET_BYTES)

    @property
    def tc(self) -> list[str]:
        """Commands of Linux's tc that give a device the rate and the buffer; "$DEV" is the device.

        Empty without a size.
        """
        from ackclock.scenario.tc import commands_of
        from ackclock.scenario.tc.link import DEVICE

        if self.size is None:
            return []
        changed = {"network.bottleneck.limit": f"{self.size} packets"}
        link = self.question.scenario().replace(changed).plan()["links"][0]
        commands = commands_of({**link, "delay_ps": 0}, PACKET_BYTES)
        return [
            " ".join(["tc", *('"$DEV"' if word == DEVICE else word for word in words)])
            for words in commands.setup
        ]

    @property
    def answer(self) -> str:
        """The answer in a sentence."""
        sentence: str = view("size.answer")(self)
        return sentence

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain data."""
        from dataclasses import asdict

        def units(packets: float) -> dict[str, float | None]:
            return asdict(self.units(packets))

        return {
            "question": self.question.to_dict(),
            "answer": self.answer,
            "size": None if self.size is None else units(self.size),
            "too_small": None if self.too_small is None else units(self.too_small),
            "falls_again": [point.packets for point in self.falls_again],
            "points": [
                {
                    **units(point.packets),
                    "seeds": point.seeds,
                    "kept": point.kept(self.question.keep),
                    "utilisation": point.utilisation._asdict(),
                    "queue_delay_mean": point.queue_mean,
                    "queue_delay_p95": point.queue_p95,
                    "loss_rate": point.loss,
                }
                for point in self.points
            ],
            "rules": [
                {"name": rule.name, "meaning": rule.meaning, **units(rule.packets)}
                for rule in self.rules
            ],
            "tc": self.tc,
            "runs_made": self.made,
            "runs_reused": self.reused,
        }

    def __rich__(self) -> RenderableType:
        """The answer, the sizes tried, the rules, and the commands."""
        made: RenderableType = view("size.terminal")(self)
        return made
