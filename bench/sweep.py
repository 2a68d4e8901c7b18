"""What a sweep costs besides its runs, and what a second worker gains: python bench/sweep.py [ROUNDS].

Both are measured in pairs that take turns, because a machine is seldom ours alone. The overhead is processor time: of a sweep with one
worker, less that of the same plans run one after another by the bare core. The speed-up is given twice: by the clock, which others' load
spoils, and as what the workers' times say of it: how much of the time both were making runs, and how much more processor time the same runs
took beside each other.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ackclock import _core
from ackclock.scenario import Scenario
from ackclock.sweeps.design import Design
from ackclock.sweeps.making import make_design
from ackclock.sweeps.running import run_design
from ackclock.sweeps.store import Store


def design_of(duration: str, replications: int) -> Design:
    """A sweep over one flow's buffer."""
    return make_design(
        Scenario.parse(
            {
                "duration": duration,
                "network": {"kind": "dumbbell", "bottleneck": {"rate": "10Mbit/s", "delay": "30ms", "limit": "1bdp"}},
                "flows": [{"cc": "reno"}],
                "sweep": {"replications": replications, "axes": [{"network.bottleneck.limit": ["10 packets", "40 packets"]}]},
            }
        )
    )


class Timed(ThreadPoolExecutor):
    """Threads that note how long they made runs."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.wall = self.processor = 0.0

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> "Future[Any]":
        def timed() -> Any:
            wall, processor = time.perf_counter(), time.thread_time()
            try:
                return function(*arguments, **named)
            finally:
                self.wall += time.perf_counter() - wall
                self.processor += time.thread_time() - processor

        return super().submit(timed)


def bare(design: Design) -> float:
    """Processor time per run of the core alone, s."""
    plans = [design.task(setting, number).plan for setting in range(len(design.settings)) for number in range(design.replications)]
    began = time.process_time()
    for plan in plans:
        _core.run(plan)
    return (time.process_time() - began) / len(plans)


def swept(design: Design) -> tuple[float, float]:
    """Processor time and wall time per run of a sweep with one worker, s."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder) / "store", create=True)
        processor, wall = time.process_time(), time.perf_counter()
        report = run_design(design, store, executor="threads", workers=1)
        return (time.process_time() - processor) / report.made, (time.perf_counter() - wall) / report.made


def paced(design: Design, workers: int) -> tuple[float, float, float]:
    """Wall time of a sweep, s; share of it that the workers made runs; processor time that these took, s."""
    with tempfile.TemporaryDirectory() as folder, Timed(workers) as executor:
        store = Store.open(Path(folder) / "store", create=True)
        began = time.perf_counter()
        run_design(design, store, executor=executor, workers=workers)
        wall = time.perf_counter() - began
        return wall, executor.wall / (workers * wall), executor.processor


def main(rounds: int) -> None:
    short, long = design_of("24s", 50), design_of("500s", 8)
    swept(short)
    pairs = [(bare(short), *swept(short)) for _ in range(rounds)]
    core = statistics.median(core for core, _, _ in pairs)
    over = statistics.median(processor - core for core, processor, _ in pairs)
    print(f"runs of {core * 1e3:.1f} ms: {over * 1e3:.2f} ms of processor time beside each (medians of {rounds} pairs)")

    turns = [(paced(long, 1), paced(long, 2)) for _ in range(rounds)]
    run = statistics.median(one[2] for one, _ in turns) / 16
    clock = statistics.median(one[0] / two[0] for one, two in turns)
    busy = statistics.median(two[1] for _, two in turns)
    dearer = statistics.median(two[2] / one[2] for one, two in turns)
    print(
        f"runs of {run * 1e3:.0f} ms: two workers are {clock:.2f} times as fast by the clock; they were busy {busy:.1%} of the time, with "
        f"runs that took {dearer:.3f} times the processor time: {2 * busy / dearer:.2f} times on two cores of one's own"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
