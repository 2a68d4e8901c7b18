//! TCP connections of a capture, numbered in the order of their first packets.

use std::collections::BTreeMap;
use std::io::Read;

use serde::Serialize;

use crate::error::ReadError;
use crate::file::{self, End};
use crate::pace::Pace;
use crate::segment::{self, Endpoint, Segment, Skip, flags};

/// Connections that are kept; a scan of ports would otherwise fill the memory.
const MOST_CONNECTIONS: usize = 100_000;

/// A TCP connection of a capture.
#[derive(Clone, Debug, Serialize)]
pub struct Connection {
    /// Number in the capture, from 0, in the order of first packets.
    pub number: usize,
    /// The end that opened it; if the opening was not captured, the source of the first packet.
    pub client: String,
    /// The other end.
    pub server: String,
    /// Time of the first packet, s after the capture's first frame.
    pub start: f64,
    /// Time between the first and the last packet, s.
    pub duration: f64,
    /// Packets, client to server and back.
    pub packets: [u64; 2],
    /// Payload, client to server and back, bytes; repetitions count.
    pub payload: [u64; 2],
    /// Whether the SYN was captured.
    pub has_opening: bool,
    /// Whether a FIN or RST was captured.
    pub has_end: bool,
}

/// Connections of a capture, and how much of it could be read.
#[derive(Clone, Debug, Serialize)]
pub struct Listing {
    /// Connections, by number.
    pub connections: Vec<Connection>,
    /// Frames of the file.
    pub frames: u64,
    /// Frames that are not TCP over IP.
    pub skipped: u64,
    /// Frames of which the capture kept too little to find the TCP header.
    pub too_short: u64,
    /// Fragments of IP packets, which are not put together.
    pub fragments: u64,
    /// TCP packets of connections above the number that is kept.
    pub left_out: u64,
    /// Whether the file ends within a frame.
    pub is_cut: bool,
}

impl Listing {
    /// Number of the connection with most payload.
    #[must_use]
    pub fn largest(&self) -> usize {
        let size = |it: &Connection| it.payload[0].saturating_add(it.payload[1]);
        let first = (0, 0);
        let best = self
            .connections
            .iter()
            .fold(first, |best, it| if size(it) > best.1 { (it.number, size(it)) } else { best });
        best.0
    }
}

/// A connection that is being followed.
#[derive(Clone, Debug)]
struct Followed {
    client: Endpoint,
    server: Endpoint,
    first_ns: u64,
    last_ns: u64,
    packets: [u64; 2],
    payload: [u64; 2],
    /// Sequence number of the client's SYN.
    opening: Option<u32>,
    has_end: bool,
}

/// Finds the connection that a segment belongs to.
#[derive(Default)]
pub struct Tracker {
    latest: BTreeMap<(Endpoint, Endpoint), usize>,
    all: Vec<Followed>,
    left_out: u64,
}

impl Tracker {
    /// Number of the segment's connection, and whether its client sent it.
    pub fn place(&mut self, segment: &Segment) -> Option<(usize, bool)> {
        let (a, b) = (segment.source, segment.destination);
        let key = if a <= b { (a, b) } else { (b, a) };
        let is_opening = segment.has(flags::SYN) && !segment.has(flags::ACK);
        let known = self.latest.get(&key).copied().filter(|&number| {
            // A SYN with another number opens a new connection between known ports.
            !is_opening || self.all[number].opening == Some(segment.seq)
        });
        let number = match known {
            Some(number) => number,
            None if self.all.len() >= MOST_CONNECTIONS => {
                self.left_out += 1;
                return None;
            }
            None => {
                let is_answer = segment.has(flags::SYN) && segment.has(flags::ACK);
                let (client, server) = if is_answer { (b, a) } else { (a, b) };
                self.all.push(Followed {
                    client,
                    server,
                    first_ns: segment.time_ns,
                    last_ns: segment.time_ns,
                    packets: [0; 2],
                    payload: [0; 2],
                    opening: is_opening.then_some(segment.seq),
                    has_end: false,
                });
                self.latest.insert(key, self.all.len() - 1);
                self.all.len() - 1
            }
        };
        let followed = &mut self.all[number];
        let from_client = segment.source == followed.client;
        let side = usize::from(!from_client);
        followed.packets[side] += 1;
        followed.payload[side] += u64::from(segment.payload);
        followed.last_ns = followed.last_ns.max(segment.time_ns);
        followed.has_end |= segment.has(flags::FIN) || segment.has(flags::RST);
        Some((number, from_client))
    }
}

/// Lists the TCP connections of a capture.
///
/// # Errors
/// If the file is no capture, is damaged, or holds no TCP.
pub fn list(source: impl Read) -> Result<Listing, ReadError> {
    list_while(source, &mut || true)
}

/// Lists the TCP connections of a capture, as long as `goes_on` says so.
///
/// # Errors
/// As [`list`], and if it was stopped.
pub fn list_while(
    source: impl Read,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Listing, ReadError> {
    let mut tracker = Tracker::default();
    let (mut skipped, mut too_short, mut fragments) = (0, 0, 0);
    let mut unread_link = None;
    let mut first_ns = None;
    let End { frames, is_cut } = file::frames(source, &mut Pace::new(goes_on), &mut |frame| {
        first_ns.get_or_insert(frame.time_ns);
        match segment::read(&frame) {
            Ok(segment) => {
                tracker.place(&segment);
            }
            Err(Skip::Link) => {
                unread_link = Some(frame.link);
                skipped += 1;
            }
            Err(Skip::Other) => skipped += 1,
            Err(Skip::Short) => too_short += 1,
            Err(Skip::Fragment) => fragments += 1,
        }
    })?;
    if tracker.all.is_empty() {
        let why = match unread_link {
            Some(code) => format!(
                "its link type {code} is not read; Ethernet, raw IP, Linux cooked and loopback are"
            ),
            None if too_short > 0 => "the capture kept too few bytes of each frame".into(),
            None => format!("it has {frames} frames of other protocols"),
        };
        return Err(ReadError::NoTcp(why));
    }
    let first_ns = first_ns.unwrap_or(0);
    let connections = tracker.all.iter().enumerate().map(|(number, it)| Connection {
        number,
        client: it.client.to_string(),
        server: it.server.to_string(),
        start: seconds(it.first_ns.saturating_sub(first_ns)),
        duration: seconds(it.last_ns - it.first_ns),
        packets: it.packets,
        payload: it.payload,
        has_opening: it.opening.is_some(),
        has_end: it.has_end,
    });
    let connections = connections.collect();
    let left_out = tracker.left_out;
    Ok(Listing { connections, frames, skipped, too_short, fragments, left_out, is_cut })
}

/// Nanoseconds as seconds.
#[expect(clippy::cast_precision_loss, reason = "a difference of times is far below 2^53 ns")]
pub(crate) fn seconds(ns: u64) -> f64 {
    ns as f64 * 1e-9
}
