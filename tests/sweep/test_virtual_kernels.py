"""Comparisons and sweeps on kernels in virtual time; the simulator plays the kernels here."""

import threading
import time
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac
from ackclock.engine.linux import LinuxError
from ackclock.engine.linux.virtual.booting import work_in_virtual_time
from ackclock.engine.linux.virtual.kernels import virtual
from ackclock.scenario import ScenarioError
from ackclock.sweeps.status import status_of
from virtual_kernels import a_real_one, is_alive, keep, played, runs_of


def scenario(**changes: Any) -> ac.Scenario:
    # Reno and CUBIC differ here.
    base = ac.dumbbell(
        rate="5Mbit/s", rtt="60ms", buffer="9 packets", flows=[ac.flow("reno")], duration="4s"
    )
    return base.replace(changes)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cache = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    return cache


def goodputs(result: ac.SweepResult) -> dict[str, list[float]]:
    """Goodput of each seed by the label of the only axis."""
    axis = result.design.axes[0].name
    return {
        label: result.runs.filter(result.runs[axis] == label).sort("seed")["goodput"].to_list()
        for label in result.design.axes[0].labels
    }


def test_two_kernels_are_compared_seed_by_seed_and_the_results_name_them(
    cache: Path, tmp_path: Path
) -> None:
    played(cache, "7.3", digest="aaaa")
    played(cache, "mine", digest="bbbb", cc="cubic")
    on = ["sim", "virtual", "virtual:mine"]
    result = ac.compare(scenario(**{"flows.0.count": 2}), on=on, seeds=2)
    seen = goodputs(result)
    assert list(seen) == ["scenario", "scenario (virtual 7.3)", "scenario (virtual mine)"]
    # The played kernel is the simulator; each seed draws other starts.
    assert seen["scenario"] == seen["scenario (virtual 7.3)"] != seen["scenario (virtual mine)"]
    assert len(set(seen["scenario"])) == 2
    differences = result.difference("goodput").sort("setting")["difference"].to_list()
    assert differences[0] == 0 != differences[1]
    assert result.to_dict()["kernels"] == [
        {"name": "7.3", "release": "7.3.4", "hz": 250, "digest": "aaaa"},
        {"name": "mine", "release": "7.3.4", "hz": 250, "digest": "bbbb"},
    ]
    folder = result.write(tmp_path / "results")
    assert (
        "virtual mine is Linux 7.3.4, 250 Hz, build bbbb." in (folder / "report.html").read_text()
    )
    assert ac.open_sweep(folder).to_dict()["kernels"] == result.to_dict()["kernels"]


def test_the_scenarios_table_can_say_it(cache: Path) -> None:
    played(cache, "mine", digest="aa")
    table = {"on": ["virtual:mine"], "cc": ["reno", "cubic"]}
    assert list(goodputs(ac.compare(scenario(compare=table)))) == [
        "reno (virtual mine)",
        "cubic (virtual mine)",
    ]


def test_the_kernel_is_an_axis_of_a_sweep(cache: Path) -> None:
    played(cache, "7.3", digest="aa")
    played(cache, "mine", digest="bb", cc="cubic")
    axes = [{"on": ["virtual:7.3", "virtual:mine", "sim"]}]
    comparisons = [{"axis": "on", "base": "virtual:mine"}]
    result = ac.sweep(
        scenario(), axes=axes, responses=["goodput"], replications=1, comparisons=comparisons
    )
    seen = goodputs(result)
    assert list(seen) == ["virtual 7.3", "virtual mine", "sim"]
    assert seen["virtual 7.3"] == seen["sim"] != seen["virtual mine"]
    assert set(result.differences["base"]) == {"virtual mine"}


def test_a_kernel_that_was_built_again_shares_no_run_with_its_name(
    cache: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    folder = played(cache, "mine", digest="aa")
    before = goodputs(ac.compare(scenario(), on=["virtual:mine"], store=store))
    ac.compare(scenario(), on=["virtual:mine"], store=store)
    assert len(runs_of(folder)) == 1
    played(cache, "mine", digest="bb", cc="cubic")
    assert goodputs(ac.compare(scenario(), on=["virtual:mine"], store=store)) != before
    assert len(runs_of(folder)) == 2
    # One program under two names is one kernel.
    other = played(cache, "other", digest="bb", cc="cubic")
    result = ac.compare(scenario(), on=["virtual:mine", "virtual:other"], store=store)
    assert runs_of(other) == []
    (same,) = result.design.same
    assert (same.a, same.b) == ("scenario (virtual mine)", "scenario (virtual other)")


def test_kernels_run_beside_each_other(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played(cache, "7.3", digest="aa")
    meeting = threading.Barrier(2, timeout=60)
    monkeypatch.setattr("ackclock.engine.linux.running.work_in_virtual_time", _meet(meeting))
    result = ac.compare(scenario(), on=["virtual"], seeds=2, workers=2)
    assert result.runs.height == 2


def _meet(meeting: threading.Barrier) -> Any:
    def work(*arguments: Any, **options: Any) -> Any:
        meeting.wait()
        return work_in_virtual_time(*arguments, **options)

    return work


@pytest.mark.process
def test_whoever_makes_the_runs_every_byte_is_the_same(cache: Path) -> None:
    played(cache, "7.3", digest="aa")
    digests = [
        ac.compare(scenario(), on=["virtual"], seeds=2, executor=executor).runs["digest"].to_list()
        for executor in ("threads", "processes")
    ]
    assert digests[0] == digests[1]


def test_an_interrupted_comparison_leaves_no_kernel_and_goes_on(
    cache: Path, tmp_path: Path
) -> None:
    folder = played(cache, "7.3", digest="aa", pause_s=0.5)
    store = tmp_path / "store"
    shares = []

    def interrupt(now: ac.sweeps.Progress) -> None:
        shares.append(now.share)
        if now.finished and now.share > 0.25:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="1 of 4 runs are kept"):
        ac.compare(scenario(), on=["virtual"], seeds=4, workers=1, store=store, progress=interrupt)
    deadline = time.monotonic() + 5
    while any(map(is_alive, runs_of(folder))) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(is_alive, runs_of(folder)))
    assert any(0 < share < 0.25 for share in shares), "a run tells how far it is"
    begun = len(runs_of(folder))
    ac.compare(scenario(), on=["virtual"], seeds=4, store=store)
    assert len(runs_of(folder)) == begun + 3


@pytest.mark.parametrize(
    ("on", "said"),
    [
        (["virtual:mime"], "there is no kernel 'mime', only mine; did you mean 'mine'?"),
        (["sim", "virtual", "virtual:mine"], "'virtual:mine' is there twice: 'virtual' is it, too"),
        (["virtual:mine", "virtual"], "'virtual' is there twice: 'virtual:mine' is it, too"),
    ],
)
def test_a_name_that_cannot_be_is_refused(cache: Path, on: list[str], said: str) -> None:
    keep(cache, "mine")
    with pytest.raises(ScenarioError) as error:
        ac.compare(scenario(), on=on)
    assert (error.value.key, said in str(error.value)) == ("compare.on", True), error.value


@pytest.mark.usefixtures("cache")
def test_without_any_kernel_the_message_says_how_to_build_one() -> None:
    with pytest.raises(ScenarioError, match=r"compare\.on: .*ackclock kernel build"):
        ac.compare(scenario(), on=["sim", "virtual"])
    with pytest.raises(ScenarioError, match=r"sweep\.axes\.0\.on: .*ackclock kernel build"):
        ac.sweep(scenario(), axes=[{"on": ["sim", "virtual"]}])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"flows.0.cc": "bbr"}, r"kernel 'mine' \(7\.3\.4\) has reno, cubic, dctcp"),
        ({"transport.max_rto": "60s"}, "tcp_rto_max_ms"),
        ({"profile": "rfc"}, "write profile = 'linux'"),
    ],
)
def test_what_a_kernel_lacks_is_refused_before_anything_runs(
    cache: Path, changes: dict[str, Any], said: str
) -> None:
    folder = played(cache, "mine", digest="aa")
    keep(cache, "mine", sysctls=[])
    with pytest.raises(ScenarioError, match=said):
        ac.compare(scenario(**changes), on=["sim", "virtual:mine"])
    assert runs_of(folder) == []


def test_a_kernel_that_is_built_again_meanwhile_ends_the_sweep(cache: Path) -> None:
    played(cache, "mine", digest="aa")

    def build_again(now: ac.sweeps.Progress) -> None:
        if now.finished:
            played(cache, "mine", digest="bb")

    with pytest.raises(LinuxError, match="built again since"):
        ac.compare(scenario(), on=["virtual"], seeds=3, workers=1, progress=build_again)


def test_results_are_read_where_their_kernel_is_not(cache: Path, tmp_path: Path) -> None:
    folder = played(cache, "mine", digest="aa")
    result = ac.compare(scenario(), on=["sim", "virtual"], store=tmp_path / "all" / "runs")
    written = result.write(tmp_path / "all")
    assert status_of(written).complete
    traces = ac.open_sweep(written).traces()
    assert {name: run.engine for name, run in traces.items()} == {
        "scenario": "simulator",
        "scenario (virtual mine)": "linux 6.18.44 (build aa), virtual time",
    }
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    assert ac.open_sweep(written).runs["goodput"].to_list() == result.runs["goodput"].to_list()
    status = status_of(written)
    assert (status.finished, status.runs) == (2, 2)
    with pytest.raises(LinuxError, match="is gone"):
        ac.open_sweep(written).traces()


@pytest.mark.slow
def test_a_real_kernel_and_the_simulator_differ_by_less_than_one_in_a_hundred() -> None:
    kernel = a_real_one()
    base = ac.dumbbell(
        rate="10Mbit/s", rtt="60ms", buffer="50packets", flows=[ac.flow("reno")], duration="3s"
    )
    result = ac.compare(base, on=["sim", f"virtual:{kernel}"], seeds=2)
    simulated, real = goodputs(result).values()
    # Nothing is drawn, so that all seeds are one run.
    assert len(set(real)) == 1
    assert real[0] == pytest.approx(simulated[0], rel=0.01)
    assert virtual(kernel).digest[:12] in result.to_dict()["notes"][0]
