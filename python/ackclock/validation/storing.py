"""Recorded runs: `validation/NAME/linux/1.json`, `1.flows.parquet`, `1.path.parquet`, and so on for each repetition."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ackclock.validation.observed import Floats, Observed, ObservedFlow, ObservedPath, bin_times

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["load", "repetitions", "replace", "save"]

_LEVEL = 19
"""Of zstd: written once, read often."""
_US = 1e6


def save(run: Observed, folder: Path, number: int) -> None:
    """Write one repetition.

    Parameters
    ----------
    run
        What is kept of it.
    folder
        The scenario's `linux/`; made if it is not there.
    number
        From 1.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _flows(run).write_parquet(folder / f"{number}.flows.parquet", compression="zstd", compression_level=_LEVEL, statistics=False)
    _path(run.path).write_parquet(folder / f"{number}.path.parquet", compression="zstd", compression_level=_LEVEL, statistics=False)
    about = {
        "conditions": dict(run.conditions),
        "duration": run.duration,
        "warmup": run.warmup,
        "flows": [_about(flow) for flow in run.flows],
        "rtt_us": [round(float(value), 1) for value in run.path.values * _US],
        "rtt_counts": run.path.counts.tolist(),
    }
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False, allow_nan=False)}" for key, value in about.items())
    (folder / f"{number}.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def _about(flow: ObservedFlow) -> dict[str, Any]:
    return {
        "name": flow.name,
        "cc": flow.cc,
        "mss": flow.mss,
        "start": flow.start,
        "fct": flow.fct,
        "is_file": flow.is_file,
        "drops_us": np.round(flow.drops * _US).astype(int).tolist(),
    }


def _whole(values: Floats, scale: float, kind: pl.DataType | type[pl.DataType] = pl.Int32) -> pl.Series:
    """Whole numbers of a smaller unit; null where there is none."""
    scaled = pl.Series(np.where(np.isfinite(values), values, np.nan) * scale, nan_to_null=True)
    return scaled.round().cast(kind)


def _flows(run: Observed) -> pl.DataFrame:
    parts = [
        pl.DataFrame(
            {
                "flow": pl.Series([place], dtype=pl.UInt8).new_from_index(0, len(flow.time)),
                "time_us": _whole(flow.time, _US),
                "cwnd": pl.Series(flow.cwnd, dtype=pl.Float32),
                "ssthresh": pl.Series(np.where(np.isfinite(flow.ssthresh), flow.ssthresh, np.nan), dtype=pl.Float32, nan_to_null=True),
                "srtt_us": _whole(flow.srtt, _US),
                "acked": _whole(flow.acked, 1.0, pl.Int64),
                "retransmitted": _whole(flow.retransmitted, 1.0),
                "state": pl.Series(flow.state, dtype=pl.UInt8),
                "gain": pl.Series(flow.gain, dtype=pl.Float32, nan_to_null=True),
                "bandwidth_kbps": _whole(flow.bandwidth, 1e-3),
            }
        )
        for place, flow in enumerate(run.flows)
    ]
    return pl.concat(parts)


def _path(path: ObservedPath) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "queue": pl.Series(path.queue, dtype=pl.Float32, nan_to_null=True),
            "rtt_us": _whole(path.rtt, _US),
            "rtt_min_us": _whole(path.rtt_min, _US),
            "rtt_max_us": _whole(path.rtt_max, _US),
        }
    )


def replace(folder: Path, runs: Sequence[Observed]) -> None:
    """Write these repetitions in the place of what is there."""
    for number in repetitions(folder):
        for name in (f"{number}.json", f"{number}.flows.parquet", f"{number}.path.parquet"):
            (folder / name).unlink(missing_ok=True)
    for number, run in enumerate(runs, 1):
        save(run, folder, number)


def repetitions(folder: Path) -> list[int]:
    """Numbers of the repetitions in a scenario's `linux/`."""
    return sorted(int(path.stem) for path in folder.glob("*.json") if path.stem.isdigit())


def load(folder: Path, number: int) -> Observed:
    """Read what `save` wrote."""
    about = json.loads((folder / f"{number}.json").read_text(encoding="utf-8"))
    samples = pl.read_parquet(folder / f"{number}.flows.parquet")
    bins = pl.read_parquet(folder / f"{number}.path.parquet")

    def column(frame: pl.DataFrame, name: str, scale: float = 1.0) -> Floats:
        return frame[name].cast(pl.Float64).fill_null(float("nan")).to_numpy() * scale

    flows = []
    for place, row in enumerate(about["flows"]):
        own = samples.filter(pl.col("flow") == place)
        flows.append(
            ObservedFlow(
                name=row["name"],
                cc=row["cc"],
                mss=row["mss"],
                start=row["start"],
                fct=row["fct"],
                is_file=row["is_file"],
                time=column(own, "time_us", 1 / _US),
                cwnd=column(own, "cwnd"),
                ssthresh=np.nan_to_num(column(own, "ssthresh"), nan=np.inf),
                srtt=column(own, "srtt_us", 1 / _US),
                acked=column(own, "acked"),
                retransmitted=column(own, "retransmitted"),
                state=own["state"].cast(pl.Int64).to_numpy(),
                gain=column(own, "gain"),
                bandwidth=column(own, "bandwidth_kbps", 1e3),
                drops=np.array(row["drops_us"], dtype=float) / _US,
            )
        )
    path = ObservedPath(
        time=bin_times(bins.height),
        queue=column(bins, "queue"),
        rtt=column(bins, "rtt_us", 1 / _US),
        rtt_min=column(bins, "rtt_min_us", 1 / _US),
        rtt_max=column(bins, "rtt_max_us", 1 / _US),
        values=np.array(about["rtt_us"]) / _US,
        counts=np.array(about["rtt_counts"], dtype=np.int64),
    )
    return Observed(about["duration"], about["warmup"], tuple(flows), path, about["conditions"])
