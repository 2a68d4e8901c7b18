"""The command line from end to end, on short runs."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import click
import pytest

import ackclock as ac
from ackclock import _core, cli
from ackclock.cli import main

TEXT = """
name = "short"
duration = "2s"
[network]
kind = "dumbbell"
bottleneck = { rate = "5Mbit/s", delay = "10ms", limit = "20 packets" }
[[flows]]
name = "f"
count = 2
cc = "reno"
start = "uniform(0s, 100ms)"
[record]
samples = "off"
"""

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "short.toml").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    return stopped.value.code


def test_a_run_shows_a_table_and_leaves_its_folder(folder: Path, capsys: Capture) -> None:
    assert status("run", "short.toml", "--set", "record.samples=10ms") == 0
    said = capsys.readouterr()
    assert "f.1" in said.out
    assert "bottleneck" in said.out
    assert max(len(line) for line in said.out.splitlines()) <= 80
    assert said.err == f"Results: {Path('runs/short')}   Report: {Path('runs/short/report.html')}\n"
    written = {path.name for path in (folder / "runs" / "short").iterdir()}
    assert {
        "scenario.toml",
        "plan.json",
        "summary.json",
        "timing.json",
        "flows.parquet",
        "links.parquet",
        "samples",
        "report.html",
    } <= written
    assert "plots" not in written
    assert [path.name for path in (folder / "runs").iterdir()] == ["short"]


def test_what_a_run_leaves_runs_again_to_the_same_figures(folder: Path, capsys: Capture) -> None:
    assert status("run", "short.toml", "--set", "flows.cc=cubic", "--seed", "5", "--quiet") == 0
    first = folder / "runs" / "short"
    assert status("run", str(first / "scenario.toml"), "--out", "again", "--quiet") == 0
    assert capsys.readouterr() == ("", "")
    for name in (
        "scenario.toml",
        "plan.json",
        "summary.json",
        "flows.parquet",
        "links.parquet",
        "report.html",
    ):
        assert (first / name).read_bytes() == (folder / "again" / name).read_bytes(), name
    resolved = tomllib.loads((first / "scenario.toml").read_text(encoding="utf-8"))
    assert (resolved["seed"], resolved["flows"][0]["cc"]) == (5, "cubic")


def test_json_is_all_that_stands_on_standard_output(folder: Path, capsys: Capture) -> None:
    assert status("run", "short.toml", "--json", "--out", "results") == 0
    said = capsys.readouterr()
    assert json.loads(said.out) == json.loads(
        (folder / "results" / "summary.json").read_text(encoding="utf-8")
    )


def test_earlier_results_are_replaced(folder: Path) -> None:
    assert status("run", "short.toml", "--quiet", "--set", 'record.pcap=["sender"]') == 0
    assert (folder / "runs" / "short" / "pcap").is_dir()
    assert status("run", "short.toml", "--quiet") == 0
    assert not (folder / "runs" / "short" / "pcap").exists()


@pytest.mark.long
def test_a_comparison_shows_its_cells_and_leaves_its_folder(folder: Path, capsys: Capture) -> None:
    arguments = [
        "--cc",
        "reno,cos+reno",
        "--along",
        "flows.count=1,2",
        "--seeds",
        "2",
        "--metric",
        "goodput",
    ]
    assert status("compare", "short.toml", *arguments) == 0
    said = capsys.readouterr()
    assert "cos+reno" in said.out
    assert said.err.startswith(
        "short: 4 settings (2 flows.count × 2 variant) × 2 seeds = 8 runs; about "
    )
    assert (folder / "runs" / "short-comparison" / "report.html").is_file()
    made = ac.open_sweep("runs/short-comparison")
    assert made.runs.select("flows.count", "variant", "seed").rows() == [
        (count, cc, seed) for count in (1, 2) for cc in ("reno", "cos+reno") for seed in (1, 2)
    ]
    again = ["sweep", str(Path("runs/short-comparison/sweep.toml")), "--out", "again", "--quiet"]
    assert status(*again) == 0
    assert ac.open_sweep("again").runs.equals(made.runs)
    capsys.readouterr()
    # Runs that exist are not made again, and the JSON has the tables.
    assert status("compare", "short.toml", *arguments, "--json") == 0
    said = capsys.readouterr()
    assert "8 runs (0 made, 8 reused)" in said.err
    stored = json.loads(said.out)
    assert [row["variant"] for row in stored["means"]] == ["reno", "cos+reno"] * 2
    assert [row["value"] for row in stored["differences"]] == ["cos+reno"] * 2


def test_a_comparison_of_an_earlier_ackclock_is_refused_with_what_to_do(
    folder: Path, capsys: Capture
) -> None:
    (folder / "old").mkdir()
    (folder / "old/comparison.json").write_text("{}", encoding="utf-8")
    for command in (["report", "old"], ["compare", "short.toml", "--out", "old"]):
        assert status(*command) == 2
        assert "make it again with ackclock compare old" in capsys.readouterr().err
    with pytest.raises(FileNotFoundError, match="make it again with ackclock compare"):
        ac.open_sweep("old")


def test_a_report_is_written_anew(folder: Path, capsys: Capture) -> None:
    assert status("run", "short.toml", "--quiet") == 0
    report = folder / "runs" / "short" / "report.html"
    before = report.read_bytes()
    report.unlink()
    assert status("report", "runs/short") == 0
    assert "f.1" in capsys.readouterr().out
    assert report.read_bytes() == before


def test_a_folder_without_results_has_no_report(folder: Path, capsys: Capture) -> None:
    (folder / "empty").mkdir()
    assert status("report", "empty") == 2
    assert "not the folder of a run" in capsys.readouterr().err


@pytest.mark.parametrize("what", ["cc", "qdisc", "app", "profile", "metric"])
def test_a_list_fits_the_terminal_and_is_also_json(
    what: str, folder: Path, capsys: Capture
) -> None:
    assert folder.is_dir()
    assert status("list", what) == 0
    text = capsys.readouterr().out
    assert max(len(line) for line in text.splitlines()) <= 80
    assert status("list", what, "--json") == 0
    names = [entry["name"] for entry in json.loads(capsys.readouterr().out)]
    assert names
    assert all(name in text for name in names)


def together(text: str) -> str:
    """Without the spaces and line ends that a table puts between words."""
    return "".join(text.split())


def test_the_list_of_controls_has_their_parameters_defaults_ranges_and_references(
    capsys: Capture,
) -> None:
    assert status("list", "cc") == 0
    text = together(capsys.readouterr().out)
    for entry in _core.list_cc():
        assert together(entry["summary"]) in text
        assert together(entry["reference"]) in text
        assert all(parameter["name"] in text for parameter in entry["parameters"])
    assert "max_ssthresh100segments[1,1e6]" in text


def test_a_control_is_listed_in_full_by_its_name(capsys: Capture) -> None:
    assert status("list", "cc", "cubic", "tahoe") == 0
    text = together(capsys.readouterr().out)
    cubic = next(entry for entry in _core.list_cc() if entry["name"] == "cubic")
    assert all(together(parameter["meaning"]) in text for parameter in cubic["parameters"])
    assert "beta0.70.1to0.99" in text
    assert "hystart+cubic" in text
    assert "transport.loss_detection=dupack" in text
    assert "newreno" not in text


def test_a_list_of_names_is_also_json(capsys: Capture) -> None:
    assert status("list", "cc", "limited", "--json") == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert entry["parameters"][0]["range"] == [1.0, 1e6]
    assert (entry["role"], entry["reference"], entry["slow_start"]) == (
        "slow start",
        "RFC 3742",
        None,
    )


def test_a_name_that_is_not_listed_is_refused_with_the_nearest(capsys: Capture) -> None:
    assert status("list", "cc", "hystrt") == 2
    assert "there is no cc 'hystrt'; did you mean 'hystart'?" in capsys.readouterr().err
    assert status("list", "qdisc", "red") == 0


def test_the_schema_describes_every_key(capsys: Capture) -> None:
    assert status("schema") == 0
    schema = json.loads(capsys.readouterr().out)
    undescribed = [
        f"{name}.{key}"
        for name, table in [("Scenario", schema), *schema["$defs"].items()]
        for key, entry in table["properties"].items()
        if not entry.get("description")
    ]
    assert undescribed == []
    assert all(
        table.get("additionalProperties") is False for table in [schema, *schema["$defs"].values()]
    )


def test_the_version_is_the_cores(capsys: Capture) -> None:
    assert status("--version") == 0
    assert capsys.readouterr().out == f"ackclock {_core.__version__}\n"


@pytest.mark.parametrize(
    "command",
    [
        "demo",
        "new",
        "doctor",
        "run",
        "compare",
        "sweep",
        "theory",
        "open",
        "live",
        "runs",
        "report",
        "list",
        "schema",
    ],
)
def test_help_has_an_example_and_fits_the_terminal(
    command: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert status(command, "--help") == 0
    text = capsys.readouterr().out
    assert re.search(rf"ackclock {command}\b", text.split("Example", 1)[1])
    assert max(len(line) for line in text.splitlines()) <= 80


def every_command(
    group: click.Group = cli.command, before: tuple[str, ...] = ()
) -> list[list[str]]:
    """The words of each command, those of groups among them."""
    commands = []
    context = click.Context(group)
    for name in group.list_commands(context):
        words = (*before, name)
        commands.append([*words])
        inner = group.get_command(context, name)
        if isinstance(inner, click.Group):
            commands += every_command(inner, words)
    return commands


@pytest.mark.parametrize("words", every_command(), ids=" ".join)
def test_help_is_laid_out(words: list[str], capsys: Capture) -> None:
    assert status(*words, "--help") == 0
    text = capsys.readouterr().out
    assert text.startswith(f"Usage: ackclock {' '.join(words)} ")
    # The mark of a paragraph that keeps its lines is shown where no empty line comes before it.
    assert "\\u00" not in text
    # So does click show a number without bounds.
    assert "None" not in text
    assert "\b" not in text


def test_safety_says_of_each_command_what_it_reads_and_writes() -> None:
    page = (Path(__file__).parents[2] / "docs/safety.md").read_text(encoding="utf-8")
    table = page.partition("## What is read and written")[2].partition("**Programs.**")[0]
    # A command with an option or an argument of its own stands as `runs --prune` does.
    named = set(re.findall(r"`([a-z][a-z -]*)", table))
    missing = [" ".join(words) for words in every_command() if " ".join(words) not in named]
    assert missing == []


@pytest.mark.long
@pytest.mark.parametrize("command", [["run"], ["compare", "--seeds", "50"]])
def test_ctrl_c_ends_with_130_and_leaves_nothing(command: list[str], folder: Path) -> None:
    # Long enough to be interrupted on any machine.
    long = [
        "short.toml",
        "--set",
        "duration=100000s",
        "--set",
        "network.bottleneck.rate=1Gbit/s",
        "--set",
        "record.samples=off",
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "ackclock", command[0], *long, *command[1:]],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
    )
    time.sleep(2.5)
    assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    # A line on how long it would take may stand before.
    assert (process.returncode, out) == (130, "")
    # A sweep that has begun tells of runs that are kept, here of none.
    assert err.splitlines()[-1] in {
        "interrupted: nothing incomplete was left",
        (
            "interrupted: 0 of 50 runs are kept in runs/short-comparison/runs; the same command "
            "goes on from there"
        ),
    }
    assert os.listdir(folder) == ["short.toml"]  # noqa: PTH208 - hidden leftovers count too


def test_ctrl_c_during_an_import_is_an_interruption_too(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def interrupted(**_: object) -> None:
        # What Python 3.11 makes of an interruption while it defines a class.
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    monkeypatch.setattr(cli.command, "main", interrupted)
    with pytest.raises(SystemExit) as stopped:
        main(["list", "cc"])
    assert (stopped.value.code, capsys.readouterr().err) == (
        130,
        "interrupted: nothing incomplete was left\n",
    )


HEAVY = {
    "jinja2",
    "matplotlib",
    "networkx",
    "numpy",
    "pandas",
    "polars",
    "pyarrow",
    "pydantic",
    "scipy",
}


@pytest.mark.parametrize(
    ("program", "needless"),
    [
        ("import ackclock, ackclock.cli", HEAVY | {"rich"}),
        ("from ackclock.cli import main; main(['list', 'cc'])", HEAVY),
    ],
)
def test_what_is_not_needed_is_not_imported(program: str, needless: set[str]) -> None:
    look = (
        f"import atexit, sys; atexit.register(lambda: print(sorted({needless} & "
        f"set(sys.modules)), file=sys.stderr)); {program}"
    )
    ran = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert ran.stderr == "[]\n"


def test_the_public_names_exist() -> None:
    for name in ac.__all__:
        assert getattr(ac, name) is not None
    assert callable(ac.run)
    assert callable(ac.compare)
    with pytest.raises(AttributeError, match="module 'ackclock' has no attribute 'rnu'"):
        _ = ac.rnu


@pytest.mark.parametrize("option", ["--no-report", "--no-plots"])
def test_a_run_without_a_report_leaves_the_numbers_only(
    folder: Path, capsys: Capture, option: str
) -> None:
    assert status("run", "short.toml", option, "--out", "numbers") == 0
    written = {path.name for path in (folder / "numbers").iterdir()}
    assert {"summary.json", "flows.parquet", "scenario.toml"} <= written
    assert not {"plots", "report.html"} & written
    assert "Report" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["compare", "short.toml", "--seeds", "two"],
            "compare: --seeds: 'two' is not allowed; whole numbers from 1 to 100,000 are",
        ),
        (
            ["compare", "short.toml", "--seeds", "-1"],
            "compare: --seeds: '-1' is not allowed; whole numbers from 1 to 100,000 are",
        ),
        (
            ["sweep", "short.toml", "--workers", "1.5"],
            "sweep: --workers: '1.5' is not allowed; whole numbers from 1 to 1,024 are",
        ),
        (["run", "short.toml", "--seed", "x"], "run: --seed: 'x' is not a whole number"),
        (
            ["validate", "--random", "5", "--least", "nan"],
            "validate: --least: 'nan' is not allowed; numbers from 0 to 100 are",
        ),
        (
            ["validate", "--random", "5", "--seed", "-3"],
            "validate: --seed: '-3' is not allowed; whole numbers from 0 on are",
        ),
        (
            ["study", "verify", ".", "--share", "0"],
            "verify: --share: '0.0' is not allowed; numbers above 0 to 1 are",
        ),
    ],
)
def test_a_wrong_number_names_option_value_and_what_is_allowed(
    words: list[str], said: str, folder: Path, capsys: Capture
) -> None:
    assert folder.is_dir()
    assert status(*words) == 2
    message = capsys.readouterr().err
    assert f"{said}; ackclock " in message
    assert message.count("\n") == 1


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [["theory"], ["list", "metric"], ["schema"], ["run", "short.toml", "--no-plots", "--json"]],
)
def test_a_reader_that_has_gone_is_no_defect(words: list[str], folder: Path) -> None:
    # Nobody reads: the first write fails.
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as stream:
        ended = subprocess.run(
            [sys.executable, "-m", "ackclock", *words],
            stdout=stream,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            cwd=folder,
        )
    assert ended.returncode == 1
    assert "defect" not in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("flows.parquet", b"", "flows.parquet: damaged"),
        ("links.parquet", b"PAR1nonsense", "links.parquet: damaged"),
        ("summary.json", b"[]", "summary.json is none of a run"),
        ("plan.json", b"[]", "plan.json is none of a run"),
        ("plan.json", b"{}", "plan.json is none of a run"),
        ("summary.json", b"{", "Expecting property name"),
    ],
)
def test_damaged_results_are_told_in_a_line(
    name: str, content: bytes, said: str, folder: Path, capsys: Capture
) -> None:
    assert status("run", "short.toml", "-q", "--no-plots", "--out", "done") == 0
    (folder / "done" / name).write_bytes(content)
    capsys.readouterr()
    assert status("report", "done", "-q") == 2
    message = capsys.readouterr().err
    assert said in message
    assert message.count("\n") == 1
    assert len(message) < 300


def test_an_algorithm_that_leaves_the_folder_does_not_take_the_results_along(folder: Path) -> None:
    (folder / "leaves.py").write_text(
        "import os\nfrom ackclock.cc import *\nclass Mine(CongestionControl):\n"
        "    def on_ack(self, ack):\n        os.chdir('/')\n    def on_congestion(self, event): "
        "...\n",
        encoding="utf-8",
    )
    assert (
        status(
            "run",
            "short.toml",
            "-q",
            "--no-plots",
            "--set",
            "flows.cc=python:leaves:Mine",
            "--out",
            "leaves-results",
        )
        == 0
    )
    assert (folder / "leaves-results" / "summary.json").is_file()
    assert Path.cwd() == folder
