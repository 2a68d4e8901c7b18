"""Commands of the documentation, and what each must do with and without the extras."""

from __future__ import annotations

import sys
from typing import NamedTuple

__all__ = ["BARE", "FULL", "Step"]


class Step(NamedTuple):
    """A command and its outcome."""

    arguments: tuple[str, ...]
    status: int = 0
    says: tuple[str, ...] = ()
    """Texts in the output."""
    writes: tuple[str, ...] = ()
    """Files that are there afterwards, below the working folder."""


def _missing(command: str, extra: str) -> Step:
    return Step(tuple(command.split()), 2, (f"pip install 'ackclock[{extra}]'",))


def _step(command: str, *says: str, writes: tuple[str, ...] = ()) -> Step:
    return Step(tuple(command.split()), says=says, writes=writes)


_SWEEP = (
    "sweep scenarios/sweeps/buffer-size.toml --replications 3 --set duration=5s --set warmup=1s"
)
_STUDY = "study cos-slow-start --claim P1-F2 --quick"

BARE = (
    _step("--version", "ackclock"),
    _step("demo", "ackclock open", writes=("runs/demo/report.html",)),
    _step("doctor --no-kernel", "deterministic"),
    _step("new gentle", writes=("gentle/gentle.py",)),
    _step("run gentle/gentle.toml --set duration=20s"),
    _step("examples", "reno-one-flow"),
    _step("examples copy", writes=("scenarios/reno-one-flow.toml", "scenarios/my_reno.py")),
    _step("run scenarios/reno-one-flow.toml", writes=("runs/reno-one-flow/report.html",)),
    _step("run scenarios/cellular.toml --set duration=10s"),
    _step(
        "compare scenarios/your-own.toml --seeds 3 --set duration=10s --set warmup=2s",
        writes=("runs/your-own-comparison/report.html",),
    ),
    _step(_SWEEP, writes=("runs/buffer-size-sweep/report.html",)),
    _step("sweep show runs/buffer-size-sweep"),
    _step("sweep show runs/buffer-size-sweep --kind difference"),
    _step("report runs/reno-one-flow"),
    _step("show runs/reno-one-flow --format csv --table flows", "goodput"),
    _step("open --print", "report.html"),
    _step("live scenarios/reno-one-flow.toml --no-open", writes=("live.html",)),
    _step("runs", "buffer-size"),
    _step("tc scenarios/codel.toml", "codel limit"),
    _step("size --rate 10Mbit/s --rtt 20ms", "packets"),
    _step("standard rrul --duration 10s", "ping"),
    _step("list cc cubic", "cubic"),
    _step("schema", "properties"),
    _step("completion bash", "complete"),
    _step("theory reno_utilisation --buffer-bdp 0.25"),
    _step("study list", "cos-slow-start"),
    _missing(_STUDY, "plots"),
    _missing("plot runs/reno-one-flow", "plots"),
    _missing("sweep show runs/buffer-size-sweep --plot figure.svg", "plots"),
    _missing("evaluate cubic --only E06", "plots"),
    _missing("theory westwood_window --loss-rate 1e-4 --bdp 100 --random true", "science"),
    _missing("video-trace film.mp4", "video"),
    _missing(
        "compare scenarios/cubic-against-reno.toml --dask tcp://127.0.0.1:1 --out runs/dask", "dask"
    ),
    Step(("validate",), 2, ("recorded runs",)),
    *(
        ()
        if sys.platform == "linux"
        else (Step(("linux", "scenarios/reno-one-flow.toml"), 2, ("Linux",)),)
    ),
)
"""With the default packages alone."""

FULL = (
    _step("plot runs/reno-one-flow", writes=("runs/reno-one-flow/plots/overview.svg",)),
    _step("sweep show runs/buffer-size-sweep --plot figure.svg", writes=("figure.svg",)),
    _step("theory westwood_window --loss-rate 1e-4 --bdp 100 --random true"),
    _step(_STUDY, writes=("runs/studies/parts/index.html",)),
)
"""With the extras `plots` and `science`."""
