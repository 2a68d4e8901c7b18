"""The command line says where runs are one, and shows no digit or interval too much."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import tomli_w

import ackclock as ac
from ackclock.cli import main
from ackclock.metrics import find_metric, range_of
from ackclock.sweeps.analysis import changes_of
from ackclock.sweeps.limits import flows_of

Capture = pytest.CaptureFixture[str]
RENO, CUBIC = {"cc": "reno"}, {"cc": "cubic"}
FIFO: dict[str, Any] = {"rate": "10Mbit/s", "delay": "10ms", "limit": "1bdp"}

SCENARIOS: dict[str, tuple[dict[str, Any], list[dict[str, Any]], str]] = {
    # Bottleneck, flows, and what is said of starts or of identical runs.
    "one-flow": (FIFO, [RENO], "one flow alone is the same whenever it starts"),
    "one-flow-near-full-use": (
        {**FIFO, "limit": "4bdp"},
        [RENO],
        "one flow alone is the same whenever it starts",
    ),
    "two-flows": (
        FIFO,
        [RENO, CUBIC],
        "Starts are drawn within 20 ms, because nothing else in this scenario is random",
    ),
    "five-alike": (FIFO, [{**RENO, "count": 5}], "Starts are drawn within 20 ms"),
    "beside-a-stream": (
        FIFO,
        [RENO, {"app": {"kind": "cbr", "rate": "1Mbit/s"}}],
        "Starts are drawn within 20 ms",
    ),
    "rare-loss": ({**FIFO, "loss": {"kind": "bernoulli", "p": 2e-4}}, [RENO], ""),
    "marks": (
        {**FIFO, "qdisc": "red", "limit": "100 packets"},
        [{**RENO, "count": 4, "transport": {"ecn": "classic"}}],
        "",
    ),
    "few-large-jain": (
        {**FIFO, "limit": "5 packets"},
        [{**CUBIC, "count": 2}, {**RENO, "count": 2, "start": "uniform(0s, 1s)"}],
        "",
    ),
    "changing-rate": (
        {**FIFO, "rate": {"schedule": [["0s", "10Mbit/s"], ["2s", "4Mbit/s"]]}, "limit": "25kB"},
        [RENO],
        "Starts are drawn within 20 ms",
    ),
    "drawn-alone": (FIFO, [{**RENO, "start": "uniform(0s, 100ms)"}], ""),
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")

    def write(name: str, **more: Any) -> Path:
        bottleneck, flows, _ = SCENARIOS[name]
        table = {
            "name": name,
            "duration": "5s",
            "network": {"kind": "dumbbell", "bottleneck": bottleneck},
            "flows": flows,
            **more,
        }
        path = tmp_path / f"{name}.toml"
        path.write_text(tomli_w.dumps(table), encoding="utf-8")
        return path

    return write


def said(*arguments: object) -> object:
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    return stopped.value.code


def check_rows(rows: list[dict[str, Any]], metric: str) -> None:
    lowest, highest = range_of(find_metric(metric))
    for row in rows:
        low, mean, high = row["low"], row["mean"], row["high"]
        assert (low is None) == (high is None)
        if low is not None:
            assert lowest <= low < high <= highest, (metric, row)
            assert low <= mean <= high, (metric, row)
        elif row["seeds"] > 1:
            assert row["identical"], (metric, row)


def check_text(text: str) -> None:
    assert "± 0 " not in text
    assert not re.search(r"± 0(\.0+)?(?![\d.])", text)
    assert not re.search(r"\[(\S+), \1\]", text), "an interval without width"
    for middle, half in re.findall(r"(\d[\d.]*) ± (\d[\d.]*)", text):
        assert len(middle.partition(".")[2]) == len(half.partition(".")[2]), (middle, half)
        assert len(half.replace(".", "").lstrip("0").rstrip("0" if "." not in half else "")) <= 2, (
            half
        )
    for line in text.splitlines():
        assert len(line) <= 80, line


@pytest.mark.long
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_comparison_pretends_nothing(
    name: str, files: Callable[..., Path], capsys: Capture
) -> None:
    path = files(name)
    assert said("compare", path, "--seeds", 3, "--cc", "reno,vegas", "--out", "out") == 0
    text = capsys.readouterr().out
    check_text(text)
    assert SCENARIOS[name][2] in re.sub(r"\s+", " ", text)
    made = ac.open_sweep("out")
    for response in made.shown:
        rows = made.table(response.name).iter_rows(named=True)
        check_rows(
            [{**row, "seeds": row["n"], "identical": row["method"] == "constant"} for row in rows],
            response.name,
        )
        for change in changes_of(
            made.design, made.design.comparisons[0], made.runs, response
        ).values():
            assert change.change is None or change.change >= -1.0
            assert change.low is None or change.low >= -1.0
    digests = made.runs.group_by("variant").agg(pl.col("digest").n_unique())["digest"]
    one_result = digests.max() == 1
    assert ("3 runs, one result:" in text) == one_result
    assert ("Jain's index" in text) == (flows_of(made.design.scenario_at(0)) > 1)
    report = Path("out/report.html").read_text(encoding="utf-8")
    assert "± 0<" not in report
    assert ("3 runs, one result" in report) == one_result


@pytest.mark.long
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_sweep_pretends_nothing(name: str, files: Callable[..., Path], capsys: Capture) -> None:
    responses = ["utilisation", "jain_index", "lost_packets", "queue_delay.p95"]
    sweep = {
        "replications": 3,
        "responses": responses,
        "axes": [{"flows.0.cc": ["reno", "vegas"]}],
        "comparisons": ["cc"],
    }
    path = files(name, sweep=sweep)
    assert said("sweep", path, "--out", "out") == 0
    text = capsys.readouterr().out
    check_text(text)
    assert SCENARIOS[name][2] in re.sub(r"\s+", " ", text)
    frame = pl.read_parquet("out/responses.parquet")
    for row in frame.iter_rows(named=True):
        check_rows(
            [{**row, "seeds": row["n"], "identical": row["method"] == "constant"}], row["response"]
        )
    assert frame.filter(pl.col("low") == pl.col("high")).height == 0
    differences = pl.read_parquet("out/differences.parquet")
    assert differences.filter(pl.col("low") == pl.col("high")).height == 0
    assert differences.filter(pl.col("response") == "jain_index")[
        "low"
    ].drop_nulls().to_list() == pytest.approx(
        [
            max(-1.0, low)
            for low in differences.filter(pl.col("response") == "jain_index")["low"].drop_nulls()
        ]
    )
    shown = text
    assert said("sweep", "show", "out") == 0
    assert capsys.readouterr().out == shown, "what was said stands in the folder"


def test_jains_index_of_two_flows_stays_above_a_half(
    files: Callable[..., Path], capsys: Capture
) -> None:
    path = files("two-flows")
    assert (
        said(
            "compare",
            path,
            "--seeds",
            2,
            "--cc",
            "reno,vegas,bbr",
            "--flows",
            "flow1",
            "--metric",
            "jain_index",
            "--json",
        )
        == 0
    )
    for row in json.loads(capsys.readouterr().out)["means"]:
        assert row["low"] is None or 0.5 <= row["low"] <= row["mean"] <= row["high"] <= 1.0


@pytest.mark.long
def test_a_users_choice_of_starts_wins(files: Callable[..., Path], capsys: Capture) -> None:
    path = files("two-flows")
    kept = "--cc", "reno,vegas", "--seeds", 3, "--json", "--out"
    assert said("compare", path, *kept, "a", "--starts", "fixed") == 0
    fixed = json.loads(capsys.readouterr().out)
    assert fixed["starts"]["within_ps"] == 0
    assert not any("Starts are drawn" in note for note in fixed["notes"])
    assert said("compare", path, *kept, "b", "--starts", "5ms") == 0
    drawn = json.loads(capsys.readouterr().out)
    assert drawn["starts"]["within_ps"] == 5 * 10**9
    assert said("compare", path, *kept, "c") == 0
    by_default = json.loads(capsys.readouterr().out)
    assert by_default["starts"]["within_ps"] == 20 * 10**9
    assert said("sweep", "c/sweep.toml", "--json", "--out", "d") == 0
    capsys.readouterr()
    assert ac.open_sweep("d").runs.equals(ac.open_sweep("c").runs), "it runs again as it was"
    assert said("compare", path, "--starts", "soon") == 2
    assert "is not 'auto', 'fixed' or a time" in capsys.readouterr().err


def test_a_sweeps_file_runs_again_as_it_was(files: Callable[..., Path], capsys: Capture) -> None:
    path = files(
        "two-flows",
        sweep={
            "replications": 2,
            "axes": [{"flows.cc": ["reno", "vegas"]}],
            "responses": ["goodput"],
        },
    )
    assert said("sweep", path, "--out", "a", "--quiet") == 0
    assert 'starts = "20ms"' in Path("a/sweep.toml").read_text(encoding="utf-8")
    assert said("sweep", "a/sweep.toml", "--out", "b", "--quiet") == 0
    columns = ["setting", "seed", "key", "digest", "goodput"]
    assert (
        pl.read_parquet("a/runs.parquet")
        .select(columns)
        .equals(pl.read_parquet("b/runs.parquet").select(columns))
    )
    assert said("sweep", path, "--out", "c", "--quiet", "--starts", "fixed") == 0
    assert not pl.read_parquet("a/runs.parquet")["digest"].equals(
        pl.read_parquet("c/runs.parquet")["digest"]
    )
    capsys.readouterr()


def test_one_run_is_as_it_was(files: Callable[..., Path], capsys: Capture) -> None:
    """Nothing is drawn for `run`, nor for a comparison of one seed."""
    path = files("two-flows")
    assert said("run", path, "--json", "--out", "r") == 0
    run = json.loads(capsys.readouterr().out)
    assert said("compare", path, "--seeds", 1, "--json", "--out", "c") == 0
    capsys.readouterr()
    [kept] = Path("c/runs").glob("*/*.json")
    assert json.loads(kept.read_text(encoding="utf-8"))["run"]["summary"]["flows"] == run["flows"]
