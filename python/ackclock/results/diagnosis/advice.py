"""Advice for a queue that drops or marks too early."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.tables.quantities import quantity

if TYPE_CHECKING:
    from ackclock.results.diagnosis.facts import FlowFacts, LinkFacts

__all__ = ["of_queue"]


def of_queue(flow: FlowFacts, link: LinkFacts, *, is_full: bool) -> tuple[str, str]:
    """Return the key to change and the advice for it.

    Parameters
    ----------
    flow
        The flow that is held back.
    link
        The link of the queue.
    is_full
        Whether the queue's limit was reached; otherwise its discipline decided to drop or mark.

    Notes
    -----
    A Reno window that is halved keeps a link busy from a queue of one bandwidth-delay product, so
    a target of one base RTT, or a first in, first out queue of that size, does. CoDel's interval
    should be the longest RTT of its flows (RFC 8289 section 4.3).
    """
    bdp = "1 BDP" if flow.bdp is None else f"1 BDP, {quantity(flow.bdp, 'bytes')}"
    if is_full:
        if link.shaped_bps is not None:
            return (
                link.limit_key,
                f"raise it towards the base RTT, {quantity(flow.row['base_rtt'], 's')}",
            )
        return link.limit_key, f"raise it towards {bdp}"
    qdisc, base = link.qdisc, float(flow.row["base_rtt"])
    part = "qdisc" if link.shaped_bps is None else "qdisc.qdisc"
    control = qdisc.get("control", qdisc)
    rtt = quantity(base, "s")
    if "step" in qdisc and flow.row["marked_packets"] and flow.transport["ecn"] == "l4s":
        return link.key(f"{part}.step_thresh"), "raise it"
    if "interval_ps" in control and base > control["interval_ps"] / 1e12:
        return (
            link.key(part),
            (
                f"raise its interval to {quantity(2.0 * base, 's')} and its target to {rtt}, or "
                f"use a fifo of {bdp}"
            ),
        )
    if "target_ps" in control and control["target_ps"] / 1e12 < base:
        return link.key(
            f"{part}.target"
        ), f"raise it towards the base RTT, {rtt}, or use a fifo of {bdp}; both add delay"
    if "threshold" in qdisc:
        return link.key(f"{part}.threshold"), f"raise it towards {bdp}"
    if "min_threshold" in qdisc:
        return link.key(
            part
        ), f"raise min_threshold to half of {bdp}, and max_threshold to all of it, or use a fifo"
    return link.key(part), f"use a fifo of {bdp}, at the price of delay"
