"""Phases of flows, on real runs."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ackclock as ac
from ackclock.plot_data.phases import PHASES, Phase, flow_phases
from ackclock.results import Result

if TYPE_CHECKING:
    from pathlib import Path

SCENARIO = """
duration = "{duration}"
[network]
kind = "dumbbell"
bottleneck = {{ rate = "10Mbit/s", delay = "30ms", limit = "1bdp" {more} }}
[[flows]]
cc = "{cc}"
{flow}
[record]
samples = "{samples}"
"""


def run(
    folder: Path,
    cc: str,
    duration: str = "20s",
    more: str = "",
    flow: str = "",
    samples: str = "1ms",
) -> Result:
    file = folder / "phases.toml"
    file.write_text(
        SCENARIO.format(cc=cc, duration=duration, more=more, flow=flow, samples=samples),
        encoding="utf-8",
    )
    return ac.run(ac.load(file))


def names(phases: list[Phase]) -> list[str]:
    return [phase.name for phase in phases]


def total(phases: list[Phase], name: str) -> float:
    return sum(phase.end - phase.start for phase in phases if phase.name == name)


def test_reno_alternates_between_avoidance_and_recovery_after_its_slow_start(
    tmp_path: Path,
) -> None:
    result = run(tmp_path, "reno")
    phases = flow_phases(result, result.series[0])
    assert names(phases)[:4] == [
        "slow start",
        "fast recovery",
        "congestion avoidance",
        "fast recovery",
    ]
    assert names(phases).count("fast recovery") == result.flows["recoveries"][0]
    # Each episode is known to within a sample at either end.
    recovery = result.flows["time_recovery"][0]
    assert total(phases, "fast recovery") == pytest.approx(recovery, abs=0.002 * len(phases))


def test_phases_follow_each_other_without_gaps_from_start_to_end(tmp_path: Path) -> None:
    result = run(tmp_path, "cubic")
    phases = flow_phases(result, result.series[0])
    assert phases[0].start == 0.0
    assert phases[-1].end == result.end_time
    assert all(phase.end == other.start for phase, other in pairwise(phases))
    assert all(phase.name != other.name for phase, other in pairwise(phases))
    assert set(names(phases)) <= set(PHASES)


def test_a_timeout_is_a_phase_of_its_own(tmp_path: Path) -> None:
    result = run(tmp_path, "reno", more=', loss = { kind = "bernoulli", p = 0.3 }')
    phases = flow_phases(result, result.series[0])
    assert result.flows["timeouts"][0] > 0
    assert total(phases, "timeout") == pytest.approx(
        result.flows["time_loss"][0], abs=0.002 * len(phases)
    )


def test_an_ecn_mark_shows_as_a_reduction_and_not_as_recovery(tmp_path: Path) -> None:
    more = ', qdisc = { kind = "red", ecn = true }'
    result = run(tmp_path, "cubic", more=more, flow='transport = { ecn = "classic" }')
    assert result.flows["ecn_reductions"][0] > 0
    assert "ECN reduction" in names(flow_phases(result, result.series[0]))


def test_bbr_shows_its_modes_and_its_parts(tmp_path: Path) -> None:
    result = run(tmp_path, "bbr")
    phases = flow_phases(result, result.series[0])
    assert names(phases)[:5] == ["STARTUP", "DRAIN", "PROBE_BW", "PROBE_RTT", "PROBE_BW"]
    assert total(phases, "PROBE_RTT") == pytest.approx(0.2, abs=0.15)
    parts = flow_phases(result, result.series[0], detail=True)
    assert {"PROBE_BW up", "PROBE_BW down", "PROBE_BW cruise"} <= set(names(parts))
    assert total(phases, "PROBE_BW") == pytest.approx(
        sum(total(parts, f"PROBE_BW {part}") for part in ("up", "down", "cruise"))
    )


def test_bbr3_shows_its_states(tmp_path: Path) -> None:
    result = run(tmp_path, "bbr3")
    assert names(flow_phases(result, result.series[0]))[:3] == ["STARTUP", "DRAIN", "PROBE_BW"]
    parts = set(names(flow_phases(result, result.series[0], detail=True)))
    assert {f"PROBE_BW {part}" for part in ("up", "down", "cruise", "refill")} <= parts


def test_tahoe_has_slow_start_where_others_have_recovery(tmp_path: Path) -> None:
    result = run(tmp_path, "tahoe")
    phase_names = names(flow_phases(result, result.series[0]))
    assert set(phase_names) == {"slow start", "congestion avoidance"}
    assert phase_names.count("slow start") > 2


@pytest.mark.parametrize("cc", ["copa", "pcc-vivace"])
def test_other_whole_controllers_show_their_start(tmp_path: Path, cc: str) -> None:
    result = run(tmp_path, cc, duration="5s")
    assert names(flow_phases(result, result.series[0]))[0] == "slow start"


def test_short_phases_join_the_one_before_on_request(tmp_path: Path) -> None:
    result = run(tmp_path, "reno")
    flow = result.series[0]
    longer = flow_phases(result, flow, least=0.4)
    assert all(phase.end - phase.start >= 0.4 for phase in longer[1:])
    assert longer[-1].end == flow_phases(result, flow)[-1].end


def test_a_parallel_transfer_has_phases_by_subflow_only(tmp_path: Path) -> None:
    result = run(tmp_path, "reno", duration="3s", flow="parallel = 2")
    by_name = {flow.name: flow_phases(result, flow) for flow in result.series}
    assert by_name["flow1"] == []
    assert all(phases for name, phases in by_name.items() if name != "flow1")
    assert set(result.phases()["flow"]) == set(by_name) - {"flow1"}


def test_a_written_result_has_equal_phases(tmp_path: Path) -> None:
    result = run(tmp_path, "bbr", duration="12s", samples="10ms")
    again = Result.load(result.write(tmp_path / "run", report=False))
    assert again.phases(detail=True).equals(result.phases(detail=True))
    assert np.isfinite(result.phases()["end"].to_numpy()).all()
