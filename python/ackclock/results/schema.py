"""Every column that a results folder holds: its type, unit and meaning. Frames, Parquet metadata and docs come from here."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    import polars as pl

Kind = Literal["name", "text", "integer", "real"]

STATES = ("open", "disorder", "cwr", "recovery", "loss")
"""The sender's states, in the order of the codes that the core writes; the names are those of Linux's `ca_state`."""

POINTS = ("sender", "receiver", "link")
EVENTS = ("send", "receive", "drop-forced", "drop-early", "drop-wire", "mark", "corrupt", "drop-policed", "duplicate")


REDUCTION_REASONS = (
    ("nothing", "cwnd reduced for", "nothing yet"),
    ("wire", "cwnd last reduced for", "a loss on the wire"),
    ("forced", "cwnd last reduced for", "a drop at a queue's limit"),
    ("early", "cwnd last reduced for", "a drop by a queue's own decision"),
    ("policed", "cwnd last reduced for", "a policer's drop"),
    ("mark", "cwnd last reduced for", "a mark (ECN)"),
    ("reordering", "cwnd last reduced for", "no loss: reordering or a spurious timeout"),
)
"""Code, and words for it, of what cwnd is reduced for, as the simulator knows it."""


class Column(NamedTuple):
    """One column of one table."""

    name: str
    kind: Kind
    unit: str
    meaning: str


def _spread(prefix: str, what: str) -> list[Column]:
    return [
        Column(f"{prefix}_count", "integer", "1", f"Samples of the {what}."),
        *(
            Column(f"{prefix}_{part}", "real", "s", f"{label} of the {what}; null without samples.")
            for part, label in (
                ("min", "Minimum"),
                ("mean", "Mean"),
                ("p50", "Median"),
                ("p95", "95th percentile"),
                ("p99", "99th percentile"),
                ("max", "Maximum"),
            )
        ),
    ]


FLOWS: Sequence[Column] = (
    Column("name", "text", "", "The flow's name."),
    Column("part_of", "text", "", "The flow that this connection carries with others (`parallel`, or its application); null for a flow."),
    Column("cc", "text", "", "Congestion control, as the registry reads it."),
    Column("start_time", "real", "s", "When the SYN was sent."),
    Column("finish_time", "real", "s", "When the last byte was acknowledged; null if the flow did not finish."),
    Column("fct", "real", "s", "Flow completion time, SYN to last byte acknowledged; null if the flow did not finish."),
    Column("active_time", "real", "s", "Time measured: from the later of start and warm-up to finish, stop or end of the run."),
    Column("goodput", "real", "bit/s", "Payload in order at the receiver, read or not, over active_time (RFC 5166 section 2.1.1)."),
    Column("throughput", "real", "bit/s", "Wire bytes of data packets at the receiver over active_time (RFC 5166 section 2.1.1)."),
    Column("loss_rate", "real", "1", "lost_packets over sent_packets (RFC 5166 section 2.1.3); null if more was lost than sent."),
    Column("retransmit_rate", "real", "1", "retransmitted_packets over sent_packets."),
    Column("sent_packets", "integer", "packets", "Data packets sent, retransmissions included."),
    Column("sent_bytes", "integer", "bytes", "Wire bytes of those."),
    Column("sent_payload_bytes", "integer", "bytes", "Payload of those."),
    Column("retransmitted_packets", "integer", "packets", "Data packets sent again."),
    Column("acked_bytes", "integer", "bytes", "Payload acknowledged."),
    Column("goodput_bytes", "integer", "bytes", "Payload in order at the receiver, read or not."),
    Column("received_bytes", "integer", "bytes", "Wire bytes of data packets at the receiver."),
    Column("lost_packets", "integer", "packets", "Data packets that the network dropped."),
    Column("marked_packets", "integer", "packets", "Data packets that a queue marked CE."),
    Column("timeouts", "integer", "1", "Expirations of the retransmission timer (RFC 6298)."),
    Column("spurious_timeouts", "integer", "1", "Timeouts that turned out to be needless (RFC 5682, RFC 3522)."),
    Column("recoveries", "integer", "1", "Episodes of fast recovery."),
    Column("undos", "integer", "1", "Window reductions taken back as spurious."),
    Column("tail_probes", "integer", "1", "Tail loss probes sent (RFC 8985 section 7)."),
    Column("ecn_reductions", "integer", "1", "Window reductions because of ECN (RFC 3168)."),
    Column("base_rtt", "real", "s", "The path's round-trip propagation time, without transmission, queueing or what hosts take."),
    *_spread("rtt", "round-trip time sampled by the sender"),
    *(
        Column(f"limited_{cause}", "real", "s", f"Time during which {what} kept the sender from sending more.")
        for cause, what in (
            ("cwnd", "cwnd"),
            ("receive_window", "the receiver's advertised window"),
            ("application", "lack of data from the application"),
            ("pacing", "pacing"),
            ("clamp", "the configured maximum of cwnd"),
        )
    ),
    Column("cwnd_max", "real", "bytes", "Largest cwnd."),
    *(
        Column(f"lost_{cause}", "integer", "packets", f"Data packets lost {how}; null for UDP streams.")
        for cause, how in (
            ("wire", "on the wire, those damaged there included"),
            ("forced", "because a queue's limit was reached"),
            ("early", "by a queue's own decision (RED, CoDel, PIE, ...)"),
            ("policed", "to a policer"),
        )
    ),
    *(
        Column(f"time_{phase}", "real", "s", f"Time spent {what}; null on a kernel and for UDP streams.")
        for phase, what in (
            ("slow_start", "in slow start (cwnd below ssthresh; within a round trip)"),
            ("recovery", "in fast recovery"),
            ("loss", "repairing what a timeout declared lost"),
            ("silence", "from the last packet sent to a timeout, but for what time_loss counts"),
        )
    ),
    *(
        Column(
            f"window_after_{reason}",
            "real",
            "s",
            f"Time limited by cwnd or pacing, with {how} {what}; null on a kernel and for UDP streams.",
        )
        for reason, how, what in REDUCTION_REASONS
    ),
    *(
        Column(f"reductions_{reason}", "integer", "1", f"Reductions of cwnd for {what}; null on a kernel and for UDP streams.")
        for reason, _, what in REDUCTION_REASONS[1:]
    ),
    Column("slow_start_end_cwnd", "real", "bytes", "cwnd when slow start ended first; null: it did not, or not known."),
    Column("slow_start_end_time", "real", "s", "When slow start ended first; null as slow_start_end_cwnd."),
)

LINKS: Sequence[Column] = (
    Column("name", "text", "", "The link's name, one per direction."),
    Column("rate", "real", "bit/s", "Line rate; the nominal one where it varies; null for an infinitely fast link."),
    Column("utilisation", "real", "1", "Bits sent over those that could have been sent (RFC 5136): busy_time over measured_time."),
    Column("arrived_packets", "integer", "packets", "Packets that came to the queue."),
    Column("delivered_packets", "integer", "packets", "Packets that reached the far end."),
    Column("delivered_bytes", "integer", "bytes", "Wire bytes of those."),
    Column("dropped_packets", "integer", "packets", "All packets dropped: forced, early, policed and on the wire."),
    Column("dropped_forced", "integer", "packets", "Dropped because the queue's limit was reached."),
    Column("dropped_early", "integer", "packets", "Dropped by the queue's own decision: a signal (RED, CoDel, PIE, ...)."),
    Column("dropped_policed", "integer", "packets", "Dropped by the policer before the queue."),
    Column("dropped_wire", "integer", "packets", "Lost on the wire, as the scenario's loss model asked."),
    Column("marked_packets", "integer", "packets", "Marked CE by the queue, and by none before it."),
    Column("corrupted_packets", "integer", "packets", "Damaged on the wire; the host where they end discards them."),
    Column("duplicated_packets", "integer", "packets", "Copies that the wire made."),
    Column("reordered_packets", "integer", "packets", "Arrived after a packet that was sent later (RFC 4737 section 3.3)."),
    Column(
        "busy_time",
        "real",
        "s",
        "Time spent transmitting; where the rate varies, measured_time times the share used of what it could send.",
    ),
    Column("measured_time", "real", "s", "From warm-up to the end of the run."),
    *_spread("queue_delay", "time that packets waited, transmission not included"),
    Column("queue_packets_mean", "real", "packets", "Time average of the queue's length."),
)

FLOW_SAMPLES: Sequence[Column] = (
    Column("time", "real", "s", "Simulated time."),
    Column("flow", "name", "", "The flow's name."),
    Column("cwnd", "real", "bytes", "Congestion window."),
    Column("ssthresh", "real", "bytes", "Slow-start threshold; null: none yet."),
    Column("srtt", "real", "s", "Smoothed round-trip time (RFC 6298); null before the first sample."),
    Column("rtt_sample", "real", "s", "Latest round-trip sample; null before the first."),
    Column("inflight", "real", "bytes", "Sent, not acknowledged, not deemed lost."),
    Column("pacing_rate", "real", "bit/s", "Pacing rate; null: not paced."),
    Column("delivery_rate", "real", "bit/s", "Latest delivery-rate sample; null before the first."),
    Column("delivered", "integer", "bytes", "Payload in order at the receiver, read or not, cumulative."),
    Column("acked", "integer", "bytes", "Payload acknowledged, cumulative."),
    Column("retransmitted", "integer", "packets", "Data packets sent again, cumulative."),
    Column("lost", "integer", "packets", "Data packets that the network dropped, cumulative."),
    Column("state", "name", "", f"Sender's state: {', '.join(STATES)} (as Linux's ca_state)."),
)

LINK_SAMPLES: Sequence[Column] = (
    Column("time", "real", "s", "Simulated time."),
    Column("link", "name", "", "The link's name."),
    Column("queue_packets", "integer", "packets", "Packets waiting."),
    Column("queue_bytes", "integer", "bytes", "Bytes waiting."),
    Column("queue_delay", "real", "s", "What a packet arriving now would wait."),
    Column("dropped", "integer", "packets", "Packets dropped, cumulative."),
    Column("dropped_forced", "integer", "packets", "Of these, at the queue's limit or RED's upper threshold, cumulative."),
    Column("dropped_early", "integer", "packets", "Of these, by RED at random, cumulative."),
    Column("marked", "integer", "packets", "Packets marked CE, cumulative."),
    Column("delivered_bytes", "integer", "bytes", "Wire bytes delivered, cumulative."),
    Column("red_average", "real", "packets", "RED's average queue (bytes in byte mode); null: the queue keeps none."),
)

INTERNALS: Sequence[Column] = (
    Column("time", "real", "s", "Simulated time."),
    Column("flow", "name", "", "The flow's name."),
    Column("name", "name", "", "Variable of the congestion control, as its documentation names it."),
    Column("value", "real", "", "Its value, in the unit that the algorithm's documentation gives."),
)

PACKETS: Sequence[Column] = (
    Column("time_ns", "integer", "ns", "Simulated time."),
    Column("point", "name", "", f"Where it was seen: {', '.join(POINTS)}."),
    Column("where", "text", "", "The flow's name (sender, receiver) or the link's."),
    Column(
        "event",
        "name",
        "",
        f"What happened: {', '.join(EVENTS)}; on a link send is enqueue, receive is delivery; corrupt: the host discarded it.",
    ),
    Column("flow", "name", "", "The flow that the packet belongs to."),
    Column("connection", "integer", "", "Which of the flow's connections, one after another, from 0; sessions open them anew."),
    Column("is_ack", "integer", "", "1 for a packet from the receiver to the sender."),
    Column("seq", "integer", "bytes", "Sequence number, relative to the initial one."),
    Column("length", "integer", "bytes", "Payload."),
    Column("ack", "integer", "bytes", "Acknowledgment number, relative to the initial one."),
    Column("wire_size", "integer", "bytes", "Bytes that the packet occupied on a link."),
    Column("flags", "integer", "", "TCP flag bits, as in the header."),
    Column("ecn", "integer", "", "IP ECN field, 0 to 3."),
    Column("window", "integer", "bytes", "Advertised window, scaled."),
    Column("ts_val", "integer", "", "Timestamp value (RFC 7323)."),
    Column("ts_ecr", "integer", "", "Timestamp echo reply."),
    *(
        Column(f"sack{block}_{edge}", "integer", "bytes", f"{edge.capitalize()} of SACK block {block + 1}; 0: no such block.")
        for block in range(3)
        for edge in ("start", "end")
    ),
)

TRANSFER_KINDS = ("file", "page", "object", "response", "segment", "stall")

TRANSFERS: Sequence[Column] = (
    Column("flow", "text", "", "The flow whose application moved it."),
    Column("kind", "name", "", f"What it is: {', '.join(TRANSFER_KINDS)}; a stall moves nothing: a player waits."),
    Column("number", "integer", "", "From 1, per flow and kind."),
    Column("start_time", "real", "s", "When it began: the connection was opened for it, or it was asked for."),
    Column("finish_time", "real", "s", "When it ended; null: it did not before the run's end."),
    Column("size", "integer", "bytes", "Payload."),
    Column("rate", "real", "bit/s", "Encoded rate of a segment; null otherwise."),
)

STREAMS: Sequence[Column] = (
    Column("name", "text", "", "The UDP stream's name."),
    Column("sent_packets", "integer", "packets", "Datagrams sent."),
    Column("sent_bytes", "integer", "bytes", "Wire bytes of those."),
    Column("received_packets", "integer", "packets", "Datagrams that arrived, each once."),
    Column("received_bytes", "integer", "bytes", "Wire bytes of those."),
    Column("lost_packets", "integer", "packets", "Datagrams that the network dropped."),
    Column("duplicate_packets", "integer", "packets", "Copies of what had arrived."),
    Column("reordered_packets", "integer", "packets", "Datagrams that one sent later had overtaken (RFC 4737 section 3.3)."),
    Column("late_packets", "integer", "packets", "Datagrams that came too late to be played."),
    Column("unplayed_packets", "integer", "packets", "Lost or late, of those that one sent later has followed."),
    Column("unplayed_bursts", "integer", "1", "Runs of these without a played one between."),
    Column("playout_delay", "real", "s", "Mean time from sending to playing: a first one's delay and the buffer; null: nothing is played."),
    *_spread("delay", "one-way delay"),
    Column("jitter", "real", "s", "Interarrival jitter at the end (RFC 3550 section 6.4.1)."),
    Column("jitter_max", "real", "s", "The largest that it was."),
    Column("frames_sent", "integer", "1", "Frames of a film; null, as the following: it has no frames."),
    Column("frames_complete", "integer", "1", "Frames that were complete when they were wanted."),
    Column("frames_late", "integer", "1", "Frames that were complete later."),
    Column("frames_lost", "integer", "1", "Frames that were wanted and never complete."),
    Column("frames_decodable", "integer", "1", "Frames that could be decoded in time."),
    Column("r_factor", "real", "1", "Rating R of a voice stream (ITU-T G.107); null for others."),
    Column("mos", "real", "1", "Its mean opinion score (ITU-T G.107 annex B); null for others."),
)

FRAME_KINDS = ("I", "P", "B", "-")
FRAME_STATES = ("on-time", "late", "lost", "open")

FRAMES: Sequence[Column] = (
    Column("flow", "name", "", "The UDP stream's name."),
    Column("number", "integer", "", "From 1, per stream, in the order of sending."),
    Column("kind", "name", "", f"Kind of the frame: {', '.join(FRAME_KINDS)}; - is not known."),
    Column("size", "integer", "bytes", "Size of the encoded frame, without headers."),
    Column("sent_time", "real", "s", "When it was sent."),
    Column("complete_time", "real", "s", "When its last datagram arrived; null: never."),
    Column("deadline", "real", "s", "When the player wants it; null: nothing of the film arrived."),
    Column("state", "name", "", f"What became of it: {', '.join(FRAME_STATES)}; open: the run ended before it was wanted."),
    Column("decodable", "integer", "", "1: it could be decoded in time: it and all that it needs, directly or not, were there."),
)

DATAGRAMS: Sequence[Column] = (
    Column("flow", "name", "", "The UDP stream's name."),
    Column("number", "integer", "", "From 0, per stream."),
    Column("sent_time", "real", "s", "When it was sent."),
    Column("size", "integer", "bytes", "Bytes that it occupied on a link."),
    Column("frame", "integer", "", "The frame that it is a part of; null: of none."),
    Column("delay", "real", "s", "One way; null: it did not arrive."),
    Column("jitter", "real", "s", "Interarrival jitter after it (RFC 3550 section 6.4.1); null: it did not arrive."),
)

_FLOWS = (
    "One row per flow: what the core counted since the warm-up, and the metrics made from it. A flow of several connections (`parallel`) "
    "has a row with what they counted together (of the times under limited_* their mean, of cwnd_max the largest; it is finished with the "
    "last of them), and after it a row per connection, which names the flow in part_of."
)

TABLES: Mapping[str, tuple[Sequence[Column], str]] = {
    "flows": (FLOWS, _FLOWS),
    "transfers": (TRANSFERS, "What applications moved that open connections by themselves: a row each, in order of start."),
    "streams": (
        STREAMS,
        "One row per UDP stream; it has one in flows.parquet too, with cc = udp.",
    ),
    "links": (LINKS, "One row per link and direction, the bottleneck first."),
    "samples/flows": (FLOW_SAMPLES, "Time series of flows; of a flow of several connections, of each of them."),
    "samples/links": (LINK_SAMPLES, "Time series of links."),
    "samples/internals": (INTERNALS, "Time series of the algorithms' own variables."),
    "frames": (FRAMES, "One row per frame of every film that a UDP stream sent, the warm-up's too."),
    "samples/datagrams": (DATAGRAMS, "One row per datagram of every UDP stream, if time series are recorded."),
    "packets": (PACKETS, "One row per packet and point, if the scenario records packets."),
}
"""Columns and a sentence for every Parquet file of a run's folder, by its path without the suffix."""


def units(table: str) -> dict[str, str]:
    """Unit of every column of a table; the empty string for names and codes."""
    return {column.name: column.unit for column in TABLES[table][0]}


def conform(frame: "pl.DataFrame", table: str) -> "pl.DataFrame":
    """Give a frame the table's columns in their order, with their types."""
    import polars as pl

    types = {"integer": pl.Int64, "real": pl.Float64, "text": pl.String}
    return frame.select(
        pl.col(column.name) if column.kind == "name" else pl.col(column.name).cast(types[column.kind]) for column in TABLES[table][0]
    )


_PLAIN: Mapping[Kind, type] = {"integer": int, "real": float, "text": str}


def conform_row(row: Mapping[str, Any], table: str) -> dict[str, Any]:
    """The same for one row of a table without names: what the frame's row would be, without the millisecond that a frame takes."""
    return {column.name: None if (value := row[column.name]) is None else _PLAIN[column.kind](value) for column in TABLES[table][0]}


def empty(table: str) -> "pl.DataFrame":
    """The table without rows."""
    import polars as pl

    columns = {column.name: pl.Float64 if column.kind in ("integer", "real") else pl.String for column in TABLES[table][0]}
    return conform(pl.DataFrame(schema=columns), table)
