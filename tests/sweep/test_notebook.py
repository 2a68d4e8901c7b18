"""Do classes of a notebook compare, sweep and run in a real kernel of Jupyter?"""

import json
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")

pytestmark = [pytest.mark.process, pytest.mark.timeout(300)]

CLASS = """
import ackclock as ac, json
from ackclock.cc import Avoidance

class Gentle(Avoidance):
    def __init__(self, setup, cut=0.25):
        super().__init__(setup)
        self.cut = cut

    def next_cwnd(self, ack, window):
        return window.cwnd + {speed} * window.mss * ack.credited / window.cwnd

    def ssthresh(self, event, window):
        return (1 - self.cut) * window.cwnd
"""
BASE = """
base = ac.dumbbell(
    rate="5Mbit/s", rtt="20ms", buffer="0.3bdp", flows=[ac.flow(Gentle, name="g")], duration="2s"
)
"""
SWEEP = """
runs = ac.sweep(
    base, axes={"cc": [Gentle, "reno"]}, replications=1, responses=["goodput"], store="store"
).runs
print(json.dumps(runs.select("goodput", "key").rows()))
"""
COMPARE = """
found = ac.compare(base, cc=[Gentle, "reno"], executor="processes")
print(json.dumps(found.runs["variant"].to_list()))
"""
PARAMETER = """
runs = ac.sweep(
    base, axes={"flows.g.cc.cut": [0.1, 0.5]}, replications=1, responses=["utilisation"]
).runs
print(json.dumps(runs.select("cut", "utilisation").rows()))
"""


@pytest.mark.long
def test_a_class_of_a_cell_is_swept_compared_and_changed(tmp_path: Path) -> None:
    cells = [CLASS.format(speed=1) + BASE, SWEEP, COMPARE, PARAMETER, SWEEP]
    cells += [CLASS.format(speed=3) + SWEEP]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in cells]
    )
    client = nbclient.NotebookClient(
        notebook,
        timeout=240,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    )
    client.execute()
    swept, compared, varied, again, changed = (
        json.loads(cell.outputs[0]["text"]) for cell in notebook.cells[1:]
    )
    assert swept == again
    # The key of a run holds the class's code: a changed cell runs again, and Reno does not.
    assert changed[0] != swept[0]
    assert changed[1] == swept[1]
    assert compared == ["Gentle", "reno"]
    assert [cut for cut, _ in varied] == [0.1, 0.5]
    assert varied[0][1] > varied[1][1]
