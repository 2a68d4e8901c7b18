"""Subcommands of ``ackclock study`` as a user calls them."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from ackclock.cli import main
from ackclock.studies import find_study, studies
from ackclock.studies.tools import listing
from small_study import STUDY, working_in, write_study

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("COLUMNS", "100")
    with working_in(tmp_path, monkeypatch):
        yield tmp_path


def status(*words: str) -> object:
    with pytest.raises(SystemExit) as stopped:
        main(["study", *words])
    return stopped.value.code


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.long
def test_a_file_is_run(capsys: Capture) -> None:
    write_study(Path())
    assert status("small.py", "--quick", "--json") == 0
    said = capsys.readouterr()
    assert [statement["id"] for statement in json.loads(said.out)] == ["S-1", "S-2", "S-Q1"]
    assert "small: 11 runs in" in said.err
    assert Path("runs/studies/small/report.html").is_file()
    # Options may stand before the name.
    assert status("--quick", "small.py") == 0
    said = capsys.readouterr()
    assert "11 runs (11 reused)" in said.err
    assert "Queue" in said.out


@pytest.mark.long
def test_a_module_is_run(capsys: Capture) -> None:
    write_study(Path("papers"))
    Path("papers/__init__.py").touch()
    assert status("papers.small:STUDY", "--quick", "--quiet") == 0
    assert capsys.readouterr() == ("", "")
    assert Path("runs/studies/small/claims.json").is_file()


@pytest.mark.long
def test_a_part_runs_what_its_claim_needs_and_says_so(capsys: Capture) -> None:
    write_study(Path())
    assert status("small.py", "--quick", "-q") == 0
    whole = files(Path("runs/studies/small"))
    assert status("small.py", "--claim", "S-2", "--seeds", "2", "--json") == 0
    said = capsys.readouterr()
    (claim,) = json.loads(said.out)
    assert claim["id"] == "S-2"
    assert "(2 seeds)" in claim["sentence"]
    assert "small: 2 runs" in said.err
    part = Path("runs/studies/parts/small")
    assert {path.name for path in (part / "experiments").iterdir()} == {
        "other.toml",
        "other.parquet",
    }
    page = (part / "report.html").read_text(encoding="utf-8")
    assert "Small (a part: S-2)" in page
    assert "S-2 alone; the 2 others of the study were not judged." in page
    assert "Every setting was run with 2 seeds, not with the study's own number." in page.replace(
        "&#39;", "'"
    )
    # The whole study's pages stay, and both share the store.
    assert files(Path("runs/studies/small")) == whole


@pytest.mark.long
def test_seeds_are_those_of_every_experiment(capsys: Capture) -> None:
    write_study(Path())
    assert status("small.py", "--seeds", "5", "-q") == 0
    for name, settings in (("small", 8), ("other", 1)):
        runs = pl.read_parquet(f"runs/studies/small/experiments/{name}.parquet")
        assert runs.height == 5 * settings
        assert sorted(runs["seed"].unique()) == [1, 2, 3, 4, 5]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("small.py", "--claim", "S-3"),
            "--claim: there is no claim 'S-3' in small; did you mean 'S-",
        ),
        (("all", "--claim", "S-1"), "--claim: there is no claim 'S-1' in any study"),
        (
            ("small.py", "--seeds", "0"),
            "ackclock study: --seeds: '0' is not allowed; whole numbers from 1 to 1,000,000 are; ",
        ),
        (("small.py", "--sed", "0"), "ackclock study: No such option"),
        (("--quick",), "ackclock study: Missing argument 'NAME|FILE.py|MODULE:NAME|all'"),
        (("smal.py",), "smal.py: there is no such file; did you mean 'small.py'?"),
        (("--quick", "list"), "'list' is a command and comes first: ackclock study list"),
        (("broken.py",), "broken.py:2: ZeroDivisionError: division by zero"),
        (
            ("typo.py",),
            "small: claim S-1: experiment 'small': response: there is no response 'queu'",
        ),
        (("check", "smal.py"), "smal.py: there is no such file; did you mean 'small.py'?"),
        (
            ("export", "small", "--format", "csv"),
            "small: no such folder, nor one of that name in runs/studies; run it first",
        ),
        (("export", "small", "--format", "xls"), "'xls' is not one of"),
        (
            ("pack", "small"),
            "small: no such folder, nor one of that name in runs/studies; run it first",
        ),
        (
            ("pack", "small.py"),
            "small.py: this is a file; give the folder that ackclock study wrote",
        ),
        (("verify", "small.zip"), "small.zip: there is no such file; give an archive"),
        (("verify", "small.py"), "small.py: no archive of a study"),
        (
            ("verify", "small.py", "--share", "0.1", "--runs", "2"),
            "--share and --runs: give one of them",
        ),
        (("diff", "small.py", "small.toml"), "small.py: neither a claims.json nor an archive"),
        (("new", "small", "--dir", "."), "'small.toml' is there already, and is left as it is"),
        (("new", "1"), "'1' is no name for a study"),
    ],
)
def test_bad_input_is_one_line(
    words: tuple[str, ...], said: str, here: Path, capsys: Capture
) -> None:
    write_study(
        Path(),
        old='"small", "queue", "cc", "vegas"',
        new='"small", "queu", "cc", "vegas"',
        name="typo.py",
    )
    Path("broken.py").write_text("\nX = 1 / 0\n", encoding="utf-8")
    write_study(Path())
    before = files(here)
    assert status(*words) == 2
    output = capsys.readouterr()
    assert said in output.err
    assert output.err.count("\n") == 1
    assert output.out == ""
    assert files(here) == before


def test_a_folder_of_the_users_is_left_alone(capsys: Capture) -> None:
    """`study new` makes a folder of the study's name; pages do not go there."""
    write_study(Path("out/small"))
    assert status("out/small/small.py", "--out", "out") == 2
    assert "--out: 'out' holds 'small', which is no study's" in capsys.readouterr().err
    assert {path.name for path in Path("out/small").iterdir()} == {
        "small.py",
        "small.toml",
        "other.toml",
        "curve.toml",
    }


def test_a_rule_that_fails_names_the_users_line(capsys: Capture) -> None:
    text = STUDY.replace(
        'Level("other", "utilisation", lowest=0.1)', 'Rule("fails", fails, ("other",))'
    )
    text = (
        "from ackclock.studies.rules import Rule\n\n\ndef fails(results):\n    return "
        "{}[len(results.spots('other', 'queue'))]\n" + text
    )
    write_study(Path()).write_text(text, encoding="utf-8")
    assert status("small.py", "--quick") == 1
    said = capsys.readouterr().err
    assert (
        "small.py:5: KeyError: 1; the runs are kept, and the same command goes on from them" in said
    )
    assert "Traceback" not in said


def test_help_tells_both_ways(capsys: Capture) -> None:
    assert status("--help") == 0
    text = capsys.readouterr().out
    for word in (
        "NAME|FILE.py|MODULE:NAME|all",
        "--claim ID",
        "--seeds N",
        "Examples:",
        "verify",
        "export",
        *studies(),
    ):
        assert word in text
    assert status("small-buffers", "--help") == 0
    assert capsys.readouterr().out == text


@pytest.mark.parametrize("name", ["list", "new", "check", "export", "pack", "verify", "diff"])
def test_every_command_has_examples(name: str, capsys: Capture) -> None:
    assert status(name, "--help") == 0
    text = capsys.readouterr().out
    assert text.startswith(f"Usage: ackclock study {name} ")
    assert f"ackclock study {name}" in text.partition("Examples:")[2]


@pytest.mark.long
def test_the_list_has_every_study_with_times(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Both forms show the same estimates, which take seconds.
    outlines = {name: listing.outline_of(find_study(name)) for name in studies()}
    monkeypatch.setattr(listing, "outline_of", lambda study: outlines[study.name])
    assert status("list", "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == list(studies())
    for row in rows:
        assert 0 < row["quick_seconds"] <= row["full_seconds"]
        assert row["claims"] >= 4
        assert row["paper"]
    assert status("list") == 0
    text = capsys.readouterr().out
    assert all(name in text for name in studies())


@pytest.mark.long
def test_a_check_names_each_problem_and_runs_nothing(capsys: Capture) -> None:
    write_study(Path())
    assert status("check", "small.py") == 0
    assert capsys.readouterr().out == (
        "small: sound (2 claims, 1 question, 2 experiments, 1 recording, 1 figure, 2 readings, 1 "
        "item)\n"
    )
    text = STUDY.replace(
        '"small", "queue", "cc", "vegas"', '"small", "queu", "cc", "vegass"'
    ).replace('"buffer": [40]', '"buffer": [41]')
    Path("small.py").write_text(text, encoding="utf-8")
    del sys.modules["small"]
    assert status("check", "small.py") == 1
    assert capsys.readouterr().out.splitlines() == [
        "small: experiment 'small': quick.axes.buffer: axis 'buffer' has no value '41', only 5, 40",
        (
            "small: claim S-1: experiment 'small': response: there is no response 'queu', only "
            "utilisation, queue; did you mean 'queue'?"
        ),
        (
            "small: claim S-1: experiment 'small': value: axis 'cc' has no value 'vegass', only "
            "reno, "
            "vegas; did you mean 'vegas'?"
        ),
    ]
    assert status("check", "small.py", "--json") == 1
    rows = json.loads(capsys.readouterr().out)
    assert [(row["where"], row["key"]) for row in rows][1:] == [
        ("claim S-1", "response"),
        ("claim S-1", "value"),
    ]
    assert not Path("runs").exists()


@pytest.mark.long
def test_claims_are_exported(capsys: Capture) -> None:
    write_study(Path())
    status("small.py", "--quick", "-q")
    for word in ("small", "runs/studies/small", "runs/studies"):
        assert status("export", word, "--format", "csv") == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        claims = json.loads(Path("runs/studies/small/claims.json").read_text(encoding="utf-8"))
        cases = [(claim["id"], case["reading"]) for claim in claims for case in claim["cases"]]
        assert [(row["id"], row["reading"]) for row in rows] == cases
        assert {("S-1", "each"), ("S-1", "second"), ("S-2", "each")} <= set(cases)
    for kind, said in (
        ("md", "5 % \\| less"),
        ("tex", r"\& others keep 5~\% \textbar{} less"),
        ("bib", "@article{nobody2000,"),
    ):
        assert status("export", "small", "--format", kind) == 0
        text = capsys.readouterr().out
        assert said in text
        written = Path("runs/studies/small") / ("paper.bib" if kind == "bib" else f"claims.{kind}")
        assert written.read_text(encoding="utf-8") == text


@pytest.mark.long
def test_an_archive_is_packed_verified_and_compared(capsys: Capture) -> None:
    write_study(Path())
    status("small.py", "--quick", "-q")
    assert status("pack", "small", "-o", "old.zip") == 0
    assert capsys.readouterr().out.startswith("old.zip: 18 files, ")
    assert status("verify", "old.zip", "--share", "1") == 0
    assert (
        capsys.readouterr().out
        == "old.zip: 11 of 11 runs made again: all the same, to the last bit\n"
    )
    assert status("diff", "old.zip", "small") == 0
    assert (
        capsys.readouterr().out
        == "Nothing changed: the same claims, verdicts, sentences and numbers.\n"
    )
    # Another version of the study: a bar that nothing passes, and a claim that is gone.
    text = STUDY.replace("lowest=0.1", "lowest=2.0").replace('Question("S-Q1"', 'Question("S-Q2"')
    Path("small.py").write_text(text, encoding="utf-8")
    del sys.modules["small"]
    status("small.py", "-q")
    assert status("diff", "old.zip", "small") == 0
    said = capsys.readouterr().out.splitlines()
    assert said[:7] == [
        "Note: the old claims rest on quick runs, the new ones on full runs.",
        "Claims added (1):",
        "  S-Q2",
        "Claims removed (1):",
        "  S-Q1",
        "Verdicts (1):",
        "  S-2 under each: holds → does not hold",
    ]
    assert status("diff", "old.zip", "small", "--json") == 0
    changes = json.loads(capsys.readouterr().out)
    assert changes["verdicts"] == [
        {"id": "S-2", "reading": "each", "old": "holds", "new": "does not hold"}
    ]


@pytest.mark.long
def test_a_run_that_differs_is_named_and_the_status_is_1(capsys: Capture) -> None:
    write_study(Path())
    status("small.py", "--quick", "-q")
    file = Path("runs/studies/small/experiments/other.parquet")
    frame = pl.read_parquet(file)
    frame.with_columns(pl.lit("0" * 64).alias("digest"), pl.col("queue") * 2).write_parquet(file)
    assert status("verify", "runs/studies/small", "--runs", "11") == 1
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 4
    assert said[0].startswith("other, setting 0, seed 1: queue ")
    assert said[-1] == "runs/studies/small: 11 of 11 runs made again: 8 the same, 3 differ"
    assert status("verify", "runs/studies/small", "--runs", "11", "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["made"], report["same"], len(report["differing"])) == (11, 8, 3)


@pytest.mark.long
def test_ctrl_c_keeps_what_is_finished_and_the_same_command_goes_on() -> None:
    write_study(Path(), old="replications = 3", new="replications = 4000")
    words = [
        sys.executable,
        "-m",
        "ackclock",
        "study",
        "small.py",
        "--claim",
        "S-Q1",
        "--workers",
        "1",
    ]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        waited = time.monotonic() + 60
        while not list(Path().glob("runs/studies/runs/*/*.json")) and time.monotonic() < waited:
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    assert not Path("runs/studies/parts/small").exists()
