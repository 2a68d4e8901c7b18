//! Where a connection was captured: near the sender of the data, near the receiver, or between.

use std::collections::VecDeque;

use serde::Serialize;

use super::Record;
use crate::connections::seconds;
use crate::segment::flags;

/// Timestamps that are remembered until their echo comes.
const MOST_ECHOES: usize = 1 << 16;
/// A share of the round trip below which the capture is at an end.
const AT_AN_END: f64 = 0.1;
/// Round trips below this say nothing about the place, s.
const SHORTEST: f64 = 20e-6;

/// Times at which timestamp values were first seen (RFC 7323), until their echo comes.
#[derive(Clone, Debug, Default)]
pub struct Echoes {
    seen: VecDeque<(u32, u64)>,
}

impl Echoes {
    /// Notes a value that was sent.
    pub fn send(&mut self, value: u32, now_ns: u64) {
        // A value that goes back belongs to an old or repeated segment.
        if self.seen.back().is_none_or(|&(last, _)| is_after(value, last)) {
            if self.seen.len() == MOST_ECHOES {
                self.seen.pop_front();
            }
            self.seen.push_back((value, now_ns));
        }
    }

    /// Time since the value was first sent, when its echo comes for the first time, ns.
    pub fn echo(&mut self, value: u32, now_ns: u64) -> Option<u64> {
        while let Some(&(first, at)) = self.seen.front() {
            if is_after(first, value) {
                return None;
            }
            self.seen.pop_front();
            if first == value {
                return Some(now_ns.saturating_sub(at));
            }
        }
        None
    }
}

fn is_after(value: u32, other: u32) -> bool {
    value != other && value.wrapping_sub(other) < 1 << 31
}

/// A place of capture.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// At the sender of the data, or close to it.
    Sender,
    /// At the receiver, or close to it.
    Receiver,
    /// Between both.
    Middle,
    /// Nothing in the capture tells.
    Unknown,
}

/// Where the capture was made, and the times that tell so.
#[derive(Clone, Debug, Serialize)]
pub struct Vantage {
    /// The place.
    pub place: Place,
    /// Shortest time from the capture to the receiver and back, s; null: not measurable.
    pub to_receiver: Option<f64>,
    /// Shortest time from the capture to the sender and back, s; null: not measurable.
    pub to_sender: Option<f64>,
    /// SYN to the ACK of the SYN-ACK, s: a round trip wherever the capture was made.
    pub handshake_rtt: Option<f64>,
    /// How the place was found, a sentence.
    pub because: String,
    /// Consequences for what the capture shows, a sentence.
    pub consequence: String,
}

impl Vantage {
    /// Delay after which an ACK of the capture is counted, because its way to the sender and that
    /// of the data it releases take this long, ns.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a time of the capture"
    )]
    pub fn delay_ns(&self) -> u64 {
        match self.place {
            Place::Receiver | Place::Middle => (self.to_sender.unwrap_or(0.0) * 1e9) as u64,
            Place::Sender | Place::Unknown => 0,
        }
    }

    /// Shortest round trip of the whole path, s.
    #[must_use]
    pub fn round_trip(&self) -> Option<f64> {
        match (self.to_receiver, self.to_sender) {
            (Some(receiver), Some(sender)) => Some(receiver + sender),
            (Some(receiver), None) => Some(receiver),
            (None, _) => None,
        }
    }
}

/// Finds the place of a capture.
pub fn find(records: &[Record], data_from_client: bool) -> Vantage {
    let handshake = Handshake::find(records);
    let mut echoes = [Echoes::default(), Echoes::default()];
    let mut shortest: [Option<u64>; 2] = [None, None];
    for record in records {
        let side = usize::from(record.from_client != data_from_client);
        let Some((value, echo)) = record.segment.options.timestamps else { continue };
        echoes[side].send(value, record.segment.time_ns);
        if record.segment.has(flags::ACK)
            && let Some(took) = echoes[1 - side].echo(echo, record.segment.time_ns)
        {
            let best = &mut shortest[1 - side];
            *best = Some(best.map_or(took, |best| best.min(took)));
        }
    }
    let [mut receiver, mut sender] = shortest;
    let mut how = "the times until timestamps are echoed";
    if let Some(shake) = &handshake {
        let (to_receiver, to_sender) = if data_from_client {
            (shake.to_server, shake.to_client)
        } else {
            (shake.to_client, shake.to_server)
        };
        how = if receiver.is_some() {
            "the handshake and the times until timestamps are echoed"
        } else {
            "the handshake"
        };
        receiver = Some(receiver.map_or(to_receiver, |it| it.min(to_receiver)));
        sender = Some(sender.map_or(to_sender, |it| it.min(to_sender)));
    }
    describe(
        receiver.map(seconds),
        sender.map(seconds),
        handshake.map(|shake| seconds(shake.to_server + shake.to_client)),
        how,
    )
}

fn describe(
    to_receiver: Option<f64>,
    to_sender: Option<f64>,
    handshake_rtt: Option<f64>,
    how: &str,
) -> Vantage {
    let (place, because) = match (to_receiver, to_sender) {
        (Some(receiver), Some(sender)) if receiver + sender >= SHORTEST => {
            let share = sender / (receiver + sender);
            let place = if share < AT_AN_END {
                Place::Sender
            } else if share > 1.0 - AT_AN_END {
                Place::Receiver
            } else {
                Place::Middle
            };
            let because = format!(
                "By {how}, the sender is {} ms away and the receiver {} ms, there and back.",
                milliseconds(sender),
                milliseconds(receiver)
            );
            (place, because)
        }
        (Some(_), Some(_)) => (
            Place::Unknown,
            "The round trip is too short to tell, as within one machine.".to_owned(),
        ),
        _ => (
            Place::Unknown,
            "Neither a handshake nor timestamps were captured; the sender's side is assumed."
                .to_owned(),
        ),
    };
    let consequence = match place {
        Place::Sender => {
            "All that was sent is seen, and losses show as retransmissions; inflight and RTT are \
             the sender's."
        }
        Place::Receiver => {
            "Lost packets show as gaps only. Inflight is reckoned with ACKs counted later by the \
             way to the sender, and the RTT comes from echoed timestamps."
        }
        Place::Middle => {
            "Losses before the capture show as gaps, losses after it as retransmissions. Inflight \
             is reckoned with ACKs counted later by the way to the sender."
        }
        Place::Unknown => "Inflight and RTT are right only if the capture is the sender's.",
    };
    let consequence = consequence.to_owned();
    Vantage { place, to_receiver, to_sender, handshake_rtt, because, consequence }
}

fn milliseconds(time: f64) -> String {
    format!("{:.3}", time * 1e3)
}

/// Times of a handshake without a repeated SYN, ns.
struct Handshake {
    /// Capture to server and back.
    to_server: u64,
    /// Capture to client and back.
    to_client: u64,
}

impl Handshake {
    fn find(records: &[Record]) -> Option<Self> {
        let mut syn = None;
        let mut answer = None;
        for record in records {
            let segment = &record.segment;
            match (segment.has(flags::SYN), record.from_client, answer) {
                (true, true, None) if syn.is_none() => syn = Some(segment.time_ns),
                (true, false, None) if segment.has(flags::ACK) => answer = Some(segment.time_ns),
                // Repeated: which one was answered cannot be known.
                (true, _, _) => return None,
                (false, true, Some(answer)) => {
                    return Some(Self {
                        to_server: answer.saturating_sub(syn?),
                        to_client: segment.time_ns.saturating_sub(answer),
                    });
                }
                (false, ..) => {
                    syn?;
                }
            }
        }
        None
    }
}
