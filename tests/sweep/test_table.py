"""Is a file that was filled in the file that polars would read the same from?"""

import io

import polars as pl
import pytest

from ackclock.sweeps import table
from ackclock.sweeps.table import table_of

FIGURES = [
    {"utilisation": 0.5},
    {"a": 1.0, "b": None, "c": -0.0, "d": 5e-324, "e": 1.7976931348623157e308},
    {"a": None},
    {f"response {number}": number / 7 for number in range(40)},
    {},
]


@pytest.mark.parametrize("figures", FIGURES, ids=len)
@pytest.mark.parametrize("seed", [0, 2**63 - 1])
def test_what_was_put_in_is_read(figures: dict[str, float | None], seed: int) -> None:
    key = "0123456789abcdef" * 4
    frame = pl.read_parquet(io.BytesIO(table_of(key, seed, figures)))
    assert frame.schema == {
        "key": pl.String,
        "seed": pl.Int64,
        "response": pl.String,
        "value": pl.Float64,
    }
    assert [repr(row) for row in frame.rows()] == [
        repr((key, seed, name, value)) for name, value in figures.items()
    ]


@pytest.mark.parametrize("figures", FIGURES[:4], ids=len)
def test_files_are_filled_in_and_not_written_one_by_one(figures: dict[str, float | None]) -> None:
    assert (
        table._form(tuple(figures), tuple(value is None for value in figures.values())) is not None
    )
