"""Axes: ranges, keys that vary together, crossing, names and labels."""

import datetime
from typing import Any

import pytest

import ackclock as ac
from ackclock.scenario.sweep import Sweep
from ackclock.sweeps.axes import Axis, make_axes, settings_of


def axes(*tables: dict[str, Any]) -> tuple[Axis, ...]:
    return make_axes(Sweep.model_validate({"axes": list(tables)}).axes)


def values(given: Any) -> list[Any]:
    return [row[0] for row in axes({"key": given})[0].values]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"from": 1, "to": 1000, "points": 7, "spacing": "log"}, [1, 3, 10, 32, 100, 316, 1000]),
        # Whole numbers stay whole, and what rounding makes equal is there once.
        ({"from": 1, "to": 4, "points": 8, "spacing": "log"}, [1, 2, 3, 4]),
        ({"from": 0.001, "to": 0.1, "points": 3, "spacing": "log"}, [0.001, 0.01, 0.1]),
        ({"from": 0.0, "to": 0.3, "step": 0.1}, [0.0, 0.1, 0.2, 0.3]),
        ({"from": 10, "to": 1, "step": -3}, [10, 7, 4, 1]),
        (
            {"from": "1ms", "to": "1s", "points": 4, "spacing": "log"},
            ["1ms", "10ms", "100ms", "1000ms"],
        ),
        (
            {"from": "5 packets", "to": "20 packets", "points": 3},
            ["5 packets", "12 packets", "20 packets"],
        ),
        (
            {"from": "1 packet", "to": "3 packets", "step": "1 packet"},
            ["1 packet", "2 packets", "3 packets"],
        ),
        (
            {"from": "1Mbit/s", "to": "2Mbit/s", "step": "500kbit/s"},
            ["1Mbit/s", "1.5Mbit/s", "2Mbit/s"],
        ),
        ({"from": "0.5bdp", "to": "2bdp", "points": 4}, ["0.5bdp", "1bdp", "1.5bdp", "2bdp"]),
    ],
)
def test_a_range_holds_both_its_ends(given: dict[str, Any], expected: list[Any]) -> None:
    assert values(given) == expected
    assert [type(value) for value in values(given)] == [type(value) for value in expected]


def test_every_quantity_of_a_range_is_one_that_a_scenario_takes() -> None:
    scenario = ac.dumbbell(
        rate="5Mbit/s", rtt="20ms", buffer="1bdp", flows=[ac.flow("reno")], duration="1s"
    )
    for key, given in (
        (
            "network.bottleneck.delay",
            {"from": "7us", "to": "333ms", "points": 11, "spacing": "log"},
        ),
        (
            "network.bottleneck.rate",
            {"from": "64kbit/s", "to": "100Gbit/s", "points": 13, "spacing": "log"},
        ),
        (
            "network.bottleneck.limit",
            {"from": "1.5 kB", "to": "3 MB", "points": 9, "spacing": "log"},
        ),
    ):
        for value in values(given):
            scenario.replace({key: value})


def test_numbers_are_in_base_units_where_all_values_are_of_one_kind() -> None:
    (delay,) = axes({"d": ["1ms", "2s"]})
    assert (delay.numbers, delay.unit) == ((0.001, 2.0), "s")
    (rate,) = axes({"r": ["1Mbit/s", "64kbit/s"]})
    assert (rate.numbers, rate.unit) == ((1e6, 64e3), "bit/s")
    (count,) = axes({"c": [1, 10]})
    assert (count.numbers, count.unit, count.labels) == ((1.0, 10.0), None, (1, 10))
    for mixed in (["1ms", "20 packets"], ["1bdp", "unlimited"], ["reno", "cubic"], [True, False]):
        assert axes({"m": mixed})[0].numbers is None


def test_keys_of_one_entry_vary_together_and_entries_are_crossed() -> None:
    both = axes(
        {
            "name": "path",
            "network.bottleneck.rate": ["10Mbit/s", "100Mbit/s"],
            "network.bottleneck.delay": ["40ms", "20ms"],
            "labels": ["slow", "fast"],
        },
        {"flows.cc": ["reno", "cubic"]},
    )
    settings = list(settings_of(both))
    assert [setting.labels for setting in settings] == [
        ("slow", "reno"),
        ("slow", "cubic"),
        ("fast", "reno"),
        ("fast", "cubic"),
    ]
    assert settings[2].changes == {
        "flows.cc": "reno",
        "network.bottleneck.rate": "100Mbit/s",
        "network.bottleneck.delay": "20ms",
    }
    assert both[0].numbers is None  # words are categories, also for numbers


def test_labels_of_a_single_key_leave_its_numbers() -> None:
    (axis,) = axes({"rate": ["10Mbit/s", "100Mbit/s"], "labels": ["slow", "fast"]})
    assert axis.labels == ("slow", "fast")
    assert axis.numbers == (1e7, 1e8)


def test_a_table_is_set_before_the_keys_inside_it() -> None:
    setting = next(
        settings_of(
            axes(
                {"network.bottleneck.qdisc.target": ["5ms"]},
                {"network.bottleneck.qdisc": ["codel"]},
            )
        )
    )
    assert list(setting.changes) == ["network.bottleneck.qdisc", "network.bottleneck.qdisc.target"]


def test_names_are_the_shortest_end_of_a_key_that_means_one_axis() -> None:
    assert [
        axis.name for axis in axes({"flows.count": [1]}, {"network.bottleneck.limit": ["1bdp"]})
    ] == ["count", "limit"]
    assert [axis.name for axis in axes({"flows.a.cc": ["reno"]}, {"flows.b.cc": ["reno"]})] == [
        "a.cc",
        "b.cc",
    ]
    assert [
        axis.name for axis in axes({"name": "cc", "flows.a.cc": ["reno"]}, {"flows.b.cc": ["reno"]})
    ] == ["cc", "b.cc"]


def test_keys_without_quotes_mean_the_same() -> None:
    assert axes({"flows": {"count": [1, 2]}}) == axes({"flows.count": [1, 2]})
    assert axes({"flows": {"count": {"from": 1, "to": 3, "step": 1}}}) == axes(
        {"flows.count": [1, 2, 3]}
    )


@pytest.mark.parametrize(
    "value", [datetime.time(12), datetime.date(1979, 5, 27), [datetime.date(1979, 5, 27)]]
)
def test_a_date_gets_a_label_and_is_refused_where_the_scenario_is_checked(value: Any) -> None:
    # TOML has dates and times; JSON has none.
    assert [type(label) for label in axes({"flows.cc": ["reno", value]})[0].labels] == [str, str]


def test_a_mapping_is_one_axis_per_key_and_cc_means_all_flows() -> None:
    base = ac.dumbbell(rate="5Mbit/s", rtt="20ms", flows=[ac.flow("reno")], duration="1s")
    sweep = ac.sweep(base, axes={"cc": ["reno", "cubic"], "duration": ["1s", "2s"]}, replications=1)
    assert sweep.runs.select("cc", "duration").rows() == [
        ("reno", "1s"),
        ("reno", "2s"),
        ("cubic", "1s"),
        ("cubic", "2s"),
    ]
    named = ac.sweep(base, axes={"cc": ["reno", "cubic"], "name": "kind"}, replications=1)
    assert named.runs["kind"].to_list() == ["reno", "cubic"]


def test_parameters_of_disciplines_and_algorithms_are_axes() -> None:
    base = ac.dumbbell(
        rate="5Mbit/s", rtt="20ms", qdisc="codel", flows=[ac.flow("cos+cubic")], duration="1s"
    )
    axes = {
        "network.bottleneck.qdisc.target": ["5ms", "10ms"],
        "flows.cc.beta": [0.5, 0.9],
        "flows.cc.cos.sigma": [1],
    }
    sweep = ac.sweep(base, axes=axes, replications=1, responses=["goodput"])
    assert sweep.runs.select("target", "beta", "sigma").row(1) == ("5ms", 0.9, 1)
    for key, values, says in (
        ("flows.cc.beta", [0.5, 7], "beta = '7' is not a number from 0.1 to 0.99"),
        ("flows.cc.betta", [0.5], "did you mean 'beta'"),
        ("network.bottleneck.qdisc.target", ["5"], "has no unit"),
        ("network.bottleneck.qdisc.targt", ["5ms"], "did you mean 'target'"),
    ):
        with pytest.raises(ac.ScenarioError, match=says) as error:
            ac.sweep(base, axes={key: values}, replications=1)
        assert error.value.key == f"sweep.axes.0.{key}"
