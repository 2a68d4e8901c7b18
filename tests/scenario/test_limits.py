"""Schedules of a queue's limit: plans, and one line for each mistake."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

import ackclock as ac
from ackclock.scenario.qdisc.queue import Crossing, Queue

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
    dumbbell = ac.dumbbell(rate="10Mbit/s", rtt="60ms", buffer=limit, flows=[flow], duration="1s")
    hop = {"rate": "10Mbit/s", "delay": "30ms", "limit": limit}
    row = ac.parking_lot(bottlenecks=[hop, hop], flows=[flow], duration="1s")
    graph = {
        "duration": "1s",
        "nodes": ["a", "b"],
        "links": [{"from": "a", "to": "b", **hop}],
        "flows": [{"cc": "reno", "from": "a", "to": "b"}],
    }
    for scenario in (dumbbell, row, ac.Scenario.parse(graph)):
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


# 1500-byte packets at 10 Mbit/s with an RTT of 60 ms: the four amounts are nearly equal.
AMOUNTS = {"50 packets": 50, "75kB": 75_000, "1bdp": 75_000, "60ms": 75_000}
DISCIPLINES: list[Any] = [
    "fifo",
    "red",
    {"kind": "step", "threshold": "10 packets"},
    "codel",
    "fq_codel",
    "pie",
    "fq_pie",
    "cobalt",
    "dualpi2",
    "prio",
    "drr",
    {"kind": "tbf", "rate": "10Mbit/s", "burst": "3kB"},
]


def limits_in(plan: Any) -> list[dict[str, int]]:
    if isinstance(plan, list):
        return [limit for inner in plan for limit in limits_in(inner)]
    if not isinstance(plan, dict):
        return []
    own = {key: plan[key] for key in ("limit_packets", "limit_bytes") if key in plan}
    return ([own] if own else []) + [limit for inner in plan.values() for limit in limits_in(inner)]


@pytest.mark.parametrize("text", AMOUNTS)
@pytest.mark.parametrize(
    "qdisc",
    DISCIPLINES,
    ids=[
        str(discipline if isinstance(discipline, str) else discipline["kind"])
        for discipline in DISCIPLINES
    ],
)
def test_every_discipline_takes_all_units_with_one_meaning(qdisc: Any, text: str) -> None:
    forward, reverse = links(qdisc=qdisc, limit=text)
    kind = "limit_packets" if "packets" in text else "limit_bytes"
    for plan in (forward["qdisc"], reverse["qdisc"]):
        plan = {key: value for key, value in plan.items() if key != "threshold"}
        limits = limits_in(plan)
        assert limits
        assert all(limit == {kind: AMOUNTS[text]} for limit in limits)


@pytest.mark.parametrize("text", AMOUNTS)
@pytest.mark.parametrize("kind", ["fq_codel", "fq_pie"])
def test_the_memory_of_flow_queues_takes_all_units(kind: str, text: str) -> None:
    plan = links(qdisc={"kind": kind, "memory_limit": text})[0]["qdisc"]
    assert plan["memory_limit_bytes"] == 75_000


def test_buckets_take_all_units_at_their_own_rate() -> None:
    def burst(text: str) -> int:
        shaper = {"kind": "tbf", "rate": "5Mbit/s", "burst": text}
        size: int = links(qdisc=shaper)[0]["qdisc"]["burst_bytes"]
        return size

    def policed(text: str) -> int:
        size: int = links(policer={"rate": "5Mbit/s", "burst": text})[0]["policer"]["burst_bytes"]
        return size

    for size_of in (burst, policed):
        assert [size_of(text) for text in ("20 packets", "30kB", "48ms", "0.8bdp")] == [30_000] * 4


def test_thresholds_take_all_units() -> None:
    marking = {
        text: links(qdisc={"kind": "step", "threshold": text})[0]["qdisc"]["threshold"]
        for text in AMOUNTS
    }
    assert marking["50 packets"] == {"limit_packets": 50}
    assert marking["75kB"] == marking["1bdp"] == marking["60ms"] == {"limit_bytes": 75_000}
    for text in AMOUNTS:
        red = {"kind": "red", "min_threshold": "2 packets", "max_threshold": text}
        assert links(qdisc=red)[0]["qdisc"]["max_threshold"] == 50


def test_access_links_take_all_units() -> None:
    for text, most in {"50 packets": 50, "75kB": 75_000, "60ms": 75_000, "1bdp": 75_000}.items():
        made = ac.dumbbell(
            rate="100Mbit/s",
            rtt="60ms",
            flows=[ac.flow("reno", access={"rate": "10Mbit/s", "limit": text})],
            duration="1s",
        )
        kind = "limit_packets" if "packets" in text else "limit_bytes"
        assert any(
            link["qdisc"].get(kind) == most for link in made.plan()["links"] if link["rate_bps"]
        )


@pytest.mark.parametrize(
    ("bottleneck", "key", "says"),
    [
        (
            {"qdisc": {"kind": "dualpi2", "step_thresh": "30kB"}},
            "qdisc.step_thresh",
            "it is given in packets ('20 packets'), time at line rate ('500ms')",
        ),
        (
            {"qdisc": {"kind": "tbf", "rate": "1Mbit/s", "burst": "1ms"}},
            "qdisc.burst",
            "less than one packet of 1500 bytes",
        ),
        (
            {"policer": {"rate": "1Mbit/s", "burst": "lots"}},
            "policer.burst",
            "'lots' is not a size of a bucket: it is given in packets",
        ),
    ],
)
def test_an_amount_that_cannot_be_is_told(bottleneck: Any, key: str, says: str) -> None:
    with pytest.raises(ac.ScenarioError) as error:
        links(**bottleneck)
    assert error.value.key == f"network.bottleneck.{key}"
    assert says in error.value.message


def test_an_amount_at_line_rate_on_an_unlimited_link_is_told() -> None:
    queue = Queue("links.0", None, 0, "unlimited", Crossing(1, S, 1500, 1500))
    with pytest.raises(ac.ScenarioError, match="the link is unlimited: write packets or bytes"):
        queue.size_bytes("10ms", "links.0.qdisc.memory_limit")
    idle = Queue("links.0", 10**7, 0, "unlimited", Crossing())
    with pytest.raises(ac.ScenarioError, match="needs the RTT of the flows that cross"):
        idle.size_bytes("1bdp", "links.0.qdisc.memory_limit")
    assert idle.size_bytes("2 packets", "links.0.qdisc.memory_limit") == 3000
