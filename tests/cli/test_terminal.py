"""Does a command say what it has to say in odd terminals, and in one line why it cannot?"""

import os
import sys
import time
from pathlib import Path

import pytest

from ackclock.cli import main
from ackclock.cli.console import Console
from ackclock.cli.terminal import guarded, sign_of_life
from scripts import ackclock_process, run_python

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("columns", ["0", "1", "-5", "x", "", "²", "1000000000", "9" * 5000])
def test_a_width_at_which_nothing_can_be_read_is_ignored(
    columns: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("LINES", columns)
    with guarded():
        console = Console()
        console.print("word " * 30)
    assert 20 <= console.width <= 1000
    assert capsys.readouterr().out.count("word") == 30


@pytest.mark.long
@pytest.mark.parametrize(
    "variables",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "cp1252"},
    ],
)
def test_a_terminal_without_unicode_gets_plain_signs(variables: dict[str, str]) -> None:
    done = ackclock_process("list", "qdisc", env={**os.environ, **variables}, encoding="cp1252")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert "Error" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_the_output_is_told() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = ackclock_process("list", "qdisc", capture_output=False, stdout=full, stderr=-1)
    assert done.returncode == 1
    assert done.stderr == "cannot write to standard output: No space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="other systems keep a folder that is in use")
def test_a_lost_folder_is_told(tmp_path: Path, capsys: Capture) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    (tmp_path / "a.toml").write_text('duration = "1s"\n', encoding="utf-8")
    before = Path.cwd()
    os.chdir(gone)
    gone.rmdir()
    try:
        with pytest.raises(SystemExit):
            main(["run", str(tmp_path / "a.toml")])
    finally:
        os.chdir(before)
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert "the current folder no longer exists" in message


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit it")
def test_too_small_an_address_space_is_told() -> None:
    code = (
        "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_AS, (4 * 10**8,) * 2); "
        "sys.argv = ['ackclock', 'list', 'cc']; runpy.run_module('ackclock', run_name='__main__')"
    )
    done = run_python("-c", code)
    assert done.returncode == 1
    assert done.stderr == (
        "the address space of this process is limited to 400 MB (ulimit -v); ackclock needs 750 "
        "MB\n"
    )


def test_a_silent_command_gives_a_sign_of_life_once(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr("ackclock.cli.terminal._PATIENCE_UNSEEN_S", 0.01)
    with guarded():
        with sign_of_life():
            time.sleep(0.2)
        with sign_of_life():
            time.sleep(0.05)
    assert capsys.readouterr().err == "working, nothing to show yet; Ctrl-C ends it\n"


def test_a_key_of_very_many_parts_is_refused_at_once(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "dotted.toml"
    file.write_text(f"{'.'.join(['a'] * 50_000)} = 1\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["run", str(file)])
    assert "a key of more than 1000 parts" in capsys.readouterr().err
