"""Limits of queues in packets, bytes, time and bandwidth-delay products."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ackclock.tables.quantities import quantity, significant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.core_types.plan import LinkPlan, Plan

__all__ = [
    "LimitUnits",
    "base_rtts",
    "full_packets",
    "limit_words",
    "limits_of",
    "queue_lines",
    "shortest_drain",
]

_PS_PER_S = 10**12


@dataclass(frozen=True)
class LimitUnits:
    """A queue's limit in each unit in which people give it."""

    packets: float
    """Full packets."""
    bytes: float
    """Bytes on the wire."""
    seconds: float | None
    """Time in which a full queue drains at the line rate, s; None without a rate."""
    bdp: float | None
    """Share of the bandwidth-delay product; None without a rate or a round-trip time."""

    @classmethod
    def of(
        cls, packets: float, rate: float | None, rtt: float | None, packet_bytes: float = 1500
    ) -> LimitUnits:
        """A limit in all units.

        Parameters
        ----------
        packets
            Limit, full packets.
        rate
            Line rate, bit/s.
        rtt
            Base RTT, s.
        packet_bytes
            Full packet on the wire, bytes.
        """
        size = packets * packet_bytes
        seconds = 8 * size / rate if rate else None
        return cls(packets, size, seconds, seconds / rtt if seconds is not None and rtt else None)

    def __str__(self) -> str:
        """The units with `=` between them."""
        count = round(self.packets, 1)
        parts = [
            f"{significant(count, 4)} packet{'' if count == 1 else 's'}",
            quantity(self.bytes, "bytes"),
        ]
        if self.seconds is not None:
            parts.append(quantity(self.seconds, "s"))
        if self.bdp is not None:
            parts.append(f"{significant(self.bdp, 3)} BDP")
        return " = ".join(parts)


def limits_of(qdisc: Mapping[str, Any]) -> list[tuple[float, Mapping[str, Any]]]:
    """The limits of a discipline in a plan, each with the time from which on it holds, s.

    A limit has `limit_packets` or `limit_bytes`. It has neither where anything may wait, and for a
    discipline of which each part has its own limit.

    Examples
    --------
    >>> limits_of({"kind": "fifo", "limit_packets": 20})
    [(0.0, {'kind': 'fifo', 'limit_packets': 20})]
    """
    first = qdisc.get("limit", qdisc)
    later = [(limit["from_ps"] / _PS_PER_S, limit) for limit in first.get("later") or ()]
    return [(0.0, first), *later]


def limit_words(
    packets: float, rate: float | None, rtt: float | None, packet_bytes: float = 1500
) -> str:
    """A queue's limit in packets, bytes, time at line rate and bandwidth-delay products.

    Parameters
    ----------
    packets
        Limit, full packets.
    rate
        Line rate, bit/s; None: the time and the BDP are left out.
    rtt
        Base RTT, s; None: the BDP is left out.
    packet_bytes
        Full packet on the wire, bytes.

    Examples
    --------
    >>> limit_words(25, 10e6, 0.06)
    '25 packets = 37.5 kB = 30 ms = 0.5 BDP'
    """
    return str(LimitUnits.of(packets, rate, rtt, packet_bytes))


def full_packets(plan: Plan) -> list[int]:
    """Full packet of the flows that cross each link of a plan, bytes; 1500 where none crosses.

    Data counts before ACKs, and the largest of the packets is taken.
    """
    sizes = [[0, 0] for _ in plan["links"]]
    for flow in plan["flows"]:
        size = flow["transport"]["mss"] + flow["transport"]["header_bytes"]
        for rank, path in enumerate((flow["path"], flow["reverse_path"])):
            for link in path:
                sizes[link][rank] = max(sizes[link][rank], size)
    for stream in plan.get("streams") or []:
        app: Mapping[str, Any] = stream["app"]
        size = app.get("payload_bytes", 0) + stream["header_bytes"]
        for link in stream["path"]:
            sizes[link][0] = max(sizes[link][0], size)
    return [data or acks or 1500 for data, acks in sizes]


def base_rtts(plan: Plan) -> list[float | None]:
    """Mean base RTT of the flows whose data crosses each link, s; None where none does."""
    delays = [link["delay_ps"] for link in plan["links"]]
    sums = [[0, 0] for _ in plan["links"]]
    for flow in plan["flows"]:
        rtt = sum(delays[link] for link in (*flow["path"], *flow["reverse_path"]))
        for link in flow["path"]:
            sums[link][0] += rtt
            sums[link][1] += 1
    return [total / count / _PS_PER_S if count else None for total, count in sums]


def _limits(
    qdisc: Mapping[str, Any], rate: float
) -> tuple[float, list[tuple[float, Mapping[str, Any]]]]:
    """The rate at which a queue drains, and its limits over time.

    A discipline that has none itself has those of the first discipline inside.
    """
    limits = [
        (at, limit)
        for at, limit in limits_of(qdisc)
        if limit.get("limit_packets") is not None or limit.get("limit_bytes") is not None
    ]
    if limits:
        return rate, limits
    if "rate_bps" in qdisc:
        return _limits(qdisc["qdisc"], min(rate, qdisc["rate_bps"]))
    if "children" in qdisc:
        return _limits(qdisc["children"][0], rate)
    return rate, []


def shortest_drain(plan: Plan) -> float | None:
    """Time in which the smallest full buffer of a bottleneck drains at the line rate, s.

    Bottlenecks are the slowest links on the flows' paths; None where none of them has a limit.
    """
    slowest: set[int] = set()
    for flow in plan["flows"]:
        rates = {link: plan["links"][link].get("rate_bps") or math.inf for link in flow["path"]}
        least = min(rates.values(), default=math.inf)
        slowest.update(link for link, rate in rates.items() if rate == least < math.inf)
    packets = full_packets(plan)
    drains: list[float] = []
    for index in slowest:
        link, packet = plan["links"][index], packets[index]
        rate, limits = _limits(link["qdisc"], link.get("rate_bps") or math.inf)
        for _, limit in limits:
            count = limit.get("limit_packets")
            size = limit["limit_bytes"] if count is None else count * packet
            drains.append(8 * size / rate)
    return min(drains, default=None)


def _line(link: LinkPlan, packet: int, rtt: float | None) -> str | None:
    rate, limits = _limits(link["qdisc"], link.get("rate_bps") or math.inf)
    texts = [
        limit_words(
            limit["limit_packets"]
            if limit.get("limit_packets") is not None
            else limit["limit_bytes"] / packet,
            rate,
            rtt,
            packet,
        )
        + (f" from {at:g} s on" if at else "")
        for at, limit in limits
    ]
    if not texts:
        return None
    of_each = " in each band" if "children" in link["qdisc"] else ""
    return f"{link['qdisc']['kind']}, at most {'; '.join(texts)}{of_each}"


def queue_lines(plan: Plan, links: int | None = None) -> list[tuple[str, str]]:
    """Name, discipline and limit of the queues of a plan, the limit in all units.

    Parameters
    ----------
    plan
        Plan of a run.
    links
        Number of links, from the first, to look at; None: all.

    Returns
    -------
    list of (str, str)
        Links with a rate and a limit. The way back is left out where its queue and rate are those
        of the way there.
    """
    lines: list[tuple[str, str]] = []
    packets, rtts = full_packets(plan), base_rtts(plan)
    shown = plan["links"][:links]
    by_name = {link["name"]: link for link in shown}
    for link, packet, rtt in zip(shown, packets, rtts, strict=False):
        there = by_name.get(link["name"].removesuffix(".reverse"))
        if link.get("rate_bps") is None or (there is not link and _alike(link, there)):
            continue
        line = _line(link, packet, rtt)
        if line is not None:
            lines.append((link["name"], line))
    return lines


def _alike(link: LinkPlan, there: LinkPlan | None) -> bool:
    return there is not None and all(
        link.get(key) == there.get(key) for key in ("qdisc", "rate_bps")
    )
