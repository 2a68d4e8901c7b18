"""P3: how the smallest buffer is read from runs, and the film that the study brings with it."""

import math
from pathlib import Path

import pytest

from ackclock.studies.small_buffers import STUDY
from ackclock.studies.small_buffers.laws import BDP, LAWS, crossing


def test_the_smallest_buffer_is_between_two_that_were_run_on_a_logarithmic_scale() -> None:
    assert crossing([1, 10, 100], [0.9, 0.98, 1.0]) == pytest.approx(10 * math.sqrt(10))


def test_a_buffer_that_suffices_by_chance_below_one_that_does_not_is_not_the_smallest() -> None:
    assert crossing([1, 10, 100, 1000], [0.995, 0.9, 0.98, 1.0]) == pytest.approx(100 * math.sqrt(10))


def test_the_ends_of_what_was_run() -> None:
    assert crossing([2, 4], [0.991, 0.999]) == 2
    assert crossing([2, 4], [0.995, 0.98]) == math.inf


def test_the_rules_agree_for_one_connection_as_their_papers_have_it() -> None:
    assert LAWS["RTT·C"](1) == LAWS["RTT·C/√N"](1) == pytest.approx(BDP)
    assert LAWS["RTT·C/√N"](100) == pytest.approx(BDP / 10)


def test_the_study_has_the_film_that_the_scenarios_have() -> None:
    shipped = Path(__file__).parents[2] / "scenarios" / "video" / "clip.trace"
    assert (STUDY.folder / "clip.trace").read_bytes() == shipped.read_bytes()
