"""`ackclock evaluate`, as a user calls it."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from ackclock.cli import main
from ackclock.cli.progress import Meter
from virtual_kernels import keep, played

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.sweeps import Progress

Call = Callable[..., tuple[int, str, str]]

GENTLE = '''
"""Reno that gives up less than half of the window."""

from ackclock.cc import Avoidance


class Gentle(Avoidance):
    """One segment per round trip; congestion takes a quarter.

    Principles: It backs off by less than half, as RFC 8511 allows for ECN.

    Deployment: Senders alone change.
    """

    def next_cwnd(self, ack, window):
        return window.cwnd + window.mss * ack.credited / window.cwnd

    def ssthresh(self, event, window):
        return 0.75 * window.cwnd
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs the command; exit status and both outputs."""

    def run(*words: str, command: str = "evaluate") -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as done:
            main([command, *words])
        return int(done.value.code or 0), *capfd.readouterr()

    return run


def test_a_dossier_is_written_and_no_run_is_made_twice(folder: Path, call: Call) -> None:
    status, out, err = call("bbr", "--only", "E04,E20,E39", "--seeds", "2")
    assert status == 0, err
    assert "E04 Standing" in out
    assert "better" in out
    assert "Rows with a concern: 0 of 2 MUST, 0 of 0 SHOULD, 0 of 1 other." in out
    assert "18 runs made, 0 found" in err
    there = {file.name for file in (folder / "runs/evaluate/bbr").iterdir()}
    assert there == {"index.html", "dossier.json", "dossier.md", "contents.json"}
    before = (folder / "runs/evaluate/bbr/dossier.json").read_bytes()
    _, _, err = call("bbr", "--only", "E04,E20,E39", "--seeds", "2")
    assert "0 runs made, 18 found" in err
    assert (folder / "runs/evaluate/bbr/dossier.json").read_bytes() == before
    # The references' runs serve every subject.
    _, _, err = call("copa", "--only", "E04", "--seeds", "2")
    assert "6 runs made, 12 found" in err


@pytest.mark.long
@pytest.mark.usefixtures("folder")
def test_the_json_has_figures_intervals_and_a_command_for_each_cell(call: Call) -> None:
    status, out, _ = call(
        "bbr", "--only", "E06", "--cell", "2 flows, 0.25 BDP", "--seeds", "3", "--json"
    )
    assert status == 0
    (row,) = json.loads(out)["rows"]
    assert (row["id"], row["section"], row["verdict"]) == ("E06", "5.1.3", "concern")
    cell = row["cells"][0]
    assert cell["measure"] == "drop rate"
    # Hock et al. and RFC 9743 say so: several BBRv1 flows in a shallow buffer.
    assert cell["mean"] > 0.02 > 0.005 > cell["references"]["reno"]["mean"]
    assert cell["difference"]["low"] <= cell["difference"]["mean"] <= cell["difference"]["high"]
    words = shlex.split(cell["command"])
    assert words[:3] == ["ackclock", "evaluate", "bbr"]
    status, again, _ = call(*words[2:], "--json")
    assert json.loads(again)["rows"][0]["cells"] == row["cells"]


@pytest.mark.long
def test_a_class_of_ones_own_is_evaluated_and_answers_for_itself(folder: Path, call: Call) -> None:
    (folder / "gentle.py").write_text(GENTLE)
    status, out, err = call("python:gentle:Gentle", "--only", "E20,E31", "--seeds", "2")
    assert status == 0, err
    assert "answered" in out
    text = (folder / "runs/evaluate/gentle-Gentle/dossier.md").read_text()
    assert "## Section 5.3.1" in text
    assert "Senders alone change." in text
    page = (folder / "runs/evaluate/gentle-Gentle/index.html").read_text()
    assert "as RFC 8511 allows" in page


def test_a_cell_is_a_scenario_for_run(folder: Path, call: Call) -> None:
    status, out, _ = call(
        "copa", "--only", "E12", "--cell", "cubic, 20 Mbit/s, 40 ms, 1 BDP", "--scenario"
    )
    assert status == 0
    assert 'cc = "copa"' in out
    (folder / "cell.toml").write_text(out)
    words = ["cell.toml", "--set", "duration=12s", "--no-report", "--out", "cell"]
    status, _, err = call(*words, command="run")
    assert status == 0, err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bbrr"], "did you mean 'bbr'"),
        (["bbr", "--only", "E99"], "there is no row or section 'E99'"),
        (["bbr", "--only", "9.1"], "there is no row or section '9.1'"),
        (
            ["bbr", "--only", "E06", "--cell", "2 flows, 0.2 BDP"],
            "did you mean '2 flows, 0.25 BDP'",
        ),
        (["bbr", "--cell", "x"], "needs one row to look in"),
        (["bbr", "--scenario"], "--scenario needs --only ROW and --cell ID"),
        (["bbr", "--on", "sim,linnux"], "did you mean 'linux'"),
        (["bbr", "--on", "linux"], "beside the simulator's"),
        (["bbr", "--on", "sim,virtual:mime"], "no kernel 'mime', only mine; did you mean 'mine'"),
        (["bbr", "--on", "sim,virtual", "--only", "E12"], "kernel 'mine' (7.3.4) has reno, cubic"),
        (["bbr", "--against", "reno,cubicc", "--only", "E04"], "did you mean 'cubic'"),
        (["bbr", "--seeds", "1"], "--seeds"),
        (["python:nowhere:Nothing", "--only", "E04"], "nowhere"),
    ],
)
def test_bad_input_gets_one_clear_line_and_writes_nothing(
    folder: Path, call: Call, words: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    keep(folder / "cache", "mine")
    status, out, err = call(*words)
    assert status == 2
    assert said in " ".join(err.split())
    assert out == ""
    assert "Traceback" not in err
    assert not (folder / "runs/evaluate" / words[0]).exists()


@pytest.mark.slow
def test_a_kernel_in_virtual_time_has_a_verdict_beside_the_simulators(
    folder: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    monkeypatch.setattr("ackclock.evaluation.evaluating.KERNEL_RUNS", 2)
    played(folder / "cache", "mine", digest="aa")
    words = ["cubic", "--only", "E12", "--seeds", "2", "--on", "sim,virtual"]
    status, out, err = call(*words, "--json")
    assert status == 0, err
    (row,) = json.loads(out)["rows"]
    ((label, verdict),) = row["kernels"].items()
    assert label == "virtual mine"
    (there,) = {cell["cell"] for cell in verdict["cells"]}
    assert there == "cubic, 20 Mbit/s, 40 ms, 1 BDP"
    page = (folder / "runs/evaluate/cubic/index.html").read_text()
    assert "On virtual mine, with the kernel's own algorithms" in page
    assert "On virtual mine: " in (folder / "runs/evaluate/cubic/dossier.md").read_text()
    assert "0 runs made" in call(*words)[2]


@pytest.mark.usefixtures("folder")
def test_an_interrupted_evaluation_goes_on(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["copa", "--only", "E04", "--seeds", "3", "--workers", "1"]

    def interrupt(_meter: object, now: Progress) -> None:
        if now.finished > 5:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Meter, "show", interrupt)
        status, _, err = call(*words)
    assert status == 130
    assert "the same command goes on from there" in err
    status, _, err = call(*words)
    assert status == 0
    numbers = re.search(r"(\d+) runs made, (\d+) found", err)
    assert numbers is not None
    made, reused = map(int, numbers.groups())
    assert made + reused == 27
    assert reused > 5
