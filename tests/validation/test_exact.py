"""Packet by packet: the first difference of two runs, and the shortest scenario that has it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest

import ackclock as ac
from ackclock.cli import command
from ackclock.engine.linux.virtual.kernels import VirtualKernel
from ackclock.scenario.quantities import time_ps
from ackclock.validation.exact.divergence import VALUES, divergences, lateness
from ackclock.validation.exact.drawing import drawn, shifted
from ackclock.validation.exact.running import compare_exactly
from ackclock.validation.exact.survey import survey
from linux_machine import KERNEL

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.results import Result
    from ackclock.scenario import Scenario

ALL = {"pcap": ["sender", "receiver"], "samples": "1ms"}
NONE = VirtualKernel("none", Path("/nowhere"), KERNEL, 250, "0")


def scenario(cc: str = "reno", *, flows: int = 1, **keys: Any) -> Scenario:
    return ac.dumbbell(
        rate="10Mbit/s",
        rtt="40ms",
        buffer="20packets",
        flows=[ac.flow(cc) for _ in range(flows)],
        duration="2s",
        **keys,
    )


@pytest.fixture
def other(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, Any]], None]:
    """Makes the simulator with other keys stand for the kernel."""

    def stand_in(changes: dict[str, Any]) -> None:
        def run(observed: Scenario, *, virtual: VirtualKernel) -> Result:
            assert virtual is NONE
            return ac.run(observed.replace(changes))

        monkeypatch.setattr("ackclock.engine.linux.run_on_linux", run)

    return stand_in


def test_a_run_is_equal_to_itself_in_every_series() -> None:
    run = ac.run(scenario("cubic", record=ALL))
    found = divergences(run, run)
    assert {it.kind for it in found} == {"segment", "ACK", "window", *VALUES}
    assert all(it.at is None and it.share == 1.0 and it.entries > 0 for it in found)
    assert lateness(run, run, None) == 0.0


def test_a_lost_segment_is_the_first_difference_and_what_follows_from_it_is_later() -> None:
    base = scenario(record=ALL)
    smaller = base.replace({"network.bottleneck.limit": "19packets"})
    theirs, ours = ac.run(smaller), ac.run(base)
    found = divergences(theirs, ours)
    times = [it.at for it in found if it.at is not None]
    assert times == sorted(times)
    lost = next(it for it in found if it.kind == "lost")
    ack = next(it for it in found if it.kind == "ACK")
    assert lost.at is not None
    assert ack.at is not None
    # The packet that the shorter queue drops is missed a one-way delay and the queue later.
    assert 0.02 < ack.at - lost.at < 0.06
    assert "SACK" in ack.kernel + ack.simulated


def test_packets_that_the_end_cuts_off_are_no_difference() -> None:
    base = scenario(record=ALL)
    theirs, ours = ac.run(base), ac.run(base.replace({"duration": "2003ms"}))
    assert ours.packets.height > theirs.packets.height
    assert {it.kind for it in divergences(theirs, ours) if it.at is not None} == set()


def test_the_shortest_scenario_ends_behind_the_difference_with_one_flow(
    other: Callable[[dict[str, Any]], None],
) -> None:
    other({"network.bottleneck.limit": "19packets"})
    (exact,) = compare_exactly([scenario(flows=2)], NONE, workers=1)
    first = exact.first
    assert first is not None
    assert first.at is not None
    assert exact.shortest is not None
    assert len(exact.shortest.flows) == 1
    assert exact.shortest.plan()["duration_ps"] / 1e12 < 2
    assert {name: theirs for name, theirs, _ in exact.figures}["packets lost"] > 0


def test_equal_sides_need_no_shorter_scenario(other: Callable[[dict[str, Any]], None]) -> None:
    other({})
    (exact,) = compare_exactly([scenario()], NONE, workers=1)
    assert exact.first is None
    assert exact.shortest is None
    assert exact.least("segment") == 1.0


def status(*arguments: str) -> object:
    return command.main(["validate", *arguments], prog_name="ackclock", standalone_mode=False)


def test_the_command_says_where_they_part_and_strict_fails(
    other: Callable[[dict[str, Any]], None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setattr("ackclock.engine.linux.virtual.kernels.virtual", lambda _name: NONE)
    file = tmp_path / "s.toml"
    file.write_text(scenario().to_toml(defaults=False), encoding="utf-8")
    other({"network.bottleneck.limit": "19packets"})
    assert status("--virtual", str(file), "--strict") == 1
    said = capsys.readouterr().out
    assert "They part at" in said
    assert "shortest scenario" in said
    other({})
    assert status("--virtual", str(file), "--strict", "--json") == 0
    assert json.loads(capsys.readouterr().out)["scenarios"][0]["equal"] is True
    assert status("--virtual", str(file), str(file)) == 0
    assert "2 of 2 scenarios equal to the end" in capsys.readouterr().out


def test_one_run_of_each_side_leaves_no_place_for_options_of_many() -> None:
    with pytest.raises(click.UsageError, match="leave out"):
        status("--virtual=7.3", "s.toml", "--live")


def test_a_number_and_a_seed_draw_one_scenario_and_others_another() -> None:
    first = drawn(3, 1, ["vegas"])
    assert first.to_toml() == drawn(3, 1, ["vegas"]).to_toml()
    assert first.to_toml() != drawn(4, 1, ["vegas"]).to_toml()
    assert first.to_toml() != drawn(3, 2, ["vegas"]).to_toml()


def test_drawn_scenarios_are_small_and_have_what_they_promise() -> None:
    scenarios = [drawn(number, 1, ["vegas"]) for number in range(60)]
    plans = [scenario.plan() for scenario in scenarios]
    for plan in plans:
        packets = plan["duration_ps"] / 1e12 * plan["links"][0]["rate_bps"] / 12_000
        # Twenty round trips, or a second, can take more on a fast path.
        assert packets < 50e6 * 4 / 12_000
    text = "".join(scenario.to_toml(defaults=False) for scenario in scenarios)
    for word in ("vegas", "reno", "cubic", "bbr", "codel", "pie", "red", "file", "ecn", "loss"):
        assert word in text


def test_shifted_starts_are_within_a_round_trip_and_all_else_stays() -> None:
    base = drawn(3, 1, [])
    other = shifted(base)
    rtt = 2 * time_ps(base.data()["network"]["bottleneck"]["delay"])
    for flow, moved in zip(base.flows, other.flows, strict=True):
        assert 0 < time_ps(str(moved.start)) - time_ps(str(flow.start)) <= rtt
    back = other.replace({f"flows.{at}.start": flow.start for at, flow in enumerate(base.flows)})
    assert back.to_toml() == base.to_toml()


def test_a_survey_counts_the_figures_that_agree(
    other: Callable[[dict[str, Any]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "ackclock.validation.exact.survey.drawn",
        lambda number, _seed, _controls: scenario().replace(
            {"name": f"n{number}", "network.bottleneck.delay": "20ms", "flows.start": "0.01s"}
        ),
    )
    other({})
    same = survey(2, 1, NONE, controls=["reno"], workers=1)
    whole = same.by_figure()[-1]
    assert whole.name == "all figures"
    assert whole.simulator == whole.figures > 0
    assert same.equal("segment") == 2
    other({"network.bottleneck.rate": "8Mbit/s"})
    slower = survey(2, 1, NONE, controls=["reno"], workers=1)
    rows = {row.name: row for row in slower.by_figure()}
    assert rows["goodput, bit/s"].simulator == 0
    assert rows["goodput, bit/s"].kernel == 2
    assert slower.equal("segment") == 0
    assert {row.name for row in slower.by_group()} == {"reno", "queue fifo", "one flow"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--drawn", "3"], "add --virtual"),
        (["--virtual=7.3", "--drawn", "3", "--strict"], "leave out"),
        (["--seed", "3"], "--drawn N"),
    ],
)
def test_drawn_goes_with_virtual_alone(words: list[str], says: str) -> None:
    with pytest.raises(click.UsageError, match=says):
        status(*words)
