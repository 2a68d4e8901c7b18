import math

import numpy as np
import polars as pl
import pytest

from ackclock.stats import bounded, difference, estimate
from ackclock.sweeps.analysis import (
    Unchanged,
    by_chance,
    differences_frame,
    figures_of,
    responses_frame,
    runs_frame,
    unchanged,
)
from sweep_designs import design, made_up

NOISE = np.random.default_rng(9).normal(0.0, 0.1, (6, 12))


def noisy(setting: int, replication: int) -> float:
    return setting + float(NOISE[setting, replication])


def test_runs_are_a_row_each_with_labels_seeds_and_figures() -> None:
    of = design(
        replications=2,
        axes=[{"flows.count": [1, 4]}, {"network.bottleneck.limit": ["5 packets", "1bdp"]}],
    )
    frame = runs_frame(of, dict(reversed(made_up(of, noisy).items())))
    assert frame.columns == [
        "setting",
        "count",
        "limit",
        "replication",
        "seed",
        "key",
        "digest",
        "utilisation",
        "goodput",
    ]
    assert frame.schema["count"] == pl.Int64
    assert frame.select("setting", "count", "limit", "replication", "seed").rows()[:5] == [
        (0, 1, "5 packets", 0, 1),
        (0, 1, "5 packets", 1, 2),
        (1, 1, "1bdp", 0, 1),
        (1, 1, "1bdp", 1, 2),
        (2, 4, "5 packets", 0, 1),
    ]
    assert frame["utilisation"].to_list() == [
        noisy(setting, at) for setting in range(4) for at in range(2)
    ]


def test_what_was_not_measured_is_null_and_not_nan() -> None:
    of = design(replications=3)
    frame = runs_frame(
        of, made_up(of, lambda setting, at: None if setting == 1 or at == 0 else 2.0)
    )
    assert frame["goodput"].null_count() == 6 + 2
    summary = responses_frame(of, frame).filter(pl.col("response") == "goodput")
    assert summary["n"].to_list() == [2, 0, 2, 2, 2, 2]
    assert summary.row(1, named=True)["mean"] is None
    assert summary.row(1, named=True)["method"] == "none"


def test_each_setting_and_response_has_the_estimate_of_its_runs() -> None:
    of = design(replications=12, confidence=0.9)
    frame = responses_frame(of, runs_frame(of, made_up(of, noisy)))
    assert frame.columns == [
        *(
            "setting",
            "limit",
            "cc",
            "response",
            "unit",
            "n",
            "mean",
            "sd",
            "median",
            "low",
            "high",
            "method",
            "why",
        )
    ]
    assert frame.height == 12
    row = frame.filter((pl.col("setting") == 4) & (pl.col("response") == "goodput")).row(
        0, named=True
    )
    expected = bounded(estimate([noisy(4, at) for at in range(12)], 0.9), 0.0)
    assert (row["limit"], row["cc"], row["unit"]) == ("10 packets", "cubic", "bit/s")
    assert [
        row[name] for name in ("n", "mean", "sd", "median", "low", "high", "method", "why")
    ] == [
        getattr(expected, name)
        for name in ("n", "mean", "sd", "median", "low", "high", "method", "why")
    ]


def test_differences_are_paired_by_seed_with_the_base_of_the_same_setting() -> None:
    of = design(replications=12, comparisons=[{"axis": "cc", "base": "cubic"}])
    frame = differences_frame(of, runs_frame(of, made_up(of, noisy)))
    assert frame.height == 2 * 2 * 2
    row = frame.filter((pl.col("setting") == 5) & (pl.col("response") == "utilisation")).row(
        0, named=True
    )
    expected = difference([noisy(5, at) for at in range(12)], [noisy(4, at) for at in range(12)])
    assert (
        row["base_setting"],
        row["limit"],
        row["cc"],
        row["axis"],
        row["value"],
        row["base"],
    ) == (*(4, "10 packets", None, "cc", "vegas", "cubic"),)
    assert (row["n"], row["difference"], row["low"], row["high"], row["effect_size"], row["p"]) == (
        *(12, expected.difference, expected.low, expected.high, expected.effect_size, expected.p),
    )
    assert row["unit"] == "1"


def test_ratios_have_no_unit_and_say_that_they_are_ratios() -> None:
    of = design(replications=12, comparisons=[{"axis": "limit", "ratio": True}])
    frame = differences_frame(
        of, runs_frame(of, made_up(of, lambda setting, at: math.exp(noisy(setting, at))))
    )
    assert set(frame["unit"].to_list()) == {"1"}
    assert frame["ratio"].all()
    assert frame["difference"].to_list() == pytest.approx([math.exp(3.0)] * 6, rel=0.2)
    assert frame["limit"].null_count() == frame.height


def test_seeds_that_only_one_of_the_two_has_are_left_out() -> None:
    of = design(replications=12, comparisons=["cc"])
    runs = {
        place: run for place, run in made_up(of, noisy).items() if place not in {(1, 3), (0, 7)}
    }
    frame = differences_frame(of, runs_frame(of, runs))
    assert frame.filter(pl.col("setting") == 1)["n"].to_list() == [10, 10]


def test_a_sweep_without_comparisons_has_an_empty_frame_of_differences_with_its_columns() -> None:
    of = design(replications=2)
    frame = differences_frame(of, runs_frame(of, made_up(of, noisy)))
    assert frame.height == 0
    assert {"setting", "limit", "cc", "difference", "p"} <= set(frame.columns)
    assert by_chance(of, frame).shown == 0


@pytest.mark.long
def test_chance_makes_one_interval_in_twenty_leave_out_zero() -> None:
    limits = [f"{packets} packets" for packets in range(5, 205)]
    of = design(
        axes=[{"network.bottleneck.limit": limits}, {"flows.cc": ["reno", "cubic"]}],
        replications=10,
        comparisons=["cc"],
    )
    values = np.random.default_rng(4).normal(0.0, 1.0, (400, 10))
    frame = differences_frame(
        of, runs_frame(of, made_up(of, lambda setting, at: float(values[setting, at])))
    )
    chance = by_chance(of, frame.filter(pl.col("response") == "utilisation"))
    assert chance.shown == 200
    assert chance.expected == pytest.approx(10.0)
    assert 3 <= chance.apart <= 19


def test_an_axis_value_that_changes_nothing_is_found_by_equal_bytes() -> None:
    of = design(replications=3)
    # Setting 0 to 2: limit 5 with reno, cubic, vegas; 3 to 5: limit 10. Cubic is as reno
    # everywhere.
    frame = runs_frame(
        of, made_up(of, lambda setting, at: float(at + {1: 0, 4: 3}.get(setting, setting)))
    )
    assert unchanged(of, frame) == [Unchanged("cc", "reno", "cubic")]


def test_a_value_that_matters_at_one_setting_or_seed_changes_something() -> None:
    of = design(replications=3)
    assert unchanged(
        of, runs_frame(of, made_up(of, lambda setting, at: float(at + (setting == 5 and at == 2))))
    ) == [Unchanged("cc", "reno", "cubic")]


def test_of_values_that_are_all_the_same_each_is_named_once() -> None:
    of = design(replications=2)
    assert unchanged(of, runs_frame(of, made_up(of, lambda _, at: float(at)))) == [
        Unchanged("limit", "5 packets", "10 packets"),
        Unchanged("cc", "reno", "cubic"),
        Unchanged("cc", "reno", "vegas"),
    ]


def test_figures_come_back_as_the_sequential_stop_takes_them() -> None:
    of = design(replications=2)
    runs = made_up(of, lambda setting, at: None if at else float(setting))
    assert figures_of(of, runs_frame(of, runs)) == {
        place: dict(run.figures) for place, run in runs.items()
    }
