"""How evenly a capacity is shared."""

from collections.abc import Sequence


def jain_index(rates: Sequence[float]) -> float | None:
    """Jain's fairness index of some rates.

    Parameters
    ----------
    rates : sequence of float
        One non-negative rate per flow, any unit.

    Returns
    -------
    float or None
        From 1/n (one flow has everything) to 1 (all equal); None without flows or if all are zero.

    Notes
    -----
    R. Jain, D. Chiu, W. Hawe, "A quantitative measure of fairness and discrimination for resource
    allocation in shared computer systems", DEC-TR-301, 1984: (sum x)^2 / (n sum x^2).
    RFC 5166 section 2.3.1 names it among the measures of fairness between flows.

    Examples
    --------
    >>> jain_index([1.0, 1.0, 1.0, 0.0])
    0.75
    """
    squares = sum(rate * rate for rate in rates)
    return sum(rates) ** 2 / (len(rates) * squares) if squares > 0.0 else None
