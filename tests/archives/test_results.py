"""Results of every kind: packed, verified and compared by the commands, as a user calls them."""

import json
import os
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import ackclock_command

ROOT = Path(__file__).parents[2]
SHORT = ("--set", "duration=2s", "--set", "warmup=1s", "--quiet")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run and a sweep in a folder."""
    where = tmp_path_factory.mktemp("results")
    scenarios = ROOT / "scenarios"
    sweep = scenarios / "sweeps/buffer-size.toml"
    for words in (
        ("run", scenarios / "reno-one-flow.toml", *SHORT, "--out", "reno"),
        ("sweep", sweep, *SHORT, "--out", "buffers", "--replications", "2"),
    ):
        done = ackclock_command(*words, cwd=where)
        assert done.returncode == 0, done.stderr
    return where


@pytest.fixture
def here(results: Path, tmp_path: Path) -> Path:
    """A copy of the results, which a test may change."""
    return Path(shutil.copytree(results, tmp_path / "results"))


def refusal(*words: object, cwd: Path) -> str:
    done = ackclock_command(*words, cwd=cwd)
    assert (done.returncode, done.stdout) == (2, ""), done.stdout
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize(("name", "runs"), [("reno", 1), ("buffers", 20)])
def test_a_result_is_packed_and_its_runs_come_out_the_same(
    here: Path, name: str, runs: int
) -> None:
    (here / name / "notes.txt").write_text("Mine.\n", encoding="utf-8")
    assert ackclock_command("pack", name, cwd=here).returncode == 0
    archive = here / f"{name}.zip"
    first = archive.read_bytes()
    assert ackclock_command("pack", name, "-q", cwd=here).returncode == 0
    assert archive.read_bytes() == first
    with zipfile.ZipFile(archive) as packed:
        names = packed.namelist()
    assert f"{name}/notes.txt" not in names, "a file of the user's"
    assert not [member for member in names if member.startswith(f"{name}/runs/")]
    shutil.rmtree(here / name)
    done = ackclock_command("verify", archive, "--share", 1, cwd=here)
    said = f"{runs} of {runs} runs made again: all the same, to the last bit\n"
    assert (done.returncode, done.stdout) == (0, f"{archive}: {said}")


def test_a_number_of_a_run_that_differs_is_named(here: Path) -> None:
    file = here / "reno" / "summary.json"
    summary = json.loads(file.read_text(encoding="utf-8"))
    summary["flows"][0]["goodput"] += 1.0
    file.write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    done = ackclock_command("verify", "reno", cwd=here)
    assert done.returncode == 1
    assert done.stdout.startswith("reno, seed 1 (summary.json): flows, reno, goodput ")
    assert done.stdout.endswith("reno: 1 of 1 runs made again: 0 the same, 1 differ\n")
    report = json.loads(ackclock_command("verify", "reno", "--json", cwd=here).stdout)
    assert (report["kind"], report["name"], report["same"]) == ("run", "reno", 0)


def test_a_table_of_a_run_that_differs_is_named(here: Path) -> None:
    shutil.copy(here / "reno/links.parquet", here / "reno/flows.parquet")
    done = ackclock_command("verify", "reno", cwd=here)
    assert done.returncode in (1, 2)
    assert "flows" in done.stdout + done.stderr


def test_a_file_that_is_not_the_packed_one_is_refused(here: Path) -> None:
    ackclock_command("pack", "reno", cwd=here)
    with zipfile.ZipFile(here / "reno.zip") as packed:
        contents = {name: packed.read(name) for name in packed.namelist()}
    contents["reno/plan.json"] = contents["reno/plan.json"].replace(b"1", b"2", 1)
    with zipfile.ZipFile(here / "other.zip", "w", zipfile.ZIP_DEFLATED) as changed:
        for name, content in contents.items():
            changed.writestr(name, content)
    assert "'plan.json' in it is not what was packed" in refusal("verify", "other.zip", cwd=here)


def test_a_planted_link_is_not_packed(here: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    (here / "reno/timing.json").unlink()
    (here / "reno/timing.json").symlink_to(secret)
    assert "timing.json" in refusal("pack", "reno", cwd=here)
    assert not (here / "reno.zip").exists()


def test_what_is_no_result_is_refused(here: Path) -> None:
    (here / "mine").mkdir()
    assert "mine: no result of ackclock" in refusal("pack", "mine", cwd=here)
    assert "gone: there is no such folder" in refusal("pack", "gone", cwd=here)
    (here / "thesis.zip").write_text("mine", encoding="utf-8")
    said = refusal("pack", "reno", "-o", "thesis.zip", cwd=here)
    assert "'thesis.zip' is there, and no archive of a result" in said
    said = refusal("verify", "thesis.zip", cwd=here)
    assert "no archive of a result: no zip file; give one that ackclock pack wrote" in said
    assert "study" in refusal("study", "verify", "reno", cwd=here)


def test_code_beside_a_result_is_not_run_unasked(here: Path, tmp_path: Path) -> None:
    # The tests' own folder is trusted; here nothing is.
    nothing = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "empty")}
    (here / "evil.py").write_text(
        "from pathlib import Path\nPath('ran').touch()\n", encoding="utf-8"
    )
    scenario = here / "reno/scenario.toml"
    text = scenario.read_text(encoding="utf-8")
    scenario.write_text(text.replace('cc = "reno"', 'cc = "python:evil:Evil"'), encoding="utf-8")
    done = ackclock_command("pack", "reno", cwd=here)
    assert done.stderr == "left out, since it is outside of the result's folder: evil\n"
    for name in ("reno", "reno.zip"):
        done = ackclock_command("verify", name, cwd=here, env=nothing)
        assert done.returncode == 2
        assert "--allow-code" in done.stderr
        ackclock_command("diff", name, name, cwd=here, env=nothing)
    assert not (here / "ran").exists()


def test_results_of_a_kind_are_compared(here: Path) -> None:
    same = ackclock_command("diff", "reno", "reno", cwd=here)
    assert (same.returncode, same.stdout) == (0, "Nothing changed: the same numbers.\n")
    ackclock_command(
        *("run", ROOT / "scenarios/reno-one-flow.toml", *SHORT, "--set", "flows.cc=cubic"),
        *("--out", "cubic"),
        cwd=here,
    )
    ackclock_command("pack", "cubic", cwd=here)
    said = ackclock_command("diff", "reno", "cubic.zip", cwd=here).stdout
    assert "Numbers without an interval" in said
    assert "link bottleneck, queue_delay, mean: " in said
    report = json.loads(ackclock_command("diff", "reno", "cubic.zip", "--json", cwd=here).stdout)
    assert report["plain"]
    assert "reno is a run, buffers a sweep: give two results of a kind" in refusal(
        "diff", "reno", "buffers", cwd=here
    )


def test_a_response_of_a_sweep_moves_beyond_its_interval(here: Path) -> None:
    import polars as pl

    shutil.copytree(here / "buffers", here / "other")
    file = here / "other/responses.parquet"
    frame = pl.read_parquet(file)
    shifted = [pl.col(name) + 10.0 for name in ("mean", "low", "high")]
    first = frame["low"].is_not_null() & (frame["setting"] == 0)
    frame.with_columns(
        pl.when(first).then(column).otherwise(pl.col(name)).alias(name)
        for name, column in zip(("mean", "low", "high"), shifted, strict=True)
    ).write_parquet(file)
    report = json.loads(ackclock_command("diff", "buffers", "other", "--json", cwd=here).stdout)
    assert {number["id"] for number in report["moved"]} == {"limit=5 packets, cc=reno"}
    assert "utilisation" in {number["where"] for number in report["moved"]}


def dossiers(here: Path) -> Iterator[Path]:
    """Two evaluations, made up, with another verdict in one row."""
    for name, verdict in (("a", "no concern"), ("b", "concern")):
        cell = {"cell": "C", "measure": "loss", "own": 0.1, "references": {"reno": {"mean": 0.2}}}
        row = {"id": "E01", "verdict": verdict, "sentence": "So.", "cells": [cell]}
        data = {"subject": "x", "quick": True, "results_version": 9, "rows": [row]}
        (here / name).mkdir()
        (here / name / "dossier.json").write_text(json.dumps(data), encoding="utf-8")
        yield here / name


def test_an_evaluation_is_packed_and_compared(here: Path) -> None:
    list(dossiers(here))
    said = ackclock_command("diff", "a", "b", cwd=here).stdout
    assert "Verdicts (1):\n  E01: no concern → concern\n" in said
    ackclock_command("pack", "a", cwd=here)
    done = ackclock_command("verify", "a.zip", cwd=here)
    assert done.returncode == 0
    assert done.stdout == (
        "a.zip: a dossier, which keeps no runs that could be made again: ackclock evaluate makes "
        "it. Its files are those that were packed.\n"
    )
    assert "keeps no runs" in refusal("verify", "a", cwd=here)


@pytest.mark.parametrize("content", [b"{}", b"[]", b"{", b'{"rows": [1]}'])
def test_a_damaged_result_is_one_line(here: Path, content: bytes) -> None:
    (here / "a").mkdir()
    (here / "a/dossier.json").write_bytes(content)
    assert "a: damaged" in refusal("diff", "a", "a", cwd=here)
