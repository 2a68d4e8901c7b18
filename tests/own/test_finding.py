"""A name's class: beside the scenario, in the current folder, on Python's path, or given."""

import os
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

import ackclock as ac
import own_reno
from ackclock.cc import spec_of
from ackclock.scenario.own import Finder
from own_runs import traces
from scripts import run_python

Write = Callable[[str], str]

SCENARIO = """
duration = "2s"
[network]
kind = "dumbbell"
bottleneck = {{ rate = "10Mbit/s", delay = "30ms" }}
[[flows]]
cc = "{cc}"
"""


def window(segments: int) -> str:
    """A module with a class whose window never changes."""
    return textwrap.dedent(f"""
        class Fixed:
            def __init__(self, setup, times=1):
                self.cwnd = {segments} * times * setup.mss
            def on_ack(self, ack): ...
            def on_congestion(self, event): ...
        """)


def largest(result: ac.Result) -> int:
    """Segments."""
    return int(result.flows["cwnd_max"][0]) // 1448


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


def scenario_in(folder: Path, cc: str) -> Path:
    path = folder / "s.toml"
    path.write_text(SCENARIO.format(cc=cc), encoding="utf-8")
    return path


def test_the_folder_of_the_scenario_comes_before_the_current_one(
    write: Write, elsewhere: Path, tmp_path: Path
) -> None:
    name = write(window(20))
    assert largest(ac.run(scenario_in(tmp_path, f"python:{name}:Fixed"))) == 20
    del sys.modules[name]
    assert largest(ac.run(scenario_in(elsewhere, f"python:{name}:Fixed"))) == 20
    del sys.modules[name]
    (elsewhere / f"{name}.py").write_text(window(30), encoding="utf-8")
    scenario = ac.load(scenario_in(elsewhere, f"python:{name}:Fixed"))
    os.chdir(elsewhere.parent.parent)
    assert largest(ac.run(scenario)) == 30
    assert largest(ac.run(scenario.replace({"seed": 2}))) == 30
    assert str(elsewhere) not in sys.path
    assert not list(elsewhere.rglob("*.pyc"))


def test_modules_beside_it_can_be_imported_and_packages_too(write: Write, elsewhere: Path) -> None:
    name = write("")
    package = elsewhere / name / "inner"
    package.mkdir(parents=True)
    (elsewhere / name / "__init__.py").touch()
    (package / "__init__.py").write_text(f"from {name}.base import Fixed", encoding="utf-8")
    (elsewhere / name / "base.py").write_text(window(25), encoding="utf-8")
    scenario = ac.load(scenario_in(elsewhere, f"python:{name}.inner:Fixed(times=2)"))
    assert largest(ac.run(scenario)) == 50
    for module in [module for module in sys.modules if module.startswith(f"{name}.")]:
        del sys.modules[module]


def test_two_modules_of_one_name_are_not_confused(
    write: Write, elsewhere: Path, tmp_path: Path
) -> None:
    name = write(window(20))
    (elsewhere / f"{name}.py").write_text(window(30), encoding="utf-8")
    ac.load(scenario_in(tmp_path, f"python:{name}:Fixed"))
    with pytest.raises(
        ac.ScenarioError,
        match=rf"'{name}' is elsewhere/{name}\.py, but .* imported already from .*{name}\.py",
    ):
        ac.load(scenario_in(elsewhere, f"python:{name}:Fixed"))


def test_a_changed_file_is_read_anew_with_the_next_scenario_and_not_in_between(
    write: Write, tmp_path: Path
) -> None:
    name = write(window(20))
    path = scenario_in(tmp_path, f"python:{name}:Fixed")
    before = ac.load(path)
    (tmp_path / f"{name}.py").write_text(window(30), encoding="utf-8")
    assert largest(ac.run(before)) == 20
    assert largest(ac.run(path)) == 30


def test_what_the_user_imported_is_never_read_anew(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = write(window(20))
    monkeypatch.syspath_prepend(tmp_path)
    fixed = __import__(name).Fixed
    (tmp_path / f"{name}.py").write_text(window(30), encoding="utf-8")
    scenario = ac.dumbbell(rate="10Mbit/s", rtt="60ms", duration="2s", flows=[ac.flow(fixed)])
    assert scenario.flows[0].cc == f"python:{name}:Fixed"
    assert largest(ac.run(scenario)) == 20


def test_a_class_in_python_is_its_name() -> None:
    assert ac.flow(own_reno.Whole).cc == "python:own_reno:Whole"
    assert spec_of(own_reno.Whole, n=3, fast=True) == "python:own_reno:Whole(n=3,fast=true)"
    scenario = ac.dumbbell(rate="10Mbit/s", rtt="60ms", duration="2s", flows=[ac.flow("reno")])
    assert scenario.replace({"flows.cc": own_reno.Reno}).flows[0].cc == "python:own_reno:Reno"
    comparison = ac.compare(scenario, cc=[own_reno.Reno, "reno", f"cos+{spec_of(own_reno.Reno)}"])
    assert comparison.table()["variant"].to_list() == ["Reno", "reno", "cos+Reno"]
    assert comparison.difference("goodput")["difference"].to_list()[0] == 0.0


def test_a_class_that_no_name_leads_to() -> None:
    class Local(own_reno.Whole): ...

    with pytest.raises(
        ac.ScenarioError,
        match="Local is defined inside a function, where no name leads to it: move it to the top",
    ):
        ac.flow(Local)
    again = type("Whole", (own_reno.Whole,), {"__module__": "own_reno", "__qualname__": "Whole"})
    with pytest.raises(
        ac.ScenarioError,
        match="Whole is not what python:own_reno:Whole names: it was defined again since",
    ):
        ac.flow(again)
    with pytest.raises(ac.ScenarioError, match="3 is not a congestion control"):
        ac.flow(3)  # type: ignore[arg-type]


def test_a_script_has_its_class_at_hand_and_others_are_told_to_save_it(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import ackclock as ac\n"
        + window(40)
        + (
            'scenario = ac.dumbbell(rate="10Mbit/s", rtt="60ms", duration="2s", '
            "flows=[ac.flow(Fixed)])\n"
        )
        + "print(int(ac.run(scenario).flows['cwnd_max'][0]) // 1448)\n"
        + 'open("s.toml", "w").write(scenario.to_toml())\n',
        encoding="utf-8",
    )
    done = run_python("script.py", cwd=tmp_path, check=True)
    assert done.stdout.strip() == "40"
    with pytest.raises(
        ac.ScenarioError,
        match="a class of a script or notebook is known there only: save it in a file",
    ):
        ac.load(tmp_path / "s.toml")


def test_a_resolved_scenario_loads_back_to_the_same_plan(write: Write, tmp_path: Path) -> None:
    name = write(window(20))
    scenario = ac.load(scenario_in(tmp_path, f"python:{name}:Fixed(times=2)"))
    (tmp_path / "resolved.toml").write_text(scenario.to_toml(), encoding="utf-8")
    again = ac.load(tmp_path / "resolved.toml")
    assert again.plan() == scenario.plan()
    assert traces(again) == traces(scenario)


def test_what_a_class_stands_for_is_set_and_may_not_be_contradicted(write: Write) -> None:
    name = write("""
        class Paced(CongestionControl):
            implies = {"pacing": "cc", "timestamps": False, "delayed_ack": 1}
            def on_ack(self, ack):
                self.pacing_rate = 4_000_000
            def on_congestion(self, event): ...
        """)
    scenario = ac.dumbbell(
        rate="10Mbit/s", rtt="60ms", duration="5s", flows=[ac.flow(f"python:{name}:Paced")]
    )
    transport = scenario.plan()["flows"][0]["transport"]
    assert (transport["pacing"], transport["timestamps"], transport["delayed_ack_count"]) == (
        "cc",
        False,
        1,
    )
    said = (
        "stands for delayed_ack = 1 and pacing = 'cc' and timestamps = false, which contradicts "
        "transport"
    )
    with pytest.raises(ac.ScenarioError, match=said):
        scenario.replace({"transport": {"pacing": "off"}}).plan()


@pytest.mark.long
def test_the_results_of_a_comparison_can_be_run_again_whatever_its_algorithms_stand_for(
    write: Write, tmp_path: Path
) -> None:
    name = write("""
        class Old(Avoidance):
            implies = {"timestamps": False}
            def next_cwnd(self, ack, window):
                return window.cwnd
            def ssthresh(self, event, window):
                return window.cwnd / 2
        """)
    scenario = ac.dumbbell(rate="10Mbit/s", rtt="60ms", duration="2s", flows=[ac.flow("reno")])
    first = ac.compare(scenario, cc=["reno", "dctcp", "ledbat", f"python:{name}:Old"])
    first.write(tmp_path / "one")
    again = ac.sweep(tmp_path / "one/sweep.toml")
    assert again.table().equals(first.table())


def test_names_that_are_not_its_kind_are_left_to_the_core() -> None:
    assert Finder()("reno", {}) is None
    assert Finder()("julia:mine:Mine", {}) is None
    with pytest.raises(ac.ScenarioError, match="there is no congestion control 'julia:mine:Mine'"):
        ac.flow("julia:mine:Mine")
