"""A comparison on both engines; where the kernel would run, the simulator plays it here."""

import threading
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac
from ackclock.engine import linux
from ackclock.engine.linux import LinuxError, machine
from ackclock.engine.linux.virtual.kernels import VirtualKernel
from ackclock.results import Result
from ackclock.results.provenance import engine_of
from ackclock.scenario import ScenarioError
from linux_machine import KERNEL, provenance


def scenario() -> ac.Scenario:
    return ac.dumbbell(
        rate="5Mbit/s", rtt="20ms", buffer="20 packets", flows=[ac.flow("reno")], duration="1s"
    )


class Played:
    """Takes the kernel's part, and notes who ran when."""

    def __init__(self) -> None:
        self.threads: set[str] = set()
        self.runs: list[tuple[str | None, int]] = []

    def __call__(
        self,
        asked: ac.Scenario,
        *,
        seed: int | None = None,
        progress: Any = None,
        virtual: VirtualKernel | None = None,
    ) -> Result:
        assert (seed, virtual) == (None, None)
        self.threads.add(threading.current_thread().name)
        self.runs.append((asked.flows[0].cc, asked.seed))
        result = ac.run(asked, progress=progress)
        result.provenance = provenance()
        result.brief()["engine"] = engine_of(result.provenance)
        return result


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    player = Played()
    monkeypatch.setattr(linux, "run_on_linux", player, raising=False)
    monkeypatch.setattr(machine, "kernel", lambda: KERNEL)
    monkeypatch.setattr("ackclock.engine.linux.plan.this_kernel", lambda: KERNEL)
    monkeypatch.setattr(machine, "obstacle", lambda: None)
    return player


def test_each_variant_runs_on_both_with_the_same_seeds(played: Played) -> None:
    comparison = ac.compare(scenario(), cc=["reno", "cubic"], seeds=2, on=["sim", "linux"])
    variants = ["reno", "reno (linux)", "cubic", "cubic (linux)"]
    assert comparison.table()["variant"].to_list() == variants
    assert played.runs == [("reno", 1), ("reno", 2), ("cubic", 1), ("cubic", 2)]
    # Beside each other they would disturb each other's time.
    assert played.threads == {"MainThread"}
    assert comparison.design.table()["axes"][0]["on"] == ["sim", "linux"] * 2
    assert comparison.unchanged == [], "engines are no setting of the scenario"


def test_a_run_on_the_kernel_is_kept_and_not_that_of_the_simulator(
    played: Played, tmp_path: Path
) -> None:
    for _ in range(2):
        comparison = ac.compare(scenario(), on=["sim", "linux"], store=tmp_path)
        assert comparison.runs["key"].n_unique() == 2
    assert len(played.runs) == 1


def test_the_scenarios_table_can_say_it(played: Played) -> None:
    comparison = ac.compare(scenario().replace({"compare": {"on": ["linux"]}}))
    assert comparison.table()["variant"].to_list() == ["scenario (linux)"]
    assert len(played.runs) == 1


def test_what_the_kernel_refuses_is_refused_before_anything_runs(played: Played) -> None:
    ran: list[object] = []
    with pytest.raises(ScenarioError, match="'vegas' cannot run on the kernel"):
        ac.compare(scenario(), cc=["reno", "vegas"], on=["sim", "linux"], progress=ran.append)
    assert (ran, played.runs) == ([], [])


def test_so_is_a_machine_that_cannot(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "obstacle", lambda: "no namespaces here")
    with pytest.raises(LinuxError, match="no namespaces here"):
        ac.compare(scenario(), on=["linux"])
    assert played.runs == []


@pytest.mark.parametrize(
    ("on", "words"),
    [(["linus"], "did you mean 'linux'?"), (["sim", "sim"], "twice"), ([], "at least 1")],
)
def test_an_engine_that_does_not_exist(on: list[Any], words: str) -> None:
    with pytest.raises(ScenarioError) as error:
        ac.compare(scenario(), on=on)
    assert error.value.key.startswith("compare.on")
    assert words in str(error.value)
