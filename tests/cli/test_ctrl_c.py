"""Ctrl-C in the first moments, while modules are imported: status 130, one line, nothing left."""

import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from ackclock.runtime import interruption
from ackclock.runtime.interruption import INTERRUPTED, is_ctrl_c
from scripts import ackclock_process, run_python

pytestmark = pytest.mark.process

SCENARIO = Path(__file__).parents[2] / "scenarios" / "reno-one-flow.toml"

# Ctrl-C comes when a module is looked for, which is in the middle of the import of another.
PROGRAM = """
import os, signal, sys
class Presses:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Presses())
import ackclock.__main__
ackclock.__main__.main()
"""


@pytest.mark.long
@pytest.mark.parametrize(
    "module",
    [
        "click",
        "ackclock.cli.group",
        "ackclock.cli.run_command",
        "pydantic",
        "ackclock._core",
        "numpy",
        "polars",
        "matplotlib",
    ],
)
def test_ctrl_c_while_a_module_is_imported(tmp_path: Path, module: str) -> None:
    words = [
        "run",
        str(SCENARIO),
        "--set",
        "duration=2s",
        "--set",
        "warmup=1s",
        "--out",
        "out",
        "--quiet",
    ]
    done = run_python("-c", PROGRAM.format(module=module), *words, cwd=tmp_path, timeout=60)
    if done.returncode == 0:
        # An import near the end: the run was done, whole, before the interruption was heard.
        assert (tmp_path / "out" / "report.html").stat().st_size > 0
        assert [path.name for path in tmp_path.iterdir()] == ["out"]
    else:
        assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", INTERRUPTED)
        assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_ctrl_c_in_an_endless_import_of_the_users_is_heard(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhile True:\n    pass\n",
        encoding="utf-8",
    )
    words = ["run", str(SCENARIO), "--set", "flows.cc=python:endless:Mine"]
    done = ackclock_process(*words, cwd=tmp_path, timeout=60)
    # On a busy machine the watchdog may name the place besides.
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.strip().partition(";")[0] == INTERRUPTED


@pytest.mark.long
def test_ctrl_c_that_python_swallows_is_heard_again(tmp_path: Path) -> None:
    # In __del__ Python prints an exception and goes on.
    (tmp_path / "swallows.py").write_text(
        textwrap.dedent("""
            import os, signal, time
            from ackclock.cc import *
            class Swallows:
                def __del__(self):
                    os.kill(os.getpid(), signal.SIGINT)
                    time.sleep(0)
            class Mine(CongestionControl):
                def on_ack(self, ack):
                    Swallows()
                def on_congestion(self, event): ...
            """),
        encoding="utf-8",
    )
    words = ["run", str(SCENARIO), "--set", "flows.cc=python:swallows:Mine", "--quiet"]
    done = ackclock_process(*words, cwd=tmp_path, timeout=60)
    # On a busy machine the watchdog may name the place besides.
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.strip().partition(";")[0] == INTERRUPTED


# Ctrl-C comes while the engine runs.
IN_THE_ENGINE = """
import os, signal, threading
from ackclock import _core
whole, timers = _core.run, []
# Short runs for the estimate come first. A second Ctrl-C would end the process without a word.
def pressed(*given):
    for timer in timers:
        timer.cancel()
    timers.append(threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)))
    timers[-1].start()
    return whole(*given)
_core.run = pressed
import ackclock.__main__
ackclock.__main__.main()
"""
# A round trip takes 2 us, and a datagram comes once in 10 ms: 5000 round trips of silence, a
# hundred million times.
SILENCE = """
duration = "480h"
record.samples = "off"
network = { kind = "dumbbell", rate = "1Gbit/s", rtt = "2us", buffer = "9 packets" }
flows = [{ app = { kind = "cbr", rate = "400kbit/s", packet = "500 bytes" } }]
"""


def test_ctrl_c_in_a_run_that_is_mostly_silence(tmp_path: Path) -> None:
    (tmp_path / "silence.toml").write_text(SILENCE, encoding="utf-8")
    words = ["run", "silence.toml", "--quiet"]
    done = run_python("-c", IN_THE_ENGINE, *words, cwd=tmp_path, timeout=60)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.splitlines()[-1] == INTERRUPTED
    assert [path.name for path in tmp_path.iterdir()] == ["silence.toml"]


def test_what_code_raises_is_no_ctrl_c() -> None:
    with pytest.raises(KeyboardInterrupt) as by_hand:
        raise KeyboardInterrupt
    assert not is_ctrl_c(by_hand.value)
    assert not is_ctrl_c(SystemExit(0))
    # A signal's comes from the handler, which is no instruction of anybody's code.
    assert is_ctrl_c(KeyboardInterrupt())
    wrapped = RuntimeError("an error that an interrupted import made of it")
    wrapped.__cause__ = KeyboardInterrupt()
    assert is_ctrl_c(wrapped)


ROOT = Path(__file__).parents[2]
# Ctrl-C comes as a function is called.
AT_A_CALL = """
import importlib, os, signal
module, name = {where!r}.rsplit(".", 1)
home = importlib.import_module(module)
whole = getattr(home, name)
def pressed(*given, **more):
    os.kill(os.getpid(), signal.SIGINT)
    return whole(*given, **more)
setattr(home, name, pressed)
import ackclock.__main__
ackclock.__main__.main()
"""
THEORY = [
    "theory",
    "pftk_rate",
    "--loss-rate",
    "1e-4..0.1",
    "--rtt",
    "100ms",
    "--plot",
    "{}/pftk.svg",
]
VALIDATE = ["validate", "reno-10mbit-60ms-1bdp", "--seeds", "1", "--out", "{}/pages", "-q"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "where"),
    [
        (["report", "{}/done", "--out", "{}/page.html"], "ackclock.pages.run.write_text"),
        (["report", "{}/done"], "ackclock.pages.run.write_text"),
        (THEORY, "ackclock.theory.evaluating._result"),
        (THEORY, "ackclock.cli.theory_command._draw"),
        (["theory", "--json"], "ackclock.theory.catalogue.formulas"),
        (VALIDATE, "ackclock.validation.comparing.simulate"),
        (VALIDATE, "ackclock.validation.pictures.write_svg"),
        (VALIDATE, "ackclock.validation.writing.page"),
        (["packetdrill", "--export", "{}/scripts"], "ackclock.packetdrill.kernel.export"),
        (
            ["link-trace", "12Mbit/s", "--duration", "1s", "--out", "{}/a.trace"],
            "ackclock.tools.link_trace.write_bytes",
        ),
    ],
)
def test_ctrl_c_at_work(words: list[str], where: str, tmp_path: Path, done: Path) -> None:
    shutil.copytree(done, tmp_path / "done")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    ended = run_python(
        "-c",
        AT_A_CALL.format(where=where),
        *(word.format(tmp_path) for word in words),
        cwd=ROOT,
        timeout=60,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", f"{INTERRUPTED}\n")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ran") / "done"
    words = [
        "run",
        str(SCENARIO),
        "--set",
        "duration=2s",
        "--set",
        "warmup=1s",
        "--out",
        str(folder),
        "--quiet",
        "--no-plots",
    ]
    subprocess.run([sys.executable, "-m", "ackclock", *words], check=True)
    return folder


@pytest.mark.long
def test_ctrl_c_while_a_text_is_executed_has_the_status_all_the_same(tmp_path: Path) -> None:
    # Python remembers that, and would end itself with the signal.
    (tmp_path / "executes.py").write_text(
        textwrap.dedent("""
            from ackclock.cc import *
            class Mine(CongestionControl):
                def on_ack(self, ack):
                    exec("import os, signal; os.kill(os.getpid(), signal.SIGINT)")
                def on_congestion(self, event): ...
            """),
        encoding="utf-8",
    )
    words = ["run", str(SCENARIO), "--set", "flows.cc=python:executes:Mine", "--quiet"]
    ended = ackclock_process(*words, cwd=tmp_path, timeout=60)
    assert (ended.returncode, ended.stdout) == (130, "")
    assert ended.stderr.startswith(INTERRUPTED)
    assert ended.stderr.count("\n") == 1


def test_an_error_that_a_compiled_module_made_of_ctrl_c_is_ctrl_c(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Two of some thirty runs ended in "a defect of ackclock" after Ctrl-C in the import of the
    # core.
    assert not is_ctrl_c(SystemError("error return without exception set"))
    monkeypatch.setattr(interruption._Heard, "was_raised", True)
    assert is_ctrl_c(SystemError("error return without exception set"))
