"""Section 7.6: misbehaving nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.evaluation.grid import PAYLOAD, dumbbell, flow, packets_of
from ackclock.evaluation.row import Cell, Context, Figures, Line, Measure, Row, share_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]

_RECEIVERS: dict[str, dict[str, Any]] = {
    "divides ACKs by 10": {"ack_division": 10},
    "acknowledges early": {"optimistic_ack": "20 packets"},
    "thins ACKs to every 16th": {"delayed_ack": 16},
    "hides marks": {"hide_marks": True, "ecn": "classic"},
}


_BACK = {"rate": "1Gbit/s", "limit": "1000 packets", "qdisc": "fifo"}
"""The way of the ACKs: at the bottleneck's own rate ten ACKs for one would delay, and so compress,
those of the honest flow, which then loses packets with any sender.
"""


def _receivers(context: Context) -> Sequence[Cell]:
    found = []
    for name, options in _RECEIVERS.items():
        honest: dict[str, Any] = {}
        queue: Any = "fifo"
        if "hide_marks" in options:
            honest = {"ecn": "classic"}
            queue = {"kind": "codel", "ecn": True}
        for bdp in (1.0,) if context.quick else (0.25, 1.0):
            flows = [flow(name="cheat", transport=dict(options)), flow(name="honest")]
            if honest:
                flows[1]["transport"] = honest
            found.append(
                Cell(
                    labels={"receiver": name, "buffer": f"{bdp:g} BDP"},
                    scenario=dumbbell(
                        20.0,
                        40.0,
                        packets_of(20.0, 40.0, bdp),
                        flows,
                        seconds=30.0 if context.quick else 60.0,
                        warmup=10.0,
                        qdisc=queue,
                        reverse=_BACK,
                    ),
                    responses=(
                        {"name": "cheat", "metric": "goodput", "flows": "cheat"},
                        {"name": "honest", "metric": "goodput", "flows": "honest"},
                    ),
                    base_rtt=0.04,
                    rate=20e6,
                    slots=("cheat", "honest"),
                )
            )
    return found


def _gain(figures: Figures, _cell: Cell) -> float | None:
    cheat, honest = figures["cheat"], figures["honest"]
    return None if cheat is None or honest is None else cheat / max(honest, 1000.0)


def _share(name: str) -> Any:
    def share(figures: Figures, cell: Cell) -> float | None:
        value = figures[name]
        return None if value is None else value / (cell.rate * PAYLOAD)

    return share


_E33 = Row(
    id="E33",
    section="7.6",
    strength="SHOULD",
    title="Misbehaving receivers",
    demand="A misbehaving receiver should not gain by misleading the sender.",
    choice=(
        "Two flows of the subject on 20 Mbit/s, 40 ms, with ACKs over 1 Gbit/s; one receiver "
        "divides ACKs, acknowledges early, thins ACKs or hides marks (Savage et al., CCR 29(5), "
        "1999). Its goodput over the honest flow's is more than 1.5 times that of the worse "
        "reference, and by more than 0.5."
    ),
    cells=_receivers,
    measures=(
        Measure("goodput over the honest flow's", "1", _gain, line=Line(0.5, 0.5)),
        Measure("share of the honest flow", "1", _share("honest"), more_is_better=True),
    ),
    competing=True,
)


def _shrew(context: Context) -> Sequence[Cell]:
    found = []
    seconds = 30.0 if context.quick else 60.0
    for period in (0.5, 1.0, 1.5):
        bursts = [
            flow(
                None,
                name=f"burst{at}",
                start=f"{1000 * (5.0 + at * period):g}ms",
                stop=f"{1000 * (5.0 + (at + 0.1) * period):g}ms",
                app={"kind": "cbr", "rate": "10Mbit/s", "packet": "1000 bytes"},
            )
            for at in range(int((seconds + 5.0) / period))
        ]
        found.append(
            Cell(
                labels={"period": f"{period:g} s"},
                scenario=dumbbell(
                    10.0,
                    40.0,
                    packets_of(10.0, 40.0, 1.0),
                    [flow(), *bursts],
                    seconds=seconds,
                    warmup=10.0,
                ),
                responses=({"name": "good s", "metric": "goodput", "flows": "s"},),
                base_rtt=0.04,
                rate=10e6,
            )
        )
    return found


_E34 = Row(
    id="E34",
    section="7.6",
    strength="SHOULD",
    title="Low-rate attacks",
    demand="An attacker should not be able to stop the proposal at little cost.",
    choice=(
        "Bursts at the link's rate of 10 Mbit/s every 0.5, 1 and 1.5 s, 10 % of the time "
        "(Kuzmanovic & Knightly, SIGCOMM 2003), beside one flow; 40 ms, 1 BDP. The goodput that "
        "is left, by rule R1."
    ),
    cells=_shrew,
    measures=(
        Measure(
            "goodput over the link's rate",
            "1",
            _share("good s"),
            line=share_line(),
            more_is_better=True,
        ),
    ),
)

ROWS = (_E33, _E34)
