//! Figures of a connection: what was agreed, what was sent, what was repeated.

use std::collections::BTreeMap;

use serde::Serialize;

use super::tables::{KINDS, Kind};
use super::{Record, Walk};
use crate::connections::seconds;
use crate::layout::Vantage;
use crate::segment::flags;

/// Bytes that the timestamps option takes from a segment (RFC 7323 appendix A).
const TIMESTAMPS_BYTES: u32 = 12;
/// Payload of a full segment where nothing tells it.
const USUAL_PAYLOAD: u32 = 1448;

/// Agreements of both ends; of pairs the first is the data sender's.
#[derive(Clone, Debug, Serialize)]
pub struct Agreed {
    /// MSS options, bytes; null: not captured.
    pub mss: [Option<u16>; 2],
    /// Payload of a full segment, bytes.
    pub payload: u32,
    /// Shifts of the windows; null: not captured, or not offered.
    pub window_shifts: [Option<u8>; 2],
    /// Whether both permit SACK; null: the handshake was not captured.
    pub sack: Option<bool>,
    /// Whether both use timestamps.
    pub timestamps: bool,
    /// Whether both agreed on ECN; null: the handshake was not captured.
    pub ecn: Option<bool>,
}

impl Agreed {
    /// Reads the agreements from the handshake, and the size of a full segment from the data.
    #[must_use]
    pub fn find(records: &[Record], data_from_client: bool) -> Self {
        let mut mss = [None; 2];
        let mut window_shifts = [None; 2];
        let mut sack = [None; 2];
        let mut ecn = [None; 2];
        let mut timestamps = [false; 2];
        let mut lengths = BTreeMap::<u32, u64>::new();
        for record in records {
            let side = usize::from(record.from_client != data_from_client);
            let segment = &record.segment;
            let options = &segment.options;
            timestamps[side] |= options.timestamps.is_some();
            if segment.has(flags::SYN) {
                mss[side] = options.mss;
                window_shifts[side] = options.window_shift;
                sack[side] = Some(options.sack_permitted);
                // A SYN asks with ECE and CWR, the answer is ECE alone (RFC 3168 section 6.1.1).
                ecn[side] = Some(segment.has(flags::ECE));
            } else if side == 0 && segment.payload > 0 {
                *lengths.entry(segment.payload).or_default() += 1;
            }
        }
        let timestamps = timestamps[0] && timestamps[1];
        let stamp = if timestamps { TIMESTAMPS_BYTES } else { 0 };
        let smaller = match mss {
            [Some(one), Some(other)] => Some(one.min(other)),
            [one, other] => one.or(other),
        };
        let commonest = lengths.iter().max_by_key(|&(&length, &count)| (count, length));
        let offered = smaller.map(|mss| u32::from(mss).saturating_sub(stamp));
        let payload = match (offered.filter(|&payload| payload > 0), commonest) {
            // An end may send less than the other end takes, if its own link is narrower.
            (Some(offered), Some((&length, _))) if length < offered && 2 * length > offered => {
                length
            }
            (Some(offered), _) => offered,
            (None, Some((&length, _))) if length <= 9000 => length,
            (None, _) => USUAL_PAYLOAD,
        };
        let both = |it: [Option<bool>; 2]| it[0].zip(it[1]).map(|(one, other)| one && other);
        Self { mss, payload, window_shifts, sack: both(sack), timestamps, ecn: both(ecn) }
    }
}

/// Figures of a connection.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// Number of the connection in the capture.
    pub number: usize,
    /// Whether the client sends the data; the direction with more payload is laid out.
    pub data_from_client: bool,
    /// Where the capture was made.
    pub vantage: Vantage,
    /// Agreements of both ends.
    pub agreed: Agreed,
    /// Segments that are laid out.
    pub segments: usize,
    /// Segments above the number that is laid out.
    pub left_out: u64,
    /// First to last segment, s.
    pub duration: f64,
    /// First to last segment with payload, s.
    pub data_duration: f64,
    /// Payload without repetitions, as far as it was acknowledged, bytes.
    pub bytes: u64,
    /// Acknowledged payload over the time from the first data to the last ACK, bit/s.
    pub goodput: f64,
    /// Data segments in packets of at most the size of a full segment.
    pub packets: u64,
    /// IP bytes per byte of payload of a full segment.
    pub overhead: f64,
    /// The largest payload of a segment, bytes.
    pub largest_segment: u32,
    /// Whether segments above the MSS were captured: they are cut later, by the network card.
    pub has_offload: bool,
    /// Segments of the data sender, by kind.
    pub kinds: BTreeMap<&'static str, u64>,
    /// Retransmitted payload, bytes.
    pub retransmitted_bytes: u64,
    /// Retransmissions of bytes that had been acknowledged before, or that a DSACK reports.
    pub spurious: u64,
    /// Duplicate ACKs of the receiver.
    pub duplicate_acks: u64,
    /// ACKs of the receiver with a window of zero.
    pub zero_windows: u64,
    /// Round-trip times of the whole path.
    pub rtt_samples: usize,
    /// The shortest round trip, s.
    pub rtt_min: Option<f64>,
    /// Median round trip, s.
    pub rtt_median: Option<f64>,
    /// Round trip that 95 % of the samples do not exceed, s.
    pub rtt_p95: Option<f64>,
    /// The longest round trip, s.
    pub rtt_max: Option<f64>,
    /// The largest inflight, bytes.
    pub inflight_max: f64,
    /// The largest window that the receiver advertised, bytes.
    pub window_max: u32,
    /// Share of the data segments after which less than a full segment fits into the receiver's
    /// window.
    pub window_limited: f64,
    /// ACKs with ECN echo.
    pub ecn_echoes: u64,
    /// Retransmitted packets that are not known to be spurious, over all data packets.
    pub loss: f64,
}

impl Figures {
    #[expect(clippy::cast_precision_loss, reason = "counts of a connection are far below 2^53")]
    pub(super) fn new(number: usize, left_out: u64, walk: &Walk) -> Self {
        let table = &walk.segments;
        let payload = walk.agreed.payload.max(1);
        let mut kinds = BTreeMap::new();
        let mut figures = Counts::default();
        let (mut first, mut last, mut last_ack) = (None, 0.0, 0.0);
        for row in 0..table.height() {
            let kind = table.kind[row];
            let length = table.length[row];
            if table.is_data[row] == 0 {
                figures.duplicate_acks += u64::from(kind == Kind::DuplicateAck as u8);
                let is_closed = table.flags[row] & (flags::SYN | flags::FIN | flags::RST) == 0;
                figures.zero_windows += u64::from(table.window[row] == 0 && is_closed);
                figures.ecn_echoes +=
                    u64::from(table.flags[row] & (flags::ECE | flags::SYN) == flags::ECE);
                figures.window_max = figures.window_max.max(table.window[row]);
                last_ack = table.time[row];
                continue;
            }
            *kinds.entry(KINDS[usize::from(kind)]).or_default() += 1;
            if length == 0 {
                continue;
            }
            first.get_or_insert(table.time[row]);
            last = table.time[row];
            figures.segments += 1;
            figures.packets += u64::from(length.div_ceil(payload));
            figures.largest = figures.largest.max(length);
            let end = (table.seq[row] + u64::from(length)) as f64;
            let room = table.right_edge[row] - end;
            figures.limited += u64::from(room < f64::from(payload));
            let is_again = [Kind::Fast, Kind::Timeout, Kind::TailProbe, Kind::Retransmission];
            if is_again.iter().any(|&it| it as u8 == kind) {
                figures.retransmitted += u64::from(length);
                figures.spurious += u64::from(table.spurious[row] > 0);
            }
        }
        let first = first.unwrap_or(0.0);
        let mut rtts: Vec<f64> = walk.evidence.rtts.iter().map(|&(_, rtt)| rtt).collect();
        rtts.sort_by(f64::total_cmp);
        let at = |share: f64| quantile(&rtts, share);
        let acked = walk.sides[0].board.una();
        let closed = i64::from(kinds.contains_key(KINDS[Kind::Handshake as usize]));
        let bytes = u64::try_from(acked - closed.max(1)).unwrap_or(0);
        let span = (last_ack - first).max(last - first);
        let repeated: u64 = walk.evidence.episodes.iter().map(|it| it.lost).sum();
        let headers: Vec<u32> = walk
            .records
            .iter()
            .filter(|it| it.from_client == walk.data_from_client && it.segment.payload > 0)
            .map(|it| it.segment.ip_bytes.saturating_sub(it.segment.payload))
            .collect();
        let header = headers.iter().copied().max().unwrap_or(40);
        let times = walk.records.iter().map(|it| it.segment.time_ns);
        let end_ns = times.max().unwrap_or(walk.start_ns);
        Self {
            number,
            data_from_client: walk.data_from_client,
            vantage: walk.vantage.clone(),
            agreed: walk.agreed.clone(),
            segments: table.height(),
            left_out,
            duration: seconds(end_ns - walk.start_ns),
            data_duration: last - first,
            bytes,
            goodput: if span > 0.0 { 8.0 * bytes as f64 / span } else { 0.0 },
            packets: figures.packets,
            overhead: f64::from(payload + header) / f64::from(payload),
            largest_segment: figures.largest,
            has_offload: figures.largest > payload,
            kinds,
            retransmitted_bytes: figures.retransmitted,
            spurious: figures.spurious,
            duplicate_acks: figures.duplicate_acks,
            zero_windows: figures.zero_windows,
            rtt_samples: rtts.len(),
            rtt_min: rtts.first().copied(),
            rtt_median: at(0.5),
            rtt_p95: at(0.95),
            rtt_max: rtts.last().copied(),
            inflight_max: table.inflight.iter().copied().fold(0.0, f64::max),
            window_max: figures.window_max,
            window_limited: figures.limited as f64 / figures.segments.max(1) as f64,
            ecn_echoes: figures.ecn_echoes,
            loss: repeated as f64 / figures.packets.max(1) as f64,
        }
    }
}

/// Counters of a connection's rows.
#[derive(Default)]
struct Counts {
    segments: u64,
    packets: u64,
    largest: u32,
    limited: u64,
    retransmitted: u64,
    spurious: u64,
    duplicate_acks: u64,
    zero_windows: u64,
    ecn_echoes: u64,
    window_max: u32,
}

/// The value that a share of the sorted values does not exceed.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an index of the values"
)]
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    sorted.get((share * last as f64) as usize).copied()
}
