"""Section 5.2: a search for the worst harm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.evaluation.grid import dumbbell, flow, packets_of
from ackclock.evaluation.row import Cell, Context, Measure, Row, harm_line
from ackclock.evaluation.rows.others import share_of_link
from ackclock.runtime.extras import importing

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]

_RATES, _RTTS, _BUFFERS, _LOSSES = (2.0, 200.0), (5.0, 200.0), (0.1, 8.0), (1e-6, 1e-2)


def _between(ends: tuple[float, float], at: float) -> float:
    """A point between two ends, on a logarithmic scale, with two digits."""
    return float(f"{ends[0] * (ends[1] / ends[0]) ** at:.2g}")


def _cells(context: Context) -> Sequence[Cell]:
    with importing("science"):
        from scipy.stats import qmc

    points = qmc.Sobol(4, scramble=False).random_base2(4 if context.quick else 6)
    found = []
    for at, point in enumerate(points):
        rate, rtt, bdp, loss = (
            _between(ends, float(x))
            for ends, x in zip((_RATES, _RTTS, _BUFFERS, _LOSSES), point, strict=True)
        )
        victim = ("reno", "cubic")[at % 2]
        found.append(
            Cell(
                labels={
                    "victim": victim,
                    "path": f"{rate:g} Mbit/s {rtt:g} ms {bdp:g} BDP {100 * loss:.2g} % loss",
                },
                scenario=dumbbell(
                    rate,
                    rtt,
                    packets_of(rate, rtt, bdp),
                    [flow(), flow(victim, name="v")],
                    seconds=30.0,
                    warmup=max(10.0, 0.05 * rtt),
                    loss={"kind": "bernoulli", "p": loss},
                ),
                responses=(
                    {"name": "good v", "metric": "goodput", "flows": "v"},
                    {"name": "good s", "metric": "goodput", "flows": "s"},
                ),
                base_rtt=rtt / 1000.0,
                rate=rate * 1e6,
            )
        )
    return found


_E43 = Row(
    id="E43",
    section="5.2",
    strength="MUST",
    title="Search for the worst harm",
    demand="Harm to others must be looked at, also where nobody thought of looking.",
    choice=(
        "Paths spread evenly over 2 to 200 Mbit/s, 5 to 200 ms, 0.1 to 8 BDP and a random loss of "
        "up to 1 % (a Sobol sequence), one flow beside one of Reno or CUBIC. Informative: the page "
        "names the path on which the victim loses most against the worse reference."
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
        Measure("subject's share of the link", "1", share_of_link("good s"), more_is_better=True),
    ),
    competing=True,
    family="victim",
    informative=True,
)

ROWS = (_E43,)
