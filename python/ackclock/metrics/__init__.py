"""What is measured, defined once: formulas, the names that `compare --metric` accepts, and how to add one.

One function per formula, over plain numbers and columns: `rates`, `losses`, `power`, `fairness`, `harm`, `convergence`, `variation`,
`synchronisation`, `queues`, `response`, `transfers`, `streams`, `statistics`. `registry` names figures of a run; `from_summary` and `of_*`
say how each is made from its summary, counters, time series, transfers or streams.
"""

from ackclock.metrics import from_summary as from_summary  # first: in this order the names are shown
from ackclock.metrics import of_counters as of_counters
from ackclock.metrics import of_samples as of_samples
from ackclock.metrics import of_streams as of_streams
from ackclock.metrics import of_transfers as of_transfers
from ackclock.metrics.convergence import convergence_time, recovery_times, time_to_factor
from ackclock.metrics.fairness import (
    jain_index,
    max_min_fairness,
    max_min_rates,
    min_max_ratio,
    proportional_utility,
    rtt_normalised,
)
from ackclock.metrics.harm import friendliness, harm
from ackclock.metrics.losses import loss_rate, mark_rate, retransmit_rate
from ackclock.metrics.of_transfers import slowdowns
from ackclock.metrics.parts import sharing, whole
from ackclock.metrics.power import power
from ackclock.metrics.queues import held, time_quantile, time_share
from ackclock.metrics.ranges import range_of
from ackclock.metrics.rates import goodput, throughput, utilisation
from ackclock.metrics.registry import METRICS, Metric, MetricError, UnknownMetricError, find_metric, metric, metric_names
from ackclock.metrics.response import mean_window, probes_upward
from ackclock.metrics.statistics import mean_of
from ackclock.metrics.synchronisation import congestion_epochs, loss_synchronisation
from ackclock.metrics.transfers import by_size, slowdown
from ackclock.metrics.variation import rates_of, smoothness, variation

__all__ = [
    "METRICS",
    "Metric",
    "MetricError",
    "UnknownMetricError",
    "by_size",
    "congestion_epochs",
    "convergence_time",
    "find_metric",
    "friendliness",
    "goodput",
    "harm",
    "held",
    "jain_index",
    "loss_rate",
    "loss_synchronisation",
    "mark_rate",
    "max_min_fairness",
    "max_min_rates",
    "mean_of",
    "mean_window",
    "metric",
    "metric_names",
    "min_max_ratio",
    "power",
    "probes_upward",
    "proportional_utility",
    "range_of",
    "rates_of",
    "recovery_times",
    "retransmit_rate",
    "rtt_normalised",
    "sharing",
    "slowdown",
    "slowdowns",
    "smoothness",
    "throughput",
    "time_quantile",
    "time_share",
    "time_to_factor",
    "utilisation",
    "variation",
    "whole",
]
