"""The README's examples do what the README shows."""

import os
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

README = Path(__file__).parents[1] / "README.md"


def block(language: str) -> str:
    match = re.search(rf"```{language}\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert match, f"the README has no block in {language}"
    return match[1]


def output(folder: Path) -> str:
    (folder / "first.toml").write_text(block("toml"), encoding="utf-8")
    command = [sys.executable, "-m", "ackclock", "run", "first.toml"]
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1"}
    return subprocess.run(
        command, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


@pytest.mark.long
def test_the_example_prints_what_the_readme_shows(tmp_path: Path) -> None:
    shown = [line.rstrip() for line in block("text").splitlines() if line.strip()]
    printed = [line.rstrip() for line in output(tmp_path).splitlines() if line.strip()]
    assert printed == shown
    assert (tmp_path / "runs/first/report.html").exists()


@pytest.mark.long
def test_its_algorithm_of_ones_own_runs_against_others(tmp_path: Path) -> None:
    (tmp_path / "first.toml").write_text(block("toml"), encoding="utf-8")
    (tmp_path / "mine.py").write_text(block("python"), encoding="utf-8")
    command = re.search(
        r"`ackclock (compare [^`]*python:mine:[^`]*)`", README.read_text(encoding="utf-8")
    )
    assert command
    subprocess.run(
        [sys.executable, "-m", "ackclock", *command[1].split()],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    means = pl.read_parquet(tmp_path / "runs/first-comparison/responses.parquet")
    figures: dict[str, list[float | None]] = {}
    for variant, mean in means.select("variant", "mean").iter_rows():
        figures.setdefault(variant, []).append(mean)
    assert list(figures) == ["reno", "Gentle", "hystart+Gentle"]
    assert len(set(map(tuple, figures.values()))) == 3
