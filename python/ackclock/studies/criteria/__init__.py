"""Criteria: each declares an outcome in advance and judges the runs by it.

All follow the rule of `ackclock.studies.weighing`: a figure's interval lies inside the claimed
range, outside, or across its end.
"""

from ackclock.studies.criteria.change import Change, greater, less, no_more, same
from ackclock.studies.criteria.curve import Curve
from ackclock.studies.criteria.effect import Effect
from ackclock.studies.criteria.growth import Growth
from ackclock.studies.criteria.level import Level, within
from ackclock.studies.criteria.pairing import Pairing
from ackclock.studies.criteria.quantile import Quantile
from ackclock.studies.criteria.ratio import Ratio, RatioOf

__all__ = [
    "Change",
    "Curve",
    "Effect",
    "Growth",
    "Level",
    "Pairing",
    "Quantile",
    "Ratio",
    "RatioOf",
    "greater",
    "less",
    "no_more",
    "same",
    "within",
]
