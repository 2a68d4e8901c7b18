"""Named standard tests: networks and loads of their sources, and flent's figures."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

import ackclock as ac
from ackclock.cli.group import LazyGroup
from ackclock.tools.testsuites import TESTS, StandardError
from ackclock.tools.testsuites.latency import rrul_figures


def _rtts(plan: Any) -> dict[str, float]:
    """Base RTT of each flow or session, ms."""
    delays = [link["delay_ps"] for link in plan["links"]]
    return {
        flow["name"]: sum(delays[link] for link in (*flow["path"], *flow["reverse_path"])) / 1e9
        for flow in plan["flows"]
    }


@pytest.mark.long
@pytest.mark.parametrize("name", TESTS)
def test_every_test_is_a_scenario_that_loads_back(name: str, tmp_path: Any) -> None:
    scenario = ac.standard(name, cc="bbr")
    file = tmp_path / "test.toml"
    file.write_text(scenario.to_toml(), encoding="utf-8")
    assert ac.load(file).plan() == scenario.plan()


def test_the_nine_pairs_have_the_round_trips_of_table_1() -> None:
    # Table 1 of the draft has them for a central link of 0 ms; the access link's is 2 ms.
    rtts = _rtts(ac.standard("access-link").plan())
    round_trips = {
        round(rtt) - 4 for name, rtt in rtts.items() if "-back" not in name and "-small" not in name
    }
    assert round_trips == {4, 28, 54, 74, 98, 124, 150, 174, 200}


def test_loads_of_a_direction_add_up() -> None:
    flows = ac.standard("access-link", load=0.6).flows
    there = sum(flow.app.load for flow in flows if "-back" not in (flow.name or ""))
    assert there == pytest.approx(0.6, abs=1e-4)


def test_all_paths_of_the_parking_lot_have_60_ms() -> None:
    assert {round(rtt) for rtt in _rtts(ac.standard("multi-hop").plan()).values()} == {60}


def test_ramp_up_has_the_draft_round_trips_and_no_slow_start() -> None:
    plan = ac.standard("ramp-up", rtt="120/30").plan()
    rtts = _rtts(plan)
    assert (round(rtts["existing"]), round(rtts["new"])) == (120, 30)
    (new,) = (flow for flow in plan["flows"] if flow["name"] == "new")
    transport = new["transport"]
    assert transport["initial_ssthresh_bytes"] == transport["initial_window_bytes"]


def test_thirty_steps_come_a_second_apart() -> None:
    plan = ac.standard("transient-steps").plan()
    starts = [stream["start_ps"] / 1e12 for stream in plan["streams"]]
    assert starts == [40 + step for step in range(30)]
    assert sum(stream["app"]["rate_bps"] for stream in plan["streams"]) == 75_000_000


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("rull", {}, "there is no standard test 'rull', only rrul"),
        ("rrul", {"load": 0.5}, "rrul has no option 'load'"),
        ("ramp-up", {"rtt": "40ms"}, "none of the draft's pairs"),
        ("impact", {"cc": "reno"}, "name another by cc"),
        ("fairness", {"rtt": "2ms"}, "less than the 4 ms"),
    ],
)
def test_errors_name_what_is_there(name: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(StandardError) as error:
        ac.standard(name, **options)
    assert said in str(error.value)


def test_fair_queueing_keeps_pings_short_under_load() -> None:
    given = {"rate": "10Mbit/s", "rtt": "40ms", "duration": "10s"}
    fifo = rrul_figures(ac.run(ac.standard("rrul", **given)))
    fair = rrul_figures(ac.run(ac.standard("rrul", qdisc="fq_codel", **given)))
    for figures in (fifo, fair):
        # An idle round trip is the base RTT and the sending of two small packets.
        assert figures.average.idle_mean == pytest.approx(0.0402, abs=0.0003)
        assert [direction.flows for direction in figures.directions] == [4, 4]
        for direction in figures.directions:
            assert direction.sum == pytest.approx(4 * direction.average)
            # Less headers and ACKs of the other direction.
            assert 8e6 < direction.sum < 9.65e6
    # A fifo of a BDP is 40 ms a direction; a packet of 1500 bytes takes 1.2 ms.
    assert fifo.average.mean > 0.07
    assert fair.average.p95 < 0.05


def test_the_command_lists_runs_and_prints(tmp_path: Any) -> None:
    runner = CliRunner()
    listed = runner.invoke(LazyGroup(), ["standard", "list"])
    assert all(name in listed.output for name in TESTS)
    toml = runner.invoke(LazyGroup(), ["standard", "rrul", "--scenario", "--set", "seed=7"])
    assert "seed = 7" in toml.output
    words = ["standard", "tcp_nup", "--streams", "2", "--duration", "3s", "--no-report"]
    done = runner.invoke(LazyGroup(), [*words, "--out", str(tmp_path / "a")])
    assert done.exit_code == 0, done.output
    assert "upload" in done.output
    assert "idle" in done.output
    printed = runner.invoke(LazyGroup(), [*words, "--out", str(tmp_path / "b"), "--json", "-q"])
    figures = json.loads(printed.stdout)
    assert figures["rrul"]["directions"][0]["flows"] == 2
    assert figures["rrul"]["pings"][-1]["name"] == "avg"
