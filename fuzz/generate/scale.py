"""Duration and sizes, drawn first, so that every scenario costs about as much.

Rates follow from the duration and the number of packets that may cross a link in it, and every
period has a least value. A terabit link then runs for microseconds, and one of a few
bit/s for days.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from fuzz.generate.draw import HOUR, MS, US, Draw, S

__all__ = ["LONGEST", "Scale"]

LONGEST = 480 * HOUR
"""Longest run, ps."""
_LONGEST_DELAY = 24 * HOUR
"""Longest delay of a link, ps: several of them and their queues stay below 213 days."""
_LARGEST_RATE = 100 * 10**12
"""Above 8 Tbit/s a byte takes less than the clock's step."""


@dataclass
class Scale:
    """The sizes of everything in a scenario."""

    draw: Draw
    duration: int
    """Duration of the run, ps."""
    packets: int
    """About the most packets that cross a link."""
    is_rated: bool
    """Whether a link with a rate is on every path; otherwise windows bound what is sent."""
    has_zero_delays: bool
    """Whether links may have no delay, so that a round trip may take no time."""
    wire: int = 0
    """Bytes of the smallest full packet."""
    largest: int = 0
    """Bytes of the largest packet."""
    files: dict[str, str] = field(default_factory=dict)

    @classmethod
    def drawn(cls, draw: Draw) -> Scale:
        """Draw a scale; most runs take seconds, some microseconds or days."""
        low, high = draw.weighted(
            (70, (50 * MS, 60 * S)),
            (12, (US, 50 * MS)),
            (14, (60 * S, 10 * HOUR)),
            (3, (10 * HOUR, LONGEST)),
            (1, (1, US)),
        )
        packets = draw.weighted((960, (20, 1200)), (38, (1200, 4000)), (2, (4000, 20_000)))
        is_rated = draw.chance(0.9)
        return cls(
            draw=draw,
            duration=draw.spread(low, high),
            packets=draw.spread(*packets),
            is_rated=is_rated,
            has_zero_delays=is_rated and draw.chance(0.15),
        )

    @property
    def tick(self) -> int:
        """Shortest period of anything periodic, ps."""
        return max(1, self.duration // 400)

    @property
    def line(self) -> int:
        """Highest rate of a link, bit/s: `packets` in the run's time."""
        whole = self.packets * self.wire * 8 * S // max(self.duration, 1)
        return max(1, min(whole, _LARGEST_RATE))

    def line_rate(self) -> str:
        """Draw a link's rate; most are near the highest."""
        slower = self.draw.weighted((75, 4), (20, 20), (5, 1000))
        return self.draw.rate(max(1, self.line // slower), self.line)

    def delay_ps(self) -> int:
        """Draw a link's one-way delay, ps."""
        draw, longest = self.draw, min(2 * self.duration, _LONGEST_DELAY)
        if self.has_zero_delays and draw.chance(0.5):
            return 0
        if draw.chance(0.04):
            return draw.spread(max(1, longest // 8), max(1, longest))
        divisor = 4000 if self.is_rated else 100
        return draw.spread(
            max(1, self.duration // divisor), max(1, min(longest, self.duration // 4))
        )

    def delay(self) -> str:
        """Draw a link's one-way delay as text."""
        return self.draw.time_text(self.delay_ps())

    def file(self, stem: str, text: str) -> str:
        """Add a file with this text and return its name."""
        name = f"{stem}-{hashlib.blake2b(text.encode(), digest_size=6).hexdigest()}.txt"
        self.files[name] = text
        return name
