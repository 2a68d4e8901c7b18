"""Figures by which both sides are compared: metrics of a recorded run, and their bars.

A bar is the largest deviation of the simulator from the kernel that passes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ackclock.metrics import find_metric
from ackclock.verdicts.margin import Margin

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ackclock.metrics import Metric
    from ackclock.metrics.recorded_run import RecordedRun

__all__ = ["BARS", "FIGURES", "LOSSES", "Bar", "Figure", "Key", "figures_of", "margin_of"]


@dataclass(frozen=True)
class Bar:
    """The largest deviation from the kernel's mean that passes, with its words."""

    text: str
    short: str
    """Short name for narrow columns."""
    margin: Margin
    sent: str = ""
    """The figure of the packets that were sent, 5 of which pass for a share of them."""
    needs_both: bool = False
    """Whether a figure that the simulator lacks is not judged, as with too short a run."""


def _within(percent: float, *, needs_both: bool = False) -> Bar:
    text = f"{percent:g} %"
    return Bar(text, text, Margin(share=percent / 100), needs_both=needs_both)


def _retransmitted(sent: str) -> Bar:
    return Bar("25 % or 5 packets", "25 %, 5 p", Margin(share=0.25), sent)


_PACKETS = 5
_POINTS = Bar("5 points or the kernel's spread", "5 points", Margin(amount=0.05, spread=True))


@dataclass(frozen=True)
class Key:
    """One figure of one run."""

    measure: str
    of: str
    """An algorithm or a flow; empty: the run."""
    title: str
    unit: str

    def __str__(self) -> str:
        """Name in notes and JSON."""
        return f"{self.measure}@{self.of}" if self.of else self.measure


@dataclass(frozen=True)
class Figure:
    """A metric of a recorded run under its name and title in the comparison."""

    name: str
    title: str
    metric: str
    bar: Bar | None = None
    """None: shown for information."""
    per_algorithm: bool = False
    """Whether the flows of each algorithm are measured apart."""
    in_percent: bool = False
    is_of_part: bool = False
    """Whether it is left out without a warm-up, as that of the whole run is the same."""

    def key(self, of: str) -> Key:
        """The figure of an algorithm or a flow; empty: of the run."""
        title = f"share of {of}" if self.metric == _SHARE else self.title
        return Key(
            self.name,
            of,
            f"{title} ({of})" if of and self.metric != _SHARE else title,
            "%" if self.in_percent else find_metric(self.metric).unit,
        )

    def parts(self, run: RecordedRun) -> Iterator[tuple[str, Metric]]:
        """The run, or the algorithms or flows that it is measured of, and the metric of each."""
        metric = find_metric(self.metric)
        if self.metric == _SHARE:
            yield from _shares(run, metric)
            return
        algorithms = list(dict.fromkeys(flow.cc for flow in run.flows))
        if not self.per_algorithm or len(algorithms) < 2:
            yield "", metric
            return
        for cc in algorithms:
            yield cc, replace(metric, arguments={**metric.arguments, "cc": cc})


_SHARE = "acked_share"


def _shares(run: RecordedRun, metric: Metric) -> Iterator[tuple[str, Metric]]:
    """Shares of the first of two flows, else of the algorithms but the last.

    Flows of one algorithm that are more than two have no names to compare: Jain's index says how
    equal they are.
    """
    if len(run.lasting) == 2:
        name = run.lasting[0].name
        yield name, replace(metric, element=name)
        return
    for cc in list(dict.fromkeys(flow.cc for flow in run.lasting))[:-1]:
        yield cc, replace(metric, arguments={"cc": cc})


def _of_algorithms(
    name: str, title: str, metric: str, bar: Bar | None = None, **options: bool
) -> Figure:
    return Figure(name, title, metric, bar, per_algorithm=True, **options)


FIGURES: tuple[Figure, ...] = (
    Figure("goodput", "goodput", "acked_rate", _within(2)),
    Figure("share", "share of a flow or an algorithm", _SHARE, _POINTS, in_percent=True),
    Figure("jain", "Jain's index", "acked_jain_index"),
    Figure("rtt_mean", "RTT, mean", "path_rtt.mean", _within(3)),
    Figure("rtt_p5", "RTT, p5", "path_rtt.p5"),
    Figure("rtt_p50", "RTT, median", "path_rtt.p50"),
    Figure("rtt_p95", "RTT, p95", "path_rtt.p95", _within(5)),
    Figure("queue", "queue, mean", "queue_samples.mean"),
    _of_algorithms(
        *("retransmit_share", "retransmitted", "retransmit_rate_since", _retransmitted("sent")),
        in_percent=True,
        is_of_part=True,
    ),
    _of_algorithms(
        *("retransmit_share_in_all", "retransmitted, in all", "retransmit_rate_since(since=0)"),
        _retransmitted("sent_in_all"),
        in_percent=True,
    ),
    _of_algorithms("retransmitted", "retransmitted", "retransmitted_since", is_of_part=True),
    _of_algorithms("retransmitted_in_all", "retransmitted, in all", "retransmitted_since(since=0)"),
    _of_algorithms("sent", "sent", "sent_since", is_of_part=True),
    _of_algorithms("sent_in_all", "sent, in all", "sent_since(since=0)"),
    Figure("drops", "dropped", "path_drops"),
    Figure("episodes", "loss episodes", "drop_episodes"),
    _of_algorithms("cwnd_peak", "cwnd, peak", "cwnd_peak", _within(5)),
    _of_algorithms("cwnd_trough", "cwnd, trough", "cwnd_trough", _within(5)),
    _of_algorithms("period", "period", "reduction_period", _within(5, needs_both=True)),
    _of_algorithms("cwnd_mean", "cwnd, mean", "cwnd_samples.mean"),
    _of_algorithms("slow_start_time", "slow start ends after", "slow_start_time"),
    _of_algorithms("slow_start_cwnd", "cwnd at its end", "slow_start_cwnd"),
    _of_algorithms("startup_end", "STARTUP ends after", "startup_end"),
    _of_algorithms("cycle", "gain cycle", "gain_cycle", _within(5)),
    _of_algorithms("cycle_rtt_peak", "RTT, peak of a cycle", "cycle_rtt_peak"),
    _of_algorithms("cycle_rtt_trough", "RTT, trough of a cycle", "cycle_rtt_trough"),
    _of_algorithms("bandwidth", "bandwidth estimate", "bandwidth_estimate"),
    _of_algorithms("probe_rtt_count", "PROBE_RTTs of a flow", "probe_rtt_count"),
    _of_algorithms("probe_rtt_first", "first PROBE_RTT after", "probe_rtt_first"),
    _of_algorithms("probe_rtt_length", "length of a PROBE_RTT", "probe_rtt_length"),
    Figure("fct_mean", "completion time, mean", "completion_time.mean", _within(5)),
    Figure("fct_p50", "completion time, median", "completion_time.p50"),
    Figure("fct_p95", "completion time, p95", "completion_time.p95", _within(5)),
    Figure("finished", "files that arrived", "completions"),
)
"""In the order of the tables."""

BARS: Mapping[str, Bar] = {figure.name: figure.bar for figure in FIGURES if figure.bar is not None}
"""Bars by the name of a figure."""

LOSSES = ("retransmit_share", "retransmit_share_in_all")
"""Figures of losses and retransmissions, with their own share of bars that hold."""


def figures_of(run: RecordedRun) -> dict[Key, float]:
    """Every figure that the run has, in the order of the tables."""
    return {
        figure.key(of): value
        for figure in FIGURES
        if not (figure.is_of_part and run.warmup == 0.0)
        for of, metric in figure.parts(run)
        if (value := metric.value(run)) is not None
    }


def margin_of(key: Key, sent: Mapping[tuple[str, str], float]) -> Margin | None:
    """The bar of a figure as a margin; None: the figure is only shown.

    Parameters
    ----------
    key
        Name of the figure.
    sent
        Packets sent in the kernel, mean over repetitions, by figure and what it is of.
    """
    bar = BARS.get(key.measure)
    if bar is None or not bar.sent:
        return None if bar is None else bar.margin
    return replace(bar.margin, amount=_PACKETS / max(sent.get((bar.sent, key.of), 0.0), 1.0))
