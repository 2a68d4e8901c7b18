"""Count early exits of BBR from STARTUP at random loss, on the kernel and in the simulator.

    python early_exits.py FOLDER

For CB-F10c of the study congestion-based: 2.5 s of its flows at 1 % and 5 % loss, and those that
have less than 40 Mbit/s in the last second. On the kernel two of each run side by side. Runs that
FOLDER has are read.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
from record_congestion_based import HOME, loss, side_by_side

from ackclock import run
from ackclock.engine.linux import run_on_linux
from ackclock.results import Result
from ackclock.scenario import load

RATES = (0.01, 0.05)
ON_LINUX, IN_THE_SIMULATOR = 22, 400
EARLY = 40e6
"""Goodput, bit/s."""
ORPHANS_S = 100
"""Senders of a run outlive it by so long, with their buffers; many in a row leave the kernel short
of memory for TCP.
"""


def goodputs(result: Result) -> list[float]:
    """Of each flow from 1.5 s to 2.5 s."""
    rates = []
    for flow in result.series:
        delivered = np.interp([1.5, 2.5], flow.time, np.nan_to_num(flow.column("delivered")))
        rates.append(float(8 * np.diff(delivered)[0]))
    return rates


def main(folder: Path) -> None:
    """Run and print."""
    parts = [loss("BBR", p) for p in RATES for _ in range(2)]
    samples: dict[tuple[str, float], list[float]] = {}
    for seed in range(1, ON_LINUX + 1):
        there = folder / f"early-{seed}"
        if not (there / "summary.json").exists():
            run_on_linux(side_by_side(parts, "2ms", seed).replace({"duration": "2.5s"})).write(
                there, plots=False, report=False
            )
            if seed % 10 == 0:
                time.sleep(ORPHANS_S)
        for part, goodput in zip(parts, goodputs(Result.load(there)), strict=True):
            samples.setdefault(("kernel", part.labels["loss"]), []).append(goodput)
    for p in RATES:
        changes = {"duration": "2.5s", "network.bottleneck.loss.p": p, "record.samples": "20ms"}
        for seed in range(1, IN_THE_SIMULATOR + 1):
            samples.setdefault(("simulator", p), []).extend(
                goodputs(run(load(HOME / "loss.toml", changes=changes, seed=seed)))
            )
    for (where, p), rates in samples.items():
        sys.stdout.write(
            f"{where}, {100 * p:g} %: {sum(goodput < EARLY for goodput in rates)} of {len(rates)}\n"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
