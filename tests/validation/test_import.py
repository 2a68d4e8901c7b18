"""Runs that were recorded elsewhere, by packets or by means over 10 ms: do both ways agree?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from ackclock.validation.figures import figures_of
from scripts import script

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

RATE, RTT, PACKET = 10e6, 0.060, 1500


@pytest.fixture(scope="module")
def importer() -> ModuleType:
    return script("validation/import_traces.py")


def write(folder: Path) -> None:
    """60 s of K2: a full line, its queue from 10 to 40 packets in 3 s, one drop per peak."""
    time = np.arange(0.06, 60.0, 8 * PACKET / RATE)
    waiting = np.round(10 + 10 * (time % 3.0)).astype(int)
    wait = (waiting + 1) * 8 * PACKET / RATE
    drops = np.arange(3.0, 60.0, 3.0) - 0.001
    table = pl.DataFrame(
        {
            "t_us": np.concatenate([time, drops]) * 1e6,
            "wait_us": np.concatenate([wait * 1e6, np.full(len(drops), -1.0)]),
            "flow": 0,
            "len": PACKET,
        }
    ).with_columns(pl.col("t_us").round().cast(pl.Int32), pl.col("wait_us").round().cast(pl.Int32))
    table.sort("t_us").write_parquet(folder / "K2.1.packets.parquet")
    bins = table.filter(pl.col("wait_us") >= 0).group_by(t_ms=pl.col("t_us") // 10_000 * 10)
    means = bins.agg(n_in=pl.len().cast(pl.Int16), wait_mean_ms=pl.mean("wait_us") / 1e3).sort(
        "t_ms"
    )
    means.with_columns(drops=pl.lit(0, pl.Int16)).write_parquet(folder / "K2.1.link10ms.parquet")
    moments = np.arange(0.06, 60.1, 0.01)
    phase = moments % 3.0
    columns = {
        "flow": 0,
        "t_us": np.round(moments * 1e6).astype(int),
        "ca_state": np.where((phase < 0.1) & (moments > 3), 3, 0),
    }
    columns |= {
        "cwnd": np.round(60 + 10 * phase).astype(int),
        "ssthresh": np.where(moments < 1, -1, 60),
        "srtt_us": 90_000,
    }
    columns |= {
        "bytes_acked": np.round(9.6e6 / 8 * moments).astype(int),
        "total_retrans": np.floor(moments / 3).astype(int),
    }
    pl.DataFrame(columns | {"bbr_gain_256": 0, "bbr_bw_kbps": 0}).write_parquet(
        folder / "K2.1.tcpinfo.parquet"
    )


# Within a bin the queue varies by 0.1 packets: 0.2 %. The exact queue is an instant's, the other
# one a mean: half a packet.
def test_packets_and_means_agree(importer: ModuleType, tmp_path: Path) -> None:
    write(tmp_path)
    exact, means = (
        {
            str(key): value
            for key, value in figures_of(importer.read(tmp_path, "K2", 1, exact=exact)).items()
        }
        for exact in (True, False)
    )
    for name in ("rtt_mean", "rtt_p5", "rtt_p50", "rtt_p95"):
        assert exact[name] == pytest.approx(means[name], rel=2e-3)
    assert exact["queue"] == pytest.approx(means["queue"], abs=0.5)
    # From 10 to 60 s, 16 times 3 s with 25 packets and 2 s with 30.
    assert exact["rtt_mean"] == pytest.approx(RTT + 26.2 * 8 * PACKET / RATE, rel=2e-3)
    assert exact["queue"] == pytest.approx(25.2, abs=0.5)


def test_what_a_run_holds_is_taken(importer: ModuleType, tmp_path: Path) -> None:
    write(tmp_path)
    run = importer.read(tmp_path, "K2", 1)
    assert dict(run.conditions)["delays"] == "of every packet"
    measured = {str(key): value for key, value in figures_of(run).items()}
    assert measured["goodput"] == pytest.approx(9.6e6)
    assert measured["period"] == pytest.approx(3.0)
    assert measured["cwnd_peak"] == pytest.approx(90)
    # Just before 12, 15, ... 57 s; sent again at 12, 15, ... 57 s.
    assert measured["drops"] == 16
    assert measured["retransmitted"] == pytest.approx(16, abs=0.1)
    assert measured["slow_start_time"] == pytest.approx(1.0, abs=0.011)
