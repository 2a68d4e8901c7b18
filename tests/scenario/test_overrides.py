"""Other values for single keys."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac
from ackclock.cli.options import split_list
from ackclock.scenario.overrides import read_value
from ackclock.scenario.spelling import override

TEXT = """
duration = "60s"
[network]
kind = "dumbbell"
bottleneck = { rate = "10Mbit/s", delay = "30ms", qdisc = "red" }
[[flows]]
name = "f"
cc = "reno"
[[flows]]
name = "g"
cc = "cubic"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "two-flows.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_key_of_flows_means_every_entry(file: Path) -> None:
    assert [flow.count for flow in ac.load(file, settings=["flows.count=5"]).flows] == [5, 5]


@pytest.mark.parametrize("key", ["flows.1.count", "flows.g.count"])
def test_an_entry_is_chosen_by_number_or_name(file: Path, key: str) -> None:
    assert [flow.count for flow in ac.load(file, settings=[f"{key}=5"]).flows] == [1, 5]


def test_the_last_setting_wins_and_the_file_is_first(file: Path) -> None:
    scenario = ac.load(file, settings=["duration=20s", "duration=30s"], seed=7)
    assert (scenario.duration, scenario.seed) == ("30s", 7)


def test_a_short_form_opens_up_for_a_key_inside(file: Path) -> None:
    qdisc = ac.load(file, settings=["network.bottleneck.qdisc.ecn=true"]).plan()["links"][0][
        "qdisc"
    ]
    assert (qdisc["kind"], qdisc["ecn"]) == ("red", True)


def test_tables_are_made_on_the_way(file: Path) -> None:
    scenario = ac.load(
        file, settings=["transport.delayed_ack=1", 'flows.f.app={kind="file",size="1MB"}']
    )
    assert [flow["transport"]["delayed_ack_count"] for flow in scenario.plan()["flows"]] == [1, 1]
    assert scenario.plan()["flows"][0]["app"] == {"kind": "file", "size_bytes": 1_000_000}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("0.5", 0.5),
        ("true", True),
        ("10Mbit/s", "10Mbit/s"),
        ("20 packets", "20 packets"),
        ('"20 packets"', "20 packets"),
        ('["a", "b"]', ["a", "b"]),
        ("2026-01-01", "2026-01-01"),
        ("cos+reno", "cos+reno"),
        ("", ""),
        ("1\nseed = 2", "1\nseed = 2"),
    ],
)
def test_a_value_is_toml_where_it_can_be_and_text_elsewhere(text: str, value: Any) -> None:
    assert read_value(text) == value


def test_a_name_comes_before_a_key_and_a_number_before_both() -> None:
    data: dict[str, Any] = {"flows": [{"name": "count", "cc": "reno"}, {"cc": "reno"}]}
    override(data, "flows.count.cc", "cubic", {})
    override(data, "flows.1.cc", "cos+reno", {})
    assert [flow["cc"] for flow in data["flows"]] == ["cubic", "cos+reno"]


def test_a_list_is_split_outside_of_brackets_and_quotes() -> None:
    assert split_list("cubic(beta=0.8,c=0.4),reno") == ["cubic(beta=0.8,c=0.4)", "reno"]
    assert split_list('"a,b",[1, 2],x') == ['"a,b"', "[1, 2]", "x"]


def test_replacing_leaves_the_scenario_as_it_was(file: Path) -> None:
    scenario = ac.load(file)
    changed = scenario.replace({"flows.f.cc": "cos+reno", "network.bottleneck.rate": "1Mbit/s"})
    assert [flow.cc for flow in changed.flows] == ["cos+reno", "cubic"]
    assert [flow.cc for flow in scenario.flows] == ["reno", "cubic"]


def test_an_error_after_loading_still_names_the_file(file: Path) -> None:
    with pytest.raises(ac.ScenarioError) as caught:
        ac.load(file).replace({"flows.f.cc": "rino"})
    assert str(caught.value).startswith(f"{file}: flows.0.cc: ")
    assert (caught.value.key, caught.value.value, caught.value.file) == (
        "flows.0.cc",
        "rino",
        str(file),
    )


def test_constructors_raise_the_same_error() -> None:
    with pytest.raises(ac.ScenarioError, match=r"^cc: .*'rino'"):
        ac.flow("rino")
    with pytest.raises(ac.ScenarioError, match=r"^network\.bottleneck\.rate: "):
        ac.dumbbell(rate="10", rtt="60ms", flows=[ac.flow("reno")], duration="10s")
    with pytest.raises(ac.ScenarioError, match=r"^rtt: "):
        ac.dumbbell(rate="10Mbit/s", rtt="60", flows=[ac.flow("reno")], duration="10s")
    with pytest.raises(ac.ScenarioError, match=r"^network\.bottlenecks: "):
        ac.parking_lot(bottlenecks=[], flows=[ac.flow("reno")], duration="10s")


def test_a_value_given_for_several_entries_is_one_of_each() -> None:
    app = {"kind": "file", "size": "1MB"}
    scenario = ac.dumbbell(
        rate="10Mbit/s", rtt="60ms", flows=[ac.flow("reno"), ac.flow("cubic")], duration="10s"
    )
    changed = scenario.replace({"flows.app": app, "flows.0.app.size": "2MB"})
    assert [flow["app"]["size"] for flow in changed.data()["flows"]] == ["2MB", "1MB"]
    assert app == {"kind": "file", "size": "1MB"}


def test_a_scenario_keeps_nothing_of_the_callers_tables() -> None:
    axes: list[dict[str, Any]] = [{"flows.cc": ["reno", "cubic"]}]
    schedule = [["0s", "10Mbit/s"], ["1s", "5Mbit/s"]]
    bottleneck = {"rate": {"schedule": schedule}, "delay": "30ms"}
    data: dict[str, Any] = {
        "duration": "10s",
        "network": {"kind": "dumbbell", "bottleneck": bottleneck},
        "flows": [{"cc": "reno"}],
        "sweep": {"axes": axes},
    }
    parsed = ac.Scenario.parse(data)
    replaced = parsed.replace({"sweep.axes": axes})
    before = deepcopy(parsed.data())
    axes[0]["flows.cc"].append("bbr")
    schedule[1][1] = "1Mbit/s"
    data["flows"][0]["cc"] = "bbr"
    assert parsed.data() == before
    assert replaced.data() == before


@pytest.mark.parametrize("given", [None, 5, [], b"x", object(), "flows"])
def test_what_is_no_mapping_is_told(given: Any) -> None:
    scenario = ac.dumbbell(rate="10Mbit/s", rtt="60ms", flows=[ac.flow("reno")], duration="10s")
    with pytest.raises(ac.ScenarioError, match="is not a table of a scenario: give a dict"):
        ac.Scenario.parse(given)
    with pytest.raises(ac.ScenarioError, match="is no mapping of dotted keys"):
        scenario.replace(given)
    with pytest.raises(ac.ScenarioError, match="is no mapping of dotted keys"):
        scenario.replace({5: 1})  # type: ignore[dict-item]


@pytest.mark.parametrize("value", [5, None, [1], b"x", 1.5])
def test_constructors_name_the_key_of_a_value_of_the_wrong_kind(value: Any) -> None:
    given: dict[str, Any] = {
        "rate": "10Mbit/s",
        "rtt": "60ms",
        "flows": [ac.flow("reno")],
        "duration": "10s",
    }
    for key in ("rate", "qdisc", "flows", "wire", "access", "reverse"):
        if value is None and key in {"wire", "access", "reverse"}:
            continue
        with pytest.raises(ac.ScenarioError, match=key) as caught:
            ac.dumbbell(**{**given, key: value})
        assert len(str(caught.value)) < 300
    for key in ("app", "access", "transport"):
        if value is not None:
            with pytest.raises(ac.ScenarioError, match=key):
                ac.flow("reno", **{key: value})
    with pytest.raises(ac.ScenarioError, match="bottlenecks"):
        ac.parking_lot(bottlenecks=value, flows=[ac.flow("reno")], duration="10s")


def test_flows_may_come_from_a_generator() -> None:
    flows: Any = (ac.flow(cc) for cc in ("reno", "cubic"))
    assert len(ac.dumbbell(rate="10Mbit/s", rtt="60ms", flows=flows, duration="10s").flows) == 2
    flow: Any = ac.flow("reno")
    with pytest.raises(ac.ScenarioError, match="flows"):
        ac.dumbbell(rate="10Mbit/s", rtt="60ms", flows=flow, duration="10s")
