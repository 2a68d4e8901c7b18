"""Section 7.9: sudden changes of the path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.evaluation.grid import PAYLOAD, dumbbell, flow, packets_of
from ackclock.evaluation.row import (
    Cell,
    Context,
    Measure,
    Row,
    lost_packets_line,
    queue_delay_line,
    time_line,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]

_AT = 30
_AFTER = 30


def _cell(
    name: str, rate: float, rtt: float, after_rate: float, after_rtt: float, link: dict[str, Any]
) -> Cell:
    window = f"since={_AT}s, until={1000 * _AT + 20 * after_rtt:g}ms"
    scale = max(100.0, 2.0 * after_rtt)
    table = dumbbell(
        rate,
        rtt,
        packets_of(20.0, 40.0, 1.0) if rate == after_rate else packets_of(40.0, 40.0, 1.0),
        [flow()],
        seconds=float(_AT + _AFTER),
        samples="10ms",
    )
    table["network"]["bottleneck"].update(link)
    return Cell(
        labels={"change": name},
        scenario=table,
        responses=(
            {"name": "queue", "metric": f"queue_delay_between.p95({window})"},
            {"name": "lost", "metric": f"dropped_between({window})"},
            {
                "name": "reached",
                "metric": f"rate_reached_time(since={_AT}s, "
                f"rate={0.8 * PAYLOAD * after_rate:.4g}Mbit/s, timescale={scale:g}ms)",
            },
        ),
        base_rtt=after_rtt / 1000.0,
        rate=after_rate * 1e6,
    )


def _cells(_context: Context) -> Sequence[Cell]:
    at = f"{_AT}s"
    shallow = f"{round(0.25 * packets_of(20.0, 40.0, 1.0))} packets"
    deep = f"{2 * packets_of(20.0, 40.0, 1.0)} packets"
    return [
        _cell(
            "rate x 10",
            4.0,
            40.0,
            40.0,
            40.0,
            {"rate": {"schedule": [["0s", "4Mbit/s"], [at, "40Mbit/s"]]}},
        ),
        _cell(
            "rate / 10",
            40.0,
            40.0,
            4.0,
            40.0,
            {"rate": {"schedule": [["0s", "40Mbit/s"], [at, "4Mbit/s"]]}},
        ),
        _cell("RTT x 4", 20.0, 40.0, 20.0, 160.0, {"delay_schedule": [[at, "80ms"]]}),
        _cell(
            "RTT / 4", 20.0, 40.0, 20.0, 40.0, {"delay_schedule": [["1ms", "80ms"], [at, "20ms"]]}
        ),
        _cell(
            "buffer x 8",
            20.0,
            40.0,
            20.0,
            40.0,
            {"limit": {"schedule": [["0s", shallow], [at, deep]]}},
        ),
        _cell(
            "buffer / 8",
            20.0,
            40.0,
            20.0,
            40.0,
            {"limit": {"schedule": [["0s", deep], [at, shallow]]}},
        ),
        _cell(
            "RTT / 4 with reordering",
            20.0,
            40.0,
            20.0,
            40.0,
            {"delay_schedule": {"steps": [["1ms", "80ms"], [at, "20ms"]], "reorder": True}},
        ),
    ]


_E38 = Row(
    id="E38",
    section="7.9",
    strength="MUST",
    title="Sudden changes of the path",
    demand="Sudden changes of the path must be looked at.",
    choice=(
        "One flow; after 30 s the rate changes tenfold (4 and 40 Mbit/s), the base RTT or the "
        "buffer changes (20 Mbit/s; 40 and 160 ms; 0.25 and 2 BDP), once so that packets overtake. "
        "In the next 20 RTT: 95th percentile of the queueing delay by half, and max(5 ms, 25 % of "
        "the RTT); packets dropped, twice, and 0.1 BDP. Time until the goodput is 80 % of the new "
        "rate: half as long again, and 10 RTT or 0.5 s."
    ),
    cells=_cells,
    measures=(
        Measure(
            "queueing delay, 95th percentile, next 20 RTT",
            "s",
            "queue",
            line=queue_delay_line(event=True),
        ),
        Measure("packets dropped in the next 20 RTT", "packets", "lost", line=lost_packets_line()),
        Measure(
            "time to 80 % of the new rate",
            "s",
            "reached",
            line=time_line(),
            worst=lambda _cell: float(_AFTER),
        ),
    ),
    kernel=("rate / 10",),
)

ROWS = (_E38,)
