"""Results in a folder: each kind is recognised, and pruning leaves what it must leave."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import webbrowser
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.cli import main
from ackclock.evaluation.output.writing import KIND as DOSSIER
from ackclock.golden.folder import GOLDEN
from ackclock.studies.writing import kind_of as study_kind
from ackclock.sweeps.comparing import comparison_of
from ackclock.sweeps.store import Store
from ackclock.sweeps.sweeping import carry_out
from ackclock.tools.runs import entries, find, kinds, latest, prune, refusal_of
from ackclock.tools.runs.entry import Entry
from scripts import ackclock_command

SCENARIO = """
name = "short"
duration = "2s"
[network]
kind = "dumbbell"
bottleneck = { rate = "5Mbit/s", delay = "10ms", limit = "20 packets" }
[[flows]]
cc = "reno"
start = "uniform(0s, 100ms)"
[record]
samples = "off"
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run and a comparison."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "short.toml").write_text(SCENARIO, encoding="utf-8")
    scenario = ac.load(folder / "short.toml")
    ac.run(scenario).write(folder / "short")
    out = folder / "short-comparison"
    design = comparison_of([scenario], cc=["reno", "cubic"], seeds=2)
    store = Store.open(out / "runs", create=True)
    (out / "sweep.toml").write_text(design.to_toml(out), encoding="utf-8")
    result, _ = carry_out(design, store, executor="threads")
    result.write(out)
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy, with two further comparisons that share the runs of a store."""
    runs = tmp_path / "runs"
    shutil.copytree(made / "short", runs / "short")
    for name in ("short-comparison", "a", "deep/b"):
        shutil.copytree(made / "short-comparison", runs / name)
    shutil.move(runs / "a/runs", runs / "shared")
    shutil.rmtree(runs / "deep/b/runs")
    for name in ("a", "deep/b"):
        (runs / name / "runs").symlink_to(runs / "shared", target_is_directory=True)
    return runs


def test_an_empty_folder_has_no_page(tmp_path: Path) -> None:
    assert latest(tmp_path) is None
    assert latest(tmp_path / "nowhere") is None
    assert entries(tmp_path) == []


def by_name(folder: Path) -> dict[str, Entry]:
    return {entry.name: entry for entry in entries(folder)}


def write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def test_runs_comparisons_and_stores_are_told_apart(folder: Path) -> None:
    results = by_name(folder)
    assert {name: entry.kind for name, entry in results.items()} == {
        "short": "run",
        "short-comparison": "comparison",
        "a": "comparison",
        "deep/b": "comparison",
        "shared": "store",
    }
    assert results["short"].figures["flows"] == 1
    assert 3e6 < float(results["short"].figures["goodput_bps"]) < 5e6
    assert results["short"].text.startswith("1 flow, ")
    assert (
        results["a"].text == "2 settings × 2 seeds; goodput, queue_delay.p95, loss_rate, fct.mean"
    )
    assert results["shared"].figures == {"runs": 4}
    assert results["short-comparison"].size > results["a"].size, "a linked store is not counted"
    assert results["short"].page == folder / "short/report.html"


def test_studies_dossiers_tests_and_unfinished_sweeps_are_listed(folder: Path) -> None:
    claims = [
        {"kind": "claim", "verdict": "holds", "quick": True},
        {"kind": "claim", "verdict": "holds", "quick": True},
        {"kind": "question", "verdict": "open", "quick": True},
    ]
    write(folder / "studies/paper/study.json", {})
    write(folder / "studies/paper/claims.json", claims)
    write(folder / "studies/claims.json", claims)
    rows = [{"verdict": "concern"}, {"verdict": "no concern"}, {"verdict": "no concern"}]
    write(folder / "evaluate/bbr/dossier.json", {"subject": "bbr", "quick": False, "rows": rows})
    write(folder / "golden-test/result.json", {"checks": [{"ok": True}, {"ok": False}]})
    (folder / "golden-test/measured.toml").write_text("", encoding="utf-8")
    (folder / "half").mkdir()
    (folder / "half/sweep.toml").write_text("", encoding="utf-8")
    results = by_name(folder)
    assert (results["studies/paper"].kind, results["studies/paper"].text) == (
        "study",
        "claims: 2 holds (quick)",
    )
    assert results["evaluate/bbr"].text == "rows: 2 no concern, 1 concern"
    assert results["golden-test"].text == "2 checks, 1 failed"
    assert results["half"].text == "unfinished: 0 runs made"
    assert "studies" not in results


@pytest.mark.parametrize("text", ["", "{", "[]", '{"flows": 3}', "\x00"])
def test_a_broken_result_is_listed_as_such(text: str, folder: Path) -> None:
    (folder / "short/summary.json").write_text(text, encoding="utf-8")
    broken = by_name(folder)["short"]
    assert (broken.kind, broken.text) == ("run", "cannot be read")
    assert broken.problem
    done = ackclock_command("runs", cwd=folder.parent, env={**os.environ, "COLUMNS": "80"})
    assert done.returncode == 0
    assert "broken: " in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_a_lost_summary_is_a_broken_run(folder: Path) -> None:
    (folder / "short/summary.json").unlink()
    assert "FileNotFoundError" in by_name(folder)["short"].problem


def test_the_newest_comes_first_and_latest_has_a_page(folder: Path) -> None:
    for number, name in enumerate(("short", "a", "short-comparison", "deep/b")):
        for mark in ("summary.json", "sweep.toml", "sweep.json", "report.html"):
            if (folder / name / mark).exists():
                os.utime(folder / name / mark, (1e9 + number, 1e9 + number))
    (folder / "deep/b/report.html").unlink()
    names = [entry.name for entry in entries(folder) if entry.kind != "store"]
    assert names == ["deep/b", "short-comparison", "a", "short"]
    assert latest(folder) == folder / "short-comparison/report.html"


def test_find_takes_a_folder_or_a_name_and_names_the_nearest(folder: Path) -> None:
    assert find("deep/b", folder).folder == folder / "deep/b"
    assert find(str(folder / "a"), folder).kind == "comparison"
    with pytest.raises(FileNotFoundError, match=r"no result 'shor' .*did you mean 'short'"):
        find("shor", folder)


def refusal(name: str, chosen: tuple[str, ...], folder: Path) -> str:
    results = by_name(folder)
    folders = {results[choice].folder for choice in chosen}
    return refusal_of(results[name], folders, list(results.values()))


def test_a_file_of_the_user_keeps_a_result(folder: Path) -> None:
    assert refusal("short", ("short",), folder) == ""
    (folder / "short/notes.txt").write_text("mine", encoding="utf-8")
    assert "it holds 'notes.txt'" in refusal("short", ("short",), folder)
    (folder / "short-comparison/runs/mine").mkdir()
    (folder / "short-comparison/runs/mine/a.txt").write_text("mine", encoding="utf-8")
    assert "it holds 'runs/mine/a.txt'" in refusal(
        "short-comparison", ("short-comparison",), folder
    )


def test_a_shared_store_stays_while_a_sweep_uses_it(folder: Path) -> None:
    assert refusal("shared", ("shared", "a"), folder) == "deep/b keeps its runs there, too"
    assert refusal("shared", ("shared", "a", "deep/b"), folder) == ""
    # The store of one sweep, which another one links to.
    (folder / "a/runs").unlink()
    (folder / "a/runs").symlink_to(folder / "short-comparison/runs", target_is_directory=True)
    assert refusal("short-comparison", ("short-comparison",), folder) == (
        "a keeps its runs there, too"
    )


def test_pruning_a_sweep_leaves_the_store_that_it_links_to(folder: Path) -> None:
    gone = list(prune([by_name(folder)["a"]]))
    assert [entry.name for entry in gone] == ["a"]
    assert not (folder / "a").exists()
    assert by_name(folder)["shared"].figures == {"runs": 4}
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("words", [["--only", "s*"], ["--older", "0s"], ["--larger", "1kB"]])
def test_stores_go_only_by_their_name(words: list[str], folder: Path) -> None:
    done = ackclock_command("runs", "--prune", "--yes", *words, cwd=folder.parent)
    assert done.returncode == 0, done.stderr
    assert set(by_name(folder)) <= {"shared", "a", "deep/b"}
    assert "shared" in by_name(folder)


def test_the_command_prunes_by_name_and_tells(folder: Path) -> None:
    (folder / "a/mine.txt").write_text("mine", encoding="utf-8")
    words = (
        "runs",
        "--prune",
        "--yes",
        "--json",
        *(f"--only={name}" for name in ("a", "deep/*", "shared")),
    )
    done = ackclock_command(*words, cwd=folder.parent)
    assert done.returncode == 0
    report = json.loads(done.stdout)
    assert [entry["name"] for entry in report["removed"]] == ["deep/b"]
    assert {entry["name"]: entry["why"] for entry in report["stayed"]} == {
        "a": "it holds 'mine.txt', which ackclock did not write",
        "shared": "a keeps its runs there, too",
    }
    assert (folder / "a/mine.txt").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--prune"], "--prune needs a choice: --only, --older or --larger"),
        (["--prune", "--only", "short"], "there is no terminal to ask at; --yes removes without"),
        (
            ["--older", "soon"],
            "--older: 'soon' is no age: a number with w, d, h, min or s is one, such",
        ),
        (["--larger", "much"], "--larger: "),
        (["--only", "shot"], "no result in runs has the name 'shot'; did you mean 'short'?"),
        (["elsewhere"], "elsewhere: there is no such folder"),
        (["--csv", "--json"], "--csv goes with neither"),
    ],
)
def test_a_wrong_command_is_a_line(words: list[str], said: str, folder: Path) -> None:
    done = ackclock_command("runs", *words, cwd=folder.parent)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert len(by_name(folder)) == 5


def test_older_takes_days_and_weeks(folder: Path) -> None:
    marks = [path for path in (folder / "short").rglob("*") if path.is_file()]
    for path in marks:
        os.utime(path, (1e9, 1e9))
    for age in ("30d", "2w", "12h"):
        listed = json.loads(
            ackclock_command("runs", "--json", "--older", age, cwd=folder.parent).stdout
        )
        assert [entry["name"] for entry in listed] == ["short"]


def test_csv_and_json_have_a_row_for_each(folder: Path) -> None:
    table = ackclock_command("runs", "--csv", cwd=folder.parent).stdout
    rows = list(csv.DictReader(io.StringIO(table)))
    listed = json.loads(ackclock_command("runs", "--json", cwd=folder.parent).stdout)
    assert [row["name"] for row in rows] == [entry["name"] for entry in listed]
    assert len(rows) == 5


@pytest.mark.parametrize(
    ("words", "page"),
    [
        (["short"], "runs/short/report.html"),
        (["runs/a"], "runs/a/report.html"),
        (["runs/a/report.html"], "runs/a/report.html"),
    ],
)
def test_open_prints_the_page(words: list[str], page: str, folder: Path) -> None:
    done = ackclock_command("open", "--print", *words, cwd=folder.parent)
    assert (done.returncode, done.stdout) == (0, f"{page}\n")


def test_open_opens_the_newest_in_the_browser(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []

    def see(url: str) -> bool:
        opened.append(url)
        return True

    monkeypatch.setattr(webbrowser, "open", see)
    monkeypatch.chdir(folder.parent)
    with pytest.raises(SystemExit) as stopped:
        main(["open"])
    assert stopped.value.code == 0
    page = capsys.readouterr().out.strip()
    assert opened == [(folder.parent / page).resolve().as_uri()]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing"], "there is no result 'nothing' in runs"),
        (["shared"], "a store has no page"),
        (["--in", "elsewhere"], "there is no folder 'elsewhere' here: ackclock demo makes a first"),
    ],
)
def test_open_says_what_to_do_without_a_page(words: list[str], said: str, folder: Path) -> None:
    done = ackclock_command("open", *words, cwd=folder.parent)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_open_names_the_command_that_writes_a_lost_report(folder: Path) -> None:
    (folder / "short/report.html").unlink()
    done = ackclock_command("open", "short", cwd=folder.parent)
    assert "ackclock report runs/short writes it" in done.stderr


def test_a_store_in_which_a_process_makes_a_run_stays(folder: Path) -> None:
    program = (
        "import sys; from ackclock.sweeps.store import Store\n"
        "with Store.open(sys.argv[1]).claim('ab' * 32): print('claimed', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, folder / "short-comparison/runs"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "claimed\n"
        why = refusal("short-comparison", ("short-comparison",), folder)
        process.communicate("\n")
    assert why == "a process is making runs there"
    assert refusal("short-comparison", ("short-comparison",), folder) == ""


def test_the_index_of_studies_follows(folder: Path) -> None:
    study = folder / "studies/paper"
    write(study / "study.json", {})
    write(study / "claims.json", [])
    write(
        study / "contents.json",
        {"kind": "ackclock contents", "files": ["study.json", "claims.json"]},
    )
    write(folder / "studies/claims.json", [])
    (folder / "studies/index.html").write_text("the index", encoding="utf-8")
    assert refusal("studies/paper", ("studies/paper",), folder) == ""
    list(prune([by_name(folder)["studies/paper"]]))
    assert [path.name for path in (folder / "studies").iterdir()] == []


def test_a_kind_in_the_list_has_the_files_that_its_command_writes() -> None:
    """The list has patterns of its own, because to import the writers takes half a second."""
    listed = {kind.name: kind.files.possible for kind in kinds._KINDS}
    assert listed["dossier"] == DOSSIER.possible
    assert listed["golden test"] == GOLDEN.possible
    written = study_kind(ac.studies.find_study(ac.studies.studies()[0])).possible
    for name in (
        *("report.html", "claims.json", "claims.csv", "claims.md", "claims.tex", "paper.bib"),
        *("study.json", "figures/a.svg", "experiments/a.toml", "experiments/a.parquet"),
        *("study/a/b.py", "figures/a/b.svg", "figures/a.png", "experiments/a.py", "mine.txt"),
        *("claims.xml", "reportXhtml", "notes/study.json"),
    ):
        is_listed = re.fullmatch(listed["study"], name) is not None
        assert is_listed == (re.fullmatch(written, name) is not None), name
