"""A film as a series of frames to send, and checks of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ackclock.errors import Error
from ackclock.scenario.video.gop import first_kept, gop_rule

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "LARGEST_FRAME",
    "LONGEST",
    "MOST_FRAMES",
    "US_PER_S",
    "Draft",
    "Frame",
    "Part",
    "Trace",
    "TraceError",
    "microseconds",
]

US_PER_S = 1_000_000
# Uncompressed 8K is 100 MB a frame.
LARGEST_FRAME = 100_000_000
# 18 hours at 30 frames/s.
MOST_FRAMES = 2_000_000
LONGEST = 7 * 24 * 3600 * US_PER_S


class TraceError(Error, ValueError):
    """A film or trace that cannot be read; the message has the file, the place and the error."""

    kind = "unreadable"
    is_of_content = False
    """Whether the text may have some of the file's content."""

    def __init__(self, file: str, message: str, place: str = "") -> None:
        self.message = " ".join(message.split())
        super().__init__(": ".join(part for part in (file, place, self.message) if part))


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame.

    Frames stand in the order in which a decoder takes them, which is the order of sending.
    """

    time: int
    """Time of sending, us after the first frame."""
    presentation: int
    """Time of showing, us on that clock; a frame may be sent before B frames shown earlier."""
    kind: str
    """I, P or B, or - if unknown."""
    size: int
    """Bytes."""
    after: tuple[int, ...] = ()
    """Frames that the decoding of this frame needs, counted from 0."""


@dataclass(frozen=True)
class Part:
    """The wanted part of a film: it begins with the first I frame from `start` on."""

    start: int = 0
    """Start, us."""
    duration: int | None = None
    """Length, us; None: to the end of the film."""
    frames: int | None = None

    @property
    def whole(self) -> bool:
        """Whether the part is the whole film."""
        return self == Part()


@dataclass(frozen=True)
class Trace:
    """The frames of a film."""

    frames: Sequence[Frame]
    duration: int
    """Duration, us: period of the first frame when the film is repeated."""
    about: dict[str, str] = field(default_factory=dict)
    """Facts about the source: codec, picture size, ..."""

    @property
    def size(self) -> int:
        """Bytes of all frames."""
        return sum(frame.size for frame in self.frames)


def microseconds(seconds: float) -> int:
    """The nearest microsecond."""
    return round(seconds * US_PER_S)


class Draft:
    """Gathers frames and checks each as it comes, so that an absurd file ends at once."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.times: list[int] = []
        self.presentations: list[int] = []
        self.kinds: list[str] = []
        self.sizes: list[int] = []
        self.referenced: list[bool] = []
        self.after: list[tuple[int, ...]] = []

    def error(self, place: str, message: str) -> TraceError:
        """The error for a place of the file."""
        return TraceError(self.file, message, place)

    def add(
        self,
        place: str,
        time: int,
        presentation: int | None,
        kind: str,
        size: int,
        *,
        after: tuple[int, ...] | None = None,
        referenced: bool | None = None,
    ) -> None:
        """Take a frame with absolute times; `referenced`: whether others need it, if known."""
        number = len(self.times)
        if number >= MOST_FRAMES:
            raise self.error(place, f"more than {MOST_FRAMES} frames: take a part of it")
        if size < 1:
            raise self.error(place, f"a frame of {size} bytes")
        if size > LARGEST_FRAME:
            raise self.error(
                place, f"a frame of {size} bytes: more than {LARGEST_FRAME} is no frame"
            )
        if self.times and time < self.times[-1]:
            raise self.error(
                place,
                f"sent at {time / US_PER_S:g} s, before the frame that precedes it "
                f"({self.times[-1] / US_PER_S:g} s)",
            )
        if time - (self.times[0] if self.times else time) > LONGEST:
            raise self.error(
                place,
                f"sent at {time / US_PER_S:g} s: more than {LONGEST // US_PER_S // 3600} hours "
                "are no film",
            )
        if after is not None and any(not 0 <= other < number for other in after):
            wrong = next(other for other in after if not 0 <= other < number)
            raise self.error(
                place,
                f"frame {number + 1} cannot need frame {wrong + 1}: only frames sent before it",
            )
        self.times.append(time)
        self.kinds.append(kind)
        self.sizes.append(size)
        self.referenced.append(kind in "IP" if referenced is None else referenced)
        if presentation is not None:
            self.presentations.append(presentation)
        if after is not None:
            self.after.append(after)

    def finish(
        self,
        *,
        duration: int | None = None,
        part: Part | None = None,
        about: dict[str, str] | None = None,
    ) -> Trace:
        """The trace, its first frame sent at 0.

        Where presentation times, dependencies or the duration are not known, the usual ones.
        """
        part = part or Part()
        if len(self.times) < 2:
            raise TraceError(
                self.file, f"{'no frame' if not self.times else 'a single frame'}: no film"
            )
        shown = self._shown()
        first = first_kept(self.kinds, self.times, self.times[0] + part.start)
        end = len(self.times)
        if part.duration is not None and first < end:
            until = self.times[first] + part.duration
            end = next((number for number in range(first, end) if self.times[number] >= until), end)
        if part.frames is not None:
            end = min(end, first + part.frames)
        if end - first < 2:
            raise TraceError(
                self.file,
                f"{'no frame is' if end <= first else 'a single frame is'} in the part asked for",
            )
        if duration is None or not part.whole:
            # The last frame is shown as long as the others on average.
            here = self.times[end] if end < len(self.times) else None
            last = self.times[end - 1] - self.times[first]
            duration = (
                here - self.times[first]
                if here is not None
                else last + round(last / (end - first - 1))
            )
        elif duration < self.times[-1] - self.times[0]:
            raise TraceError(
                self.file,
                f"a duration of {duration / US_PER_S:g} s, but frames until "
                f"{(self.times[-1] - self.times[0]) / US_PER_S:g} s",
            )
        if duration == 0:
            raise TraceError(self.file, "all frames are sent at one time: no film")
        keep = slice(first, end)
        after = (
            [
                tuple(other - first for other in others if other >= first)
                for others in self.after[keep]
            ]
            if self.after
            else gop_rule(self.kinds[keep], shown[keep], self.referenced[keep])
        )
        origin = self.times[first]
        frames = [
            Frame(
                self.times[number] - origin,
                shown[number] - origin,
                self.kinds[number],
                self.sizes[number],
                after[number - first],
            )
            for number in range(first, end)
        ]
        return Trace(frames, duration, about or {})

    def _shown(self) -> list[int]:
        """Presentation times, none before the frame is sent."""
        shown = self.presentations or self._usual_presentations()
        late = max(0, max(time - at for time, at in zip(self.times, shown, strict=True)))
        return [at + late for at in shown]

    def _usual_presentations(self) -> list[int]:
        """Show times where the k-th frame to be shown is shown when the k-th is sent."""
        order: list[int] = []
        held: int | None = None
        for number, kind in enumerate(self.kinds):
            if kind == "B":
                order.append(number)
                continue
            if held is not None:
                order.append(held)
            held = number
        if held is not None:
            order.append(held)
        shown = [0] * len(order)
        for rank, number in enumerate(order):
            shown[number] = self.times[rank]
        return shown
