"""Metrics made from the counters in summary.json."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from ackclock.formulas.losses import loss_rate, needless_retransmit_rate, retransmit_rate
from ackclock.formulas.parts import whole
from ackclock.formulas.power import power
from ackclock.formulas.rates import goodput, throughput
from ackclock.formulas.statistics import mean_of
from ackclock.metrics.registry import SHARE, Of, built_in

_Rows: TypeAlias = Sequence[Mapping[str, Any]]
_Over: TypeAlias = Callable[[_Rows], float | None]


def _register(
    name: str,
    unit: str,
    of: Of,
    source: str,
    over: _Over,
    definition: str,
    over_the_run: Callable[[Mapping[str, Any]], float | None] | None = None,
    limits: tuple[float, float] | None = None,
) -> None:
    """Register a metric: `over` makes it from rows, `over_the_run` from a run's summary."""
    if of == "run":
        built_in(name, unit, of, source, definition, from_summary=True)(
            lambda summary: over([summary])
        )
        return

    def figure(summary: Mapping[str, Any], element: str | None) -> float | None:
        rows: _Rows = summary[of]
        if element is not None:
            return over([row for row in rows if row["name"] == element])
        if over_the_run is not None:
            return over_the_run(summary)
        return over(whole(rows) if of == "flows" else rows[:1])

    built_in(name, unit, of, source, definition, over="all", from_summary=True, limits=limits)(
        figure
    )


def _pick(row: Mapping[str, Any], path: str) -> float | None:
    value: Any = row
    for key in path.split("."):
        value = value[key]
    return None if value is None else float(value)


def _total(path: str) -> _Over:
    def total(rows: _Rows) -> float | None:
        known = [value for row in rows if (value := _pick(row, path)) is not None]
        return math.fsum(known) if known else None

    return total


def _mean(path: str) -> _Over:
    return lambda rows: mean_of(_pick(row, path) for row in rows)


def _extreme(path: str, choose: Callable[[list[float]], float]) -> _Over:
    def extreme(rows: _Rows) -> float | None:
        known = [value for row in rows if (value := _pick(row, path)) is not None]
        return choose(known) if known else None

    return extreme


def _ratio(part: str, formula: Callable[[int, int], float | None]) -> _Over:
    def ratio(rows: _Rows) -> float | None:
        return formula(sum(row[part] for row in rows), sum(row["sent_packets"] for row in rows))

    return ratio


def _needless(rows: _Rows) -> float | None:
    retransmitted, lost, sent = (
        sum(row[name] for row in rows)
        for name in ("retransmitted_packets", "lost_packets", "sent_packets")
    )
    return needless_retransmit_rate(retransmitted, lost, sent)


def _over_the_run(
    size: str, formula: Callable[[int, float], float | None]
) -> Callable[[Mapping[str, Any]], float | None]:
    def rate(summary: Mapping[str, Any]) -> float | None:
        return formula(
            sum(flow[size] for flow in whole(summary["flows"])), summary["measured_time"]
        )

    return rate


def _power(rows: _Rows) -> float | None:
    rate, delay = _total("goodput")(rows), _mean("rtt.mean")(rows)
    return None if rate is None or delay is None else power(rate, delay)


def _power_of_the_run(summary: Mapping[str, Any]) -> float | None:
    rate, delay = (
        _over_the_run("goodput_bytes", goodput)(summary),
        _mean("rtt.mean")(whole(summary["flows"])),
    )
    return None if rate is None or delay is None else power(rate, delay)


def _finished(rows: _Rows) -> float:
    return float(sum(row["fct"] is not None for row in rows))


_RFC_RATE = "RFC 5166 section 2.1.1"
_RFC_DELAY = "RFC 5166 section 2.1.2"
_RFC_LOSS = "RFC 5166 section 2.1.3"
_KLEINROCK = "L. Kleinrock, Power and deterministic rules of thumb, ICC 1979"
FCT = (
    "N. Dukkipati, N. McKeown, Why flow-completion time is the right metric for congestion "
    "control, CCR 36(1), 2006"
)


def _percentiles(quantity: str, of: Literal["flows", "links"], what: str, source: str) -> None:
    across = ", mean over the flows" if of == "flows" else ""
    _register(
        *(f"{quantity}.mean", "s", of, source, _mean(f"{quantity}.mean"), f"Mean {what}{across}.")
    )
    for p in (50, 95, 99):
        _register(
            *(f"{quantity}.p{p}", "s", of, source, _mean(f"{quantity}.p{p}")),
            f"{p}th percentile of the {what}{across}.",
        )


_register(
    *("lost_packets", "packets", "flows", _RFC_LOSS, _total("lost_packets")),
    "Data packets that the network dropped, all flows together.",
)
_register(
    *("loss_rate", "1", "flows", _RFC_LOSS, _ratio("lost_packets", loss_rate)),
    "Lost data packets over sent data packets, all flows together.",
)
_register(
    *("sent_packets", "packets", "flows", "RFC 5166 section 2.1.1", _total("sent_packets")),
    "Data packets sent, retransmissions included, all flows together.",
)
_register(
    *("retransmitted_packets", "packets", "flows", _RFC_LOSS, _total("retransmitted_packets")),
    "Data packets sent again, all flows together.",
)
_register(
    *("retransmit_rate", "1", "flows", _RFC_LOSS),
    _ratio("retransmitted_packets", retransmit_rate),
    "Retransmissions over sent data packets, all flows together.",
)
_register(
    *("needless_retransmit_rate", "1", "flows", "RFC 2914 section 5", _needless),
    "Retransmissions of data that the receiver had, over sent data packets, all flows together: "
    "retransmissions less losses, at least 0.",
)
_register(
    *("timeouts", "1", "flows", "RFC 6298 section 5", _total("timeouts")),
    "Expirations of the retransmission timer, all flows together.",
)
_register(
    *("goodput", "bit/s", "flows", _RFC_RATE, _total("goodput")),
    "In-order payload that all flows delivered together, per second of the run (of one flow: of "
    "its own time).",
    _over_the_run("goodput_bytes", goodput),
)
_register(
    *("goodput.mean", "bit/s", "flows", _RFC_RATE, _mean("goodput")), "Mean of the flows' goodputs."
)
_register(
    *("goodput.min", "bit/s", "flows", _RFC_RATE, _extreme("goodput", min)),
    "Goodput of the slowest flow.",
)
_register(
    *("goodput.max", "bit/s", "flows", _RFC_RATE, _extreme("goodput", max)),
    "Goodput of the fastest flow.",
)
_register(
    *("throughput", "bit/s", "flows", _RFC_RATE, _total("throughput")),
    "Wire bytes of all flows that reached receivers, per second of the run (of one flow: of its "
    "own time).",
    _over_the_run("received_bytes", throughput),
)
_register(
    *("jain_index", "1", "run", "Jain, Chiu & Hawe, DEC-TR-301, 1984; RFC 5166 section 2.3.1"),
    _mean("jain_index"),
    "(sum x)^2 / (n sum x^2) of the flows' goodputs; 1 is an equal share.",
)
_register(
    *("power", "bit/s²", "flows", _KLEINROCK, _power),
    "Goodput over mean round-trip time; of the run: all goodput over the flows' mean round-trip "
    "time.",
    _power_of_the_run,
)
_register(
    *("rtt.min", "s", "flows", _RFC_DELAY, _extreme("rtt.min", min)),
    "Smallest round-trip time that any flow sampled.",
)
_percentiles("rtt", "flows", "round-trip time sampled by the sender", _RFC_DELAY)
_register(
    *("fct.mean", "s", "flows", FCT, _mean("fct")),
    "Mean flow completion time, SYN to last byte acknowledged, of the flows that finished.",
)
_register(
    *("fct.min", "s", "flows", FCT, _extreme("fct", min)),
    "Completion time of the flow that took the shortest.",
)
_register(
    *("fct.max", "s", "flows", FCT, _extreme("fct", max)),
    "Completion time of the flow that took the longest.",
)
_register(
    *("finished_flows", "1", "flows", FCT, _finished),
    "Flows that delivered all their data before the run ended.",
)
_register(
    *("utilisation", "1", "links", _RFC_RATE, _mean("utilisation")),
    "Share of time that the bottleneck was transmitting.",
    limits=SHARE,
)
_percentiles(
    "queue_delay", "links", "time that packets waited in the bottleneck's queue", _RFC_DELAY
)
_register(
    *("delivered_packets", "packets", "links", _RFC_RATE, _total("delivered_packets")),
    "Packets that left the bottleneck.",
)
_register(
    *("dropped_packets", "packets", "links", _RFC_LOSS, _total("dropped_packets")),
    "Packets dropped at the bottleneck, by its queue or on its wire.",
)
_register(
    *("marked_packets", "packets", "links", "RFC 3168 section 5", _total("marked_packets")),
    "Packets marked (CE) by the bottleneck's queue.",
)
