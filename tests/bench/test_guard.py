"""The guard fails where a packet costs over 5 % more instructions, by the recorded compiler."""

import json

import pytest

from scripts import ROOT

RECORD = {"compiler": "rustc 1.0", "per_packet": {"one": 1000.0, "other": 2000.0}}


@pytest.mark.usefixtures("bench")
def test_four_per_cent_more_pass_and_six_fail() -> None:
    import instructions

    passes, _ = instructions.verdict({"one": 1040.0, "other": 2000.0}, RECORD, "rustc 1.0")
    assert passes
    passes, says = instructions.verdict({"one": 1060.0, "other": 2000.0}, RECORD, "rustc 1.0")
    assert not passes
    assert says.startswith("one: ")
    assert "make bench-guard ARGS=--record" in says


@pytest.mark.usefixtures("bench")
def test_another_compiler_is_told_and_not_judged() -> None:
    import instructions

    passes, says = instructions.verdict({"one": 1060.0}, RECORD, "rustc 2.0")
    assert passes
    assert "NOT JUDGED" in says
    assert "rustc 2.0" in says
    assert "one" in says


@pytest.mark.usefixtures("bench")
def test_a_workload_that_is_not_recorded_does_not_fail() -> None:
    import instructions

    assert instructions.verdict({"new": 1.0}, RECORD, "rustc 1.0")[0]


@pytest.mark.usefixtures("bench")
def test_whatever_is_counted_is_recorded() -> None:
    import workloads

    recorded = json.loads((ROOT / "bench/instructions.json").read_text(encoding="utf-8"))[
        "per_packet"
    ]
    counted = {workload.name for workload in workloads.WORKLOADS if workload.counted} | {"traced"}
    assert set(recorded) == counted


@pytest.mark.usefixtures("bench")
def test_a_share_a_third_lower_passes_and_half_of_it_fails() -> None:
    import skeleton

    recorded = {"w1-one-reno": 0.3, "w3-fifty-cubic": 0.3, "w4-thousand-reno": 0.3}
    assert skeleton.failed({"w1-one-reno": 0.2, "w4-thousand-reno": 0.1}, recorded) == []
    assert skeleton.failed({"w1-one-reno": 0.15, "w3-fifty-cubic": 0.3}, recorded) == [
        "w1-one-reno"
    ]


@pytest.mark.usefixtures("bench")
def test_the_skeleton_is_of_recorded_workloads() -> None:
    import skeleton

    record = json.loads((ROOT / "bench" / "skeleton.json").read_text())
    assert set(record["shares"]) == set(skeleton.LIKE)
    assert set(skeleton.JUDGED) < set(skeleton.LIKE)
