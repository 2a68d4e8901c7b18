"""A study of a user's own, written to a folder: it runs in a second."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

EXPERIMENT = """
name = "small"
duration = "2s"
network.kind = "dumbbell"
network.bottleneck = { rate = "2Mbit/s", delay = "10ms", limit = "20 packets" }
flows = [{ cc = "reno", start = "uniform(0s, 0.5s)" }]

[sweep]
replications = 3
responses = ["utilisation", { name = "queue", metric = "queue_delay.mean" }]

[[sweep.axes]]
name = "buffer"
"network.bottleneck.limit" = ["5 packets", "40 packets"]
labels = [5, 40]

[[sweep.axes]]
"flows.cc" = ["reno", "vegas"]

[[sweep.axes]]
name = "acks"
"transport.delayed_ack" = [1, 2]
labels = ["each", "second"]
"""

STUDY = """
from pathlib import Path

from ackclock.studies.claim import Claim, Question
from ackclock.studies.criteria import Effect, Level, less
from ackclock.studies.item import Item
from ackclock.studies.reading import Reading
from ackclock.studies.study import Experiment, Figure, Recording, Study

STUDY = Study(
    name="small",
    title="Small",
    paper="Nobody, 2000.",
    bibtex="@article{nobody2000, author = {Nobody}, title = {Nothing}, year = {2000}}",
    summary="A study for tests.",
    folder=Path(__file__).parent,
    experiments=(
        Experiment("small", "small.toml", quick={"replications": 2, "axes": {"buffer": [40]}}),
        Experiment("other", "other.toml"),
    ),
    recordings=(
        Recording("curve", "curve.toml", {"reno": {}, "vegas": {"flows.cc": "vegas"}},
                  quick=("reno",)),
    ),
    readings=(
        Reading("each", "Each packet.", "So it is written.", {"acks": "each"}),
        Reading("second", "Every second one.", "So hosts are.", {"acks": "second"}),
    ),
    claims=(
        Claim("S-1", "Vegas & others keep 5 % | less.", "Figure 1.",
              less("small", "queue", "cc", "vegas", "reno", at={"buffer": 40}), figures=("S-F1",)),
        Claim("S-2", "The other link is busy.", "Figure 2.",
              Level("other", "utilisation", lowest=0.1)),
    ),
    questions=(
        Question("S-Q1", "And busy?", Effect("small", "utilisation", "cc", "vegas", "reno")),
    ),
    figures=(
        Figure("S-F1", "Queues", "",
               lambda results: results.sweeps["small"].plot("queue", x="buffer", by="cc"),
               ("small",)),
    ),
    items=(
        Item("claim", "section 1", "Shorter.",
             ("S-1", "cc:vegas", "metric:utilisation", "qdisc:fifo", "docs:studies.md")),
    ),
    known=(),
)
"""


def write_study(folder: Path, *, old: str = "", new: str = "", name: str = "small.py") -> Path:
    """Write the study and its experiments, `old` in either replaced by `new`; return its file."""
    assert not old or old in STUDY or old in EXPERIMENT
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "small.toml").write_text(
        EXPERIMENT.replace(old, new) if old else EXPERIMENT, encoding="utf-8"
    )
    other = EXPERIMENT.replace('name = "small"', 'name = "other"').partition("[[sweep.axes]]")[0]
    (folder / "other.toml").write_text(other.replace("2Mbit/s", "3Mbit/s"), encoding="utf-8")
    (folder / "curve.toml").write_text(other.partition("[sweep]")[0], encoding="utf-8")
    (folder / name).write_text(STUDY.replace(old, new) if old else STUDY, encoding="utf-8")
    return folder / name


@contextmanager
def working_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work in a folder; modules that are imported from it are forgotten afterwards."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", sys.path[:])
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
            del sys.modules[name]
