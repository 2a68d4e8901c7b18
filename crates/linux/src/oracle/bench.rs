//! Our sender on a bench: packets and writes go in, what it sends comes out.

use std::collections::VecDeque;

use ackclock_cc::registry;
use ackclock_sim::app;
use ackclock_sim::net::Wire;
use ackclock_sim::packet::{MAX_SACK_BLOCKS, Packet, SackBlock, flags};
use ackclock_sim::plan::{AppPlan, EcnMode, FlowPlan, TransportPlan};
use ackclock_sim::transport::sender::Sender;
use ackclock_units::{Duration, Time};

use super::script::{Ack, Script, Transmissions};

/// What our sender sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// When.
    pub at: Time,
    /// First byte.
    pub seq: u64,
    /// Payload, bytes.
    pub payload: u32,
    /// Whether it carries the FIN.
    pub fin: bool,
}

/// The state that is compared, in segments where TCP_INFO counts segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct State {
    /// As the kernel numbers them: Open, Disorder, CWR, Recovery, Loss.
    pub ca_state: u8,
    /// Window.
    pub cwnd: u64,
    /// Absent: not found yet.
    pub ssthresh: Option<u64>,
    /// Segments out.
    pub out: u64,
    /// Of these, received.
    pub sacked: u64,
    /// Of these, believed lost.
    pub lost: u64,
    /// Retransmissions out.
    pub retrans: u64,
    /// Timeouts or window probes since the last progress.
    pub backoff: u64,
}

#[derive(Default)]
struct Tape {
    sent: VecDeque<Sent>,
    transmissions: Transmissions,
}

impl Wire for Tape {
    fn send(&mut self, packet: &Packet, now: Time) {
        if packet.span() > 0 && !packet.has(flags::SYN) {
            self.transmissions.note(packet.seq, packet.seq + packet.span(), packet.ts_val);
        }
        if !packet.has(flags::SYN) {
            self.sent.push_back(Sent {
                at: now,
                seq: packet.seq,
                payload: packet.payload,
                fin: packet.has(flags::FIN),
            });
        }
    }
}

/// A sender, its clock, and what it sent.
pub struct Bench {
    sender: Box<Sender>,
    tape: Tape,
    now: Time,
    mss: u64,
}

impl Bench {
    /// For a script; `transport` is the profile, of which the script sets mss, initial window and ECN. The SYN leaves at `start`.
    ///
    /// # Errors
    /// Where there is no such congestion control.
    pub fn new(script: &Script, transport: &TransportPlan, start: Time) -> Result<Self, String> {
        let transport = TransportPlan {
            mss: script.mss,
            initial_window_bytes: 10 * u64::from(script.mss),
            ecn: if script.ecn { EcnMode::Classic } else { EcnMode::Off },
            ..transport.clone()
        };
        let plan = FlowPlan {
            name: "oracle".into(),
            cc: script.cc.clone(),
            start_ps: start.as_ps(),
            stop_ps: None,
            app: AppPlan::Session {},
            part_of: None,
            path: Vec::new(),
            reverse_path: Vec::new(),
            transport,
            priority: 0,
        };
        let cc = registry::build(&plan.cc, &plan.transport.setup()).map_err(|error| error.to_string())?;
        let mut bench = Self {
            sender: Box::new(Sender::new(0, &plan, cc, app::mailbox(), script.number)),
            tape: Tape::default(),
            now: start,
            mss: u64::from(script.mss),
        };
        bench.sender.open(start, &mut bench.tape);
        Ok(bench)
    }

    /// The SYN-ACK arrives.
    pub fn establish(&mut self, window: u32, now: Time) {
        self.now = self.now.max(now);
        let packet = Packet {
            flags: flags::SYN | flags::ACK,
            window,
            is_reverse: true,
            ts_val: milliseconds(self.now),
            ..Packet::default()
        };
        self.sender.on_packet(&packet, self.now, &mut self.tape);
        // The handshake's own ACK is no data.
        self.tape.sent.clear();
    }

    /// Simulated time.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// When a timer is due next.
    #[must_use]
    pub fn deadline(&self) -> Time {
        self.sender.deadline()
    }

    /// Fires what is due at `now`.
    pub fn on_timer(&mut self, now: Time) {
        self.now = self.now.max(now);
        self.sender.on_timer(self.now, &mut self.tape);
    }

    /// The application writes, and may close.
    pub fn write(&mut self, bytes: u64, closes: bool, now: Time) {
        self.now = self.now.max(now);
        self.sender.hand_in(bytes, closes, self.now, &mut self.tape);
    }

    /// An ACK arrives.
    pub fn ack(&mut self, ack: &Ack, now: Time) {
        self.now = self.now.max(now);
        let mut sacks = [SackBlock::default(); MAX_SACK_BLOCKS];
        let relative = |byte: u64| i32::try_from(byte.cast_signed() - ack.ack.cast_signed()).unwrap_or(i32::MAX);
        for (slot, (start, end)) in sacks.iter_mut().zip(&ack.sacks) {
            *slot = SackBlock {
                start: relative(*start),
                end: relative(*end),
            };
        }
        let packet = Packet {
            ack: ack.ack,
            window: ack.window,
            ts_val: milliseconds(self.now),
            ts_ecr: self.tape.transmissions.timestamp(ack.echo).unwrap_or_default(),
            flags: flags::ACK | if ack.ece { flags::ECE } else { 0 },
            sack_count: u8::try_from(ack.sacks.len().min(MAX_SACK_BLOCKS)).unwrap_or_default(),
            sacks,
            is_reverse: true,
            ..Packet::default()
        };
        self.sender.on_packet(&packet, self.now, &mut self.tape);
    }

    /// The next packet that was sent and not taken yet.
    pub fn next_sent(&mut self) -> Option<Sent> {
        self.tape.sent.pop_front()
    }

    /// The next packet, left where it is.
    #[must_use]
    pub fn peek_sent(&self) -> Option<&Sent> {
        self.tape.sent.front()
    }

    /// All transmissions so far.
    #[must_use]
    pub fn transmissions(&self) -> &Transmissions {
        &self.tape.transmissions
    }

    /// First byte that is not acknowledged, and the next new byte.
    #[must_use]
    pub fn edges(&self) -> (u64, u64) {
        let board = self.sender.board();
        (board.una(), board.next())
    }

    /// The RTO, for figures.
    #[must_use]
    pub fn rto(&self) -> Duration {
        self.sender.rto()
    }

    /// The sender, to show it.
    #[must_use]
    pub fn sender(&self) -> &Sender {
        &self.sender
    }

    /// What is compared.
    #[must_use]
    pub fn state(&self) -> State {
        let board = self.sender.board();
        let mut state = State {
            ca_state: self.sender.ca_state() as u8,
            cwnd: self.sender.cwnd() / self.mss,
            ssthresh: self.sender.decision().ssthresh.map(|bytes| bytes / self.mss),
            out: board.segments(),
            backoff: u64::from(self.sender.rtt().backoff()),
            ..State::default()
        };
        if let (Some(first), Some(last)) = (board.first_number(), board.last_number()) {
            for number in first..=last {
                let segment = board.get(number);
                state.sacked += u64::from(segment.is_sacked());
                state.lost += u64::from(segment.is_lost() && !segment.is_sacked());
                state.retrans += u64::from(segment.is_retransmission_out() && !segment.is_sacked());
            }
        }
        state
    }
}

/// As the kernel stamps its packets.
#[expect(clippy::cast_possible_truncation, reason = "timestamps wrap")]
fn milliseconds(at: Time) -> u32 {
    (at.as_ps() / 1_000_000_000) as u32
}
