"""Examples in the metrics' docstrings give what they show; each names arguments and source."""

import doctest
import importlib
import inspect
import pkgutil
from collections.abc import Callable
from typing import Any

import pytest

from ackclock import formulas, metrics

MODULES = [
    f"{package.__name__}.{module.name}"
    for package in (formulas, metrics)
    for module in pkgutil.iter_modules(package.__path__)
]
FORMULAS = [
    getattr(metrics, name) for name in metrics.__all__ if inspect.isfunction(getattr(metrics, name))
]
# Helpers that hold no formula of a source.
PLAIN = {
    "whole",
    "mean_of",
    "held",
    "held_between",
    "gained",
    "first_growth",
    "send_times",
    "burst_gaps",
    "time_share",
    "rates_of",
    "range_of",
    "by_size",
    "congestion_epochs",
    "metric",
    "find_metric",
    "metric_names",
}


@pytest.mark.parametrize(
    "module",
    [*MODULES, "ackclock.tools.measuring", "ackclock.tables.quantities", "ackclock.messages"],
)
def test_an_example_gives_what_it_shows(module: str) -> None:
    assert doctest.testmod(importlib.import_module(module)).failed == 0


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.__name__)
def test_a_formula_names_its_parameters_and_its_source(formula: Callable[..., Any]) -> None:
    text = inspect.getdoc(formula) or ""
    if formula.__name__ not in {"whole", "metric_names"}:
        for parameter in inspect.signature(formula).parameters:
            assert parameter in text, parameter
    if formula.__name__ not in PLAIN:
        assert "Notes\n-----" in text
