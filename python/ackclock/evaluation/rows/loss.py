"""Section 5.1.3: protection from high packet loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.evaluation.grid import (
    PAYLOAD,
    dumbbell,
    flow,
    flows_label,
    milliseconds,
    packets_of,
    plain_number,
)
from ackclock.evaluation.row import Cell, Context, Measure, Row, loss_line, lost_packets_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]

_RATE, _RTT_MS = 50.0, 40.0
_COUNTS = (1, 2, 4, 8, 20, 50)
_BUFFERS = (0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0)


def _shallow(context: Context) -> Sequence[Cell]:
    counts = (1, 2, 8, 50) if context.quick else _COUNTS
    buffers = (0.05, 0.25, 1.0, 2.0) if context.quick else _BUFFERS
    return [
        Cell(
            labels={"flows": flows_label(count), "buffer": f"{plain_number(bdp)} BDP"},
            scenario=dumbbell(
                _RATE,
                _RTT_MS,
                packets_of(_RATE, _RTT_MS, bdp),
                [flow(count=count)],
                seconds=30.0 if context.quick else 60.0,
                warmup=10.0,
            ),
            responses=("drop_rate", "retransmit_rate", "utilisation"),
            base_rtt=_RTT_MS / 1000.0,
            rate=_RATE * 1e6,
        )
        for count in counts
        for bdp in buffers
    ]


_E06 = Row(
    id="E06",
    section="5.1.3",
    strength="consider",
    title="Loss in shallow buffers",
    demand="An algorithm should not cause high loss, such as BBRv1 in buffers below 1.5 BDP.",
    choice=(
        "1 to 50 flows on 50 Mbit/s, 40 ms; buffers of 0.05 to 2 BDP. Packets dropped at the "
        "bottleneck and share of retransmissions: twice the worse reference, and one point."
    ),
    cells=_shallow,
    measures=(
        Measure("drop rate", "1", "drop_rate", line=loss_line()),
        Measure("retransmitted share", "1", "retransmit_rate", line=loss_line()),
        Measure("utilisation", "1", "utilisation", more_is_better=True),
    ),
    kernel=("2 flows, 0.25 BDP",),
    sources=(
        (
            "Several BBRv1 flows lose packets all the time in buffers below about 1.5 BDP (Hock, "
            "Bless & Zitterbart, ICNP 2017; RFC 9743 section 5.1.3 cites it)."
        ),
    ),
)


def _starts(_context: Context) -> Sequence[Cell]:
    found = []
    for rtt in (10.0, 100.0, 300.0):
        for bdp in (0.1, 1.0):
            within = min(10.0, 30.0 * rtt / 1000.0)
            found.append(
                Cell(
                    labels={"RTT": f"{rtt:g} ms", "buffer": f"{plain_number(bdp)} BDP"},
                    scenario=dumbbell(
                        100.0,
                        rtt,
                        packets_of(100.0, rtt, bdp),
                        [flow()],
                        seconds=12.0,
                        samples="10ms",
                        link_samples=False,
                    ),
                    responses=(
                        {"name": "lost", "metric": f"start_lost_packets(within={within:g}s)"},
                        {
                            "name": "reached",
                            "metric": f"rate_reached_time(rate={90 * PAYLOAD:.4g}Mbit/s, "
                            f"timescale={milliseconds(max(100.0, 2.0 * rtt))})",
                        },
                    ),
                    base_rtt=rtt / 1000.0,
                    rate=100e6,
                )
            )
    return found


_E07 = Row(
    id="E07",
    section="5.1.3",
    strength="consider",
    title="Loss in the start",
    demand="The start of a flow should not cause high loss.",
    choice=(
        "One flow on 100 Mbit/s; RTT 10, 100 and 300 ms; buffers of 0.1 and 1 BDP. Packets lost "
        "in the first 30 RTT, at most 10 s: twice the worse reference, and 0.1 BDP or 10 packets. "
        "The time until the goodput is 90 % of the rate is shown."
    ),
    cells=_starts,
    measures=(
        Measure("packets lost in the start", "packets", "lost", line=lost_packets_line()),
        Measure("time to 90 % of the rate", "s", "reached", worst=lambda cell: cell.duration),
    ),
)

ROWS = (_E06, _E07)
