"""A small sweep as a process of its own, for tests that kill it.

Takes STORE REPLICATIONS [EXECUTOR [WORKERS [DURATION [ANSWER_S]]]] and says as JSON what it did.
ANSWER_S, in force from the first finished run on: how long Dask's scheduler may be silent.
"""

import json
import subprocess
import sys
from pathlib import Path

from ackclock.scenario import Scenario
from ackclock.sweeps import dask
from ackclock.sweeps.design import Design
from ackclock.sweeps.making import make_design
from ackclock.sweeps.running import Progress, run_design
from ackclock.sweeps.store import Store

SETTINGS = 4


def small_design(
    replications: int, *, duration: str = "100s", file: Path | None = None, **changes: object
) -> Design:
    """Runs of a second in all: a kill between two words of progress, 0.1 s, meets the middle."""
    data = {
        "name": "small",
        "duration": duration,
        "network": {
            "kind": "dumbbell",
            "bottleneck": {"rate": "10Mbit/s", "delay": "5ms", "limit": "20 packets"},
        },
        "flows": [{"cc": "reno", "start": "uniform(0s, 100ms)"}],
        "sweep": {
            "replications": replications,
            "responses": ["utilisation", "queue_delay.p95"],
            "axes": [
                {"network.bottleneck.limit": ["5 packets", "20 packets"]},
                {"flows.cc": ["reno", "cubic"]},
            ],
        },
        **changes,
    }
    return make_design(Scenario.parse(data, None if file is None else str(file)))


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def after_runs(process: subprocess.Popen[str], count: int) -> None:
    """Wait until it says that so many runs are finished."""
    assert process.stdout is not None
    for line in process.stdout:
        said = json.loads(line)
        if said[0] == "progress" and said[1] >= count:
            return
    raise AssertionError("ended before")


def _say(what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def main(
    store: str,
    replications: str,
    executor: str = "threads",
    workers: str = "2",
    duration: str = "100s",
    answer_s: str = "",
) -> None:
    def tell(progress: Progress) -> None:
        if answer_s:
            dask._ANSWER_S = float(answer_s)
        _say(["progress", progress.finished, progress.runs])

    report = run_design(
        small_design(int(replications), duration=duration),
        Store.open(store, create=True),
        executor=executor,
        workers=int(workers),
        progress=tell,
    )
    said = {
        "made": report.made,
        "reused": report.reused,
        "elsewhere": report.elsewhere,
        "damaged": report.redone_damaged,
        "notes": report.notes,
        "rows": [
            [*at, row.key, row.seed, row.digest, dict(row.figures)]
            for at, row in report.rows.items()
        ],
    }
    _say(said)


if __name__ == "__main__":
    main(*sys.argv[1:])
