"""pie, dualpi2 and prio: from a table to a plan, and what is said of a wrong one."""

from typing import Any

import pytest

import ackclock as ac

MS = 10**9


def plan(qdisc: Any, **options: Any) -> dict[str, Any]:
    given = {
        "rate": "10Mbit/s",
        "rtt": "60ms",
        "flows": [ac.flow("reno")],
        "duration": "10s",
        **options,
    }
    discipline: dict[str, Any] = ac.dumbbell(qdisc=qdisc, **given).plan()["links"][0]["qdisc"]
    return discipline


def test_pie_has_the_defaults_of_tc_and_of_the_rfc() -> None:
    assert plan("pie") == {
        "kind": "pie",
        "limit": {"limit_packets": 1000},
        "control": {
            "target_ps": 15 * MS,
            "tupdate_ps": 15 * MS,
            "alpha": 0.125,
            "beta": 1.25,
            "max_burst_ps": 150 * MS,
            "ecn": False,
            "ecn_prob": 0.1,
            "bytemode": False,
            "dq_rate_estimator": False,
            "mtu_bytes": 1500,
        },
    }


def test_dualpi2_has_the_defaults_of_tc() -> None:
    assert plan("dualpi2") == {
        "kind": "dualpi2",
        "limit": {"limit_packets": 10_000},
        "target_ps": 15 * MS,
        "tupdate_ps": 16 * MS,
        "alpha": 0.16,
        "beta": 3.2,
        "coupling_factor": 2.0,
        "step": {"kind": "time", "ps": MS},
        "min_qlen_step": 0,
        "drop_on_overload": True,
        "drop_enqueue": False,
        "classic_protection": 10,
        "any_ect": False,
        "mtu_bytes": 1500,
    }


# RFC 9332 appendix A.1; iproute2 takes a sixth of the longest round trip for the usual one.
@pytest.mark.parametrize(
    ("given", "target", "tupdate", "alpha", "beta"),
    [
        ({"max_rtt": "90ms"}, 15, 15, 0.1 * 0.015 / 0.0081, 0.3 / 0.09),
        ({"typical_rtt": "15ms"}, 15, 15, 0.1 * 0.015 / 0.0081, 0.3 / 0.09),
        ({"max_rtt": "90ms", "typical_rtt": "60ms"}, 60, 30, 0.1 * 0.03 / 0.0081, 0.3 / 0.09),
    ],
)
def test_round_trips_set_the_controller(
    given: dict[str, str], target: int, tupdate: int, alpha: float, beta: float
) -> None:
    discipline = plan({"kind": "dualpi2", **given})
    assert (discipline["target_ps"], discipline["tupdate_ps"]) == (target * MS, tupdate * MS)
    assert (discipline["alpha"], discipline["beta"]) == pytest.approx((alpha, beta))


def test_the_step_may_be_packets() -> None:
    assert plan({"kind": "dualpi2", "step_thresh": "5 packets"})["step"] == {
        "kind": "packets",
        "count": 5,
    }


def test_each_band_has_the_links_limit() -> None:
    discipline = plan(
        {"kind": "prio", "children": ["fifo", {"kind": "codel", "target": "10ms"}, "pie"]},
        buffer="20 packets",
    )
    assert [child["kind"] for child in discipline["children"]] == ["fifo", "codel", "pie"]
    assert discipline["children"][0] == {"kind": "fifo", "limit_packets": 20}
    assert [child["limit"]["limit_packets"] for child in discipline["children"][1:]] == [20, 20]
    assert discipline["priomap"] == [1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]


def test_priority_is_in_the_plan_of_whoever_sends() -> None:
    scenario = ac.dumbbell(
        rate="10Mbit/s",
        rtt="60ms",
        flows=[
            ac.flow("reno", priority=6),
            ac.flow(app={"kind": "cbr", "rate": "1Mbit/s"}, priority=2),
        ],
        duration="10s",
    )
    plan = scenario.plan()
    assert plan["flows"][0]["priority"] == 6
    assert plan["streams"][0]["priority"] == 2


KEY = "network.bottleneck.qdisc"


@pytest.mark.parametrize(
    ("qdisc", "key", "words"),
    [
        ({"kind": "pie", "alpha": 0.125}, "alpha", ["0.125", "whole number"]),
        ({"kind": "pie", "alpha": 33}, "alpha", ["33", "at most 32"]),
        ({"kind": "pie", "ecn_prob": 101}, "ecn_prob", ["101", "at most 100"]),
        ({"kind": "pie", "targt": "5ms"}, "targt", ["did you mean 'target'"]),
        ({"kind": "pie", "target": "0s"}, "target", ["'0s'", "zero"]),
        ({"kind": "pie", "tupdate": "15ns"}, "tupdate", ["'15ns'", "at least 1us"]),
        ({"kind": "dualpi2", "alpha": 1e308}, "alpha", ["at most 65535"]),
        ({"kind": "dualpi2", "coupling_factor": 0}, "coupling_factor", ["0", "at least 1"]),
        (
            {"kind": "dualpi2", "classic_protection": 101},
            "classic_protection",
            ["101", "at most 100"],
        ),
        (
            {"kind": "dualpi2", "step_thresh": 1},
            "step_thresh",
            ["1 has no unit", "'500ms'", "'20 packets'"],
        ),
        ({"kind": "dualpi2", "step_thresh": "30kB"}, "step_thresh", ["'30kB'", "packets"]),
        (
            {"kind": "dualpi2", "step_thresh": "1.5 packets"},
            "step_thresh",
            ["'1.5 packets'", "whole number"],
        ),
        (
            {"kind": "dualpi2", "max_rtt": "10ms", "typical_rtt": "20ms"},
            "typical_rtt",
            ["'20ms'", "more than max_rtt"],
        ),
        (
            {"kind": "dualpi2", "max_rtt": "100ms", "target": "5ms"},
            "target",
            ["'5ms'", "max_rtt", "leave it out"],
        ),
        ({"kind": "prio", "bands": 1}, "bands", ["1", "at least 2"]),
        ({"kind": "prio", "bands": 2}, "priomap.1", ["no band 2", "0 to 1"]),
        ({"kind": "prio", "priomap": [0, 1]}, "priomap", ["2 entries", "16"]),
        ({"kind": "prio", "children": ["fifo"]}, "children", ["1 entries", "3 bands"]),
        (
            {"kind": "prio", "children": ["fifo", "cdoel", "fifo"]},
            "children.1",
            ["'cdoel'", "did you mean 'codel'"],
        ),
    ],
)
def test_what_is_wrong_is_said(qdisc: dict[str, Any], key: str, words: list[str]) -> None:
    with pytest.raises(ac.ScenarioError) as error:
        plan(qdisc)
    assert error.value.key.removesuffix(".kind") == f"{KEY}.{key}"
    for word in words:
        assert word in str(error.value)


def test_a_priority_is_one_of_sixteen() -> None:
    with pytest.raises(ac.ScenarioError, match=r"priority: 16 .*at most 15"):
        ac.flow("reno", priority=16)
