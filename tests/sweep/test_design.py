"""A design: its runs are those of its scenarios, and what it writes down is itself."""

from pathlib import Path
from typing import Any

import pytest

import ackclock as ac
from ackclock.sweeps.design import Design, Same
from ackclock.sweeps.sweeping import design_of


def scenario(**options: Any) -> ac.Scenario:
    flows = [
        ac.flow("reno", name="f", count=2, start="uniform(0s, 200ms)"),
        ac.flow("cubic", name="g"),
    ]
    return ac.dumbbell(
        rate="5Mbit/s", rtt="20ms", buffer="20 packets", flows=flows, duration="2s", **options
    )


def design(base: ac.Scenario | None = None, **given: Any) -> Design:
    return design_of(base or scenario(), given)


EVERYTHING: dict[str, Any] = {
    "axes": [
        {"network.bottleneck.limit": ["5 packets", "30kB"]},
        {"name": "who", "flows.f.cc": ["reno", "cubic"], "flows.f.count": [1, 2]},
        {"flows.g.start": {"from": "0s", "to": "1s", "points": 3}},
    ],
    "replications": 4,
    "responses": [
        "queue_delay.p95",
        {"metric": "goodput", "flows": "f", "over": "total", "name": "of f"},
    ],
    "comparisons": ["limit", {"axis": "who", "base": "cubic", "ratio": True}],
    "stop": {"response": "queue_delay.p95", "half_width": "1ms", "most": 20, "comparison": "who"},
    "confidence": 0.9,
}


def test_what_it_writes_down_loads_back_to_the_same_design(tmp_path: Path) -> None:
    first = design(**EVERYTHING)
    text = first.to_toml(tmp_path)
    (tmp_path / "sweep.toml").write_text(text)
    second = design_of(ac.load(tmp_path / "sweep.toml"))
    assert second.to_toml(tmp_path) == text
    for part in (
        "name",
        "axes",
        "settings",
        "responses",
        "comparisons",
        "replications",
        "stop",
        "confidence",
        "warmup",
    ):
        assert getattr(second, part) == getattr(first, part)
    for setting in range(len(first.settings)):
        assert second.task(setting, 1).key == first.task(setting, 1).key


def test_files_that_the_scenario_names_are_found_from_where_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "link.mahi").write_text("".join(f"{ms}\n" for ms in range(1, 500)))
    (tmp_path / "there" / "s.toml").write_text(
        'duration = "1s"\nnetwork.kind = "dumbbell"\n'
        'network.bottleneck = { rate = { trace = "link.mahi" }, delay = "10ms", limit = "20 '
        'packets" }\n'
        'flows = [{ cc = "reno" }]\n[sweep]\naxes = [{ "flows.cc" = ["reno", "cubic"] }]\n'
    )
    first = design_of(ac.load(tmp_path / "there" / "s.toml"))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "sweep.toml").write_text(first.to_toml(tmp_path / "out"))
    assert 'folder = "../there"' in first.to_toml(tmp_path / "out")
    assert (
        design_of(ac.load(tmp_path / "out" / "sweep.toml")).task(1, 0).key == first.task(1, 0).key
    )


def test_a_scenario_that_names_no_file_is_written_without_its_folder(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(scenario().to_toml())
    assert "folder" not in design(ac.load(tmp_path / "s.toml")).to_toml(tmp_path / "out")


def test_a_task_is_the_run_of_its_setting_and_seed() -> None:
    import json

    sweep = design(scenario(seed=7), **EVERYTHING)
    setting = sweep.settings[7]
    assert setting.labels == ("30kB", "reno", "0.5s")
    same = scenario(seed=9).replace({**setting.changes, "record.samples": "off"})
    assert json.loads(sweep.task(7, 2).plan) == json.loads(json.dumps(same.plan()))


def test_a_warm_up_that_is_found_stands_in_the_plan() -> None:
    import json

    sweep = design(axes=[{"flows.g.count": [1, 2]}])
    assert (
        json.loads(sweep.task(0, 0, warmup_ps=1_234_500_000_000).plan)["warmup_ps"]
        == 1_234_500_000_000
    )
    assert sweep.task(0, 0, warmup_ps=1_234_500_000_000).key != sweep.task(0, 0).key


def test_only_what_the_responses_need_is_recorded() -> None:
    import json

    def recorded(*responses: str) -> Any:
        return json.loads(design(axes=[], responses=list(responses)).task(0, 0).plan)["record"]

    assert recorded("utilisation")["samples"] == {"kind": "off"}
    assert recorded("utilisation", "rate_variation(timescale=100ms)")["samples"] != {"kind": "off"}


def test_values_that_give_the_very_same_plans_are_told() -> None:
    sweep = design(
        axes=[
            {"flows.f.count": [1, 2]},
            {"network.bottleneck.rate": ["5Mbit/s", "6Mbit/s", "5000kbit/s"]},
        ]
    )
    assert sweep.same == (Same("rate", "5Mbit/s", "5000kbit/s"),)
    # At one setting of the others only: that is an interaction, and no mistake.
    once = design(
        axes=[
            {"network.bottleneck.limit": ["1bdp", "12500B"]},
            {"network.bottleneck.rate": ["5Mbit/s", "6Mbit/s"]},
        ]
    )
    assert once.same == ()


def test_its_size_counts_every_run() -> None:
    size = design(**EVERYTHING).estimate()
    assert (size.settings, size.runs, size.most) == (12, 48, 240)
    assert 0 < size.seconds_on(2) < size.core_seconds < 60


def test_the_estimate_grows_with_what_the_links_carry() -> None:
    small, large = (
        design(axes=[{"network.bottleneck.rate": [rate]}]).estimate().core_seconds
        for rate in ("50Mbit/s", "5Gbit/s")
    )
    # A hundred times the packets, and the same cost of a run besides.
    assert large > 20 * small


def test_a_class_of_ones_own_is_a_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "halver.py").write_text(
        "from ackclock.cc import CongestionControl\n\n\nclass Halver(CongestionControl):\n    def "
        "on_ack(self, ack):\n        pass\n\n"
        "    def on_congestion(self, event):\n        pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import halver  # type: ignore[import-not-found]

    sweep = design(axes=[{"flows.f.cc": ["reno", halver.Halver]}])
    assert sweep.axes[0].labels == ("reno", "python:halver:Halver")


def test_the_scenario_of_a_sweep_may_be_in_another_file(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(scenario().to_toml())
    (tmp_path / "wide.toml").write_text(
        '[sweep]\nscenario = "base.toml"\naxes = [{ "flows.f.count" = [1, 2] }]\n'
    )
    sweep = design_of(ac.load(tmp_path / "wide.toml"))
    assert sweep.name == "wide"
    assert sweep.scenario.duration == "2s"
    assert ac.load(tmp_path / "wide.toml", settings=["duration=300ms"]).duration == "300ms"


def test_a_run_of_a_sweeps_scenario_leaves_no_sweep_behind() -> None:
    swept = scenario().replace({"sweep": {"axes": [{"flows.f.cc": ["reno", "cubic"]}]}})
    assert "sweep" not in swept.to_toml()
    assert ac.run(swept).summary() == ac.run(scenario()).summary()
