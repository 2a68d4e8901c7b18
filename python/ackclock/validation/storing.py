"""Recorded runs of the kernel, one set of files for each repetition.

The files are `validation/NAME/linux/1.json`, `1.flows.parquet`, `1.path.parquet`, and so on.

Counters, times and round-trip times are kept as differences from row to row, which makes a file a
third as large. A column `time_us` or a list `rtt_us` instead of `time_step_us` and `rtt_steps` is
from before that, and is still read.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ackclock.atomic_io import (
    Kind,
    chosen,
    files_of,
    read_json,
    read_table,
    recover,
    whole_files,
    write_text,
)
from ackclock.metrics.recorded_run import (
    RESOLUTION,
    Floats,
    RecordedFlow,
    RecordedPath,
    RecordedRun,
    bin_times,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["load", "repetitions", "replace", "save"]

_LEVEL = 19
"""Level of zstd: files are written once and read often."""
_US = 1e6
_PARTS = ("json", "flows.parquet", "path.parquet")


def _ours(folder: Path) -> set[str]:
    return {f"{number}.{part}" for number in repetitions(folder) for part in _PARTS}


_KIND = Kind("recording", "1.json", _ours, among_others=True)


def save(run: RecordedRun, folder: Path, number: int) -> None:
    """Write one repetition.

    Parameters
    ----------
    run
        Observations of the run.
    folder
        Where to: the scenario's `linux/`, or what takes its place (`replace`). It is made if it is
        not there.
    number
        From 1.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for part, table in (("flows", _flows(run)), ("path", _path(run.path))):
        table.write_parquet(
            folder / f"{number}.{part}.parquet",
            compression="zstd",
            compression_level=_LEVEL,
            statistics=False,
        )
    about = {
        "conditions": dict(run.conditions),
        "duration": run.duration,
        "warmup": run.warmup,
        "flows": [_about(flow) for flow in run.flows],
        "rtt_steps": _steps(np.round(np.log(run.path.values) / RESOLUTION)),
        "rtt_counts": run.path.counts.tolist(),
    }
    lines = ",\n".join(
        f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False, allow_nan=False)}"
        for key, value in about.items()
    )
    write_text(folder / f"{number}.json", f"{{\n{lines}\n}}\n")


def _about(flow: RecordedFlow) -> dict[str, Any]:
    return {
        "name": flow.name,
        "cc": flow.cc,
        "mss": flow.mss,
        "start": flow.start,
        "fct": flow.fct,
        "is_file": flow.is_file,
        "first": None if flow.first is None else round(flow.first, 12),
        "drop_steps_us": _steps(np.round(flow.drops * _US)),
        "transfers": [
            [round(float(start), 6), round(float(time), 6)]
            for start, time in zip(flow.starts, flow.transfers, strict=True)
        ],
    }


def _steps(values: Floats) -> list[int]:
    """The first value, and the difference of each other from the one before."""
    return np.diff(values, prepend=0.0).astype(int).tolist()  # type: ignore[no-any-return]


def _whole(
    values: Floats, scale: float, kind: pl.DataType | type[pl.DataType] = pl.Int32
) -> pl.Series:
    """Whole numbers of a smaller unit; null where there is none."""
    scaled = pl.Series(np.where(np.isfinite(values), values, np.nan) * scale, nan_to_null=True)
    return scaled.round().cast(kind)


def _counted(values: Floats, scale: float) -> pl.Series:
    """Differences from row to row, of whole numbers of a smaller unit."""
    return pl.Series(np.diff(np.round(values * scale), prepend=0.0)).cast(pl.Int64)


def _flows(run: RecordedRun) -> pl.DataFrame:
    parts = [
        pl.DataFrame(
            {
                "flow": pl.Series([place], dtype=pl.UInt8).new_from_index(0, len(flow.time)),
                "time_step_us": _counted(flow.time, _US),
                "cwnd": _single(flow.cwnd),
                "ssthresh": _single(flow.ssthresh),
                "acked_step": _counted(flow.acked, 1.0),
                "retransmitted_step": _counted(flow.retransmitted, 1.0),
                "state": pl.Series(flow.state, dtype=pl.UInt8),
                "gain": _single(flow.gain),
                # A recording of an earlier version has none.
                "window_gain": _single(
                    flow.window_gain if len(flow.window_gain) else np.full(len(flow.time), np.nan)
                ),
                "bandwidth_kbps": _whole(flow.bandwidth, 1e-3),
            }
        )
        for place, flow in enumerate(run.flows)
    ]
    return pl.concat(parts)


def _single(values: Floats) -> pl.Series:
    """In 32 bits; null where there is none."""
    known = np.where(np.isfinite(values), values, np.nan)
    return pl.Series(known, dtype=pl.Float32, nan_to_null=True)


def _path(path: RecordedPath) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "queue": _single(path.queue),
            "rtt_us": _whole(path.rtt, _US),
            # From the mean: small numbers.
            "rtt_below_us": _whole(path.rtt, _US) - _whole(path.rtt_min, _US),
            "rtt_above_us": _whole(path.rtt_max, _US) - _whole(path.rtt, _US),
        }
    )


def replace(folder: Path, runs: Sequence[RecordedRun]) -> None:
    """Write these repetitions in the place of the earlier ones, in one step.

    Raises
    ------
    ackclock.WriteError
        If they cannot be written; the earlier ones are untouched then.
    """
    # The folder of the scenarios in the current one: the user did not name it.
    with chosen(folder), whole_files(folder, _KIND) as temporary:
        for number, run in enumerate(runs, 1):
            save(run, temporary, number)


def repetitions(folder: Path) -> list[int]:
    """Numbers of the repetitions in a scenario's `linux/`, after finishing a killed replacement."""
    recover(folder)
    stems = (name.removesuffix(".json") for name in files_of(folder, "", ".json"))
    return sorted(int(stem) for stem in stems if stem.isdigit())


def load(folder: Path, number: int) -> RecordedRun:
    """Read a repetition that `save` wrote."""
    about = read_json(folder, f"{number}.json")
    samples = read_table(folder, f"{number}.flows.parquet")
    bins = read_table(folder, f"{number}.path.parquet")

    def column(frame: pl.DataFrame, name: str, scale: float = 1.0) -> Floats:
        return frame[name].cast(pl.Float64).fill_null(float("nan")).to_numpy() * scale

    def counter(frame: pl.DataFrame, name: str, old: str, scale: float = 1.0) -> Floats:
        if old in frame.columns:
            return column(frame, old, scale)
        return frame[name].cum_sum().cast(pl.Float64).to_numpy() * scale

    flows = []
    for place, row in enumerate(about["flows"]):
        own = samples.filter(pl.col("flow") == place)
        drops = (
            np.cumsum(row["drop_steps_us"]) if "drop_steps_us" in row else np.array(row["drops_us"])
        )
        transfers = np.array(row.get("transfers", []), dtype=float).reshape(-1, 2)
        flows.append(
            RecordedFlow(
                name=row["name"],
                cc=row["cc"],
                mss=row["mss"],
                start=row["start"],
                fct=row["fct"],
                is_file=row["is_file"],
                time=counter(own, "time_step_us", "time_us", 1 / _US),
                cwnd=column(own, "cwnd"),
                ssthresh=np.nan_to_num(column(own, "ssthresh"), nan=np.inf),
                acked=counter(own, "acked_step", "acked"),
                retransmitted=counter(own, "retransmitted_step", "retransmitted"),
                state=own["state"].cast(pl.Int64).to_numpy(),
                gain=column(own, "gain"),
                bandwidth=column(own, "bandwidth_kbps", 1e3),
                drops=drops.astype(float) / _US,
                window_gain=column(own, "window_gain")
                if "window_gain" in own.columns
                else np.empty(0),
                first=row.get("first"),
                transfers=transfers[:, 1],
                starts=transfers[:, 0],
            )
        )
    trips = column(bins, "rtt_us", 1 / _US)
    if "rtt_min_us" in bins.columns:
        least, most = (column(bins, f"rtt_{end}_us", 1 / _US) for end in ("min", "max"))
    else:
        least = trips - column(bins, "rtt_below_us", 1 / _US)
        most = trips + column(bins, "rtt_above_us", 1 / _US)
    path = RecordedPath(
        time=bin_times(bins.height),
        queue=column(bins, "queue"),
        rtt=trips,
        rtt_min=least,
        rtt_max=most,
        values=np.array(about["rtt_us"]) / _US
        if "rtt_us" in about
        else np.exp(np.cumsum(about["rtt_steps"]) * RESOLUTION),
        counts=np.array(about["rtt_counts"], dtype=np.int64),
    )
    return RecordedRun(about["duration"], about["warmup"], tuple(flows), path, about["conditions"])
