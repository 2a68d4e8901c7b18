"""The kernel's settings for a scenario."""

from typing import Any

import pytest

import ackclock as ac
from ackclock.engine.linux import linux_plan
from linux_machine import KERNEL


def plan_of(flows: list[Any], **options: Any) -> dict[str, Any]:
    scenario = ac.dumbbell(
        rate="10Mbit/s", rtt="60ms", buffer="1bdp", flows=flows, duration="10s", **options
    )
    plan = linux_plan(scenario, KERNEL)
    assert plan["plan"] == scenario.plan()
    return plan


PLAIN = {
    "sysctls": {},
    "initial_window_packets": None,
    "min_rto_ms": None,
    "acks_at_once": False,
    "mtu": 1500,
}


def test_the_kernel_as_it_is_needs_to_be_told_nothing() -> None:
    plan = plan_of([ac.flow("cubic")])
    assert plan["hosts"] == [PLAIN]
    assert plan["flows"] == [{"host": 0, "cc": "cubic", "maxseg": None, "is_nodelay": False}]
    assert plan["streams"] == []


@pytest.mark.parametrize(
    ("options", "sysctls"),
    [
        ({"timestamps": False}, {"tcp_timestamps": "0"}),
        ({"dsack": False}, {"tcp_dsack": "0"}),
        ({"frto": False}, {"tcp_frto": "0"}),
        ({"tail_loss_probe": False}, {"tcp_early_retrans": "0"}),
        ({"idle_restart": False}, {"tcp_slow_start_after_idle": "0"}),
        ({"ecn": "classic"}, {"tcp_ecn": "1"}),
        (
            {
                "loss_detection": "dupack",
                "dupack_recovery": "newreno",
                "window_approach": "prr-linux",
            },
            {"tcp_sack": "0", "tcp_dsack": "0", "tcp_early_retrans": "0"},
        ),
    ],
)
def test_options_that_are_sysctls(options: dict[str, Any], sysctls: dict[str, str]) -> None:
    assert plan_of([ac.flow("reno")], transport=options)["hosts"][0]["sysctls"] == sysctls


@pytest.mark.parametrize("exists", [True, False])
def test_linear_timeouts_of_a_syn_need_a_kernel_that_has_them(
    exists: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        type(KERNEL), "has_sysctl", lambda _, name: exists and name == "tcp_syn_linear_timeouts"
    )
    assert (
        plan_of([ac.flow("reno")], transport={"syn_linear_timeouts": 4})["hosts"][0]["sysctls"]
        == {}
    )
    if exists:
        assert plan_of([ac.flow("reno")], transport={"syn_linear_timeouts": 0})["hosts"][0][
            "sysctls"
        ] == {"tcp_syn_linear_timeouts": "0"}
    else:
        with pytest.raises(
            ac.ScenarioError, match=r"has no tcp_syn_linear_timeouts, as Linux 6\.5 and later have"
        ):
            plan_of([ac.flow("reno")], transport={"syn_linear_timeouts": 0})


def test_options_of_the_route() -> None:
    (host,) = plan_of([ac.flow("reno", initial_window="4 packets")], transport={"min_rto": "50ms"})[
        "hosts"
    ]
    assert (host["initial_window_packets"], host["min_rto_ms"]) == (4, 50)
    (host,) = plan_of([ac.flow("reno")], transport={"delayed_ack": 1, "quick_acks": 0})["hosts"]
    assert host["acks_at_once"] is True
    # RFC 3390 for segments of 1448 bytes: 4380 bytes, three whole segments.
    assert (
        plan_of([ac.flow("reno", initial_window="rfc3390")])["hosts"][0]["initial_window_packets"]
        == 3
    )


@pytest.mark.parametrize(
    ("options", "mtu", "maxseg"),
    [
        ({"mss": "1448 bytes"}, 1500, None),
        ({"mss": "1000 bytes"}, 1500, 1012),
        ({"mss": "1448 bytes", "timestamps": False}, 1500, 1448),
        ({"mss": "1460 bytes", "timestamps": False}, 1500, None),
        ({"mss": "4000 bytes"}, 4052, None),
    ],
)
def test_segments_are_a_device_and_a_socket_option(
    options: dict[str, Any], mtu: int, maxseg: int | None
) -> None:
    plan = plan_of([ac.flow("reno")], transport=options)
    assert (plan["hosts"][0]["mtu"], plan["flows"][0]["maxseg"]) == (mtu, maxseg)


def test_few_flows_have_hosts_of_their_own_and_many_share_them() -> None:
    few = plan_of(
        [
            ac.flow("reno", count=3),
            ac.flow("cubic", initial_window="4 packets"),
            ac.flow(app={"kind": "cbr", "rate": "1Mbit/s"}),
        ]
    )
    assert [flow["host"] for flow in few["flows"]] == [0, 1, 2, 3]
    assert few["streams"] == [4]
    assert len(few["hosts"]) == 5
    many = plan_of(
        [ac.flow("reno", count=40), ac.flow("cubic", count=3, initial_window="4 packets")]
    )
    assert [flow["host"] for flow in many["flows"]] == [0] * 40 + [1] * 3
    assert many["hosts"] == [PLAIN, {**PLAIN, "initial_window_packets": 4}]
