"""Others on a busy link who took more than their share."""

from ackclock.algorithms import answers_delay, gives_way, is_blind
from ackclock.results.diagnosis.facts import BUSY, FlowFacts, Span
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity, short_cc

RTT_RATIO = 1.3
"""From this ratio of base RTTs on, the RTT is a reason."""

LONG_RTT = 3.0
"""From this ratio of base RTTs on, the RTT is a stronger reason than another algorithm."""


FAIR_QUEUEING = "use fair queueing, such as fq_codel, on each busy link of its path"

NEARLY = 0.8
"""From this share of the time on, a link is busy enough for competitors to be the reason."""

HALF = 0.5

TINY = 0.1
"""Below this share of a bandwidth-delay product, a queue's drops are not a fair sample."""

FEW = 4.0
"""Packets per RTT; a smaller window cannot give three duplicate ACKs (RFC 5681 section 3.2)."""


def _base(span: Span) -> str:
    return span.cc.rsplit("+", 1)[-1].split("(", 1)[0]


def _why(flow: FlowFacts, most: Span) -> tuple[str, str, str]:
    """Return the known reason why another flow took more, the key to change, and the advice."""
    mine, theirs = flow.base_cc, _base(most)
    ratio = flow.row["base_rtt"] / most.base_rtt if most.base_rtt else 1.0
    shared = [link for link in flow.forward if flow.run.busy(link, flow.start, flow.end) >= BUSY]
    packets = (
        (flow.fair_share or 0.0) * flow.rtt / 8.0 / (flow.mss + flow.transport["header_bytes"])
    )
    if theirs == "udp":
        return (
            "a UDP stream does not give way",
            f"flows.{most.name.split('.', 1)[0]}.app",
            "lower its rate",
        )
    if packets < FEW and flow.link is not None:
        why = (
            f"an equal share is {quantity(packets, '1', 2)} packets per RTT, and timeouts decide "
            "who sends"
        )
        return why, flow.link.rate_key, "raise it, or start fewer flows"
    if gives_way(mine) and not gives_way(theirs):
        return f"{mine} gives way to others by intention", flow.key("cc"), "use another"
    if answers_delay(mine) and not answers_delay(theirs):
        return (
            f"{mine} backs off from the queue that {theirs} builds",
            flow.key("cc"),
            "use another",
        )
    if most.priority != flow.plan["priority"] and any(
        "priomap" in link.plan["qdisc"] for link in flow.forward
    ):
        return "its packets have another priority", flow.key("priority"), "change it"
    is_same = mine == theirs
    if ratio >= (RTT_RATIO if is_same else LONG_RTT) and not is_blind(theirs):
        why = (
            f"the base RTT of {flow.name} is {quantity(ratio, '1')} times as long, and windows "
            "grow per RTT"
        )
        if len(shared) > 1:
            why += f", and it meets drops on {len(shared)} busy links"
        if any(".access" in link.key() and link.plan["delay_ps"] for link in flow.forward):
            return why, flow.key("access.delay"), "lower it, or use fair queueing"
        key = None if flow.link is None else flow.link.key("qdisc")
        return why, key or flow.key("cc"), FAIR_QUEUEING
    if not is_same:
        return (
            f"{theirs} takes more than {mine} at this buffer and RTT",
            flow.key("cc"),
            "use the same for both",
        )
    if len(shared) > 1 and flow.link is not None:
        why = f"{flow.name} meets drops on {len(shared)} busy links"
        return why, flow.link.key("qdisc"), FAIR_QUEUEING
    if most.start < flow.start - flow.rtt:
        return (
            "it started later, and shares converge slowly",
            flow.key("start"),
            "start it earlier, or run longer",
        )
    buffer = None if flow.link is None else flow.link.buffer_bytes
    if flow.link is not None and buffer is not None and flow.bdp and buffer < TINY * flow.bdp:
        why = (
            f"a queue of {quantity(buffer, 'bytes')}, {quantity(buffer / flow.bdp, '1', 2)} BDP, "
            "drops unevenly"
        )
        return why, flow.link.limit_key, f"raise it towards 1 BDP, {quantity(flow.bdp, 'bytes')}"
    return (
        "no reason is known: chance, or too short a run",
        "duration",
        "raise it, or repeat with several seeds",
    )


def _find(flow: FlowFacts) -> Limit | None:
    """Find less than the max-min fair share: an equal share and the others' unused rate."""
    if flow.link is None or flow.others.fastest is None or flow.has_due or flow.is_alone:
        return None
    is_starved = flow.busy >= NEARLY and flow.wire_rate < HALF * (flow.fair_share or 0.0)
    if flow.busy < BUSY and not is_starved:
        return None
    share = flow.time.take("link", "forced", "early", "mark", "unreduced")
    if not share:
        return None
    most = flow.others.fastest
    why, key, advice = _why(flow, most)
    kind = (
        "gives-way"
        if flow.answers_delay and not answers_delay(_base(most)) and _base(most) != "udp"
        else "unfair-share"
    )
    title = "backing off beside others" if kind == "gives-way" else "less than its fair share"
    due = flow.fair_share or 0.0
    of_due = quantity(flow.wire_rate / due if due else 0.0, "%")
    sentence = (
        f"{flow.link.name} was busy for {quantity(flow.busy, '%')} of its time, and it had "
        f"{quantity(flow.wire_rate, 'bit/s')} on the wire, {of_due} of its fair share; {most.name} "
        f"({short_cc(most.cc)}) took {quantity(most.rate, 'bit/s')}: {why}"
    )
    return Limit(
        kind,
        title,
        share,
        sentence,
        key,
        advice,
        due * flow.payload_share,
        "max-min fair share as payload",
    )


KIND = Kind("unfair-share", "its share beside others", _find)
