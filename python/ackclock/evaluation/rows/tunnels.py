"""Section 6.2: tunnels and paths that rewrite the ECN field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from ackclock.evaluation.grid import flow, packets_of, plain_number, seconds_of, warmup_of
from ackclock.evaluation.row import (
    Cell,
    Context,
    Measure,
    Row,
    harm_line,
    loss_line,
    queue_delay_line,
    share_line,
)
from ackclock.evaluation.rows.others import share_of_link

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["ROWS"]

_WITHOUT = "without ECN"

_Change: TypeAlias = "Callable[[dict[str, Any]], dict[str, Any]]"


def _seated(algorithm: str) -> _Change:
    """Puts an algorithm without ECN in the subject's seat."""

    def change(table: dict[str, Any]) -> dict[str, Any]:
        for one in table["flows"]:
            if one["name"] == "s":
                one["cc"] = algorithm
        return table

    return change


def _references(context: Context) -> dict[str, _Change]:
    """The subject itself without ECN; Reno and CUBIC where it cannot be without."""
    if context.implies_ecn:
        return {name: _seated(name) for name in ("reno", "cubic")}
    return {_WITHOUT: _seated(context.subject)}


def _cells(context: Context) -> Sequence[Cell]:
    found = []
    for kind in ("bleached", "CE lost", "ECT(1) to ECT(0)"):
        if kind == "ECT(1) to ECT(0)" and context.ecn != "l4s":
            continue
        for rate, rtt, bdp in ((20.0, 40.0, 1.0), (4.0, 40.0, 4.0), (100.0, 10.0, 1.0)):
            flows = [flow(), flow("cubic", name="v")]
            queue = {"kind": "dualpi2"} if context.ecn == "l4s" else {"kind": "codel", "ecn": True}
            last: dict[str, Any] = {
                "rate": f"{rate:g}Mbit/s",
                "delay": f"{rtt / 2.0:g}ms",
                "limit": f"{packets_of(rate, rtt, max(bdp, 1.0))} packets",
                "qdisc": queue,
            }
            # The rewriting stands before the queue, which then sees the changed field; a lost CE
            # is a mark of this queue that a tunnel's end does not copy.
            before: dict[str, Any] = {"rate": "10Gbit/s", "delay": "0.1ms", "limit": "1000 packets"}
            if kind == "bleached":
                before["ecn_rewrite"] = "bleach"
            elif kind == "CE lost":
                last["ecn_rewrite"] = "clear-ce"
            else:
                before["ecn_rewrite"] = "ect1-to-ect0"
            scenario = {
                "duration": f"{warmup_of(rtt) + seconds_of(context, rate, rtt):g}s",
                "warmup": f"{warmup_of(rtt):g}s",
                "network": {"kind": "parking-lot", "bottlenecks": [before, last]},
                "flows": flows,
                "record": {"samples": "off"},
            }
            found.append(
                Cell(
                    labels={
                        "path": kind,
                        "rate": f"{rate:g} Mbit/s",
                        "RTT": f"{rtt:g} ms",
                        "buffer": f"{plain_number(bdp)} BDP",
                    },
                    scenario=scenario,
                    responses=(
                        {"name": "good v", "metric": "goodput", "flows": "v"},
                        {"name": "good s", "metric": "goodput", "flows": "s"},
                        {"name": "loss v", "metric": "loss_rate", "flows": "v"},
                        {"name": "queue", "metric": "queue_delay.p95@bottleneck2"},
                    ),
                    base_rtt=rtt / 1000.0,
                    rate=rate * 1e6,
                    seats=_references(context),
                )
            )
    return found


_E22 = Row(
    id="E22",
    section="6.2",
    sections=("7.1",),
    strength="MUST",
    title="Tunnels and rewritten ECN fields",
    demand="Tunnels must be considered where explicit signals are used.",
    choice=(
        "The subject with ECN beside CUBIC without, behind a marking queue, on a path that "
        "bleaches ECT, whose tunnel loses CE, or that turns ECT(1) into ECT(0). Against the "
        "subject itself without ECN (Reno and CUBIC if it always has ECN): CUBIC's share by rule "
        "R2, its loss, the queueing delay and the subject's own share by rule R1."
    ),
    cells=_cells,
    measures=(
        Measure(
            "victim's share of the link",
            "1",
            share_of_link("good v"),
            line=harm_line(),
            more_is_better=True,
        ),
        Measure("loss rate of the victim", "1", "loss v", line=loss_line()),
        Measure(
            "subject's share of the link",
            "1",
            share_of_link("good s"),
            line=share_line(0.1, 0.1),
            more_is_better=True,
        ),
        Measure("queueing delay, 95th percentile", "s", "queue", line=queue_delay_line(aqm=True)),
    ),
    competing=True,
    references=(_WITHOUT,),
    applies=lambda context: (
        "the subject sets no ECT (evaluate it with --ecn classic to see it with RFC 3168's marks)"
        if context.ecn == "off"
        else None
    ),
)

ROWS = (_E22,)
