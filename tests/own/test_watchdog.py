"""A method that does not return is named with its line, and Ctrl-C ends every command in it."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

import ackclock as ac
from ackclock.scenario import watchdog

pytestmark = pytest.mark.process

if TYPE_CHECKING:
    from pathlib import Path

ALGORITHM = """
from ackclock.cc import CongestionControl

class Stuck(CongestionControl):
    def on_ack(self, ack):
        if ack.now > 0.5:
            self.wait()

    def wait(self):
        while True:
            pass

    def on_congestion(self, event):
        pass
"""
SCENARIO = """
name = "stuck"
duration = "10s"
[network]
kind = "dumbbell"
bottleneck = { rate = "10Mbit/s", delay = "10ms" }
[[flows]]
name = "mine"
cc = "python:stuck:Stuck"
[sweep]
replications = 4
[[sweep.axes]]
"network.bottleneck.rate" = ["10Mbit/s", "20Mbit/s"]
"""
# In a process that imports it, the warning comes after a second in place of five.
IMPATIENT = "from ackclock.scenario import watchdog\nwatchdog.PATIENCE_S = 1\n"
# The first warning comes after 5 s, and a loaded machine starts Python in as long.
MOST_S = 60


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "stuck.py").write_text(ALGORITHM, encoding="utf-8")
    (tmp_path / "stuck.toml").write_text(SCENARIO, encoding="utf-8")
    return tmp_path


COMMANDS = [
    ["run", "stuck.toml"],
    ["compare", "stuck.toml", "--seeds", "2"],
    ["sweep", "stuck.toml", "--workers", "2"],
]


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_an_endless_loop_is_named_and_ctrl_c_ends_it(folder: Path, command: list[str]) -> None:
    patience = 5 if command[0] == "run" else 1
    if patience == 1:
        (folder / "stuck.py").write_text(ALGORITHM + IMPATIENT, encoding="utf-8")
    words = [sys.executable, "-m", "ackclock", *command]
    with subprocess.Popen(
        words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        lines: list[str] = []
        assert process.stderr is not None
        alarm = threading.Timer(MOST_S, process.kill)
        alarm.start()
        try:
            for line in process.stderr:
                lines.append(line)
                if "has not returned" in line:
                    break
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            rest = process.stderr.read()
            process.wait(MOST_S)
        finally:
            alarm.cancel()
    said = "".join(lines)
    known = f"warning: Stuck.on_ack has not returned for {patience} s: it is at stuck.py, line 1"
    assert known in said
    assert "in Stuck.wait; Ctrl-C ends the run" in said
    assert process.returncode == 130
    assert "Traceback" not in rest
    # Below a second where nothing else runs.
    assert time.monotonic() - began < 10
    if command[0] == "run":
        assert "flow 'mine': Stuck.on_ack (stuck.py, line 1" in rest


SLOW = """
import time
from ackclock.cc import CongestionControl

class Slow(CongestionControl):
    def on_ack(self, ack):
        time.sleep(0.01)

    def on_congestion(self, event):
        pass
"""


def test_many_short_calls_are_not_one_long_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    monkeypatch.setattr(watchdog, "_LOOK_S", 0.05)
    monkeypatch.setattr(watchdog, "PATIENCE_S", 0.2)
    monkeypatch.syspath_prepend(str(tmp_path))
    scenario = ac.dumbbell(
        rate="1Mbit/s", rtt="20ms", duration="1s", flows=[ac.flow("python:slow:Slow")]
    )
    before = threading.active_count()
    ac.run(scenario)
    assert "has not returned" not in capsys.readouterr().err
    waited = time.monotonic() + MOST_S
    while threading.active_count() > before and time.monotonic() < waited:
        time.sleep(0.01)
    assert threading.active_count() <= before
