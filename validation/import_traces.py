"""Takes recorded reference runs into `validation/NAME/linux/`: tcpinfo, link10ms, packets.

    python validation/import_traces.py FOLDER

FOLDER holds `RUN.1.tcpinfo.parquet` and so on for the two repetitions of each run of `RUNS`.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import ackclock as ac
from ackclock.metrics.recorded_run import (
    STEP,
    Floats,
    RecordedFlow,
    RecordedPath,
    RecordedRun,
    algorithm,
    bin_times,
)
from ackclock.metrics.reduction import bins, distribution
from ackclock.validation.storing import save

HERE = Path(__file__).parent
RUNS = {
    "K1": "cubic-10mbit-60ms-1bdp",
    "K2": "reno-10mbit-60ms-1bdp",
    "K3": "bbr-10mbit-60ms-2bdp",
    "K4a": "bbr-10mbit-8ms-15bdp",
    "K5": "2bbr-10mbit-60ms-4bdp",
    "K6a": "cubic-bbr-10mbit-60ms-1bdp",
    "K8": "cubic-100mbit-40ms-1bdp",
}
CONDITIONS = {
    "kernel": "Linux 6.18.44",
    "machine": "virtual machine, 2 cores (AMD EPYC), another job on one of them",
    "path": "two network namespaces, TUN, an emulator of its own in user space",
}
MSS = 1448
WIRE = 1500
US = 1e6


def packets_of(table: pl.DataFrame) -> pl.DataFrame:
    """Data packets: the first 200 us hold the SYN, the last ones the FIN."""
    return table.filter(pl.col("len") > 60)


def is_complete(packets: pl.DataFrame, duration: float) -> bool:
    """Whether every packet was written down, not only drops and the beginning."""
    through = packets.filter(pl.col("wait_us") >= 0)
    return through.height > 0 and through["t_us"].max() / US > 0.95 * duration  # type: ignore[operator]


def exact_path(
    packets: pl.DataFrame, rtt: float, duration: float, warmup: float, rate: float
) -> RecordedPath:
    """From every packet that came through."""
    through = packets.filter(pl.col("wait_us") >= 0)
    arrival = through["t_us"].to_numpy() / US
    sojourn = through["wait_us"].to_numpy() / US
    time = bin_times(round(duration / STEP))
    mean, least, most = bins(arrival, rtt + sojourn, len(time))
    served = arrival + sojourn - 8 * through["len"].to_numpy() / rate
    # Waiting: arrived, and not yet being sent.
    queue = np.searchsorted(arrival, time, side="right") - np.searchsorted(
        np.sort(served), time, side="right"
    )
    values, counts = distribution((rtt + sojourn)[(arrival >= warmup) & (arrival < duration)])
    return RecordedPath(time, queue.astype(float), mean, least, most, values, counts)


def binned_path(
    link: pl.DataFrame, rtt: float, duration: float, warmup: float, rate: float
) -> RecordedPath:
    """From means over 10 ms: extremes within a bin are not known."""
    time = bin_times(round(duration / STEP))
    link = link.filter(pl.col("t_ms") < 1e3 * duration)
    sojourn = np.full(len(time), np.nan)
    sojourn[link["t_ms"].to_numpy() // 10] = (
        link["wait_mean_ms"].cast(float).fill_null(float("nan")).to_numpy() / 1e3
    )
    count = np.zeros(len(time), dtype=np.int64)
    count[link["t_ms"].to_numpy() // 10] = (link["n_in"] - link["drops"]).to_numpy()
    known = np.isfinite(sojourn) & (time >= warmup) & (count > 0)
    steps = np.log(rtt + sojourn[known])
    values, places = np.unique(np.round(steps * 1e3).astype(np.int64), return_inverse=True)
    counts = np.bincount(places, weights=count[known]).astype(np.int64)
    # What waits is what the link has still to send, less what it is sending.
    queue = np.maximum(np.nan_to_num(sojourn) * rate / (8 * WIRE) - 1, 0.0)
    missing = np.full(len(time), np.nan)
    return RecordedPath(time, queue, rtt + sojourn, missing, missing, np.exp(values / 1e3), counts)


def flow_of(
    place: int,
    planned: dict[str, Any],
    samples: pl.DataFrame,
    packets: pl.DataFrame,
    duration: float,
) -> RecordedFlow:
    """One flow of a run."""
    own = samples.filter((pl.col("flow") == place) & (pl.col("t_us") < (duration + STEP) * US))
    drops = packets.filter(
        (pl.col("flow") == place)
        & (pl.col("wait_us") < 0)
        & (pl.col("t_us") < (duration + STEP) * US)
    )

    def column(name: str) -> Floats:
        return own[name].cast(float).to_numpy()

    is_bbr = algorithm(planned["cc"]) == "bbr"
    nothing = np.full(own.height, np.nan)
    threshold = column("ssthresh")
    return RecordedFlow(
        name=planned["name"],
        cc=algorithm(planned["cc"]),
        mss=MSS,
        start=0.0,
        fct=None,
        is_file=False,
        time=column("t_us") / US,
        cwnd=column("cwnd"),
        ssthresh=np.where(threshold < 0, np.inf, threshold),
        acked=column("bytes_acked"),
        retransmitted=column("total_retrans"),
        state=own["ca_state"].cast(pl.Int64).to_numpy(),
        gain=column("bbr_gain_256") / 256 if is_bbr else nothing,
        bandwidth=column("bbr_bw_kbps") * 1e3 if is_bbr else nothing,
        drops=drops["t_us"].to_numpy() / US,
    )


def read(folder: Path, run: str, repetition: int, *, exact: bool | None = None) -> RecordedRun:
    """One repetition of a run; `exact` chooses between packets and means where both are there."""
    tables = {
        kind: pl.read_parquet(folder / f"{run}.{repetition}.{kind}.parquet")
        for kind in ("tcpinfo", "link10ms", "packets")
    }
    plan = ac.load(HERE / RUNS[run] / "scenario.toml").plan()
    duration, warmup = plan["duration_ps"] / 1e12, plan["warmup_ps"] / 1e12
    link = plan["links"][plan["record"]["packet_links"][0]]
    rtt, rate = 2 * link["delay_ps"] / 1e12, float(link["rate_bps"])
    packets = packets_of(tables["packets"])
    if exact is None:
        exact = is_complete(packets, duration)
    path = (
        exact_path(packets, rtt, duration, warmup, rate)
        if exact
        else binned_path(tables["link10ms"], rtt, duration, warmup, rate)
    )
    flows = tuple(
        flow_of(place, flow, tables["tcpinfo"], packets, duration)
        for place, flow in enumerate(plan["flows"])
    )
    return RecordedRun(
        duration,
        warmup,
        flows,
        path,
        {**CONDITIONS, "delays": "of every packet" if exact else "means over 10 ms"},
    )


def main(folder: Path) -> None:
    """Writes every repetition of every run."""
    for run, name in RUNS.items():
        for repetition in (1, 2):
            save(read(folder, run, repetition), HERE / name / "linux", repetition)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
