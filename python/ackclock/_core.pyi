"""The compiled core of ackclock: quantities, the registry of congestion controls, and the simulator.

Everything that crosses this border is in base units: a time that is an ``int`` is in picoseconds, a rate that is an ``int`` in bit/s,
a size in bytes; a time that is a ``float`` is in seconds and a rate that is a ``float`` in bit/s.
"""

from collections.abc import Callable
from os import PathLike
from typing import Any, Final, Literal, TypedDict, final, type_check_only

from numpy.typing import NDArray

__all__ = [
    "RESULTS_VERSION",
    "Run",
    "__version__",
    "check_cc",
    "draw",
    "format_rate",
    "format_size",
    "format_time",
    "implied_by_cc",
    "list_cc",
    "parse_rate",
    "parse_size",
    "parse_time",
    "run",
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
    default: float | bool
    range: tuple[float, float] | None
    """Smallest and largest number allowed; None for a flag."""
    unit: str
    """Empty for a bare number or a flag."""
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

def check_cc(spec: str) -> None:
    """Check a spec such as ``"reno"``, ``"cos+reno"`` or ``"cubic(beta=0.8)"``.

    Raises
    ------
    ValueError
        One sentence: the part that is wrong, what exists, the nearest name.
    """

def implied_by_cc(spec: str) -> dict[str, str]:
    """The transport options that a spec stands for beside the controller: those of its avoidance or whole controller.

    Raises
    ------
    ValueError
        As `check_cc`.
    """

def draw(seed: int, stream: str, kind: str, parameters: list[float], count: int) -> list[float]:
    """Draw the first `count` values of a distribution in the random stream called `stream` of the run with this `seed`.

    `kind` with its `parameters`: ``fixed`` (value), ``uniform`` (low, high), ``exponential`` (mean), ``normal`` (mean, sd; never
    negative), ``lognormal`` (median, sigma), ``pareto`` (scale, shape). The values have the unit of the parameters.

    Raises
    ------
    ValueError
        One sentence: the kind or parameter that is wrong and what is allowed.
    """

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
    """The three kinds of drops together."""
    dropped_forced: int
    """At a limit."""
    dropped_early: int
    """By RED."""
    dropped_wire: int
    """By random loss."""
    marked_packets: int
    busy_time: float
    """Time spent transmitting, s."""
    measured_time: float
    """How long the counters ran, s."""
    queue_delay: Distribution
    """Time spent waiting, transmission not counted."""
    queue_packets_mean: float

@final
class Run:
    """What a finished run left, in SI base units: s, bit/s, bytes. Columns are copies: each call makes new arrays."""

    @property
    def end_time(self) -> float:
        """When the run ended, s: its duration, or when the last flow finished."""

    @property
    def events(self) -> int:
        """Events that the engine handled."""

    def flows(self) -> list[Flow]:
        """Counters of every flow, in the plan's order; a transfer over several connections stands before the first of these."""

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
        ``is_ack`` (0 or 1), ``seq`` and ``ack`` (offsets in bytes from the first data byte), ``length`` (payload, bytes), ``wire_size``
        (bytes), ``flags`` (TCP's bits), ``ecn`` (0 to 3), ``window`` (bytes), ``ts_val`` and ``ts_ecr`` (ms), ``sack0_start`` to
        ``sack2_end`` (offsets; zeros: no such block).
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

def run(plan_json: str, progress: Callable[[float], object] | None = None) -> Run:
    """Run a plan (the JSON form of the engine's ``Plan``) to its end.

    The interpreter is free for other threads meanwhile. `progress` is called about ten times a second with the simulated share of the
    duration, 0 to 1; whatever it raises ends the run, and so does Ctrl-C.

    Raises
    ------
    ValueError
        The plan is not valid; one sentence says why.
    """
