"""Section 7.5: paths of high delay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.evaluation.grid import PAYLOAD, dumbbell, flow, packets_of
from ackclock.evaluation.row import Cell, Context, Measure, Row, share_line, time_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]


def _cells(context: Context) -> Sequence[Cell]:
    found = []
    up = {"rate": "4Mbit/s", "limit": "1000ms"}
    paths: tuple[tuple[str, float, float, dict[str, Any]], ...] = (
        ("GEO", 40.0, 600.0, {"reverse": up}),
        (
            "GEO, 0.1 % loss",
            40.0,
            600.0,
            {"reverse": up, "loss": {"kind": "bernoulli", "p": 0.001}},
        ),
        ("terrestrial", 100.0, 300.0, {}),
    )
    for name, rate, rtt, link in paths:
        table = dumbbell(
            rate,
            rtt,
            packets_of(rate, rtt, 1.0),
            [flow()],
            seconds=60.0 if context.quick else 120.0,
            warmup=0.0,
            samples="100ms",
            link_samples=False,
            **link,
        )
        found.append(
            Cell(
                labels={"path": name, "flow": "long"},
                scenario=table,
                responses=(
                    "utilisation",
                    {
                        "name": "reached",
                        "metric": f"rate_reached_time(rate={0.9 * PAYLOAD * rate:.4g}Mbit/s, "
                        f"timescale={2 * rtt:g}ms)",
                    },
                ),
                base_rtt=rtt / 1000.0,
                rate=rate * 1e6,
            )
        )
        found.append(
            Cell(
                labels={"path": name, "flow": "10 MB"},
                scenario=dumbbell(
                    rate,
                    rtt,
                    packets_of(rate, rtt, 1.0),
                    [flow(app={"kind": "file", "size": "10MB"})],
                    seconds=120.0,
                    **link,
                ),
                responses=("fct.mean",),
                base_rtt=rtt / 1000.0,
                rate=rate * 1e6,
            )
        )
    return found


def _is_long(cell: Cell) -> bool:
    return cell.labels["flow"] == "long"


_E32 = Row(
    id="E32",
    section="7.5",
    strength="consider",
    title="Paths of high delay",
    demand="Paths of high delay, such as satellites, should be considered.",
    choice=(
        "A geostationary path of 40 and 4 Mbit/s with 600 ms, without and with 0.1 % random loss, "
        "and 100 Mbit/s with 300 ms; 1 BDP. Utilisation of 120 s from the start, time until the "
        "goodput is 90 % of the rate, and completion time of 10 MB, by rule R1."
    ),
    cells=_cells,
    measures=(
        Measure(
            "utilisation", "1", "utilisation", line=share_line(), more_is_better=True, of=_is_long
        ),
        Measure(
            "time to 90 % of the rate",
            "s",
            "reached",
            line=time_line(),
            of=_is_long,
            worst=lambda cell: cell.duration,
        ),
        Measure(
            "completion time of 10 MB",
            "s",
            "fct.mean",
            line=time_line(),
            of=lambda cell: not _is_long(cell),
            worst=lambda cell: cell.duration,
        ),
    ),
)

ROWS = (_E32,)
