"""Runs made by hand, whose figures are known: for tests of validation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ackclock.metrics.recorded_run import STEP, RecordedFlow, RecordedPath, RecordedRun, bin_times

MSS = 1448
RATE = 9.6e6


def flow_of(**changes: Any) -> RecordedFlow:
    """A flow of `RATE` for 40 s; its window goes from 50 to 100 packets in 5 s again and again.

    Each recovery takes 0.1 s.
    """
    time = changes.pop("time", STEP * np.arange(4001))
    phase = time % 5.0
    nothing = np.full(len(time), np.nan)
    made = RecordedFlow(
        name="f",
        cc="reno",
        mss=MSS,
        start=0.0,
        fct=None,
        is_file=False,
        time=time,
        cwnd=50.0 + 10.0 * phase,
        ssthresh=np.where(time < 1.0, np.inf, 50.0),
        acked=RATE / 8 * time,
        retransmitted=np.floor(time / 5.0) * 2,
        state=np.where((phase < 0.1 - 1e-9) & (time >= 5.0), 3, 0),
        gain=nothing,
        bandwidth=nothing,
        drops=np.sort(
            np.concatenate([np.arange(5.0, 40.0, 5.0) - 0.10, np.arange(5.0, 40.0, 5.0) - 0.05])
        ),
    )
    return replace(made, **changes)


def bbr_of(**changes: Any) -> RecordedFlow:
    """BBR with cycles of 0.5 s (0.1 up, 0.1 down), STARTUP for 1 s, PROBE_RTT at 10 s for 0.3 s."""
    time = STEP * np.arange(4001)
    phase = (time + 1e-9) % 0.5
    gain = np.select([phase < 0.1, phase < 0.2], [1.25, 0.75], 1.0)
    dip = (time >= 10.0 - 1e-9) & (time < 10.3 - 1e-9)
    gain = np.select([time < 1.0 - 1e-9, time < 1.2 - 1e-9, dip], [739 / 256, 88 / 256, 1.0], gain)
    return flow_of(
        **{
            "cc": "bbr",
            "cwnd": np.where(dip, 4.0, 100.0),
            "gain": gain,
            "bandwidth": np.full(len(time), 9.5e6),
            "state": np.zeros(len(time), dtype=np.int64),
            "retransmitted": np.zeros(len(time)),
            "drops": np.empty(0),
            **changes,
        }
    )


def run_of(*flows: RecordedFlow, **changes: Any) -> RecordedRun:
    """40 s, steady from 10 s on; 20 packets queued; nine packets of ten have 80 ms, one 120 ms."""
    time = bin_times(4000)
    shape = np.full(len(time), 0.084)
    path = RecordedPath(
        time=time,
        queue=np.full(len(time), 20.0),
        rtt=shape,
        rtt_min=np.full(len(time), 0.080),
        rtt_max=np.full(len(time), 0.120),
        values=np.array([0.080, 0.120]),
        counts=np.array([900, 100]),
    )
    return replace(RecordedRun(40.0, 10.0, flows or (flow_of(),), path), **changes)
