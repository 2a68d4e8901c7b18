"""P-values of several tests, adjusted so that chance alone makes none of them significant."""

from collections.abc import Sequence


def holm(chances: Sequence[float]) -> list[float]:
    """P-values adjusted for their number, in the order given.

    Notes
    -----
    S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6(2), 1979: calling those below 0.01 significant is wrong for any of them with a
    chance of at most 0.01.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [1.0] * len(chances)
    largest = 0.0
    for place, at in enumerate(sorted(range(len(chances)), key=lambda at: chances[at])):
        largest = max(largest, min(1.0, (len(chances) - place) * chances[at]))
        adjusted[at] = largest
    return adjusted
