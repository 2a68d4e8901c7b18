"""Tables of transfers and streams with values that are easily computed by hand."""

from typing import Any

import polars as pl

_TRANSFERS = {
    "flow": pl.String,
    "kind": pl.String,
    "number": pl.Int64,
    "start_time": pl.Float64,
    "finish_time": pl.Float64,
    "size": pl.Int64,
    "rate": pl.Float64,
}


def transfers() -> pl.DataFrame:
    """Two flows with two files each, one unfinished; a page of two objects; a stalling video."""
    rows: list[tuple[Any, ...]] = [
        ("f.1", "file", 1, 0.0, 2.0, 100_000, None),
        ("f.1", "file", 2, 3.0, 7.0, 100_000, None),
        ("f.2", "file", 1, 0.0, 10.0, 1_000_000, None),
        ("f.2", "file", 2, 11.0, None, 1_000_000, None),
        ("f.1", "page", 1, 1.0, 2.5, 30_000, None),
        ("f.1", "page", 2, 4.0, None, 30_000, None),
        ("f.1", "object", 1, 1.0, 1.5, 10_000, None),
        ("f.1", "object", 2, 1.5, 2.5, 20_000, None),
        ("f.2", "response", 1, 1.0, 1.25, 1000, None),
        ("f.2", "segment", 1, 0.0, 1.0, 1, 1e6),
        ("f.2", "segment", 2, 1.0, 2.0, 1, 1e6),
        ("f.2", "segment", 3, 2.0, 3.0, 1, 4e6),
        ("f.2", "segment", 4, 3.0, None, 1, 1e6),
        ("f.2", "stall", 1, 5.0, 6.0, 0, None),
        ("f.2", "stall", 2, 17.0, None, 0, None),
    ]
    return pl.DataFrame(rows, schema=_TRANSFERS, orient="row")


def streams() -> pl.DataFrame:
    """A call and a film."""
    both = {
        "name": ["call", "film"],
        "sent_packets": [1000, 2000],
        "sent_bytes": [200_000, 2_000_000],
        "received_packets": [990, 1900],
        "received_bytes": [198_000, 1_900_000],
        "lost_packets": [10, 100],
        "late_packets": [20, 0],
        "duplicate_packets": [0, 0],
        "reordered_packets": [0, 0],
        "delay_count": [990, 1900],
        **{
            f"delay_{part}": [value, 3 * value]
            for part, value in (("min", 0.01), ("mean", 0.02), ("p50", 0.02), ("p95", 0.03))
        },
        **{f"delay_{part}": [value, 3 * value] for part, value in (("p99", 0.04), ("max", 0.05))},
        "playout_delay": [0.05, None],
        "jitter": [0.001, 0.003],
        "jitter_max": [0.002, 0.004],
        "frames_sent": [None, 103],
        "frames_complete": [None, 88],
        "frames_lost": [None, 8],
        "frames_late": [None, 4],
        "frames_decodable": [None, 80],
        "r_factor": [90.0, None],
        "mos": [4.2, None],
    }
    return pl.DataFrame(both)
