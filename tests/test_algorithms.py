"""Traits of algorithms name closed forms that exist, and take them with right arguments."""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING

import pytest

from ackclock import theory
from ackclock.catalogue import algorithms
from ackclock.theory import window_laws

if TYPE_CHECKING:
    from types import ModuleType

    from ackclock._core import Law

ENTRIES = algorithms.entries()
PATH = {"loss_rate": 1e-4, "rtt": 0.1, "queueing": 0.01, "buffer": 0.5, "acked": 1.0}


def laws(name: str) -> list[tuple[ModuleType, Law]]:
    """Each law of an algorithm with the package of its function."""
    traits = ENTRIES[name]["traits"]
    candidates = [*traits["response"], traits["tolerance"], traits["utilisation"]]
    return [
        *((theory, law) for law in candidates if law is not None),
        *((window_laws, law) for law in [traits["linearised"]] if law is not None),
    ]


@pytest.mark.parametrize("name", [name for name in ENTRIES if laws(name)])
def test_a_law_is_a_function_of_theory_with_these_arguments(name: str) -> None:
    for package, law in laws(name):
        assert law["function"] in package.__all__
        assert law["source"]
        function = getattr(package, law["function"])
        arguments = algorithms.arguments_of(law, name, **PATH)
        inspect.signature(function).bind(**arguments)
        value = function(**arguments)
        if package is theory:
            assert math.isfinite(value)
            assert value > 0


@pytest.mark.parametrize("name", ENTRIES)
def test_an_algorithm_has_a_linearised_model_or_a_reason_why_not(name: str) -> None:
    traits = ENTRIES[name]["traits"]
    assert (traits["linearised"] is None) == bool(traits["why_not_linearised"])


def test_parameters_count_in_a_closed_form() -> None:
    [law] = algorithms.traits("scalable")["response"]
    usual, careful = (
        theory.scalable_window(**algorithms.arguments_of(law, cc, loss_rate=1e-4))
        for cc in ("scalable", "scalable(b=0.25)")
    )
    assert careful < usual


def test_nothing_is_known_of_another_algorithm() -> None:
    own = algorithms.traits("cos+python:mine:Mine(a=1)")
    assert not own["draws"]
    assert own["response"] == []
    assert not algorithms.is_blind("python:mine:Mine")
    assert not algorithms.is_whole("python:mine:Mine")
