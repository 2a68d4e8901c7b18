"""The answer in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.tables.quantities import quantity, significant

if TYPE_CHECKING:
    from ackclock.tools.sizing.question import Question
    from ackclock.tools.sizing.result import BufferSize

__all__ = ["answer", "asked", "cautions", "price"]

_HEAVY_LOSS = 0.01
"""Share of lost data packets from which on a note is due."""
_STEP = 1.25
"""Quotient of size and next smaller one up to which a single size is named."""


def asked(question: Question) -> str:
    """The question in words."""
    count = "1 flow" if question.flows == 1 else f"{question.flows} flows"
    joint = " to " if question.is_range else ", "
    return (
        f"{count} of {', '.join(question.cc)} on {question.rate}, RTT {joint.join(question.rtts)}, "
        f"{_discipline(question)}"
    )


def _discipline(question: Question) -> str:
    return str(question.qdisc if isinstance(question.qdisc, str) else question.qdisc["kind"])


def _percent(share: float) -> str:
    return f"{100 * share:.4g} %"


def answer(sizing: BufferSize) -> str:
    """The answer in a sentence: a size, a range where runs leave it open, or none."""
    keep = _percent(sizing.question.keep)
    size, small = sizing.size, sizing.too_small
    if size is None:
        last = sizing.points[-1]
        best = max(sizing.points, key=lambda point: point.utilisation.mean)
        return (
            f"No buffer up to {sizing.units(last.packets)} keeps the link busy {keep} of the time: "
            f"the most is {_percent(best.utilisation.mean)}, at {best.packets} packets."
        )
    if size == sizing.points[0].packets:
        count = "One packet suffices" if size == 1 else f"{size} packets suffice"
        return f"{count}: {sizing.units(size)} keeps the link busy {keep} of the time."
    if small is not None and (size - small == 1 or size / small <= _STEP):
        return f"{sizing.units(size)} keeps the link busy {keep} of the time."
    lower = 1 if small is None else small + 1
    return (
        f"The answer is between {lower} and {size} packets: {sizing.units(size)} keeps the link "
        f"busy {keep} of the time, and below it the runs do not settle it."
    )


def price(sizing: BufferSize) -> str | None:
    """A sentence on delay and loss at the size found; None without a size."""
    if sizing.size is None:
        return None
    at = sizing.point(sizing.size)
    return (
        f"The price of this buffer: a queueing delay of {quantity(at.queue_mean, 's')} on average "
        f"and {quantity(at.queue_p95, 's')} at the 95th percentile, and {_lost(at.loss)}."
    )


def _lost(loss: float) -> str:
    return f"{significant(100 * loss, 2)} % of the data packets lost" if loss else "no packet lost"


def cautions(sizing: BufferSize) -> list[str]:
    """Sentences on sizes that contradict the search's assumption, and on heavy loss."""
    sentences = []
    keep = sizing.question.keep
    if sizing.falls_again:
        sizes = ", ".join(str(point.packets) for point in sizing.falls_again)
        first = next(point.packets for point in sizing.points if point.kept(keep) == "yes")
        sentences.append(
            f"A larger buffer is not always busier here: {first} packets keep the link busy "
            f"enough, and {sizes} do not. The answer is the smallest size from which on all do."
        )
    if sizing.size is not None and sizing.point(sizing.size).loss > _HEAVY_LOSS:
        gentler = next((point for point in sizing.points if point.loss <= _HEAVY_LOSS), None)
        where = (
            f"from {gentler.packets} packets on it is below {100 * _HEAVY_LOSS:g} %."
            if gentler is not None
            else f"no size that was tried brings it below {100 * _HEAVY_LOSS:g} %."
        )
        sentences.append(
            f"The link is also busy with packets that are sent again: loss is heavy; {where}"
        )
    return sentences
