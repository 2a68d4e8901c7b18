"""Does a first algorithm run as it is, can its test fail, and is nothing overwritten?"""

import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from ackclock.cli import main
from ackclock.templates import KINDS, SkeletonError, write_algorithm
from scripts import ackclock_command, run_python

# The longest name of a test's file in it takes the module's place; each kind has its own.
NAMES = {"avoidance": "gentle-one", "slow-start": "early_end", "controller": "Whole"}
# A change of the algorithm that its test must find.
BREAKS = {
    "avoidance": ("(1 - self.cut) * window.cwnd", "0.9 * window.cwnd"),
    "slow-start": ("return ExitAt(window.cwnd)", "return ack.credited"),
    "controller": ("(1 - self.cut) * self.cwnd", "0.9 * self.cwnd"),
}


def run_pytest(file: Path) -> subprocess.CompletedProcess[str]:
    """Run pytest as a user would, without this repository's settings."""
    alone = ("-p", "no:cacheprovider", "-c", "/dev/null", f"--rootdir={file.parent}")
    return run_python("-m", "pytest", "-q", *alone, file)


# It starts three processes, which load all libraries.
@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_it_runs_as_printed_and_its_test_can_fail(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = NAMES[kind]
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        main(["new", name, "--kind", kind])
    said = capsys.readouterr()
    assert (stopped.value.code, said.err) == (0, "")
    stem = name.replace("-", "_")
    module, test = (tmp_path / name / file for file in (f"{stem}.py", f"test_{stem}.py"))
    assert len(module.read_text(encoding="utf-8").splitlines()) <= 35
    compare = re.search(r"^  ackclock (compare .*)$", said.out, re.MULTILINE)
    assert compare is not None
    shorter = ("--set", "duration=15s", "--seeds", "2")
    done = ackclock_command(*compare[1].split(), *shorter, cwd=tmp_path)
    assert (done.returncode, "Report: " in done.stderr) == (0, True), done.stderr
    [folder] = (tmp_path / "runs").iterdir()
    variants = pl.read_parquet(folder / "responses.parquet")["variant"]
    assert variants.n_unique() == 3

    assert f"  pytest {test.relative_to(tmp_path).as_posix()}\n" in said.out
    passed = run_pytest(test)
    assert passed.returncode == 0, passed.stdout
    text = module.read_text(encoding="utf-8")
    assert BREAKS[kind][0] in text
    module.write_text(text.replace(*BREAKS[kind]), encoding="utf-8")
    assert run_pytest(test).returncode == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("9x", "'9x' is no name for an algorithm: take letters, digits, '-' and '_', a letter fi"),
        ("", "'' is no name for an algorithm"),
        ("a/b", "'a/b' is no name for an algorithm"),
        ("lambda", "'lambda' is no name for an algorithm"),
        ("json", "json.py would stand in the way of Python's own module 'json'"),
        ("click", "click.py would stand in the way of the installed module 'click'"),
        ("Reno", "'reno' is an algorithm of ackclock (ackclock list cc reno): take another name"),
        ("bbr-lowlat", "'bbr-lowlat' is an algorithm of ackclock"),
    ],
)
def test_a_name_that_would_not_do_is_refused(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(SkeletonError, match=f"^{re.escape(said)}"):
        write_algorithm(name, tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text("mine\n", encoding="utf-8")
    done = ackclock_command("new", "mine", "--dir", ".", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("'test_mine.py' is there already, and is left as it is")
    assert [path.name for path in tmp_path.iterdir()] == ["test_mine.py"]
    assert (tmp_path / "test_mine.py").read_text(encoding="utf-8") == "mine\n"


def test_a_kind_that_is_none_is_refused_with_the_nearest() -> None:
    done = ackclock_command("new", "mine", "--kind", "slowstart")
    assert done.returncode == 2
    assert (
        "'slowstart' is none of avoidance, slow-start, controller; did you mean 'slow-start'?"
        in (done.stderr)
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--rust"], "'.' has no sources of ackclock (crates/cc/src/registry/catalogue.rs); --dir"),
        (
            ["--rust", "--kind", "controller"],
            "--kind controller: --rust begins an avoidance or a s",
        ),
    ],
)
def test_rust_needs_the_sources(words: list[str], said: str, tmp_path: Path) -> None:
    done = ackclock_command("new", "mine", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert list(tmp_path.iterdir()) == []


def test_the_modules_stand_beside_other_tests(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_algorithm(name, tmp_path)
    code = "import one, two, test_one; print(one.One.__name__, two.Two.__name__)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "One Two\n"
