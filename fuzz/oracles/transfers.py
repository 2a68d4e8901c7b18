"""Transfers of sessions: times within the run, numbers in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzz.oracles.near import above

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.trial import Trial

__all__ = ["transfer_rows"]

_STALL = 5


def transfer_rows(trial: Trial) -> Iterator[str]:
    """Judge the table of transfers."""
    if not trial.plan["sessions"]:
        return
    rows = {name: np.asarray(values) for name, values in trial.core.transfers().items()}
    if not len(rows["start_time"]):
        return
    end = trial.core.end_time
    start, finish = rows["start_time"], rows["finish_time"]
    if start.min() < 0 or above(float(start.max()), end):
        yield f"transfers begin at {start.min()} to {start.max()} s of {end} s"
    done = np.isfinite(finish)
    if np.isinf(finish).any():
        yield "a transfer ends at infinity"
    if (finish[done] < start[done]).any():
        yield "a transfer ends before it begins"
    if done.any() and above(float(finish[done].max()), end):
        yield f"a transfer ends at {finish[done].max()} s of {end} s"
    if (rows["size"][rows["kind"] != _STALL] < 1).any():
        yield "a transfer of nothing"
    order = np.lexsort((rows["number"], rows["kind"], rows["flow"]))
    keys = np.stack([rows["flow"][order], rows["kind"][order]])
    first = np.append(True, (np.diff(keys) != 0).any(axis=0))
    numbers = rows["number"][order].astype(np.int64)
    expected = (
        np.arange(len(order)) - np.maximum.accumulate(np.where(first, np.arange(len(order)), 0)) + 1
    )
    if trial.counts_all and (numbers != expected).any():
        yield "transfers are not numbered from 1, one after another"
