"""Limits of queues in all units."""

from __future__ import annotations

from typing import Any

import pytest

import ackclock as ac
from ackclock.results.queue_limits import limit_words, queue_lines, shortest_drain


@pytest.mark.parametrize(
    ("packets", "rate", "rtt", "said"),
    [
        (25, 10e6, 0.06, "25 packets = 37.5 kB = 30 ms = 0.5 BDP"),
        (1, 10e6, None, "1 packet = 1.5 kB = 1.2 ms"),
        (100, None, 0.06, "100 packets = 150 kB"),
    ],
)
def test_a_limit_in_words(packets: float, rate: float | None, rtt: float | None, said: str) -> None:
    assert limit_words(packets, rate, rtt) == said


@pytest.mark.parametrize("buffer", ["40 packets", "60kB", "48ms", "0.8bdp"])
def test_every_unit_is_shown_in_all(buffer: str) -> None:
    scenario = ac.dumbbell(
        rate="10Mbit/s", rtt="60ms", buffer=buffer, flows=[ac.flow("reno")], duration="1s"
    )
    line = "fifo, at most 40 packets = 60 kB = 48 ms = 0.8 BDP"
    assert queue_lines(scenario.plan()) == [("bottleneck", line)]


def test_a_shaper_drains_at_its_own_rate() -> None:
    qdisc = {"kind": "tbf", "rate": "5Mbit/s", "burst": "3kB"}
    scenario = ac.dumbbell(
        rate="10Mbit/s", rtt="60ms", buffer="40 packets", qdisc=qdisc, flows=[ac.flow("reno")],
        duration="1s",
    )  # fmt: skip
    assert queue_lines(scenario.plan())[0][1].startswith("tbf, at most 40 packets = 60 kB = 96 ms")


def test_a_schedule_and_another_way_back_are_shown() -> None:
    buffer: Any = {"schedule": [["0s", "20 packets"], ["5s", "40 packets"]]}
    scenario = ac.dumbbell(
        rate="10Mbit/s", rtt="60ms", flows=[ac.flow("reno")], duration="10s",
        reverse={"rate": "1Mbit/s", "limit": "10 packets"},
    ).replace({"network.bottleneck.limit": buffer})  # fmt: skip
    (_, there), (name, back) = queue_lines(scenario.plan())
    assert there.endswith("40 packets = 60 kB = 48 ms = 0.8 BDP from 5 s on")
    assert (name, back) == ("bottleneck.reverse", "fifo, at most 10 packets = 15 kB = 120 ms")


@pytest.mark.parametrize(
    ("keys", "seconds"),
    [
        # 16 packets of 1500 bytes at 50 Mbit/s; access links are faster and do not count.
        ({"limit": "16 packets"}, 0.00384),
        ({"limit": "60kB"}, 0.0096),
        ({"limit": {"schedule": [["0s", "40 packets"], ["1s", "20 packets"]]}}, 0.0048),
        ({"qdisc": {"kind": "tbf", "rate": "5Mbit/s", "burst": "3kB"}}, 0.0384),
        ({"limit": "unlimited"}, None),
    ],
)
def test_the_shortest_drain_is_of_the_smallest_buffer(
    keys: dict[str, Any], seconds: float | None
) -> None:
    scenario = ac.Scenario.parse(
        {
            "name": "drain",
            "duration": "2s",
            "network": {
                "kind": "dumbbell",
                "bottleneck": {
                    "rate": "50Mbit/s", "delay": "20ms", "limit": "16 packets", **keys
                },
                "access": {"rate": "100Mbit/s", "limit": "2 packets"},
            },
            "flows": [{"cc": "reno"}],
        }
    )  # fmt: skip
    assert shortest_drain(scenario.plan()) == (seconds and pytest.approx(seconds, rel=1e-9))


def test_the_table_of_a_run_has_the_line() -> None:
    from rich.console import Console

    scenario = ac.dumbbell(
        rate="10Mbit/s", rtt="60ms", buffer="1bdp", flows=[ac.flow("reno")], duration="2s"
    )
    console = Console(width=80, record=True, file=__import__("io").StringIO())
    console.print(ac.run(scenario))
    assert "bottleneck: fifo, at most 50 packets = 75 kB = 60 ms = 1 BDP" in console.export_text()
