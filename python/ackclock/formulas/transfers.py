"""Waiting times of applications: completion times against the ideal, pages, stalls."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl


def slowdown(fct: float, size: float, rate: float, rtt: float) -> float:
    """Completion time over what it would be on an empty path: size/rate + RTT.

    Parameters
    ----------
    fct : float
        Flow completion time, s.
    size : float
        Size of the transfer, bytes on the wire.
    rate : float
        Rate of the path's slowest link, bit/s.
    rtt : float
        Base round-trip time, s.

    Returns
    -------
    float
        1 is ideal. A handshake and slow start count in the measured time and not in the ideal: a
        short transfer over TCP is above 1.

    Notes
    -----
    M. Alizadeh et al., "pFabric: minimal near-optimal datacenter transport", SIGCOMM 2013, section
    5 (FCT normalised by the best possible).

    Examples
    --------
    >>> slowdown(2.5, 125_000, 1e6, 0.25)
    2.0
    """
    return fct / (8.0 * size / rate + rtt)


def by_size(
    sizes: Sequence[float], values: Sequence[float], edges: Sequence[float]
) -> "pl.DataFrame":
    """Percentiles of a figure in bins of size.

    Parameters
    ----------
    sizes : sequence of float
        Bytes.
    values : sequence of float
        Figure of each transfer, for instance the slowdown.
    edges : sequence of float
        Bounds of the bins, bytes, rising; a size belongs to the bin that it is below the upper
        bound of.

    Returns
    -------
    polars.DataFrame
        Columns from, to (bytes), count, mean, p50, p95, p99; a row per bin, null where it is empty.

    Examples
    --------
    >>> by_size([1e3, 2e3, 1e6], [3.0, 5.0, 1.5], [0, 1e4, 1e7])["mean"].to_list()
    [4.0, 1.5]
    """
    import polars as pl

    frame = pl.DataFrame(
        {"size": sizes, "value": values},
        schema={"size": pl.Float64, "value": pl.Float64},
        strict=False,
    )
    rows = []
    for low, high in pairwise(edges):
        inside = frame.filter((pl.col("size") >= low) & (pl.col("size") < high))["value"]
        rows.append(
            {"from": low, "to": high, "count": len(inside), "mean": inside.mean()}
            | {f"p{p}": inside.quantile(p / 100, "linear") for p in (50, 95, 99)}
        )
    kinds = {"from": pl.Float64, "to": pl.Float64, "count": pl.Int64} | dict.fromkeys(
        ("mean", "p50", "p95", "p99"), pl.Float64
    )
    return pl.DataFrame(rows, schema=kinds, strict=False)
