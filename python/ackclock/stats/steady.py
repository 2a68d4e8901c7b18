"""Where a time series' steady state begins: MSER-5."""

from collections.abc import Sequence


def truncation(values: Sequence[float]) -> int:
    """How many of the first values MSER-5 takes away.

    Notes
    -----
    K. P. White, "An effective truncation heuristic for bias reduction in simulation output", Simulation 69(6), 1997; K. P. White,
    M. J. Cobb, S. C. Spratt, "A comparison of five steady-state truncation heuristics for simulation", WSC 2000.
    """
    raise NotImplementedError
