from typing import Any

import pytest

from ackclock.results import Result
from fake_core import FakeCore, FakeScenario, make_plan


class Run:
    """A run whose counters and plan a test changes before its warnings are asked for."""

    def __init__(self, flows: int = 2) -> None:
        self.core = FakeCore(flows)
        self.plan = make_plan(flows)

    def flow(self, index: int, **changes: Any) -> None:
        self.core.flow_counters[index] |= changes

    def link(self, index: int, **changes: Any) -> None:
        self.core.link_counters[index] |= changes

    @property
    def warnings(self) -> list[str]:
        return Result(FakeScenario(), self.plan, self.core, {}).warnings

    @property
    def warning(self) -> str:
        (only,) = self.warnings
        return only


@pytest.fixture
def run() -> Run:
    return Run()


def test_a_run_that_only_its_bottleneck_limited_has_no_warnings(run: Run) -> None:
    assert run.warnings == []


def test_an_access_link_dropped(run: Run) -> None:
    run.link(2, dropped_packets=30, dropped_forced=25, dropped_wire=5)
    assert "25 packets were dropped on access, 1.25 % of the arrivals there" in run.warning
    assert "raise that link's rate or limit" in run.warning


def test_losses_that_the_scenario_asked_for_are_no_warning(run: Run) -> None:
    run.link(2, dropped_packets=30, dropped_wire=30)
    assert run.warnings == []


def test_acknowledgments_were_lost(run: Run) -> None:
    run.link(1, dropped_packets=1, dropped_forced=1)
    assert (
        "lost acknowledgments on the way back: 1 packet was dropped on bottleneck.reverse"
        in run.warning
    )


def test_in_a_network_without_a_named_bottleneck_the_slowest_link_of_a_path_is_meant(
    run: Run,
) -> None:
    for index, link in enumerate(run.plan["links"]):
        link["name"] = run.core.link_counters[index]["name"] = f"l{index}"
    run.link(0, dropped_forced=100, dropped_packets=100)
    assert run.warnings == []
    run.link(2, dropped_forced=100, dropped_packets=100)
    assert "dropped on l2" in run.warning


def test_a_file_was_not_finished(run: Run) -> None:
    run.plan["flows"][0]["app"] = {"kind": "file", "size_bytes": 2_000_000}
    assert run.warning.startswith(
        "Flow f.1 had not finished when the run ended at 20 s (980 kB of 2 MB delivered"
    )
    assert run.warning.endswith("raise duration.")


def test_a_flow_never_started(run: Run) -> None:
    run.plan["flows"][1]["start_ps"] = 30 * 10**12
    run.flow(1, sent_packets=0, active_time=0.0)
    assert run.warning == (
        "Flow f.2 never started: its start, 30 s, is not before the end of the run, 20 s; raise "
        "duration or start earlier."
    )


def test_a_flow_sent_nothing(run: Run) -> None:
    run.flow(1, sent_packets=0, goodput_bytes=0, lost_packets=0, retransmitted_packets=0)
    assert run.warning.startswith("Flow f.2 sent no data in 20 s")


def test_the_warm_up_was_longer_than_the_run(run: Run) -> None:
    run.plan["warmup_ps"] = 25 * 10**12
    assert run.warning.startswith("The run ended at 20 s, before its warm-up of 25 s was over")


def test_little_was_measured_after_the_warm_up(run: Run) -> None:
    run.plan["warmup_ps"] = 15 * 10**12
    assert run.warning.startswith("Only 5 s were measured after a warm-up of 15 s")


def test_a_run_of_a_few_round_trips(run: Run) -> None:
    run.flow(
        0,
        active_time=1.08,
        limited=dict.fromkeys(("cwnd", "receive_window", "application", "pacing", "clamp"), 0.0),
    )
    assert run.warning == "Flow f.1 was measured for only 10 round trips: raise duration."


def test_cos_without_an_initial_ssthresh(run: Run) -> None:
    run.plan["flows"][1]["cc"] = "cos(sigma=2)+reno"
    run.plan["flows"][1]["transport"]["initial_ssthresh_bytes"] = None
    assert run.warning.startswith("Flow f.2 began COS slow start without an initial ssthresh")
    assert '"1bdp"' in run.warning
