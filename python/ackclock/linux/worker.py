"""The child process that works on the kernel: ``python -P -m ackclock.linux.worker``, then ``--measure``, ``--random`` PLAN or a FOLDER.

It says on standard output what it is about, a JSON object per line. ``--measure`` answers with the most packets/s that the
machine carries. ``--random`` plays random scripts (PLAN is a file of JSON) and answers with their report. With a FOLDER it reads
plan.json, scenario.toml and record.json there, and leaves its results in FOLDER/result. Entering namespaces needs a process of
one thread, so that everything that starts threads is imported afterwards.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock import _core

if TYPE_CHECKING:
    from ackclock.results.conduct import Conduct

__all__ = ["main"]


@dataclass(frozen=True)
class _Record:
    pcap: list[str]


@dataclass(frozen=True)
class _Scenario:
    """What a result wants of its scenario."""

    text: str
    record: _Record

    def to_toml(self) -> str:
        """The scenario as resolved."""
        return self.text


def _say(**what: Any) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def _allow_open_files() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _ticks() -> tuple[int, int]:
    """Of all processors since the machine started: stolen, and all (proc(5): user nice system idle iowait irq softirq steal)."""
    try:
        ticks = [int(word) for word in Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:9]]
    except (OSError, ValueError):
        return 0, 0
    return ticks[7], sum(ticks)


def _run(folder: Path) -> None:
    text = (folder / "plan.json").read_text(encoding="utf-8")
    pcap = json.loads((folder / "record.json").read_text(encoding="utf-8"))["pcap"]
    toml = (folder / "scenario.toml").read_text(encoding="utf-8")
    _allow_open_files()
    stolen, ticks = _ticks()
    began = time.perf_counter()
    run = _core.run_linux(text, lambda share: _say(progress=share))
    seconds = time.perf_counter() - began
    stolen_since, ticks_since = (now - before for now, before in zip(_ticks(), (stolen, ticks), strict=True))

    from ackclock.results import Result

    assert run.conduct is not None
    plan = json.loads(text)["plan"]
    timing = {"setup_seconds": max(seconds - run.end_time, 0.0), "run_seconds": run.end_time, "events": run.events}
    conduct: Conduct = json.loads(run.conduct)
    conduct["stolen"] = stolen_since / max(ticks_since, 1)
    result = Result(_Scenario(toml, _Record(pcap)), plan, run, timing, conducted=conduct)
    result.write(folder / "result", plots=False, report=False)


def main(arguments: list[str]) -> int:
    """Do what the arguments say; the exit status."""
    try:
        if arguments == ["--measure"]:
            _say(answer=_core.linux_packets_per_second())
        elif arguments[0] == "--random":
            _allow_open_files()
            text = Path(arguments[1]).read_text(encoding="utf-8")
            _say(answer=json.loads(_core.run_random(text, lambda share: _say(progress=share))))
        else:
            _run(Path(arguments[0]))
            _say(answer=None)
    except ValueError as error:
        # What the scenario asks for and this machine cannot give, as was found only here.
        _say(error=str(error), kind="scenario", key="")
        return 2
    except (OSError, RuntimeError) as error:
        _say(error=str(error), kind="machine")
        return 1
    return 0


if __name__ == "__main__":
    ended = main(sys.argv[1:])
    sys.stdout.flush()
    # Threads that still sleep in the kernel are of no use any more.
    os._exit(ended)
