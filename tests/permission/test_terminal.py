"""The question in a terminal: no answer but yes runs code, and yes is remembered for the folder."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import subprocess
import sys
import termios
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from foreign_folder import Foreign

pytestmark = [pytest.mark.process, pytest.mark.slow]

_CTRL_C = b"\x03"
_AGAIN_S = 0.5
"""Time after which a user presses Ctrl-C again, s."""


def _take_the_terminal() -> None:
    """Make standard input the terminal of this process, so that its Ctrl-C is a signal."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def answered(foreign: Foreign, answer: bytes) -> tuple[int, str]:
    """Exit status of `ackclock run s.toml` in a terminal, and what the terminal showed."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "ackclock", "run", "s.toml", "-q", "--out", "out"],
        cwd=foreign.folder,
        stdin=theirs,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        preexec_fn=_take_the_terminal,
    )
    os.close(theirs)
    shown = b""
    is_asked = False
    while True:
        if not select.select([ours], [], [], _AGAIN_S)[0]:
            # A signal that comes between Python's last look and its read waits for the next one.
            if is_asked and answer == _CTRL_C:
                os.write(ours, answer)
            continue
        try:
            part = os.read(ours, 4096)
        except OSError:  # Linux's answer when the last writer has gone.
            break
        if not part:
            break
        shown += part
        if not is_asked and b"[y/N]" in shown:
            is_asked = True
            os.write(ours, answer)
    os.close(ours)
    return process.wait(), " ".join(shown.decode().split())


@pytest.mark.parametrize("answer", [b"n\n", b"\n", b"maybe\nn\n"])
def test_no_answer_but_yes_runs_code(answer: bytes, foreign: Foreign) -> None:
    status, shown = answered(foreign, answer)
    assert "s.toml names Python code: planted.py" in shown
    assert f"Trust {foreign.folder} and the folders below?" in shown
    assert status == 2
    assert not foreign.mark.exists()
    assert not (foreign.folder / "out").exists()


@pytest.mark.parametrize("key", [_CTRL_C, b"\x04"], ids=["ctrl-c", "ctrl-d"])
def test_a_key_that_ends_the_question_runs_nothing(key: bytes, foreign: Foreign) -> None:
    status, _ = answered(foreign, key)
    assert status == 130
    assert not foreign.mark.exists()


def test_yes_runs_it_and_the_folder_is_not_asked_for_again(foreign: Foreign) -> None:
    status, shown = answered(foreign, b"y\n")
    assert status == 0
    assert foreign.mark.exists()
    assert shown.count("[y/N]") == 1
    foreign.mark.unlink()
    foreign.write("planted.py", (foreign.folder / "planted.py").read_text() + "\n# An edit.\n")
    status, shown = answered(foreign, b"")
    assert (status, "[y/N]" in shown) == (0, False)
    assert foreign.mark.exists()
