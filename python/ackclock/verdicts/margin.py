"""The margin: how far a figure may be from its reference without being a finding."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Margin"]

_MOST_BETTER = 0.5


@dataclass(frozen=True)
class Margin:
    """Largest difference to a reference that is no finding: a share of it, or an amount.

    The larger of the two counts.

    Examples
    --------
    >>> Margin(share=0.05, amount=2.0).of(100.0), Margin(share=0.05, amount=2.0).of(10.0)
    (5.0, 2.0)
    """

    share: float = 0.0
    """Share of the reference's size."""
    amount: float = 0.0
    """Smallest margin, in the figure's unit."""
    limit: float | None = None
    """Value that the figure may reach, however small the reference is."""
    spread: bool = False
    """Whether the range of the reference's own runs is allowed too."""

    def of(self, reference: float) -> float:
        """The margin at a reference, in the figure's unit."""
        width = max(self.share * abs(reference), self.amount)
        return width if self.limit is None else max(width, self.limit - reference)

    def of_better(self, reference: float) -> float:
        """The margin by which a figure must be better to be called so.

        A figure cannot fall by 100 % of itself and more, so half of the reference is enough there.
        """
        return max(min(self.share, _MOST_BETTER) * abs(reference), self.amount)
