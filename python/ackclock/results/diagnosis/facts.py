"""Facts of a flow for the kinds of limits: counters, plan, links, competing flows."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ackclock.catalogue import algorithms
from ackclock.formulas.parts import whole
from ackclock.results.diagnosis.time import BUSY, REASONS, Ledger, divide
from ackclock.tables.quantities import quantity, short_cc

if TYPE_CHECKING:
    from ackclock._core import AlgorithmTraits

__all__ = ["BUSY", "FlowFacts", "LinkFacts", "RunFacts", "Span"]

Row = Mapping[str, Any]

_CLOCK_STEP = 1e-12
"""Clock step of the simulator, s: a round trip over links without delay may take no time."""

FAIR = 0.7
"""From this share of its fair share on, a flow counts as having it."""

ALONE = 0.95
"""From this share of its link's traffic on, a flow counts as alone."""

FAR = 0.75
"""Below this share of a bandwidth-delay product, a window is far below the link's capacity."""

FEW = 3
"""Largest number of reductions that is not a sawtooth."""

MOSTLY = 0.9
"""From this share of a flow's time on, another flow counts as present all the time."""

MOST_PAIRS = 500
"""With more flows on a link, its utilisation over the whole run stands for each flow's time."""


@dataclass(frozen=True)
class LinkFacts:
    """One direction of a link."""

    row: Row
    plan: Row
    index: int
    network: str
    """Kind of the network; empty: not known."""

    @property
    def name(self) -> str:
        """Return the link's name."""
        return str(self.plan["name"])

    @property
    def shaped_bps(self) -> float | None:
        """Rate of its token bucket, bit/s."""
        qdisc = self.plan["qdisc"]
        return float(qdisc["rate_bps"]) if "rate_bps" in qdisc else None

    @cached_property
    def rate(self) -> float | None:
        """Return the (mean) rate, bit/s, or None for an unlimited link."""
        nominal = self.row["rate"]
        if nominal is not None and self.varies and self.row["busy_time"] > 0.0:
            # Data sent at the end of a short run has not arrived yet.
            nominal = 8.0 * self.row["delivered_bytes"] / self.row["busy_time"] or nominal
            # Data sent before the warm-up ended may arrive after it.
            steps = self.plan["service"].get("rates")
            nominal = min(nominal, max(rate for _, rate in steps)) if steps else nominal
        rates = [float(rate) for rate in (nominal, self.shaped_bps) if rate is not None]
        return min(rates) if rates else None

    @property
    def varies(self) -> bool:
        """Return whether the rate varies, or packets wait during outages."""
        return "service" in self.plan

    @cached_property
    def utilisation(self) -> float:
        """Return the link's utilisation since the warm-up, 0 to 1."""
        if self.rate is None or self.row["measured_time"] <= 0.0:
            return 0.0
        if self.shaped_bps is None:
            return float(self.row["utilisation"] or 0.0)
        return min(
            1.0,
            8.0 * float(self.row["delivered_bytes"]) / self.rate / float(self.row["measured_time"]),
        )

    @property
    def qdisc(self) -> Row:
        """Return the discipline of the link's queue; for a token bucket, the one inside."""
        outer: Row = self.plan["qdisc"]
        inner: Row | None = outer.get("qdisc")
        return outer if inner is None else inner

    @property
    def buffer_bytes(self) -> float | None:
        """Return the queue's limit at the start, bytes, or None without one in bytes or packets."""
        qdisc = self.qdisc
        qdisc = qdisc.get("limit") or qdisc
        if qdisc.get("limit_bytes") is not None:
            return float(qdisc["limit_bytes"])
        packets = qdisc.get("limit_packets")
        return None if packets is None else 1500.0 * packets

    def impairment(self, kind: str) -> Row | None:
        """Return the link's impairment of a kind, if it has one."""
        return next(
            (
                impairment
                for impairment in self.plan.get("impairments", ())
                if impairment["kind"] == kind
            ),
            None,
        )

    @property
    def limit_key(self) -> str:
        """Return the scenario's key of the queue's limit."""
        return self.key("qdisc.latency" if self.shaped_bps is not None else "limit")

    @property
    def rate_key(self) -> str:
        """Return the scenario's key of the link's rate, or of a token bucket that limits it."""
        return self.key(
            "rate" if self.shaped_bps is None or self.shaped_bps != self.rate else "qdisc.rate"
        )

    def key(self, part: str = "") -> str:
        """Return the scenario's key of the link, or of one of its options."""
        name, back = (
            self.name.removesuffix(".reverse"),
            ".reverse" if self.name.endswith(".reverse") else "",
        )
        access = re.fullmatch(r"(.+)\.(?:access|egress)[^.]*", name) if "." in name else None
        if self.network == "dumbbell" and name == "bottleneck":
            where = f"network.bottleneck{back}"
        elif self.network == "parking-lot" and name.removeprefix("bottleneck").isdigit():
            where = f"network.bottlenecks.{int(name.removeprefix('bottleneck')) - 1}{back}"
        elif access or "." in name:
            where = f"flows.{name.split('.', 1)[0]}.access"
        else:
            where = f"links.{name}{back}"
        return f"{where}.{part}" if part else where


@dataclass(frozen=True)
class Span:
    """One flow or stream on a link, with its time there."""

    name: str
    cc: str
    start: float
    end: float
    bits: float
    base_rtt: float
    priority: int
    wants_more: bool = False
    """Whether only drops or marks of its links kept it from sending more."""

    @property
    def rate(self) -> float:
        """Return the wire rate while it was there, bit/s."""
        return self.bits / (self.end - self.start) if self.end > self.start else 0.0

    def overlap(self, start: float, end: float) -> float:
        """Return the seconds of a time in which it was there."""
        return max(0.0, min(self.end, end) - max(self.start, start))


class Others:
    """The flows and streams that shared a flow's link.

    Attributes
    ----------
    count
        Number of flows and streams.
    rate
        Sum of their mean wire rates, bit/s.
    fastest
        One with the highest mean rate; None without any.
    """

    def __init__(
        self, rates: Sequence[float], wanted: Sequence[float], fastest: Span | None
    ) -> None:
        self.count, self.rate, self.fastest = len(rates), math.fsum(rates), fastest
        self._wanted = wanted

    def fair_share(self, capacity: float) -> float:
        """Return the max-min fair share that they leave one more flow of a capacity, bit/s."""
        left, rates = capacity, sorted(self._wanted)
        count = len(rates) + 1
        for rate in rates:
            if rate * count >= left:
                break
            left, count = left - rate, count - 1
        return left / count


class ManyOthers(Others):
    """As `Others`, with arrays."""

    def __init__(self, rates: Any, wanted: Any, fastest: Span | None) -> None:
        self.count, self.rate, self.fastest = len(rates), float(rates.sum()), fastest
        self._wanted = wanted

    def fair_share(self, capacity: float) -> float:
        """See `Others.fair_share`."""
        import numpy as np

        rates = np.sort(self._wanted)
        counts = np.arange(len(rates) + 1, 0, -1)
        left = capacity - np.append(0.0, rates.cumsum())
        stops = np.flatnonzero(rates * counts[:-1] >= left[:-1])
        at = int(stops[0]) if len(stops) else len(rates)
        return float(left[at] / counts[at])


class Crowd:
    """The flows and streams of a link with many of them, as arrays."""

    def __init__(self, spans: Sequence[Span]) -> None:
        import numpy as np

        self._spans = spans
        self._place = {span.name: index for index, span in enumerate(spans)}
        self._starts = np.array([span.start for span in spans])
        self._ends = np.array([span.end for span in spans])
        self._rates = np.array([span.rate for span in spans])
        self._sends = np.array([span.bits > 0.0 for span in spans])
        self._wants_more = np.array([span.wants_more for span in spans])

    def others(self, name: str, start: float, end: float) -> Others:
        """Return those beside a flow that were there for a tenth of its time or more."""
        import numpy as np

        overlaps = (np.minimum(self._ends, end) - np.maximum(self._starts, start)).clip(0.0)
        chosen = self._sends & (overlaps >= 0.1 * (end - start))
        if name in self._place:
            chosen[self._place[name]] = False
        places = np.flatnonzero(chosen)
        if not len(places):
            return Others((), (), None)
        rates, parts = self._rates[places], overlaps[places] / (end - start)
        wanted = np.where(self._wants_more[places] & (parts >= MOSTLY), math.inf, rates * parts)
        return ManyOthers(rates, wanted, self._spans[places[rates.argmax()]])


def _wants_more(row: Row) -> bool:
    """Return whether only queues' drops or marks kept a flow from sending more.

    The flow had data, and room in its windows.
    """
    if row["cc"] == "udp":
        return False
    held = row["limited_application"] + row["limited_receive_window"] + row["limited_clamp"]
    by_queues = (row["lost_forced"] or 0) + (row["lost_early"] or 0) + row["marked_packets"]
    return bool(
        held < 0.5 * row["active_time"]
        and by_queues > (row["lost_wire"] or 0) + (row["lost_policed"] or 0)
    )


def chosen(kinds: Sequence[Hashable], most: int) -> list[int]:
    """Return the places of at most `most` entries, evenly of each kind and evenly spread.

    Examples
    --------
    >>> chosen("aabb", 4), chosen("aaaaaaaab", 3)
    ([0, 1, 2, 3], [0, 4, 8])
    """
    if len(kinds) <= most:
        return list(range(len(kinds)))
    places: dict[Hashable, list[int]] = {}
    for place, kind in enumerate(kinds):
        places.setdefault(kind, []).append(place)
    picks: list[int] = []
    # Small kinds first: the room that they leave goes to the larger ones.
    by_size = sorted(places.values(), key=len)
    for at, members in enumerate(by_size):
        count = min(len(members), (most - len(picks)) // (len(by_size) - at))
        picks += [members[index * len(members) // count] for index in range(count)]
    return sorted(picks)


class RunFacts:
    """Facts that the flows of a run share.

    Parameters
    ----------
    flows, links
        Rows as in flows.parquet and links.parquet.
    plan
        As in plan.json.
    end_time
        When the run ended, s.
    is_simulated
        Whether no kernel ran it.
    network
        Kind of the network, for keys; empty: not known.
    """

    def __init__(
        self, flows: Sequence[Row], links: Sequence[Row], plan: Row, end_time: float, *,
        is_simulated: bool, network: str,
    ) -> None:  # fmt: skip
        self.plan, self.end_time, self.is_simulated = plan, end_time, is_simulated
        self.warmup = plan.get("warmup_ps", 0) / 1e12
        self.links = [
            LinkFacts(row, link, index, network)
            for index, (row, link) in enumerate(zip(links, plan["links"], strict=True))
        ]
        self.rows = whole(flows)
        self.sessions = {str(session["name"]): session for session in plan["sessions"]}
        self._planned = {
            (flow["part_of"] or flow)["name"]: flow for flow in reversed(plan["flows"])
        }
        self.parts = Counter(
            str(flow["part_of"]["name"]) for flow in plan["flows"] if flow["part_of"]
        )
        self._streams = {stream["name"]: stream for stream in plan["streams"]}
        self._crowds: dict[int, Crowd] = {}
        self._bits: dict[int, float] = {}

    def flows(self, most: int, count: int) -> Iterator[FlowFacts]:
        """Return the TCP flows in order; of more than `most` only `count`, evenly of each kind.

        Flows of a kind have the entry of the scenario and the algorithm in common.
        """
        known = [row for row in self.rows if row["cc"] != "udp" and row["name"] in self._planned]
        if len(known) > most:
            kinds = [(row["name"].split(".", 1)[0], row["cc"]) for row in known]
            known = [known[index] for index in chosen(kinds, count)]
        for row in known:
            yield FlowFacts(row, self._planned[row["name"]], self)

    @cached_property
    def spans(self) -> Mapping[int, Sequence[Span]]:
        """Return the flows and streams that sent data over each link, by the link's index."""
        by_link: dict[int, list[Span]] = {}
        for row in self.rows:
            plan = self._planned.get(row["name"]) or self._streams.get(row["name"])
            if plan is None or row["active_time"] <= 0.0:
                continue
            start = max(row["start_time"], self.warmup)
            span = Span(
                str(row["name"]), str(row["cc"]), start, start + row["active_time"],
                8.0 * row["received_bytes"], float(row["base_rtt"]), int(plan.get("priority", 0)),
                _wants_more(row),
            )  # fmt: skip
            for link in plan["path"]:
                by_link.setdefault(link, []).append(span)
        return by_link

    def crowd(self, link: int) -> Crowd:
        """Return the flows and streams of a link as arrays; `link` is its index."""
        if link not in self._crowds:
            self._crowds[link] = Crowd(self.spans[link])
        return self._crowds[link]

    def control_share(self, link: LinkFacts) -> float:
        """Return the share of ACKs and handshakes in a link's traffic, 0 to 1."""
        carried = 8.0 * link.row["delivered_bytes"]
        return max(0.0, 1.0 - self._data_bits(link.index) / carried) if carried else 0.0

    def _data_bits(self, link: int) -> float:
        if link not in self._bits:
            self._bits[link] = math.fsum(span.bits for span in self.spans.get(link, ()))
        return self._bits[link]

    def busy(self, link: LinkFacts, start: float, end: float) -> float:
        """Return the share of a time that a link was busy, 0 to 1.

        Over most of the run this is its utilisation. Over a shorter time it is the sum of the mean
        rates of the flows present.
        """
        measured = self.end_time - self.warmup
        spans = self.spans.get(link.index, ())
        if link.rate is None or end <= start:
            return 0.0
        if end - start >= 0.95 * measured or len(spans) > MOST_PAIRS:
            return link.utilisation
        sent = math.fsum(span.bits for span in spans)
        scale = 8.0 * link.row["delivered_bytes"] / sent if sent else 1.0
        bits = scale * math.fsum(span.rate * span.overlap(start, end) for span in spans)
        return min(1.0, bits / (link.rate * (end - start)))


class FlowFacts:
    """One flow: its counters, plan, link and competitors.

    Attributes
    ----------
    row, plan
        As in flows.parquet and plan.json.
    run
        Facts that it shares with the other flows.
    time
        Time of the flow in parts, from which each kind of limit takes its share.
    """

    def __init__(self, row: Row, plan: Row, run: RunFacts) -> None:
        self.row, self.plan, self.run = row, plan, run
        self.transport: Row = plan["transport"]
        self.start = max(row["start_time"], run.warmup)
        self.end = self.start + row["active_time"]

    @cached_property
    def time(self) -> Ledger:
        """Return the flow's time in parts."""
        return divide(self.row, self.busy, is_blind=self.is_blind, is_alone=self.is_alone)

    @property
    def name(self) -> str:
        """Return the flow's name."""
        return str(self.row["name"])

    @property
    def cc(self) -> str:
        """Return the name of the flow's congestion control, as people read it."""
        return short_cc(str(self.row["cc"]))

    @cached_property
    def connections(self) -> int:
        """Return the number of connections: more than one for a parallel transfer."""
        if self.run.sessions.get(self.name) is not None:
            return 1
        return max(1, self.run.parts[self.name])

    @cached_property
    def base_cc(self) -> str:
        """Return the flow's congestion avoidance, without options and slow start."""
        return re.sub(r"\(.*", "", re.sub(r"\([^)]*\)", "", str(self.row["cc"])).rsplit("+", 1)[-1])

    @cached_property
    def traits(self) -> AlgorithmTraits:
        """Return what the flow's congestion avoidance or whole controller is like."""
        return algorithms.traits(self.base_cc)

    @property
    def is_blind(self) -> bool:
        """Return whether its algorithm answers neither a single loss nor a mark."""
        return algorithms.is_blind(self.base_cc)

    @property
    def answers_delay(self) -> bool:
        """Return whether its algorithm backs off when the queue grows."""
        return algorithms.answers_delay(self.base_cc)

    @property
    def is_own(self) -> bool:
        """Return whether the flow's algorithm is a class of the user's own."""
        return "python:" in str(self.row["cc"])

    @property
    def keeps_own_window(self) -> bool:
        """Return whether a user's algorithm holds a window far below the link's capacity.

        That is so if its window was reduced a few times at most.
        """
        reason = self.main_reason
        few = reason is None or self.events(reason) <= FEW
        return bool(
            self.is_own and few and self.bdp and self.window < FAR * self.bdp * self.payload_share
        )

    @property
    def mss(self) -> int:
        """Return the payload of a full segment, bytes."""
        return int(self.transport["mss"])

    @property
    def payload_share(self) -> float:
        """Return a full packet's payload over its bytes."""
        return self.mss / (self.mss + int(self.transport["header_bytes"]))

    @property
    def goodput(self) -> float:
        """Return the goodput over the flow's time, bit/s."""
        return float(self.row["goodput"] or 0.0)

    @property
    def rtt(self) -> float:
        """Return the mean RTT, s, at least a step of the clock; without samples the base RTT."""
        return max(float(self.row["rtt_mean"] or self.row["base_rtt"]), _CLOCK_STEP)

    @property
    def window(self) -> float:
        """Return the mean window in use, bytes: goodput times mean RTT."""
        return self.goodput * self.rtt / 8.0

    @cached_property
    def forward(self) -> Sequence[LinkFacts]:
        """Return the links of the data's path."""
        return [self.run.links[index] for index in self.plan["path"]]

    @cached_property
    def backward(self) -> Sequence[LinkFacts]:
        """Return the links of the ACKs' path."""
        return [self.run.links[index] for index in self.plan["reverse_path"]]

    @cached_property
    def _busy(self) -> Mapping[int, float]:
        return {link.index: self.run.busy(link, self.start, self.end) for link in self.forward}

    @cached_property
    def link(self) -> LinkFacts | None:
        """Return its possible limit: the path's busiest link if that is busy, else the slowest."""
        known = [link for link in self.forward if link.rate is not None]
        if not known:
            return None
        busiest = max(known, key=lambda link: self._busy[link.index])
        slowest = min(known, key=lambda link: link.rate or math.inf)
        return busiest if self._busy[busiest.index] >= BUSY else slowest

    @property
    def busy(self) -> float:
        """Return the share of the flow's time that its link was busy, 0 to 1."""
        return 0.0 if self.link is None else self._busy[self.link.index]

    @cached_property
    def bdp(self) -> float | None:
        """Return the bandwidth-delay product of the flow's link and base RTT, wire bytes."""
        return (
            None
            if self.link is None or self.link.rate is None
            else self.link.rate * self.row["base_rtt"] / 8.0
        )

    @cached_property
    def others(self) -> Others:
        """Return the flows and streams that shared its link for a tenth of its time or more."""
        if self.link is None:
            return Others((), (), None)
        spans = self.run.spans.get(self.link.index, ())
        if len(spans) > MOST_PAIRS:
            return self.run.crowd(self.link.index).others(self.name, self.start, self.end)
        least, name = 0.1 * (self.end - self.start), self.name
        length = self.end - self.start
        overlaps = [
            (span, overlap / length)
            for span in spans
            if span.bits > 0.0
            and span.name != name
            and (overlap := span.overlap(self.start, self.end)) >= least
        ]
        return Others(
            [span.rate for span, _ in overlaps],
            [
                math.inf if span.wants_more and part >= MOSTLY else span.rate * part
                for span, part in overlaps
            ],
            max((span for span, _ in overlaps), key=lambda span: span.rate, default=None),
        )

    @property
    def wire_rate(self) -> float:
        """Return the rate of its packets at the receiver, bit/s."""
        return float(self.row["throughput"] or 0.0)

    @cached_property
    def is_alone(self) -> bool:
        """Return whether almost nobody else sends over its link."""
        return not self.others.count or self.others.rate < (1.0 - ALONE) * self.wire_rate

    @cached_property
    def fair_share(self) -> float | None:
        """Return the flow's max-min fair share of its link, wire bit/s.

        Another flow that drops or marks of the link held back could use an equal share: the rate
        that it did not get is not left over for this flow.
        """
        if self.link is None or self.link.rate is None:
            return None
        return self.others.fair_share(self.link.rate)

    @property
    def has_due(self) -> bool:
        """Return whether it has its fair share of its link."""
        return self.fair_share is None or self.wire_rate >= FAIR * self.fair_share

    @cached_property
    def lost(self) -> Mapping[str, int]:
        """Return the numbers of lost data packets by cause."""
        return {
            cause: int(self.row[f"lost_{cause}"] or 0)
            for cause in ("wire", "forced", "early", "policed")
        }

    @cached_property
    def most(self) -> float:
        """Return the payload rate of its link, bit/s; infinite without a link."""
        return (
            math.inf
            if self.link is None or self.link.rate is None
            else self.link.rate * self.payload_share
        )

    @cached_property
    def needless_packets(self) -> int:
        """Return the number of packets sent again although no copy was lost."""
        lost = max(int(self.row["lost_packets"] or 0), sum(self.lost.values()))
        return max(0, int(self.row["retransmitted_packets"] or 0) - lost)

    @cached_property
    def needless(self) -> float:
        """Return the share of needless packets among those that arrived, 0 to 1."""
        arrived = self.row["received_bytes"] / (self.mss + int(self.transport["header_bytes"]))
        return min(1.0, self.needless_packets / arrived) if arrived else 0.0

    def loss_share(self, cause: str) -> float:
        """Return the packets lost for a cause over those sent, 0 to 1."""
        # Packets of the warm-up may be dropped after it, perhaps more than were sent since.
        packets = max(self.row["sent_packets"], sum(self.lost.values()))
        return self.lost[cause] / packets if packets else 0.0

    def events(self, reason: str) -> int:
        """Return the reductions of cwnd for a reason; on a kernel, the packets lost."""
        count = self.row[f"reductions_{reason}"]
        return int(
            count if count is not None else self.lost.get(reason, self.row["ecn_reductions"])
        )

    @cached_property
    def main_reason(self) -> str | None:
        """Return the most frequent reason for reductions of cwnd."""
        counts = {
            reason: self.events(reason)
            for reason in REASONS
            if reason in self.lost or self.run.is_simulated
        }
        most = max(counts, key=lambda reason: counts[reason], default=None)
        return most if most and counts[most] else None

    def worst(self, column: str, links: Sequence[LinkFacts] | None = None) -> LinkFacts | None:
        """Return the link of its path with the largest value of a column; None if all are zero."""
        chosen = self.forward if links is None else links
        most = max(chosen, key=lambda link: link.row[column], default=None)
        return most if most is not None and most.row[column] else None

    def key(self, part: str) -> str:
        """Return the scenario's key of one of the flow's options."""
        entry = self.name.split(".", 1)[0]
        default = re.fullmatch(r"flow(\d+)", entry)
        return f"flows.{int(default[1]) - 1 if default else entry}.{part}"

    def of_link(self) -> str:
        """Return a sentence on its goodput and its link's rate."""
        if self.link is None or self.link.rate is None:
            return f"it gets {quantity(self.goodput, 'bit/s')}"
        mean = " on average" if self.link.varies else ""
        return (
            f"it gets {quantity(self.goodput, 'bit/s')} of {self.link.name}'s "
            f"{quantity(self.link.rate, 'bit/s')}{mean}"
        )
