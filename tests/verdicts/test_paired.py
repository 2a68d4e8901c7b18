"""Are outcomes those of the textbooks' tests, and is a family's error kept?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ackclock.verdicts import Judgement, Margin, beside, counted, equivalent, settled
from ackclock.verdicts.paired import Contrast, common

PLAIN = Judgement(case="cell", figure="delay", unit="s", kind="shown")


def against(values: list[float], **references: list[float]) -> Judgement:
    return replace(
        PLAIN,
        values=tuple(values),
        references={name: tuple(row) for name, row in references.items()},
        against=next(iter(references)),
    )


def test_a_difference_beyond_the_margin_is_students_one_sided_paired_t() -> None:
    draws = np.random.default_rng(3)
    values, reno = draws.normal(12, 1, 8), draws.normal(10, 1, 8)
    contrast = beside(against(values.tolist(), reno=reno.tolist()), Margin(amount=1.0))
    expected = stats.ttest_1samp(values - reno, 1.0, alternative="greater").pvalue
    assert contrast.p_beyond == pytest.approx(expected)
    assert contrast.judgement.difference is not None
    low, high = stats.ttest_1samp(values - reno, 0.0).confidence_interval(0.95)
    assert contrast.judgement.difference[1:] == pytest.approx((low, high))


def test_the_worse_reference_decides_of_beyond_and_the_better_one_of_better() -> None:
    plain = against([5.0] * 4, reno=[4.0] * 4, cubic=[8.0] * 4)
    assert settled([beside(plain, Margin(share=0.1))])[0].against == "cubic"
    (best,) = settled([beside(against([1.0] * 4, reno=[4.0] * 4, cubic=[8.0] * 4), Margin(0.1))])
    assert best.kind == "better"
    (between,) = settled([beside(plain, Margin(share=0.1))])
    assert between.kind == "within"


def test_events_are_compared_by_a_sign_test() -> None:
    plain = against([1.0] * 7 + [0.0] * 3, reno=[0.0] * 7 + [1.0] + [0.0] * 2)
    contrast = counted(plain)
    expected = stats.binomtest(1, 8, 0.5, alternative="less").pvalue
    assert contrast.p_beyond == pytest.approx(expected)
    assert contrast.judgement.counts == (7, 1)


def test_equivalence_is_shown_by_two_one_sided_tests() -> None:
    draws = np.random.default_rng(5)
    kernel = draws.normal(10, 0.3, 8)
    values = kernel + draws.normal(0.02, 0.1, 8)
    judgement = equivalent(against(values.tolist(), kernel=kernel.tolist()), Margin(share=0.02))
    margin = 0.02 * kernel.mean()
    expected = max(
        stats.ttest_1samp(values - kernel, margin, alternative="less").pvalue,
        stats.ttest_1samp(values - kernel, -margin, alternative="greater").pvalue,
    )
    assert judgement.kind == "within"
    assert judgement.p == pytest.approx(expected)


def test_no_difference_found_is_not_equivalence() -> None:
    few = against([9.0, 11.0, 10.0], kernel=[10.5, 9.5, 10.0])
    assert equivalent(few, Margin(share=0.05)).kind == "undecided"
    far = against([12.0, 12.1, 11.9], kernel=[10.0, 10.1, 9.9])
    assert equivalent(far, Margin(share=0.05)).kind == "beyond"
    # The simulator's seeds are one run: what it gives is compared as it is.
    same = against([10.1] * 3, kernel=[10.0] * 3)
    assert equivalent(same, Margin(share=0.05)).kind == "within"
    assert equivalent(same, Margin(share=0.005)).kind == "beyond"


def test_a_seed_counts_if_all_sides_have_its_figure() -> None:
    assert common([1.0, None, 3.0], [4.0, 5.0, None]) == [(1.0,), (4.0,)]
    assert common([None], [1.0]) == [(), ()]


def test_a_family_errs_no_more_often_than_one_judgement() -> None:
    draws = np.random.default_rng(7)
    trials, wrong = 300, 0
    for _ in range(trials):
        contrasts = [
            beside(against(draws.normal(10, 1, 6).tolist(), reno=[10.0] * 6), Margin(), family="f")
            for _ in range(10)
        ]
        wrong += any(judgement.kind == "beyond" for judgement in settled(contrasts))
    # Three standard errors of a count of 15.
    assert wrong <= 0.05 * trials + 3 * (0.05 * trials) ** 0.5


@given(st.lists(st.floats(0.001, 1.0), min_size=1, max_size=8))
def test_more_judgements_of_a_family_never_make_a_finding(chances: list[float]) -> None:
    plain = replace(PLAIN, margin=1.0)
    alone = [settled([Contrast(plain, p_beyond=p)])[0].kind for p in chances]
    together = settled([Contrast(plain, p_beyond=p) for p in chances])
    assert all(
        kind == "beyond"
        for kind, many in zip(alone, together, strict=True)
        if many.kind == "beyond"
    )
