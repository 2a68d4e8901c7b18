"""The mean of a response over seeds: its interval, which method made it, and why that one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Method = Literal["none", "exact", "t", "bootstrap-t", "BCa"]
"""What made an interval; `none`: there is none (fewer than two values), `exact`: all values are the same."""


@dataclass(frozen=True)
class Estimate:
    """A mean over seeds, and how sure one may be of it."""

    n: int
    """Seeds that have a value."""
    mean: float | None
    """None, as the following: no seed has a value."""
    sd: float | None
    """Standard deviation of the values (divided by n - 1); None with fewer than two."""
    median: float | None
    low: float | None
    """Lower end of the mean's confidence interval; None with fewer than two values."""
    high: float | None
    method: Method
    why: str
    """Why this method, in words."""

    @property
    def half_width(self) -> float | None:
        """Half of the interval's width."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def estimate(values: Iterable[float | None], confidence: float = 0.95) -> Estimate:
    """`estimates` of one row."""
    return estimates([values], confidence)[0]


def estimates(rows: Sequence[Iterable[float | None]], confidence: float = 0.95) -> list[Estimate]:
    """The mean of each row with its interval.

    Parameters
    ----------
    rows : sequence of iterables of float or None
        One value per seed; None stands for "not measured" and is left out. A row's estimate does not depend on the others.
    confidence : float
        Coverage of the intervals.
    """
    raise NotImplementedError
