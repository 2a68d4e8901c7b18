"""A run that cannot be held is refused in one line with its key; a full table says so."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest

import ackclock
from ackclock.scenario import ScenarioError

MINIMAL = """
duration = "10s"
warmup = "0s"
[network]
kind = "dumbbell"
bottleneck.rate = "10Mbit/s"
bottleneck.delay = "10ms"
[[flows]]
cc = "cubic"
"""
STREAM = 'app = { kind = "cbr", rate = "1Mbit/s" }'


def scenario_of(text: str) -> ackclock.Scenario:
    return ackclock.Scenario.parse(tomllib.loads(text))


def refusal(text: str, changes: dict[str, Any]) -> ScenarioError:
    with pytest.raises(ScenarioError) as caught:
        scenario_of(text).replace(changes).plan()
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("changes", "key", "says"),
    [
        (
            {"network.bottleneck.rate": "1bit/s", "network.bottleneck.limit": "10000 packets"},
            "network.bottleneck.limit",
            "1389 days at 1bit/s",
        ),
        (
            {"network.bottleneck.rate": "10kbit/s", "network.bottleneck.limit": "1000GB"},
            "network.bottleneck.limit",
            "clock counts 213.5 days",
        ),
        (
            {"network.bottleneck.limit": "99999999999999999999 packets"},
            "network.bottleneck.limit",
            "more than the engine counts",
        ),
        ({"network.bottleneck.delay": "300h"}, "flows.0", "base RTT of 25 days"),
        (
            {"network.bottleneck.delay": "20min", "transport.timestamp_clock": "1us"},
            "flows.0.transport.timestamp_clock",
            "wrap within 2147 s",
        ),
        (
            {"transport.mss": "64B", "transport.receive_buffer": "1GiB"},
            "flows.0.transport.receive_buffer",
            "4194304 is the most",
        ),
        (
            {"transport.max_cwnd": "9999999999999999999 packets"},
            "flows.0.transport.max_cwnd",
            "more bytes",
        ),
        (
            {"record.samples": "1us", "duration": "60s"},
            "record.samples",
            "would make 60000000 rows of flows",
        ),
        (
            {"record.samples": "1ms", "duration": "480h", "record.flows": []},
            "record.samples",
            "rows of links",
        ),
    ],
)
def test_what_cannot_be_held_is_refused(changes: dict[str, Any], key: str, says: str) -> None:
    error = refusal(MINIMAL, changes)
    assert error.key == key
    assert says in str(error)


def test_outages_that_come_too_often_are_refused() -> None:
    text = MINIMAL + '[network.bottleneck.outages]\nwindows = [["0s", "1us"]]\nperiod = "2us"\n'
    assert refusal(text, {"duration": "1000s"}).key.startswith("network")


def test_auto_bounds_the_rows_of_links_where_there_are_only_streams() -> None:
    """R1: rows came every 1 ms for any duration, 1.7e9 rows in 480 h."""
    text = MINIMAL.replace('cc = "cubic"', STREAM)
    for duration, seconds in (("10s", 10), ("24h", 86_400), ("480h", 1_728_000)):
        scenario = scenario_of(text).replace({"duration": duration})
        period = scenario.plan()["record"]["samples"]["period_ps"] / 1e12
        assert seconds / period <= 2_000_000
        assert (period == 1e-3) == (duration == "10s")


def test_a_full_table_is_said_in_warnings_and_summary_and_nothing_else_is_lost() -> None:
    whole = ackclock.run(scenario_of(MINIMAL))
    assert "recorded_until" not in whole.summary()
    scenario = scenario_of(MINIMAL).replace({"record.max_size": "100kB"})
    # Without the key in the plan stored sweeps keep their runs.
    assert "max_bytes" not in scenario_of(MINIMAL).plan()["record"]
    assert scenario.plan()["record"]["max_bytes"] == 100_000
    with pytest.raises(ScenarioError, match="would make"):
        scenario.replace({"record.samples": "1ms"}).plan()
    result = ackclock.run(scenario.replace({"record.samples": "changes"}))
    until = result.summary()["recorded_until"]
    assert set(until) == {"flow_samples", "link_samples", "internals"}
    assert any(
        "record of samples of flows was full at" in warning and "record.max_size" in warning
        for warning in result.warnings
    )
    assert result.samples.flows["time"].max() <= until["flow_samples"]
    assert (
        result.summary()["flows"][0]["sent_packets"] == whole.summary()["flows"][0]["sent_packets"]
    )
    json.dumps(result.summary())


@pytest.mark.long
def test_an_instant_without_end_is_an_error_that_names_who_takes_part() -> None:
    text = MINIMAL.replace("10Mbit/s", "18446744Tbit/s").replace("10ms", "0s")
    text = text.replace("[[flows]]", 'bottleneck.limit = "50 packets"\n[[flows]]')
    with pytest.raises(ScenarioError, match=r"time stands still at 0\.000000 s") as caught:
        ackclock.run(scenario_of(text))
    assert len(str(caught.value)) < 300


def test_a_flow_that_starts_after_the_longest_run_is_refused() -> None:
    flows = [
        {"cc": "reno"},
        {"name": "late", "cc": "reno", "count": 2, "start": "uniform(481h, 482h)"},
    ]
    bottleneck = {"rate": "1kbit/s", "delay": "1s", "limit": "9 packets"}
    data = {
        "duration": "480h",
        "network": {"kind": "dumbbell", "bottleneck": bottleneck},
        "flows": flows,
    }
    with pytest.raises(
        ScenarioError,
        match=r"flows\.1\.start: 'uniform\(481h, 482h\)': late\.1 starts at .* s, and the longest "
        r"run",
    ):
        ackclock.Scenario.parse(data).plan()
