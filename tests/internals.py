"""An algorithm's internals over time, for tests of theory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ackclock.results import Result


def internal(
    result: Result, name: str, flow: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Times (s) and values of one internal of one flow."""
    rows = result.samples.internals.filter(
        (pl.col("flow").cast(pl.String) == result.flows["name"][flow])
        & (pl.col("name").cast(pl.String) == name)
    )
    return rows["time"].to_numpy(), rows["value"].to_numpy()
