"""Options of the transport."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ackclock.scenario.distributions import TimeOrDistribution
from ackclock.scenario.quantities import InitialWindow, OptionalRate, PositiveTime, Size, Time, Window
from ackclock.scenario.table import Table

__all__ = ["Transport"]


class Transport(Table):
    """Options of the transport. What is not given is the profile's."""

    mss: Size | None = None
    """Payload of a full segment (linux, rfc: 1448 bytes, classic: 1000 bytes)."""
    header: Size | None = None
    """Bytes that a packet occupies besides its payload, SACK blocks apart; if not given, 40 bytes, and 12 more with timestamps."""
    initial_window: InitialWindow | None = None
    """Initial window; packets are full segments, rfc3390 and rfc6928 the rules of these RFCs (linux: 10 packets, rfc: rfc6928,
    classic: 1 packet)."""
    ssthresh: Window | None = None
    """Initial slow-start threshold. A bdp is the flow's own base RTT at the slowest link of its path, as payload (default unlimited)."""
    max_cwnd: Window | None = None
    """The most that the sender keeps in flight whatever cwnd says; a run warns when it limits (default unlimited)."""
    receive_buffer: Size | None = None
    """The receiver's buffer, the most that it advertises (default 64MiB)."""
    initial_receive_window: Size | None = None
    """What the receiver advertises before it has learned how much arrives in a round trip; receive_buffer or more: it advertises that from
    the start, and so does one with a read_rate (linux: 80KiB; rfc, classic: 64MiB)."""
    read_rate: OptionalRate | None = None
    """Rate at which the receiving application reads (default unlimited: at once)."""
    window_counting: Literal["bytes", "packets"] | None = None
    """What a segment counts for in cwnd, inflight, and what is delivered, SACKed or lost: its bytes, RFC 5681 and 6675, or a
    whole packet (linux, classic: packets, rfc: bytes)."""
    ack_counting: Literal["bytes", "packets"] | None = None
    """What an ACK counts for in slow start and Reno's growth: its bytes, RFC 3465, or one packet (linux, rfc: bytes, classic: packets)."""
    delayed_ack: int | None = Field(default=None, ge=1, le=1_000_000)
    """Segments per delayed ACK; 1 is an ACK per packet (linux, rfc: 2, RFC 1122; classic: 1)."""
    delayed_ack_timeout: PositiveTime | None = None
    """The longest that an ACK is delayed (linux, rfc: 40ms, classic: 100ms)."""
    delayed_ack_adapts: bool | None = None
    """Whether an ACK is delayed for longer where the data comes slowly, up to the RTT (linux: true, rfc, classic: false)."""
    quick_acks: int | None = Field(default=None, ge=0, le=1_000_000)
    """Segments acknowledged at once at the start and after one that had arrived before (linux: 16, rfc, classic: 0)."""
    ack_pushed: bool | None = None
    """Whether a segment with PSH, or one that is not full, is acknowledged as soon as it is read (linux: true, rfc, classic: false)."""
    sack_delay: Time | None = None
    """How long duplicate ACKs after the third are held back to tell of several arrivals, at most 5 % of the RTT; 0s: not at all
    (linux: 1ms, rfc, classic: 0s)."""
    timestamps: bool | None = None
    """Timestamps option, RFC 7323 (linux, rfc: true, classic: false)."""
    timestamp_clock: PositiveTime | None = None
    """Step of the timestamps' clock, which measures one-way delays; Linux can have 1us (all: 1ms)."""
    loss_detection: Literal["dupack", "sack", "rack"] | None = None
    """How losses are found: three duplicate ACKs, RFC 6675 or RFC 8985 (linux, rfc: rack, classic: dupack)."""
    dupack_recovery: Literal["tahoe", "reno", "newreno"] | None = None
    """What follows three duplicate ACKs; only with loss_detection dupack (classic: reno)."""
    window_approach: Literal["inflation", "prr", "prr-linux"] | None = None
    """How recovery approaches the new window: RFC 5681's inflation, RFC 9937, or that in proportion to cwnd as Linux has it
    (linux: prr-linux, rfc: prr, classic: inflation)."""
    limited_transmit: bool | None = None
    """Limited transmit, RFC 3042 (all: true)."""
    tail_loss_probe: bool | None = None
    """Tail loss probe, RFC 8985 section 7; only with loss_detection rack (linux, rfc: true, classic: false)."""
    frto: bool | None = None
    """F-RTO, RFC 5682 (linux, rfc: true, classic: false)."""
    undo: bool | None = None
    """Undo reductions that D-SACK or timestamps prove needless, RFC 3708 and 4015 (linux, rfc: true, classic: false)."""
    dsack: bool | None = None
    """Report duplicates received, RFC 2883; not with loss_detection dupack (linux, rfc: true, classic: false)."""
    min_rto: PositiveTime | None = None
    """Smallest retransmission timeout (linux, classic: 200ms, rfc: 1s, RFC 6298)."""
    min_rto_bounds_variance: bool | None = None
    """Whether min_rto bounds the RTO's variance term (RTO >= srtt + min_rto) and not the RTO itself
    (linux: true, rfc, classic: false)."""
    max_rto: PositiveTime | None = None
    """Largest retransmission timeout (linux, rfc: 120s, classic: 60s)."""
    initial_rto: PositiveTime | None = None
    """Retransmission timeout before the first RTT sample (linux, rfc: 1s, classic: 3s)."""
    syn_linear_timeouts: int | None = Field(default=None, ge=0, le=127)
    """How many timeouts of a SYN do not double the time to the next, Linux's tcp_syn_linear_timeouts (linux: 4,
    rfc, classic: 0)."""
    rtt_timing: Literal["every-ack", "one-per-rtt"] | None = None
    """Which segments are timed for the retransmission timeout: all that an ACK can tell of, or one at a time
    (linux, rfc: every-ack, classic: one-per-rtt)."""
    rtt_clock: Time | None = None
    """Step of the clock that times one segment per RTT; 0s: exact (linux, rfc: 0s, classic: 10ms)."""
    loss_rules: Literal["rfc", "ns-2"] | None = None
    """What duplicate ACKs and repeated timeouts do; has an effect only with loss_detection dupack (linux, rfc: rfc, classic: ns-2)."""
    idle_restart: bool | None = None
    """Restart from a small window after idling, RFC 5681 section 4.1 (linux, rfc: true, classic: false)."""
    ecn: Literal["off", "classic", "accurate", "l4s"] | None = None
    """Explicit congestion notification: off, RFC 3168, a count of marked bytes on every ACK, or that as ECT(1), RFC 9331 (all: off)."""
    pacing: Literal["off", "cwnd", "cc"] | None = None
    """Pacing: never, from cwnd as Linux with fq, or the algorithm's own rate if it sets one (linux, rfc: cc, classic: off)."""
    tso_defer: bool | None = None
    """A burst that is not full waits for an ACK that is near, Linux's tcp_tso_should_defer (linux: true, rfc, classic: false)."""
    host_time: TimeOrDistribution | None = None
    """Time that a host takes over each packet that reaches it before TCP has it, such as "uniform(10us, 40us)"; packets of a flow
    stay in order (all: 0s)."""
    clock_phase: TimeOrDistribution | None = None
    """How far the ticks of a flow's hosts, of timers and of timestamps, are past one when the run begins, such as
    "uniform(0ms, 4ms)" (all: 0s)."""
