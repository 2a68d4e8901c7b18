"""A root of a function in a bracket."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["root"]

_STEPS = 500
"""More than bisection needs from the largest float to the smallest."""


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return a place between `low` and `high` where a continuous function changes its sign.

    Parameters
    ----------
    function
        A continuous function, whose values at `low` and `high` differ in sign or include zero.
    low, high
        Ends of the bracket.

    Returns
    -------
    float
        Exact to about the last digit.

    Raises
    ------
    ValueError
        If the function has equal signs at both ends.

    Notes
    -----
    T. R. Chandrupatla, "A new hybrid quadratic/bisection algorithm for finding the zero of a
    nonlinear function without using derivatives", Advances in Engineering Software 28, 1997.
    `b` is the newest point, `a` the end of the bracket across from it, and `c` the point before.

    Examples
    --------
    >>> round(root(lambda x: x * x - 2, 0.0, 2.0), 12)
    1.414213562373
    """
    a, b = low, high
    at_a, at_b = function(a), function(b)
    if at_a == 0.0 or at_b == 0.0:
        return a if at_a == 0.0 else b
    if (at_a > 0.0) == (at_b > 0.0):
        raise ValueError(f"no change of sign between {low:g} and {high:g}")
    share = 0.5
    for _ in range(_STEPS):
        x = a + share * (b - a)
        at_x = function(x)
        if (at_x > 0.0) == (at_a > 0.0):
            c, at_c = a, at_a
        else:
            c, at_c = b, at_b
            b, at_b = a, at_a
        a, at_a = x, at_x
        best, at_best = (a, at_a) if abs(at_a) < abs(at_b) else (b, at_b)
        least = 2.0 * sys.float_info.epsilon * abs(best) + sys.float_info.min
        width = abs(b - a)
        if at_best == 0.0 or width <= 2.0 * least:
            return best
        share = _next_share((a, at_a), (b, at_b), (c, at_c))
        edge = least / width
        share = min(max(share, edge), 1.0 - edge)
    return best


def _next_share(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    """Place of the next point from `a` to `b`: by an inverse parabola where it is safe."""
    xi = (a[0] - b[0]) / (c[0] - b[0])
    phi = (a[1] - b[1]) / (c[1] - b[1])
    if not (phi * phi < xi and (1.0 - phi) ** 2 < 1.0 - xi):
        return 0.5
    return (a[1] / (b[1] - a[1])) * (c[1] / (b[1] - c[1])) + (c[0] - a[0]) / (b[0] - a[0]) * (
        a[1] / (c[1] - a[1])
    ) * (b[1] / (c[1] - b[1]))
