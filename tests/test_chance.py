"""The draws of a run, checked against the engine; starts are drawn where nothing else is."""

import hashlib
import json
from typing import Any

import pytest

import ackclock as ac
from ackclock import _core
from ackclock.chance import AS_GIVEN, Chance, Starts, chance_of, decide, why_same

PACKETS = {"limit": "20 packets"}


def scenario(flows: list[dict[str, Any]], duration: str = "6s", **options: Any) -> ac.Scenario:
    bottleneck = {"rate": "5Mbit/s", "delay": "20ms", **PACKETS, **options}
    table = {
        "duration": duration,
        "network": {"kind": "dumbbell", "bottleneck": bottleneck},
        "flows": flows,
    }
    return ac.Scenario.parse(table)


def digest(of: ac.Scenario, seed: int) -> str:
    return hashlib.sha256(
        json.dumps(ac.run(of, seed=seed).summary(), sort_keys=True).encode()
    ).hexdigest()


# Their starts differ, so that no order is drawn.
TWO: list[dict[str, Any]] = [
    {"name": "a", "cc": "reno"},
    {"name": "b", "cc": "reno", "start": "100ms"},
]


@pytest.mark.long
@pytest.mark.parametrize("name", [entry["name"] for entry in _core.list_cc()])
def test_an_algorithm_draws_if_and_only_if_the_list_says_so(name: str) -> None:
    role = next(entry["role"] for entry in _core.list_cc() if entry["name"] == name)
    cc = f"{name}+reno" if role == "slow start" else name
    of = scenario([{**flow, "cc": cc} for flow in TWO], duration="20s")
    if cc == "nv":
        # It draws how long it keeps its smallest RTT, which mostly changes nothing.
        assert chance_of(of).sources
    else:
        assert (digest(of, 1) != digest(of, 2)) == bool(chance_of(of).sources)


# A band of prio is a fifo.
DISCIPLINES = [entry["name"] for entry in _core.list_qdisc()]


@pytest.mark.long
@pytest.mark.parametrize("qdisc", DISCIPLINES)
def test_a_discipline_draws_if_and_only_if_the_list_says_so(qdisc: str) -> None:
    more: dict[str, Any] = {
        "tbf": {"rate": "4Mbit/s", "burst": "15kB"},
        "step": {"threshold": "5 packets"},
    }.get(qdisc, {})
    limit = (
        {"limit": "200 packets"}
        if qdisc in {"red", "pie", "cobalt", "dualpi2", "fq_pie"}
        else PACKETS
    )
    of = scenario(TWO, duration="20s", qdisc={"kind": qdisc, **more}, **limit)
    differs = len({digest(of, seed) for seed in range(4)}) > 1
    if qdisc in {"cobalt", "fq_pie"}:
        # They draw only where a queue stays full.
        assert chance_of(of).sources
    else:
        assert differs == bool(chance_of(of).sources)


@pytest.mark.parametrize(
    ("options", "is_random"),
    [
        ({"loss": {"kind": "bernoulli", "p": 0.01}}, True),
        ({"loss": {"kind": "bernoulli", "p": 0.0}}, False),
        ({"loss": {"kind": "periodic", "every": 100}}, False),
        ({"loss": {"kind": "bursts", "length": "20ms", "gap": "1s"}}, False),
        ({"loss": {"kind": "bursts", "length": "20ms", "gap": "exponential(1s)"}}, True),
        ({"ecn_rewrite": "bleach"}, False),
        ({"jitter": "uniform(0s, 2ms)"}, True),
        ({"reorder": {"p": 0.05, "extra": "2ms"}}, True),
        ({"duplicate": {"p": 0.05}}, True),
    ],
)
def test_a_wire_is_random_if_and_only_if_the_engine_draws(
    options: dict[str, Any], is_random: bool
) -> None:
    of = scenario(TWO, **options)
    assert bool(chance_of(of).sources) == is_random
    assert (digest(of, 1) != digest(of, 2)) == is_random


def test_what_a_user_sends_or_when_it_starts_may_be_drawn() -> None:
    assert chance_of(scenario([{"cc": "reno", "start": "uniform(0s, 1s)"}])).sources == (
        "flows.0.start is drawn",
    )
    talk = {
        "app": {"kind": "on-off", "on": "exponential(1s)", "off": "1s", "rate": "1Mbit/s"},
        "cc": "reno",
    }
    assert chance_of(scenario([talk])).sources == ("flow1 draws what it does",)
    assert chance_of(scenario([{"app": {"kind": "voice"}}, *TWO])).sources != ()


def test_one_flow_alone_is_moved_by_its_start_and_not_changed() -> None:
    alone = chance_of(scenario([{"cc": "reno"}]))
    assert alone.is_shift
    assert not alone.wants_starts
    shared = {"cc": "reno", "parallel": 4}
    assert chance_of(scenario([shared])).is_shift, "connections of one flow start together"
    assert not chance_of(scenario(TWO)).is_shift
    assert not chance_of(
        scenario([{"cc": "reno"}], rate={"schedule": [["0s", "5Mbit/s"], ["2s", "1Mbit/s"]]})
    ).is_shift


def test_starts_are_drawn_within_a_base_round_trip_or_the_time_of_a_packet() -> None:
    assert chance_of(scenario(TWO, duration="60s")).within_ps == 40_000_000_000
    slow = chance_of(scenario(TWO, duration="60s", rate="100kbit/s", delay="1ms"))
    assert slow.within_ps == 120_000_000_000, "8 * 1500 bytes at 100 kbit/s"
    assert chance_of(scenario(TWO, duration="200ms")).within_ps == 10_000_000_000, (
        "a tenth of what is left after 100 ms"
    )


def test_drawn_starts_are_the_same_for_every_variant_and_leave_drawn_ones_alone() -> None:
    chosen = decide([chance_of(scenario(TWO))], None, several=True)
    flows = [{**TWO[0], "start": "1s"}, {**TWO[1], "start": "uniform(0s, 1s)"}]
    drawn = chosen.applied(scenario(flows))
    assert [flow.start for flow in drawn.flows] == ["uniform(1s, 1.04s)", "uniform(0s, 1s)"]
    other = chosen.applied(scenario([{**flow, "cc": "vegas"} for flow in flows]))
    assert [flow["start_ps"] for flow in drawn.plan()["flows"]] == [
        flow["start_ps"] for flow in other.plan()["flows"]
    ]
    assert AS_GIVEN.applied(drawn) is drawn


RANDOM = Chance(("random loss on bottleneck",), False, 40_000_000_000)
ALONE = Chance((), True, 40_000_000_000)
DETERMINISTIC = Chance((), False, 40_000_000_000)


@pytest.mark.parametrize(
    ("chances", "asked", "within"),
    [
        ([DETERMINISTIC], None, 40),
        ([DETERMINISTIC], "auto", 40),
        ([DETERMINISTIC], "fixed", 0),
        ([RANDOM], None, 0),
        ([RANDOM], "5ms", 5),
        ([ALONE], None, 0),
        ([ALONE, RANDOM], None, 0),
        ([RANDOM, DETERMINISTIC, ALONE], None, 40),
    ],
)
def test_starts_are_drawn_where_a_setting_has_nothing_else(
    chances: list[Chance], asked: str | None, within: int
) -> None:
    chosen = decide(chances, asked, several=True)
    assert chosen.within_ps == within * 10**9
    assert bool(chosen.why) == bool(within)
    assert decide(chances, None, several=False) == AS_GIVEN


@pytest.mark.parametrize(
    ("chances", "starts", "words"),
    [
        (
            [ALONE],
            AS_GIVEN,
            "nothing in this scenario is drawn, and one flow alone is the same whenever it starts",
        ),
        (
            [Chance(("flows.0.start is drawn",), True, 1)],
            AS_GIVEN,
            "only the start is drawn in this scenario, and one flow alone",
        ),
        (
            [DETERMINISTIC],
            Starts(is_fixed=True),
            'nothing in this scenario is drawn, and starts = "fixed" was asked for',
        ),
        ([DETERMINISTIC], Starts(10**9), "nothing in this scenario is drawn but its starts"),
        (
            [RANDOM],
            AS_GIVEN,
            'made a difference (random loss on bottleneck); starts = "40ms" draws the starts, too',
        ),
    ],
)
def test_why_seeds_are_one_is_said(chances: list[Chance], starts: Starts, words: str) -> None:
    assert words in why_same(chances, starts)


def test_starts_that_vary_between_settings_are_left_alone() -> None:
    assert decide([DETERMINISTIC], None, several=True, varied=["flows.a.start"]).within_ps == 0
    assert decide([DETERMINISTIC], None, several=True, varied=["flows.a.cc"]).within_ps > 0
