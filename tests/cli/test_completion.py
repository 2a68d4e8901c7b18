"""The Tab key: the shell's questions, answered as its own script asks them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ackclock.cli.completion.names import FILE, engines
from scripts import ROOT, ackclock_command
from virtual_kernels import keep

SCENARIO = 'duration = "1s"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scenarios").mkdir()
    for name in ("cubic.toml", "cubist.txt", "reno.toml"):
        (tmp_path / "scenarios" / name).write_text(SCENARIO, encoding="utf-8")
    made = tmp_path / "runs/first"
    made.mkdir(parents=True)
    (made / "contents.json").write_text("{}", encoding="utf-8")
    return tmp_path


def bash(line: str, folder: Path) -> list[str]:
    """Bash's offers at the end of a line, by the script that `ackclock completion` prints."""
    (folder / "bin").mkdir(exist_ok=True)
    program = folder / "bin/ackclock"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ackclock "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    # bash would call the function with these two variables.
    asked = f"""
        PATH="$PWD/bin:$PATH"
        compopt() {{ echo "compopt $1 $2"; }}
        eval "$(ackclock completion bash)"
        COMP_WORDS=({line})
        COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        _ackclock_completion ackclock
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", asked], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1]


@pytest.mark.long
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("ackclock com", ["compare", "completion"]),
        ("ackclock compare --see", ["--seeds", "--seed"]),
        ("ackclock compare --cc reno,cos+cu", ["reno,cos+cubic"]),
        ("ackclock compare --cc hystartp", ["hystartpp+reno"]),
        ("ackclock compare --metric goodput.m", ["goodput.mean", "goodput.min", "goodput.max"]),
        ("ackclock sweep x.toml --responses goodput,utili", ["goodput,utilisation"]),
        ("ackclock run scenarios/cu", ["scenarios/cubic.toml"]),
        ("ackclock run scen", ["compopt -o default", ""]),
        ("ackclock list qd", ["qdisc"]),
        ("ackclock list qdisc fq", ["fq_codel", "fq_pie"]),
        ("ackclock theory rule_of", ["rule_of_thumb"]),
        ("ackclock theory rule_of_thumb --ra", ["--rate"]),
        ("ackclock study cos", ["cos-slow-start"]),
        ("ackclock study ver", ["verify"]),
        ("ackclock study cos-slow-start --qui", ["--quick", "--quiet"]),
        ("ackclock evaluate prag", ["prague"]),
        ("ackclock plot runs/f", ["runs/first"]),
        ("ackclock completion z", ["zsh"]),
        ("ackclock nonsense --x", [""]),
    ],
)
def test_bash_is_offered(line: str, offered: list[str], folder: Path) -> None:
    assert bash(line, folder) == offered


@pytest.mark.parametrize(
    ("shell", "words", "cword", "holds"),
    [
        ("zsh", "ackclock compare --cc cubi", "3", "plain\ncubic\n"),
        ("fish", "ackclock compare --cc cubi", "cubi", "cubic"),
    ],
)
def test_the_other_shells_are_offered_the_summary_too(
    shell: str, words: str, cword: str, holds: str
) -> None:
    question = {"_ACKCLOCK_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": cword}
    done = ackclock_command(env=question)
    assert (done.returncode, done.stderr) == (0, "")
    assert holds in done.stdout
    assert "time since the last loss" in done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_accepts_its_script(shell: str) -> None:
    done = ackclock_command("completion", shell)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"_ACKCLOCK_COMPLETE={shell}_complete" in done.stdout
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=done.stdout, text=True, check=True)


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_fish_is_offered_the_last_of_a_list(folder: Path) -> None:
    asked = 'ackclock completion fish | source; complete -C "ackclock compare --cc reno,cos+cub"'
    program = Path(sys.executable).parent
    done = subprocess.run(
        ["fish", "--no-config", "-c", f'set -x PATH "{program}" $PATH; {asked}'],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "reno,cos+cubic\tA cubic function of the time since the last loss\n"


def test_engines_are_offered_with_the_kernels_that_are_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    keep(tmp_path, "mine")
    nothing: Any = None
    offers = {offer.value: offer.help for offer in engines(nothing, nothing, "sim,virtual")}
    assert list(offers) == ["sim,virtual", "sim,virtual:mine"]
    assert offers["sim,virtual:mine"] == "Linux 7.3.4"


def test_another_shell_is_refused_with_those_that_are_there() -> None:
    done = ackclock_command("completion", "tcsh")
    assert done.returncode == 2
    assert "'tcsh' is none of bash, zsh, fish; did you mean" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_names_are_those_that_the_commands_list() -> None:
    made = subprocess.run(
        [sys.executable, "-c", "from made import text; print(text(), end='')"],
        cwd=ROOT / "tools/names",
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert FILE.read_text(encoding="utf-8") == made, "run: python tools/names"
    assert set(json.loads(made)) == {"cc", "qdisc", "app", "profile", "metric", "formula"}


def test_a_question_imports_no_library_that_is_slow() -> None:
    code = (
        "import os, sys; os.environ.update(COMP_WORDS='ackclock compare --metric goo', "
        "COMP_CWORD='3', _ACKCLOCK_COMPLETE='bash_complete')\n"
        "from ackclock.cli import main\n"
        "try: main([])\n"
        "finally: print(sorted({'polars', 'pydantic', 'rich', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("\n[]\n"), done.stdout
