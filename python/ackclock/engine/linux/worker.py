"""The child that works on the kernel: ``python -P -m ackclock.engine.linux.worker ARGUMENTS``.

Progress, answer and errors go to standard output, a JSON object per line. ``--measure`` answers
with the most packets/s that the machine carries. ``--random PLAN`` plays random scripts (PLAN is a
JSON file) and answers with their report. With a ``FOLDER`` the process runs plan.json there, writes
the run to FOLDER/run, and answers with its timing and provenance. The parent makes the result: its
libraries take longer to load than most runs, and in a kernel in virtual time many times as long.

Only a process with one thread can enter namespaces, so modules that start threads are imported
afterwards.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock import _core

if TYPE_CHECKING:
    from ackclock.results.provenance import Provenance

__all__ = ["main"]


def _say(**what: Any) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def _allow_open_files() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _ticks() -> tuple[int, int]:
    """Stolen ticks and all ticks of all processors since the machine started."""
    try:
        # proc(5): cpu user nice system idle iowait irq softirq steal.
        words = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()
        ticks = [int(word) for word in words[1:9]]
    except (OSError, ValueError):
        return 0, 0
    return ticks[7], sum(ticks)


def _run(folder: Path) -> None:
    text = (folder / "plan.json").read_text(encoding="utf-8")
    _allow_open_files()
    stolen, ticks = _ticks()
    began = time.perf_counter()
    run = _core.run_linux(text, lambda share: _say(progress=share))
    seconds = time.perf_counter() - began
    stolen_since, ticks_since = (
        now - before for now, before in zip(_ticks(), (stolen, ticks), strict=True)
    )

    assert run.provenance is not None
    (folder / "run").write_bytes(run.to_bytes())
    timing = {
        "setup_seconds": max(seconds - run.end_time, 0.0),
        "run_seconds": run.end_time,
        "events": run.events,
    }
    provenance: Provenance = json.loads(run.provenance)
    provenance["stolen"] = stolen_since / max(ticks_since, 1)
    if json.loads(text).get("links"):
        provenance["links"] = "kernel"
    _say(answer={"timing": timing, "provenance": provenance})


def main(arguments: list[str]) -> int:
    """Work as the arguments say, and return the exit status."""
    try:
        if arguments == ["--measure"]:
            _say(answer=_core.linux_packets_per_second())
        elif arguments[0] == "--random":
            _allow_open_files()
            text = Path(arguments[1]).read_text(encoding="utf-8")
            _say(answer=json.loads(_core.run_random(text, lambda share: _say(progress=share))))
        else:
            _run(Path(arguments[0]))
    except ValueError as error:
        # The scenario asks for something that this machine turns out not to have.
        _say(error=str(error), kind="scenario", key="")
        return 2
    except (OSError, RuntimeError) as error:
        _say(error=str(error), kind="machine")
        return 1
    return 0


if __name__ == "__main__":
    ended = main(sys.argv[1:])
    sys.stdout.flush()
    # Do not wait for threads that still sleep in the kernel.
    os._exit(ended)
