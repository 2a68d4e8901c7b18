"""BIC, H-TCP, Illinois, YeAH and Compound on long fast paths: growth after a loss, and queues."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ackclock.theory import (
    aimd_window,
    bic_recovery,
    bic_window,
    compound_recovery,
    compound_window,
    htcp_recovery,
    htcp_window,
)
from single_flow import MSS, PACKET, row, run_alone, window

if TYPE_CHECKING:
    from collections.abc import Callable

RTT = 0.1


@dataclass(frozen=True)
class Recovery:
    """Seconds from the cut after a loss until the window is back, on a path without a queue."""

    cc: str
    left: float
    """The share of the window that a loss leaves."""
    time: Callable[[float], float]
    """From the window at the loss, packets."""
    short_of: float = 0.0
    """Back is so many packets below it."""


# Reno: 3750 packets at one per round trip, 375 s.
@pytest.mark.long
@pytest.mark.parametrize(
    "law",
    [
        # Without the last 8 packets, which take 40 round trips.
        Recovery("bic", 0.8, lambda peak: bic_recovery(peak, peak - 8) * RTT, short_of=8),
        Recovery("htcp", 0.5, lambda peak: htcp_recovery(peak / 2, RTT)),
        Recovery("illinois", 0.875, lambda peak: peak / 8 / 10 * RTT),
        Recovery("yeah", 0.875, lambda _: math.log(8 / 7) / math.log(1.01) * RTT),
        Recovery("compound", 0.5, lambda peak: compound_recovery(peak) * RTT),
    ],
    ids=lambda law: law.cc,
)
def test_after_a_loss_the_window_is_back_in_seconds(law: Recovery) -> None:
    """6 %: growth begins a round trip or two late, of 13 (YeAH) to 110.

    Illinois remembers slow start's queue for five round trips.
    """
    expected = law.time(7700)
    result = run_alone(
        law.cc,
        ssthresh="7500 packets",
        rate="1Gbit/s",
        rtt="100ms",
        duration=f"{2 + 1.2 * expected:.1f}s",
        loss={"kind": "list", "packets": [30_000]},
        transport={"receive_buffer": "1GB"},
        record={"samples": "10ms"},
    )
    assert row(result, link=True)["dropped_packets"] == 1
    seen = window(result)
    end = seen.ends[0]
    peak = result.samples.flows["ssthresh"][-1] / MSS / law.left
    assert peak == pytest.approx(seen.peaks[0], rel=0.01)
    back = end + np.argmax(seen.cwnd[end:] >= peak - law.short_of)
    assert seen.time[back] - seen.time[end] == pytest.approx(law.time(peak), rel=0.06)


# 1 %: RTT_max of the stage before counts with 95 % of the queue, and at once is exceeded by that of
# this stage. Half of the first loss, which does not know the queue.
@pytest.mark.parametrize(
    ("buffer", "left", "utilisation"),
    [("0.25bdp", 0.8, 0.96), ("0.6bdp", 1 / 1.6, 0.98), ("1bdp", 0.5, 0.99)],
)
def test_htcp_cuts_to_what_the_path_holds(buffer: str, left: float, utilisation: float) -> None:
    result = run_alone(
        "htcp",
        ssthresh="300 packets",
        rate="100Mbit/s",
        rtt="40ms",
        buffer=buffer,
        duration="25s",
        warmup="8s",
        record={"samples": "20ms"},
    )
    seen = window(result, since=8.0)
    cuts = seen.troughs / seen.peaks[: len(seen.troughs)]
    assert len(cuts) >= 4
    assert cuts == pytest.approx(left, rel=0.01)
    assert row(result, link=True)["utilisation"] > utilisation


def test_illinois_is_concave() -> None:
    """Illinois regains half of a loss in a tenth of the time.

    Growth goes from 10 to 0.3 packets per round trip as the queue fills.
    """
    result = run_alone(
        "illinois",
        ssthresh="300 packets",
        rate="100Mbit/s",
        rtt="40ms",
        buffer="0.5bdp",
        duration="50s",
        record={"samples": "20ms"},
    )
    seen = window(result)
    assert len(seen.begins) >= 3
    for end, begin in zip(seen.ends, seen.begins[1:], strict=False):
        stage = seen.cwnd[end:begin]
        halfway = np.argmax(stage >= (stage[0] + stage[-1]) / 2) / len(stage)
        assert halfway < 0.1
    # The buffer is full when the loss comes: beta is one half.
    assert seen.troughs / seen.peaks[: len(seen.troughs)] == pytest.approx(0.5, rel=0.01)


def test_yeah_alone_keeps_80_packets_queued_at_most_and_loses_none() -> None:
    result = run_alone(
        "yeah", ssthresh="500 packets", rate="100Mbit/s", rtt="100ms", duration="40s", warmup="10s"
    )
    link = row(result, link=True)
    assert link["dropped_packets"] == 0
    assert link["utilisation"] > 0.93
    # One round trip with 1 % growth more before the queue is seen to be longer, and one until what
    # was given up is gone.
    packets = link["queue_delay_max"] * 100e6 / (8 * PACKET)
    assert 80 < packets < 80 + 0.03 * 930
    assert link["queue_packets_mean"] < 40


def test_compound_with_a_long_queue_is_reno() -> None:
    seen = {}
    for cc in ("reno", "compound"):
        result = run_alone(
            cc,
            ssthresh="300 packets",
            rate="100Mbit/s",
            rtt="40ms",
            duration="50s",
            record={"samples": "20ms"},
        )
        seen[cc] = window(result)
    assert seen["compound"].peaks[-1] == pytest.approx(seen["reno"].peaks[-1], rel=0.01)
    assert seen["compound"].periods[-1] == pytest.approx(seen["reno"].periods[-1], rel=0.02)


def test_the_closed_forms_have_their_limits() -> None:
    # For large windows BIC's search is its straight part.
    assert bic_window(1e-9) == pytest.approx(aimd_window(1e-9, 16, 0.2), rel=0.02)
    # W ~ p^(-1 / (2 - k)), and k = 0 is AIMD(alpha, 1/2).
    assert compound_window(1e-5) / compound_window(1e-4) == pytest.approx(10**0.8)
    assert compound_window(1e-4, k=0) == pytest.approx(aimd_window(1e-4, 0.125))
    # Within a second of a loss H-TCP's rules are those of AIMD(2 (1 - beta), 1 - beta).
    assert htcp_window(1e-2, 0.1, left=0.5) == pytest.approx(aimd_window(1e-2), rel=1e-6)
