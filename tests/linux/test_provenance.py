"""When a run's timing counts as disturbed, and where that is shown."""

from pathlib import Path
from typing import Any

import pytest

from ackclock.results import Result
from ackclock.results.provenance import disturbances
from fake_core import FakeCore, FakeScenario, make_plan
from linux_machine import provenance


def made(**changes: Any) -> Result:
    return Result(FakeScenario(), make_plan(), FakeCore(), {}, provenance=provenance(**changes))


def test_a_good_run_is_not_disturbed() -> None:
    assert disturbances(provenance(), [0.06]) == []


@pytest.mark.parametrize(
    ("changes", "rtt", "words"),
    [
        ({"lateness": {"p99": 1.1e-3}}, 0.2, ["1.1 ms", "more than 1 ms"]),
        # 2 % of 4 ms are 80 us.
        ({"lateness": {"p99": 90e-6}}, 0.004, ["90 µs", "2% of the shortest base RTT, 4 ms"]),
        (
            {"lateness": {"p9999": 0.016}},
            0.06,
            ["one packet in 10 000", "16 ms", "25% of the shortest base RTT"],
        ),
        ({"lateness": {"p9999": 0.006}}, 0.004, ["6 ms", "more than 5 ms"]),
        ({"ring_dropped": 3}, 0.06, ["3 packets"]),
        ({"refused": 1}, 0.06, ["1 packet came too fast for a host"]),
        ({"entry_late_max": 2e-3, "late_entries": 2}, 0.06, ["2 ms later", "more than 1 ms"]),
        # A result of an earlier version has no count.
        ({"entry_late_max": 2e-3}, 0.06, ["2 ms later", "more than 1 ms"]),
        ({"late_start": 0.1}, 0.06, ["100 ms after the start"]),
        ({"broken": ["web: Connection timed out"]}, 0.06, ["gave up", "web: Connection timed out"]),
        ({"clock_step": -0.25}, 0.06, ["the clock was set by 250 ms"]),
        (
            {"late_start": 0.1, "stolen": 0.12},
            0.06,
            ["run it again", "the hypervisor gave 12% of its time to others"],
        ),
    ],
)
def test_what_disturbs_a_run(changes: dict[str, Any], rtt: float, words: list[str]) -> None:
    (sentence,) = disturbances(provenance(**changes), [0.3, rtt])
    assert all(word in sentence for word in words), sentence
    assert "run it again" in sentence


def test_a_stall_in_which_the_smallest_buffer_drains_disturbs_a_run() -> None:
    late = provenance(lateness={"p9999": 0.0067})
    # 25 % of 40 ms are 10 ms.
    assert disturbances(late, [0.04]) == disturbances(late, [0.04], 0.0068) == []
    (sentence,) = disturbances(late, [0.04], 0.00384)
    assert "more than the 3.84 ms in which the smallest buffer drains" in sentence
    # A deep buffer permits no more than before.
    later = provenance(lateness={"p9999": 0.011})
    assert "25% of the shortest base RTT" in disturbances(later, [0.04], 0.04)[0]


def test_a_result_knows_its_smallest_buffer() -> None:
    plan = make_plan()
    # 2 packets of 1040 bytes at 1.5 Mbit/s are 11.1 ms, and 25 % of the base RTT more.
    plan["links"][0]["qdisc"]["limit_packets"] = 2
    late = provenance(lateness={"p9999": 0.012})
    result = Result(FakeScenario(), plan, FakeCore(), {}, provenance=late)
    assert "11.1 ms in which the smallest buffer drains" in result.warnings[0]
    assert "drains" not in " ".join(made(lateness={"p9999": 0.012}).warnings)


@pytest.mark.parametrize(
    ("changes", "rtt"),
    [
        ({"lateness": {"p99": 70e-6}}, 0.004),
        ({"lateness": {"p9999": 0.014}}, 0.06),
        # One packet of 12345.
        ({"lateness": {"max": 0.3}}, 0.06),
        ({"entry_late_max": 2e-3, "late_entries": 1}, 0.06),
    ],
)
def test_what_does_not(changes: dict[str, Any], rtt: float) -> None:
    assert disturbances(provenance(**changes), [rtt]) == []


def test_a_result_without_the_quantile_is_judged_by_its_latest_packet() -> None:
    old = provenance()
    del old["lateness"]["p9999"]
    assert disturbances(old, [0.06]) == []
    old["lateness"]["max"] = 0.016
    assert "16 ms late" in disturbances(old, [0.06])[0]


def test_a_disturbed_run_says_so_wherever_it_is_shown(tmp_path: Path) -> None:
    result = made(ring_dropped=1)
    assert result.engine == "linux 6.18.44"
    assert "timing was disturbed" in result.summary()["warnings"][0]
    result.write(tmp_path / "run", plots=False)
    report = (tmp_path / "run/report.html").read_text(encoding="utf-8")
    assert "timing was disturbed" in report
    assert "linux 6.18.44, in real time" in report


@pytest.mark.long
def test_the_provenance_stays_with_the_result(tmp_path: Path) -> None:
    result = made()
    again = Result.load(result.write(tmp_path / "run", plots=False, report=False))
    assert again.provenance == result.provenance == provenance()
    assert again.engine == "linux 6.18.44"
    assert again.plot().svg() == result.plot().svg()


def test_a_simulated_run_has_none(tmp_path: Path) -> None:
    result = Result(FakeScenario(), make_plan(), FakeCore(), {})
    assert (result.provenance, result.engine) == (None, "simulator")
    assert not (result.write(tmp_path / "run", plots=False, report=False) / "linux.json").exists()
