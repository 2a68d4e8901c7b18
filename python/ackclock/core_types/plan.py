"""Types of a plan, as the simulator takes it. Made by ``python tools/border``."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

__all__ = [
    "Abr",
    "AckCounting",
    "AdaptiveVideoSessionAppPlan",
    "AlikeFlows",
    "AlikeLinks",
    "AppPlan",
    "AppPlanSession",
    "ApplicationLimitedAppPlan",
    "BernoulliLossPlan",
    "BetweenDistribution",
    "BulkAppPlan",
    "BurstsLossPlan",
    "CbrStreamAppPlan",
    "CdfDistribution",
    "ChangesSamplePlan",
    "CobaltQdiscPlan",
    "CodelControl",
    "CodelQdiscPlan",
    "CorruptImpairmentPlan",
    "DelayScheduleImpairmentPlan",
    "Distribution",
    "DrrClasses",
    "DrrQdiscPlan",
    "Dualpi2QdiscPlan",
    "Dualpi2Step",
    "DupackRecovery",
    "DuplicateImpairmentPlan",
    "EcnMode",
    "EcnRewriteImpairmentPlan",
    "EcnRule",
    "ExponentialDistribution",
    "FifoQdiscPlan",
    "FileAppPlan",
    "FixedDistribution",
    "FlowPlan",
    "FqCodelQdiscPlan",
    "FqPieQdiscPlan",
    "GilbertElliottLossPlan",
    "ImpairmentPlan",
    "IncastSessionAppPlan",
    "JitterImpairmentPlan",
    "LaterLimitPlan",
    "LimitPlan",
    "LinkPlan",
    "ListLossPlan",
    "LognormalDistribution",
    "LossDetection",
    "LossPlan",
    "LossRules",
    "LossWindowPlan",
    "NormalDistribution",
    "OffSamplePlan",
    "OnOffAppPlan",
    "OutageImpairmentPlan",
    "OutagePlan",
    "PacingMode",
    "PacketsDualpi2Step",
    "ParetoDistribution",
    "PeakPlan",
    "PeriodSamplePlan",
    "PeriodicLossPlan",
    "PersistentPlan",
    "PieControlPlan",
    "PieQdiscPlan",
    "Plan",
    "PlayoutFrom",
    "PolicerPlan",
    "PrioQdiscPlan",
    "QdiscPlan",
    "RecordPlan",
    "RedQdiscPlan",
    "ReorderImpairmentPlan",
    "RepeatedSessionAppPlan",
    "RequestResponseSessionAppPlan",
    "RttTiming",
    "SamplePlan",
    "ScheduleServicePlan",
    "ServicePlan",
    "SessionAppPlan",
    "SessionPlan",
    "ShortFlowsSessionAppPlan",
    "SlotImpairmentPlan",
    "StepQdiscPlan",
    "StepsLossPlan",
    "StreamAppPlan",
    "StreamPlan",
    "SubflowPlan",
    "TbfQdiscPlan",
    "TimeDualpi2Step",
    "TraceServicePlan",
    "TransportPlan",
    "UniformDistribution",
    "VideoStreamAppPlan",
    "VoiceStreamAppPlan",
    "WebSessionAppPlan",
    "WeibullDistribution",
    "WindowApproach",
    "WindowCounting",
    "WritesAppPlan",
]


class Plan(TypedDict):
    """The plan of one run."""

    alike_flows: NotRequired[list[AlikeFlows]]
    """Flows that are left out of `flows`, in the order of their models."""
    alike_links: NotRequired[list[AlikeLinks]]
    """Links that are left out of `links`, in the order of their models."""
    draws_start_order: NotRequired[bool]
    """Whether the seed draws the order of flows and sessions that start at the same time; otherwise
    they start in the order of the plan.
    """
    duration_ps: int
    """The run ends at this time, ps, or earlier, when every flow has finished."""
    flows: list[FlowPlan]
    """All flows."""
    links: list[LinkPlan]
    """All links, one entry per direction."""
    record: NotRequired[RecordPlan]
    """Tables and time series to record."""
    seed: int
    """Seed of all named random streams."""
    sessions: NotRequired[list[SessionPlan]]
    """All sessions. A session runs flows whose application is `session`."""
    streams: NotRequired[list[StreamPlan]]
    """All UDP streams. Packets and tables number them after the flows."""
    warmup_ps: NotRequired[int]
    """Metrics count from this time on, ps."""


class AlikeFlows(TypedDict):
    """Flows that equal another one, their model, but for some keys.

    They follow their model. A key that differs is a column, with a value for each flow; an empty
    column stands for the model's value.
    """

    app: NotRequired[list[AppPlan]]
    """Applications."""
    clock_phase_ps: NotRequired[list[int]]
    """`clock_phase_ps` of the transports."""
    model: int
    """Place of their model in `flows`, as written."""
    name: list[str]
    """Names."""
    part_of: NotRequired[list[SubflowPlan | None]]
    """Parallel transfers of which the flows are subflows."""
    path: NotRequired[list[list[int]]]
    """Links from sender to receiver."""
    reverse_path: NotRequired[list[list[int]]]
    """Links from receiver to sender."""
    start_ps: NotRequired[list[int]]
    """When the SYNs are sent, ps."""
    stop_ps: NotRequired[list[int | None]]
    """When the applications stop writing, ps."""


class AlikeLinks(TypedDict):
    """Links that equal another one, their model, but for some keys.

    They follow their model. A key that differs is a column, with a value for each link; an empty
    column stands for the model's value.
    """

    delay_ps: NotRequired[list[int]]
    """Propagation delays, ps."""
    model: int
    """Place of their model in `links`, as written."""
    name: list[str]
    """Names."""
    rate_bps: NotRequired[list[int | None]]
    """Line rates, bit/s."""


class ApplicationLimitedAppPlan(TypedDict):
    """Writes at a steady rate."""

    every_ps: int
    """Time from write to write, ps."""
    kind: Literal["application-limited"]
    rate_bps: int
    """Rate of writing, bit/s."""


class BulkAppPlan(TypedDict):
    """There is always data to send."""

    kind: Literal["bulk"]


class FileAppPlan(TypedDict):
    """One file is sent; then the connection is closed."""

    kind: Literal["file"]
    size_bytes: int
    """Size, bytes."""


class OnOffAppPlan(TypedDict):
    """Bursts and silence in turn."""

    kind: Literal["on-off"]
    off: Distribution
    """Length of a silence, s."""
    on: Distribution
    """Length of a burst, s; the first burst begins at the start."""
    rate_bps: NotRequired[int | None]
    """Rate of writing in a burst, bit/s; absent: as much as can be sent."""
    stream: str
    """Beginning of the names of the random streams."""
    write_bytes: int
    """Size of a write, bytes."""


class AppPlanSession(TypedDict):
    """A session writes the data, and opens the flow at a time of its choice."""

    kind: Literal["session"]


class WritesAppPlan(TypedDict):
    """Data is written at given times; then the connection is closed."""

    kind: Literal["writes"]
    writes: list[list[int]]
    """Writes (ps after the flow's start, bytes), ascending."""


class CodelControl(TypedDict):
    """Parameters of `CoDel`'s control law, with tc's names."""

    ce_threshold_ps: NotRequired[int | None]
    """Waiting time above which every ECN-capable packet is marked, ps; absent: none."""
    ecn: bool
    """Whether ECN-capable packets are marked rather than dropped."""
    interval_ps: int
    """Interval, ps: every packet must have waited longer than the target for this long before one
    is dropped.
    """
    target_ps: int
    """Target: standing delay that is tolerated, ps."""


class FixedDistribution(TypedDict):
    """Always the same."""

    kind: Literal["fixed"]
    value: float
    """That value."""


class UniformDistribution(TypedDict):
    """All alike from low to high: low <= x < high."""

    high: float
    """Upper end."""
    kind: Literal["uniform"]
    low: float
    """Lower end."""


class ExponentialDistribution(TypedDict):
    """Memoryless."""

    kind: Literal["exponential"]
    mean: float
    """Mean."""


class NormalDistribution(TypedDict):
    """A normal distribution of which negative values are drawn again.

    The mean is a little larger than `mean` unless sd is small beside it.
    """

    kind: Literal["normal"]
    mean: float
    """Mean before negative values are drawn again."""
    sd: float
    """Standard deviation before that."""


class LognormalDistribution(TypedDict):
    """median exp(sigma z), z standard normal; the mean is median exp(sigma^2 / 2)."""

    kind: Literal["lognormal"]
    median: float
    """Median."""
    sigma: float
    """Standard deviation of ln x."""


class ParetoDistribution(TypedDict):
    """P(X > x) = (scale / x)^shape for x >= scale.

    The mean is scale shape / (shape - 1), so shape must exceed 1.
    """

    kind: Literal["pareto"]
    scale: float
    """Smallest value."""
    shape: float
    """Exponent of the tail."""


class WeibullDistribution(TypedDict):
    """P(X > x) = exp(-(x / scale)^shape); the mean is scale Gamma(1 + 1 / shape)."""

    kind: Literal["weibull"]
    scale: float
    """Scale."""
    shape: float
    """Shape; 1 is exponential, less has the heavier tail."""


class CdfDistribution(TypedDict):
    """An empirical distribution function with straight lines between its points.

    As in ns-2's `EmpiricalRandomVariable` with continuous interpolation, the first point's
    probability is that of exactly its value.
    """

    kind: Literal["cdf"]
    points: list[list[float]]
    """(x, P(X <= x)), both ascending, up to a probability of 1."""


class BetweenDistribution(TypedDict):
    """Another one given low <= x <= high: values outside are drawn again."""

    high: float
    """Largest value kept."""
    kind: Literal["between"]
    low: float
    """Smallest value kept."""
    of: Distribution
    """The other one."""


class TimeDualpi2Step(TypedDict):
    """Packets that have waited longer are marked."""

    kind: Literal["time"]
    ps: int
    """Waiting time, ps."""


class PacketsDualpi2Step(TypedDict):
    """Packets that leave more packets behind in the L queue are marked."""

    count: int
    """Number of packets."""
    kind: Literal["packets"]


class FlowPlan(TypedDict):
    """One flow: a sender, a receiver, and the links between them."""

    app: AppPlan
    """The application that writes the flow's data."""
    cc: str
    """Congestion control, as the registry reads it: `reno`, `cos+reno`, `hystart+cubic`,
    `cubic(beta=0.8)`.
    """
    name: str
    """Unique name; random streams are keyed by it."""
    part_of: NotRequired[SubflowPlan | None]
    """The parallel transfer of which the flow is a subflow; absent: none."""
    path: list[int]
    """Links from sender to receiver, in order; indices into `Plan::links`."""
    priority: NotRequired[int]
    """Class of the flow's packets in both directions (Linux's `SO_PRIORITY`, 0 to 15)."""
    reverse_path: list[int]
    """Links from receiver to sender."""
    start_ps: int
    """When the SYN is sent, ps."""
    stop_ps: NotRequired[int | None]
    """When the application stops writing, ps; absent: never."""
    transport: TransportPlan
    """The transport's options."""


class CorruptImpairmentPlan(TypedDict):
    """Bits of packets change."""

    acks: NotRequired[bool]
    """Whether pure ACKs are corrupted too."""
    correlation: NotRequired[float]
    """Correlation of each decision with the one before."""
    kind: Literal["corrupt"]
    p: float
    """Probability that a packet is corrupted."""


class DelayScheduleImpairmentPlan(TypedDict):
    """The delay changes at given times."""

    delays: list[list[int]]
    """Steps (time, ps; one-way delay, ps), ascending. Before the first step the link's own delay
    holds.
    """
    kind: Literal["delay-schedule"]
    period_ps: NotRequired[int | None]
    """Length of a cycle after which the steps begin again, ps; `None`: the last delay holds for
    ever.
    """
    reorder: NotRequired[bool]
    """Whether packets overtake packets that left under a longer delay. Otherwise they arrive no
    earlier than the last of those.
    """


class DuplicateImpairmentPlan(TypedDict):
    """Packets arrive twice."""

    acks: NotRequired[bool]
    """Whether pure ACKs are duplicated too."""
    correlation: NotRequired[float]
    """Correlation of each decision with the one before."""
    kind: Literal["duplicate"]
    p: float
    """Probability that a packet is duplicated."""


class EcnRewriteImpairmentPlan(TypedDict):
    """ECN fields of IP headers change."""

    kind: Literal["ecn-rewrite"]
    rule: EcnRule
    """Codepoints that change."""


class JitterImpairmentPlan(TypedDict):
    """The delay varies from packet to packet."""

    correlation: NotRequired[float]
    """Correlation of each packet's time with that of the packet before."""
    delay: Distribution
    """Time added to the link's delay, s."""
    kind: Literal["jitter"]
    reorder: NotRequired[bool]
    """Whether a packet may overtake those before it, as in netem. Otherwise it arrives no earlier
    than the last of them.
    """


class OutageImpairmentPlan(TypedDict):
    """Packets that are sent while the link is down are lost."""

    kind: Literal["outage"]
    period_ps: NotRequired[int | None]
    """Length of a cycle after which the windows begin again, ps; `None`: they come once."""
    windows: list[list[int]]
    """Windows (from, to), ps, ascending and apart. The link is down at `from` and up again at
    `to`.
    """


class ReorderImpairmentPlan(TypedDict):
    """Some packets skip the delay, or arrive late."""

    acks: NotRequired[bool]
    """Whether pure ACKs count and may take the other way."""
    correlation: NotRequired[float]
    """Correlation of each decision with the one before."""
    extra: NotRequired[Distribution | None]
    """Extra time of the other way, s; `None`: the other way takes no time, as in netem."""
    gap: int
    """Distance of candidates: after a packet has taken the other way, the `gap`-th packet is a
    candidate, and so is each packet after it. 1: all packets are candidates.
    """
    kind: Literal["reorder"]
    p: float
    """Probability that a candidate takes the other way."""


class SlotImpairmentPlan(TypedDict):
    """Packets arrive in batches."""

    bytes: NotRequired[int | None]
    """Bytes of a slot: the packet that reaches them is its last. `None`: no limit."""
    kind: Literal["slot"]
    max_delay_ps: int
    """Longest time to the next slot, ps."""
    min_delay_ps: int
    """Shortest time to the next slot, ps."""
    packets: NotRequired[int | None]
    """Most packets of a slot; `None`: no limit."""


class LaterLimitPlan(TypedDict):
    """A limit from a time of the run on, in place of the limit before it."""

    from_ps: int
    """Time from which on the limit holds, ps."""
    limit_bytes: NotRequired[int | None]
    """Most bytes."""
    limit_packets: NotRequired[int | None]
    """Most packets."""


class LimitPlan(TypedDict):
    """Most packets and bytes that wait.

    The packet being transmitted does not count. Absent: no limit of that kind.
    """

    limit_bytes: NotRequired[int | None]
    """Most bytes."""
    limit_packets: NotRequired[int | None]
    """Most packets."""


class LinkPlan(TypedDict):
    """The plan of one direction of a link."""

    delay_ps: int
    """Propagation delay, ps."""
    impairments: NotRequired[list[ImpairmentPlan]]
    """Impairments of the wire, in the order in which packets meet them."""
    loss: NotRequired[LossPlan | None]
    """Loss on the wire, after the queue."""
    loss_window: NotRequired[LossWindowPlan | None]
    """Time in which `loss` acts; absent: always."""
    name: str
    """Unique name; random streams are keyed by it."""
    policer: NotRequired[PolicerPlan | None]
    """Policer before the queue."""
    qdisc: QdiscPlan
    """Queue discipline."""
    rate_bps: NotRequired[int | None]
    """Line rate, bit/s; absent: infinitely fast, so that nothing ever queues."""
    service: NotRequired[ServicePlan | None]
    """A rate that varies. `rate_bps` is then the rate that disciplines assume."""


class BernoulliLossPlan(TypedDict):
    """Each packet is lost with probability `p`, independently."""

    acks: NotRequired[bool]
    """Whether pure ACKs are lost too."""
    kind: Literal["bernoulli"]
    p: float
    """Probability of loss."""


class StepsLossPlan(TypedDict):
    """Each packet is lost with the probability that holds when its last bit leaves."""

    acks: NotRequired[bool]
    """Whether pure ACKs are lost too."""
    kind: Literal["steps"]
    steps: list[list[int | float]]
    """Steps (time, ps; probability from then on), ascending. Before the first nothing is lost."""


class GilbertElliottLossPlan(TypedDict):
    """The model of Gilbert 1960 and Elliott 1963.

    A good and a bad state have a probability of loss each.
    """

    acks: NotRequired[bool]
    """Whether pure ACKs count and are lost too."""
    kind: Literal["gilbert-elliott"]
    loss_bad: float
    """Probability of loss in the bad state (1 - h)."""
    loss_good: float
    """Probability of loss in the good state (1 - k)."""
    p: float
    """Probability to leave the good state after a packet. The process begins in the good state."""
    r: float
    """Probability to leave the bad state after a packet."""


class PeriodicLossPlan(TypedDict):
    """Every packet whose number is a multiple of `every` is lost."""

    acks: NotRequired[bool]
    """Whether pure ACKs count and are lost too."""
    every: int
    """Period, packets."""
    kind: Literal["periodic"]
    offset: NotRequired[int]
    """Number of packets before the first period begins."""


class ListLossPlan(TypedDict):
    """The packets with these numbers are lost."""

    acks: NotRequired[bool]
    """Whether pure ACKs count and are lost too."""
    kind: Literal["list"]
    packets: list[int]
    """Numbers of the lost packets, ascending."""


class BurstsLossPlan(TypedDict):
    """All packets of a burst are lost, and none of the gap before it.

    Bursts and gaps are lengths of time, drawn independently of packets and of each other.
    """

    acks: NotRequired[bool]
    """Whether pure ACKs are lost too."""
    gap: Distribution
    """Time before each burst in which nothing is lost, s."""
    kind: Literal["bursts"]
    length: Distribution
    """Length of a burst, s."""


class LossWindowPlan(TypedDict):
    """The time in which a link's loss acts.

    A packet belongs to the moment at which its last bit leaves.
    """

    start_ps: int
    """Time from which on packets are counted and lost, ps."""
    stop_ps: NotRequired[int | None]
    """Time from which on nothing is lost any more, ps; `None`: the loss goes on to the end."""


class OutagePlan(TypedDict):
    """Windows in which a link is down, once or in every cycle."""

    period_ps: NotRequired[int | None]
    """Length of a cycle after which the windows begin again, ps; `None`: they come once."""
    windows: list[list[int]]
    """Windows (from, to), ps, ascending and apart. The link is down at `from` and up again at
    `to`.
    """


class PeakPlan(TypedDict):
    """Parameters of the second bucket. It bounds the rate at which the first is emptied."""

    mtu_bytes: int
    """Size of the bucket (tc's `mtu`), bytes."""
    rate_bps: int
    """Rate of the tokens (tc's `peakrate`), bit/s."""


class PersistentPlan(TypedDict):
    """Parameters of connections that carry one object after another."""

    keep_alive_ps: int
    """Time from the end of a page to the closing of its connections, ps, unless the next page has
    begun.
    """
    request_bytes: int
    """Size of each request, bytes."""


class PieControlPlan(TypedDict):
    """The parameters of PIE's controller."""

    alpha: float
    """Gain of the deviation from the target, 1/s. tc's integers are sixteenths of it."""
    beta: float
    """Gain of the delay's change, 1/s."""
    bytemode: bool
    """Whether the probability is scaled by the packet's size."""
    dq_rate_estimator: bool
    """Whether the delay is estimated from the backlog and the departure rate, rather than measured
    with the packets.
    """
    ecn: bool
    """Whether ECN-capable packets are marked rather than dropped,"""
    ecn_prob: float
    """if the probability is below this (`mark_ecnth`)."""
    max_burst_ps: int
    """Burst allowance `MAX_BURST`, ps."""
    mtu_bytes: int
    """Size of a full packet, bytes: twice this may always wait, and it is the scale of
    `bytemode`.
    """
    target_ps: int
    """Target delay `QDELAY_REF`, ps."""
    tupdate_ps: int
    """Time between updates `T_UPDATE`, ps."""


class PolicerPlan(TypedDict):
    """Parameters of a policer, with the names of `tc ... police rate RATE burst BURST drop`."""

    burst_bytes: int
    """Size of the bucket, bytes."""
    rate_bps: int
    """Rate of the tokens, bit/s."""


class FifoQdiscPlan(TypedDict):
    """First in, first out, tail drop."""

    kind: Literal["fifo"]
    later: NotRequired[list[LaterLimitPlan]]
    """Limits from later times on, ascending."""
    limit_bytes: NotRequired[int | None]
    """Most bytes."""
    limit_packets: NotRequired[int | None]
    """Most packets."""


class RedQdiscPlan(TypedDict):
    """Random early detection."""

    adaptive: bool
    """Whether `max_p` follows the average: adaptive RED (Floyd, Gummadi & Shenker 2001)."""
    byte_mode: bool
    """Whether bytes are counted rather than packets, and the probability is scaled by packet
    size.
    """
    ecn: bool
    """Whether ECN-capable packets are marked rather than dropped, below the upper threshold
    (gentle: below twice the upper threshold).
    """
    gentle: bool
    """Whether the probability rises from `max_p` to 1 between `max_threshold` and twice that.
    Otherwise all packets above `max_threshold` are dropped.
    """
    kind: Literal["red"]
    limit: LimitPlan
    """Hard limit."""
    max_p: float
    """Drop probability at the upper threshold."""
    max_threshold: float
    """Upper threshold of the average queue."""
    mean_packet_bytes: int
    """Mean packet size, bytes, for the decay in idle times and for byte mode."""
    min_threshold: float
    """Lower threshold of the average queue."""
    wait: bool
    """Whether drops are spaced out, as with ns-2's `wait_`: no two drops are closer than 1/p
    packets.
    """
    weight: float
    """Weight of a new sample in the average."""


class StepQdiscPlan(TypedDict):
    """Step marking."""

    kind: Literal["step"]
    limit: LimitPlan
    """Hard limit."""
    threshold: LimitPlan
    """Threshold: a packet is marked if it would be refused with this limit."""


class TbfQdiscPlan(TypedDict):
    """Token bucket filter."""

    burst_bytes: int
    """Size of the bucket, bytes."""
    kind: Literal["tbf"]
    peak: NotRequired[PeakPlan | None]
    """Second bucket, from which packets need tokens, too."""
    qdisc: QdiscPlan
    """Discipline of the packets that wait, with its limit."""
    rate_bps: int
    """Rate of the tokens, bit/s."""


class DrrQdiscPlan(TypedDict):
    """Deficit round robin."""

    by: DrrClasses
    """Criterion that divides packets into classes."""
    kind: Literal["drr"]
    limit: LimitPlan
    """Most packets or bytes that wait in all classes together."""
    quanta: NotRequired[list[list[int]]]
    """Quanta of certain classes: (priority, bytes)."""
    quantum_bytes: int
    """Quantum of a class per round (tc-drr(8) `quantum`), bytes."""


class PieQdiscPlan(TypedDict):
    """Proportional integral controller enhanced."""

    control: PieControlPlan
    """Parameters of the controller."""
    kind: Literal["pie"]
    limit: LimitPlan
    """Hard limit."""


class CodelQdiscPlan(TypedDict):
    """Controlled delay."""

    control: CodelControl
    """Parameters of the control law."""
    kind: Literal["codel"]
    limit: LimitPlan
    """Hard limit."""


class FqCodelQdiscPlan(TypedDict):
    """Flow queueing with controlled delay."""

    control: CodelControl
    """Parameters of each queue's control law."""
    drop_batch: int
    """Most packets that are dropped at once when too many wait."""
    flows: int
    """Number of queues."""
    kind: Literal["fq_codel"]
    limit: LimitPlan
    """Most packets or bytes that wait in all queues together."""
    memory_limit_bytes: int
    """Memory limit: most bytes on the wire that wait."""
    quantum_bytes: int
    """Quantum of a queue per turn, bytes."""


class Dualpi2QdiscPlan(TypedDict):
    """Coupled dual queue."""

    alpha: float
    """Gain of the deviation from the target, 1/s."""
    any_ect: bool
    """Whether ECT(0) belongs to the L queue, too."""
    beta: float
    """Gain of the delay's change, 1/s."""
    classic_protection: int
    """Share of the classic queue if both queues are busy, percent."""
    coupling_factor: float
    """Coupling factor k: scalable flows are marked with k p', classic flows with p'^2."""
    drop_enqueue: bool
    """Whether packets are dropped on arrival, not on departure."""
    drop_on_overload: bool
    """Whether both queues drop when k p' exceeds 1. Otherwise they drop only when the limit is
    reached.
    """
    kind: Literal["dualpi2"]
    limit: LimitPlan
    """Hard limit of both queues together."""
    min_qlen_step: NotRequired[int]
    """Packets that must wait in the L queue for the step to apply to the next."""
    mtu_bytes: int
    """Size of a full packet, bytes: twice this may always wait."""
    step: Dualpi2Step
    """Step above which every packet of the L queue is marked."""
    target_ps: int
    """Target delay of the classic queue, ps."""
    tupdate_ps: int
    """Time between updates of p', ps."""


class PrioQdiscPlan(TypedDict):
    """Strict priority."""

    children: list[QdiscPlan]
    """Discipline of each band."""
    kind: Literal["prio"]
    priomap: list[int]
    """Band of each priority."""


class CobaltQdiscPlan(TypedDict):
    """Controlled delay with BLUE."""

    ecn: bool
    """Whether ECN-capable packets are marked rather than dropped. BLUE drops them all the same."""
    interval_ps: int
    """Interval, ps: packets must have been late for this long before one is dropped."""
    kind: Literal["cobalt"]
    limit: LimitPlan
    """Hard limit."""
    p_dec: float
    """Decrease of BLUE's probability at an empty queue."""
    p_inc: float
    """Increase of BLUE's probability at an overflow."""
    target_ps: int
    """Target: standing delay that is tolerated, ps."""


class FqPieQdiscPlan(TypedDict):
    """Flow queueing with PIE."""

    control: PieControlPlan
    """Parameters of each queue's controller."""
    flows: int
    """Number of queues."""
    kind: Literal["fq_pie"]
    limit: LimitPlan
    """Most packets or bytes that wait in all queues together."""
    memory_limit_bytes: int
    """Memory limit: most bytes on the wire that wait."""
    quantum_bytes: int
    """Quantum of a queue per turn, bytes."""


class RecordPlan(TypedDict):
    """The tables and time series to record. The counters of the summary are always kept."""

    datagrams: NotRequired[bool]
    """Whether every datagram of every stream is recorded."""
    decision_flows: NotRequired[list[int]]
    """Flows whose senders' decisions are recorded, by index."""
    flows: NotRequired[list[int] | None]
    """Flows with time series, by index; absent: all."""
    links: NotRequired[list[int] | None]
    """Links with time series, by index; absent: all that have a rate."""
    max_bytes: NotRequired[int]
    """Most memory of each table, bytes. A full table takes no further rows, and the run goes on."""
    packet_links: NotRequired[list[int]]
    """Links whose packet events are recorded, by index."""
    packet_receivers: NotRequired[list[int]]
    """Flows and streams whose packets at the receiver's host are recorded, by index."""
    packet_senders: NotRequired[list[int]]
    """Flows and streams whose packets at the sender's host are recorded, by index."""
    samples: NotRequired[SamplePlan]
    """Moments at which the time series of flows and links have rows."""


class OffSamplePlan(TypedDict):
    """Never."""

    kind: Literal["off"]


class PeriodSamplePlan(TypedDict):
    """Periodically."""

    kind: Literal["period"]
    period_ps: int
    """The period, ps."""


class ChangesSamplePlan(TypedDict):
    """At every change: flows after each ACK or timeout, links after each arrival and departure."""

    kind: Literal["changes"]


class ScheduleServicePlan(TypedDict):
    """Rates from given times on."""

    kind: Literal["schedule"]
    outages: NotRequired[OutagePlan | None]
    """Windows in which nothing is sent at any rate."""
    period_ps: NotRequired[int | None]
    """Length of a cycle after which the steps begin again, ps; `None`: the last rate holds for
    ever.
    """
    rates: list[list[int]]
    """Steps (time, ps; rate, bit/s), ascending. The first is at zero."""


class TraceServicePlan(TypedDict):
    """Delivery opportunities, as Mahimahi plays them."""

    kind: Literal["trace"]
    opportunities: str
    """Opportunities (time, ms; number), ascending. The last time is above zero and ends the
    cycle.
    """
    outages: NotRequired[OutagePlan | None]
    """Windows in which opportunities are lost."""


class RepeatedSessionAppPlan(TypedDict):
    """One file after another."""

    count: NotRequired[int | None]
    """Number of files; absent: until the run ends."""
    kind: Literal["repeated"]
    size: Distribution
    """Size of a file, bytes."""
    think: Distribution
    """Pause after a file, s."""


class WebSessionAppPlan(TypedDict):
    """Web pages."""

    arrivals: NotRequired[Distribution | None]
    """Time between arrivals of users, and before the first, s; absent: one user, present from the
    start.
    """
    embedded: Distribution
    """Size of each object embedded, bytes."""
    kind: Literal["web"]
    main: Distribution
    """Size of a page's main object, bytes."""
    objects: Distribution
    """Number of embedded objects."""
    pages: NotRequired[Distribution | None]
    """Pages of a user; absent: until the run ends."""
    parallel: int
    """Most connections of a user at one time."""
    parsing: Distribution
    """Time from the arrival of the main object to the requests for the embedded ones, s."""
    persistent: NotRequired[PersistentPlan | None]
    """Connections stay open for further objects; absent: one connection per object."""
    reading: Distribution
    """Time from the end of a page to the next page, s."""


class ShortFlowsSessionAppPlan(TypedDict):
    """Files that arrive at random."""

    count: NotRequired[int | None]
    """Number of files; absent: until the run ends."""
    interval: Distribution
    """Time between arrivals, and before the first, s."""
    kind: Literal["short-flows"]
    size: Distribution
    """Size of a file, bytes."""


class RequestResponseSessionAppPlan(TypedDict):
    """Requests and responses."""

    count: NotRequired[int | None]
    """Number of requests; absent: until the run ends."""
    kind: Literal["request-response"]
    request: Distribution
    """Size of a request, bytes."""
    response: Distribution
    """Size of a response, bytes."""
    server: Distribution
    """Time that the server takes for a request, s."""
    think: Distribution
    """Pause between a response and the next request, s."""


class AdaptiveVideoSessionAppPlan(TypedDict):
    """Adaptive video over HTTP."""

    abr: Abr
    """Algorithm that chooses the rate."""
    buffer_ps: int
    """Size of the buffer, ps of video."""
    count: NotRequired[int | None]
    """Number of segments; absent: until the run ends."""
    kind: Literal["adaptive-video"]
    ladder_bps: list[int]
    """Encoded rates, bit/s, ascending."""
    request_bytes: int
    """Size of each request, bytes."""
    segment_ps: int
    """Length of a segment, ps."""
    startup_ps: int
    """Buffered video, ps, at which playing begins, and goes on after a stall."""


class IncastSessionAppPlan(TypedDict):
    """A server that answers at the same moment as others."""

    count: NotRequired[int | None]
    """Number of rounds; absent: until the run ends. The first session of the group decides."""
    gap: Distribution
    """Pause between a round and the next, s; the first session of the group decides."""
    group: str
    """Name of the group: sessions with this name answer in the same rounds."""
    kind: Literal["incast"]
    persistent: bool
    """Whether connections stay open from round to round."""
    request_bytes: int
    """Size of the request, bytes."""
    response: Distribution
    """Size of the server's response, bytes."""
    server: Distribution
    """Time that the server takes for a request, s."""


class SessionPlan(TypedDict):
    """The plan of a session."""

    app: SessionAppPlan
    """Application of the session."""
    flows: list[int]
    """Flows that the session runs, by index; their application is `session`. They are its
    connections 0, 1, ...
    """
    name: str
    """Unique name; it is the name of the user's flow."""
    start_ps: int
    """The session begins at this time, ps."""
    stop_ps: NotRequired[int | None]
    """The session begins nothing new from this time on, ps."""
    stream: str
    """Beginning of the names of the random streams."""


class CbrStreamAppPlan(TypedDict):
    """Datagrams of one size at a constant rate."""

    kind: Literal["cbr"]
    payload_bytes: int
    """Payload of each datagram, bytes."""
    rate_bps: int
    """Rate on the wire, headers included, bit/s."""


class VoiceStreamAppPlan(TypedDict):
    """Speech."""

    advantage: NotRequired[float]
    """Advantage factor A; only the E-model uses it."""
    bpl: NotRequired[float]
    """Packet-loss robustness factor Bpl; only the E-model uses it."""
    frame_ps: int
    """Length of speech in a datagram, ps."""
    ie: NotRequired[float]
    """Equipment impairment factor Ie; only the E-model uses it."""
    kind: Literal["voice"]
    lookahead_ps: NotRequired[int]
    """Look-ahead of the encoder, ps; only the E-model uses it."""
    pause_mean_ps: int
    """Mean length of a pause, ps."""
    payload_bytes: int
    """Payload of a datagram, bytes."""
    talk_mean_ps: int
    """Mean length of a talk spurt, ps; 0: no pauses."""


class VideoStreamAppPlan(TypedDict):
    """A video, frame by frame."""

    frames: str
    """The frames in the order of sending."""
    kind: Literal["video"]
    loop_ps: NotRequired[int | None]
    """Time from the start of the video to the next start, ps; absent: it is played once."""
    packet_bytes: int
    """Largest payload of a datagram, bytes."""
    playout_from: PlayoutFrom
    """Event from which the playout delay counts."""
    playout_ps: int
    """Playout delay of the receiver, ps."""


class StreamPlan(TypedDict):
    """The plan of a UDP stream."""

    app: StreamAppPlan
    """Application of the stream."""
    header_bytes: int
    """Headers of each datagram (IP, UDP and those of the application), bytes."""
    name: str
    """Unique name among flows and streams; random streams are keyed by it."""
    path: list[int]
    """Links from sender to receiver, in order."""
    playout_ps: NotRequired[int | None]
    """Playout delay, ps, beyond the delay of the first datagram: a datagram that arrives after its
    playout time is late. Absent: nothing is played.
    """
    priority: NotRequired[int]
    """Class of its packets (Linux's `SO_PRIORITY`, 0 to 15)."""
    start_ps: int
    """The first datagram may be sent from this time on, ps."""
    stop_ps: NotRequired[int | None]
    """No datagram is sent from this time on, ps."""


class SubflowPlan(TypedDict):
    """The flow that a connection is part of.

    The connection is a subflow of a parallel transfer, or one of several connections of a session.
    Subflows share the application of their flow. A session's connections do not, and ignore
    `chunk_bytes`.
    """

    chunk_bytes: int
    """Bytes that a subflow takes from the application at a time."""
    is_request: NotRequired[bool]
    """Whether the connection carries the flow's requests, in the other direction. It is then not
    counted with the subflows.
    """
    name: str
    """Name of the flow."""


class TransportPlan(TypedDict):
    """Options of the transport.

    Each profile of Python (`linux`, `rfc`, `classic`) sets all of them.
    """

    ack_counting: AckCounting
    """Bytes that an ACK counts for when the window grows."""
    ack_division: NotRequired[int]
    """Number of ACKs into which the receiver divides each ACK that acknowledges new data (Savage et
    al. 1999); 1: an honest receiver.
    """
    ack_pushed: bool
    """Whether a segment with PSH, or one that is not full, is acknowledged once it is read."""
    clock_phase_ps: NotRequired[int]
    """Time since the last tick of the hosts' timer and timestamp clocks when the run begins, ps."""
    delayed_ack_adapts: bool
    """Whether the delay of ACKs adapts to the gaps between segments (Linux's `ato`)."""
    delayed_ack_count: int
    """Segments per delayed ACK (RFC 1122: 2); 1: an ACK per packet."""
    delayed_ack_timeout_ps: int
    """The longest that an ACK is delayed, ps (Linux: 40 ms)."""
    dsack: bool
    """Report duplicates received (RFC 2883)."""
    dupack_recovery: DupackRecovery
    """Recovery after three duplicate ACKs under `LossDetection::Dupack`."""
    ecn: EcnMode
    """Explicit congestion notification."""
    frto: bool
    """F-RTO (RFC 5682): detect spurious timeouts from the ACKs that follow."""
    header_bytes: int
    """Bytes of every packet besides its payload: IP, TCP, timestamps. SACK blocks are added."""
    hide_marks: NotRequired[bool]
    """Whether the receiver conceals congestion marks (RFC 3168 section 18)."""
    host_time: NotRequired[Distribution | None]
    """Time that the flow's hosts take over each packet that arrives, s; absent: none."""
    idle_restart: bool
    """Restart from a small window after an idle period (RFC 5681 section 4.1)."""
    initial_receive_window_bytes: int
    """Window that the receiver advertises before it has learned how much arrives in a round trip,
    bytes. If it is at least the buffer's size, the receiver learns nothing.
    """
    initial_rto_ps: int
    """RTO before the first sample, ps (RFC 6298: 1 s)."""
    initial_ssthresh_bytes: NotRequired[int | None]
    """Initial ssthresh, bytes; absent: unlimited."""
    initial_window_bytes: int
    """Initial window, bytes."""
    limited_transmit: bool
    """Limited transmit (RFC 3042)."""
    loss_detection: LossDetection
    """Rule by which losses are found."""
    loss_rules: NotRequired[LossRules]
    """Rules for duplicate ACKs and repeated timeouts under `LossDetection::Dupack`."""
    max_cwnd_bytes: NotRequired[int | None]
    """Clamp on cwnd, bytes: the most that the sender keeps in flight; absent: none."""
    max_rto_ps: int
    """Largest RTO, ps."""
    min_rto_bounds_variance: NotRequired[bool]
    """Whether the minimum bounds the RTO's variance term, so that it is at least srtt + minimum
    (Linux), and not the RTO (RFC 6298).
    """
    min_rto_ps: int
    """Smallest RTO, ps (RFC 6298: 1 s; Linux: 200 ms)."""
    mss: int
    """Payload of a full segment, bytes."""
    optimistic_ack_bytes: NotRequired[int | None]
    """Data that the receiver acknowledges before it arrives, at most, bytes. Losses are then
    concealed (Savage et al. 1999). Absent: an honest receiver.
    """
    pacing: PacingMode
    """Source of the pacing rate."""
    quick_acks: int
    """Segments acknowledged at once at the start and after a duplicate (Linux's quick ACKs)."""
    read_rate_bps: NotRequired[int | None]
    """Rate at which the receiving application reads, bit/s; absent: at once."""
    receive_buffer_bytes: int
    """Receiver's buffer, bytes: the largest window that the receiver advertises."""
    rtt_clock_ps: NotRequired[int]
    """Step of the clock that times segments under `RttTiming::OnePerRtt`, ps; 0: exact."""
    rtt_timing: NotRequired[RttTiming]
    """Segments that are timed for the RTO."""
    sack_delay_ps: int
    """Time that duplicate ACKs after the third are held back, at most a 20th of the RTT, ps
    (Linux's SACK compression); 0: none.
    """
    syn_linear_timeouts: NotRequired[int]
    """Number of timeouts of a SYN that do not double its RTO (Linux: 4; RFC 6298: 0)."""
    tail_loss_probe: bool
    """Tail loss probe (RFC 8985 section 7); only with `LossDetection::Rack`."""
    timestamp_clock_ps: int
    """Step of the timestamp clock, ps (Linux: 1 ms, or 1 us by route)."""
    timestamps: bool
    """Timestamps option (RFC 7323)."""
    tso_defer: NotRequired[bool]
    """Whether a small burst waits for an ACK that is due soon (Linux's `tcp_tso_should_defer`)."""
    undo: bool
    """Undo window reductions that D-SACK or timestamps prove spurious (RFC 3708, RFC 4015)."""
    window_approach: WindowApproach
    """Way in which the sender approaches the new window in recovery."""
    window_counting: WindowCounting
    """Size of a segment in cwnd, inflight, and the bytes delivered, `SACKed` or lost."""


Abr = Literal["bola", "buffer-based", "throughput"]
"""An algorithm that adapts the bit rate."""

AckCounting = Literal["bytes", "packets"]
"""Bytes that an ACK counts for when the window grows."""

AppPlan = (
    ApplicationLimitedAppPlan
    | BulkAppPlan
    | FileAppPlan
    | OnOffAppPlan
    | AppPlanSession
    | WritesAppPlan
)
"""The plan of an application."""

Distribution = (
    FixedDistribution
    | UniformDistribution
    | ExponentialDistribution
    | NormalDistribution
    | LognormalDistribution
    | ParetoDistribution
    | WeibullDistribution
    | CdfDistribution
    | BetweenDistribution
)
"""A distribution. Its values are what a scenario's quantities are: finite and never negative. ```
use ackclock_sim::{distribution::Distribution, rng}; let sizes = Distribution::Pareto { scale:
3000.0, shape: 1.2 }; sizes.check().unwrap(); assert!(sizes.sample(&mut rng::stream(1,
"flow/a/size")) >= 3000.0); ```
"""

DrrClasses = Literal["flow", "priority"]
"""The criterion that divides packets into classes."""

Dualpi2Step = TimeDualpi2Step | PacketsDualpi2Step
"""The step of the L queue's own marking."""

DupackRecovery = Literal["tahoe", "reno", "newreno"]
"""Recovery without SACK."""

EcnMode = Literal["off", "classic", "accurate", "l4s"]
"""Explicit congestion notification."""

EcnRule = Literal["bleach", "clear-ce", "ect1-to-ect0"]
"""Codepoints that a rewriting changes."""

ImpairmentPlan = (
    CorruptImpairmentPlan
    | DelayScheduleImpairmentPlan
    | DuplicateImpairmentPlan
    | EcnRewriteImpairmentPlan
    | JitterImpairmentPlan
    | OutageImpairmentPlan
    | ReorderImpairmentPlan
    | SlotImpairmentPlan
)
"""An impairment with its parameters."""

LossDetection = Literal["dupack", "sack", "rack"]
"""Rule by which losses are found."""

LossPlan = (
    BernoulliLossPlan
    | StepsLossPlan
    | GilbertElliottLossPlan
    | PeriodicLossPlan
    | ListLossPlan
    | BurstsLossPlan
)
"""A loss process. It numbers the packets of a link from 1, without pure ACKs unless `acks` is
set.
"""

LossRules = Literal["rfc", "ns-2"]
"""Rules without SACK on which ns-2 and the RFCs differ, as `docs/transport/README.md` lists."""

PacingMode = Literal["off", "cwnd", "cc"]
"""Source of the pacing rate."""

PlayoutFrom = Literal["arrival", "sending"]
"""The event from which the playout delay counts."""

QdiscPlan = (
    FifoQdiscPlan
    | RedQdiscPlan
    | StepQdiscPlan
    | TbfQdiscPlan
    | DrrQdiscPlan
    | PieQdiscPlan
    | CodelQdiscPlan
    | FqCodelQdiscPlan
    | Dualpi2QdiscPlan
    | PrioQdiscPlan
    | CobaltQdiscPlan
    | FqPieQdiscPlan
)
"""A queue discipline with its parameters."""

RttTiming = Literal["every-ack", "one-per-rtt"]
"""Segments that are timed for the retransmission timeout."""

SamplePlan = OffSamplePlan | PeriodSamplePlan | ChangesSamplePlan
"""The moments at which time series have rows."""

ServicePlan = ScheduleServicePlan | TraceServicePlan
"""A rate that is not constant."""

SessionAppPlan = (
    RepeatedSessionAppPlan
    | WebSessionAppPlan
    | ShortFlowsSessionAppPlan
    | RequestResponseSessionAppPlan
    | AdaptiveVideoSessionAppPlan
    | IncastSessionAppPlan
)
"""The application of a session."""

StreamAppPlan = CbrStreamAppPlan | VoiceStreamAppPlan | VideoStreamAppPlan
"""The application of a stream."""

WindowApproach = Literal["inflation", "prr", "prr-linux"]
"""Way in which the sender approaches the new window in recovery."""

WindowCounting = Literal["bytes", "packets"]
"""Size of a segment in the window."""
