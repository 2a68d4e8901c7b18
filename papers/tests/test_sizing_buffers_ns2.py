"""ns-2's runs beside the study sizing-buffers: all settings, the same networks, a few figures."""

import itertools
import json
import tomllib
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

import ackclock as ac
from ackclock.studies.outside import Outside, read_outside
from ackclock_papers.sizing_buffers import STUDY, rules
from scripts import script

HERE = Path(__file__).parent
record = script("tests/theory/ns2/buffers/record.py")


def labels_of(experiment: str) -> dict[str, list[Any]]:
    """Labels of an experiment's axes, in the order of its file."""
    axes = tomllib.loads((STUDY.folder / f"{experiment}.toml").read_text(encoding="utf-8"))[
        "sweep"
    ]["axes"]
    return {
        axis["name"]: axis.get("labels")
        or next(value for key, value in axis.items() if key != "name")
        for axis in axes
    }


def rows_of(experiment: str) -> tuple[dict[str, Any], ...]:
    """Rows of the first file beside an experiment."""
    other = next(outside for outside in STUDY.outside if outside.experiment == experiment)
    return read_outside(STUDY.folder / other.file).rows


@pytest.mark.parametrize("other", STUDY.outside, ids=lambda other: other.file)
def test_every_setting_has_run_with_every_seed(other: Outside) -> None:
    rows = read_outside(STUDY.folder / other.file).rows
    labels = labels_of(other.experiment)
    name = other.file.removeprefix("ns2-").removesuffix(".json")
    wanted = {tuple(setting.values()) for setting, _ in record.settings(other.experiment, name)}
    assert wanted <= set(itertools.product(*labels.values()))
    assert {tuple(row[name] for name in labels) for row in rows} == wanted
    seeds = record.EXPERIMENTS if other.name == "ns-2.35" else record.AT_ONCE
    assert len(rows) == len(wanted) * seeds[other.experiment]
    assert len(rows) == len({(*(row[name] for name in labels), row["seed"]) for row in rows})


def test_what_is_left_out_is_named_as_the_files_have_it() -> None:
    for experiment, parts in record.ONLY.items():
        labels = labels_of(experiment.removesuffix("-at-once"))
        for part in parts:
            assert all(set(wanted) <= set(labels[name]) for name, wanted in part.items()), (
                experiment
            )


@pytest.mark.parametrize("other", STUDY.outside, ids=lambda other: other.file)
def test_shares_are_shares_and_waits_fit_the_buffer(other: Outside) -> None:
    for row in read_outside(STUDY.folder / other.file).rows:
        assert 0 < row.get("utilisation", 1) <= 1
        assert 0 <= row.get("loss_rate", 0) < 0.2
        if other.experiment == "minimum":
            # Packets of 1500 bytes at 155 Mbit/s, as many as may wait.
            assert row["queue_delay.mean"] < row["buffer"] * 1500 * 8 / 155e6


def test_networks_are_those_of_the_files() -> None:
    given = {
        tuple(labels.values()): record.options(scenario)
        for labels, scenario in record.settings("router")
    }
    # ns-2's DropTail counts the packet that is being sent.
    assert given["200, 2x", "Reno, RTTs alike"] == {
        "n": 200,
        "rate": 155e6,
        "delay": 0.025,
        "limit": 183,
        "packet": 1460,
        "tcp": "Reno",
        "window": 1,
        "from": 15.0,
        "until": 40.0,
        "near": pytest.approx(0.012),
        "far": pytest.approx(0.013),
    }
    assert given["400, 1x", "Linux, RTTs apart"]["tcp"] == "Sack1"
    short = {
        tuple(labels.values()): record.options(scenario)
        for labels, scenario in record.settings("short")
    }
    assert (
        short[14, "80 Mbit/s"]["rate"],
        short[14, "80 Mbit/s"]["length"],
        short[14, "80 Mbit/s"]["load"],
    ) == (80e6, 14, 0.8)
    assert "near" not in short[14, "80 Mbit/s"]


def test_figures_of_a_run_by_name() -> None:
    figures = {
        "arrived": 100,
        "departed": 98,
        "busy": 1.0000004,
        "wait": 0.001,
        "timeouts": 2,
        "taken": 0.0,
    }
    names = ["utilisation", "loss_rate", "queue_delay.mean", "timeouts"]
    assert record.responses(figures, names) == {
        "utilisation": 1.0,
        "loss_rate": 0.02,
        "queue_delay.mean": 0.001,
        "timeouts": 2,
    }


def test_episodes_from_a_list_of_drops(tmp_path: Path) -> None:
    drops = tmp_path / "drops"
    # Before 15 s nothing counts; 15.00 and 15.03 s are one episode of two flows, 16 s is one of one
    # flow.
    lines = (
        "14.9 0 1 tcp 1500 ------- 3",
        "15.0 0 1 tcp 1500 ------- 0",
        "15.03 0 1 tcp 1500 ------- 1",
        "16.0 0 1 tcp 1500 ------- 1",
    )
    drops.write_text("".join(f"d {line} 8.0 9.0 63 1741\n" for line in lines), encoding="utf-8")
    assert record.at_once(drops, 4, 15.0) == pytest.approx((2 / 4 + 1 / 4) / 2)


@pytest.mark.long
@pytest.mark.parametrize("buffer", [0.25, 0.5])
def test_one_flow_leaves_the_link_as_idle_as_in_ns2(buffer: float) -> None:
    """Two packets are 0.5 % of the path's and half the buffer: ns-2's windows have fractions."""
    ours = ac.run(_one({0.25: 36, 0.5: 71}[buffer])).metric("utilisation")
    assert ours == pytest.approx(
        mean(row["utilisation"] for row in rows_of("one") if row["buffer"] == buffer), abs=0.01
    )


def _one(packets: int) -> ac.Scenario:
    table = tomllib.loads((STUDY.folder / "one.toml").read_text(encoding="utf-8"))
    del table["sweep"]
    table["network"]["bottleneck"]["limit"] = f"{packets} packets"
    return ac.Scenario.model_validate(table)


def test_windows_of_ns2_say_what_ours_say() -> None:
    """The study judges these by its own recordings: SB-F4b, SB-eq9, SB-F8a, SB-F8b."""
    curves = json.loads(
        (HERE.parents[1] / "tests/theory/ns2/buffers/curves.json").read_text(encoding="utf-8")
    )
    assert all(
        gap == pytest.approx(30.2, rel=0.05) for gap in curves["one-curve"]["time between cuts"]
    )
    many = [row for row in curves["windows"] if row["of"] == next(iter(rules.WINDOWS))]
    assert len(many) == 3
    assert all(row["distance from normal"] < 0.1 for row in many)
    assert all(row["deviation over the bound"] > 1 for row in many)
