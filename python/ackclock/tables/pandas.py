"""Makes pandas' frames; needs pandas and nothing besides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.runtime.extras import importing

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

__all__ = ["pandas_frame"]


def pandas_frame(frame: pl.DataFrame, units: Mapping[str, str] | None = None) -> Any:
    """Return a polars frame as a pandas.DataFrame, without pyarrow.

    Missing numbers are NaN, so a column of integers with some missing becomes one of floats.
    Missing texts are None. Columns of names (polars' Enum) become pandas' categories.

    Parameters
    ----------
    frame
        Any frame of numbers, texts and truth values.
    units
        Units by column; they go to `frame.attrs["units"]`.

    Raises
    ------
    ackclock.MissingExtraError
        If pandas is not installed.
    """
    with importing("pandas"):
        import pandas as pd  # type: ignore[import-not-found,import-untyped,unused-ignore]
    made = pd.DataFrame(
        {name: _column(frame[name], pd) for name in frame.columns},
        index=pd.RangeIndex(frame.height),
    )
    if units:
        made.attrs["units"] = {name: units[name] for name in frame.columns if name in units}
    return made


def _column(series: pl.Series, pd: Any) -> Any:
    import numpy as np
    import polars as pl

    if isinstance(series.dtype, pl.Enum):
        codes = series.to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
        return pd.Categorical.from_codes(codes, series.dtype.categories.to_list())
    if series.dtype.is_numeric():
        # A column of integers with some missing becomes floats, with NaN.
        return np.array(series.to_numpy())
    if series.dtype == pl.Boolean and not series.null_count():
        return np.array(series.to_list(), dtype=bool)
    return np.array([*series.to_list(), None], dtype=object)[:-1]
