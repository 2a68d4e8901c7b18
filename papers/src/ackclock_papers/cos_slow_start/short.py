"""Round trips of short transfers, by formula and from runs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, TWO_COLUMNS
from ackclock.plot.sweep.labels import ink
from ackclock.studies.claim import Verdict
from ackclock.studies.weighing import counted
from ackclock.tables.quantities import significant
from ackclock.theory import cos_window, slow_start_rounds, slow_start_transfer_rounds
from ackclock_papers.cos_slow_start.curves import NAMES
from ackclock_papers.drawing import drawing

if TYPE_CHECKING:
    from ackclock.results import Result
    from ackclock.studies.results import Results
    from ackclock.theory.slow_starts import Start
    from ackclock.views.figure import PaperFigure

POWERS = tuple(2**n for n in range(4, 14))
"""Below 16 packets no transfer of two ends in the first half."""
STARTS: dict[str, Start] = {"doubling": "doubling", "COS": "cos"}
MEASURED = {64: (2, 3, 5, 10, 20, 50), 256: (2, 5, 10, 20, 50, 100), 1024: (2, 5, 10, 50, 100, 300)}
"""Sizes in packets of the transfers looked at, by ssthresh."""


def first_half(ssthresh: float) -> int:
    """Packets that COS sends within the first L/2 round trips."""
    rounds = math.floor(slow_start_rounds(ssthresh) / 2 + 1e-9)
    return int(sum(cos_window(x, ssthresh) for x in range(rounds)))


def round_trips(ssthresh: int, name: str) -> list[int]:
    """Return the round trips of transfers of 2, 3, ... packets, up to those of the first half."""
    sizes = range(2, first_half(ssthresh) + 1)
    return [slow_start_transfer_rounds(size, ssthresh, STARTS[name]) for size in sizes]


def judge_rounds(results: Results) -> Verdict:  # noqa: ARG001
    """Judge by formula."""
    fewer, passed = {}, 0
    for s in POWERS:
        cos, doubling = (np.array(round_trips(s, name)) for name in ("COS", "doubling"))
        fewer[s] = float(np.mean(doubling - cos)) if len(cos) else 0.0
        passed += bool(len(cos) and (cos <= doubling).all() and fewer[s] > 0)
    rounds = ", ".join(f"{significant(fewer[s], 2)} at ssthresh {s:,}" for s in (64, 1024))
    sentence = (
        f"The claim holds at {passed} of {len(POWERS)} ssthreshes; round trips fewer in the mean: "
        f"{rounds}."
    )
    return Verdict(
        counted(passed, len(POWERS)),
        sentence,
        {"fewer": {str(s): pair for s, pair in fewer.items()}},
    )


def taken(run: Result, packets: int) -> float:
    """Round trips after the handshake until a run's only flow has `size` packets acknowledged."""
    flow = run.series[0]
    acked = flow.column("acked") / flow.mss
    at = int(np.searchsorted(acked, packets - 1e-9))
    return float(math.ceil(flow.time[at] / flow.base_rtt - 1 - 0.01))


def measured(results: Results) -> list[tuple[str, float, float]]:
    """Round trips of the first packets of a run, and by formula."""
    rounds = []
    for s, sizes in MEASURED.items():
        for name, start in STARTS.items():
            run = results.runs["growth"][f"{name}, {s}"]
            for size in sizes:
                computed = slow_start_transfer_rounds(size, s, start)
                rounds.append(
                    (f"{name}, ssthresh {s:,}, {size} packets", taken(run, size), float(computed))
                )
    return rounds


def draw_round_trips(results: Results) -> PaperFigure:
    """Draw P1-S1."""
    assert set(STARTS) == set(NAMES)
    with drawing(TWO_COLUMNS, 2.4, 1, 2, sharey=True) as (figure, every):
        for axes, s in zip(every, (64, 1024), strict=True):
            sizes = np.arange(1, 2 * s)
            for rank, (name, start) in enumerate(STARTS.items()):
                rounds = [slow_start_transfer_rounds(int(size), s, start) for size in sizes]
                axes.step(
                    sizes,
                    rounds,
                    where="mid",
                    color=COLOURS[rank],
                    linestyle="-" if rank == 0 else (0, (5, 1.5)),
                )
                run = results.runs["growth"][f"{name}, {s}"]
                marks = [taken(run, size) for size in MEASURED[s]]
                axes.plot(
                    MEASURED[s],
                    marks,
                    linestyle="",
                    marker="os"[rank],
                    markersize=3.5,
                    color=COLOURS[rank],
                )
                axes.annotate(
                    name,
                    (sizes[-1], rounds[-1] + (0.25 if rank == 0 else -0.6)),
                    color=ink(COLOURS[rank]),
                    ha="right",
                    fontsize=7.5,
                )
            axes.axvline(first_half(s), color="#B0B0B0", linewidth=0.8, linestyle=(0, (1, 1)))
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter(lambda value, _: f"{value:,g}")
            axes.set_title(f"ssthresh {s:,} packets")
            axes.set(xlabel="Transfer (packets)", ylim=(0, 12))
        every[0].set_ylabel("Round trips")
        return figure
