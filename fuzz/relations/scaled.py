"""All rates times k and all times through k: every packet does the same, k times as fast."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzz.record import OFF
from fuzz.relations.differences import of_runs
from fuzz.relations.pair import Runs
from fuzz.relations.plans import LONGEST_PS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fuzz.generate.draw import Draw
    from fuzz.relations.differences import Row
    from fuzz.relations.pair import Plan, Subject

__all__ = ["AVOIDANCES", "LEFT_OUT", "LEFT_OUT_QDISCS", "QDISCS", "STARTS", "scaled_time_and_rate"]

STARTS = ("classic", "limited", "multcp-start", "vegas-start", "search", "cos")
"""Slow starts that know time only as a share of a round trip."""
AVOIDANCES = (
    "aimd",
    "bic",
    "binomial",
    "compound",
    "dctcp",
    "fast",
    "highspeed",
    "illinois",
    "multcp",
    "newreno",
    "reno",
    "scalable",
    "stabilised-vegas",
    "tahoe",
    "vegas",
    "veno",
    "yeah",
)
"""Avoidances that know time only as a share of a round trip, or not at all."""

LEFT_OUT: dict[str, str] = {
    "bbr": "a filter of 10 s, a probe of 200 ms, an increase of rates in jiffies of 4 ms",
    "bbr-lowlat": "the constants of bbr",
    "bbr3": "a filter of 10 s, a probe of 200 ms, and one each 2 to 3 s",
    "cdg": "a backoff in ms of delay gradient, and noise of 32 us",
    "copa": "a filter of 10 s, and a paced sender",
    "cubic": "growth in segments per cubic second",
    "htcp": "growth in seconds since the last loss, and a reference of 100 ms",
    "hybla": "a reference round trip of 25 ms",
    "hybla-start": "a reference round trip of 25 ms",
    "hystart": "bounds of 4 and 16 ms, and gaps of 2 ms between ACKs",
    "hystartpp": "bounds of 4 and 16 ms",
    "ledbat": "a target of 100 ms, and a history in minutes",
    "ledbatpp": "a target of 60 ms",
    "ledbatpp-start": "a target of 60 ms",
    "lp": "delays in ticks of the timestamp clock, and their bounds in seconds",
    "nv": "a filter of 5 s",
    "nv-start": "a filter of 5 s",
    "pcc-allegro": "a paced sender, whose rate is in whole bit/s",
    "pcc-vivace": "a step of 1 Mbit/s",
    "prague": "a reference round trip of 25 ms, and a paced sender",
    "westwood": "samples of at least 50 ms",
}
"""Algorithms of the catalogue for which the relation does not hold, and the reason."""

QDISCS = ("fifo", "red", "step", "codel", "fq_codel", "drr", "prio", "tbf")
"""Disciplines whose times are all in the plan."""

LEFT_OUT_QDISCS: dict[str, str] = {
    "cobalt": "its square roots are rounded",
    "dualpi2": "gains per second",
    "fq_pie": "gains per second, and another law above 250 ms",
    "pie": "gains per second, and another law above 250 ms",
}
"""Disciplines for which the relation does not hold, and the reason; RED is without `adaptive`."""

_APPS = ("bulk", "file", "writes", "application-limited")
"""Applications without random times, whose picoseconds would be rounded."""
_WIRES = ("corrupt", "duplicate", "ecn-rewrite", "delay-schedule", "outage")
"""Impairments without random times."""
_FACTORS = (2, 4, 8, 16, 64)
_MS = 10**9
_G_PS = _MS
"""Clock granularity G of RFC 6298, which bounds the RTO from below; it is not in the plan, ps."""
_PATIENCE_PS = 3000 * _MS
"""Time of a handshake after which it counts as late; it is not in the plan (RFC 6298 (5.7)), ps."""
_APART_PS = 7
"""Time from the start of one flow to that of the next, ps."""
_ROUNDING = 1e-9
_ROUNDING_S = 1e-10
"""Error of a mean of times: divisions of the estimators leave some picoseconds, s."""

# Largest powers with which a byte takes whole picoseconds: 8 * 10**12 = 2**15 * 5**12.
_TWOS, _FIVES = 15, 12
_UNSCALED = frozenset({"cwnd_max", "slow_start_end_cwnd", "queue_packets_mean"})
_BINNED = ("_p50", "_p95", "_p99")
"""Percentiles are means of a histogram's bins, which are not powers of two."""


def _whole_rate(rate: int, factor: int) -> int:
    """Return the nearest rate below at which, and at `factor` times which, bytes take whole ps."""
    most_twos = _TWOS - (factor.bit_length() - 1)
    return max(
        (
            2**twos * 5**fives
            for twos in range(most_twos + 1)
            for fives in range(_FIVES + 1)
            if 2**twos * 5**fives <= rate
        ),
        default=1,
    )


# Lists of pairs with a time first, and a time second.
_TIMED_FIRST = frozenset({"rates", "steps", "writes"})
_TIMED_BOTH = frozenset({"delays", "windows"})


def _times(part: Any, factor: int) -> Any:
    """Return the part of a plan with all times multiplied."""
    if isinstance(part, list):
        return [_times(value, factor) for value in part]
    if not isinstance(part, dict):
        return part
    made = {}
    for key, value in part.items():
        if key.endswith("_ps") and value is not None:
            made[key] = value * factor
        elif key in _TIMED_FIRST:
            made[key] = [[at * factor, other] for at, other in value]
        elif key in _TIMED_BOTH:
            made[key] = [[at * factor, other * factor] for at, other in value]
        else:
            made[key] = _times(value, factor)
    return made


def _rates(part: Any, change: Callable[[int], int]) -> Any:
    """Return the part of a plan with all rates changed, but for a rate of zero."""
    if isinstance(part, list):
        return [_rates(value, change) for value in part]
    if not isinstance(part, dict):
        return part
    made = {}
    for key, value in part.items():
        if key.endswith("_bps") and value:
            made[key] = change(value)
        elif key == "rates":
            made[key] = [[at, change(rate) if rate else 0] for at, rate in value]
        else:
            made[key] = _rates(value, change)
    return made


def _scales(qdisc: dict[str, Any]) -> bool:
    inner = [*qdisc.get("children", ()), *([qdisc["qdisc"]] if "qdisc" in qdisc else [])]
    return (
        qdisc["kind"] in QDISCS and not qdisc.get("adaptive") and all(_scales(one) for one in inner)
    )


def _simple_link(draw: Draw, link: dict[str, Any]) -> None:
    if (link.get("service") or {}).get("kind") == "trace":
        del link["service"]
    if not _scales(link["qdisc"]):
        link["qdisc"] = {"kind": "fifo", "limit_packets": draw.spread(1, 100)}
    if (link["loss"] or {}).get("kind") == "bursts":
        link["loss"] = None
    if "impairments" in link:
        link["impairments"] = [one for one in link["impairments"] if one["kind"] in _WIRES]


def _name_of(part: str) -> str:
    return part.partition("(")[0]


def _simple_flow(draw: Draw, flow: dict[str, Any]) -> None:
    if flow["app"]["kind"] not in _APPS:
        flow["app"], flow["part_of"] = {"kind": "bulk"}, None
    names = [_name_of(part) for part in flow["cc"].split("+")]
    if not set(names) <= {*STARTS, *AVOIDANCES}:
        start = f"{draw.one(STARTS)}+" if draw.chance(0.4) else ""
        flow["cc"] = start + draw.one(AVOIDANCES)


def _simple_transport(draw: Draw, plan: Plan, factor: int) -> None:
    """Leave out what takes a time that is not in the plan: RACK, pacing, jiffies, Linux's RTO.

    The RTO is a constant that no rule of 3 s changes, or an estimate, whose bound G must not act.
    """
    duration = plan["duration_ps"]
    is_constant = draw.chance(0.4)
    rto = draw.spread(max(1, duration // 200), max(1, duration))
    if is_constant and rto < _PATIENCE_PS and duration * factor >= _PATIENCE_PS:
        rto = _PATIENCE_PS
    if not is_constant:
        plan["warmup_ps"] = 0
    for flow in plan["flows"]:
        transport = flow["transport"]
        transport |= {
            "min_rto_bounds_variance": False,
            "delayed_ack_adapts": False,
            "tail_loss_probe": False,
            "tso_defer": False,
            "pacing": "off",
            "sack_delay_ps": 0,
            "rtt_clock_ps": 0,
            "host_time": None,
            # A host that reads announces its window a picosecond after the last byte, at any scale.
            "read_rate_bps": None,
            # Pieces of an ACK, and ACKs of what has not arrived, have no SACK blocks. Data that was
            # in one seems to be given up then, and the sender waits 10 ms before it believes that.
            "ack_division": 1,
            "optimistic_ack_bytes": None,
        }
        if transport["loss_detection"] == "rack":
            transport["loss_detection"] = "sack"
        if is_constant:
            transport |= {"min_rto_ps": rto, "initial_rto_ps": rto, "max_rto_ps": rto}
        else:
            # A SYN that is lost is lost for the run: the handshake's rules of 3 s never act.
            transport |= {"min_rto_ps": min(rto, duration), "idle_restart": False}
            transport |= {"initial_rto_ps": duration, "max_rto_ps": duration}


def scaled_time_and_rate(subject: Subject, draw: Draw) -> Runs | None:
    """Run a simplified plan with rates times k, and with times times k.

    A byte takes whole picoseconds at all rates, so that the times of all packets are exact
    multiples. Algorithms and disciplines that know a time which is not in the plan are replaced.
    """
    plan, factor = subject.planned(), draw.one(_FACTORS)
    delays = sum(link["delay_ps"] for link in plan["links"])
    if max(delays, plan["duration_ps"]) * factor > LONGEST_PS:
        return None
    plan["record"], plan["sessions"] = OFF, []
    plan["streams"] = [one for one in plan["streams"] if one["app"]["kind"] == "cbr"]
    # Flows that start together would start a picosecond apart at any factor.
    plan["draws_start_order"] = False
    for number, entry in enumerate([*plan["flows"], *plan["streams"]]):
        entry["start_ps"] += _APART_PS * number
    for link in plan["links"]:
        _simple_link(draw, link)
    for flow in plan["flows"]:
        _simple_flow(draw, flow)
    _simple_transport(draw, plan, factor)
    plan = _rates(plan, lambda rate: _whole_rate(rate, factor))
    fast, slow = _rates(plan, lambda rate: rate * factor), _times(plan, factor)
    constant = any(
        flow["transport"]["min_rto_ps"] == flow["transport"]["max_rto_ps"] for flow in plan["flows"]
    )

    def applies(run: Any, other: Any) -> bool:
        """Whether the RTO's bound G, which is in no plan, cannot have acted."""
        rows = [dict(row) for row in run.flows()]
        if constant or not any(row["timeouts"] for one in (run, other) for row in one.flows()):
            return True
        longest = max((row["rtt_max"] or 0.0 for row in rows), default=0.0) * 1e12
        least = min(flow["transport"]["min_rto_ps"] for flow in plan["flows"])
        return bool(2 * longest + _G_PS <= least)

    def same(key: str, row: Row, other_row: Row) -> bool:
        value, changed = row[key], other_row[key]
        if key.endswith(_BINNED):
            return True
        if not isinstance(value, float) or not isinstance(changed, float):
            return bool(value == changed)
        if key == "rate":
            expected = value / factor
        else:
            expected = value if key in _UNSCALED else value * factor
        error = _ROUNDING * abs(changed) + _ROUNDING_S
        if key == "queue_packets_mean" and row["measured_time"]:
            # A transmission across a step of the rate ends within a picosecond, at any factor, and
            # each packet behind it waits as long. One more may not have left at the end.
            error += (row["queue_delay_count"] + 1) * 1e-12 / row["measured_time"]
        return abs(expected - changed) <= error

    def judge(run: Any, other: Any) -> Iterator[str]:
        yield from of_runs(run, other, same=same)

    return Runs([fast, slow], judge, applies)
