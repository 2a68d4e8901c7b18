"""Do the files and commands of docs/test.md work, and say what stands there?"""

import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ackclock.golden import checking
from ackclock.stats import prediction_interval
from scripts import DOCS, ROOT, run_python

TEXT = (DOCS / "test.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.long
@pytest.mark.slow
def test_the_commands_of_the_page_print_what_stands_there(tmp_path: Path) -> None:
    mine, of_pytest = blocks("python")
    shallow, golden = blocks("toml")
    for name, text in (
        ("mine.py", mine),
        ("shallow.toml", shallow),
        ("golden.toml", golden),
        ("test_golden.py", of_pytest),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    here = {**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    steps = [
        step
        for session in blocks("console")
        for step in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", session, re.MULTILINE)
    ]
    assert len(steps) == 7
    for command, written in steps:
        words = shlex.split(command, comments=True)
        if words[0] == "sed":
            # As sed -i does it; that of other systems than Linux takes other words.
            _, old, new, _ = words[2].split("/")
            file = tmp_path / words[3]
            before = file.read_text(encoding="utf-8")
            assert before.count(old) == 1
            file.write_text(before.replace(old, new), encoding="utf-8")
            continue
        if words[0] == "cp":
            shutil.copy(tmp_path / words[1], tmp_path / words[2])
            continue
        match = re.search(r"# exit status (\d)", command)
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=here,
            check=False,
        )
        assert done.returncode == (int(match[1]) if match else 0), done.stderr
        said = "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
        assert said == written, f"{command}\n{done.stdout}{done.stderr}"
    assert (tmp_path / "report.xml").is_file()
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_golden.py"]
    done = run_python(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.long
def test_the_example_passes_as_it_was_recorded(tmp_path: Path) -> None:
    words = ["test", ROOT / "golden/golden.toml", "--out", tmp_path / "out", "--json"]
    done = run_python("-m", "ackclock", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(json.loads(done.stdout)["checks"]) == 10


def test_the_table_of_widths_is_as_computed() -> None:
    rows = re.findall(r"^\| (\d+), (\d+) \| ([\d.]+) \| ([\d.]+)[^|]*\| ([\d.]+)", TEXT, re.M)
    assert len(rows) == 4
    for recorded, tested, *widths in rows:
        count = int(recorded)
        # Values of mean 0 and deviation 1.
        values = [-1.0, 1.0] * (count // 2) if count % 2 == 0 else [-2.0, 2.0, 0.0, 0.0, 0.0]
        scale = ((count - 1) / sum(value * value for value in values)) ** 0.5
        for figures, width in zip((1, 10, 50), widths, strict=True):
            high = prediction_interval(
                [scale * value for value in values], int(tested), 1 - 0.01 / figures
            )[1]
            assert f"{high:.1f}" == width


def test_the_examples_of_the_docstrings_give_what_they_show(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testmod(checking)
    assert result.attempted > 0
    assert result.failed == 0
