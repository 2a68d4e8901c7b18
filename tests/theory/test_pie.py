"""PIE on 10 Mbit/s and 100 ms, as Pan et al.

(HPSR 2013, section V) test it: the delay is the target, for any senders, few or many.
"""

from typing import Any

import polars as pl
import pytest

import ackclock as ac
from ackclock.results import Result

TARGET = 15e-3


def run(
    cc: str, flows: int, qdisc: Any = "pie", ecn: str = "off", more: list[ac.Flow] | None = None
) -> Result:
    senders = ac.flow(cc, name="f", count=flows, start="uniform(0s, 2s)", transport={"ecn": ecn})
    scenario = ac.dumbbell(
        profile="rfc",
        rate="10Mbit/s",
        rtt="100ms",
        flows=[senders, *(more or [])],
        qdisc=qdisc,
        duration="60s",
        warmup="15s",
    )
    return ac.run(scenario)


def link(result: Result) -> dict[str, Any]:
    return result.links.row(0, named=True)


# The integral holds sum(s (alpha (d - target) + beta (d - d_old))) at 0, with the gains' scale s of
# RFC 8033 section 4.2. Where the drop probability stays above its last step, 0.1, s is one, beta's
# term is nothing and the mean is the target: 50 flows, 2 %. 20 Reno flows need 0.1 itself, and
# cross it 70 times in the 45 s, upwards at 24 ms and downwards at 14. While the delay falls, s is
# twice its value while it rose. That raises the mean weighed by s by beta / alpha (1 - 1/2) /
# 0.66 * 10 ms * 70 / 3000 updates = 1.8 ms, 12 % (16.8 ms; unweighted 16.0). Five flows cross 0.01,
# where s changes fourfold, and empty the queue at times: 16.5 ms, 15 %. Utilisation: 2 % are what
# five windows that halve leave over. Of 50 flows with windows of two packets many wait for a
# timeout, of 1 s at least: 0.9988; 0.9994 with Linux's 200 ms.
@pytest.mark.parametrize("cc", ["reno", "cubic"])
@pytest.mark.parametrize(
    ("flows", "tolerance", "used"), [(5, 0.15, 0.98), (20, 0.12, 0.99), (50, 0.02, 0.998)]
)
def test_mean_delay_is_the_target_whatever_the_load(
    cc: str, flows: int, tolerance: float, used: float
) -> None:
    bottleneck = link(run(cc, flows))
    assert bottleneck["queue_delay_mean"] == pytest.approx(TARGET, rel=tolerance)
    assert bottleneck["queue_delay_p99"] < 4 * TARGET
    assert bottleneck["utilisation"] > used
    assert bottleneck["dropped_forced"] == 0


# A fifo as deep as PIE's limit holds all of it; the windows of 20 flows are 1000 packets, 1.2 s.
def test_a_fifo_of_the_same_limit_has_sixty_times_the_delay() -> None:
    assert link(run("reno", 20, "fifo"))["queue_delay_mean"] < 0.2, "1bdp of its own"
    deep = ac.dumbbell(
        profile="rfc",
        rate="10Mbit/s",
        rtt="100ms",
        flows=[ac.flow("reno", count=20)],
        buffer="1000 packets",
        duration="60s",
        warmup="15s",
    )
    assert link(ac.run(deep))["queue_delay_mean"] > 0.9


@pytest.mark.parametrize("target", [5, 30, 50])
def test_the_target_is_a_parameter(target: int) -> None:
    bottleneck = link(run("reno", 20, {"kind": "pie", "target": f"{target}ms"}))
    # 30 %: at 5 ms the queue holds four packets, two of which PIE never touches.
    assert bottleneck["queue_delay_mean"] == pytest.approx(
        target * 1e-3, rel=0.3 if target < 15 else 0.05
    )


# The same controller from the backlog and the rate at which it leaves; a measurement is 16 kB, 13
# ms, old.
def test_the_departure_rate_does_as_well_as_timestamps() -> None:
    bottleneck = link(run("reno", 20, {"kind": "pie", "dq_rate_estimator": True}))
    assert bottleneck["queue_delay_mean"] == pytest.approx(TARGET, rel=0.1)
    assert bottleneck["utilisation"] > 0.99


def test_below_ten_percent_who_listens_is_marked_and_not_dropped() -> None:
    bottleneck = link(run("reno", 5, {"kind": "pie", "ecn": True}, ecn="classic"))
    assert bottleneck["marked_packets"] > 100
    assert bottleneck["dropped_packets"] == 0
    assert bottleneck["queue_delay_mean"] == pytest.approx(TARGET, rel=0.2)
    # 100 flows of a packet or two need a probability above a tenth.
    crowd = link(run("reno", 100, {"kind": "pie", "ecn": True}, ecn="classic"))
    assert crowd["dropped_early"] > 100 * crowd["marked_packets"]


# Unresponsive traffic, more than the link can carry: PIE drops what is too much, a third of all,
# and the delay stays.
def test_unresponsive_traffic_does_not_raise_the_delay() -> None:
    flood = ac.flow(name="flood", app={"kind": "cbr", "rate": "12Mbit/s"})
    bottleneck = link(run("reno", 50, more=[flood]))
    assert bottleneck["queue_delay_mean"] == pytest.approx(TARGET, rel=0.1)
    assert bottleneck["dropped_early"] / bottleneck["arrived_packets"] > 0.3


# 50, 10 and 50 Mbit/s, 20 s each, as the paper changes the rate: a backlog is then five times the
# delay that it was. From 5 s on after each change the mean is the target again. 20 %: it is that of
# 15 s, and oscillations take 2 s.
def test_it_follows_a_rate_that_changes() -> None:
    scenario = ac.dumbbell(
        profile="rfc",
        rate={"schedule": [["0s", "50Mbit/s"], ["20s", "10Mbit/s"], ["40s", "50Mbit/s"]]},
        rtt="100ms",
        flows=[ac.flow("reno", name="f", count=50, start="uniform(0s, 2s)")],
        qdisc="pie",
        duration="60s",
        record={"samples": "10ms", "flows": []},
    )
    samples = ac.run(scenario).samples.links.filter(pl.col("link") == "bottleneck")
    for start in (5, 25, 45):
        delay = samples.filter(pl.col("time").is_between(start, start + 15))["queue_delay"].mean()
        assert delay == pytest.approx(TARGET, rel=0.2)
