"""An interval against a range in which a figure is claimed to lie."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ackclock.verdicts.judgement import Kind

__all__ = ["Range"]


@dataclass(frozen=True)
class Range:
    """Range in which a figure is claimed to lie.

    Examples
    --------
    >>> claimed = Range(highest=0.0)
    >>> claimed.kind(-0.4, -0.1), claimed.kind(-0.4, 0.2), claimed.kind(0.1, 0.2)
    ('within', 'undecided', 'beyond')
    """

    lowest: float = -math.inf
    highest: float = math.inf

    @classmethod
    def about(cls, number: float, share: float) -> Range:
        """The numbers that differ from one by at most a share of it."""
        return cls(number - share * abs(number), number + share * abs(number))

    @classmethod
    def of(cls, lowest: float | None, highest: float | None) -> Range:
        """The range with these ends; None: no such end."""
        return cls(
            -math.inf if lowest is None else lowest, math.inf if highest is None else highest
        )

    def kind_of(self, value: float) -> Kind:
        """Whether a value lies in the range, its ends included."""
        return "within" if self.lowest <= value <= self.highest else "beyond"

    def kind(self, low: float | None, high: float | None) -> Kind:
        """Whether an interval lies inside the range, outside of it, or across an end.

        An interval that was not computed leaves the claim undecided.
        """
        if low is None or high is None or math.isnan(low) or math.isnan(high):
            return "undecided"
        if self.lowest <= low and high <= self.highest:
            # "Less" means less: an end at no difference at all is not inside.
            is_on_an_open_end = (
                (low == high == 0.0)
                and 0.0 in {self.lowest, self.highest}
                and self.lowest != self.highest
            )
            return "beyond" if is_on_an_open_end else "within"
        return "beyond" if high < self.lowest or low > self.highest else "undecided"

    def at_floor(self, largest: float, floor: float) -> bool:
        """Whether a claimed difference has no room: no run of either side exceeds the floor."""
        return self.asks_for_a_difference and largest <= floor

    def at_ceiling(self, smallest: float, ceiling: float) -> bool:
        """Whether a claimed difference has no room: every run of both sides is at the ceiling."""
        return self.asks_for_a_difference and smallest >= ceiling

    @property
    def asks_for_a_difference(self) -> bool:
        """Whether no difference at all is at an end of the range, or outside of it."""
        return self.highest <= 0.0 or self.lowest >= 0.0
