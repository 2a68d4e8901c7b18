"""The cause of P2's collapse on short paths: BBR with ns-3's inputs, by release and by fault."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ackclock.plot.style import COLOURS, TWO_COLUMNS, new_figure
from ackclock.studies.claim import Verdict
from ackclock.tables.table import Table
from ackclock.views.figure import paper
from ackclock_papers.bbr_latency.legends import legend_beside
from ackclock_papers.bbr_latency.rules import RATE, goodput, internal
from ackclock_papers.builders import rule
from ackclock_papers.drawing import drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ackclock.results import Result
    from ackclock.studies.results import Results, Spot
    from ackclock.views.figure import PaperFigure

COLLAPSED = 0.1 * RATE
"""Goodput below which a flow counts as collapsed, bit/s, here as in P2-F7."""

_SHORT = (8, 4)
_SPECS = {
    "bbr": "bbr",
    "bbr in ns-3.35": "bbr(quirks=ns3.35)",
    "bbr in ns-3.43": "bbr(quirks=ns3.43)",
    "lowlat": "bbr-lowlat",
    "lowlat in ns-3.35": "bbr-lowlat(quirks=ns3.35)",
}
CURVES = {
    f"{name}, {rtt} ms": {"flows.cc": spec, "network.bottleneck.delay": f"{rtt // 2}ms"}
    for rtt in _SHORT
    for name, spec in _SPECS.items()
}
"""Variants that are recorded on short paths."""

_GROUPS = {"ns-3.35", "intervals", "patched in ns-3.35"}
"""Prefixes of the labels of releases, single faults and remedies."""

_ELSEWHERE = {
    4: (("ns-3.37", "12.04", "12.47", "12.51"), ("ns-3.44", "12.04", "24.0", "36.0")),
    8: (("ns-3.37", "12.03", "12.57", "12.61"), ("ns-3.44", "12.03", "23.9", "35.8")),
}
"""MB that ns-3 itself delivered by 10, 20 and 30 s: one flow, 10 Mbit/s, 100 packets of buffer."""


def _by_inputs(results: Results) -> dict[str, list[Spot]]:
    by_input: dict[str, list[Spot]] = {}
    for spot in results.spots("ns3", "goodput"):
        by_input.setdefault(str(spot.labels["inputs"]), []).append(spot)
    return by_input


@rule(
    "runs whose goodput from 12 s on is at most a tenth of the link, counted over seeds, for each "
    "release's faults, each fault alone, and each remedy",
    "ns3",
)
def collapses(results: Results) -> Verdict:
    """Collapsed runs for each kind of inputs, by RTT."""
    parts, figures = [], {}
    by_input = _by_inputs(results)
    for name, spots in by_input.items():
        counts = {
            int(spot.labels["rtt_ms"]): sum(value <= COLLAPSED for value in spot.values.values())
            for spot in spots
        }
        means = {
            int(spot.labels["rtt_ms"]): math.fsum(spot.values.values()) / len(spot.values)
            for spot in spots
            if spot.values
        }
        figures[name] = {"collapsed": counts, "goodput": means}
        places = ", ".join(f"{count} at {rtt} ms" for rtt, count in counts.items() if count)
        parts.append((places, name))
    seeds = max(len(spot.values) for spots in by_input.values() for spot in spots)
    with_some = "; ".join(f"{name} {listing}" for listing, name in parts if listing)
    without = ", ".join(name for listing, name in parts if not listing)
    return Verdict(
        "answered",
        f"of {seeds} runs each these collapse: {with_some or 'none'}; none with {without}.",
        figures,
    )


def draw_inputs(results: Results) -> PaperFigure:
    """Goodputs by inputs, a panel for each RTT."""
    by_input = _by_inputs(results)
    rtts = [spot.labels["rtt_ms"] for spot in next(iter(by_input.values()))]
    with paper():
        figure = new_figure(TWO_COLUMNS, 0.8 + 0.2 * len(by_input))
        every = figure.subplots(1, len(rtts), sharey=True, squeeze=False)[0]
        for panel, axes in enumerate(every):
            for rank, spots in enumerate(by_input.values()):
                _draw_spot(axes, spots[panel], rank)
            axes.set_title(f"RTT {rtts[panel]} ms", loc="left")
            for rank, name in enumerate(by_input):
                if name in _GROUPS:
                    axes.axhline(rank - 0.5, color="#B0B0B0", linewidth=0.6)
            # Room for dots at zero.
            axes.set(xlim=(-0.4, 10.4), xlabel="Goodput (Mbit/s)")
        every[0].set_yticks(range(len(by_input)), list(by_input))
        every[0].invert_yaxis()
        return figure


def _draw_spot(axes: Axes, spot: Spot, rank: int) -> None:
    values = [1e-6 * value for value in spot.values.values()]
    axes.plot(values, [rank] * len(values), color="#B0B0B0", linewidth=0, marker="|", markersize=6)
    if values:
        mean = math.fsum(values) / len(values)
        axes.plot([mean], [rank], color=COLOURS[0], marker="o", markersize=4)


def draw_curves(results: Results) -> PaperFigure:
    """Draw P2-F7 and F12: the rate, and the filter with it."""
    shown = (
        ("bbr", "bbr", 0, "-"),
        ("bbr in ns-3.35", "bbr, ns-3.35's inputs", 5, "-"),
        ("lowlat in ns-3.35", "bbr-lowlat, ns-3.35's inputs", 2, "--"),
    )
    with drawing(TWO_COLUMNS, 3.4, 2, 2, sharex=True, sharey=True) as (figure, grid):
        for column, rtt in enumerate(_SHORT):
            for name, label, colour, line in shown:
                run = results.runs["short-curve"][f"{name}, {rtt} ms"]
                grid[0][column].plot(
                    *goodput(run.series[0], 0.5), color=COLOURS[colour], linestyle=line, label=label
                )
                time, bandwidth = internal(run, "bw")
                grid[1][column].step(
                    time, 1e-6 * bandwidth, where="post", color=COLOURS[colour], linestyle=line
                )
            grid[0][column].set_title(f"RTT {rtt} ms", loc="left")
            grid[1][column].set_xlabel("Time (s)")
        grid[0][0].set(xlim=(0, 30), ylim=(0, 11), ylabel="Goodput (Mbit/s)")
        grid[1][0].set_ylabel("Filter (Mbit/s)")
        legend_beside(figure, grid[0][0])
        return figure


def _delivered_by(run: Result, seconds: float) -> float:
    """MB."""
    flow = run.series[0]
    before = flow.column("delivered")[flow.time <= seconds]
    return 1e-6 * float(before[-1])


def delivered(results: Results) -> Table:
    """Runs of ackclock beside those of ns-3."""
    rows = []
    for rtt in _SHORT:
        ours = {
            name: tuple(
                f"{_delivered_by(results.runs['short-curve'][f'{name}, {rtt} ms'], seconds):.2f}"
                for seconds in (10, 20, 30)
            )
            for name in ("bbr in ns-3.35", "bbr in ns-3.43", "bbr")
        }
        old, new = _ELSEWHERE[rtt]
        for name, figures in (
            (old[0], old[1:]),
            ("ackclock with the inputs of ns-3.35", ours["bbr in ns-3.35"]),
            (new[0], new[1:]),
            ("ackclock with the inputs of ns-3.43", ours["bbr in ns-3.43"]),
            ("ours, as Linux", ours["bbr"]),
        ):
            rows.append((f"{rtt} ms", name, *figures))
    return Table(("RTT", "BBR", "by 10 s (MB)", "by 20 s (MB)", "by 30 s (MB)"), rows, 2)
