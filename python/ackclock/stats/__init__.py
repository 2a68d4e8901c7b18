"""Confidence in the results of several runs: intervals, paired differences, and the steady state.

Plain arrays in, plain figures out; what is computed, and how well it covers, stands in
docs/statistics.md.
"""

from ackclock.stats.adjusting import holm
from ackclock.stats.bounded import Change, bounded, changes_of_means, cut_differences
from ackclock.stats.intervals import Interval, mean_interval
from ackclock.stats.means import Estimate, Method, estimate, estimates
from ackclock.stats.paired import Difference, difference, differences
from ackclock.stats.permutation import permutation_p
from ackclock.stats.prediction import prediction_interval
from ackclock.stats.quantiles import QuantileInterval, quantile_interval
from ackclock.stats.steady import truncation

__all__ = [
    "Change",
    "Difference",
    "Estimate",
    "Interval",
    "Method",
    "QuantileInterval",
    "bounded",
    "changes_of_means",
    "cut_differences",
    "difference",
    "differences",
    "estimate",
    "estimates",
    "holm",
    "mean_interval",
    "permutation_p",
    "prediction_interval",
    "quantile_interval",
    "truncation",
]
