"""A feedback loop with a delay: gain and phase margins by Nyquist's criterion."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.theory.roots import root

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Loop", "Margins", "loop_margins"]

_POINTS = 1000
"""Points of the grid on which crossings are looked for; each is then found exactly."""


@dataclass(frozen=True)
class Loop:
    """L(s) = k prod (s + z) / prod (s + p) e^(-s T): the negated response of a loop to its input.

    Attributes
    ----------
    gain
        k.
    poles
        p of each, 1/s; 0 or above, so that the open loop is stable or integrates.
    delay
        T, s.
    zeros
        z of each, 1/s; 0 or above.
    """

    gain: float
    poles: tuple[float, ...]
    delay: float
    zeros: tuple[float, ...] = ()

    def log_magnitude(self, frequency: float) -> float:
        """Ln `|L|` at an angular frequency, rad/s."""
        up = math.fsum(math.log(math.hypot(zero, frequency)) for zero in self.zeros)
        return (
            math.log(self.gain)
            + up
            - math.fsum(math.log(math.hypot(pole, frequency)) for pole in self.poles)
        )

    def phase(self, frequency: float) -> float:
        """Angle of L, rad, without jumps from 0 at a frequency of 0."""
        up = math.fsum(math.atan2(frequency, zero) for zero in self.zeros)
        return (
            up
            - math.fsum(math.atan2(frequency, pole) for pole in self.poles)
            - frequency * self.delay
        )


@dataclass(frozen=True)
class Margins:
    """Distance of a closed loop from oscillation.

    Attributes
    ----------
    stable
        Whether disturbances die out.
    gain_margin
        Factor of the loop's gain from which the loop oscillates; below 1: it oscillates; inf: no
        factor is large enough.
    phase_margin
        Further lag, in degrees, until the loop oscillates where the gain is 1; below 0: it
        oscillates; inf: the gain is never 1.
    crossover
        Frequency where the gain is 1, rad/s; NaN if there is none.
    """

    stable: bool
    gain_margin: float
    phase_margin: float
    crossover: float


def loop_margins(loop: Loop) -> Margins:
    """Gain and phase margin, and whether the closed loop is stable.

    Parameters
    ----------
    loop
        With more poles than zeros.

    Notes
    -----
    Nyquist: without unstable poles of its own, the loop is stable when closed if L(j w) does not go
    around -1: if, while `|L| > 1`, it crosses the negative real axis as often upwards as downwards.
    Magnitude and phase have closed forms, the delay's included, so that no crossing is missed and
    none comes from sampling. H. Nyquist, Regeneration theory, Bell System Technical Journal 11,
    1932.

    Examples
    --------
    An integrator with a delay oscillates at k T = pi/2:

    >>> round(loop_margins(Loop(gain=1.0, poles=(0.0,), delay=1.0)).gain_margin, 6)
    1.570796
    >>> loop_margins(Loop(gain=1.6, poles=(0.0,), delay=1.0)).stable
    False
    """
    if len(loop.poles) <= len(loop.zeros) or loop.gain <= 0 or min((*loop.poles, *loop.zeros)) < 0:
        raise ValueError(
            "a loop has more poles than zeros, none with a positive real part, and a gain above 0"
        )
    crossings = _gain_crossovers(loop)
    encircled = 0
    above = _starts_above_one(loop)
    for frequency in crossings:
        encircled += _levels(loop.phase(frequency)) * (1 if above else -1)
        above = not above
    margins = [(180 + math.degrees(loop.phase(frequency)), frequency) for frequency in crossings]
    phase, crossover = min(margins, default=(math.inf, math.nan))
    return Margins(encircled == 0, _gain_margin(loop, crossings), phase, crossover)


def _starts_above_one(loop: Loop) -> bool:
    return loop.log_magnitude(_span(loop)[0]) > 0


def _levels(phase: float) -> int:
    """Count the crossings of the negative real axis downwards on the way from angle 0."""
    return math.floor((-phase - math.pi) / (2 * math.pi)) + 1


def _span(loop: Loop) -> tuple[float, float]:
    """Frequencies between which everything happens but the delay's turning."""
    scales = [x for x in (*loop.poles, *loop.zeros) if x > 0]
    if loop.delay > 0:
        scales.append(1 / loop.delay)
    surplus = len(loop.poles) - len(loop.zeros)
    scales.append(loop.gain ** (1 / surplus))
    return 1e-6 * min(scales), 1e3 * max(scales)


def _gain_crossovers(loop: Loop) -> list[float]:
    import numpy as np

    grid = np.geomspace(*_span(loop), _POINTS)
    values = np.full_like(grid, math.log(loop.gain))
    values += sum(np.log(np.hypot(zero, grid)) for zero in loop.zeros)
    values -= sum(np.log(np.hypot(pole, grid)) for pole in loop.poles)
    return _roots(loop.log_magnitude, grid, values)


def _gain_margin(loop: Loop, crossings: list[float]) -> float:
    import numpy as np

    low, high = _span(loop)
    if loop.delay > 0:
        # The first crossing of the axis is within a turn of the delay; later ones have less gain
        # unless a zero lifts it.
        high = min(high, max(4 * math.pi / loop.delay, *crossings, 2 * low))
    grid = np.geomspace(low, high, _POINTS)
    values = math.pi - grid * loop.delay
    values += sum(np.arctan2(grid, zero) for zero in loop.zeros)
    values -= sum(np.arctan2(grid, pole) for pole in loop.poles)
    frequencies = _roots(lambda frequency: loop.phase(frequency) + math.pi, grid, values)
    return min(
        (math.exp(-loop.log_magnitude(frequency)) for frequency in frequencies), default=math.inf
    )


def _roots(
    function: Callable[[float], float], grid: NDArray[np.float64], values: NDArray[np.float64]
) -> list[float]:
    """Zeros of a function: one between each two points of a grid whose values differ in sign."""
    import numpy as np

    changes = np.flatnonzero((values[:-1] > 0) != (values[1:] > 0)).tolist()
    roots = []
    for i in changes:
        low, high = float(grid[i]), float(grid[i + 1])
        # Rounding may have made the change of sign: the zero is then at one of the ends.
        if (function(low) > 0) == (function(high) > 0):
            roots.append(min((low, high), key=lambda x: abs(function(x))))
        else:
            roots.append(root(function, low, high))
    return roots
