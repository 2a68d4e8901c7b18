"""Metrics of a run by their names, as `compare --metric` accepts them, and how to add one.

`registry` names metrics of a run; `from_summary` and `of_*` say how each is made from the run's
summary, counters, time series, transfers or streams. `windows` holds windows of a run's time. The
formulas are in `ackclock.formulas`: one function each, over plain numbers and columns.
"""

from ackclock.formulas.breaker import breaker_ratio
from ackclock.formulas.convergence import convergence_time, recovery_times, time_to_factor
from ackclock.formulas.fairness import (
    jain_index,
    max_min_fairness,
    max_min_rates,
    min_max_ratio,
    proportional_utility,
    rtt_normalised,
)
from ackclock.formulas.harm import friendliness, harm
from ackclock.formulas.losses import (
    loss_rate,
    mark_rate,
    needless_retransmit_rate,
    retransmit_rate,
    useful_share,
)
from ackclock.formulas.parts import sharing, whole
from ackclock.formulas.power import power
from ackclock.formulas.queues import held, held_between, time_quantile, time_share
from ackclock.formulas.rates import goodput, throughput, utilisation
from ackclock.formulas.response import mean_window, probes_upward
from ackclock.formulas.sends import backoff_gap_ratio, burst_gaps, longest_gap, send_times
from ackclock.formulas.statistics import mean_of
from ackclock.formulas.synchronisation import congestion_epochs, loss_synchronisation
from ackclock.formulas.transfers import by_size, slowdown
from ackclock.formulas.variation import rates_of, smoothness, variation
from ackclock.formulas.windows import first_growth, gained, starved_time, time_to_rate
from ackclock.metrics import (
    from_summary as from_summary,
)  # first: in this order the names are shown
from ackclock.metrics import of_counters as of_counters
from ackclock.metrics import of_gain_cycles as of_gain_cycles
from ackclock.metrics import of_recorded_runs as of_recorded_runs
from ackclock.metrics import of_reductions as of_reductions
from ackclock.metrics import of_samples as of_samples
from ackclock.metrics import of_sends as of_sends
from ackclock.metrics import of_shares as of_shares
from ackclock.metrics import of_streams as of_streams
from ackclock.metrics import of_transfers as of_transfers
from ackclock.metrics import of_windows as of_windows
from ackclock.metrics.of_transfers import slowdowns
from ackclock.metrics.registry import (
    METRICS,
    Metric,
    MetricError,
    UnknownMetricError,
    find_metric,
    metric,
    metric_names,
    range_of,
)

__all__ = [
    "METRICS",
    "Metric",
    "MetricError",
    "UnknownMetricError",
    "backoff_gap_ratio",
    "breaker_ratio",
    "burst_gaps",
    "by_size",
    "congestion_epochs",
    "convergence_time",
    "find_metric",
    "first_growth",
    "friendliness",
    "gained",
    "goodput",
    "harm",
    "held",
    "held_between",
    "jain_index",
    "longest_gap",
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
    "needless_retransmit_rate",
    "power",
    "probes_upward",
    "proportional_utility",
    "range_of",
    "rates_of",
    "recovery_times",
    "retransmit_rate",
    "rtt_normalised",
    "send_times",
    "sharing",
    "slowdown",
    "slowdowns",
    "smoothness",
    "starved_time",
    "throughput",
    "time_quantile",
    "time_share",
    "time_to_factor",
    "time_to_rate",
    "useful_share",
    "utilisation",
    "variation",
    "whole",
]
