"""Tables of commands as CSV, Markdown, LaTeX and JSON."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

import ackclock as ac
from ackclock.cli import main

if TYPE_CHECKING:
    from pathlib import Path

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
[compare]
cc = ["reno", "cubic"]
seeds = 3
"""

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "short.toml").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    return stopped.value.code


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.usefixtures("folder")
def test_a_run_prints_one_table_as_csv_with_exact_figures(capsys: Capture) -> None:
    assert status("run", "short.toml", "--format", "csv", "--table", "flows") == 0
    rows = read(capsys.readouterr().out)
    result = ac.Result.load("runs/short")
    assert [row["flow"] for row in rows] == ["f.1", "f.2"]
    assert [float(row["goodput (bit/s)"]) for row in rows] == result.flows["goodput"].to_list()


@pytest.mark.usefixtures("folder")
def test_several_tables_have_titles_and_an_empty_line_between(capsys: Capture) -> None:
    assert status("run", "short.toml", "--format", "csv") == 0
    blocks = capsys.readouterr().out.split("\n\n")
    assert [block.splitlines()[0] for block in blocks] == ["# Flows", "# Links"]
    assert status("show", "runs/short", "--format", "markdown") == 0
    said = capsys.readouterr().out
    assert "**Flows**\n\n| flow " in said
    assert "**Links**\n\n| link " in said


@pytest.mark.usefixtures("folder")
def test_show_prints_what_the_run_printed(capsys: Capture) -> None:
    assert status("run", "short.toml") == 0
    ran = capsys.readouterr().out
    assert status("show", "runs/short") == 0
    assert capsys.readouterr().out == ran
    assert status("show", "runs/short", "--format", "json") == 0
    as_json = capsys.readouterr().out
    assert status("show", "runs/short", "--json") == 0
    assert capsys.readouterr().out == as_json
    assert status("show", "runs/short", "--table", "diagnosis") == 0
    assert capsys.readouterr().out.startswith("| flow ")


@pytest.mark.usefixtures("folder")
def test_a_comparison_prints_means_with_intervals_in_latex_and_ends_in_csv(capsys: Capture) -> None:
    wanted = ["--metric", "queue_delay.mean", "--set", "duration=10s"]
    assert status("compare", "short.toml", *wanted, "--format", "latex") == 0
    said = capsys.readouterr().out
    assert said.count(r"\begin{tabular}") == 2
    assert r"$\pm$" in said or " [" in said
    shown = ["sweep", "show", "runs/short-comparison"]
    assert status(*shown, "--format", "csv", "--table", "differences") == 0
    [row] = read(capsys.readouterr().out)
    low, middle, high = (row[f"difference{end} (s)"] for end in (" low", "", " high"))
    assert float(low) <= float(middle) <= float(high)
    assert status(*shown, "--format", "csv", "--table", "runs") == 0
    assert len(read(capsys.readouterr().out)) == 6
    assert status(*shown, "--response", "queue_delay.mean", "--format", "csv") == 0
    assert [row["variant"] for row in read(capsys.readouterr().out)] == ["reno", "cubic"]
    for kind in ("box", "cdf", "difference"):
        assert status(*shown, "--kind", kind, "--format", "csv") == 0
        assert read(capsys.readouterr().out)


@pytest.mark.usefixtures("folder")
def test_a_sweeps_frames_in_python_write_what_the_command_prints(capsys: Capture) -> None:
    assert status("compare", "short.toml", "--metric", "utilisation", "--quiet") == 0
    result = ac.open_sweep("runs/short-comparison")
    assert status("show", "runs/short-comparison", "--table", "means") == 0
    assert capsys.readouterr().out == result.table().to_markdown()
    frame = result.difference()
    assert frame.filter(frame["setting"] == 0).table().rows == ()
    assert len(frame.filter(frame["setting"] == 1).table().rows) == 1


@pytest.mark.parametrize("what", ["cc", "qdisc", "app", "profile", "metric"])
@pytest.mark.parametrize("form", ["csv", "markdown", "latex", "json"])
def test_lists_come_in_every_format(what: str, form: str, capsys: Capture) -> None:
    assert status("list", what, "--format", form) == 0
    said = capsys.readouterr().out
    starts = {"csv": ("name,", "transport option,"), "markdown": "| ", "latex": "% ", "json": "["}
    assert said.startswith(starts[form])


def test_a_formula_comes_as_csv_with_units(capsys: Capture) -> None:
    asked = ["theory", "pftk_rate", "--loss-rate", "1e-3,1e-2", "--rtt", "100ms"]
    assert status(*asked, "--format", "csv") == 0
    rows = read(capsys.readouterr().out)
    assert status(*asked, "--json") == 0
    exact = [row["result"] for row in json.loads(capsys.readouterr().out)["rows"]]
    assert [float(row["pftk rate (packets/s)"]) for row in rows] == exact
    assert status("theory", "--format", "csv") == 0
    assert "pftk_rate" in {row["formula"] for row in read(capsys.readouterr().out)}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--format", "cvs"], "'cvs' is none of table, csv, markdown, latex, json; did you mean"),
        (["--table", "flow"], "--table: there is no table 'flow'; did you mean 'flows'?"),
        (["--json", "--format", "csv"], "--json, --format csv: one output has one format"),
    ],
)
def test_a_wrong_format_or_table_is_one_line_before_anything_runs(
    folder: Path, arguments: list[str], said: str, capsys: Capture
) -> None:
    assert status("run", "short.toml", *arguments) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not (folder / "runs").exists()


@pytest.mark.usefixtures("folder")
def test_a_table_that_a_run_does_not_have_is_named(capsys: Capture) -> None:
    assert status("run", "short.toml", "--quiet") == 0
    assert status("show", "runs/short", "--table", "streams") == 2
    assert "no table 'streams' here, only flows, links, diagnosis" in capsys.readouterr().err
    assert status("show", "runs/nothing") == 2
    assert "there is no such folder" in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_a_run_prints_its_digest_in_place_of_the_tables(capsys: Capture) -> None:
    assert status("run", "short.toml", "--digest", "--quiet") == 0
    assert capsys.readouterr().out == f"digest {ac.run('short.toml').digest()}\n"
    with pytest.raises(ValueError, match="runs/short: a folder has no digest"):
        ac.Result.load("runs/short").digest()


@pytest.mark.usefixtures("folder")
def test_a_digest_is_not_shown_beside_tables(capsys: Capture) -> None:
    assert status("run", "short.toml", "--digest", "--json") == 2
    assert "one output has one form" in capsys.readouterr().err
