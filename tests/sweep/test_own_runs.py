"""Do processes make runs with the user's code, the same anywhere, again when it changes?"""

import itertools
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ackclock.errors import AlgorithmError
from ackclock.scenario import Scenario
from ackclock.sweeps.design import Design
from ackclock.sweeps.making import make_design
from ackclock.sweeps.running import SweepError, run_design
from ackclock.sweeps.store import Store
from sweep_script import files_of

_numbers = itertools.count()
ALGORITHM = """
import os
import ackclock
from ackclock.cc import Avoidance
from {helper} import SHARE

class Mine(Avoidance):
    def next_cwnd(self, ack, window):
        {trouble}
        return window.cwnd + window.mss * ack.credited / window.cwnd

    def ssthresh(self, event, window):
        return SHARE * window.cwnd

@ackclock.metric(unit="1", of="run")
def process_{helper}(result):
    "The process that made it."
    return os.getpid()

@ackclock.metric(unit="1", of="run", needs=["samples"])
def highest_{helper}(result):
    "The largest cwnd."
    return result.samples.flows["cwnd"].max()
"""


class Own:
    def __init__(self, folder: Path) -> None:
        number = next(_numbers)
        self.folder, self.name, self.helper = (
            folder,
            f"swept_algorithm_{number}",
            f"swept_constant_{number}",
        )
        self.write()

    def write(self, share: float = 0.5, trouble: str = "pass") -> None:
        (self.folder / f"{self.name}.py").write_text(
            ALGORITHM.format(helper=self.helper, trouble=trouble)
        )
        (self.folder / f"{self.helper}.py").write_text(f"SHARE = {share}\n")

    def design(self, *metrics: str) -> Design:
        responses = [
            "utilisation",
            *(f"python:{self.name}:{metric}_{self.helper}" for metric in metrics),
        ]
        data = {
            "duration": "2s",
            "network": {
                "kind": "dumbbell",
                "bottleneck": {"rate": "5Mbit/s", "delay": "5ms", "limit": "10 packets"},
            },
            "flows": [{"cc": f"python:{self.name}:Mine"}],
            "sweep": {
                "replications": 3,
                "responses": responses,
                "axes": [{"flows.cc": [f"python:{self.name}:Mine", "reno"]}],
            },
        }
        return make_design(Scenario.parse(data, str(self.folder / "own.toml")))


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Own]:
    made = Own(tmp_path)
    yield made
    for name in (made.name, made.helper):
        sys.modules.pop(name, None)


@pytest.mark.long
def test_processes_make_them_and_not_this_one(own: Own, tmp_path: Path) -> None:
    report = run_design(
        own.design("process"), Store.open(tmp_path / "store", create=True), workers=2
    )
    processes = {list(row.figures.values())[1] for row in report.rows.values()}
    assert None not in processes
    assert os.getpid() not in processes


@pytest.mark.long
def test_threads_and_processes_keep_the_same_bytes(own: Own, tmp_path: Path) -> None:
    for name in ("threads", "processes"):
        run_design(
            own.design("highest"),
            Store.open(tmp_path / name, create=True),
            executor=name,
            workers=2,
        )
    with ThreadPoolExecutor(2) as executor:
        run_design(
            own.design("highest"), Store.open(tmp_path / "given", create=True), executor=executor
        )
    assert (
        files_of(tmp_path / "threads")
        == files_of(tmp_path / "processes")
        == files_of(tmp_path / "given")
    )


@pytest.mark.long
@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_changed_code_makes_its_own_runs_anew_and_no_others(
    own: Own, tmp_path: Path, executor: str
) -> None:
    store = Store.open(tmp_path / "store", create=True)
    before = run_design(own.design(), store, executor=executor, workers=2)
    own.write(share=0.25)
    after = run_design(own.design(), store, executor=executor, workers=2)
    assert (after.made, after.reused) == (3, 3)
    assert before.rows[0, 0].figures != after.rows[0, 0].figures
    assert before.rows[1, 0] == after.rows[1, 0]
    own.write(share=0.5)
    again = run_design(own.design(), store, executor=executor, workers=2)
    assert (again.made, again.reused) == (0, 6)
    assert again.rows == before.rows


@pytest.mark.long
def test_code_that_changes_while_the_sweep_runs_is_told(own: Own, tmp_path: Path) -> None:
    design = own.design()
    assert design.task(0, 0).code
    own.write(share=0.25)
    with pytest.raises(SweepError, match="not those that the sweep was designed with"):
        run_design(design, Store.open(tmp_path / "store", create=True), workers=1)


@pytest.mark.long
@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_an_error_in_it_names_the_run_and_the_line(own: Own, tmp_path: Path, executor: str) -> None:
    own.write(trouble="raise ValueError('no idea')")
    with pytest.raises(AlgorithmError, match=r"setting 0 .*, seed 1: .*no idea") as caught:
        run_design(
            own.design(), Store.open(tmp_path / "store", create=True), executor=executor, workers=1
        )
    assert f"{own.name}.py" in str(caught.value)


@pytest.mark.long
def test_a_process_that_cannot_live_is_given_up(own: Own, tmp_path: Path) -> None:
    own.write(trouble="os._exit(7)")
    with pytest.raises(
        SweepError,
        match=r"setting 0 .*, seed 1: the process that made it died \(status 7\), 3 times",
    ):
        run_design(own.design(), Store.open(tmp_path / "store", create=True), workers=1)


@pytest.mark.long
def test_what_it_prints_is_no_answer(own: Own, tmp_path: Path) -> None:
    own.write(trouble="print('hello')")
    assert (
        run_design(own.design(), Store.open(tmp_path / "store", create=True), workers=1).made == 6
    )
