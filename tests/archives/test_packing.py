"""Is an archive whole, the same every time, and do its runs come out the same elsewhere?"""

import json
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from ackclock import _core
from ackclock.studies import run_study
from ackclock.studies.tools.finding import find
from ackclock.tools.archives.archive import OF_STUDIES, ArchiveError
from ackclock.tools.archives.packing import is_archive, opened, pack
from ackclock.tools.archives.verifying import verify
from small_study import EXPERIMENT, STUDY, write_study


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a run of the small study leaves."""
    where = tmp_path_factory.mktemp("packed")
    run_study(find(str(write_study(where / "source"))), quick=True, out=where / "out")
    return where / "out" / "small"


@pytest.fixture
def archive(folder: Path, tmp_path: Path) -> Path:
    return pack(folder, tmp_path / "small.zip").file


@pytest.mark.long
def test_an_archive_has_all_that_the_folder_has_and_the_studys_own_files(
    folder: Path, archive: Path
) -> None:
    (folder / "notes.txt").write_text("Not the study's.\n", encoding="utf-8")
    with zipfile.ZipFile(archive) as packed:
        names = {name.removeprefix("small/") for name in packed.namelist()}
        manifest = json.loads(packed.read("small/manifest.json"))
    assert names == {
        *(
            "report.html",
            "claims.json",
            "claims.csv",
            "claims.md",
            "claims.tex",
            "paper.bib",
            "study.json",
            "manifest.json",
        ),
        *(
            "experiments/small.toml",
            "experiments/small.parquet",
            "experiments/other.toml",
            "experiments/other.parquet",
        ),
        *("experiments/curve-reno.toml", "figures/S-F1.svg"),
        *("study/small.py", "study/small.toml", "study/other.toml", "study/curve.toml"),
    }
    assert manifest["versions"]["results_version"] == _core.RESULTS_VERSION
    assert manifest["files"].keys() == names - {"manifest.json"}


def test_the_same_folder_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    first = pack(folder, tmp_path / "a.zip").file.read_bytes()
    for path in folder.rglob("*"):
        path.touch()
    assert pack(folder, tmp_path / "b.zip").file.read_bytes() == first


def test_runs_of_an_archive_come_out_the_same(archive: Path) -> None:
    with opened(archive) as where:
        verification = verify(where, share=1.0)
    assert (
        verification.made,
        verification.runs,
        verification.differing,
        verification.other_version,
    ) == (verification.runs, 2 * 2 * 2 + 3, (), "")


def test_the_choice_is_the_seeds(archive: Path) -> None:
    with opened(archive) as where:
        first, again, other = (verify(where, runs=4, seed=seed).chosen for seed in (1, 1, 2))
    assert first == again
    assert len(set(first)) == len(first) == 4
    assert first != other


def test_each_experiment_has_a_run_in_the_choice(archive: Path) -> None:
    with opened(archive) as where:
        assert verify(where, share=0.01).made == 2


def changed(folder: Path, tmp_path: Path, column: str) -> Path:
    """The folder with another value, and digest, of the first run of the experiment `small`."""
    import shutil

    copy = tmp_path / "changed"
    shutil.copytree(folder, copy)
    file = copy / "experiments" / "small.parquet"
    frame = pl.read_parquet(file)
    first = pl.int_range(frame.height) == 0
    frame = frame.with_columns(
        pl.when(first).then(pl.col(column) + 1e-12).otherwise(pl.col(column)).alias(column),
        pl.when(first).then(pl.lit("0" * 64)).otherwise(pl.col("digest")).alias("digest"),
    )
    frame.write_parquet(file)
    return copy


def test_a_run_that_differs_in_its_last_bits_is_named(folder: Path, tmp_path: Path) -> None:
    verification = verify(changed(folder, tmp_path, "queue"), share=1.0)
    (run,) = verification.differing
    assert (run.experiment, run.where) == (
        "small",
        "setting 0 (buffer=40, cc=reno, acks=each), seed 1",
    )
    assert run.same_plan
    (what,) = run.changed
    assert what.response == "queue"
    assert what.packed is not None
    assert what.now is not None
    assert what.packed - what.now == pytest.approx(1e-12, rel=1e-3)


def test_a_table_of_runs_with_a_list_is_refused(folder: Path, tmp_path: Path) -> None:
    copy = changed(folder, tmp_path, "queue")
    file = copy / "experiments" / "small.parquet"
    frame = pl.read_parquet(file)
    frame.with_columns(x=pl.Series([[0]] * frame.height)).write_parquet(file)
    with pytest.raises(ArchiveError, match=r"small\.parquet: damaged: .* lists"):
        verify(copy, runs=1)
    frame.drop("key").write_parquet(file)
    with pytest.raises(ArchiveError, match=r"small\.parquet: it has no column 'key'"):
        verify(copy, runs=1)
    file.write_bytes(b"PAR1")
    with pytest.raises(ArchiveError, match=r"small\.parquet: damaged"):
        verify(copy, runs=1)


def test_long_runs_are_told_before_any_is_made(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = changed(folder, tmp_path, "queue")
    file = copy / "experiments" / "small.toml"
    text = file.read_text(encoding="utf-8")
    long = re.sub(r'^duration = ".*"$', 'duration = "400h"', text, flags=re.MULTILINE)
    assert long != text
    file.write_text(long, encoding="utf-8")
    (copy / "experiments" / "other.parquet").unlink()

    def made(*_: object) -> dict[Any, Any]:
        messages.append("runs")
        return {}

    messages: list[str] = []
    monkeypatch.setattr("ackclock.tools.archives.verifying._made", made)
    verify(copy, runs=1, tell=lambda estimate: messages.append(str(estimate)))
    assert messages[0].startswith("about ")
    assert messages[1:] == ["runs"]


def test_another_version_is_told_first(folder: Path, tmp_path: Path) -> None:
    copy = changed(folder, tmp_path, "queue")
    about = json.loads((copy / "study.json").read_text(encoding="utf-8"))
    about["versions"]["results_version"] -= 1
    (copy / "study.json").write_text(json.dumps(about), encoding="utf-8")
    messages: list[str] = []
    verification = verify(
        copy, runs=1, warn=messages.append, progress=lambda *_: messages.append("runs")
    )
    assert messages[0] == verification.other_version
    assert f"version {_core.RESULTS_VERSION - 1} of the results made this study" in messages[0]
    assert set(messages[1:]) == {"runs"}


OWN_METRIC = """

from ackclock.metrics import metric


@metric(unit="1")
def busy(result):
    "The share of the time that the link was busy, twice."
    return 2 * result.summary()["links"][0]["utilisation"]
"""


@pytest.mark.long
def test_a_study_with_code_and_files_of_its_own_runs_elsewhere(tmp_path: Path) -> None:
    """A metric, an algorithm, a module that both import, and a trace travel with the study."""
    home, away = tmp_path / "home", tmp_path / "away"
    file = write_study(home)
    (home / "helpers.py").write_text("CUT = 0.5\n", encoding="utf-8")
    (home / "gentle.py").write_text(
        "from ackclock.cc import Avoidance\nfrom helpers import CUT\n\n\nclass Gentle(Avoidance):\n"
        "    def next_cwnd(self, ack, window):\n        return window.cwnd + window.mss * "
        "ack.credited / window.cwnd\n\n"
        "    def ssthresh(self, event, window):\n        return CUT * window.cwnd\n",
        encoding="utf-8",
    )
    (home / "link.trace").write_text("4\n8\n12\n", encoding="utf-8")
    text = EXPERIMENT.replace('"reno", "vegas"', '"reno", "vegas", "python:gentle:Gentle"')
    text = text.replace('rate = "2Mbit/s"', 'rate = { trace = "link.trace" }')
    text = text.replace('["utilisation"', '["utilisation", "python:small:busy"')
    file.write_text(STUDY + OWN_METRIC, encoding="utf-8")
    (home / "small.toml").write_text(text, encoding="utf-8")
    curve = (home / "curve.toml").read_text(encoding="utf-8")
    (home / "curve.toml").write_text(
        curve.replace('rate = "2Mbit/s"', 'rate = { trace = "link.trace" }'), encoding="utf-8"
    )
    (home / "unused.py").write_text("", encoding="utf-8")
    env_run = [sys.executable, "-m", "ackclock", "study"]
    subprocess.run([*env_run, str(file), "--quick", "-q", "--out", "out"], cwd=home, check=True)
    subprocess.run(
        [*env_run, "pack", "out/small", "-o", "../small.zip", "-q"], cwd=home, check=True
    )
    home.rename(away)
    with zipfile.ZipFile(tmp_path / "small.zip") as packed:
        own = {name for name in packed.namelist() if name.startswith("small/study/")}
        experiment = packed.read("small/experiments/small.toml").decode()
        recorded = packed.read("small/experiments/curve-reno.toml").decode()
    assert own == {
        f"small/study/{name}"
        for name in (
            "small.py",
            "small.toml",
            "other.toml",
            "curve.toml",
            "gentle.py",
            "helpers.py",
            "link.trace",
        )
    }
    assert 'folder = "../study"' in experiment
    # No path of the machine that packed it.
    assert 'trace = "../study/link.trace"' in recorded
    assert str(tmp_path) not in experiment + recorded
    (tmp_path / "elsewhere").mkdir()
    done = subprocess.run(
        [*env_run, "verify", "../small.zip", "--share", "0.5"],
        cwd=tmp_path / "elsewhere",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "all the same, to the last bit" in done.stdout


def damaged(archive: Path, change: str) -> Path:
    """The archive with another content of one member, or without it."""
    target = archive.with_name("damaged.zip")
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            if change == "content" and name.endswith("other.parquet"):
                new.writestr(name, b"0")
            elif not (change == "missing" and name.endswith("claims.json")) and not (
                change == "manifest" and "manifest" in name
            ):
                new.writestr(name, old.read(name))
        if change == "outside":
            new.writestr("../evil.txt", b"")
    return target


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("content", "'experiments/other.parquet' in it is not what was packed: take another copy"),
        ("missing", "'claims.json' in it is missing: take another copy"),
        ("manifest", "no archive of a study: it has no manifest.json"),
        ("outside", "'../evil.txt' in it would be unpacked elsewhere"),
    ],
)
def test_a_damaged_archive_is_refused(archive: Path, change: str, said: str) -> None:
    with (
        pytest.raises(ArchiveError, match=said.replace(".", r"\.")),
        opened(damaged(archive, change), OF_STUDIES),
    ):
        pass
    assert not (archive.parent.parent / "evil.txt").exists()


def test_a_cut_off_archive_is_refused(archive: Path) -> None:
    content = archive.read_bytes()
    archive.write_bytes(content[: len(content) // 2])
    assert not is_archive(archive)
    with pytest.raises(ArchiveError, match="no archive of a study"), opened(archive, OF_STUDIES):
        pass


def test_what_is_there_and_no_archive_is_left_alone(folder: Path, tmp_path: Path) -> None:
    thesis = tmp_path / "thesis.zip"
    thesis.write_text("mine", encoding="utf-8")
    with pytest.raises(ArchiveError, match=r"thesis\.zip' is there, and no archive of a study"):
        pack(folder, thesis, OF_STUDIES)
    assert thesis.read_text(encoding="utf-8") == "mine"
    with pytest.raises(ArchiveError, match="there is no folder"):
        pack(folder, tmp_path / "nowhere" / "a.zip", OF_STUDIES)


def test_an_interrupted_packing_leaves_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(zipfile.ZipFile, "writestr", stopped)
    with pytest.raises(KeyboardInterrupt):
        pack(folder, tmp_path / "small.zip")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_several_studies_names_one(folder: Path) -> None:
    with pytest.raises(ArchiveError, match=r"it holds several studies: name one, such as .*small"):
        pack(folder.parent, words=OF_STUDIES)


def test_a_study_of_formulas_has_nothing_to_verify(tmp_path: Path) -> None:
    study = find(str(write_study(tmp_path / "source")))
    without = replace(
        study,
        experiments=(),
        recordings=(),
        claims=(),
        questions=(),
        figures=(),
        items=(),
        readings=(),
    )
    run_study(without, out=tmp_path / "out")
    with pytest.raises(ArchiveError, match="no runs in it"):
        verify(tmp_path / "out" / "small")


def test_the_study_of_the_tests_is_one_file() -> None:
    assert "STUDY = Study(" in STUDY
