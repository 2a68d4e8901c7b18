"""Schedules of a queue's limit: plans, and one line for each mistake."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

import ackclock as ac

S = 10**12
STEPS = [["0s", "1bdp"], ["30s", "8bdp"], ["40s", "20 packets"], ["50s", "unlimited"]]


def links(**bottleneck: Any) -> list[dict[str, Any]]:
    link = {"rate": "10Mbit/s", "delay": "30ms"} | bottleneck
    data = {
        "duration": "60s",
        "network": {"kind": "dumbbell", "bottleneck": link},
        "flows": [{"cc": "reno"}],
    }
    return ac.Scenario.parse(data).plan()["links"][:2]


def test_a_schedule_in_the_plan() -> None:
    forward, reverse = links(limit={"schedule": STEPS})
    assert forward["qdisc"] == {
        "kind": "fifo",
        "limit_bytes": 75_000,
        "later": [
            {"from_ps": 30 * S, "limit_bytes": 600_000},
            {"from_ps": 40 * S, "limit_packets": 20},
            {"from_ps": 50 * S},
        ],
    }
    assert reverse["qdisc"] == forward["qdisc"]
    assert links(limit="1bdp")[0]["qdisc"] == {"kind": "fifo", "limit_bytes": 75_000}


def test_a_schedule_of_one_limit_is_that_limit() -> None:
    assert links(limit={"schedule": [["0s", "2bdp"]]}) == links(limit="2bdp")


def test_dumbbells_parking_lots_and_graphs_have_schedules() -> None:
    limit = {"schedule": STEPS}
    flow = ac.flow("reno")
    one = ac.dumbbell(rate="10Mbit/s", rtt="60ms", buffer=limit, flows=[flow], duration="1s")
    hop = {"rate": "10Mbit/s", "delay": "30ms", "limit": limit}
    row = ac.parking_lot(bottlenecks=[hop, hop], flows=[flow], duration="1s")
    graph = {
        "duration": "1s",
        "nodes": ["a", "b"],
        "links": [{"from": "a", "to": "b", **hop}],
        "flows": [{"cc": "reno", "from": "a", "to": "b"}],
    }
    for scenario in (one, row, ac.Scenario.parse(graph)):
        assert len(scenario.plan()["links"][0]["qdisc"]["later"]) == 3


def test_a_resolved_scenario_has_the_same_plan() -> None:
    scenario = ac.dumbbell(
        rate="10Mbit/s",
        rtt="60ms",
        buffer={"schedule": STEPS},
        flows=[ac.flow("reno")],
        duration="1s",
    )
    written = tomllib.loads(scenario.resolved().to_toml())
    assert ac.Scenario.parse(written).plan() == scenario.plan()


@pytest.mark.parametrize(
    ("bottleneck", "key", "said"),
    [
        ({"limit": {"steps": STEPS}}, "limit", "is not a limit: write text such as '1bdp'"),
        ({"limit": {"schedule": []}}, "limit.schedule", "too short"),
        ({"limit": {"schedule": ["1bdp"]}}, "limit.schedule.0", "is not a step"),
        ({"limit": {"schedule": [["1s", "1bdp"]]}}, "limit.schedule.0", "is at '0s'"),
        (
            {"limit": {"schedule": [["0s", "1bdp"], ["0s", "2bdp"]]}},
            "limit.schedule.1",
            "'0s' is not after the step",
        ),
        ({"limit": {"schedule": [["0s", "1bpd"]]}}, "limit.schedule.0", "is not a queue limit"),
        (
            {"limit": {"schedule": [["0s", "1bdp"], ["1s", "100B"]]}},
            "limit.schedule.1",
            "less than one packet of 1500 bytes",
        ),
        (
            {"qdisc": "codel", "limit": {"schedule": [["0s", "1bdp"], ["1s", "2bdp"]]}},
            "limit",
            "a schedule of limits needs the discipline 'fifo': 'codel' cannot change its limit",
        ),
        (
            {
                "limit": {"schedule": [["0s", "1bdp"], ["1s", "2bdp"]]},
                "reverse": {"qdisc": "fq_codel"},
            },
            "reverse.limit",
            "'fq_codel' cannot change its limit while it runs",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(bottleneck: dict[str, Any], key: str, said: str) -> None:
    with pytest.raises(ac.ScenarioError) as caught:
        links(**bottleneck)
    assert caught.value.key == f"network.bottleneck.{key}"
    assert said in str(caught.value)
