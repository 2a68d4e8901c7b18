"""Do the rules against recorded runs tell a change from chance as often as docs/test.md says?"""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from ackclock.verdicts import Judgement, Margin, moved, recorded
from ackclock.verdicts.paired import common

PLAIN = Judgement(case="cell", figure="goodput", unit="bit/s", kind="shown", against="recorded")


def judge(
    earlier: list[float | None],
    new: list[float | None],
    *,
    level: float,
    tolerance: float,
    is_deterministic: bool = False,
) -> Judgement:
    margin = Margin(share=tolerance)
    return recorded(PLAIN, earlier, new, margin, level=level, is_deterministic=is_deterministic)


def pair(old: list[float | None], new: list[float | None], *, tolerance: float) -> Judgement:
    earlier, now = common(old, new)
    plain = replace(PLAIN, values=now, references={"recorded": earlier})
    return moved(plain, Margin(share=tolerance))


@pytest.mark.parametrize("shape", ["normal", "exponential", "lognormal"])
def test_chance_is_called_a_change_no_more_often_than_the_level(shape: str) -> None:
    draws = np.random.default_rng(7)
    level, trials = 0.05, 1000
    false = sum(
        judge(
            getattr(draws, shape)(size=10).tolist(),
            getattr(draws, shape)(size=5).tolist(),
            level=level,
            tolerance=0.0,
        ).kind
        == "beyond"
        for _ in range(trials)
    )
    # Three standard errors of a count of 50.
    assert false <= level * trials + 3 * math.sqrt(level * trials)


def test_a_change_of_three_deviations_is_found() -> None:
    draws = np.random.default_rng(11)
    recorded = draws.normal(10.0, 1.0, size=20).tolist()
    new = draws.normal(13.0, 1.0, size=5).tolist()
    verdict = judge(recorded, new, level=0.001, tolerance=0.01)
    assert verdict.kind == "beyond"
    assert verdict.high is not None
    assert verdict.mean is not None
    assert verdict.mean > verdict.high


def test_a_change_within_the_tolerance_passes() -> None:
    recorded = [10.0, 10.001, 10.002, 10.001]
    assert judge(recorded, [10.05] * 4, level=0.05, tolerance=0.01).kind == "within"
    assert judge(recorded, [10.05] * 4, level=0.05, tolerance=0.0).kind == "beyond"


def test_too_few_seeds_are_not_judged() -> None:
    # 2 of 20 divisions of 3 and 3 values differ as much: 0.1.
    verdict = judge([1.0, 1.1, 1.2], [9.0, 9.1, 9.2], level=0.05, tolerance=0.0)
    assert verdict.kind == "undecided"
    assert "more seeds would decide" in verdict.why


def test_a_deterministic_cell_has_its_tolerance_alone() -> None:
    same = {"level": 0.001, "tolerance": 0.01, "is_deterministic": True}
    assert judge([100.0] * 2, [100.9] * 2, **same).kind == "within"
    assert judge([100.0] * 2, [101.1] * 2, **same).kind == "beyond"
    assert judge([0.0] * 2, [1.0] * 2, **same).kind == "beyond"


def test_equal_values_of_different_runs_need_many_others_to_change() -> None:
    few = judge([0.0] * 20, [0.0, 0.0, 0.0, 0.0, 1.0], level=0.001, tolerance=0.01)
    assert few.kind == "undecided"
    many = judge([0.0] * 20, [0.0, 1.0, 1.0, 2.0, 1.0], level=0.001, tolerance=0.01)
    # C(5, 4) / C(25, 4) = 0.0004.
    assert many.kind == "beyond"


def test_runs_without_a_value_are_counted() -> None:
    lost = judge([1.0, 1.1] * 10, [None] * 5, level=0.001, tolerance=0.01)
    assert (lost.kind, lost.why) == (
        "beyond",
        "5 of 5 runs have no value, and all recorded runs have",
    )
    verdict = judge([None] * 20, [1.0] * 5, level=0.001, tolerance=0.01)
    assert (verdict.kind, verdict.why) == (
        "beyond",
        "5 of 5 runs have a value, and no recorded run has one",
    )
    assert judge([None] * 20, [None] * 5, level=0.001, tolerance=0.01).kind == "within"


def test_pairs_have_students_paired_t() -> None:
    old, new = [1.0, 2.0, 3.0, 4.0], [1.5, 2.4, 3.6, 4.4]
    verdict = pair([*old, None], [*new, 7.0], tolerance=0.01)
    assert verdict.p == pytest.approx(stats.ttest_rel(new, old).pvalue)
    assert (len(verdict.values), verdict.kind) == (4, "beyond")
    same = pair(old, old, tolerance=0.01)
    assert (same.p, same.kind) == (None, "within")
