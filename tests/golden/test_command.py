"""`ackclock test` from end to end, on short runs."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ackclock as ac
from ackclock.cli import main
from ackclock.golden import running
from ackclock.golden.running import fingerprint

SHORT = """
duration = "4s"
warmup = "1s"
network.kind = "dumbbell"
network.bottleneck = { rate = "5Mbit/s", delay = "10ms", limit = "10 packets" }
flows = [{ name = "f", count = 2, cc = "aimd", start = "uniform(0s, 500ms)" }]
"""
GOLDEN = """
# My comment stays.
seeds = 4
record_seeds = 8

[[cells]]
name = "random"
scenario = "short.toml"
metrics = ["loss_rate", { metric = "utilisation", low = 0.5 }]

[[cells]]
name = "fixed"
scenario = "short.toml"
set = { flows.start = "0s", flows.count = 1 }
seeds = 2
record_seeds = 2
metrics = ["lost_packets"]
exact = true
"""

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "short.toml").write_text(SHORT, encoding="utf-8")
    (tmp_path / "golden.toml").write_text(GOLDEN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as stopped:
        main(["test", "golden.toml", *arguments])
    return stopped.value.code


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_recording_passes_its_test_and_leaves_the_users_file_alone(
    folder: Path, capsys: Capture
) -> None:
    assert status("--record") == 0
    said = capsys.readouterr()
    assert said.out == "2 cells recorded (2 new).\n"
    assert said.err == "10 runs\nRecording: golden.recorded.toml\n"
    assert (folder / "golden.toml").read_text(encoding="utf-8") == GOLDEN
    recorded = tomllib.loads((folder / "golden.recorded.toml").read_text(encoding="utf-8"))
    assert len(recorded["cells"]["random"]["metrics"]["loss_rate"]["values"]) == 8
    assert status() == 0
    said = capsys.readouterr()
    assert re.search("^random +4 of 4 runs as before", said.out, re.M)
    assert said.out.endswith("\n2 cells, 4 checks: 4 ok.\n")
    assert said.err == f"6 runs (6 reused)\nResults: {Path('runs/golden-test')}\n"
    written = {path.name for path in (folder / "runs/golden-test").iterdir()}
    assert written == {"runs", "result.json", "measured.toml", "contents.json"}


def test_a_changed_parameter_fails_with_a_line_that_says_by_how_much(
    folder: Path, capsys: Capture
) -> None:
    assert status("--record", "-q") == 0
    assert capsys.readouterr() == ("", "")
    edit(folder / "short.toml", 'cc = "aimd"', 'cc = "aimd(a=8)"')
    assert status("--junit", "report.xml") == 1
    said = capsys.readouterr()
    assert re.search(
        r"^random: loss_rate: 0\.\d+, outside of 0\.\d+ ± 0\.\d+, change \+0\.\d+ \(\+\S+ %\)$",
        said.out,
        re.M,
    )
    assert re.search(r"^fixed: lost_packets: \d+, outside of .*, change \+\d+ \(", said.out, re.M)
    assert "fixed: equal runs: 0 of 2, the first other run is that of seed 1\n" in said.out
    assert re.search(r"^random: the plan is another than before: ", said.out, re.M)
    assert "2 cells, 4 checks: 3 changed, 1 ok." in said.out
    suites = ElementTree.parse("report.xml").getroot()
    assert suites.attrib == {"name": "golden", "tests": "4", "failures": "3", "errors": "0"}
    failures = {
        (case.get("classname"), case.get("name")): failure.get("message")
        for case in suites.iter("testcase")
        for failure in case.iter("failure")
    }
    assert set(failures) == {
        ("golden.random", "loss_rate"),
        ("golden.fixed", "equal runs"),
        ("golden.fixed", "lost_packets"),
    }
    assert str(failures["golden.random", "loss_rate"]).startswith("random: loss_rate: 0.")
    properties = {
        entry.get("name"): entry.get("value")
        for entry in suites.findall("testsuite[@name='golden.random']/properties/property")
    }
    assert properties == {
        "scenario": "short",
        "cc": "aimd(a=8)",
        "seeds": "1 to 4",
        "runs equal to the byte": "0",
    }


def test_quiet_names_failed_checks_only_and_json_has_all(folder: Path, capsys: Capture) -> None:
    assert status("--record", "-q") == 0
    edit(folder / "golden.toml", "low = 0.5", "low = 0.9999")
    assert status("-q") == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert re.fullmatch(r"random: utilisation: 0\.\d+, allowed: at least 0\.9999\n", said.err)
    assert status("--json", "-q") == 1
    result = json.loads(capsys.readouterr().out)
    assert (result["ok"], [check["outcome"] for check in result["checks"]]) == (
        False,
        ["ok", "outside", "ok", "ok"],
    )
    assert json.loads((folder / "runs/golden-test/result.json").read_text("utf-8")) == result


def test_a_recording_of_one_cell_keeps_the_others_and_drops_the_dead(
    folder: Path, capsys: Capture
) -> None:
    assert status("--record", "-q") == 0
    before = (folder / "golden.recorded.toml").read_text(encoding="utf-8")
    edit(folder / "golden.toml", 'name = "fixed"', 'name = "other"')
    edit(folder / "short.toml", '"10 packets"', '"20 packets"')
    capsys.readouterr()
    assert status("--record", "--only", "o*") == 0
    said = capsys.readouterr()
    assert said.out == "1 cell recorded (1 new, 1 dropped).\n"
    after = tomllib.loads((folder / "golden.recorded.toml").read_text(encoding="utf-8"))
    assert list(after["cells"]) == ["random", "other"]
    assert after["cells"]["random"] == tomllib.loads(before)["cells"]["random"]
    assert status("--record") == 0
    said = capsys.readouterr().out
    assert re.search(r"^  loss_rate +0\.\d+ +0\.\d+ +[+−]0\.\d+ +[+−]\S+ % *$", said, re.M)
    assert "2 cells recorded (1 equal to the byte); 1 figure moved." not in said
    assert "2 figures moved." in said


def test_two_states_are_compared_seed_by_seed(folder: Path, capsys: Capture) -> None:
    assert status("--record", "-q") == 0
    (folder / "golden.recorded.toml").rename(folder / "main.toml")
    assert status("--against", "main.toml", "--out", "same") == 0
    said = capsys.readouterr()
    assert "2 cells, 4 checks: 4 ok." in said.out
    edit(folder / "short.toml", 'cc = "aimd"', 'cc = "aimd(a=8)"')
    # The folder of an earlier test serves as well.
    for old in ("main.toml", "same"):
        assert status("--against", old, "--out", "new", "--only", "random") == 1
        said = capsys.readouterr().out
        match = re.search(
            r"^random: loss_rate: .*, before .*, change \+.* ± .*, p < 0.001$", said, re.M
        )
        assert match is not None, said


@pytest.mark.long
def test_an_algorithm_in_python_is_tested_and_its_code_counts(folder: Path) -> None:
    (folder / "mine.py").write_text(
        "from ackclock.cc import Avoidance\n"
        "class Mine(Avoidance):\n"
        "    def next_cwnd(self, ack, window):\n"
        "        return window.cwnd + window.mss * ack.credited / window.cwnd\n"
        "    def ssthresh(self, event, window):\n"
        "        return 0.5 * window.cwnd\n",
        encoding="utf-8",
    )
    edit(
        folder / "golden.toml", "flows.count = 1", 'flows.count = 1, flows.cc = "python:mine:Mine"'
    )
    words = [sys.executable, "-m", "ackclock", "test", "golden.toml", "--only", "fixed"]

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*words, *more], capture_output=True, text=True, check=False)

    assert run("--record").returncode == 0
    assert run().returncode == 0
    edit(folder / "mine.py", "0.5 *", "0.9 *")
    done = run()
    assert done.returncode == 1
    assert "fixed: equal runs: 0 of 2" in done.stdout
    assert "2 runs\n" in done.stderr


def test_a_folder_of_runs_has_a_store_for_each_build(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ac.record_golden("golden.toml", store="runs").made == 10
    assert ac.record_golden("golden.toml", store="runs").made == 0
    assert (folder / "runs" / fingerprint()).is_dir()
    monkeypatch.setattr(running, "fingerprint", lambda: "another")
    assert ac.record_golden("golden.toml", store="runs").made == 10


def test_the_result_in_python(folder: Path) -> None:
    recorded = ac.record_golden("golden.toml")
    assert (recorded.cells, recorded.same) == (("random", "fixed"), ())
    assert ac.record_golden("golden.toml").same == ("random", "fixed")
    result = ac.check_golden(folder / "golden.toml", only="random", seeds=2)
    assert result.ok
    assert [check.figure for check in result.checks] == ["loss_rate", "utilisation"]
    # The level is of the whole file's comparisons, although one cell is left out.
    assert result.level == pytest.approx(0.005)
    assert result.text() == "1 cell, 2 checks: 2 ok"
    assert ElementTree.fromstring(result.junit()).get("tests") == "2"


BAD = [
    ("[[cells]]", "[[cell]]", "golden.toml: cell: unknown key; did you mean 'cells'?"),
    (
        "metrics = ",
        "metric = ",
        "golden.toml: cells.0.metric: unknown key; did you mean 'metrics'?",
    ),
    ('"loss_rate"', '"loss_rat"', "cells.0.metrics.0: unknown metric"),
    ("low = 0.5", 'low = "5ms"', "golden.toml: cells.0.metrics.1.low: '5ms' is no bound of utilis"),
    ("seeds = 4", "seeds = 1", "golden.toml: seeds: 1 is too small: it must be at least 2"),
    (
        "short.toml",
        "shrt.toml",
        "golden.toml: cells.0.scenario: there is no file shrt.toml; did you",
    ),
    (
        "flows.count",
        "flows.cout",
        "golden.toml: cells.1.set.flows.0.cout: unknown key; did you mean",
    ),
    ('"fixed"', '"random"', "golden.toml: cells.1.name: 'random' also names cells.0"),
    ('metrics = ["lost_packets"]\nexact = true', "", "cells.1.metrics: a cell without a check"),
    ('scenario = "short.toml"', "scenario = 5", "cells.0.scenario: 5 is not a scenario"),
    ("set = {", "set = 5 # {", "golden.toml: cells.1.set: 5 is not a table of changes"),
    ("seeds = 4", "seeds = 4 4", "golden.toml: line 3, column 11: not valid TOML"),
]


@pytest.mark.parametrize(("old", "new", "message"), BAD)
def test_bad_files_are_refused_in_one_line(
    folder: Path, capsys: Capture, old: str, new: str, message: str
) -> None:
    text = GOLDEN.replace(old, new, 1) if old != "[[cells]]" else GOLDEN.replace(old, new)
    (folder / "golden.toml").write_text(text, encoding="utf-8")
    assert status("--record") == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert message in said.err
    assert said.err.count("\n") == 1
    assert not (folder / "runs").exists()


def test_other_mistakes_are_refused_in_one_line(folder: Path, capsys: Capture) -> None:
    def complaint(*arguments: str) -> str:
        assert status(*arguments) == 2
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1)
        return said.err

    assert complaint() == (
        "golden.toml: nothing is recorded yet (there is no golden.recorded.toml): record with "
        "ackclock test golden.toml --record\n"
    )
    assert "no cell is called 'randm'; did you mean 'random'?" in complaint("--only", "randm")
    assert complaint("--record", "--junit", "a.xml").startswith("--junit: a recording has no")
    assert "main.toml: there is no such file" in complaint("--against", "main.toml")
    assert "no recording of golden cells" in complaint("--against", "short.toml")
    assert status("--record", "--only", "random", "-q") == 0
    assert "cell 'fixed' is not in it: record it with ackclock test golden.toml --record" in (
        complaint()
    )
    assert status("--record", "-q") == 0
    edit(folder / "golden.toml", '["lost_packets"]', '["lost_packets", "rtt.mean"]')
    assert "cell 'fixed' has no values of rtt.mean there" in complaint()
    edit(folder / "golden.toml", ', "rtt.mean"', "")
    edit(folder / "golden.recorded.toml", "values = [", "values = [0.5, ")
    assert "golden.recorded.toml: damaged" in complaint()
    (folder / "taken").mkdir()
    (folder / "taken/mine.txt").write_text("mine", encoding="utf-8")
    assert "holds 'mine.txt', which ackclock did not write" in complaint("--out", "taken")


@pytest.mark.long
@pytest.mark.process
def test_an_interrupted_recording_goes_on(folder: Path, capsys: Capture) -> None:
    edit(folder / "golden.toml", "record_seeds = 8", "record_seeds = 40")
    edit(folder / "short.toml", 'duration = "4s"', 'duration = "60s"')
    command = [sys.executable, "-m", "ackclock", "test", "golden.toml", "--record"]
    process = subprocess.Popen(
        [*command, "--workers", "1"], cwd=folder, stderr=subprocess.PIPE, text=True, env=os.environ
    )
    store = folder / "runs/golden-test/runs"
    deadline = time.monotonic() + 60
    while len(list(store.glob("*/?/*.json"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=30)[1]
    assert process.returncode == 130, said
    assert re.search(
        r"interrupted: (\d+) of 40 runs are kept in .*; the same command goes on", said
    )
    assert not (folder / "golden.recorded.toml").exists()
    kept = len(list(store.glob("*/?/*.json")))
    assert 3 <= kept < 40
    assert status("--record") == 0
    assert f"42 runs ({kept} reused)" in capsys.readouterr().err


CELL = """
seeds = 2
record_seeds = 2

[[cells]]
name = "shallow"
scenario = { row = "E31", cell = "64 kbit/s, 1 flow", cc = "bbr" }
metrics = ["drop_rate"]
"""


def test_a_cell_of_an_evaluation_is_a_golden_cell(folder: Path, capsys: Capture) -> None:
    (folder / "golden.toml").write_text(CELL, encoding="utf-8")
    assert status("--record", "-q") == 0
    assert status() == 0
    assert "1 cell, 1 check: 1 ok." in capsys.readouterr().out
    for old, new, said in [
        ('"E31"', '"E99"', "there is no row or section 'E99'"),
        ("64 kbit/s", "63 kbit/s", "did you mean '64 kbit/s, 1 flow'"),
        ('"bbr"', '"bbrr"', "did you mean 'bbr'"),
        ("cell =", "sell =", "did you mean 'cell'"),
    ]:
        (folder / "golden.toml").write_text(CELL.replace(old, new), encoding="utf-8")
        assert status() == 2
        message = capsys.readouterr().err
        assert said in message
        assert "cells.0.scenario" in message
