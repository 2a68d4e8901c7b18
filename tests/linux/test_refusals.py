"""A request beyond the kernel's means is refused before anything starts, with place and value."""

from typing import Any

import pytest

import ackclock as ac
from ackclock.engine.linux import Kernel, linux_plan
from ackclock.scenario import Scenario, ScenarioError
from linux_machine import KERNEL


def scenario(
    cc: str = "reno", *, shared: dict[str, Any] | None = None, profile: str = "linux", **flow: Any
) -> Scenario:
    return ac.dumbbell(
        rate="10Mbit/s",
        rtt="60ms",
        buffer="1bdp",
        duration="10s",
        flows=[ac.flow(cc, **flow)],
        profile=profile,
        **({} if shared is None else {"transport": shared}),
    )


def refusal(asked: Scenario, kernel: Kernel = KERNEL) -> ScenarioError:
    with pytest.raises(ScenarioError) as error:
        linux_plan(asked, kernel)
    assert "\n" not in str(error.value)
    return error.value


@pytest.mark.parametrize(
    ("cc", "words"),
    [
        ("vegas", ["'vegas'", "has reno, bbr, cubic"]),
        ("bbr3", ["'bbr3'", "did you mean 'bbr'?"]),
        ("cubic(beta=0.8)", ["beta", "whole machine", "write 'cubic'"]),
        ("hystart+reno", ["begins with classic", "write 'reno'"]),
        ("classic+cubic", ["begins with hystart", "write 'cubic'"]),
        ("bbr(cwnd_gain=3)", ["cwnd_gain", "write 'bbr'"]),
    ],
)
def test_a_congestion_control_that_the_kernel_does_not_have(cc: str, words: list[str]) -> None:
    error = refusal(scenario(cc))
    assert (error.key, error.value) == ("flows.0.cc", cc)
    assert all(word in str(error) for word in words), str(error)


@pytest.mark.parametrize(
    "cc", ["cubic", "hystart+cubic", "cubic(beta=0.7)", "cubic(c = 0.4, beta=0.7)"]
)
def test_another_spelling_of_what_it_has_is_no_reason(cc: str) -> None:
    assert linux_plan(scenario(cc), KERNEL)["flows"][0]["cc"] == "cubic"


@pytest.mark.parametrize(
    ("option", "value", "word"),
    [
        ("ssthresh", "1bdp", "unlimited"),
        ("max_cwnd", "20 packets", "unlimited"),
        ("receive_buffer", "100kB", "64MiB"),
        ("read_rate", "1Mbit/s", "at once"),
        ("ack_counting", "packets", "bytes"),
        ("delayed_ack", 4, "second"),
        ("delayed_ack_timeout", "100ms", "40ms"),
        ("quick_acks", 0, "quick"),
        ("timestamp_clock", "1us", "1ms"),
        ("limited_transmit", False, "true"),
        ("undo", False, "true"),
        ("min_rto_bounds_variance", False, "true"),
        ("initial_rto", "3s", "1s"),
        ("rtt_timing", "one-per-rtt", "every-ack"),
        ("rtt_clock", "10ms", "0s"),
        ("loss_rules", "ns-2", "rfc"),
        ("window_approach", "inflation", "prr-linux"),
        ("pacing", "cwnd", "cc"),
        ("ecn", "l4s", "classic"),
        ("loss_detection", "sack", "'rack'"),
        ("min_rto", "1500us", "milliseconds"),
        ("max_rto", "500ms", "1s to 120s"),
        ("mss", "20000 bytes", "8948"),
        ("mss", "50 bytes", "76"),
        ("header", "40 bytes", "52"),
        ("initial_window", "100 packets", "65535"),
    ],
)
def test_an_option_that_the_kernel_cannot_be_told(option: str, value: object, word: str) -> None:
    for asked, key in (
        (scenario(shared={option: value}), f"transport.{option}"),
        (scenario(transport={option: value}), f"flows.0.transport.{option}"),
    ):
        error = refusal(asked)
        assert (error.key, error.value) == (key, value)
        assert word in str(error), str(error)


def test_the_same_in_other_words_is_no_reason() -> None:
    asked = scenario(
        shared={"delayed_ack_timeout": "0.04s", "receive_buffer": "65536KiB", "min_rto": "0.2s"}
    )
    assert linux_plan(asked, KERNEL)["hosts"][0]["min_rto_ms"] is None


def test_what_follows_from_another_option_is_said_with_the_remedy() -> None:
    error = refusal(scenario(shared={"loss_detection": "dupack"}))
    assert "write window_approach = 'prr-linux'" in str(error)


def test_a_large_mss_needs_a_smaller_initial_window_which_is_said() -> None:
    error = refusal(scenario(shared={"mss": "8948B"}))
    assert error.key == "transport.initial_window"
    assert "with mss = '8948 bytes' it is 89480 bytes" in str(error)
    assert str(error).endswith("write initial_window = '7 packets'")
    possible = scenario(shared={"mss": "8948B", "initial_window": "7 packets"})
    assert linux_plan(possible, KERNEL)["hosts"][0]["initial_window_packets"] == 7


@pytest.mark.parametrize("profile", ["rfc", "classic"])
def test_a_profile_that_is_no_linux_hosts(profile: str) -> None:
    error = refusal(scenario(profile=profile))
    assert (error.key, error.value) == ("profile", profile)
    assert "write profile = 'linux'" in str(error)


def test_rfc_6675_is_gone_from_newer_kernels_only() -> None:
    asked = scenario(shared={"loss_detection": "sack"})
    assert (
        linux_plan(asked, Kernel("6.12.1", ("reno",)))["hosts"][0]["sysctls"]["tcp_recovery"] == "0"
    )
    assert "6.18.44" in str(refusal(asked))


def test_a_class_of_ones_own() -> None:
    error = refusal(scenario("python:own_reno:Reno"))
    assert error.key == "flows.0.cc"
    assert "simulator only" in str(error)


def test_samples_at_every_change() -> None:
    error = refusal(scenario().replace({"record.samples": "changes"}))
    assert error.key == "record.samples"


def test_a_network_without_a_rate_would_measure_the_machine() -> None:
    asked = Scenario.parse(
        {
            "duration": "1s",
            "nodes": [{"name": "a"}, {"name": "b"}],
            "links": [{"from": "a", "to": "b", "rate": "unlimited", "delay": "5ms"}],
            "flows": [{"cc": "reno"}],
        }
    )
    assert "would be the bottleneck" in str(refusal(asked))


@pytest.mark.parametrize("packet", ["10 bytes", "9000 bytes"])
def test_datagrams_of_impossible_sizes(packet: str) -> None:
    stream = {"kind": "cbr", "rate": "1Mbit/s", "packet": packet}
    asked = ac.dumbbell(
        rate="10Mbit/s", rtt="60ms", buffer="1bdp", duration="10s", flows=[ac.flow(app=stream)]
    )
    assert "44 to 9000" in str(refusal(asked))
