"""`ackclock validate` as a user calls it, with the simulator in the kernel's place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import ackclock as ac
from ackclock.atomic_io import recover
from ackclock.atomic_io.names import is_temporary
from ackclock.cli import main
from ackclock.engine import linux
from ackclock.validation import cases, comparing, kernel, writing
from ackclock.validation.storing import repetitions
from killing import kill_at_the_second_move

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT = """
name = "{name}"
description = "One flow."
duration = "4s"
warmup = "1s"
network.kind = "dumbbell"
network.bottleneck = {{ rate = "{rate}", delay = "10ms", limit = "20 packets" }}
flows = [{{ name = "f", cc = "{cc}" }}]
record = {{ samples = "10ms", packets = ["bottleneck"] }}
"""

Capture = pytest.CaptureFixture[str]


def test_without_the_recorded_runs_a_line_says_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cases, "_SOURCE", tmp_path / "nowhere")
    with pytest.raises(SystemExit) as stopped:
        main(["validate"])
    said = capsys.readouterr().err
    assert stopped.value.code == 2
    assert "they are validation/ of https" in said
    assert said.count("\n") == 1


def run_on_linux(
    scenario: ac.Scenario, *, seed: int, progress: Callable[[float], None] | None
) -> ac.Result:
    return ac.run(scenario, seed=seed, progress=progress)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two unrecorded scenarios, and a kernel that agrees with the simulator in everything."""
    for name, cc in (("one", "reno"), ("two", "bbr")):
        (tmp_path / "validation" / name).mkdir(parents=True)
        (tmp_path / "validation" / name / "scenario.toml").write_text(
            TEXT.format(name=name, rate="5Mbit/s", cc=cc), encoding="utf-8"
        )
    (tmp_path / "mine.toml").write_text(
        TEXT.format(name="mine", rate="5Mbit/s", cc="reno"), encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(linux, "obstacle", lambda: None, raising=False)
    monkeypatch.setattr(linux, "run_on_linux", run_on_linux, raising=False)
    return tmp_path


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as stopped:
        main(["validate", *arguments])
    return stopped.value.code


@pytest.mark.long
def test_runs_are_recorded_compared_and_written(folder: Path, capsys: Capture) -> None:
    assert status("--record", "--repetitions", "2", "--seeds", "1", "-q") == 0
    assert repetitions(folder / "validation" / "one" / "linux") == [1, 2]
    assert capsys.readouterr().out == ""
    assert status("--strict", "--out", "here") == 0
    said = capsys.readouterr()
    assert "in 2 scenarios" in said.out
    assert max(len(line) for line in said.out.splitlines()) <= 80
    assert said.err == f"Results: {Path('here/validation.md')}\n"
    assert {path.name for path in (folder / "here" / "validation").iterdir()} == {
        "one.svg",
        "two.svg",
        "summary.svg",
    }
    page = (folder / "here" / "validation.md").read_bytes()
    assert b"| RTT, mean |" in page
    # The same again, and nothing in its way; a note about what is missed no more is named.
    note = '[[miss]]\nscenario = "one"\nmeasure = "period"\ntext = "Why it was."\n'
    (folder / "validation" / "notes.toml").write_text(note, encoding="utf-8")
    assert status("--out", "here") == 0
    assert (
        "validation/notes.toml: nothing of 'period' is missed in 'one' any more"
        in capsys.readouterr().err
    )
    assert (folder / "here" / "validation.md").read_bytes() == page


def test_a_scenario_alone_shows_every_figure(folder: Path, capsys: Capture) -> None:
    assert status("one", "--record", "--repetitions", "1", "--seeds", "1") == 0
    out = capsys.readouterr().out
    assert "one: 8 of 8 bars hold; 1 repetition of the kernel, 1 seed of" in out
    assert "cwnd, trough" in out
    assert max(len(line) for line in out.splitlines()) <= 80
    assert not (folder / "validation" / "two" / "linux").exists()


def test_a_miss_is_no_failure_unless_asked_for(folder: Path, capsys: Capture) -> None:
    assert status("one", "--record", "--repetitions", "1", "--seeds", "1", "-q") == 0
    file = folder / "validation" / "one" / "scenario.toml"
    file.write_text(
        file.read_text(encoding="utf-8").replace("5Mbit/s", "6Mbit/s"), encoding="utf-8"
    )
    assert status("one", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["held"] < document["bars"]
    missed = {
        row["measure"] for row in document["scenarios"][0]["measures"] if row["holds"] is False
    }
    assert "goodput" in missed
    assert status("one", "--strict", "-q") == 1


def test_a_file_is_held_against_runs_made_now(capsys: Capture, folder: Path) -> None:
    assert (
        status("mine.toml", "--live", "--repetitions", "2", "--seeds", "2", "--json", "--strict")
        == 0
    )
    scenario = json.loads(capsys.readouterr().out)["scenarios"][0]
    assert (scenario["scenario"], scenario["repetitions"], scenario["seeds"]) == ("mine", 2, 2)
    assert not (folder / "validation" / "mine").exists()


def test_a_file_need_not_say_what_to_record(folder: Path, capsys: Capture) -> None:
    text = (
        (folder / "mine.toml")
        .read_text(encoding="utf-8")
        .replace('record = { samples = "10ms", packets = ["bottleneck"] }', "")
    )
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    assert status("mine.toml", "--live", "--seeds", "1") == 0
    assert "RTT, p95" in capsys.readouterr().out


def test_on_a_lossy_wire_both_lose_the_same_packets(folder: Path, capsys: Capture) -> None:
    file = folder / "validation" / "one" / "scenario.toml"
    loss = 'limit = "20 packets", loss = { kind = "bernoulli", p = 0.02 }'
    file.write_text(
        file.read_text(encoding="utf-8").replace('limit = "20 packets"', loss), encoding="utf-8"
    )
    assert status("one", "--record", "--repetitions", "2", "--json") == 0
    scenario = json.loads(capsys.readouterr().out)["scenarios"][0]
    assert (scenario["repetitions"], scenario["seeds"], scenario["missed"]) == (2, 2, 0)
    drops = next(row for row in scenario["measures"] if row["measure"] == "drops")
    assert drops["kernel"] == drops["simulated"]


def disturbed_runs(monkeypatch: pytest.MonkeyPatch, disturbed: list[bool]) -> list[int]:
    """The kernel's runs are disturbed in turn as listed; returns the seeds of the runs made."""
    made: list[int] = []

    def run(
        scenario: ac.Scenario, *, seed: int, progress: Callable[[float], None] | None
    ) -> ac.Result:
        made.append(seed)
        return ac.run(scenario, seed=seed, progress=progress)

    def conditions(_result: ac.Result, seed: int) -> dict[str, object]:
        return {
            "kernel": "none",
            "seed": seed,
            "disturbed": ["late"] if disturbed[len(made) - 1] else [],
        }

    monkeypatch.setattr(linux, "run_on_linux", run, raising=False)
    monkeypatch.setattr(kernel, "_conditions", conditions)
    return made


def test_disturbed_runs_are_made_again_and_left_out(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The first is good at its second try, the second never.
    made = disturbed_runs(monkeypatch, [True, False, True, True])
    assert status("one", "--record", "--repetitions", "2", "--retry", "1", "--seeds", "1") == 0
    assert made == [1, 1, 2, 2]
    assert repetitions(folder / "validation" / "one" / "linux") == [1]
    said = " ".join(capsys.readouterr().out.split())
    assert "1 repetition of the kernel" in said
    assert "The machine was disturbed in 1 run of the kernel, which is left out." in said
    made = disturbed_runs(monkeypatch, [True, True])
    assert status("one", "--record", "--repetitions", "1", "--retry", "1", "--seeds", "1") == 0
    assert "and there is no other" in " ".join(capsys.readouterr().out.split())


def test_settings_change_the_simulator_and_live_both(folder: Path, capsys: Capture) -> None:
    assert status("one", "--record", "--repetitions", "1", "--seeds", "1", "-q") == 0
    recorded = (folder / "validation" / "one" / "linux" / "1.json").read_bytes()
    assert status("one", "--seeds", "1", "--set", "network.bottleneck.rate=10Mbit/s", "--json") == 0
    rows = json.loads(capsys.readouterr().out)["scenarios"][0]["measures"]
    goodput = next(row for row in rows if row["measure"] == "goodput")
    assert goodput["simulated"][0] > 1.9 * goodput["kernel"][0]
    live = (
        "one",
        "--live",
        "--repetitions",
        "1",
        "--seeds",
        "1",
        "--set",
        "network.bottleneck.rate=10Mbit/s",
        "--json",
        "--strict",
    )
    assert status(*live) == 0
    scenario = json.loads(capsys.readouterr().out)["scenarios"][0]
    assert scenario["repetitions"] == 1
    assert (
        next(row for row in scenario["measures"] if row["measure"] == "goodput")["kernel"][0] > 9e6
    )
    assert (folder / "validation" / "one" / "linux" / "1.json").read_bytes() == recorded


def test_streams_beside_a_flow_are_no_obstacle(folder: Path, capsys: Capture) -> None:
    file = folder / "mine.toml"
    flows = '{ name = "f", cc = "reno" }, { name = "voice", app = { kind = "voice" } }'
    file.write_text(
        file.read_text(encoding="utf-8").replace('{ name = "f", cc = "reno" }', flows),
        encoding="utf-8",
    )
    assert status("mine.toml", "--live", "--repetitions", "1", "--seeds", "1", "--strict") == 0
    assert "goodput" in capsys.readouterr().out


def test_the_simulator_has_orders_that_the_kernel_had(folder: Path) -> None:
    """Two flows start together: of two kernel runs each has another first, or both the same."""
    file = folder / "mine.toml"
    flows = '{ name = "a", cc = "reno" }, { name = "b", cc = "bbr" }'
    file.write_text(
        file.read_text(encoding="utf-8").replace('{ name = "f", cc = "reno" }', flows),
        encoding="utf-8",
    )
    case = cases.named(file)
    orders = {seed: next(iter(cases.simulate(case.scenario, [seed]))).order for seed in range(1, 9)}
    own = [seed for seed, order in orders.items() if order == orders[1]]
    other = next(seed for seed in orders if seed not in own)
    kernel_runs = [next(iter(cases.simulate(case.scenario, [seed]))) for seed in (1, own[1])]
    alike = list(comparing._simulated(case, kernel_runs, 4))
    assert [run.order for run in alike] == 4 * [orders[1]]
    kernel_runs[1] = next(iter(cases.simulate(case.scenario, [other])))
    both = [run.order for run in comparing._simulated(case, kernel_runs, 4)]
    assert both.count(orders[1]) == both.count(orders[other]) == 2
    # Without recorded orders any will do.
    assert len(list(comparing._simulated(case, [], 3))) == 3


def test_live_runs_stand_beside_recorded_ones(folder: Path, capsys: Capture) -> None:
    assert status("one", "--record", "--repetitions", "2", "--seeds", "1", "-q") == 0
    assert status("one", "--live", "--repetitions", "1", "--seeds", "1", "--json") == 0
    assert json.loads(capsys.readouterr().out)["scenarios"][0]["repetitions"] == 3
    assert repetitions(folder / "validation" / "one" / "linux") == [1, 2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["ones", "--live"],
            "there is no scenario 'ones' in validation/, and no such file; did you mean 'one'?",
        ),
        (
            ["one"],
            (
                "'one': nothing is recorded of it yet; --live runs it on this machine's kernel, "
                "--record keeps the runs"
            ),
        ),
        (
            ["mine.toml"],
            "'mine.toml': nothing is recorded of it; --live runs it on this machine's kernel",
        ),
        (
            ["mine.toml", "--record"],
            "--record: 'mine.toml' is a file; recorded are scenarios of validation/, by name",
        ),
        (["min.toml", "--live"], "min.toml: there is no such file; did you mean 'mine.toml'?"),
        (["one", "--live", "--out", "mine.toml"], "--out: 'mine.toml' is a file; name a folder"),
        (
            ["one", "--live", "--set", "network.colour=1"],
            (
                "validation/one/scenario.toml: network.colour: unknown key (the keys here are: "
                "kind, "
                "bottleneck, access)"
            ),
        ),
        (
            ["one", "--live", "--out", "docs"],
            "--out: docs/validation.md is of all scenarios; name another folder for some of them",
        ),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    folder: Path, capsys: Capture, arguments: list[str], message: str
) -> None:
    assert folder.is_dir()
    assert status(*arguments) == 2
    assert capsys.readouterr().err == f"{message}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--short", "one"],
        ["--short", "--live"],
        ["one", "--repetitions", "2"],
        ["one", "--retry", "2"],
        ["one", "--seeds", "0"],
        ["one", "--record", "--set", "flows.f.cc=bbr"],
    ],
)
def test_options_that_contradict_are_refused(
    folder: Path, capsys: Capture, arguments: list[str]
) -> None:
    assert folder.is_dir()
    assert status(*arguments) == 2
    assert capsys.readouterr().err.startswith("ackclock validate: ")


def test_pictures_of_others_are_left_alone(folder: Path, capsys: Capture) -> None:
    (folder / "here" / "validation").mkdir(parents=True)
    (folder / "here" / "validation" / "thesis.tex").write_text("mine", encoding="utf-8")
    assert status("one", "--live", "--out", "here") == 2
    assert capsys.readouterr().err == (
        f"--out: '{Path('here/validation')}' holds 'thesis.tex', which ackclock did not write; "
        "name another folder\n"
    )


def state(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(is_temporary(part) for part in path.parts)
    }


@pytest.mark.long
def test_a_page_that_cannot_be_written_leaves_the_earlier_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (folder / "here").mkdir()
    (folder / "here" / "notes.txt").write_text("mine", encoding="utf-8")
    assert status("one", "--live", "--repetitions", "1", "--seeds", "1", "--out", "here", "-q") == 0
    before = state(folder / "here")
    assert {"notes.txt", "validation.md", "validation/one.svg", "validation/summary.svg"} == set(
        before
    )

    def full_disk(*_: object) -> str:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(writing, "page", full_disk)
        assert (
            status("two", "--live", "--repetitions", "1", "--seeds", "1", "--out", "here", "-q")
            == 1
        )
    assert "No space left on device" in capsys.readouterr().err
    assert state(folder / "here") == before
    with monkeypatch.context() as patch:
        kill_at_the_second_move(patch)
        # Errors of any kind are told by the command.
        with pytest.raises(SystemExit):
            main(
                [
                    "validate",
                    "two",
                    "--live",
                    "--repetitions",
                    "1",
                    "--seeds",
                    "1",
                    "--out",
                    "here",
                    "-q",
                ]
            )
    recover(folder / "here")
    after = state(folder / "here")
    assert {"notes.txt", "validation.md", "validation/two.svg", "validation/summary.svg"} == set(
        after
    )
    assert "two" in after["validation.md"]


def test_a_folder_that_cannot_be_is_told_before_anything_runs(
    folder: Path, capsys: Capture
) -> None:
    (folder / "file").write_text("mine", encoding="utf-8")
    assert status("one", "--live", "--out", "file/here") == 2
    said = capsys.readouterr().err
    assert said.startswith("--out: 'file/here' cannot be written: ")
    assert said.endswith("file' is a file\n")
    assert status("--random", "5", "--out", "file/here") == 2
    said = capsys.readouterr().err
    assert said.startswith("--out: 'file/here' cannot be written: ")
    assert said.endswith("file' is a file\n")


def test_where_the_kernel_cannot_be_asked_it_is_said_loudly(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linux, "obstacle", lambda: "namespaces are forbidden")
    assert status("one", "--live") == 2
    assert (
        capsys.readouterr().err
        == "--live: this machine cannot run a scenario on its kernel: namespaces are forbidden\n"
    )
    (folder / "validation").rename(folder / "elsewhere")
    assert status("--short") == 0
    loud = (
        "NOTHING WAS VALIDATED: this machine cannot run a scenario on its kernel: namespaces are "
        "forbidden\n"
    )
    assert capsys.readouterr().err == loud
    assert status("--short", "--strict") == 1


def test_short_runs_three_scenarios_of_10_s(folder: Path, capsys: Capture) -> None:
    (folder / "validation").rename(folder / "elsewhere")
    assert status("--short", "--seeds", "1", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert [scenario["scenario"] for scenario in document["scenarios"]] == [
        f"{name}-10s" for name in cases_of_short()
    ]
    assert document["held"] == document["bars"]


def cases_of_short() -> tuple[str, ...]:
    from ackclock.validation.choosing import SHORT

    assert set(SHORT) <= cases.cases(cases._SOURCE).keys()
    return SHORT


def test_every_scenario_has_recordings_enough() -> None:
    known = cases.cases(cases._SOURCE)
    assert len(known) >= 60
    counts = {
        name: len(repetitions(case.recordings))
        for name, case in known.items()
        if case.recordings is not None
    }
    assert counts.keys() == known.keys()
    assert min(counts.values()) >= 2
