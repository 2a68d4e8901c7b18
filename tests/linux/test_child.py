"""How the parent takes what its child says, or its end; the child is a few lines of Python."""

import os
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ackclock.engine.linux import LinuxError, child
from ackclock.scenario import ScenarioError

Worker = Callable[[str], None]


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Worker:
    def become(text: str) -> None:
        monkeypatch.setattr(child, "_WORKER", (sys.executable, "-c", textwrap.dedent(text)))

    return become


def test_its_answer_and_its_progress(worker: Worker) -> None:
    worker(r"""print('{"progress": 0.25}\n{"progress": 1.0}\n{"answer": 7}')""")
    heard: list[float] = []
    assert child.work([], heard.append) == 7
    assert heard == [0.25, 1.0]


def test_an_error_of_the_machine(worker: Worker) -> None:
    worker("""print('{"error": "no namespaces", "kind": "machine"}')""")
    with pytest.raises(LinuxError, match=r"^no namespaces$"):
        child.work([])


def test_an_error_of_the_scenario(worker: Worker) -> None:
    worker("""print('{"error": "too fast", "kind": "scenario", "key": "network"}')""")
    with pytest.raises(ScenarioError, match=r"^network: too fast$"):
        child.work([])


def test_an_end_without_a_word_is_told_with_its_last_words(worker: Worker) -> None:
    worker("import sys; sys.exit('thread main panicked')")
    with pytest.raises(LinuxError, match="status 1: thread main panicked"):
        child.work([])


def test_an_exception_of_the_caller_ends_it(worker: Worker, tmp_path: Path) -> None:
    worker(
        f"""
        import os, pathlib, time
        pathlib.Path({str(tmp_path / "pid")!r}).write_text(str(os.getpid()))
        print('{{"progress": 0.5}}', flush=True)
        time.sleep(100)
        """
    )

    def enough(_share: float) -> None:
        raise KeyboardInterrupt

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        child.work([], enough)
    assert time.monotonic() - began < 50
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
