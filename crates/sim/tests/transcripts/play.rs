//! Plays a transcript against a sender or a receiver.

use std::collections::VecDeque;

use ackclock_cc::registry;
use ackclock_sim::app::Apps;
use ackclock_sim::net::Wire;
use ackclock_sim::packet::{Ecn, MAX_SACK_BLOCKS, Packet, SackBlock, flags};
use ackclock_sim::transport::receiver::Receiver;
use ackclock_sim::transport::recovery::CaState;
use ackclock_sim::transport::rtt::TimestampClock;
use ackclock_sim::transport::sender::Sender;
use ackclock_units::{Duration, Time};

use crate::script::{self, Action, Kind, Script, Segment, Side, Step, describe};

/// What the host sent and no line has expected yet.
#[derive(Default)]
struct Tape {
    waiting: VecDeque<(Time, Packet)>,
    exchange: Vec<String>,
    /// Every data packet, for the timestamps that a receiver would echo.
    data: Vec<(u64, u64, u32)>,
}

impl Wire for Tape {
    fn send(&mut self, packet: &Packet, now: Time) {
        self.exchange.push(format!("{:>12.6}  > {}", now.as_secs_f64(), describe(packet)));
        if packet.span() > 0 {
            self.data.push((packet.seq, packet.seq + packet.span(), packet.ts_val));
        }
        self.waiting.push_back((now, *packet));
    }
}

enum Host {
    Sender(Box<Sender>),
    Receiver(Box<Receiver>),
}

impl Host {
    fn deadline(&self) -> Time {
        match self {
            Self::Sender(sender) => sender.deadline(),
            Self::Receiver(receiver) => receiver.deadline(),
        }
    }

    fn on_timer(&mut self, now: Time, tape: &mut Tape) {
        match self {
            Self::Sender(sender) => sender.on_timer(now, tape),
            Self::Receiver(receiver) => receiver.on_timer(now, tape),
        }
    }

    fn on_packet(&mut self, packet: &Packet, now: Time, tape: &mut Tape) {
        match self {
            Self::Sender(sender) => sender.on_packet(packet, now, tape),
            Self::Receiver(receiver) => receiver.on_packet(packet, now, tape),
        }
    }
}

struct Player<'a> {
    script: &'a Script,
    host: Host,
    tape: Tape,
    now: Time,
    window: u32,
    /// RFC 7323's `TS.Recent` and `Last.ACK.sent` of the receiver that the script plays.
    ts_recent: u32,
    last_ack: u64,
}

/// Timers at one instant; more is a host that never comes to rest.
/// Linux's, and what the scripts' times are in.
const CLOCK: TimestampClock = TimestampClock {
    tick: Duration::from_millis(1),
    phase: Duration::ZERO,
};
const MOST_TIMERS: usize = 100_000;

/// Plays it; the error shows the line and the whole exchange.
pub fn play(script: &Script) -> Result<(), String> {
    let host = match script.side {
        Side::Sender => {
            let cc = registry::build(&script.plan.cc, &script.plan.transport.setup()).map_err(|e| e.to_string())?;
            let app = Apps::default().build(&script.plan);
            Host::Sender(Box::new(Sender::new(0, &script.plan, cc, app, 1)))
        }
        Side::Receiver => Host::Receiver(Box::new(Receiver::new(0, &script.plan))),
    };
    let mut player = Player {
        script,
        host,
        tape: Tape::default(),
        now: Time::ZERO,
        window: script.window,
        ts_recent: 0,
        last_ack: 0,
    };
    let shown = |player: &Player, line: String| {
        let exchange = player.tape.exchange.join("\n");
        format!("{line}\nThe exchange as it happened (time in s, < arrives, > leaves):\n{exchange}")
    };
    player
        .shake_hands()
        .map_err(|problem| shown(&player, format!("handshake: {problem}")))?;
    for step in &script.steps {
        player
            .step(step)
            .map_err(|problem| shown(&player, format!("line {}: {}\n{problem}", step.line, step.text)))?;
    }
    player
        .expect_silence()
        .map_err(|problem| shown(&player, format!("after the last line: {problem}")))
}

impl Player<'_> {
    fn shake_hands(&mut self) -> Result<(), String> {
        let Some(rtt) = self.script.handshake else { return Ok(()) };
        let packet = |kind| Segment { kind, ..EMPTY };
        match self.script.side {
            Side::Sender => {
                self.expect(&packet(Kind::Syn))?;
                self.run_until(self.now + rtt);
                self.now += rtt;
                self.inject(&packet(Kind::SynAck));
                self.expect(&packet(Kind::Ack))
            }
            Side::Receiver => {
                self.inject(&packet(Kind::Syn));
                self.expect(&packet(Kind::SynAck))?;
                self.now += rtt;
                Ok(())
            }
        }
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        let then = self.now + step.delay;
        if let Action::Expect(segment) = &step.action {
            self.now = then;
            return self.expect(segment);
        }
        self.run_until(then);
        if then > self.now {
            self.expect_silence()?;
        }
        self.now = then;
        match &step.action {
            Action::Inject(segment) => {
                self.expect_silence()?;
                self.inject(segment);
                Ok(())
            }
            Action::Check { name, value } => {
                self.tape
                    .exchange
                    .push(format!("{:>12.6}  * {name} == {}", self.now.as_secs_f64(), self.show(name)?));
                self.check(name, value)
            }
            Action::Nothing => self.expect_silence(),
            Action::Expect(_) => unreachable!("handled above"),
        }
    }

    /// Timers before `then`; one due at that very instant comes after what arrives then, as in the simulator.
    fn run_until(&mut self, then: Time) {
        for _ in 0..MOST_TIMERS {
            let due = self.host.deadline();
            if due >= then {
                return;
            }
            self.host.on_timer(due, &mut self.tape);
        }
        panic!("its timers never come to rest");
    }

    fn expect_silence(&self) -> Result<(), String> {
        match self.tape.waiting.front() {
            None => Ok(()),
            Some((at, packet)) => Err(format!("not expected: {} at {:.6} s", describe(packet), at.as_secs_f64())),
        }
    }

    fn inject(&mut self, segment: &Segment) {
        let packet = match self.script.side {
            Side::Sender => self.packet_of_receiver(segment),
            Side::Receiver => self.packet_of_sender(segment),
        };
        self.tape
            .exchange
            .push(format!("{:>12.6}  < {}", self.now.as_secs_f64(), describe(&packet)));
        self.host.on_packet(&packet, self.now, &mut self.tape);
    }

    fn packet_of_receiver(&mut self, segment: &Segment) -> Packet {
        self.window = segment.window.unwrap_or(self.window);
        if segment.end > self.last_ack {
            // The segment that the ACK advances over first, as transmitted last.
            let first = self
                .tape
                .data
                .iter()
                .rev()
                .find(|(start, end, _)| *start <= self.last_ack && self.last_ack < *end);
            self.ts_recent = first.map_or(self.ts_recent, |sent| sent.2);
            self.last_ack = segment.end;
        }
        self.ts_recent = segment.echo.map_or(self.ts_recent, |at| CLOCK.at(at));
        let ack = segment.end;
        let bits = flags::ACK | segment.flags | if segment.kind == Kind::SynAck { flags::SYN } else { 0 };
        let mut sacks = [SackBlock::default(); MAX_SACK_BLOCKS];
        let relative = |byte: u64| i32::try_from(byte.cast_signed() - ack.cast_signed()).expect("transcripts are short");
        for (slot, (start, end)) in sacks.iter_mut().zip(&segment.sacks) {
            *slot = SackBlock {
                start: relative(*start),
                end: relative(*end),
            };
        }
        Packet {
            ack,
            window: self.window,
            ts_val: CLOCK.at(self.now),
            ts_ecr: self.ts_recent,
            ce_bytes: segment.marked.unwrap_or_default(),
            flags: bits,
            sack_count: u8::try_from(segment.sacks.len().min(MAX_SACK_BLOCKS)).expect("three at most"),
            is_reverse: true,
            sacks,
            ..self.blank()
        }
    }

    fn packet_of_sender(&self, segment: &Segment) -> Packet {
        let bits = match segment.kind {
            Kind::Syn => flags::SYN,
            _ => flags::ACK,
        };
        let payload = u32::try_from(segment.end - segment.start).expect("transcripts are short");
        Packet {
            seq: segment.start,
            payload,
            wire_size: payload + self.script.plan.transport.header_bytes,
            ts_val: CLOCK.at(segment.echo.unwrap_or(self.now)),
            flags: bits | segment.flags,
            ecn: segment.ecn.unwrap_or(Ecn::NotEct),
            ..self.blank()
        }
    }

    fn blank(&self) -> Packet {
        Packet {
            seq: 0,
            ack: 0,
            flow: 0,
            wire_size: self.script.plan.transport.header_bytes,
            payload: 0,
            window: 65_535,
            ts_val: 0,
            ts_ecr: 0,
            ce_bytes: 0,
            flags: 0,
            hop: 0,
            ecn: Ecn::NotEct,
            sack_count: 0,
            is_reverse: false,
            sacks: [SackBlock::default(); MAX_SACK_BLOCKS],
            ..Packet::default()
        }
    }

    /// The next packet that the host sends is this one, now; `data A:B` stands for as many full segments as it takes.
    fn expect(&mut self, wanted: &Segment) -> Result<(), String> {
        let mut start = wanted.start;
        loop {
            let (at, packet) = self.next_sent().ok_or("nothing was sent")?;
            if at.as_ps().abs_diff(self.now.as_ps()) > self.script.tolerance.as_ps() {
                return Err(format!(
                    "sent {} at {:.6} s, expected at {:.6} s",
                    describe(&packet),
                    at.as_secs_f64(),
                    self.now.as_secs_f64()
                ));
            }
            let is_last = wanted.kind != Kind::Data || packet.seq + u64::from(packet.payload) == wanted.end;
            let bits = if is_last { wanted.flags } else { wanted.flags & !flags::FIN };
            // CWR is on the first segment of a burst only.
            let bits = if start == wanted.start { bits } else { bits & !flags::CWR };
            Self::compare(&packet, wanted, start, bits).map_err(|what| format!("sent {}: {what}", describe(&packet)))?;
            start = packet.seq + u64::from(packet.payload);
            if wanted.kind != Kind::Data || start >= wanted.end {
                return Ok(());
            }
            let mss = self.script.plan.transport.mss;
            if packet.payload != mss {
                return Err(format!(
                    "sent {}: only the last segment of {}:{} may be short",
                    describe(&packet),
                    wanted.start,
                    wanted.end
                ));
            }
        }
    }

    fn next_sent(&mut self) -> Option<(Time, Packet)> {
        for _ in 0..MOST_TIMERS {
            if let Some(sent) = self.tape.waiting.pop_front() {
                return Some(sent);
            }
            let due = self.host.deadline();
            if due > self.now + self.script.tolerance {
                return None;
            }
            self.host.on_timer(due, &mut self.tape);
        }
        None
    }

    fn compare(packet: &Packet, wanted: &Segment, start: u64, bits: u16) -> Result<(), String> {
        let says = |ok: bool, what: &str| if ok { Ok(()) } else { Err(format!("expected {what}")) };
        let is_empty = packet.payload == 0;
        match wanted.kind {
            Kind::Syn => says(packet.has(flags::SYN) && !packet.has(flags::ACK), "syn")?,
            Kind::SynAck => says(packet.has(flags::SYN | flags::ACK), "synack")?,
            Kind::Ack => says(
                is_empty && !packet.has(flags::SYN) && packet.ack == wanted.end,
                &format!("ack {}", wanted.end),
            )?,
            Kind::Data => {
                let end = packet.seq + u64::from(packet.payload);
                says(
                    !is_empty && packet.seq == start && end <= wanted.end,
                    &format!("data {}:{}", start, wanted.end),
                )?;
            }
            Kind::Fin => says(is_empty && packet.has(flags::FIN) && packet.seq == start, &format!("fin {start}"))?,
            Kind::Probe => says(is_empty && packet.seq == start, &format!("probe {start}"))?,
        }
        for (bit, name) in [(flags::FIN, "fin"), (flags::ECE, "ece"), (flags::CWR, "cwr")] {
            let should = bits & bit != 0;
            says(packet.has(bit) == should, &format!("{}{name}", if should { "" } else { "no " }))?;
        }
        let sacks: Vec<_> = packet.sack_ranges().collect();
        says(sacks == wanted.sacks, &format!("SACK blocks {:?}", wanted.sacks))?;
        let checks = [
            wanted
                .window
                .is_none_or(|window| window == packet.window)
                .then_some(())
                .ok_or(format!("win {:?}", wanted.window)),
            wanted
                .ecn
                .is_none_or(|ecn| ecn == packet.ecn)
                .then_some(())
                .ok_or(format!("{:?}", wanted.ecn)),
            wanted
                .marked
                .is_none_or(|marked| marked == packet.ce_bytes)
                .then_some(())
                .ok_or(format!("marked {:?}", wanted.marked)),
            wanted
                .echo
                .is_none_or(|at| CLOCK.at(at) == packet.ts_ecr)
                .then_some(())
                .ok_or(format!("echo {:?}, not of {} ms", wanted.echo, packet.ts_ecr)),
        ];
        checks
            .into_iter()
            .collect::<Result<(), String>>()
            .map_err(|what| format!("expected {what}"))
    }

    fn check(&self, name: &str, value: &str) -> Result<(), String> {
        let mss = u64::from(self.script.plan.transport.mss);
        let is = self.show(name)?;
        let wanted = match name {
            "cwnd" | "inflight" => bytes(script::size(value, mss)?),
            "ssthresh" if value != "none" => bytes(script::size(value, mss)?),
            "srtt" | "rto" => format!("{:.6}", script::seconds(value)?.as_secs_f64()),
            _ => value.to_owned(),
        };
        if is == wanted {
            Ok(())
        } else {
            Err(format!("{name} is {is}{}, expected {value}", in_segments(&is, mss)))
        }
    }

    fn show(&self, name: &str) -> Result<String, String> {
        let time = |d: Duration| format!("{:.6}", d.as_secs_f64());
        let shown = match &self.host {
            Host::Sender(sender) => match name {
                "cwnd" => bytes(sender.cwnd()),
                "ssthresh" => sender.decision().ssthresh.map_or("none".into(), bytes),
                "inflight" => bytes(sender.inflight()),
                "state" => match sender.ca_state() {
                    CaState::Open => "open",
                    CaState::Disorder => "disorder",
                    CaState::Cwr => "cwr",
                    CaState::Recovery => "recovery",
                    CaState::Loss => "loss",
                }
                .into(),
                "srtt" => time(sender.rtt().srtt()),
                "rto" => time(sender.rto()),
                "timeouts" => sender.stats.timeouts.to_string(),
                "spurious_timeouts" => sender.stats.spurious_timeouts.to_string(),
                "recoveries" => sender.stats.recoveries.to_string(),
                "undos" => sender.stats.undos.to_string(),
                "tail_probes" => sender.stats.tail_probes.to_string(),
                "ecn_reductions" => sender.stats.ecn_reductions.to_string(),
                "finished" => sender.finished_at().map_or("no".into(), |at| format!("{:.6}", at.as_secs_f64())),
                _ => return Err(format!("a sender has no '{name}'")),
            },
            Host::Receiver(receiver) => match name {
                "delivered" => receiver.delivered().to_string(),
                _ => return Err(format!("a receiver has no '{name}'")),
            },
        };
        Ok(shown)
    }
}

const EMPTY: Segment = Segment {
    kind: Kind::Ack,
    start: 0,
    end: 0,
    flags: 0,
    sacks: Vec::new(),
    window: None,
    ecn: None,
    echo: None,
    marked: None,
};

fn bytes(count: u64) -> String {
    format!("{count} bytes")
}

fn in_segments(shown: &str, mss: u64) -> String {
    let count = shown.strip_suffix(" bytes").and_then(|n| n.parse::<u64>().ok());
    count.map_or(String::new(), |n| format!(" ({} segments and {} bytes)", n / mss, n % mss))
}
