"""The doctor tells the truth about this machine, and fails only for essential faults."""

import json
import sys
from importlib import metadata

import pytest

from ackclock import _core
from ackclock.cli import main
from ackclock.engine.linux import obstacle
from ackclock.runtime.extras import EXTRAS
from ackclock.tools.doctor import GROUPS, Check, core, examine, kernel, machine
from ackclock.tools.doctor.core import DIGEST, digest, trial
from ackclock.tools.doctor.examining import extras
from scripts import ackclock_command

Capture = pytest.CaptureFixture[str]


def by_name(checks: list[Check]) -> dict[str, Check]:
    return {check.name: check for check in checks}


def status(*words: str) -> object:
    with pytest.raises(SystemExit) as stopped:
        main(words)
    return stopped.value.code


def test_the_trial_run_gives_the_recorded_digest() -> None:
    trial_digest = digest(trial())
    assert trial_digest == DIGEST, (
        f"results have changed: DIGEST in tools/doctor/core.py is {trial_digest}"
    )


def test_another_seed_gives_another_digest() -> None:
    assert digest(trial().replace({"seed": 2})) != DIGEST


def test_all_is_looked_at_without_the_kernel() -> None:
    checks = list(examine(kernel=False))
    assert list(dict.fromkeys(check.group for check in checks)) == [
        group for group in GROUPS if group != "Real kernel"
    ]
    assert not [check for check in checks if check.state == "broken"]
    named = by_name(checks)
    assert named["Python"].value.startswith(".".join(map(str, sys.version_info[:3])))
    assert named["deterministic"].state == "fine"
    assert "million packets/s" in named["speed"].value
    build = _core.build()
    assert (named["core"].state == "limited") == build["has_assertions"]


def test_a_run_with_other_numbers_is_essential(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(core, "DIGEST", "another")
    assert status("doctor", "--no-kernel", "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert report["is_fine"] is False
    [broken] = [check for check in report["checks"] if check["state"] == "broken"]
    assert broken["name"] == "deterministic"
    assert broken["value"].startswith("no: ")


def test_a_broken_engine_is_told_and_no_crash(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def fail(_scenario: object) -> str:
        raise RuntimeError("no such instruction")

    monkeypatch.setattr(core, "digest", fail)
    assert status("doctor", "--no-kernel", "-q") == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "deterministic: the trial run raised RuntimeError: no such instruction\n"


def test_a_missing_extra_has_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    checks = by_name(list(extras()))
    assert set(checks) == set(EXTRAS)
    assert checks["plots"].state == "absent"
    assert checks["plots"].remedy == "pip install 'ackclock[plots]'"


@pytest.mark.parametrize(
    ("version", "state", "said"),
    [
        (None, "absent", "no Rust compiler"),
        ((1, 60), "absent", "rustc 1.60; 1.88 or newer is needed"),
        ((1, 95), "fine", "yes, in a clone: rustc 1.95"),
    ],
)
def test_the_compiler_must_be_new_enough(
    version: tuple[int, int] | None, state: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "_version", lambda _program: version)
    monkeypatch.setattr(machine.shutil, "which", lambda name: f"/bin/{name}")
    rust = by_name(list(machine.compiler()))["in Rust"]
    assert (rust.state, rust.value) == (state, said)


def test_a_machine_without_namespaces_is_told_why(monkeypatch: pytest.MonkeyPatch) -> None:
    import ackclock.engine.linux

    why = "it does not permit user namespaces; sysctl kernel.unprivileged_userns_clone=1"
    monkeypatch.setattr(ackclock.engine.linux, "obstacle", lambda: why, raising=False)
    [_, check] = list(kernel.kernel_backend())
    assert (check.state, check.value) == ("absent", "no: it does not permit user namespaces")
    assert check.remedy == "sysctl kernel.unprivileged_userns_clone=1"


def test_it_fits_80_columns() -> None:
    done = ackclock_command("doctor", "--no-kernel", env={"COLUMNS": "80"})
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert all(group in done.stdout for group in GROUPS if group != "Real kernel")


@pytest.mark.kernel
@pytest.mark.skipif(obstacle() is not None, reason="this machine permits no namespaces")
def test_the_real_kernel_is_measured() -> None:
    checks = by_name(list(kernel.kernel_backend()))
    assert checks["runs scenarios"].state == "fine"
    assert "reno" in checks["congestion controls"].value
    assert checks["timing"].state in {"fine", "limited"}
    assert "late on average" in checks["timing"].value
