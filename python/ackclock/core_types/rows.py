"""Rows and tables of a run, as the core gives them. Made by ``python tools/border``."""

from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Datagrams",
    "Decisions",
    "FlowRow",
    "FlowSamples",
    "Frames",
    "Internals",
    "LinkRow",
    "LinkSamples",
    "Packets",
    "SessionRow",
    "StreamRow",
    "Transfers",
]


class FlowRow(TypedDict):
    """Counters of a flow since the warm-up."""

    name: str
    """The flow's name."""
    part_of: str | None
    """The flow that this connection carries with others (`parallel`, or its application); None for
    a flow.
    """
    cc: str
    """Congestion control, as the registry reads it."""
    start_time: float
    """When the flow starts by its plan. A connection of a session sends its SYN later. Unit: s."""
    finish_time: float | None
    """When the last byte was acknowledged; None if the flow did not finish. Unit: s."""
    fct: float | None
    """Flow completion time, from `start_time` to the last byte acknowledged; None if the flow did
    not finish. Unit: s.
    """
    active_time: float
    """Time measured: from the later of start and warm-up to finish, stop or end of the run. Unit:
    s.
    """
    sent_packets: int
    """Data packets sent, retransmissions included. Unit: packets."""
    sent_bytes: int
    """Wire bytes of the data packets sent. Unit: bytes."""
    sent_payload_bytes: int
    """Payload of the data packets sent. Unit: bytes."""
    retransmitted_packets: int
    """Data packets sent again. Unit: packets."""
    acked_bytes: int
    """Payload acknowledged. Unit: bytes."""
    goodput_bytes: int
    """Payload in order at the receiver, read or not. Data that an optimistic receiver acknowledges
    and that never arrives is left out. Unit: bytes.
    """
    received_bytes: int
    """Wire bytes of data packets at the receiver. Unit: bytes."""
    lost_packets: int
    """Data packets that the network dropped. Unit: packets."""
    marked_packets: int
    """Data packets that a queue marked CE. Unit: packets."""
    timeouts: int
    """Retransmission timeouts, those of the SYN included (RFC 6298)."""
    spurious_timeouts: int
    """Timeouts that turned out to be needless (RFC 5682, RFC 3522)."""
    recoveries: int
    """Episodes of fast recovery."""
    undos: int
    """Window reductions taken back as spurious."""
    tail_probes: int
    """Tail loss probes sent (RFC 8985 section 7)."""
    ecn_reductions: int
    """Window reductions because of ECN (RFC 3168)."""
    base_rtt: float
    """The path's round-trip propagation time, without transmission, queueing or what hosts take.
    Unit: s.
    """
    rtt_count: int
    """Samples of the round-trip time sampled by the sender."""
    rtt_min: float | None
    """Minimum of the round-trip time sampled by the sender; None without samples. Unit: s."""
    rtt_mean: float | None
    """Mean of the round-trip time sampled by the sender; None without samples. Unit: s."""
    rtt_p50: float | None
    """Median of the round-trip time sampled by the sender; None without samples. Unit: s."""
    rtt_p95: float | None
    """95th percentile of the round-trip time sampled by the sender; None without samples. Unit:
    s.
    """
    rtt_p99: float | None
    """99th percentile of the round-trip time sampled by the sender; None without samples. Unit:
    s.
    """
    rtt_max: float | None
    """Maximum of the round-trip time sampled by the sender; None without samples. Unit: s."""
    limited_cwnd: float
    """Time during which cwnd kept the sender from sending more. Unit: s."""
    limited_receive_window: float
    """Time during which the receiver's advertised window kept the sender from sending more. Unit:
    s.
    """
    limited_application: float
    """Time during which lack of data from the application kept the sender from sending more. Unit:
    s.
    """
    limited_pacing: float
    """Time during which pacing kept the sender from sending more. Unit: s."""
    limited_clamp: float
    """Time during which the configured maximum of cwnd kept the sender from sending more. Unit:
    s.
    """
    cwnd_max: float
    """Largest cwnd. Unit: bytes."""
    lost_wire: int | None
    """Data packets lost on the wire, those damaged there included; None for UDP streams. Unit:
    packets.
    """
    lost_forced: int | None
    """Data packets lost because the queue was full, or its average so high that every packet is
    dropped; None for UDP streams. Unit: packets.
    """
    lost_early: int | None
    """Data packets lost by a queue's own decision (RED, `CoDel`, PIE, ...); None for UDP streams.
    Unit: packets.
    """
    lost_policed: int | None
    """Data packets lost to a policer; None for UDP streams. Unit: packets."""
    time_slow_start: float | None
    """Time with cwnd below ssthresh, to within a round trip; None on a kernel and for UDP streams.
    Unit: s.
    """
    time_recovery: float | None
    """Time spent in fast recovery; None on a kernel and for UDP streams. Unit: s."""
    time_loss: float | None
    """Time spent repairing the segments that a timeout declared lost; None on a kernel and for UDP
    streams. Unit: s.
    """
    time_silence: float | None
    """Time spent from the last packet sent to a timeout, without the time in `time_loss`; None on a
    kernel and for UDP streams. Unit: s.
    """
    window_after_nothing: float | None
    """Time limited by cwnd or pacing, with cwnd reduced for nothing yet; None on a kernel and for
    UDP streams. Unit: s.
    """
    window_after_wire: float | None
    """Time limited by cwnd or pacing, with cwnd last reduced for a loss on the wire; None on a
    kernel and for UDP streams. Unit: s.
    """
    window_after_forced: float | None
    """Time limited by cwnd or pacing, with cwnd last reduced for a drop at a queue's limit; None on
    a kernel and for UDP streams. Unit: s.
    """
    window_after_early: float | None
    """Time limited by cwnd or pacing, with cwnd last reduced for a drop by a queue's own decision;
    None on a kernel and for UDP streams. Unit: s.
    """
    window_after_policed: float | None
    """Time limited by cwnd or pacing, with cwnd last reduced for a policer's drop; None on a kernel
    and for UDP streams. Unit: s.
    """
    window_after_mark: float | None
    """Time limited by cwnd or pacing, with cwnd last reduced for a mark (ECN); None on a kernel and
    for UDP streams. Unit: s.
    """
    window_after_reordering: float | None
    """Time limited by cwnd or pacing, with cwnd last reduced for no loss: reordering or a spurious
    timeout; None on a kernel and for UDP streams. Unit: s.
    """
    reductions_wire: int | None
    """Reductions of cwnd for a loss on the wire; None on a kernel and for UDP streams."""
    reductions_forced: int | None
    """Reductions of cwnd for a drop at a queue's limit; None on a kernel and for UDP streams."""
    reductions_early: int | None
    """Reductions of cwnd for a drop by a queue's own decision; None on a kernel and for UDP
    streams.
    """
    reductions_policed: int | None
    """Reductions of cwnd for a policer's drop; None on a kernel and for UDP streams."""
    reductions_mark: int | None
    """Reductions of cwnd for a mark (ECN); None on a kernel and for UDP streams."""
    reductions_reordering: int | None
    """Reductions of cwnd for no loss: reordering or a spurious timeout; None on a kernel and for
    UDP streams.
    """
    slow_start_end_cwnd: float | None
    """cwnd when slow start ended first; None: it did not, or not known. Unit: bytes."""
    slow_start_end_time: float | None
    """When slow start ended first; None as `slow_start_end_cwnd`. Unit: s."""


class LinkRow(TypedDict):
    """Counters of one direction of a link since the warm-up."""

    name: str
    """The link's name, one per direction."""
    rate: float | None
    """Line rate; the nominal one where it varies; None for an infinitely fast link. Unit: bit/s."""
    arrived_packets: int
    """Packets that arrived at the link, before its policer and its queue. Unit: packets."""
    delivered_packets: int
    """Packets that reached the far end. Unit: packets."""
    delivered_bytes: int
    """Wire bytes of the packets that reached the far end. Unit: bytes."""
    dropped_packets: int
    """All packets dropped: forced, early, policed and on the wire. Unit: packets."""
    dropped_forced: int
    """Dropped because the queue was full, or its average so high that every packet is dropped.
    Unit: packets.
    """
    dropped_early: int
    """Dropped by the queue's own decision: a signal (RED, `CoDel`, PIE, ...). Unit: packets."""
    dropped_policed: int
    """Dropped by the policer before the queue. Unit: packets."""
    dropped_wire: int
    """Lost on the wire: by the loss model, in an outage, or on a link that never sends again. Unit:
    packets.
    """
    marked_packets: int
    """Marked CE by the queue, and by none before it. Unit: packets."""
    corrupted_packets: int
    """Damaged on the wire; the host where they end discards them. Unit: packets."""
    duplicated_packets: int
    """Copies that the wire made. Unit: packets."""
    reordered_packets: int
    """Arrived after a packet that was sent later (RFC 4737 section 3.3). Unit: packets."""
    busy_time: float
    """Time spent transmitting; where the rate varies, `measured_time` times the share used of its
    capacity. Unit: s.
    """
    measured_time: float
    """From warm-up to the end of the run. Unit: s."""
    queue_delay_count: int
    """Samples of the time that packets waited, transmission not included."""
    queue_delay_min: float | None
    """Minimum of the time that packets waited, transmission not included; None without samples.
    Unit: s.
    """
    queue_delay_mean: float | None
    """Mean of the time that packets waited, transmission not included; None without samples. Unit:
    s.
    """
    queue_delay_p50: float | None
    """Median of the time that packets waited, transmission not included; None without samples.
    Unit: s.
    """
    queue_delay_p95: float | None
    """95th percentile of the time that packets waited, transmission not included; None without
    samples. Unit: s.
    """
    queue_delay_p99: float | None
    """99th percentile of the time that packets waited, transmission not included; None without
    samples. Unit: s.
    """
    queue_delay_max: float | None
    """Maximum of the time that packets waited, transmission not included; None without samples.
    Unit: s.
    """
    queue_packets_mean: float
    """Time average of the queue's length over `measured_time`. Unit: packets."""


class StreamRow(TypedDict):
    """Counters of a UDP stream since the warm-up."""

    name: str
    """The UDP stream's name."""
    sent_packets: int
    """Datagrams sent. Unit: packets."""
    sent_bytes: int
    """Wire bytes of the datagrams sent. Unit: bytes."""
    received_packets: int
    """Datagrams that arrived, each once. Unit: packets."""
    received_bytes: int
    """Wire bytes of the datagrams that arrived. Unit: bytes."""
    lost_packets: int
    """Datagrams that the network dropped. Unit: packets."""
    duplicate_packets: int
    """Copies of what had arrived. Unit: packets."""
    reordered_packets: int
    """Datagrams that one sent later had overtaken (RFC 4737 section 3.3). Unit: packets."""
    late_packets: int
    """Datagrams that came too late to be played. Unit: packets."""
    unplayed_packets: int
    """Datagrams lost or late, of those that one sent later has followed. Unit: packets."""
    unplayed_bursts: int
    """Runs of unplayed datagrams without a played one between."""
    playout_delay: float | None
    """Mean time from sending to playing: a first one's delay and the buffer; None: nothing is
    played. Unit: s.
    """
    delay_count: int
    """Samples of the one-way delay."""
    delay_min: float | None
    """Minimum of the one-way delay; None without samples. Unit: s."""
    delay_mean: float | None
    """Mean of the one-way delay; None without samples. Unit: s."""
    delay_p50: float | None
    """Median of the one-way delay; None without samples. Unit: s."""
    delay_p95: float | None
    """95th percentile of the one-way delay; None without samples. Unit: s."""
    delay_p99: float | None
    """99th percentile of the one-way delay; None without samples. Unit: s."""
    delay_max: float | None
    """Maximum of the one-way delay; None without samples. Unit: s."""
    jitter: float
    """Interarrival jitter at the end (RFC 3550 section 6.4.1). Unit: s."""
    jitter_max: float
    """Largest interarrival jitter at any time. Unit: s."""
    frames_sent: int | None
    """Frames of a film; None, as in the next columns: it has no frames."""
    frames_complete: int | None
    """Frames that were complete when they were wanted."""
    frames_late: int | None
    """Frames that were complete later."""
    frames_lost: int | None
    """Frames that were wanted and never complete."""
    frames_decodable: int | None
    """Frames that could be decoded in time."""


class SessionRow(TypedDict):
    """Figures of a session, without its transfers."""

    name: str
    """The session's name."""
    waited: int
    """Number of times that a transfer or a user found no connection free."""


class Transfers(TypedDict):
    """Transfers of sessions. Not a number: no value."""

    flow: NDArray[np.uint32]
    """Index of the session."""
    kind: NDArray[np.uint8]
    """Code: 0 file, 1 page, 2 object, 3 response, 4 segment, 5 stall, 6 round."""
    number: NDArray[np.uint64]
    """Number of the transfer from 1, per flow and kind."""
    start_time: NDArray[np.float64]
    """Start of the transfer: its connection was opened, or it was asked for. Unit: s."""
    finish_time: NDArray[np.float64]
    """End of the transfer; None: it did not end before the run. Unit: s."""
    size: NDArray[np.uint64]
    """Payload. Unit: bytes."""
    rate: NDArray[np.float64]
    """Encoded rate of a segment; None otherwise. Unit: bit/s."""


class Frames(TypedDict):
    """Frames that UDP streams sent. Not a number: no value."""

    flow: NDArray[np.uint32]
    """Index of the UDP stream."""
    number: NDArray[np.uint64]
    """From 1, per stream, in the order of sending."""
    kind: NDArray[np.uint8]
    """Kind of the frame: I, P, B, -; - is not known."""
    size: NDArray[np.uint32]
    """Size of the encoded frame, without headers. Unit: bytes."""
    sent_time: NDArray[np.float64]
    """When it was sent. Unit: s."""
    complete_time: NDArray[np.float64]
    """Arrival of its last datagram; None: never. Unit: s."""
    deadline: NDArray[np.float64]
    """Time at which the player needs the frame; None: nothing of the film arrived. Unit: s."""
    state: NDArray[np.uint8]
    """Code: 0 on-time, 1 late, 2 lost, 3 open."""
    decodable: NDArray[np.uint8]
    """1: the frame could be decoded in time: it and all frames that it needs were there."""


class Datagrams(TypedDict):
    """Datagrams that UDP streams sent. Not a number: no value."""

    flow: NDArray[np.uint32]
    """Index of the UDP stream."""
    number: NDArray[np.uint64]
    """From 0, per stream."""
    sent_time: NDArray[np.float64]
    """When it was sent. Unit: s."""
    size: NDArray[np.uint32]
    """Bytes that it occupied on a link. Unit: bytes."""
    frame: NDArray[np.uint32]
    """The frame that it is a part of; None: of none."""
    delay: NDArray[np.float64]
    """One-way delay; None: it did not arrive. Unit: s."""
    jitter: NDArray[np.float64]
    """Interarrival jitter after it (RFC 3550 section 6.4.1); None: it did not arrive. Unit: s."""


class FlowSamples(TypedDict):
    """Time series of flows. Not a number: no value."""

    time: NDArray[np.float64]
    """Simulated time. Unit: s."""
    flow: NDArray[np.uint32]
    """Index of the flow; streams are numbered after the flows."""
    cwnd: NDArray[np.float64]
    """Congestion window in force; in recovery, what PRR or inflation allows. Unit: bytes."""
    ssthresh: NDArray[np.float64]
    """Slow-start threshold; None: none yet. Unit: bytes."""
    srtt: NDArray[np.float64]
    """Smoothed round-trip time (RFC 6298); None before the first sample. Unit: s."""
    rtt_sample: NDArray[np.float64]
    """Latest round-trip sample; None before the first. Unit: s."""
    inflight: NDArray[np.float64]
    """Sent, not acknowledged, not deemed lost. Unit: bytes."""
    pacing_rate: NDArray[np.float64]
    """Pacing rate; None: not paced. Unit: bit/s."""
    delivery_rate: NDArray[np.float64]
    """Latest delivery-rate sample; None before the first. Unit: bit/s."""
    delivered: NDArray[np.uint64]
    """Payload in order at the receiver, read or not, since the start. Unit: bytes."""
    acked: NDArray[np.uint64]
    """Payload acknowledged since the start. Unit: bytes."""
    sent: NDArray[np.uint64]
    """Data packets sent since the warm-up, retransmissions included. Unit: packets."""
    retransmitted: NDArray[np.uint64]
    """Data packets sent again since the warm-up. Unit: packets."""
    lost: NDArray[np.uint64]
    """Data packets that the network dropped since the warm-up. Unit: packets."""
    state: NDArray[np.uint8]
    """Code: 0 open, 1 disorder, 2 cwr, 3 recovery, 4 loss."""


class LinkSamples(TypedDict):
    """Time series of links. Not a number: no value."""

    time: NDArray[np.float64]
    """Simulated time. Unit: s."""
    link: NDArray[np.uint32]
    """Index of the link."""
    queue_packets: NDArray[np.uint32]
    """Packets waiting. Unit: packets."""
    queue_bytes: NDArray[np.uint64]
    """Bytes waiting. Unit: bytes."""
    queue_delay: NDArray[np.float64]
    """Time that a packet arriving now would wait. Unit: s."""
    dropped: NDArray[np.uint64]
    """Packets dropped since the warm-up, those lost on the wire included. Unit: packets."""
    dropped_forced: NDArray[np.uint64]
    """Packets dropped at the queue's limit or RED's upper threshold since the warm-up. Unit:
    packets.
    """
    dropped_early: NDArray[np.uint64]
    """Packets dropped by the queue's own decision (RED, `CoDel`, PIE, ...) since the warm-up. Unit:
    packets.
    """
    marked: NDArray[np.uint64]
    """Packets marked CE since the warm-up. Unit: packets."""
    delivered_bytes: NDArray[np.uint64]
    """Wire bytes that reached the far end since the warm-up. Unit: bytes."""
    red_average: NDArray[np.float64]
    """RED's average queue (bytes in byte mode); None: the queue keeps none. Unit: packets."""


class Internals(TypedDict):
    """Time series of the algorithms' own variables."""

    time: NDArray[np.float64]
    """Simulated time. Unit: s."""
    flow: NDArray[np.uint32]
    """Index of the flow; streams are numbered after the flows."""
    name: NDArray[np.uint16]
    """Index into `names`; 65535: none."""
    value: NDArray[np.float64]
    """Value of the variable, in the unit that the algorithm's documentation gives."""
    names: list[str]
    """Names of the variables."""


class Packets(TypedDict):
    """Packet events."""

    time_ns: NDArray[np.uint64]
    """Simulated time, rounded down. Unit: ns."""
    point: NDArray[np.uint8]
    """Code: 0 sender, 1 receiver, 2 link."""
    where: NDArray[np.uint32]
    """Index of the flow, or of the link where `point` is 2."""
    event: NDArray[np.uint8]
    """Code: 0 send, 1 receive, 2 drop-forced, 3 drop-early, 4 drop-wire, 5 mark, 6 corrupt, 7
    drop-policed, 8 duplicate.
    """
    flow: NDArray[np.uint32]
    """Index of the flow; streams are numbered after the flows."""
    connection: NDArray[np.uint32]
    """Number of the connection within the flow, from 0; a session opens one after another."""
    is_ack: NDArray[np.uint8]
    """1 for a packet from the receiver to the sender, else 0."""
    seq: NDArray[np.uint64]
    """Sequence number, relative to the initial one. Unit: bytes."""
    length: NDArray[np.uint32]
    """Payload. Unit: bytes."""
    ack: NDArray[np.uint64]
    """Acknowledgment number, relative to the initial one. Unit: bytes."""
    wire_size: NDArray[np.uint32]
    """Bytes that the packet occupied on a link. Unit: bytes."""
    flags: NDArray[np.uint16]
    """TCP flag bits, as in the header."""
    ecn: NDArray[np.uint8]
    """IP ECN field, 0 to 3."""
    window: NDArray[np.uint32]
    """Advertised window, scaled. Unit: bytes."""
    ts_val: NDArray[np.uint32]
    """Timestamp value (RFC 7323)."""
    ts_ecr: NDArray[np.uint32]
    """Timestamp echo reply."""
    sack0_start: NDArray[np.uint64]
    """Start of SACK block 1; 0: no such block. Unit: bytes."""
    sack0_end: NDArray[np.uint64]
    """End of SACK block 1; 0: no such block. Unit: bytes."""
    sack1_start: NDArray[np.uint64]
    """Start of SACK block 2; 0: no such block. Unit: bytes."""
    sack1_end: NDArray[np.uint64]
    """End of SACK block 2; 0: no such block. Unit: bytes."""
    sack2_start: NDArray[np.uint64]
    """Start of SACK block 3; 0: no such block. Unit: bytes."""
    sack2_end: NDArray[np.uint64]
    """End of SACK block 3; 0: no such block. Unit: bytes."""


class Decisions(TypedDict):
    """Decisions of senders. Not a number: no value."""

    time: NDArray[np.float64]
    """Simulated time. Unit: s."""
    flow: NDArray[np.uint32]
    """Index of the flow; streams are numbered after the flows."""
    cause: NDArray[np.uint8]
    """Code: 0 start, 1 ack, 2 timeout, 3 tail_probe, 4 reordering_timer, 5 pacing_timer, 6
    window_probe, 7 application.
    """
    acked_bytes: NDArray[np.uint64]
    """Payload that the event acknowledged cumulatively. Unit: bytes."""
    sacked_bytes: NDArray[np.uint64]
    """Bytes that the ACK acknowledged selectively for the first time. Unit: bytes."""
    lost_bytes: NDArray[np.uint64]
    """Bytes that the sender declared lost at the event. Unit: bytes."""
    is_duplicate: NDArray[np.uint8]
    """1 for a duplicate ACK, else 0."""
    has_ece: NDArray[np.uint8]
    """1 for an ACK that tells of CE marks, else 0."""
    una: NDArray[np.uint64]
    """Payload acknowledged cumulatively since the start, on all of the flow's connections. Unit:
    bytes.
    """
    episode: NDArray[np.uint8]
    """Code: 0 open, 1 disorder, 2 cwr, 3 recovery, 4 loss."""
    round: NDArray[np.uint64]
    """Packet-timed round trips since the connection began."""
    round_start: NDArray[np.uint8]
    """1 if the ACK began a round trip, else 0."""
    delivery_rate: NDArray[np.float64]
    """Delivery-rate sample of the ACK; None: it gave none. Unit: bit/s."""
    sample_interval: NDArray[np.float64]
    """Time over which the delivery-rate sample was taken; None: there is no sample. Unit: s."""
    is_app_limited: NDArray[np.uint8]
    """1 if the application limited the delivery-rate sample, else 0."""
    rtt_sample: NDArray[np.float64]
    """RTT that the ACK measured; None: none. Unit: s."""
    srtt: NDArray[np.float64]
    """Smoothed RTT after the event (RFC 6298); None before the first sample. Unit: s."""
    rttvar: NDArray[np.float64]
    """RTT variation after the event (RFC 6298); None before the first sample. Unit: s."""
    min_rtt: NDArray[np.float64]
    """Smallest RTT sample of the connection; None before the first. Unit: s."""
    rto: NDArray[np.float64]
    """Retransmission timeout after the event, backed off. Unit: s."""
    told: NDArray[np.uint8]
    """Code: 0 nothing, 1 handshake, 2 transmit_start, 3 ack, 4 interval, 5 loss_window, 6
    recovery_exit, 7 recovery_in_reduced_window, 8 rtt, 9 idle_restart, 10 window_kept, 11 lost_syn,
    12 undo, 13 repeated_timeout, 14 ecn, 15 loss, 16 timeout.
    """
    calls: NDArray[np.uint32]
    """All calls that told the congestion control of the event: bit n is set for code n of
    `told`.
    """
    cwnd_before: NDArray[np.float64]
    """Congestion window in force before the event. Unit: bytes."""
    cwnd: NDArray[np.float64]
    """Congestion window in force after the event; in recovery, what PRR or inflation allows. Unit:
    bytes.
    """
    target_cwnd: NDArray[np.float64]
    """The algorithm's own window after the event; in recovery, `cwnd` approaches it. Unit:
    bytes.
    """
    ssthresh_before: NDArray[np.float64]
    """Slow-start threshold before the event; None: none yet. Unit: bytes."""
    ssthresh: NDArray[np.float64]
    """Slow-start threshold after the event; None: none yet. Unit: bytes."""
    pacing_before: NDArray[np.float64]
    """Pacing rate before the event; None: not paced. Unit: bit/s."""
    pacing_rate: NDArray[np.float64]
    """Pacing rate after the event; None: not paced. Unit: bit/s."""
    rule: NDArray[np.uint16]
    """Index into `names`; 65535: none."""
    transport_rule: NDArray[np.uint16]
    """Index into `names`; 65535: none."""
    inflight: NDArray[np.float64]
    """Sent, not acknowledged, not deemed lost, after the event. Unit: bytes."""
    room: NDArray[np.uint32]
    """Full packets that cwnd allowed to send at the event. Unit: packets."""
    sent: NDArray[np.uint32]
    """Data packets sent at the event, retransmissions included. Unit: packets."""
    retransmitted: NDArray[np.uint32]
    """Data packets sent again at the event. Unit: packets."""
    held_by: NDArray[np.uint8]
    """Code: 0 cwnd, 1 receive_window, 2 application, 3 pacing, 4 clamp, 5 closed."""
    names: list[str]
    """Rules, each with its source in parentheses."""
