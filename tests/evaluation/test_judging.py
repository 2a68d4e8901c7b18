"""Verdicts on hand-made figures."""

from __future__ import annotations

import math

import pytest

from ackclock.evaluation.cell import Cell
from ackclock.evaluation.judging import WORDS, judge_row, row_kind, together
from ackclock.evaluation.lines import (
    HARM,
    HARM_TO_SEVERAL,
    LOST_PACKETS,
    QUEUE,
    QUEUE_AFTER_EVENT,
    QUEUE_UNDER_AQM,
    SHARE,
    SLOWDOWN_P99,
    TIME,
    Line,
)
from ackclock.evaluation.lines import LOSS as LOSS_LINE
from ackclock.evaluation.row import Measure


def cell(name: str = "a", **labels: str) -> Cell:
    return Cell(
        labels={"name": name, **labels},
        scenario={"duration": "60s"},
        responses=(),
        base_rtt=0.04,
        rate=20e6,
    )


def judged(measure: Measure, subject: list, cells: list[Cell] | None = None, **references: list):
    cells = cells or [cell()]
    figures = {
        (place.id, seat): [{"x": value} for value in values]
        for place in cells
        for seat, values in {"subject": subject, **references}.items()
    }
    return judge_row([measure], cells, figures, "subject", None)


LOSS = Measure("loss", "x", line=LOSS_LINE)
USED = Measure("used", "x", line=SHARE, more_is_better=True)


def test_a_concern_is_beyond_the_line_of_the_worse_reference() -> None:
    (verdict,) = judged(
        LOSS, [0.10, 0.11, 0.12, 0.10], reno=[0.02, 0.02, 0.03, 0.02], cubic=[0.01] * 4
    )
    assert (verdict.kind, verdict.against) == ("beyond", "reno")
    # Twice the reference: the line is the reference's own mean.
    assert verdict.margin == pytest.approx(0.0225)
    assert verdict.difference[0] == pytest.approx(0.0850)


def test_twice_the_reference_is_none_if_the_floor_is_not_passed() -> None:
    (verdict,) = judged(LOSS, [0.008, 0.009, 0.008], reno=[0.001] * 3, cubic=[0.002] * 3)
    assert (verdict.kind, verdict.margin) == ("within", 0.01)


def test_less_of_what_should_be_more() -> None:
    (verdict,) = judged(USED, [0.6, 0.61, 0.6], reno=[0.9, 0.91, 0.9], cubic=[0.95, 0.95, 0.96])
    assert (verdict.kind, verdict.against) == ("beyond", "reno")
    assert verdict.margin == pytest.approx(0.1 * (0.9 + 0.91 + 0.9) / 3)


def test_better_needs_a_margin_to_the_better_reference() -> None:
    (verdict,) = judged(USED, [0.99] * 3, reno=[0.8] * 3, cubic=[0.97] * 3)
    assert verdict.kind == "within"
    (verdict,) = judged(USED, [0.99] * 3, reno=[0.8] * 3, cubic=[0.85] * 3)
    assert verdict.kind == "better"


def test_noise_across_the_line_is_not_judged_and_says_how_many_seeds() -> None:
    (verdict,) = judged(LOSS, [0.0, 0.05, 0.0, 0.05], reno=[0.01] * 4)
    assert verdict.kind == "undecided"
    sd = math.sqrt(4 * 0.025**2 / 3)
    # Mean of the difference less the line of 0.01: 0.005.
    assert verdict.seeds_wanted == math.ceil((2 * sd / 0.005) ** 2)


def test_equal_differences_are_compared_as_they_are() -> None:
    (verdict,) = judged(LOSS, [0.05] * 3, reno=[0.0] * 3)
    assert (verdict.kind, verdict.p) == ("beyond", 0.0)
    (verdict,) = judged(LOSS, [0.01] * 3, reno=[0.0] * 3)
    assert verdict.kind == "within"
    (verdict,) = judged(Measure("x", "x", line=Line()), [0.0] * 3, reno=[0.0] * 3)
    assert verdict.kind == "within"


def test_one_seed_proves_nothing() -> None:
    (verdict,) = judged(LOSS, [0.5], reno=[0.0])
    assert verdict.kind == "undecided"


def test_a_missing_figure_is_the_worst_value_or_takes_its_seed_away() -> None:
    slow = Measure("t", "x", line=TIME, worst="duration", unit="s")
    (verdict,) = judged(slow, [None, None], reno=[1.0, 1.2])
    assert verdict.values == (60.0, 60.0)
    assert verdict.kind == "beyond"
    (verdict,) = judged(LOSS, [0.1, None, 0.1], reno=[0.0, 0.0, 0.0])
    assert verdict.values == (0.1, 0.1)


def test_cells_share_the_chance_of_a_false_alarm_and_families_do_not() -> None:
    # p is about 0.03 alone, above 0.05 as one of ten equal cells.
    values = [0.03, 0.05, 0.024]
    (alone,) = judged(LOSS, values, reno=[0.0] * 3)
    assert alone.kind == "beyond"
    many = judged(LOSS, values, [cell(str(at)) for at in range(10)], reno=[0.0] * 3)
    assert {verdict.kind for verdict in many} == {"undecided"}
    cells = [cell(str(at), victim=str(at)) for at in range(10)]
    figures = {
        (place.id, seat): [{"x": value} for value in rows]
        for place in cells
        for seat, rows in {"subject": values, "reno": [0.0] * 3}.items()
    }
    split = judge_row([LOSS], cells, figures, "subject", "victim")
    assert {verdict.kind for verdict in split} == {"beyond"}


@pytest.mark.parametrize(
    ("mine", "theirs", "kind"),
    [
        ([1.0] * 5, [0.0] * 5, "concern"),
        ([1.0] * 4 + [0.0], [0.0] * 5, "not judged"),
        ([1.0] * 7 + [0.0] * 3, [0.0] * 7 + [1.0, 0.0, 0.0], "concern"),
        ([1.0, 0.0, 0.0, 0.0, 0.0], [0.0] * 5, "no concern"),
        ([0.0] * 5, [1.0] * 5, "no concern"),
    ],
)
def test_starvation_is_a_sign_test_over_seeds(mine: list, theirs: list, kind: str) -> None:
    measure = Measure("starved", "x", starving=True, unit="s")
    (verdict,) = judged(measure, mine, reno=theirs, cubic=[0.0] * len(mine))
    assert WORDS.of(verdict) == kind


def test_lines() -> None:
    assert SHARE.margin(cell()).of(0.1) == 0.02
    assert HARM.margin(cell()).of(0.5) == 0.1
    assert HARM_TO_SEVERAL.margin(cell()).of(0.5) == 0.2
    assert QUEUE.margin(cell()).of(0.1) == pytest.approx(0.01)
    assert QUEUE.margin(cell()).of(0.001) == pytest.approx(0.004)
    assert QUEUE_UNDER_AQM.margin(cell()).of(0.001) == pytest.approx(0.005)
    assert QUEUE_AFTER_EVENT.margin(cell()).of(0.001) == pytest.approx(0.01)
    assert LOST_PACKETS.margin(cell()).of(3.0) == 10.0
    assert TIME.margin(cell()).of(0.1) == 0.5
    assert SLOWDOWN_P99.margin(cell()).of(10.0) == 2.5
    # A limit: the subject may reach it, however good the reference is.
    assert Line(0.0, 1.0, limit=10.0).margin(cell()).of(2.0) == 8.0
    assert Line(0.0, 1.0, limit=10.0).margin(cell()).of(12.0) == 1.0
    # Nobody is better by 100 % of a rate of loss: half of it is enough.
    assert LOSS_LINE.margin(cell()).of_better(0.1) == 0.05


def test_the_worst_cell_decides_a_row_and_a_third_may_be_open() -> None:
    kinds = judged(LOSS, [0.1] * 3, reno=[0.0] * 3)
    assert row_kind(kinds) == "concern"
    good = judged(LOSS, [0.0] * 3, reno=[0.0] * 3)
    unclear = judged(LOSS, [0.0, 0.05, 0.0, 0.05], reno=[0.01] * 4)
    assert row_kind([*good, *good, *unclear]) == "no concern"
    assert row_kind([*good, *unclear]) == "not judged"
    assert row_kind([*kinds, *unclear, *unclear]) == "concern"
    assert row_kind([]) == "shown"


def test_a_joint_row_needs_all_measures_of_a_cell() -> None:
    delay = Measure("delay", "x", line=QUEUE, unit="s")
    bad, other = judged(LOSS, [0.1] * 3, reno=[0.0] * 3), judged(delay, [0.0] * 3, reno=[0.0] * 3)
    assert row_kind([*bad, *other]) == "concern"
    assert row_kind(together([*bad, *other])) == "no concern"
    assert row_kind(together([*bad, *bad])) == "concern"
