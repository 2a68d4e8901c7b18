"""Recorded runs that are made up: as much of a `Result` as the rules of studies look at."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import polars as pl

from ackclock.results import Result

Series = Mapping[str, Any]


def flow(
    time: Any, *, name: str = "flow", mss: float = 1000.0, start: float = 0.0, **columns: Any
) -> SimpleNamespace:
    """A flow's time series, by column."""
    frame = pl.DataFrame({"time": np.asarray(time, float), **columns})
    return SimpleNamespace(
        name=name,
        part_of=None,
        mss=mss,
        start=start,
        end=float(np.asarray(time)[-1]),
        time=np.asarray(time, float),
        columns=frame,
        column=lambda wanted: frame[wanted].cast(float).fill_null(float("nan")).to_numpy(),
    )


def run(
    *flows: SimpleNamespace,
    internals: Mapping[str, Series] | None = None,
    queue: tuple[Any, Any] | None = None,
) -> Result:
    """A run: `internals` by flow (`time`, the variables), `queue` (times, packets that wait)."""
    rows: list[pl.DataFrame] = []
    for name, variables in (internals or {}).items():
        for variable, values in variables.items():
            if variable != "time":
                rows.append(
                    pl.DataFrame(
                        {
                            "time": variables["time"],
                            "flow": name,
                            "name": variable,
                            "value": np.asarray(values, float),
                        }
                    )
                )
    waits = queue or ([0.0], [0.0])
    links = pl.DataFrame({"time": waits[0], "link": "bottleneck", "queue_packets": waits[1]})
    ends: Sequence[float] = [series.end for series in flows] or [float(np.asarray(waits[0])[-1])]
    result = SimpleNamespace(
        series=list(flows),
        end_time=max(ends),
        links=pl.DataFrame({"name": ["bottleneck"]}),
        samples=SimpleNamespace(internals=pl.concat(rows) if rows else None, links=links),
    )
    return cast("Result", result)
