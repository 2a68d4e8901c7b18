"""What is measured, defined once: formulas over counters, and the names that `compare --metric` accepts.

`rates`, `losses`, `fairness` and `statistics` hold one function per formula, over plain numbers.
`registry` names the figures of a whole run and says how each is made from its summary.
"""

from ackclock.metrics.fairness import jain_index
from ackclock.metrics.losses import loss_rate, mark_rate, retransmit_rate
from ackclock.metrics.parts import whole
from ackclock.metrics.rates import goodput, throughput, utilisation
from ackclock.metrics.registry import METRICS, Metric, UnknownMetricError, metric, metric_names
from ackclock.metrics.statistics import Interval, mean_interval, mean_of

__all__ = [
    "METRICS",
    "Interval",
    "Metric",
    "UnknownMetricError",
    "goodput",
    "jain_index",
    "loss_rate",
    "mark_rate",
    "mean_interval",
    "mean_of",
    "metric",
    "metric_names",
    "retransmit_rate",
    "throughput",
    "utilisation",
    "whole",
]
