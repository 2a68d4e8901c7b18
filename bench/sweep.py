"""Measures the overhead of a sweep and the speed-up by a second worker.

    python bench/sweep.py [ROUNDS]

Both are measured in pairs that take turns, because other load on the machine varies. The overhead
is the processor time of a sweep with one worker, less that of the bare core for the same plans one
after the other in this process. It includes the processor time of child processes. The stores of
all rounds stay until the end: a file system takes longer for new files just after others went.
The speed-up is given twice: by the clock, which other load spoils, and from the workers' times.
The latter are the share of time in which both made runs, and the processor time of runs beside
each other, as a multiple of that of the same runs alone.
"""

import resource
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
    """Return a sweep over one flow's buffer."""
    return make_design(
        Scenario.parse(
            {
                "duration": duration,
                "network": {
                    "kind": "dumbbell",
                    "bottleneck": {"rate": "10Mbit/s", "delay": "30ms", "limit": "1bdp"},
                },
                "flows": [{"cc": "reno"}],
                "sweep": {
                    "replications": replications,
                    "axes": [{"network.bottleneck.limit": ["10 packets", "40 packets"]}],
                },
            }
        )
    )


class Timed(ThreadPoolExecutor):
    """A pool of threads that adds up the wall and processor time of its runs."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.wall = self.processor = 0.0

    def submit(
        self, function: Callable[..., Any], /, *arguments: Any, **named: Any
    ) -> "Future[Any]":
        def timed() -> Any:
            wall, processor = time.perf_counter(), time.thread_time()
            try:
                return function(*arguments, **named)
            finally:
                self.wall += time.perf_counter() - wall
                self.processor += time.thread_time() - processor

        return super().submit(timed)


def processor_time() -> float:
    """Return the processor time of this process and of its finished children, s."""
    mine, theirs = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime


def bare(design: Design) -> float:
    """Return the processor time per run of the core alone, s."""
    plans = [
        design.task(setting, number).plan
        for setting in range(len(design.settings))
        for number in range(design.replications)
    ]
    began = processor_time()
    for plan in plans:
        _core.run(plan)
    return (processor_time() - began) / len(plans)


def swept(design: Design, folder: Path, executor: str) -> tuple[float, float]:
    """Return the processor time and wall time per run of a sweep with one worker, s."""
    store = Store.open(folder / f"{len(list(folder.iterdir()))}", create=True)
    processor, wall = processor_time(), time.perf_counter()
    report = run_design(design, store, executor=executor, workers=1)
    return (processor_time() - processor) / report.made, (time.perf_counter() - wall) / report.made


def paced(design: Design, workers: int) -> tuple[float, float, float]:
    """Run a sweep; return its wall time, s, the workers' busy share and their processor time, s."""
    with tempfile.TemporaryDirectory() as folder, Timed(workers) as executor:
        store = Store.open(Path(folder) / "store", create=True)
        began = time.perf_counter()
        run_design(design, store, executor=executor, workers=workers)
        wall = time.perf_counter() - began
        return wall, executor.wall / (workers * wall), executor.processor


def main(rounds: int) -> None:
    long = design_of("1200s", 20)
    with tempfile.TemporaryDirectory() as stores:
        for executor, duration, count in (
            ("threads", "50s", 50),
            ("threads", "5s", 200),
            # A child's start is a part of the time: more runs share it.
            ("processes", "5s", 500),
        ):
            short = design_of(duration, count)
            swept(short, Path(stores), executor)
            pairs = [(bare(short), *swept(short, Path(stores), executor)) for _ in range(rounds)]
            # The least of each: other load only adds.
            core, processor, wall = (min(times) for times in zip(*pairs, strict=True))
            median = statistics.median(pair[1] - pair[0] for pair in pairs)
            print(
                f"{executor}, runs of {core * 1e3:.1f} ms: {(processor - core) * 1e3:.2f} ms of "
                f"processor time beside each, {(wall - core) * 1e3:.2f} ms by the clock (least of "
                f"{rounds} rounds; median of the pairs {median * 1e3:.2f} ms of processor time)"
            )

    turns = [(paced(long, 1), paced(long, 2)) for _ in range(rounds)]
    run = statistics.median(single[2] for single, _ in turns) / (
        len(long.settings) * long.replications
    )
    clock = statistics.median(single[0] / two[0] for single, two in turns)
    busy = statistics.median(two[1] for _, two in turns)
    dearer = statistics.median(two[2] / single[2] for single, two in turns)
    print(
        f"runs of {run * 1e3:.0f} ms: two workers are {clock:.2f} times as fast by the clock; "
        f"they were busy {busy:.1%} of the time, with runs that took {dearer:.3f} times the "
        f"processor time: {2 * busy / dearer:.2f} times as fast on two idle cores"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
