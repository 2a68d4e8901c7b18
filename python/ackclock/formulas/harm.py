"""Effect of one flow on another."""

from collections.abc import Sequence

from ackclock.formulas.statistics import mean_of


def harm(solo: float, together: float, *, more_is_better: bool = True) -> float | None:
    """Share by which a flow fares worse beside another flow than alone.

    Parameters
    ----------
    solo : float
        The victim's figure alone on the path.
    together : float
        The same figure beside the other flow, in the same unit.
    more_is_better : bool
        True of throughput; False of delay, completion times, losses.

    Returns
    -------
    float or None
        1 is the greatest harm, 0 none, below 0 a benefit; None where the figure that is divided by
        is zero.

    Notes
    -----
    R. Ware, M. Mukerjee, S. Seshan, J. Sherry, "Beyond Jain's fairness index: setting the bar for
    the deployment of congestion control algorithms", HotNets 2019, section 4: (solo - together) /
    solo if more is better, (together - solo) / together if less is.

    Examples
    --------
    >>> harm(10e6, 2.5e6)
    0.75
    >>> harm(0.25, 1.0, more_is_better=False)
    0.75
    """
    better, worse = (solo, together) if more_is_better else (together, solo)
    return (better - worse) / better if better > 0.0 else None


def friendliness(rates: Sequence[float | None], standard: Sequence[float | None]) -> float | None:
    """Return the mean rate of flows of a standard algorithm, relative to that beside their like.

    Parameters
    ----------
    rates : sequence of float or None
        Rates of the standard flows, beside flows of another algorithm.
    standard : sequence of float or None
        Rates of the same flows when the others have the standard algorithm too, in the same unit.

    Returns
    -------
    float or None
        1 where the other is as friendly as the standard, below 1 where it takes more, above where
        it takes less; None without rates.

    Notes
    -----
    RFC 5166 section 2.3 (TCP-friendliness) and RFC 9743, which asks how flows of a new algorithm
    affect the same flows that would meet standard ones in their place.

    Examples
    --------
    >>> friendliness([2e6, 3e6], [5e6, 5e6])
    0.5
    """
    got, due = mean_of(rates), mean_of(standard)
    return got / due if got is not None and due else None
