"""The table of transfers."""

import polars as pl

from ackclock.results.transfers import transfer_table


def test_a_row_per_flow_and_kind_since_the_warm_up() -> None:
    transfers = pl.DataFrame(
        {
            "flow": ["web", "web", "web", "files", "web"],
            "kind": ["page", "page", "object", "file", "page"],
            "start_time": [0.5, 1.0, 1.0, 2.0, 3.0],
            "finish_time": [0.6, 1.2, 1.1, None, 3.4],
        }
    )
    table = transfer_table(transfers, 1.0)
    assert list(table.header) == [
        "transfers of",
        "kind",
        "begun",
        "done",
        "time, median",
        "time, mean",
        "time, p95",
    ]
    # Pages of 0.2 and 0.4 s; the 95th percentile is 95 % of the way between them.
    assert table.rows == [
        ["web", "page", "2", "2", "300 ms", "300 ms", "390 ms"],
        ["web", "object", "1", "1", "100 ms", "100 ms", "100 ms"],
        ["files", "file", "1", "0", "–", "–", "–"],
    ]
