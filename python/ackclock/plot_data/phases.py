"""Phases of a flow over time: slow start, recovery, timeout, and the modes of BBR."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ackclock.catalogue.algorithms import traits
from ackclock.plot_data.series import uses_ssthresh

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from ackclock._core import PhaseNames
    from ackclock.results.result import Result
    from ackclock.results.series import Floats, FlowSeries

__all__ = ["PHASES", "Phase", "flow_phases", "phase_frame"]

SLOW_START = "slow start"
AVOIDANCE = "congestion avoidance"
RECOVERY = "fast recovery"
REDUCTION = "ECN reduction"
TIMEOUT = "timeout"
STARTUP = "STARTUP"
DRAIN = "DRAIN"
PROBE_BW = "PROBE_BW"
PROBE_RTT = "PROBE_RTT"

PHASES: Mapping[str, str] = {
    SLOW_START: "The window grows by the rule of slow start.",
    AVOIDANCE: "The window grows by the rule of congestion avoidance.",
    RECOVERY: "Fast recovery: losses that ACKs told of are repaired (Linux's state Recovery).",
    REDUCTION: "The window shrinks after an ECN mark, without a loss (Linux's state CWR).",
    TIMEOUT: "Segments that a retransmission timeout declared lost are repaired (state Loss).",
    STARTUP: "BBR doubles its rate each round trip until the pipe is full.",
    DRAIN: "BBR drains the queue that STARTUP has made.",
    PROBE_BW: "BBR cycles its rate around the estimated bandwidth.",
    PROBE_RTT: "BBR empties the pipe to measure the propagation delay.",
}
"""Meaning of each phase, by its name."""

_STATES = {"recovery": RECOVERY, "cwr": REDUCTION, "loss": TIMEOUT}
"""Phase of a sender's state. In the other states, open and disorder, the algorithm has its say."""

_USED = ("slow_start", "starting", "pacing_gain")
"""Internals that tell the phase, besides the one that an algorithm's traits name."""

_Names = NDArray[np.object_]


@dataclass(frozen=True)
class Phase:
    """One phase of a flow, from `start` to `end`, s."""

    start: float
    end: float
    name: str


def flow_phases(
    result: Result, flow: FlowSeries, *, detail: bool = False, least: float = 0.0
) -> list[Phase]:
    """Phases of one flow in order of time, as exact as the period of the samples.

    A sample's phase holds until the next sample. Between a connection's end and its next start
    there is no phase, nor for an algorithm that tells none, such as a whole controller of yours.

    Parameters
    ----------
    result
        A run with time series.
    flow
        One of `result.series`. A parallel transfer as a whole has no phase; its subflows have.
    detail
        Whether PROBE_BW is split into "PROBE_BW up", "down", "cruise" and, for `bbr3`, "refill".
    least
        Length below which a phase joins the one before it, s.

    Returns
    -------
    list of Phase
        Names are keys of `PHASES`, and with `detail` those of PROBE_BW's parts.
    """
    if "state" not in flow.columns.columns or flow.columns.height == 0:
        return []
    time = flow.time
    names = _of_algorithm(result, flow, time, detail=detail)
    states = flow.columns["state"].cast(str).to_numpy().astype(object)
    # BBR keeps its mode in recovery; only a timeout interrupts it.
    own = traits(flow.cc)
    is_modal = names[0] in _wholes(own["phases"])
    for state, name in _STATES.items():
        # Tahoe's three duplicate ACKs lead to the state Loss too, and to slow start.
        if (name == TIMEOUT or not is_modal) and not own["slow_starts_after_loss"]:
            names[states == state] = name
    names[np.isnan(flow.column("cwnd"))] = None
    return _intervals(np.append(time, max(flow.end, float(time[-1]))), names, least)


def phase_frame(result: Result, *, detail: bool = False) -> pl.DataFrame:
    """Phases of every recorded flow: columns flow, start (s), end (s), phase.

    Raises
    ------
    ValueError
        If the run recorded no time series.
    """
    import polars as pl

    rows = [
        (flow.name, phase.start, phase.end, phase.name)
        for flow in result.series
        for phase in flow_phases(result, flow, detail=detail)
    ]
    schema = {"flow": pl.String, "start": pl.Float64, "end": pl.Float64, "phase": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _of_algorithm(result: Result, flow: FlowSeries, time: Floats, *, detail: bool) -> _Names:
    """Phase by the algorithm alone at each sample; None where it tells none."""
    phases = traits(flow.cc)["phases"]
    internals = _internals(result, flow, time, None if phases is None else phases["internal"])
    if phases is not None and phases["internal"] in internals:
        names = _named(
            internals[phases["internal"]], phases["names"] if detail else _wholes(phases)
        )
        gain = internals.get("pacing_gain")
        if detail and gain is not None:
            is_probing = names == PROBE_BW
            for part, holds in (("up", gain > 1), ("down", gain < 1), ("cruise", gain == 1)):
                names[is_probing & holds] = f"{PROBE_BW} {part}"
        return names
    is_slow = internals.get("slow_start", internals.get("starting"))
    if is_slow is not None:
        return np.where(is_slow == 1, SLOW_START, AVOIDANCE).astype(object)
    if not uses_ssthresh(flow.cc):
        return np.full(len(time), None, dtype=object)
    ssthresh = np.nan_to_num(flow.column("ssthresh"), nan=np.inf)
    return np.where(flow.column("cwnd") < ssthresh, SLOW_START, AVOIDANCE).astype(object)


def _wholes(phases: PhaseNames | None) -> list[str]:
    """Names of an algorithm's phases without their parts."""
    return [] if phases is None else [name.split()[0] for name in phases["names"]]


def _named(codes: Floats, names: Sequence[str]) -> _Names:
    phases: _Names = np.array(
        [None if np.isnan(code) else names[int(code)] for code in codes], dtype=object
    )
    return phases


def _internals(
    result: Result, flow: FlowSeries, time: Floats, own: str | None
) -> dict[str, Floats]:
    """Latest value of each used internal at each sample of a flow; NaN before the first."""
    import polars as pl

    rows = result.samples.internals
    if rows.height == 0:
        return {}
    is_used = (pl.col("flow").cast(pl.String) == flow.name) & pl.col("name").cast(pl.String).is_in(
        [*_USED, own]
    )
    parts = rows.filter(is_used).partition_by("name", as_dict=True, maintain_order=True)
    columns: dict[str, Any] = {}
    for (name,), part in parts.items():
        index = np.searchsorted(part["time"].to_numpy(), time, side="right") - 1
        value = part["value"].to_numpy()
        columns[str(name)] = np.where(index >= 0, value[np.maximum(index, 0)], np.nan)
    return columns


def _intervals(edges: Floats, names: _Names, least: float) -> list[Phase]:
    """Join equal neighbours; a phase shorter than `least` joins the one before it."""
    starts = np.flatnonzero(np.append(True, names[1:] != names[:-1]))
    phases: list[Phase] = []
    for first, last in pairwise([*starts.tolist(), len(names)]):
        name, start, end = names[first], float(edges[first]), float(edges[last])
        if name is None or end <= start:
            continue
        previous = phases[-1] if phases and phases[-1].end == start else None
        if previous and (previous.name == name or end - start < least):
            phases[-1] = Phase(previous.start, end, previous.name)
        else:
            phases.append(Phase(start, end, str(name)))
    return phases
