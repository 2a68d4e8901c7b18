"""Does the study that docs/studies.md writes run, and say what stands there? Do its commands?"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "studies.md"


@pytest.mark.long
def test_the_study_of_the_page_runs_as_it_is_written(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    (scenario,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (study,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "vegas.toml").write_text(scenario, encoding="utf-8")
    (tmp_path / "vegas.py").write_text(study, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "vegas.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    said = [line.strip() for line in text.splitlines() if line.startswith("    V-")]
    assert done.stdout.splitlines() == said
    assert (tmp_path / "runs/vegas/index.html").is_file()
    assert "V-F1" in (tmp_path / "runs/vegas/vegas/report.html").read_text(encoding="utf-8")


def matches(said: str, written: str) -> bool:
    """Whether the output is as written; a line of three dots stands for any lines."""
    pattern = "".join(
        "(?:.*\n)*?" if line == "..." else f"{re.escape(line)}\n" for line in written.splitlines()
    )
    return re.fullmatch(pattern, said) is not None


@pytest.mark.long
def test_the_commands_of_the_page_print_what_stands_there(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    sessions = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    steps = [
        step
        for session in sessions
        for step in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", session, re.MULTILINE)
    ]
    assert len(steps) >= 10
    here = {**os.environ, "COLUMNS": "96", "PYTHONIOENCODING": "utf-8"}
    for command, written in steps:
        words = shlex.split(command)
        if words[0] == "sed":
            # As sed -i does it; that of other systems than Linux takes other words.
            old, new = words[2].removeprefix("s/").removesuffix("/").split("/")
            file = tmp_path / words[3]
            before = file.read_text(encoding="utf-8")
            assert before.count(old) == 1, command
            file.write_text(before.replace(old, new), encoding="utf-8")
            continue
        assert words[0] == "ackclock"
        call = [sys.executable, "-m", *words]
        done = subprocess.run(
            call,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=here,
            check=False,
        )
        assert done.returncode in ({0, 1} if words[2] == "check" else {0}), done.stderr
        assert matches(done.stdout, written), f"{command}\n{done.stdout}{done.stderr}"
