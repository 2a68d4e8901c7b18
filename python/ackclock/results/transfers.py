"""Table of transfers: a row per flow and kind."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ackclock.tables.quantities import Quantity, one_unit
from ackclock.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

_HEADER: Sequence[str] = (
    "transfers of",
    "kind",
    "begun",
    "done",
    "time, median",
    "time, mean",
    "time, p95",
)


def transfer_table(transfers: "pl.DataFrame", warmup: float) -> Table:
    """Return a row per flow and kind, of transfers that began after the warm-up.

    The time of a stall is its length.
    """
    rows = [
        [flow, kind, str(begun), str(done), *(Quantity(time, "s") for time in times)]
        for flow, kind, begun, done, *times in summed(transfers, warmup).rows()
    ]
    return Table(_HEADER, one_unit(rows))


def summed(transfers: "pl.DataFrame", warmup: float) -> "pl.DataFrame":
    """Return counts and times of transfers that began after the warm-up, per flow and kind."""
    import polars as pl

    took = pl.col("finish_time") - pl.col("start_time")
    return (
        transfers.filter(pl.col("start_time") >= warmup)
        .group_by("flow", "kind", maintain_order=True)
        .agg(
            begun=pl.len(),
            done=took.count(),
            median=took.median(),
            mean=took.mean(),
            p95=took.quantile(0.95, "linear"),
        )
    )
