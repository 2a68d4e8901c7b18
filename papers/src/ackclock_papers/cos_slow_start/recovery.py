"""P1's example: the time that Reno needs to recover from one loss on a fast path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.studies.rules import Agreement
from ackclock.tables.quantities import quantity
from ackclock.tables.table import Table
from ackclock.theory import aimd_recovery_rounds, path_window

if TYPE_CHECKING:
    from ackclock.results import Result
    from ackclock.studies.results import Results

RTT_S = 0.1
PACKET_BYTES = 1500

_TIMES = {7.2e6: "5s", 72e6: "34s", 720e6: "310s"}
RATES = {quantity(rate, "bit/s"): rate for rate in _TIMES}
VARIANTS = {
    name: {
        "network.bottleneck.rate": f"{rate / 1e6:g}Mbit/s",
        "duration": _TIMES[rate],
        "record.samples": "10ms",
    }
    for name, rate in RATES.items()
}


def from_peak(peak: int) -> Agreement:
    """Compare the printed figures with those of a peak window."""

    def pairs(results: Results) -> list[tuple[str, float, float]]:  # noqa: ARG001
        rounds = aimd_recovery_rounds(peak)
        return [("round trips", rounds, 40_000.0), ("minutes", rounds * RTT_S / 60, 70.0)]

    return Agreement(
        f"what a peak of {peak:,} packets gives against the printed 40,000 round trips and 70 "
        "minutes",
        pairs,
        0.05,
        names=("computed", "printed"),
    )


def measured_rounds(run: Result, rate: float) -> tuple[float, float]:
    """Packets gained and round trips needed, in a run that grows linearly to the path's window."""
    flow = run.series[0]
    time, cwnd = flow.time, flow.column("cwnd") / flow.mss
    full = path_window(rate, RTT_S, PACKET_BYTES)
    # Slow start overshoots nothing here; a packet's margin at both ends keeps whole packets and
    # sampling out of it.
    begin, end = (int(np.searchsorted(cwnd, share * full)) for share in (0.5, 0.98))
    begin += 100
    end = min(end, len(cwnd) - 1)
    return float(cwnd[end] - cwnd[begin]), float(time[end] - time[begin]) / flow.base_rtt


def _pairs(results: Results) -> list[tuple[str, float, float]]:
    pairs = []
    for name, run in results.runs["recovery"].items():
        gained, rounds = measured_rounds(run, RATES[name])
        full = path_window(RATES[name], RTT_S, PACKET_BYTES)
        pairs.append((name, full / 2 * rounds / gained, aimd_recovery_rounds(full)))
    return pairs


IN_RUNS = Agreement(
    "round trips from half the path's window to all of it, from the growth in a run, against half "
    "the window",
    _pairs,
    0.03,
    ("recovery",),
)


def table(results: Results) -> Table:
    """Make the table of computed and measured times."""
    rows = [
        (
            "7.2 Gbit/s, printed peak",
            "80,000",
            f"{aimd_recovery_rounds(80_000):,.0f}",
            f"{aimd_recovery_rounds(80_000) * RTT_S / 60:.1f} min",
            "–",
        )
    ]
    full = path_window(7.2e9, RTT_S, PACKET_BYTES)
    rows.append(
        (
            "7.2 Gbit/s, path's window",
            f"{full:,.0f}",
            f"{aimd_recovery_rounds(full):,.0f}",
            f"{aimd_recovery_rounds(full) * RTT_S / 60:.1f} min",
            "–",
        )
    )
    for name, rounds, computed in _pairs(results):
        window = path_window(RATES[name], RTT_S, PACKET_BYTES)
        rows.append(
            (
                name,
                f"{window:,.0f}",
                f"{computed:,.0f}",
                quantity(computed * RTT_S, "s"),
                f"{rounds:,.0f}",
            )
        )
    return Table(
        (
            "rate",
            "peak (packets)",
            "round trips, computed",
            "time, computed",
            "round trips, from a run",
        ),
        rows,
        1,
    )
