"""Figures of a whole run by name: what `compare --metric` accepts, and how each follows from a run's summary.

Figures of flows count over all flows, one of several connections once; figures of links are of the first link, the bottleneck.
`NAME@ELEMENT` is the same figure of one flow or link: `goodput@f.3`, `queue_delay.p95@bottleneck.2`.
"""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ackclock.metrics.losses import loss_rate, retransmit_rate
from ackclock.metrics.parts import whole
from ackclock.metrics.rates import goodput, throughput
from ackclock.metrics.statistics import mean_of

_Rows: TypeAlias = Sequence[Mapping[str, Any]]


class UnknownMetricError(ValueError):
    """A metric's name that does not exist, or that the run has no element for."""


@dataclass(frozen=True)
class Metric:
    """A figure of a run.

    Attributes
    ----------
    name : str
        As the user writes it.
    unit : str
        "bit/s", "s", "packets", or "1" for shares and counts.
    of : {"flows", "links", "run"}
        Which rows of the summary it is made from.
    definition : str
        One sentence.
    source : str
        Where the definition comes from.
    """

    name: str
    unit: str
    of: Literal["flows", "links", "run"]
    definition: str
    source: str
    _over: Callable[[_Rows], float | None]
    element: str | None = None
    _whole: Callable[[Mapping[str, Any]], float | None] | None = None

    def value(self, summary: Mapping[str, Any]) -> float | None:
        """The figure of one run.

        Parameters
        ----------
        summary : mapping
            As in summary.json.

        Returns
        -------
        float or None
            None if the run has nothing to measure it from.
        """
        if self.of == "run":
            return self._over([summary])
        rows: _Rows = summary[self.of]
        if self.element is None and self._whole is not None:
            return self._whole(summary)
        if self.element is None:
            return self._over(whole(rows) if self.of == "flows" else rows[:1])
        chosen = [row for row in rows if row["name"] == self.element]
        if not chosen:
            known = [str(row["name"]) for row in rows]
            raise UnknownMetricError(f'metric "{self.name}": the run has no {self.of[:-1]} "{self.element}"{_nearest(self.element, known)}')
        return self._over(chosen)


def _nearest(word: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f'; nearest: "{close[0]}"' if close else f"; there are: {', '.join(known[:12])}"


def _pick(row: Mapping[str, Any], path: str) -> float | None:
    value: Any = row
    for key in path.split("."):
        value = value[key]
    return None if value is None else float(value)


def _total(path: str) -> Callable[[_Rows], float | None]:
    def total(rows: _Rows) -> float | None:
        known = [value for row in rows if (value := _pick(row, path)) is not None]
        return sum(known) if known else None

    return total


def _mean(path: str) -> Callable[[_Rows], float | None]:
    return lambda rows: mean_of(_pick(row, path) for row in rows)


def _extreme(path: str, choose: Callable[[list[float]], float]) -> Callable[[_Rows], float | None]:
    def extreme(rows: _Rows) -> float | None:
        known = [value for row in rows if (value := _pick(row, path)) is not None]
        return choose(known) if known else None

    return extreme


def _ratio(part: str, formula: Callable[[int, int], float | None]) -> Callable[[_Rows], float | None]:
    def ratio(rows: _Rows) -> float | None:
        return formula(sum(row[part] for row in rows), sum(row["sent_packets"] for row in rows))

    return ratio


def _over_the_run(size: str, formula: Callable[[int, float], float | None]) -> Callable[[Mapping[str, Any]], float | None]:
    def rate(summary: Mapping[str, Any]) -> float | None:
        return formula(sum(flow[size] for flow in whole(summary["flows"])), summary["measured_time"])

    return rate


def _finished(rows: _Rows) -> float:
    return float(sum(row["fct"] is not None for row in rows))


_RFC_RATE = "RFC 5166 section 2.1.1"
_RFC_DELAY = "RFC 5166 section 2.1.2"
_RFC_LOSS = "RFC 5166 section 2.1.3"
_FCT = "N. Dukkipati, N. McKeown, Why flow-completion time is the right metric for congestion control, CCR 36(1), 2006"


def _percentiles(quantity: str, of: Literal["flows", "links"], what: str, source: str) -> list[Metric]:
    across = ", mean over the flows" if of == "flows" else ""
    return [
        Metric(f"{quantity}.mean", "s", of, f"Mean {what}{across}.", source, _mean(f"{quantity}.mean")),
        *(
            Metric(f"{quantity}.p{p}", "s", of, f"{p}th percentile of the {what}{across}.", source, _mean(f"{quantity}.p{p}"))
            for p in (50, 95, 99)
        ),
    ]


_ALL = [
    Metric(
        "lost_packets", "packets", "flows", "Data packets that the network dropped, all flows together.", _RFC_LOSS, _total("lost_packets")
    ),
    Metric(
        "loss_rate",
        "1",
        "flows",
        "Lost data packets over sent data packets, all flows together.",
        _RFC_LOSS,
        _ratio("lost_packets", loss_rate),
    ),
    Metric(
        "retransmitted_packets",
        "packets",
        "flows",
        "Data packets sent again, all flows together.",
        _RFC_LOSS,
        _total("retransmitted_packets"),
    ),
    Metric(
        "retransmit_rate",
        "1",
        "flows",
        "Retransmissions over sent data packets, all flows together.",
        _RFC_LOSS,
        _ratio("retransmitted_packets", retransmit_rate),
    ),
    Metric(
        "timeouts", "1", "flows", "Expirations of the retransmission timer, all flows together.", "RFC 6298 section 5", _total("timeouts")
    ),
    Metric(
        "goodput",
        "bit/s",
        "flows",
        "In-order payload that all flows delivered together, per second of the run (of one flow: of its own time).",
        _RFC_RATE,
        _total("goodput"),
        _whole=_over_the_run("goodput_bytes", goodput),
    ),
    Metric("goodput.mean", "bit/s", "flows", "Mean of the flows' goodputs.", _RFC_RATE, _mean("goodput")),
    Metric("goodput.min", "bit/s", "flows", "Goodput of the slowest flow.", _RFC_RATE, _extreme("goodput", min)),
    Metric("goodput.max", "bit/s", "flows", "Goodput of the fastest flow.", _RFC_RATE, _extreme("goodput", max)),
    Metric(
        "throughput",
        "bit/s",
        "flows",
        "Wire bytes of all flows that reached receivers, per second of the run (of one flow: of its own time).",
        _RFC_RATE,
        _total("throughput"),
        _whole=_over_the_run("received_bytes", throughput),
    ),
    Metric(
        "jain_index",
        "1",
        "run",
        "(sum x)^2 / (n sum x^2) of the flows' goodputs; 1 is an equal share.",
        "Jain, Chiu & Hawe, DEC-TR-301, 1984; RFC 5166 section 2.3.1",
        _mean("jain_index"),
    ),
    Metric("rtt.min", "s", "flows", "Smallest round-trip time that any flow sampled.", _RFC_DELAY, _extreme("rtt.min", min)),
    *_percentiles("rtt", "flows", "round-trip time sampled by the sender", _RFC_DELAY),
    Metric(
        "fct.mean",
        "s",
        "flows",
        "Mean flow completion time, SYN to last byte acknowledged, of the flows that finished.",
        _FCT,
        _mean("fct"),
    ),
    Metric("fct.min", "s", "flows", "Completion time of the flow that took the shortest.", _FCT, _extreme("fct", min)),
    Metric("fct.max", "s", "flows", "Completion time of the flow that took the longest.", _FCT, _extreme("fct", max)),
    Metric("finished_flows", "1", "flows", "Flows that delivered all their data before the run ended.", _FCT, _finished),
    Metric("utilisation", "1", "links", "Share of time that the bottleneck was transmitting.", _RFC_RATE, _mean("utilisation")),
    *_percentiles("queue_delay", "links", "time that packets waited in the bottleneck's queue", _RFC_DELAY),
    Metric("delivered_packets", "packets", "links", "Packets that left the bottleneck.", _RFC_RATE, _total("delivered_packets")),
    Metric(
        "dropped_packets",
        "packets",
        "links",
        "Packets dropped at the bottleneck, by its queue or on its wire.",
        _RFC_LOSS,
        _total("dropped_packets"),
    ),
    Metric(
        "marked_packets",
        "packets",
        "links",
        "Packets marked (CE) by the bottleneck's queue.",
        "RFC 3168 section 5",
        _total("marked_packets"),
    ),
]

METRICS: Mapping[str, Metric] = {figure.name: figure for figure in _ALL}
"""Every metric by its name, in the order in which help shows them."""

_SHORT = {"fct": "fct.mean", "rtt": "rtt.mean", "queue_delay": "queue_delay.mean"}


def metric_names() -> list[str]:
    """Names of every metric, in the order in which help shows them."""
    return list(METRICS)


def metric(name: str) -> Metric:
    """The metric of that name.

    Parameters
    ----------
    name : str
        A name, or `NAME@ELEMENT` for one flow or link. A quantity alone means its mean: `rtt`.

    Raises
    ------
    UnknownMetricError
        With the nearest name that exists.

    Examples
    --------
    >>> metric("lost_packets").unit
    'packets'
    >>> metric("lost_packet")
    Traceback (most recent call last):
    ...
    ackclock.metrics.registry.UnknownMetricError: unknown metric "lost_packet"; nearest: "lost_packets"
    """
    base, _, element = name.partition("@")
    figure = METRICS.get(_SHORT.get(base, base))
    if figure is None:
        raise UnknownMetricError(f'unknown metric "{base}"{_nearest(base, metric_names())}')
    if not element:
        return figure
    if figure.of == "run":
        raise UnknownMetricError(f'metric "{figure.name}" is of the whole run: write it without "@{element}"')
    return Metric(f"{figure.name}@{element}", figure.unit, figure.of, figure.definition, figure.source, figure._over, element)
