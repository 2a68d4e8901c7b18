"""Section 7.8: transient events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.evaluation.grid import PAYLOAD, dumbbell, flow, packets_of, plain_number
from ackclock.evaluation.row import (
    Cell,
    Context,
    Line,
    Measure,
    Row,
    loss_line,
    lost_packets_line,
    time_line,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]

_RATE = 100.0
_STREAM = 75.0


def _cbr(name: str, rate: float, **times: str) -> dict[str, Any]:
    return {
        "name": name,
        "app": {"kind": "cbr", "rate": f"{rate:g}Mbit/s", "packet": "1400 bytes"},
        **times,
    }


def _steps(context: Context) -> Sequence[Cell]:
    since = 20 if context.quick else 40
    seconds = since + (30 if context.quick else 60)
    left = _RATE - _STREAM
    streams = {
        "75 to 0 Mbit/s": ([_cbr("udp", _STREAM, stop=f"{since}s")], _RATE),
        "0 to 75 Mbit/s": ([_cbr("udp", _STREAM, start=f"{since}s")], left),
        "30 steps of 2.5 Mbit/s": (
            [_cbr(f"udp{at}", 2.5, start=f"{since + at}s") for at in range(30)],
            left,
        ),
    }
    found = []
    for name, (udp, share) in streams.items():
        settled = since + (30 if "steps" in name else 0)
        wanted = 0.8 * PAYLOAD * share
        found.append(
            Cell(
                labels={"cross traffic": name},
                scenario=dumbbell(
                    _RATE,
                    100.0,
                    1024,
                    [flow(), *udp],
                    seconds=max(seconds, settled + 30),
                    samples="50ms",
                ),
                responses=(
                    {
                        "name": "reached",
                        "metric": f"rate_reached_time(since={settled}s, rate={wanted:.4g}Mbit/s, "
                        "timescale=1s)@s",
                    },
                    {
                        "name": "lost",
                        "metric": f"dropped_between(since={since}s, until={since + 2}s)",
                    },
                    {
                        "name": "lost late",
                        "metric": f"dropped_between(since={since + 2}s, until={settled + 30}s)",
                    },
                ),
                base_rtt=0.1,
                rate=_RATE * 1e6,
            )
        )
    return found


_E36 = Row(
    id="E36",
    section="7.8",
    strength="SHOULD",
    title="Steps of cross traffic",
    demand="Transient events should be looked at.",
    choice=(
        "tcpeval's transients (draft-irtf-iccrg-tcpeval-01): one flow on 100 Mbit/s, "
        "100 ms, 1024 packets; a UDP stream of 75 Mbit/s ends or begins, or 30 streams of 2.5 "
        "Mbit/s begin one a second. Time until the goodput of 1 s is 80 % of the new share: half "
        "as long again, and 10 RTT. Packets dropped in the 20 RTT after the step: twice, and 0.1 "
        "BDP."
    ),
    cells=_steps,
    measures=(
        Measure(
            "time to 80 % of the new share",
            "s",
            "reached",
            line=time_line(),
            worst=lambda _cell: 30.0,
        ),
        Measure("packets dropped in the next 20 RTT", "packets", "lost", line=lost_packets_line()),
        Measure("packets dropped later", "packets", "lost late"),
    ),
)


def _outages(context: Context) -> Sequence[Cell]:
    found = []
    for length in (0.2, 5.0) if context.quick else (0.2, 1.0, 5.0, 30.0):
        for fate in ("kept", "lost"):
            end = 20.0 + length
            wanted = 0.8 * PAYLOAD * 20.0
            found.append(
                Cell(
                    labels={"outage": f"{plain_number(length)} s", "queue": f"queue {fate}"},
                    scenario=dumbbell(
                        20.0,
                        40.0,
                        packets_of(20.0, 40.0, 1.0),
                        [flow()],
                        seconds=end + (40.0 if length < 10.0 else 70.0),
                        samples="10ms",
                        link_samples=False,
                        outages={
                            "windows": [["20s", f"{1000 * end:g}ms"]],
                            "lossy": fate == "lost",
                        },
                    ),
                    responses=(
                        {
                            "name": "reached",
                            "metric": f"resume_time(since={1000 * end:g}ms, "
                            f"rate={wanted:.4g}Mbit/s, timescale=500ms)",
                        },
                        "needless_retransmit_rate",
                    ),
                    base_rtt=0.04,
                    rate=20e6,
                )
            )
    return found


_E37 = Row(
    id="E37",
    section="7.8",
    strength="SHOULD",
    title="Outages",
    demand="Short outages of the path should be looked at.",
    choice=(
        "One flow on 20 Mbit/s, 40 ms, 1 BDP; the link goes down after 20 s, for 0.2 to 30 s; the "
        "queue is kept or lost. Time from the first delivery after the outage until the goodput of "
        "0.5 s is 80 % of the rate: half as long again, and 10 RTT or 0.5 s. Retransmissions of "
        "data that had arrived: by rule R1."
    ),
    cells=_outages,
    measures=(
        Measure(
            "time from the first delivery to 80 % of the rate",
            "s",
            "reached",
            line=time_line(),
            worst=lambda _cell: 40.0,
        ),
        Measure("needless retransmissions", "1", "needless_retransmit_rate", line=loss_line()),
    ),
)

_WRITES: dict[str, tuple[int, list[list[str]]]] = {
    "limited to 10 %": (
        30,
        [*([f"{20 * at}ms", "5000 bytes"] for at in range(1500)), ["30s", "40MB"]],
    ),
    "idle": (20, [["0s", "12MB"], ["20s", "40MB"]]),
}
_START_S = 0.5
"""The flow starts here, not at random: the windows after an event count from its own clock."""


def _bursts(_context: Context) -> Sequence[Cell]:
    found = []
    for name, (event, writes) in _WRITES.items():
        for bdp in (0.25, 1.0):
            since = f"{1000 * (event + _START_S):g}ms"
            found.append(
                Cell(
                    labels={"before": name, "buffer": f"{plain_number(bdp)} BDP"},
                    scenario=dumbbell(
                        20.0,
                        40.0,
                        packets_of(20.0, 40.0, bdp),
                        [
                            flow(
                                start=f"{_START_S:g}s",
                                access={"delay": "uniform(0ms, 0.5ms)"},
                                app={"kind": "writes", "writes": writes},
                            )
                        ],
                        seconds=event + 20.0,
                        samples="5ms",
                    ),
                    responses=(
                        {
                            "name": "lost",
                            "metric": f"lost_between(since={since}, "
                            f"until={1000 * (event + _START_S) + 200:g}ms)",
                        },
                        {"name": "burst", "metric": f"burst_packets(since={since}, within=200ms)"},
                        {"name": "window", "metric": f"cwnd_over_used(at={since}, within=1s)"},
                    ),
                    base_rtt=0.04,
                    rate=20e6,
                )
            )
    return found


def _burst_line() -> Line:
    def floor(cell: Cell) -> float:
        """0.25 BDP."""
        return 0.25 * cell.rate * cell.base_rtt / 12000.0

    return Line(0.5, floor)


_E42 = Row(
    id="E42",
    section="7.8",
    sections=("5.1.1",),
    strength="SHOULD",
    title="Idle or limited by the application, then bulk",
    demand="A flow that did not use its window should not send it at once.",
    choice=(
        "One flow on 20 Mbit/s, 40 ms, 0.25 and 1 BDP. The application writes 10 % of the rate for "
        "30 s, or nothing for 10 s and more, then 40 MB. Largest queue in the next 5 RTT: by half, "
        "and 0.25 BDP. Packets lost in them: twice, and 0.1 BDP. Window over the largest inflight "
        "of the second before: twice (BBR's cases 2, 7 and 22)."
    ),
    cells=_bursts,
    measures=(
        Measure("packets lost in 5 RTT", "packets", "lost", line=lost_packets_line()),
        Measure("largest queue in 5 RTT", "packets", "burst", line=_burst_line()),
        Measure(
            "window over inflight",
            "1",
            "window",
            line=Line(1.0, 1.0),
            of=lambda cell: cell.labels["before"] != "idle",
        ),
    ),
)

ROWS = (_E36, _E37, _E42)
