"""Phrases and figures that criteria share."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ackclock.metrics import UnknownMetricError, find_metric
from ackclock.plot_data.sweep.scale import words
from ackclock.stats import Estimate, bounded, estimates
from ackclock.studies.results import Spot
from ackclock.studies.rules import All
from ackclock.studies.weighing import confidence_of, percent, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.studies.claim import Criterion
    from ackclock.studies.results import Results

__all__ = [
    "ALL",
    "by_words",
    "censored",
    "censored_words",
    "held_words",
    "in_units",
    "means_within",
    "unit_of",
]

ALL = "at every setting, each interval of 1 − 5 %/k confidence for k settings"


def held_words(at: Mapping[str, Any]) -> str:
    """Return the labels at which a criterion holds axes: ` (at buffer = 40)`, or nothing."""
    held = [
        f"{words(name)} = "
        f"{', '.join(map(quoted, wanted)) if isinstance(wanted, list | tuple) else quoted(wanted)}"
        for name, wanted in at.items()
    ]
    return f" (at {'; '.join(held)})" if held else ""


def by_words(share: float) -> str:
    """Return `by 5 % or more`, or nothing."""
    return f" by {percent(share)} or more" if share > 0 else ""


def unit_of(response: str) -> str:
    """Return the unit of a response that is a metric, or "1" for any other name."""
    try:
        return find_metric(response).unit
    except UnknownMetricError:
        return "1"


def in_units(criterion: Criterion, results: Results) -> Criterion:
    """Return the criterion with its responses' units, which only the experiments know."""
    if isinstance(criterion, All):
        return All(tuple((name, in_units(part, results)) for name, part in criterion.parts))
    if getattr(criterion, "unit", None) == "":
        known: Any = criterion
        with_unit: Criterion = replace(
            known, unit=results.shown_unit(known.experiment, known.response)
        )
        return with_unit
    return criterion


def censored(
    results: Results, experiment: str, spots: Sequence[Spot], at_s: float | None
) -> list[Spot]:
    """Return spots in which a run without a value counts as the end of its observation.

    The mean of such values is the restricted mean of the time until the event.
    """
    if at_s is None:
        return list(spots)
    elsewhere = results.elsewhere.get(experiment)
    # Another simulator's runs have seeds of their own.
    seeds = (
        results.sweeps[experiment].runs["seed"].unique().sort().to_list()
        if elsewhere is None
        else sorted({int(row["seed"]) for row in elsewhere})
    )
    return [
        Spot(spot.labels, {seed: spot.values.get(seed, at_s) for seed in seeds}) for spot in spots
    ]


def censored_words(at_s: float | None, *, mean: bool = True) -> str:
    """Return the end of a criterion's sentence that says how runs without a value count."""
    if at_s is None:
        return ""
    return (
        f"; a run in which that never happens counts as {at_s:g} "
        f"s{' (restricted mean)' if mean else ''}"
    )


def means_within(
    results: Results,
    experiment: str,
    response: str,
    spots: Sequence[Spot],
    most: float | None = None,
) -> list[Estimate]:
    """Return means over seeds with intervals of 1 - 0.05/k confidence for k spots.

    Intervals stay within the response's range. No run can exceed `most`, such as the end of an
    observation.
    """
    lowest, highest = results.limits(experiment, response)
    means = estimates([list(spot.values.values()) for spot in spots], confidence_of(len(spots)))
    return [
        bounded(mean, lowest, highest if most is None else min(highest, most)) for mean in means
    ]
