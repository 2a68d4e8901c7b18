"""Slow start that ended far below the bandwidth-delay product."""

import math

from ackclock.results.diagnosis.advice import of_queue
from ackclock.results.diagnosis.facts import FEW, FlowFacts
from ackclock.results.diagnosis.growth import Growth, growth
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity

_SIGNALS = {
    "forced": ("a drop at the limit of the queue of {link}", "dropped_forced"),
    "early": ("a drop by {qdisc} of {link}", "dropped_early"),
    "mark": ("a mark by {qdisc} of {link}", "marked_packets"),
}


def _find(flow: FlowFacts) -> Limit | None:
    """Find an early end of slow start; linear growth then takes (BDP - cwnd) / mss round trips."""
    slow_start = growth(flow)
    if slow_start is None or flow.answers_delay or flow.is_blind or flow.keeps_own_window:
        return None
    is_paced = flow.row["limited_cwnd"] < flow.row["limited_pacing"]
    if is_paced and not math.isfinite(slow_start.seconds):
        # The pacing rate limits, and no theory tells how it follows the window.
        return None
    return _by_signal(flow, slow_start) or _by_itself(flow, slow_start)


def _said(flow: FlowFacts, slow_start: Growth) -> str:
    at = (
        f"at {quantity(slow_start.first, '%', 2)} of the bandwidth-delay product, "
        f"{quantity(slow_start.began, 's')} into the run"
    )
    if not math.isfinite(slow_start.seconds):
        return f"{at}; {flow.of_link()}"
    return (
        f"{at}; {slow_start.law} cwnd needs {quantity(slow_start.seconds, 's')} from there to "
        f"fill the link; {flow.of_link()}"
    )


def _by_itself(flow: FlowFacts, slow_start: Growth) -> Limit | None:
    """Find a slow start that ended at ssthresh or by its own decision."""
    share = flow.time.take("unreduced")
    if not share:
        return None
    planned = flow.transport["initial_ssthresh_bytes"]
    end_cwnd = flow.row["slow_start_end_cwnd"]
    if planned is not None and end_cwnd <= 1.5 * max(
        planned, flow.transport["initial_window_bytes"]
    ):
        how, key, advice = "at the initial ssthresh", flow.key("transport.ssthresh"), "raise it"
    else:
        how, key, advice = (
            "by itself",
            flow.key("cc"),
            f"use another slow start, such as classic+{flow.base_cc}",
        )
    sentence = f"slow start ended {how} {_said(flow, slow_start)}"
    return Limit("slow-start-end", "an early end of slow start", share, sentence, key, advice)


def _by_signal(flow: FlowFacts, slow_start: Growth) -> Limit | None:
    """Find a slow start that a queue's first drop or mark ended.

    While cwnd grows from there, that one drop is the limit and not a sawtooth.
    """
    reason = flow.main_reason
    if (
        reason not in _SIGNALS
        or not flow.run.is_simulated
        or flow.row["window_after_nothing"] > flow.row["time_slow_start"] + flow.rtt
    ):
        return None
    words, column = _SIGNALS[reason]
    link = flow.worst(column)
    if link is None:
        return None
    if math.isfinite(slow_start.seconds):
        share = flow.time.take_some(reason, slow_start.idle(flow))
    elif flow.events(reason) <= FEW:
        share = flow.time.take(reason)
    else:
        return None
    if not share:
        return None
    how = words.format(link=link.name, qdisc=link.qdisc["kind"])
    key, advice = of_queue(flow, link, is_full=reason == "forced")
    return Limit(
        "slow-start-end",
        "an early end of slow start",
        share,
        f"{how} ended slow start {_said(flow, slow_start)}",
        key,
        advice,
    )


KIND = Kind("slow-start-end", "where slow start ended", _find, on_kernel=False)
