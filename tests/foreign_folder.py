"""A folder of somebody else, with a module that leaves a mark when it is imported."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from ackclock.cli import main

if TYPE_CHECKING:
    from pathlib import Path

DESIGN = """
name = "base"
[sweep]
scenario = "base.toml"
replications = 1
responses = ["goodput"]
axes = [{ "flows.cc" = ["reno"] }]
"""
GOLDEN = """
[[cells]]
name = "tiny"
scenario = "base.toml"
metrics = ["goodput"]
"""

MODULE = '''
"""Leaves a mark beside itself."""

from pathlib import Path

import ackclock as ac

Path(__file__).with_name("mark").write_text("run", encoding="utf-8")


class X(ac.cc.Avoidance):
    implies = {"pacing": "cc"}

    def next_cwnd(self, ack, window):
        return window.cwnd + window.mss * ack.credited / window.cwnd

    def ssthresh(self, event, window):
        return window.cwnd / 2


@ac.metric(unit="s")
def spread(result):
    "A figure."
    return 1.0
'''

SCENARIO = """
duration = "1s"
[network]
kind = "dumbbell"
bottleneck = { rate = "2Mbit/s", delay = "5ms", limit = "9 packets" }
[[flows]]
name = "f"
cc = "python:planted:X"
[record]
samples = "off"
"""


@dataclass(frozen=True)
class Foreign:
    """A folder of somebody else."""

    folder: Path

    @property
    def mark(self) -> Path:
        """The file that is there once the module has been imported."""
        return self.folder / "mark"

    def write(self, name: str, text: str) -> Path:
        """Write a file of the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


def status(*arguments: str) -> object:
    """Run a command in this process; return its exit status."""
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    return stopped.value.code


_MODULES = ("planted", "study", "study_in_study", "my_reno", "gentle")


def forget() -> None:
    """Let the next command import the modules again."""
    for name in [name for name in sys.modules if name.partition(".")[0] in _MODULES]:
        del sys.modules[name]
