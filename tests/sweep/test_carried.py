"""Can a notebook's or script's class or metric be swept, and is a changed one run again?"""

import json
from pathlib import Path

import pytest

from scripts import run_python

CELLS = """
import ackclock as ac

SHARE = {share}

def cut(cwnd):
    return SHARE * cwnd

class Mine:
    def __init__(self, setup, gain=1.0):
        self.cwnd, self.mss, self.gain = setup.initial_window, setup.mss, gain
        self.ssthresh = self.pacing_rate = None

    def on_ack(self, ack):
        self.cwnd += int(self.gain * self.mss)

    def on_congestion(self, event):
        self.cwnd = max(cut(self.cwnd), 2 * self.mss)

@ac.metric(unit="bit/s", of="run")
def doubled(result):
    "Twice the goodput."
    return 2.0 * result.flows["goodput"][0]

base = ac.dumbbell(rate="5Mbit/s", rtt="20ms", flows=[ac.flow("reno")], duration="2s")
runs = ac.sweep(
    base, axes=[{{"flows.cc": [Mine, "reno"]}}], replications=1, responses=["doubled", "goodput"],
    store="store", executor={executor!r}
).runs
import json
print(json.dumps([runs["doubled"].to_list(), runs["goodput"].to_list(), runs["key"].to_list()]))
"""


def swept(
    folder: Path, *, share: float = 0.5, executor: str | None = None, file: str | None = None
) -> list[list[float]]:
    text = CELLS.format(share=share, executor=executor)
    if file is not None:
        (folder / file).write_text(text)
    # From standard input, a module __main__ has no file, as in a notebook.
    ran = run_python(file or "-", input=None if file else text, cwd=folder)
    assert ran.returncode == 0, ran.stderr
    columns: list[list[float]] = json.loads(ran.stdout)
    return columns


@pytest.mark.long
@pytest.mark.parametrize("file", [None, "script.py"])
def test_a_class_and_a_metric_without_a_module_are_swept(tmp_path: Path, file: str | None) -> None:
    doubled, goodput, keys = swept(tmp_path, file=file)
    assert doubled == [2 * rate for rate in goodput]
    assert goodput[0] != goodput[1]
    # Threads and processes make the same runs, and the next session finds them.
    (tmp_path / "threads").mkdir()
    assert swept(tmp_path / "threads", executor="threads", file=file) == [doubled, goodput, keys]
    assert swept(tmp_path, file=file) == [doubled, goodput, keys]


@pytest.mark.long
def test_a_changed_cell_is_run_anew(tmp_path: Path) -> None:
    before, after = swept(tmp_path), swept(tmp_path, share=0.9)
    assert before[2][0] != after[2][0]
    assert before[1][0] != after[1][0]
    # Runs of the algorithm that comes with ackclock differ by nothing but the metric, whose code is
    # as it was.
    assert before[1][1] == after[1][1]
    assert before[2][1] == after[2][1]


COMPARED = """
import ackclock as ac, json

class Mine:
    def __init__(self, setup, gain=1.0):
        self.cwnd, self.mss, self.gain = setup.initial_window, setup.mss, gain
        self.ssthresh = self.pacing_rate = None

    def on_ack(self, ack):
        self.cwnd += int(self.gain * self.mss)

    def on_congestion(self, event):
        self.cwnd = max(self.cwnd // 2, 2 * self.mss)

base = ac.dumbbell(
    rate="5Mbit/s", rtt="20ms", flows=[ac.flow(Mine, name="mine")], duration="2s"
)
compared = ac.compare(base, cc=[Mine, "reno"], executor="processes").runs["variant"].to_list()
swept = ac.sweep(
    base, axes={"flows.mine.cc.gain": [0.1, 1.0]}, replications=1, responses=["lost_packets"]
).runs
print(json.dumps([compared, swept["gain"].to_list(), swept["lost_packets"].to_list()]))
"""


@pytest.mark.long
def test_a_script_compares_its_class_and_varies_its_parameter(tmp_path: Path) -> None:
    ran = run_python("-", input=COMPARED, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    compared, gains, lost = json.loads(ran.stdout)
    assert compared == ["Mine", "reno"]
    assert gains == [0.1, 1.0]
    # A window that grows ten times as fast overflows the buffer by more.
    assert lost[0] < lost[1]
