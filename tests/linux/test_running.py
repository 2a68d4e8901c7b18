"""The folder between parent and child is gone with the run; the next run clears others."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac
from ackclock import _core
from ackclock.atomic_io import scratch
from ackclock.atomic_io.staging import Staging
from ackclock.engine.linux import LinuxError, run_on_linux, running
from linux_machine import KERNEL, provenance


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("ackclock.engine.linux.plan.this_kernel", lambda: KERNEL)
    monkeypatch.setattr(running, "require_namespaces", lambda: None)
    return tmp_path


def scenario() -> ac.Scenario:
    return ac.dumbbell(
        rate="5Mbit/s", rtt="20ms", buffer="20 packets", flows=[ac.flow("reno")], duration="1s"
    )


def done(arguments: Sequence[str], _progress: Any) -> Any:
    folder = Path(arguments[0])
    asked = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    assert asked["flows"][0]["cc"] == "reno"
    run = _core.run(json.dumps(asked["plan"]))
    (folder / "run").write_bytes(run.to_bytes())
    return {"timing": {}, "provenance": provenance()}


def test_a_result_needs_no_folder(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "work", done)
    result = run_on_linux(scenario())
    assert list(place.iterdir()) == []
    assert result.samples.flows.height > 0
    assert result.engine == "linux 6.18.44"


def test_a_run_that_fails_leaves_none(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_arguments: Sequence[str], _progress: Any) -> None:
        raise LinuxError("no")

    monkeypatch.setattr(running, "work", fail)
    with pytest.raises(LinuxError):
        run_on_linux(scenario())
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("content", [(), ("lock.new",), ("new", "new/plan.json")])
def test_what_a_killed_run_left_is_removed_and_what_another_uses_is_not(
    place: Path, content: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Killed at any moment: before its folder had anything in it, too.
    killed = Staging.within(place, private=True)
    left = killed.folder
    killed.new.rmdir()
    for name in content:
        (left / name).mkdir() if name == "new" else (left / name).touch()
    killed.release()
    with scratch() as used:
        monkeypatch.setattr(running, "work", done)
        run_on_linux(scenario())
        assert not left.exists()
        assert used.new.exists()
