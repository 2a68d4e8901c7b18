"""The compiled core of ackclock: quantities, the registry of congestion controls, and the simulator.

Everything that crosses this border is in base units: a time that is an ``int`` is in picoseconds, a rate that is an ``int`` in bit/s,
a size in bytes; a time that is a ``float`` is in seconds and a rate that is a ``float`` in bit/s.
"""

from collections.abc import Callable
from os import PathLike
from typing import Any, Final, Literal, Protocol, Self, TypedDict, final, type_check_only

from numpy.typing import NDArray

__all__ = [
    "RESULTS_VERSION",
    "AckEvent",
    "AlgorithmError",
    "Bench",
    "CongestionEvent",
    "Exit",
    "ExitAt",
    "Interval",
    "IntervalStart",
    "LostSegment",
    "RateSample",
    "Round",
    "RoundSummary",
    "Run",
    "Stream",
    "Window",
    "__version__",
    "check_cc",
    "check_distribution",
    "draw",
    "format_rate",
    "format_size",
    "format_time",
    "implied_by_cc",
    "kernel",
    "linux_packets_per_second",
    "list_cc",
    "mean",
    "parse_rate",
    "parse_size",
    "parse_time",
    "run",
    "run_linux",
    "run_random",
]

__version__: Final[str]
RESULTS_VERSION: Final[int]
"""Version of the results' layout; raised whenever an older reader would misread them."""

def parse_time(text: str) -> int:
    """Picoseconds of a time such as ``"60ms"``, ``"1.5 s"``, ``"200us"``, ``"40ns"``, ``"2min"`` or ``"1h"``, exactly.

    Raises
    ------
    ValueError
        One sentence: what is wrong, what is allowed, an example.
    """

def parse_rate(text: str) -> int:
    """Bit/s of a rate such as ``"10Mbit/s"``, ``"64kbit/s"``, ``"10Mbps"`` or ``"1MB/s"`` (bytes: 8 000 000), exactly.

    Raises
    ------
    ValueError
        One sentence: what is wrong, what is allowed, an example.
    """

def parse_size(text: str) -> int:
    """Bytes of a size such as ``"30kB"`` (30 000), ``"64KiB"`` (65 536) or ``"1500 bytes"``, exactly.

    Raises
    ------
    ValueError
        One sentence: what is wrong, what is allowed, an example.
    """

def format_time(ps: int) -> str:
    """Write `ps` picoseconds as the shortest text that `parse_time` reads back exactly."""

def format_rate(bps: int) -> str:
    """Write `bps` bit/s as the shortest text that `parse_rate` reads back exactly."""

def format_size(b: int) -> str:
    """Write `b` bytes as the shortest text that `parse_size` reads back exactly."""

@type_check_only
class Parameter(TypedDict):
    """A parameter of a congestion control."""

    name: str
    default: float | bool | str
    range: tuple[float, float] | None
    """Smallest and largest number allowed; None for a flag or a choice."""
    choices: list[str] | None
    """The words allowed; None for a number or a flag."""
    unit: str
    """Empty for a bare number, a flag or a choice."""
    meaning: str

@type_check_only
class CongestionControl(TypedDict):
    """What a congestion-control spec can name."""

    name: str
    role: Literal["avoidance", "slow start", "whole"]
    slow_start: str | None
    """The slow start that an avoidance has where the spec names none."""
    summary: str
    parameters: list[Parameter]
    reference: str
    implies: dict[str, str]
    """Transport options that the name stands for beside the controller, as in ``tahoe``."""

def list_cc() -> list[CongestionControl]:
    """List every congestion control that a spec can name, slow starts first."""

@type_check_only
class Found(Protocol):
    """A class of the user's own, with arguments for its constructor."""

    @property
    def role(self) -> Literal["avoidance", "slow start", "whole"]: ...
    @property
    def slow_start(self) -> str:
        """What comes with an avoidance that is named alone."""

    @property
    def implies(self) -> dict[str, str]: ...
    @property
    def defines(self) -> frozenset[str]:
        """The optional methods that are called; no others are."""

    @property
    def label(self) -> str: ...
    @property
    def file(self) -> str:
        """Where it is defined, as Python's code objects have it."""

    @property
    def shown_file(self) -> str:
        """The same for people."""

    def make(self, mss: int, initial_window: int, initial_ssthresh: int | None, has_sack: bool, stream: Stream, /) -> object:
        """Construct an object, for a flow."""

def check_cc(spec: str, find: Callable[[str, dict[str, str]], Found | None] | None = None) -> None:
    """Check a spec such as ``"reno"``, ``"cos+reno"`` or ``"cubic(beta=0.8)"``.

    `find` is asked for names that are none of `list_cc`, with their arguments as text; None: not one of its kind. What it raises is raised.

    Raises
    ------
    ValueError
        One sentence: the part that is wrong, what exists, the nearest name.
    """

def implied_by_cc(spec: str, find: Callable[[str, dict[str, str]], Found | None] | None = None) -> dict[str, str]:
    """The transport options that a spec stands for beside the controller: those of its avoidance or whole controller.

    Raises
    ------
    ValueError
        As `check_cc`.
    """

def draw(seed: int, stream: str, distribution: str, count: int) -> list[float]:
    """Draw the first `count` values of a distribution in the random stream called `stream` of the run with this `seed`.

    `distribution` is JSON, a `kind` with its parameters: ``fixed`` (value), ``uniform`` (low, high), ``exponential`` (mean), ``normal``
    (mean, sd; never negative), ``lognormal`` (median, sigma), ``pareto`` (scale, shape), ``weibull`` (scale, shape), ``cdf`` (points: pairs
    of a value and a probability), ``between`` (of: another one, low, high). The values have the unit of the parameters.

    Raises
    ------
    ValueError
        One sentence: the kind or parameter that is wrong and what is allowed.
    """

def check_distribution(distribution: str) -> None:
    """Check the parameters of a distribution.

    Raises
    ------
    ValueError
        As `draw`.
    """

def mean(distribution: str) -> float:
    """The mean of a distribution.

    Raises
    ------
    ValueError
        As `draw`.
    """

@type_check_only
class SentPacket(TypedDict):
    """A packet that the host on a bench sent. Sequence numbers are byte offsets from the first byte of data."""

    at: int
    """When, ps."""
    seq: int
    """First byte of data; of a packet without data, the next byte to send."""
    ack: int
    """Next byte expected."""
    payload: int
    """Bytes of data."""
    flags: int
    """TCP flag bits as on the wire: FIN 1, SYN 2, PSH 8, ACK 16, ECE 64, CWR 128."""
    window: int
    """Advertised window, bytes."""
    ecn: int
    """ECN field: 0 not capable, 1 ECT(1), 2 ECT(0), 3 CE."""
    marked: int
    """Payload bytes received CE-marked so far (accurate ECN feedback)."""
    stamp: int
    """Timestamp, in ticks of the transport's timestamp clock."""
    echo: int
    """Timestamp echoed."""
    sacks: list[tuple[int, int]]
    """SACK blocks, first byte and the byte after the last."""

@type_check_only
class TcpInfo(TypedDict):
    """A sender's state as the kernel's TCP_INFO reports it; windows and counts in segments, times in ps, sizes in bytes."""

    ca_state: int
    """0 open, 1 disorder, 2 CWR, 3 recovery, 4 loss."""
    snd_cwnd: int
    snd_ssthresh: int | None
    """None: not set yet (Linux reports 2147483647)."""
    unacked: int
    sacked: int
    lost: int
    retrans: int
    total_retrans: int
    backoff: int
    probes: int
    rto: int
    rtt: int
    rttvar: int
    min_rtt: int
    snd_mss: int
    snd_wnd: int
    bytes_acked: int
    notsent_bytes: int
    delivered: int
    data_segs_out: int
    total_rto: int
    reordering: int
    """Largest distance over which packets were reordered so far, in segments; 3 before any."""
    reord_seen: int
    rwnd_limited: int
    busy_time: int
    pacing_rate: int | None
    """Bit/s; None: not paced."""

@final
class Bench:
    """One sender or receiver without a network: a script plays its peer and its application in virtual time.

    Every method that takes an instant (`at`, ps) first runs the timers that are due before it; a timer due at that very instant comes
    after. An instant before what happened last counts as that.

    Parameters
    ----------
    plan_json
        The plan of the flow, JSON. With the application ``{"kind": "session"}`` a sender waits for `open` and sends what `write` hands in;
        with any other it sends its SYN at `start_ps` by itself.
    side
        Which host: ``"sender"`` or ``"receiver"``.

    Raises
    ------
    ValueError
        The plan, its congestion control or the side is not valid.
    """

    def __new__(cls, plan_json: str, side: str) -> Self: ...
    @property
    def latest(self) -> int:
        """When something last happened, ps."""

    @property
    def deadline(self) -> int | None:
        """When the next timer runs out, ps; None: none is set."""

    def advance(self, to: int) -> None:
        """Run the timers that are due before `to`, ps."""

    def open(self, at: int) -> None:
        """Send the SYN. Does nothing where the connection was opened before, or at a receiver."""

    def write(self, at: int, count: int, *, closes: bool = False) -> None:
        """Hand `count` bytes more to the sender, and close the connection after them if `closes`."""

    def inject(
        self,
        at: int,
        flags: int,
        *,
        seq: int = 0,
        ack: int = 0,
        payload: int = 0,
        window: int | None = None,
        sacks: list[tuple[int, int]] = ...,
        stamp: int | None = None,
        echo: int | None = None,
        ecn: int = 0,
        marked: int = 0,
    ) -> None:
        """Let a packet arrive; the fields are those of `SentPacket`.

        None for `window` is the window as last given (at first 1 GiB), for `stamp` the present, for `echo` the timestamp of the
        segment that the ACK advances over first, as last sent (RFC 7323 section 4.3). The first three SACK blocks count.

        Raises
        ------
        ValueError
            `ecn` is not 0 to 3.
        """

    def next_sent(self, until: int) -> SentPacket | None:
        """Take the next packet sent; run timers until there is one, but none that is due after `until` (ps)."""

    def drain(self) -> list[SentPacket]:
        """Take all packets sent so far, without running timers."""

    def delivered(self) -> int | None:
        """Bytes that a receiver has in order; None at a sender."""

    def info(self) -> TcpInfo | None:
        """The state of a sender; None at a receiver."""

@type_check_only
class Distribution(TypedDict):
    """Statistics of many durations, s; all None where `count` is 0. Percentiles are within 0.8 %, the rest is exact."""

    count: int
    min: float | None
    mean: float | None
    p50: float | None
    p95: float | None
    p99: float | None
    max: float | None

@type_check_only
class Limited(TypedDict):
    """How long each reason kept a sender from sending more, s."""

    cwnd: float
    receive_window: float
    application: float
    pacing: float
    clamp: float
    """The sender's own limit on cwnd."""

@type_check_only
class LostByCause(TypedDict):
    """Data packets lost."""

    wire: int | None
    """By an impairment, damaged ones included."""
    forced: int | None
    """At a queue's limit."""
    early: int | None
    """By a queue's own decision."""
    policed: int | None

@type_check_only
class TimeByState(TypedDict):
    """Seconds by the sender's state; None on a kernel and for UDP streams."""

    slow_start: float | None
    recovery: float | None
    loss: float | None
    """After a timeout."""
    silence: float | None
    """From the last packet sent to a timeout."""

@type_check_only
class TimeByReason(TypedDict):
    """Seconds by what cwnd was last reduced for; None on a kernel and for UDP streams."""

    nothing: float | None
    wire: float | None
    forced: float | None
    early: float | None
    policed: float | None
    mark: float | None
    reordering: float | None
    """No packet was lost."""

@type_check_only
class ReductionsByReason(TypedDict):
    """Reductions of cwnd by what for; None on a kernel and for UDP streams."""

    nothing: int | None
    """Always 0."""
    wire: int | None
    forced: int | None
    early: int | None
    policed: int | None
    mark: int | None
    reordering: int | None

@type_check_only
class FirstSlowStart(TypedDict):
    """How slow start ended first; None: it did not, or on a kernel."""

    end_cwnd: int | None
    """Bytes."""
    end_time: float | None
    """s."""

@type_check_only
class Flow(TypedDict):
    """What was counted of a flow since the warm-up. Packets are TCP segments.

    A transfer over several connections counts what these counted together; its `limited` is their mean and its `cwnd_max` the largest of
    theirs, and it finishes with the last of them.
    """

    name: str
    part_of: str | None
    """The transfer that this connection carries with others; None: a flow by itself, or such a transfer."""
    cc: str
    start_time: float
    """When the SYN was sent, s."""
    finish_time: float | None
    """When the last byte was acknowledged, s; None: it never was."""
    fct: float | None
    """From the SYN to the last byte acknowledged, s; None: unfinished, or endless by nature."""
    active_time: float
    """How long the counters ran, s: from the later of start and warm-up to the earliest of finish, stop and the run's end."""
    sent_packets: int
    """Data packets, retransmissions included."""
    sent_bytes: int
    """Their bytes on the wire."""
    sent_payload_bytes: int
    retransmitted_packets: int
    acked_bytes: int
    """Payload acknowledged cumulatively."""
    goodput_bytes: int
    """In-order payload that the receiving application got."""
    received_bytes: int
    """Bytes on the wire of the data packets that reached the receiver."""
    lost_packets: int
    """Data packets that the network dropped."""
    marked_packets: int
    """Data packets that the network marked."""
    timeouts: int
    spurious_timeouts: int
    recoveries: int
    undos: int
    tail_probes: int
    ecn_reductions: int
    base_rtt: float
    """Propagation alone, s."""
    rtt: Distribution
    limited: Limited
    cwnd_max: int
    """Bytes."""
    lost: LostByCause
    """Those of lost_packets; None for UDP streams."""
    time: TimeByState
    window_after: TimeByReason
    """Time that cwnd or pacing was the limit, by what cwnd was last reduced for."""
    reductions: ReductionsByReason
    slow_start: FirstSlowStart

@type_check_only
class Link(TypedDict):
    """What was counted of one direction of a link since the warm-up."""

    name: str
    rate: float | None
    """bit/s; None: infinite."""
    arrived_packets: int
    delivered_packets: int
    delivered_bytes: int
    dropped_packets: int
    """The four kinds of drops together."""
    dropped_forced: int
    """At a limit."""
    dropped_early: int
    """By the discipline, as a signal."""
    dropped_policed: int
    """By a policer before the queue."""
    dropped_wire: int
    """By random loss."""
    marked_packets: int
    corrupted_packets: int
    """Damaged on the wire."""
    duplicated_packets: int
    """Copies that the wire made."""
    reordered_packets: int
    """Overtaken by one that was sent later."""
    busy_time: float
    """Time spent transmitting, s."""
    measured_time: float
    """How long the counters ran, s."""
    queue_delay: Distribution
    """Time spent waiting, transmission not counted."""
    queue_packets_mean: float

@type_check_only
class SessionFigures(TypedDict):
    """What a session did besides its transfers."""

    name: str
    waited: int
    """How often something found no connection free."""

@type_check_only
class StreamFigures(TypedDict):
    """A UDP stream, since the warm-up."""

    name: str
    sent_packets: int
    sent_bytes: int
    """On the wire."""
    received_packets: int
    """Each once."""
    received_bytes: int
    lost_packets: int
    duplicate_packets: int
    reordered_packets: int
    late_packets: int
    """Came after they should have been played."""
    unplayed_packets: int
    """Lost or late, of those that one sent later has followed."""
    unplayed_bursts: int
    """Runs of these without a played one between."""
    playout_delay: float | None
    """How long after its sending a datagram is played, s."""
    delay: Distribution
    """One way, s."""
    jitter: float
    """RFC 3550's estimate at the end, s."""
    jitter_max: float
    """The largest that it was, s."""
    frames_sent: int | None
    """None, as the following: the stream has no frames."""
    frames_complete: int | None
    """When they were wanted."""
    frames_late: int | None
    frames_lost: int | None
    frames_decodable: int | None

@final
class Run:
    """What a finished run left, in SI base units: s, bit/s, bytes. Columns are copies: each call makes new arrays."""

    @property
    def end_time(self) -> float:
        """When the run ended, s: its duration, or when the last flow finished."""

    @property
    def conduct(self) -> str | None:
        """How a run on a kernel was conducted, JSON; None: it was simulated."""

    @property
    def events(self) -> int:
        """Events that the engine handled."""

    def recorded_until(self) -> dict[str, float]:
        """The tables of the record that reached ``record.max_size``, and since when rows are missing, s."""

    def flows(self) -> list[Flow]:
        """Counters of every flow, in the plan's order; a transfer over several connections stands before the first of these.

        UDP streams follow, with ``cc`` "udp" and zeros where only a connection could count.
        """

    def streams(self) -> list[StreamFigures]:
        """Delays, jitter and counters of every UDP stream, in the plan's order."""

    def sessions(self) -> list[SessionFigures]:
        """What sessions did besides their transfers, in the plan's order."""

    def transfers(self) -> dict[str, NDArray[Any]]:
        """What sessions moved.

        ``session`` (index), ``kind`` (0 file, 1 page, 2 object, 3 response, 4 segment, 5 stall), ``number`` (from 1, per session and
        kind), ``start_time`` and ``finish_time`` (s; NaN: not finished), ``size`` (bytes), ``rate`` (bit/s; NaN: no segment).
        """

    def datagrams(self) -> dict[str, NDArray[Any]]:
        """Datagrams of streams, if the plan asked for them.

        ``stream`` (index), ``number`` (from 0), ``sent_time`` (s), ``size`` (bytes on the wire), ``frame`` (2^32 - 1: of none), ``delay``
        (one way, s; NaN: not arrived), ``jitter`` (RFC 3550's estimate, s; NaN).
        """

    def frames(self) -> dict[str, NDArray[Any]]:
        """Frames of streams.

        ``stream`` (index), ``number`` (from 1), ``kind`` (its letter's code), ``size`` (bytes), ``sent_time``, ``complete_time`` (s; NaN:
        never), ``deadline`` (s; NaN: nothing arrived), ``state`` (0 on time, 1 late, 2 lost, 3 not wanted before the run's end),
        ``decodable`` (0, 1).
        """

    def links(self) -> list[Link]:
        """Counters of every link, in the plan's order."""

    def flow_samples(self) -> dict[str, NDArray[Any]]:
        """Time series of flows.

        ``time`` (s), ``flow`` (index), ``cwnd`` and ``ssthresh`` (bytes; NaN: none found), ``srtt`` and ``rtt_sample`` (s; NaN: none yet),
        ``inflight`` (bytes), ``pacing_rate`` and ``delivery_rate`` (bit/s; NaN: none), ``delivered`` and ``acked`` (bytes since the start),
        ``retransmitted`` and ``lost`` (packets since the warm-up), ``state`` (0 open, 1 disorder, 2 CWR, 3 recovery, 4 loss).
        """

    def link_samples(self) -> dict[str, NDArray[Any]]:
        """Time series of links.

        ``time`` (s), ``link`` (index), ``queue_packets``, ``queue_bytes``, ``queue_delay`` (s that an arrival now would wait);
        since the warm-up ``dropped``, of these ``dropped_forced`` and ``dropped_early``, ``marked`` and ``delivered_bytes``;
        ``red_average`` (NaN: the queue keeps none).
        """

    def internals(self) -> dict[str, Any]:
        """Time series of the algorithms' internals: arrays ``time`` (s), ``flow``, ``name`` (index into the list ``names``), ``value``."""

    def packets(self) -> dict[str, NDArray[Any]]:
        """Packet events, where the plan asked for them.

        ``time_ns``, ``point`` (0 sender, 1 receiver, 2 link), ``where`` (index of the flow, or of the link), ``event`` (0 sent or enqueued,
        1 received or at the link's end, 2 dropped at a limit, 3 dropped early, 4 lost on the wire, 5 enqueued and marked), ``flow``,
        ``connection`` (which of the flow's, one after another, from 0), ``is_ack`` (0 or 1), ``seq`` and ``ack`` (offsets in bytes from
        the first data byte), ``length`` (payload, bytes), ``wire_size`` (bytes), ``flags`` (TCP's bits), ``ecn`` (0 to 3), ``window``
        (bytes), ``ts_val`` and ``ts_ecr`` (ms), ``sack0_start`` to ``sack2_end`` (offsets; zeros: no such block).
        """

    def write_pcapng(self, path: str | PathLike[str], point: str) -> int:
        """Write what was seen at `point` as pcapng with times in ns, and return the number of packets.

        `point` is ``"sender"``, ``"receiver"`` (all flows' hosts in one file) or a link's name (what reached its far end). Packets are
        raw IPv4 and TCP with options; payloads are left out, and so is the count that accurate ECN feedback adds. Flow number 256 i + j
        runs from 10.i.j.1 to 10.i.j.2.

        Raises
        ------
        ValueError
            No packets were recorded there, or a payload that IPv4 cannot carry.
        """

def run(
    plan_json: str,
    progress: Callable[[float], object] | None = None,
    find: Callable[[str, dict[str, str]], Found | None] | None = None,
) -> Run:
    """Run a plan (the JSON form of the engine's ``Plan``) to its end.

    The interpreter is free for other threads meanwhile, unless `find` gave a class: then they take turns with it as with any Python code.
    `progress` is called about ten times a second with the simulated share of the duration, 0 to 1; whatever it raises ends the run, and
    so does Ctrl-C.

    Raises
    ------
    ValueError
        The plan is not valid; one sentence says why.
    AlgorithmError
        A class of the user's own raised, or gave an impossible answer.
    """

@type_check_only
class Kernel(TypedDict):
    """What this machine's kernel has."""

    release: str
    """As ``uname -r`` prints it."""
    congestion_controls: list[str]
    """Those that a socket can have."""
    loadable: list[str]
    """Those that are modules which nobody has loaded."""
    obstacle: str | None
    """Why no scenario can run on it, and what to do; None: they can."""

def kernel() -> Kernel:
    """What this machine's kernel has; on Linux only.

    Raises
    ------
    OSError
        If it cannot be asked.
    """

def run_linux(plan_json: str, progress: Callable[[float], object] | None = None) -> Run:
    """Run a plan (the JSON form of ``LinuxPlan``) on this machine's kernel, in real time; on Linux only.

    The process must have one thread; it enters namespaces of its own, which it cannot leave, and is killed when its parent ends. `progress`
    is as for `run`.

    Raises
    ------
    ValueError
        One sentence, if the plan is wrong.
    OSError
        One sentence, if the machine does not let us, or something fails on the way.
    """

def run_random(plan_json: str, progress: Callable[[float], object] | None = None) -> str:
    """Play random scripts (the JSON form of ``CampaignPlan``) on this machine's kernel and on our sender; on Linux only.

    The process and `progress` are as for `run_linux`. Returns the JSON form of the report.

    Raises
    ------
    ValueError
        One sentence, if the plan is wrong.
    OSError
        One sentence, if the machine does not let us, or something fails on the way.
    """

def linux_packets_per_second() -> float:
    """The most full-sized packets/s, with their ACKs, that this machine carries, measured; what is said of `run_linux` holds here.

    Raises
    ------
    OSError
        One sentence, if it cannot be measured.
    """

class AlgorithmError(RuntimeError):
    """A congestion control of the user's own raised (that exception is the cause), or gave an impossible answer."""

    flow: str
    algorithm: str
    """Name of the class."""
    method: str
    time: float
    """When it was called, s."""

@final
class Stream:
    """The random stream of a flow. The sender lends it for the duration of a call; outside of one, drawing is a RuntimeError."""

    def want(self) -> None:
        """Ask for the stream in the calls to come."""

    def unit(self) -> float:
        """Draw uniformly from [0, 1)."""

    def bits(self) -> int:
        """Draw 64 random bits."""

@type_check_only
class _Value:
    """Never changes, and so is its own copy."""

    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object, /) -> Self: ...

@final
class AckEvent(_Value):
    """One ACK that delivered, lost or marked something. Times in s, everything else in bytes."""

    @property
    def now(self) -> float:
        """The current instant."""

    @property
    def newly_acked(self) -> int:
        """Bytes delivered by this ACK: cumulatively or selectively acknowledged for the first time."""

    @property
    def credited(self) -> int:
        """Of these, what counts towards growing the window by what was acknowledged: all, or a segment per ACK (`ack_counting`)."""

    @property
    def newly_lost(self) -> int:
        """Bytes declared lost on this ACK."""

    @property
    def newly_marked(self) -> int:
        """Bytes that this ACK says were CE-marked."""

    @property
    def rtt_sample(self) -> float | None:
        """RTT measured by this ACK, never from a retransmitted segment; raw, not smoothed."""

    @property
    def srtt(self) -> float:
        """Smoothed RTT of RFC 6298."""

    @property
    def rttvar(self) -> float:
        """RTT variation of RFC 6298."""

    @property
    def min_rtt(self) -> float:
        """Smallest RTT sample of the connection."""

    @property
    def one_way_delay(self) -> float | None:
        """From the segment's sending to its ACK's, by timestamps, in steps of `timestamp_clock`; None without timestamps or new data."""

    @property
    def inflight(self) -> int:
        """Bytes sent, neither acknowledged nor lost, after this ACK."""

    @property
    def prior_inflight(self) -> int:
        """The same before this ACK."""

    @property
    def delivered(self) -> int:
        """Bytes delivered since the connection began."""

    @property
    def rate(self) -> RateSample | None:
        """Delivery-rate sample, where this ACK gave one."""

    @property
    def round(self) -> Round:
        """The packet-timed round trip that this ACK falls in."""

    @property
    def pacing_wait(self) -> float:
        """How long the pacer holds the next segment back from now; 0: not at all."""

    @property
    def is_cwnd_limited(self) -> bool:
        """Whether the window, and not the application or the receiver, limited what was sent."""

    @property
    def in_recovery(self) -> bool:
        """Whether the sender is repairing losses, or the ACK only reports something out of order."""

@final
class RateSample(_Value):
    """A delivery-rate sample (draft-ietf-ccwg-bbr, "Delivery Rate Samples")."""

    @property
    def delivery_rate(self) -> int:
        """`delivered` over `interval`, bit/s."""

    @property
    def interval(self) -> float:
        """The longer of the send and the ACK interval, s."""

    @property
    def delivered(self) -> int:
        """Bytes delivered in the interval."""

    @property
    def prior_delivered(self) -> int:
        """`delivered` of the connection when the newest acknowledged segment was sent."""

    @property
    def lost(self) -> int:
        """Bytes lost in the interval."""

    @property
    def tx_in_flight(self) -> int:
        """Inflight when that segment was sent, with it."""

    @property
    def is_app_limited(self) -> bool:
        """Whether the application, not the network, limited the sample."""

@final
class Round(_Value):
    """A packet-timed round trip: it ends when a segment sent after its start is delivered."""

    @property
    def count(self) -> int:
        """Rounds since the connection began."""

    @property
    def start(self) -> bool:
        """Whether this ACK began the round."""

    @property
    def expected(self) -> int:
        """Bytes of the flight that this round delivers: what was outstanding when it began, the ACK that began it included."""

    @property
    def acked(self) -> int:
        """Bytes of that flight delivered so far, this ACK included."""

    @property
    def last(self) -> RoundSummary:
        """The round that ended last."""

@final
class RoundSummary(_Value):
    """What happened in a finished round."""

    @property
    def min_rtt(self) -> float | None:
        """Smallest RTT sample, s."""

    @property
    def samples(self) -> int:
        """RTT samples."""

    @property
    def acked(self) -> int:
        """Bytes delivered."""

    @property
    def lost(self) -> int:
        """Bytes declared lost."""

    @property
    def marked(self) -> int:
        """Bytes CE-marked."""

@final
class CongestionEvent(_Value):
    """The first sign of congestion in a window."""

    @property
    def signal(self) -> Literal["loss", "ecn", "rto"]:
        """Its kind: loss found by duplicate ACKs, SACK or RACK; congestion echoed by the receiver; retransmission timeout."""

    @property
    def now(self) -> float:
        """The current instant, s."""

    @property
    def inflight(self) -> int:
        """Bytes in flight before the loss was taken out (RFC 5681's FlightSize)."""

    @property
    def newly_lost(self) -> int:
        """Bytes declared lost with it."""

    @property
    def srtt(self) -> float:
        """Smoothed RTT, s."""

    @property
    def min_rtt(self) -> float:
        """Smallest RTT sample of the connection, s."""

    @property
    def delivered(self) -> int:
        """Bytes delivered since the connection began."""

@final
class LostSegment(_Value):
    """A segment that was just declared lost."""

    @property
    def now(self) -> float:
        """The current instant, s."""

    @property
    def seq(self) -> int:
        """Its first byte in the stream."""

    @property
    def bytes(self) -> int:
        """Its bytes."""

    @property
    def delivered(self) -> int:
        """Bytes delivered since the connection began."""

    @property
    def sent_at(self) -> float:
        """When it was last sent, s."""

    @property
    def tx_in_flight(self) -> int:
        """Inflight when it was sent, with it."""

    @property
    def lost(self) -> int:
        """Bytes declared lost since it was sent, with it."""

    @property
    def is_app_limited(self) -> bool:
        """Whether the application limited the sender when it was sent."""

@final
class IntervalStart(_Value):
    """A monitor interval that begins."""

    @property
    def number(self) -> int:
        """From 0."""

    @property
    def now(self) -> float:
        """The current instant, s."""

    @property
    def srtt(self) -> float | None:
        """Smoothed RTT, s; None before the first sample."""

@final
class Interval(_Value):
    """A monitor interval whose segments are all delivered or lost."""

    @property
    def number(self) -> int:
        """From 0; intervals end in order."""

    @property
    def start(self) -> float:
        """When its first segment was sent, s."""

    @property
    def end(self) -> float:
        """When the first segment after it was sent, s."""

    @property
    def pacing_rate(self) -> int | None:
        """The pacing rate that was in force at its start, bit/s."""

    @property
    def sent(self) -> int:
        """Payload sent, retransmissions included, bytes."""

    @property
    def delivered(self) -> int:
        """Of these, delivered."""

    @property
    def lost(self) -> int:
        """Of these, lost."""

    @property
    def is_limited(self) -> bool:
        """Whether something else than pacing held the sender back."""

    @property
    def rtt_samples(self) -> int:
        """RTT samples of its segments."""

    @property
    def rtt_first(self) -> float | None:
        """The first of them, s."""

    @property
    def rtt_last(self) -> float | None:
        """The last, s."""

    @property
    def rtt_mean(self) -> float | None:
        """Their mean, s."""

    @property
    def rtt_gradient(self) -> float | None:
        """Slope of the line of least squares through them over the time of their ACKs, s/s; None for fewer than two instants."""

    @property
    def rtt_residual(self) -> float | None:
        """Root mean square distance from that line, s."""

    @property
    def rtt_deviation(self) -> float | None:
        """Their standard deviation, s."""

@final
class Window(_Value):
    """The window as both halves of an algorithm see it."""

    @property
    def cwnd(self) -> int:
        """Congestion window, bytes."""

    @property
    def ssthresh(self) -> int | None:
        """Slow-start threshold, bytes; None: not found yet."""

    @property
    def mss(self) -> int:
        """Payload of a full segment, bytes."""

@final
class Exit:
    """A slow start's answer: add these bytes and hand over to the avoidance.

    The avoidance grows by what is left of the ACK's `credited`, on the same ACK; ssthresh stays, if
    it is known.
    """

    def __new__(cls, number: float, /) -> Self: ...
    @property
    def bytes(self) -> float: ...

@final
class ExitAt:
    """A slow start's answer: hand over to the avoidance with this window, bytes; it may be smaller.

    It becomes ssthresh, if that is not lower. The ACK grows nothing more.
    """

    def __new__(cls, cwnd: float, /) -> Self: ...
    @property
    def cwnd(self) -> float: ...
