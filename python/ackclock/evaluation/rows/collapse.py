"""Section 5.1.1: protection from congestion collapse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.evaluation.grid import PAYLOAD, bdp_packets, dumbbell, flow, flows_label
from ackclock.evaluation.row import (
    Cell,
    Context,
    Figures,
    Line,
    Measure,
    Row,
    share_line,
    time_line,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]

_RTT_MS = 40.0
_RATE = 10.0
_LOSSES = (1, 2, 5, 10, 20, 30, 50, 70)
_JUDGED = (20, 30, 50)


def _losses(context: Context) -> Sequence[Cell]:
    seconds = 60.0 if context.quick else 120.0
    return [
        Cell(
            labels={"loss": f"{percent} % loss"},
            scenario=dumbbell(
                _RATE,
                _RTT_MS,
                round(4 * bdp_packets(_RATE, _RTT_MS)),
                [flow()],
                seconds=seconds,
                warmup=20.0,
                loss={"kind": "bernoulli", "p": percent / 100.0, "start": "10s"},
            ),
            responses=("sent_packets", "timeouts"),
            base_rtt=_RTT_MS / 1000.0,
            rate=_RATE * 1e6,
            numbers={"loss": percent, "seconds": seconds},
        )
        for percent in (_LOSSES if not context.quick else (2, 10, 20, 50))
    ]


def _packets_per_rtt(figures: Figures, cell: Cell) -> float | None:
    sent = figures["sent_packets"]
    return None if sent is None else sent * cell.base_rtt / cell.numbers["seconds"]


_E01 = Row(
    id="E01",
    section="5.1.1",
    strength="consider",
    title="Response to heavy loss",
    demand="A flow must back off fully, or stop, once the loss rate passes some threshold.",
    choice=(
        "One flow on 10 Mbit/s, 40 ms, a buffer of 4 BDP; random loss begins after 10 s and is "
        "measured from 20 s on. Packets sent per base RTT. A concern is more than 10 times the "
        "worse reference at a loss of 20 to 50 %; other losses are shown. E03 is the row that "
        "decides on collapse."
    ),
    cells=_losses,
    measures=(
        Measure(
            "packets per RTT",
            "packets",
            _packets_per_rtt,
            line=Line(9.0),
            judged=lambda cell: cell.numbers["loss"] in _JUDGED,
        ),
        Measure("timeouts", "1", "timeouts"),
    ),
)

_LENGTHS = (20, 25, 30, 35, 40)


def _dark(context: Context) -> Sequence[Cell]:
    found = []
    for which in ("both ways", "ACKs alone"):
        for length in (20, 30, 40) if context.quick else _LENGTHS:
            end = 20 + length
            dark = {"windows": [["20s", f"{end}s"]], "lossy": True}
            link = {"outages": dark} if which == "both ways" else {"reverse": {"outages": dark}}
            found.append(
                Cell(
                    labels={"dark": which, "length": f"{length} s"},
                    scenario=dumbbell(
                        _RATE,
                        _RTT_MS,
                        round(4 * bdp_packets(_RATE, _RTT_MS)),
                        [flow()],
                        seconds=end + 60.0,
                        samples="10ms",
                        link_samples=False,
                        **link,
                    ),
                    responses=(
                        {"name": "late", "metric": f"sent_between(since=22s, until={end}s)"},
                        {
                            "name": "resume",
                            "metric": f"resume_time(since={end}s, "
                            f"rate={0.8 * PAYLOAD * _RATE:.4g}Mbit/s, timescale=1s)",
                        },
                        {
                            "name": "gap ratio",
                            "metric": f"backoff_gap_ratio(since=20s, until={end}s)",
                        },
                    ),
                    base_rtt=_RTT_MS / 1000.0,
                    rate=_RATE * 1e6,
                )
            )
    return found


_E02 = Row(
    id="E02",
    section="5.1.1",
    sections=("5.2",),
    strength="MUST",
    title="Loss of all feedback",
    demand="The loss of all feedback must lead to backoff.",
    choice=(
        "The link of E01 goes dark after 20 s, for 20 to 40 s, in both directions or for ACKs "
        "alone. Packets sent later than 2 s into the dark: twice the worse reference and 10 "
        "packets. Time from the first packet that gets through until the goodput of 1 s is 80 % "
        "of the rate: half as long again, and 10 RTT or 0.5 s. Gaps between the sends in the dark "
        "are the transport's timer, so their ratio is only shown."
    ),
    cells=_dark,
    measures=(
        Measure("packets later than 2 s into the dark", "packets", "late", line=Line(1.0, 10.0)),
        Measure(
            "time from the first delivery to 80 % of the rate",
            "s",
            "resume",
            line=time_line(),
            worst=lambda _cell: 60.0,
        ),
        Measure("smallest ratio of gaps between sends", "1", "gap ratio", more_is_better=True),
    ),
)


def _many(context: Context) -> Sequence[Cell]:
    return [
        Cell(
            labels={"flows": flows_label(count)},
            scenario=dumbbell(
                1.5,
                100.0,
                20,
                [flow(count=count)],
                seconds=30.0 if context.quick else 60.0,
                warmup=10.0,
            ),
            responses=("useful_share", "loss_rate", "jain_index"),
            base_rtt=0.1,
            rate=1.5e6,
        )
        for count in (100, 200, 400)
    ]


_E03 = Row(
    id="E03",
    section="5.1.1",
    strength="consider",
    title="Congestion collapse",
    demand="The network must do useful work under overload: no congestion collapse.",
    choice=(
        "100, 200 and 400 flows of the subject share 1.5 Mbit/s, 100 ms, 20 packets of buffer. "
        "Payload that arrives in order over payload sent, by rule R1 (10 %, 0.02)."
    ),
    cells=_many,
    measures=(
        Measure("useful share", "1", "useful_share", line=share_line(), more_is_better=True),
        Measure("loss rate", "1", "loss_rate"),
        Measure("Jain's index", "1", "jain_index", more_is_better=True),
    ),
)

ROWS = (_E01, _E02, _E03)
