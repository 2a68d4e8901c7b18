"""The compiled engine: quantities, the registry of congestion controls, and the simulator.

All values are in base units. Times are in ps as ``int`` and in s as ``float``; rates are in bit/s,
and sizes in bytes.
"""

from collections.abc import Callable
from os import PathLike
from typing import Any, Final, Literal, Protocol, Self, TypedDict, final, type_check_only

from ackclock.core_types.rows import (
    Datagrams,
    Decisions,
    FlowRow,
    FlowSamples,
    Frames,
    Internals,
    LinkRow,
    LinkSamples,
    Packets,
    SessionRow,
    StreamRow,
    Transfers,
)

__all__ = [
    "RESULTS_VERSION",
    "AckEvent",
    "CongestionEvent",
    "Exit",
    "ExitAt",
    "Interval",
    "IntervalStart",
    "LostSegment",
    "PacketScript",
    "RateSample",
    "Round",
    "RoundSummary",
    "Run",
    "Stream",
    "Window",
    "__version__",
    "binomial_cdf",
    "build",
    "capture_columns",
    "check_cc",
    "check_distribution",
    "check_plan",
    "columns",
    "draw",
    "format_rate",
    "format_size",
    "format_time",
    "implied_by_cc",
    "kernel",
    "lay_out_capture",
    "linux_packets_per_second",
    "linux_plan_schema",
    "list_capture",
    "list_cc",
    "list_qdisc",
    "mean",
    "nearest",
    "parse_rate",
    "parse_size",
    "parse_time",
    "plan_schema",
    "row_bytes",
    "run",
    "run_from_bytes",
    "run_linux",
    "run_random",
    "student_cdf",
    "student_quantile",
]

__version__: Final[str]
RESULTS_VERSION: Final[int]
"""Version of the results' layout; raised whenever an older reader would misread them."""

def parse_time(text: str) -> int:
    """Exact picoseconds of a time: ``"60ms"``, ``"1.5 s"``, ``"200us"``, ``"40ns"``, ``"2min"``.

    Raises
    ------
    ValueError
        If the text is no time; one sentence with the error, the allowed forms and an example.
    """

def nearest(name: str, known: list[str]) -> str | None:
    """The name in ``known`` that a user who wrote ``name`` probably meant, if one is similar.

    Messages of the engine about congestion controls and units choose by this measure.
    """

def parse_rate(text: str) -> int:
    """Exact bit/s of a rate: ``"10Mbit/s"``, ``"10Mbps"``, or ``"1MB/s"`` (8 000 000).

    Raises
    ------
    ValueError
        If the text is no rate; one sentence with the error, the allowed forms and an example.
    """

def parse_size(text: str) -> int:
    """Exact bytes of a size: ``"30kB"`` (30 000), ``"64KiB"`` (65 536), ``"1500 bytes"``.

    Raises
    ------
    ValueError
        If the text is no size; one sentence with the error, the allowed forms and an example.
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
    """Smallest and largest allowed number; None for a flag or a choice."""
    choices: list[str] | None
    """Allowed words; None for a number or a flag."""
    unit: str
    """Unit; empty for a bare number, a flag or a choice."""
    meaning: str

@type_check_only
class Argument(TypedDict):
    """An argument of a closed form."""

    kind: Literal["number", "parameter", "rest", "loss_rate", "rtt", "queueing", "buffer"]
    """Where its value is from; "rest" is one less a parameter."""
    parameter: str | None
    number: float | None
    per_ack: bool
    """Whether it counts per ACK, for a sender that counts ACKs and not bytes."""

@type_check_only
class Law(TypedDict):
    """A closed form: a function of `ackclock.theory` with its arguments."""

    function: str
    """Its name; one that ends with ``_rate`` gives packets per second."""
    arguments: dict[str, Argument]
    source: str
    has_timeouts: bool
    """Whether timeouts lower the window at high loss rates (RFC 5348 section 3.1)."""

@type_check_only
class Answers(TypedDict):
    """Signs of congestion that make an algorithm send less."""

    loss: bool
    """A single loss."""
    marks: bool
    """A single ECN mark."""
    delay: bool
    """A queue that grows."""

@type_check_only
class PhaseNames(TypedDict):
    """Phases that an algorithm tells of itself."""

    internal: str
    """Name of the internal value that has the phase's number."""
    names: list[str]
    """Names from number 0 on; a part of a phase stands after a space."""

@type_check_only
class AlgorithmTraits(TypedDict):
    """What a congestion control is like."""

    draws: bool
    """Whether it draws random numbers."""
    needs_ssthresh: bool
    """Whether its slow start is defined only with an ssthresh."""
    answers: Answers
    gives_way: bool
    """Whether it gives way to others by intention."""
    growth: Literal["linear", "cubic function"] | None
    """Law by which its window grows; None: another one."""
    left: Argument | None
    """Share of the window that a loss leaves; None: it depends on more than the parameters."""
    slow_starts_after_loss: bool
    response: list[Law]
    """Closed forms of its mean window under independent losses; the largest holds."""
    tolerance: Law | None
    """Loss rate beyond which its rate collapses."""
    utilisation: Law | None
    """Utilisation of a link by one flow alone at a tail-drop queue."""
    linearised: Law | None
    """Equations around the equilibrium: a function of `ackclock.theory.window_laws`."""
    why_not_linearised: str
    """Why there are none; empty if there are."""
    phases: PhaseNames | None

@type_check_only
class CongestionControl(TypedDict):
    """A congestion control that a scenario can name."""

    name: str
    role: Literal["avoidance", "slow start", "whole"]
    slow_start: str | None
    """Slow start of an avoidance that is named alone."""
    summary: str
    parameters: list[Parameter]
    reference: str
    implies: dict[str, str]
    """Transport options that the name implies, as in ``tahoe``."""
    traits: AlgorithmTraits

def list_cc() -> list[CongestionControl]:
    """List every congestion control that a scenario can name, slow starts first."""

@type_check_only
class DisciplineTraits(TypedDict):
    """What a queue discipline is like, whatever its parameters are and whatever is inside it."""

    draws: bool
    """Whether it draws random numbers."""
    judges_arrivals: bool
    """Whether it only judges arrivals, so that a link computes departures."""
    keeps_waiting: bool
    """Whether it drops none that waits."""
    in_order: bool
    """Whether packets leave in the order in which they came."""
    is_fair: bool
    """Whether each flow has a queue of its own and an equal share."""
    marks: bool
    """Whether it can mark ECN-capable packets."""
    serves_l4s: bool
    """Whether L4S packets have a queue of their own (RFC 9332)."""

@type_check_only
class QueueDiscipline(TypedDict):
    """A queue discipline that a link can have."""

    name: str
    traits: DisciplineTraits

def list_qdisc() -> list[QueueDiscipline]:
    """List every queue discipline, with what it is like."""

@type_check_only
class Found(Protocol):
    """A class that the user wrote, with arguments for its constructor."""

    @property
    def role(self) -> Literal["avoidance", "slow start", "whole"]: ...
    @property
    def slow_start(self) -> str:
        """Slow start of an avoidance that is named alone."""

    @property
    def implies(self) -> dict[str, str]: ...
    @property
    def defines(self) -> frozenset[str]:
        """Optional methods that the class defines; only these are called."""

    @property
    def label(self) -> str: ...
    @property
    def file(self) -> str:
        """File of the class, as Python's code objects name it."""

    @property
    def shown_file(self) -> str:
        """File of the class, as messages show it."""

    def make(
        self,
        mss: int,
        initial_window: int,
        initial_ssthresh: int | None,
        has_sack: bool,
        stream: Stream,
        /,
    ) -> object:
        """Construct the object for a flow."""

def check_cc(spec: str, find: Callable[[str, dict[str, str]], Found | None] | None = None) -> None:
    """Check a congestion control such as ``"reno"``, ``"cos+reno"`` or ``"cubic(beta=0.8)"``.

    `find` is called with names that `list_cc` does not have, and their arguments as text; it
    returns None for a name that it does not know. Its exceptions pass.

    Raises
    ------
    ValueError
        If the text is wrong; one sentence with the wrong part, all names, the nearest name.
    """

def implied_by_cc(
    spec: str, find: Callable[[str, dict[str, str]], Found | None] | None = None
) -> dict[str, str]:
    """Transport options that a congestion control implies.

    Raises
    ------
    ValueError
        If `check_cc` does.
    """

def draw(seed: int, stream: str, distribution: str, count: int) -> list[float]:
    """Draw the first `count` values of a distribution in a random stream of the run with a seed.

    `distribution` is JSON, a `kind` with parameters: ``fixed`` (value), ``uniform`` (low, high),
    ``exponential`` (mean), ``normal`` (mean, sd; never negative), ``lognormal`` (median, sigma),
    ``pareto`` (scale, shape), ``weibull`` (scale, shape), ``cdf`` (points: pairs of a value and a
    probability), ``between`` (of: another distribution, low, high). The values have the unit of the
    parameters.

    Raises
    ------
    ValueError
        If the distribution is wrong; one sentence with the wrong part and the allowed values.
    """

def check_distribution(distribution: str) -> None:
    """Check the parameters of a distribution.

    Raises
    ------
    ValueError
        If the distribution is wrong.
    """

def mean(distribution: str) -> float:
    """The mean of a distribution.

    Raises
    ------
    ValueError
        If the distribution is wrong.
    """

def student_cdf(degrees: float, t: float) -> float:
    """Probability that Student's t with so many degrees of freedom is at most `t`.

    Raises
    ------
    ValueError
        If `degrees` is not a finite number above 0, or `t` is not a number.
    """

def student_quantile(degrees: float, p: float) -> float:
    """Value that Student's t with so many degrees of freedom exceeds with probability 1 - `p`.

    Raises
    ------
    ValueError
        If `degrees` is not a finite number above 0, or `p` is not between 0 and 1.
    """

def binomial_cdf(k: int, n: int, p: float) -> float:
    """Probability of at most `k` successes in `n` independent trials, each with probability `p`.

    Raises
    ------
    ValueError
        If `p` is not between 0 and 1.
    OverflowError
        If `k` or `n` is negative, or 2**32 or more.
    """

@final
class PacketScript:
    """A packetdrill script.

    Parameters
    ----------
    text
        The script.

    Raises
    ------
    ValueError
        If a line is not understood; the text names the line.
    """

    def __new__(cls, text: str) -> Self: ...
    @property
    def profile(self) -> str | None:
        """The transport's profile in the script's header; None: it has no header."""

    @property
    def commands(self) -> list[str]:
        """Shell commands that set the host up, in order."""

    def play(
        self,
        cc: str,
        transport_json: str,
        run: Callable[[str, dict[str, float]], tuple[bool, str] | None],
    ) -> tuple[str | None, list[str]]:
        """Play the script on a host; return the host's deviation, if any, and the exchange.

        A header names the congestion control itself and changes the transport, a profile's, as it
        says; without one the handshake does. `run` gets code and variables; its answer is None, or
        whether the variables exist, and the problem.

        Raises
        ------
        ValueError
            If the script needs something that the simulator's hosts do not have.
        """

    @property
    def refusal(self) -> str | None:
        """The reason why no kernel can be set up as the script's host; None: one can."""

    def export(self, name: str, transport_json: str) -> str:
        """Write the script for a kernel; `transport_json` is the transport of profile ``linux``.

        Raises
        ------
        ValueError
            If no kernel can be set up as the host, or the simulator does not do what it says.
        """

@type_check_only
class CaptureLayout(TypedDict, total=False):
    """A connection of a capture: JSON texts, and tables of arrays."""

    figures: str
    segments: dict[str, Any]
    sacks: dict[str, Any]
    rates: dict[str, Any]
    path: str
    scenario: str
    why_no_path: str

@type_check_only
class ColumnDefinition(TypedDict):
    """A column of a row or of a table of a run."""

    name: str
    kind: str
    """Kind of the values.

    A kind is ``integer``, ``real``, ``text``, ``code`` (index into `names`), ``letter`` (ASCII code
    of one of `names`), ``internal`` (index into the names that come with the table), ``frame``
    (2^32 - 1: no frame), or the index of a ``flow``, ``link``, ``stream``, ``session`` or
    ``place``.
    """
    unit: str
    """SI base unit; empty for names and codes, ``1`` for a pure number."""
    meaning: str
    names: list[str]
    """Names that codes or letters stand for; empty for other kinds."""
    type: str
    """Python type of a row's value, or of a table's array."""

@type_check_only
class Build(TypedDict):
    """Facts about the build of this core."""

    optimisation: str
    """Level of optimisation: 3 in a release, 1 in the build for tests."""
    has_assertions: bool
    """Whether assertions and checks for overflow are compiled in: the build for tests."""
    is_trained: bool
    """Whether the build used a profile of the example scenarios (``make trained``)."""
    target: str
    """Platform, as in x86_64-unknown-linux-gnu."""
    compiler: str
    """The compiler's version."""

def build() -> Build:
    """Facts about the build of this core."""

def plan_schema() -> str:
    """JSON Schema of the plan that `run` takes.

    ``python tools/border`` writes `ackclock.core_types.plan` from it.
    """

def linux_plan_schema() -> str:
    """JSON Schema of the plan that `run_linux` takes; on Linux only.

    ``python tools/border`` writes `ackclock.core_types.linux_plan` from it.
    """

def columns() -> dict[str, list[ColumnDefinition]]:
    """Definitions of all columns, by the method of `Run` that gives them.

    ``python tools/border`` writes `ackclock.core_types.rows` from them.
    """

def list_capture(path: str | PathLike[str]) -> str:
    """TCP connections of a capture, as JSON.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is no capture, is damaged, or holds no TCP.
    """

def lay_out_capture(path: str | PathLike[str], number: int, name: str) -> CaptureLayout:
    """Lay out a connection of a capture; `name` is the capture's name in the scenario.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is no capture, is damaged, or has no such connection.
    """

def capture_columns() -> dict[str, list[ColumnDefinition]]:
    """Definitions of the columns of a capture's tables, by table."""

def row_bytes() -> dict[str, int]:
    """Memory of a row of each recorded table, bytes; tables are named as in `columns`."""

@final
class Run:
    """The output of a finished run, in SI base units: s, bit/s, bytes.

    Columns are copies: each call makes new arrays.
    """

    @property
    def end_time(self) -> float:
        """End of the run, s: the duration, or the end of the last flow."""

    @property
    def provenance(self) -> str | None:
        """Provenance of a run on a kernel, JSON; None for a simulated run."""

    @property
    def events(self) -> int:
        """Number of events that the engine handled."""

    def to_bytes(self) -> bytes:
        """The run as bytes, from which `run_from_bytes` of the same version makes it again."""

    def digest(self) -> str:
        """Digest of all counters and tables: 16 hexadecimal digits, equal on every machine."""

    def recorded_until(self) -> dict[str, float]:
        """Tables that reached ``record.max_size``, with the time of the first missing row, s."""

    def flows(self) -> list[FlowRow]:
        """Counters of every flow, in the plan's order.

        An aggregate stands before its subflows. UDP streams follow the flows, with ``cc`` "udp" and
        zeros in counters of connections.
        """

    def streams(self) -> list[StreamRow]:
        """Delays, jitter and counters of every UDP stream, in the plan's order."""

    def sessions(self) -> list[SessionRow]:
        """Counters of every session besides its transfers, in the plan's order."""

    def links(self) -> list[LinkRow]:
        """Counters of every link, in the plan's order."""

    def transfers(self) -> Transfers:
        """Transfers of sessions."""

    def datagrams(self) -> Datagrams:
        """Datagrams of streams, if the plan asks for them."""

    def frames(self) -> Frames:
        """Frames of streams."""

    def flow_samples(self) -> FlowSamples:
        """Time series of flows."""

    def link_samples(self) -> LinkSamples:
        """Time series of links."""

    def internals(self) -> Internals:
        """Time series of the algorithms' internals."""

    def packets(self) -> Packets:
        """Packet events, at the places that the plan asks for."""

    def decisions(self) -> Decisions:
        """Decisions of the senders that the plan asks for."""

    def write_pcapng(self, path: str | PathLike[str], point: str) -> int:
        """Write the packets at `point` as pcapng, times in ns, and return their number.

        `point` is ``"sender"``, ``"receiver"`` (all flows' hosts in one file) or the name of a link
        (packets that reached the far end). Packets are raw IPv4 and TCP with options, without
        payloads and without the count of accurate ECN feedback. Flow number 256 i + j runs from
        10.i.j.1 to 10.i.j.2.

        Raises
        ------
        ValueError
            If no packets were recorded there, or a payload is too large for IPv4.
        """

def run_from_bytes(plan_json: str, packed: bytes) -> Run:
    """The run of a plan (the JSON form of the engine's ``Plan``), from its `Run.to_bytes`.

    Raises
    ------
    ValueError
        If the plan is not valid, or the bytes are of no run of this version.
    """

def check_plan(plan_json: str) -> None:
    """Check that a text is a plan (the JSON form of the engine's ``Plan``), without running it.

    Raises
    ------
    ValueError
        If it is none; one sentence says why.
    """

def run(
    plan_json: str,
    progress: Callable[[float], object] | None = None,
    find: Callable[[str, dict[str, str]], Found | None] | None = None,
) -> Run:
    """Run a plan (the JSON form of the engine's ``Plan``) to its end.

    Other threads can run meanwhile, unless `find` returned a class: then they take turns with it as
    with any Python code. `progress` is called about ten times a second with the simulated share of
    the duration, 0 to 1; an exception from it ends the run, and so does Ctrl-C.

    Raises
    ------
    ValueError
        If the plan is not valid; one sentence says why.
    AlgorithmError
        If a class that the user wrote raised, or gave an impossible answer.
    """

@type_check_only
class Kernel(TypedDict):
    """Properties of this machine's kernel."""

    release: str
    """Release, as ``uname -r`` prints it."""
    congestion_controls: list[str]
    """Congestion controls that a socket can have."""
    loadable: list[str]
    """Congestion controls whose modules exist but are not loaded."""
    obstacle: str | None
    """Reason why no scenario can run on the kernel, and the remedy; None if scenarios can run."""

def kernel() -> Kernel:
    """Properties of this machine's kernel; on Linux only.

    Raises
    ------
    OSError
        If the kernel cannot be asked.
    """

def run_linux(plan_json: str, progress: Callable[[float], object] | None = None) -> Run:
    """Run a plan (the JSON form of ``LinuxPlan``) on this machine's kernel, in real time.

    This exists on Linux only. The process must have one thread; it enters new namespaces, which it
    cannot leave, and is killed when its parent ends. `progress` is as for `run`.

    Raises
    ------
    ValueError
        If the plan is wrong; one sentence.
    OSError
        If the machine does not allow the run, or something fails during it; one sentence.
    """

def run_random(plan_json: str, progress: Callable[[float], object] | None = None) -> str:
    """Play random scripts (the JSON form of ``CampaignPlan``) on this kernel and on the simulator.

    This exists on Linux only. The process and `progress` are as for `run_linux`. Returns the JSON
    form of the report.

    Raises
    ------
    ValueError
        If the plan is wrong; one sentence.
    OSError
        If the machine does not allow the runs, or something fails during them; one sentence.
    """

def linux_packets_per_second() -> float:
    """Measure the most full-sized packets/s, with their ACKs, that this machine carries.

    The process is as for `run_linux`.

    Raises
    ------
    OSError
        If the machine cannot be measured; one sentence.
    """

@final
class Stream:
    """The random stream of a flow.

    The sender lends the stream for the duration of a call; drawing outside of a call is a
    RuntimeError.
    """

    def want(self) -> None:
        """Ask for the stream in later calls."""

    def unit(self) -> float:
        """Draw uniformly from [0, 1)."""

    def bits(self) -> int:
        """Draw 64 random bits."""

@type_check_only
class _Value:
    """A value that never changes; copying returns the object itself."""

    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object, /) -> Self: ...

@final
class AckEvent(_Value):
    """An ACK that reports data delivered, lost or marked; times in s, sizes in bytes."""

    @property
    def now(self) -> float:
        """The current instant."""

    @property
    def newly_acked(self) -> int:
        """Bytes that this ACK acknowledges for the first time, cumulatively or selectively."""

    @property
    def credited(self) -> int:
        """Part of `newly_acked` that counts for growth: all, or one segment (`ack_counting`)."""

    @property
    def newly_lost(self) -> int:
        """Bytes declared lost on this ACK."""

    @property
    def newly_marked(self) -> int:
        """Bytes that this ACK reports as CE-marked."""

    @property
    def rtt_sample(self) -> float | None:
        """RTT measured by this ACK, without smoothing; never from a retransmitted segment."""

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
        """Time from the sending of the segment to the sending of its ACK, by timestamps.

        The value has steps of `timestamp_clock`; None without timestamps or new data.
        """

    @property
    def inflight(self) -> int:
        """Bytes sent that are neither acknowledged nor lost, after this ACK."""

    @property
    def prior_inflight(self) -> int:
        """Bytes sent that were neither acknowledged nor lost, before this ACK."""

    @property
    def delivered(self) -> int:
        """Bytes delivered since the connection began."""

    @property
    def rate(self) -> RateSample | None:
        """Delivery-rate sample, if this ACK gave one."""

    @property
    def round(self) -> Round:
        """The packet-timed round trip to which this ACK belongs."""

    @property
    def pacing_wait(self) -> float:
        """Time for which the pacer still holds the next segment back; 0 if it can leave."""

    @property
    def is_cwnd_limited(self) -> bool:
        """Whether the window limited sending, instead of the application or the receiver."""

    @property
    def in_recovery(self) -> bool:
        """Whether the sender is repairing losses, or the ACK only reports reordering."""

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
        """`delivered` of the connection when the newest acknowledged segment was sent, bytes."""

    @property
    def lost(self) -> int:
        """Bytes lost in the interval."""

    @property
    def tx_in_flight(self) -> int:
        """Inflight when the newest acknowledged segment was sent, with this segment, bytes."""

    @property
    def is_app_limited(self) -> bool:
        """Whether the application, not the network, limited the sample."""

@final
class Round(_Value):
    """A packet-timed round trip: it ends when a segment sent after its start is delivered."""

    @property
    def count(self) -> int:
        """Number of rounds since the connection began."""

    @property
    def start(self) -> bool:
        """Whether this ACK began the round."""

    @property
    def expected(self) -> int:
        """Bytes outstanding when the round began, with those of the ACK that began it."""

    @property
    def acked(self) -> int:
        """Bytes of `expected` delivered so far, with those of this ACK."""

    @property
    def last(self) -> RoundSummary:
        """The round that ended last."""

@final
class RoundSummary(_Value):
    """Measurements of a finished round."""

    @property
    def min_rtt(self) -> float | None:
        """Smallest RTT sample, s."""

    @property
    def samples(self) -> int:
        """Number of RTT samples."""

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
        """Kind of the signal.

        ``"loss"`` is found by duplicate ACKs, SACK or RACK; ``"ecn"`` is congestion echoed by the
        receiver; ``"rto"`` is a retransmission timeout.
        """

    @property
    def now(self) -> float:
        """The current instant, s."""

    @property
    def inflight(self) -> int:
        """Bytes in flight before the lost ones are subtracted (RFC 5681's FlightSize)."""

    @property
    def newly_lost(self) -> int:
        """Bytes declared lost with the signal."""

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
        """First byte of the segment in the stream."""

    @property
    def bytes(self) -> int:
        """Size of the segment, bytes."""

    @property
    def delivered(self) -> int:
        """Bytes delivered since the connection began."""

    @property
    def sent_at(self) -> float:
        """Time of the segment's latest transmission, s."""

    @property
    def tx_in_flight(self) -> int:
        """Inflight when the segment was sent, with this segment, bytes."""

    @property
    def lost(self) -> int:
        """Bytes declared lost since the segment was sent, with this segment."""

    @property
    def is_app_limited(self) -> bool:
        """Whether the application limited the sender when the segment was sent."""

@final
class IntervalStart(_Value):
    """A monitor interval that begins."""

    @property
    def number(self) -> int:
        """Number of the interval, from 0."""

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
        """Number of the interval, from 0; intervals end in order."""

    @property
    def start(self) -> float:
        """Time at which the interval's first segment was sent, s."""

    @property
    def end(self) -> float:
        """Time at which the first segment after the interval was sent, s."""

    @property
    def pacing_rate(self) -> int | None:
        """Pacing rate at the start of the interval, bit/s."""

    @property
    def sent(self) -> int:
        """Payload sent, with retransmissions, bytes."""

    @property
    def delivered(self) -> int:
        """Part of `sent` that was delivered, bytes."""

    @property
    def lost(self) -> int:
        """Part of `sent` that was lost, bytes."""

    @property
    def is_limited(self) -> bool:
        """Whether anything but pacing limited the sender."""

    @property
    def rtt_samples(self) -> int:
        """Number of RTT samples of the interval's segments."""

    @property
    def rtt_first(self) -> float | None:
        """First RTT sample, s."""

    @property
    def rtt_last(self) -> float | None:
        """Last RTT sample, s."""

    @property
    def rtt_mean(self) -> float | None:
        """Mean of the RTT samples, s."""

    @property
    def rtt_gradient(self) -> float | None:
        """Slope of the RTT samples over the time of their ACKs, by least squares, s/s.

        None for samples at fewer than two instants.
        """

    @property
    def rtt_residual(self) -> float | None:
        """Root mean square distance of the RTT samples from the line of `rtt_gradient`, s."""

    @property
    def rtt_deviation(self) -> float | None:
        """Standard deviation of the RTT samples, s."""

@final
class Window(_Value):
    """The window, for both halves of an algorithm."""

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
    """Answer of a slow start: add these bytes and hand over to the avoidance.

    The avoidance grows by the rest of the ACK's `credited` bytes, on this ACK. A known ssthresh
    stays.
    """

    def __new__(cls, number: float, /) -> Self: ...
    @property
    def bytes(self) -> float: ...

@final
class ExitAt:
    """Answer of a slow start: hand over to the avoidance with this window, bytes.

    The window may be smaller than before. It becomes ssthresh, unless ssthresh is lower. The window
    does not grow further on this ACK.
    """

    def __new__(cls, cwnd: float, /) -> Self: ...
    @property
    def cwnd(self) -> float: ...
