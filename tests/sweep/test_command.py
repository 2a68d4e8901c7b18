"""`ackclock sweep` from end to end, on short runs."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.cli import main

TEXT = """
duration = "1s"
network.kind = "dumbbell"
network.bottleneck = { rate = "5Mbit/s", delay = "10ms", limit = "20 packets" }
flows = [{ name = "f", cc = "reno", start = "uniform(0s, 100ms)" }, { name = "g", cc = "cubic" }]
[sweep]
replications = 3
responses = ["utilisation", { metric = "goodput", flows = "f", name = "of f" }]
comparisons = ["cc"]
[[sweep.axes]]
"network.bottleneck.limit" = ["5 packets", "20 packets"]
[[sweep.axes]]
"flows.f.cc" = ["reno", "cubic"]
"""

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "short.toml").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    return stopped.value.code


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "timing.json"
    }


def test_a_sweep_tells_its_size_shows_a_table_and_leaves_its_folder(
    folder: Path, capsys: Capture
) -> None:
    assert status("sweep", "short.toml") == 0
    said = capsys.readouterr()
    assert said.err.startswith("short: 4 settings (2 limit × 2 cc) × 3 seeds = 12 runs; about ")
    assert "12 runs (12 made) in " in said.err
    assert said.err.endswith(
        f"Results: {Path('runs/short-sweep')}   Report: {Path('runs/short-sweep/report.html')}\n"
    )
    for word in ("utilisation", "limit", "cc", "5 packets", "cubic"):
        assert word in said.out
    written = {path.name for path in (folder / "runs" / "short-sweep").iterdir()}
    results = {"runs.parquet", "responses.parquet", "differences.parquet", "plots", "report.html"}
    assert written == {"sweep.toml", "sweep.json", "runs", "timing.json", "contents.json"} | results
    assert ac.open_sweep("runs/short-sweep").runs.height == 12


@pytest.mark.long
def test_what_is_there_is_not_made_again_and_the_bytes_are_the_same(
    folder: Path, capsys: Capture
) -> None:
    assert status("sweep", "short.toml", "-q") == 0
    once = bytes_of(folder / "runs" / "short-sweep")
    assert capsys.readouterr() == ("", "")
    assert status("sweep", "short.toml") == 0
    said = capsys.readouterr().err
    assert "= 12 runs, all there already; about a second on " in said
    assert "12 runs (0 made, 12 reused)" in said
    assert bytes_of(folder / "runs" / "short-sweep") == once
    assert status("sweep", "short.toml", "--out", "runs/other", "--workers", "1", "-q") == 0
    assert bytes_of(folder / "runs" / "other") == once
    assert status("sweep", "runs/short-sweep/sweep.toml", "--out", "runs/third", "-q") == 0
    assert bytes_of(folder / "runs" / "third") == once


@pytest.mark.usefixtures("folder")
def test_options_win_over_the_table() -> None:
    options = [
        "--replications",
        "2",
        "--responses",
        "goodput,loss_rate",
        "--seed",
        "5",
        "--set",
        "duration=500ms",
    ]
    assert status("sweep", "short.toml", *options, "--out", "o", "-q") == 0
    runs = ac.open_sweep("o").runs
    assert runs.columns[-2:] == ["goodput", "loss_rate"]
    assert set(runs["seed"]) == {5, 6}


@pytest.mark.usefixtures("folder")
def test_json_is_all_that_stands_on_standard_output(capsys: Capture) -> None:
    assert status("sweep", "short.toml", "--json") == 0
    assert json.loads(capsys.readouterr().out)["runs"] == 12


def test_a_dry_run_checks_and_shows_and_leaves_nothing(folder: Path, capsys: Capture) -> None:
    assert status("sweep", "short.toml", "--dry-run") == 0
    said = capsys.readouterr()
    assert "20 packets" in said.out
    assert "Seeds 1 to 3; responses: utilisation, of f" in said.out
    assert status("sweep", "short.toml", "--dry-run", "--json") == 0
    assert json.loads(capsys.readouterr().out)["runs"] == 12
    assert [path.name for path in folder.iterdir()] == ["short.toml"]


def test_values_without_any_effect_are_told_before_the_runs(folder: Path, capsys: Capture) -> None:
    (folder / "short.toml").write_text(
        TEXT.replace('"5 packets", "20 packets"', '"30kB", "30000B"')
    )
    assert status("sweep", "short.toml", "--dry-run") == 0
    assert (
        "axis limit: 30kB and 30000B are the very same runs at every setting"
        in capsys.readouterr().err
    )


@pytest.mark.long
@pytest.mark.usefixtures("folder")
def test_sweeps_share_a_store(capsys: Capture) -> None:
    assert status("sweep", "short.toml", "--store", "shared", "--out", "a", "-q") == 0
    assert status("sweep", "short.toml", "--store", "shared", "--out", "b") == 0
    assert "12 reused" in capsys.readouterr().err
    assert status("sweep", "status", "b") == 0
    assert "short: complete; 12 of 12 runs are there (100 %)" in capsys.readouterr().out
    assert status("sweep", "short.toml", "--out", "own", "-q") == 0
    assert status("sweep", "short.toml", "--store", "shared", "--out", "own") == 2
    assert "'own' has runs of its own" in capsys.readouterr().err


def test_status_and_show_of_a_sweep(folder: Path, capsys: Capture) -> None:
    assert status("sweep", "short.toml") == 0
    table = capsys.readouterr().out
    assert status("sweep", "show", "runs/short-sweep") == 0
    assert capsys.readouterr().out == table
    (folder / "runs" / "short-sweep" / "sweep.json").unlink()
    assert status("sweep", "show", "runs/short-sweep") == 2
    assert "is not finished" in capsys.readouterr().err
    next((folder / "runs" / "short-sweep" / "runs").glob("?/*.json")).unlink()
    assert status("sweep", "status", "runs/short-sweep") == 0
    assert "short: not finished; 11 of 12 runs are there (92 %)" in capsys.readouterr().out
    assert status("sweep", "status", "runs/short-sweep", "--json") == 0
    assert json.loads(capsys.readouterr().out)["finished"] == 11


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["short.toml", "--set", "sweep.replications=0"], "sweep.replications: 0 is too small"),
        (["plain.toml"], "no [sweep] in it"),
        (["short.toml", "--on", "linux"], "a sweep's engine is an axis"),
        (["short.toml", "--out", "full"], "holds 'note', which ackclock did not write"),
        (["short.toml", "--store", "full"], "no store"),
        (["status", "full"], "not the folder of a sweep"),
        (["show", "full"], "not the folder of a sweep"),
        (["status", "nowhere"], "there is no such folder"),
        ([], "Missing argument 'FILE'"),
    ],
)
def test_wrong_input_ends_with_2_and_a_line(
    arguments: list[str], problem: str, folder: Path, capsys: Capture
) -> None:
    (folder / "full").mkdir()
    (folder / "full" / "note").write_text("mine")
    (folder / "plain.toml").write_text(TEXT.partition("[sweep]")[0])
    assert status("sweep", *arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert problem in said.err.splitlines()[-1]


def test_ctrl_c_keeps_what_is_finished_and_the_same_command_goes_on(
    folder: Path, capsys: Capture
) -> None:
    command = [
        sys.executable,
        "-m",
        "ackclock",
        "sweep",
        "short.toml",
        "--set",
        "duration=60s",
        "--replications",
        "20",
        "--workers",
        "1",
    ]
    process = subprocess.Popen(
        command, cwd=folder, stderr=subprocess.PIPE, text=True, env=os.environ
    )
    store = folder / "runs" / "short-sweep" / "runs"
    deadline = time.monotonic() + 60
    while len(list(store.glob("?/*.json"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=30)[1]
    assert process.returncode == 130
    match = re.search(
        r"interrupted: (\d+) of 80 runs are kept in runs/short-sweep/runs; the same command goes "
        r"on from there",
        said,
    )
    assert match is not None, said
    kept = len(list(store.glob("?/*.json")))
    assert 3 <= int(match[1]) == kept < 80
    assert status("sweep", "status", "runs/short-sweep") == 0
    assert f"{kept} of 80 runs are there" in capsys.readouterr().out
