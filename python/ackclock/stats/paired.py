"""Two settings with the same seeds: what the change makes, seed by seed."""

from collections.abc import Sequence
from dataclasses import dataclass

from ackclock.stats.means import Method


@dataclass(frozen=True)
class Difference:
    """What changed from the base, from runs paired by seed."""

    n: int
    """Seeds where both have a value."""
    difference: float | None
    """Mean of A - B; of a ratio the geometric mean of A / B. None: there is no pair, or the ratio is not defined."""
    low: float | None
    high: float | None
    method: Method
    why: str
    relative: float | None
    """The mean difference over the base's mean; of a ratio what it is above 1."""
    effect_size: float | None
    """Cohen's d_z: the mean difference (of logarithms for a ratio) over the differences' standard deviation; None without spread."""
    p: float | None
    """Two-sided, of no difference (a ratio of 1); it agrees with the interval: p < 1 - confidence where that leaves out no difference."""

    @property
    def half_width(self) -> float | None:
        """Half of the interval's width."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


Pairs = tuple[Sequence[float | None], Sequence[float | None]]
"""Values of A and of B, the same seed at the same place."""


def difference(a: Sequence[float | None], b: Sequence[float | None], confidence: float = 0.95, *, ratio: bool = False) -> Difference:
    """`differences` of one pair of rows."""
    return differences([(a, b)], confidence, ratio=ratio)[0]


def differences(pairs: Sequence[Pairs], confidence: float = 0.95, *, ratio: bool = False) -> list[Difference]:
    """A minus B of each pair of rows, or A over B, with its interval."""
    raise NotImplementedError
