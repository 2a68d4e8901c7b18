"""tbf, drr and policers: their plans, and what is said of wrong ones."""

from __future__ import annotations

from typing import Any

import pytest

import ackclock as ac


def link(**bottleneck: Any) -> dict[str, Any]:
    scenario = {
        "duration": "1s",
        "network": {
            "kind": "dumbbell",
            "bottleneck": {"rate": "100Mbit/s", "delay": "10ms", **bottleneck},
        },
        "flows": [{"cc": "reno"}],
    }
    links: list[dict[str, Any]] = ac.Scenario.parse(scenario).plan()["links"]
    return links[0]


def tbf(**options: Any) -> dict[str, Any]:
    return {"kind": "tbf", "rate": "8Mbit/s", "burst": "30kB", **options}


def test_latency_is_a_limit_as_tc_computes_it() -> None:
    # 8 Mbit/s x 50 ms + 30 kB, and 10 Mbit/s x 50 ms + 1.5 kB with a peak.
    assert link(qdisc=tbf(latency="50ms"))["qdisc"]["qdisc"] == {
        "kind": "fifo",
        "limit_bytes": 80_000,
    }
    peak = link(qdisc=tbf(latency="50ms", peakrate="10Mbit/s", mtu="1500 bytes"))["qdisc"]
    assert peak["qdisc"] == {"kind": "fifo", "limit_bytes": 64_000}
    assert peak["peak"] == {"rate_bps": 10_000_000, "mtu_bytes": 1500}


def test_a_bdp_and_a_time_are_at_the_shapers_rate() -> None:
    # The base RTT is 20 ms.
    assert link(qdisc=tbf())["qdisc"]["qdisc"]["limit_bytes"] == 20_000
    assert link(qdisc=tbf(), limit="10ms")["qdisc"]["qdisc"]["limit_bytes"] == 10_000
    assert link(qdisc=tbf(qdisc="codel"), limit="50 packets")["qdisc"]["qdisc"]["limit"] == {
        "limit_packets": 50
    }


def test_quanta_and_policers() -> None:
    drr = link(qdisc={"kind": "drr", "by": "priority", "quanta": {"10": "4kB", "2": "3000 bytes"}})[
        "qdisc"
    ]
    assert drr["quanta"] == [[2, 3000], [10, 4000]]
    assert drr["quantum_bytes"] == 1500
    policed = link(policer={"rate": "5Mbit/s", "burst": "20kB"})
    assert policed["policer"] == {"rate_bps": 5_000_000, "burst_bytes": 20_000}


# What the bottleneck says, the key named, and words of the message.
WRONG: list[tuple[dict[str, Any], str, list[str]]] = [
    ({"qdisc": "tbf"}, "qdisc", ["rate"]),
    (
        {"qdisc": tbf(burst="1000 bytes")},
        "qdisc.burst",
        ["1000 bytes", "less than one packet of 1500 bytes"],
    ),
    ({"qdisc": tbf(peakrate="20Mbit/s")}, "qdisc.peakrate", ["mtu"]),
    ({"qdisc": tbf(mtu="1500 bytes")}, "qdisc.mtu", ["peakrate"]),
    ({"qdisc": tbf(peakrate="8Mbit/s", mtu="1500 bytes")}, "qdisc.peakrate", ["above the rate"]),
    ({"qdisc": tbf(latency="50ms"), "limit": "30kB"}, "qdisc.latency", ["30kB", "one of the two"]),
    ({"qdisc": tbf(qdisc="codle")}, "qdisc", ["codel"]),
    ({"qdisc": {"kind": "drr", "quanta": {"1": "3kB"}}}, "quanta", ["by = 'priority'"]),
    (
        {"qdisc": {"kind": "drr", "by": "priority", "quanta": {"16": "3kB"}}},
        "quanta.16",
        ["0 to 15"],
    ),
    ({"qdisc": {"kind": "drr", "by": "flows"}}, "by", ["flow"]),
    ({"policer": {"rate": "5Mbit/s"}}, "policer.burst", ["missing"]),
    (
        {"policer": {"rate": "5Mbit/s", "burst": "500 bytes"}},
        "policer.burst",
        ["500 bytes", "less than one packet"],
    ),
    ({"policer": "5Mbit/s"}, "policer", ["rate", "burst"]),
]


@pytest.mark.parametrize(("bottleneck", "key", "words"), WRONG)
def test_what_is_wrong_is_named(bottleneck: dict[str, Any], key: str, words: list[str]) -> None:
    with pytest.raises(ac.ScenarioError) as error:
        link(**bottleneck)
    text = str(error.value)
    for word in [key, *words]:
        assert word in text, text
    assert "\n" not in text.strip()
