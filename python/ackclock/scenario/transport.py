"""Options of the transport."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ackclock.scenario.distributions import TimeOrDistribution
from ackclock.scenario.quantities import (
    InitialWindow,
    Lead,
    OptionalRate,
    PositiveTime,
    Size,
    Time,
    Window,
)
from ackclock.scenario.table import Table

__all__ = ["Transport"]


class Transport(Table):
    """Options of the transport; options not given are the profile's."""

    mss: Size | None = None
    """Payload of a full segment (linux, rfc: 1448 bytes, classic: 1000 bytes)."""
    header: Size | None = None
    """Headers of a packet without SACK blocks (default 40 bytes, and 12 more with timestamps)."""
    initial_window: InitialWindow | None = None
    """Initial window, in full segments, bytes or by the rule of RFC 3390 or RFC 6928 (linux: 10
    packets, rfc: rfc6928, classic: 1 packet).
    """
    ssthresh: Window | None = None
    """Initial slow-start threshold.

    A bdp is the flow's base RTT at the rate of the slowest link of the path, as payload (default
    unlimited).
    """
    max_cwnd: Window | None = None
    """Most that the sender keeps in flight; a run warns when it limits (default unlimited)."""
    receive_buffer: Size | None = None
    """The receiver's buffer, the largest window that it advertises (default 64MiB)."""
    initial_receive_window: Size | None = None
    """Receive window until the receiver knows how much arrives in a round trip.

    With receive_buffer or more, or with a read_rate, the whole buffer is advertised from the start
    (linux: 80KiB; rfc, classic: 64MiB).
    """
    read_rate: OptionalRate | None = None
    """Rate at which the receiving application reads (default unlimited: at once)."""
    window_counting: Literal["bytes", "packets"] | None = None
    """Unit of cwnd, inflight and of delivered, SACKed and lost data: bytes, RFC 5681 and 6675, or
    whole packets (linux, classic: packets, rfc: bytes).
    """
    ack_counting: Literal["bytes", "packets"] | None = None
    """Credit of an ACK in slow start and Reno's growth: the acknowledged bytes, RFC 3465, or one
    packet (linux, rfc: bytes, classic: packets).
    """
    delayed_ack: int | None = Field(default=None, ge=1, le=1_000_000)
    """Segments per delayed ACK; 1 is an ACK per packet (linux, rfc: 2, RFC 1122; classic: 1)."""
    delayed_ack_timeout: PositiveTime | None = None
    """Longest delay of an ACK (linux, rfc: 40ms, classic: 100ms)."""
    delayed_ack_adapts: bool | None = None
    """Whether ACKs of slow data are delayed longer, up to the RTT (linux: true; else false)."""
    quick_acks: int | None = Field(default=None, ge=0, le=1_000_000)
    """Segments acknowledged at once at the start and after a duplicate segment (linux: 16, rfc,
    classic: 0).
    """
    ack_pushed: bool | None = None
    """Whether a segment with PSH, or one that is not full, is acknowledged as soon as it is read
    (linux: true, rfc, classic: false).
    """
    ack_division: int | None = Field(default=None, ge=1, le=65_535)
    """ACKs into which a misbehaving receiver divides each ACK of new data, at most one per byte; 1
    is an honest receiver (all: 1).
    """
    optimistic_ack: Lead | None = None
    """Data that a misbehaving receiver acknowledges before it arrives, at most; losses are then
    concealed and never repaired; off is an honest receiver (all: off).

    A bdp is the flow's base RTT at the rate of the slowest link of the path, as payload.
    """
    hide_marks: bool | None = None
    """Whether a misbehaving receiver conceals congestion marks, RFC 3540 (all: false)."""
    sack_delay: Time | None = None
    """Time for which duplicate ACKs after the third wait to cover several arrivals, at most 5 % of
    the RTT; 0s: none (linux: 1ms, rfc, classic: 0s).
    """
    timestamps: bool | None = None
    """Timestamps option, RFC 7323 (linux, rfc: true, classic: false)."""
    timestamp_clock: PositiveTime | None = None
    """Step of the timestamps' clock, which measures one-way delays; Linux can have 1us (all: 1ms).
    """
    loss_detection: Literal["dupack", "sack", "rack"] | None = None
    """Loss detection: duplicate ACKs, RFC 6675 or RFC 8985 (linux, rfc: rack, classic: dupack)."""
    dupack_recovery: Literal["tahoe", "reno", "newreno"] | None = None
    """Recovery after three duplicate ACKs; only with loss_detection dupack (classic: reno)."""
    window_approach: Literal["inflation", "prr", "prr-linux"] | None = None
    """Approach to the new window in recovery: RFC 5681's inflation, RFC 9937, or Linux's PRR in
    proportion to cwnd (linux: prr-linux, rfc: prr, classic: inflation).
    """
    limited_transmit: bool | None = None
    """Limited transmit, RFC 3042 (all: true)."""
    tail_loss_probe: bool | None = None
    """Tail loss probe, RFC 8985 section 7; only with rack (linux, rfc: true, classic: false)."""
    frto: bool | None = None
    """F-RTO, RFC 5682 (linux, rfc: true, classic: false)."""
    undo: bool | None = None
    """Undo reductions that D-SACK or timestamps prove needless, RFC 3708 and 4015 (linux, rfc:
    true, classic: false).
    """
    dsack: bool | None = None
    """Report duplicates received, RFC 2883; not with dupack (linux, rfc: true, classic: false)."""
    min_rto: PositiveTime | None = None
    """Smallest retransmission timeout (linux, classic: 200ms, rfc: 1s, RFC 6298)."""
    min_rto_bounds_variance: bool | None = None
    """Whether min_rto bounds the RTO's variance term (RTO >= srtt + min_rto) and not the RTO itself
    (linux: true, rfc, classic: false).
    """
    max_rto: PositiveTime | None = None
    """Largest retransmission timeout (linux, rfc: 120s, classic: 60s)."""
    initial_rto: PositiveTime | None = None
    """Retransmission timeout before the first RTT sample (linux, rfc: 1s, classic: 3s)."""
    syn_linear_timeouts: int | None = Field(default=None, ge=0, le=127)
    """Timeouts of a SYN that do not double the next, Linux's tcp_syn_linear_timeouts (linux: 4,
    rfc, classic: 0).
    """
    rtt_timing: Literal["every-ack", "one-per-rtt"] | None = None
    """Segments timed for the retransmission timeout: all that ACKs permit, or one at a time (linux,
    rfc: every-ack, classic: one-per-rtt).
    """
    rtt_clock: Time | None = None
    """Step of the clock that times one segment per RTT; 0s: exact (linux, rfc: 0s, classic: 10ms).
    """
    loss_rules: Literal["rfc", "ns-2"] | None = None
    """Rules for duplicate ACKs and repeated timeouts; effective only with loss_detection dupack
    (linux, rfc: rfc, classic: ns-2).
    """
    idle_restart: bool | None = None
    """Restart from a small window after idling, RFC 5681 section 4.1 (linux, rfc: true, classic:
    false).
    """
    ecn: Literal["off", "classic", "accurate", "l4s"] | None = None
    """Explicit congestion notification: off, RFC 3168, accurate counts of marked bytes on every
    ACK, or accurate counts with ECT(1), RFC 9331 (all: off).
    """
    pacing: Literal["off", "cwnd", "cc"] | None = None
    """Pacing: off, from cwnd as in Linux with fq, or the algorithm's own rate if it sets one
    (linux, rfc: cc, classic: off).
    """
    tso_defer: bool | None = None
    """Whether a burst that is not full waits for an ACK that is due soon, Linux's
    tcp_tso_should_defer (linux: true, rfc, classic: false).
    """
    host_time: TimeOrDistribution | None = None
    """Time from a packet's arrival at a host to TCP, such as "uniform(10us, 40us)"; packets of a
    flow stay in order (all: 0s).
    """
    clock_phase: TimeOrDistribution | None = None
    """Time since the last tick of the hosts' timers and timestamps when the run begins, such as
    "uniform(0ms, 4ms)" (all: 0s).
    """
