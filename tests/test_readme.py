"""The README's example gives the output that the README shows."""

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found, f"the README has no block in {language}"
    return found[1]


def output(folder: Path) -> str:
    (folder / "first.toml").write_text(block("toml"), encoding="utf-8")
    command = [sys.executable, "-m", "ackclock", "run", "first.toml"]
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1"}
    return subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


def test_the_example_prints_what_the_readme_shows(tmp_path: Path) -> None:
    shown = [line.rstrip() for line in block("text").splitlines() if line.strip()]
    printed = [line.rstrip() for line in output(tmp_path).splitlines() if line.strip()]
    assert printed == shown
    assert (tmp_path / "runs/first/report.html").exists()
