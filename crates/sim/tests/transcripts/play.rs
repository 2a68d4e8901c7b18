//! Plays a transcript against a sender or a receiver.

use ackclock_sim::packet::{Packet, flags};
use ackclock_sim::testbench::{Arriving, Bench, Event, Host, describe};
use ackclock_sim::transport::recovery::CaState;
use ackclock_units::{Duration, Time};

use crate::script::{self, Action, Kind, Script, Segment, Side, Step};

struct Player<'a> {
    script: &'a Script,
    bench: Bench,
    now: Time,
    window: u32,
}

/// Plays a script. An error shows the line and the whole exchange.
pub fn play(script: &Script) -> Result<(), String> {
    let bench = match script.side {
        Side::Sender => Bench::sender(&script.plan).map_err(|e| e.to_string())?,
        Side::Receiver => Bench::receiver(&script.plan),
    };
    let mut player = Player { script, bench, now: Time::ZERO, window: script.window };
    let shown = |player: &Player, line: String| {
        let exchange = player.exchange().join("\n");
        format!("{line}\nThe exchange as it happened (time in s, < arrives, > leaves):\n{exchange}")
    };
    player.shake_hands().map_err(|problem| shown(&player, format!("handshake: {problem}")))?;
    for step in &script.steps {
        player.step(step).map_err(|problem| {
            shown(&player, format!("line {}: {}\n{problem}", step.line, step.text))
        })?;
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
                self.now += rtt;
                self.bench.advance(self.now);
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
        self.bench.advance(then);
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
                self.bench.note(self.now, format!("{name} == {}", self.show(name)?));
                self.check(name, value)
            }
            Action::Nothing => self.expect_silence(),
            Action::Expect(_) => unreachable!("handled above"),
        }
    }

    fn expect_silence(&self) -> Result<(), String> {
        match self.bench.waiting() {
            None => Ok(()),
            Some((at, packet)) => {
                Err(format!("not expected: {} at {:.6} s", describe(packet), at.as_secs_f64()))
            }
        }
    }

    fn inject(&mut self, segment: &Segment) {
        let bits = match segment.kind {
            Kind::Syn => flags::SYN,
            Kind::SynAck => flags::SYN | flags::ACK,
            _ => flags::ACK,
        };
        let stamp = segment.echo.map(|at| self.bench.clock().at(at));
        let mut arriving = Arriving {
            flags: bits | segment.flags,
            sacks: segment.sacks.clone(),
            marked: segment.marked.unwrap_or_default(),
            ..Arriving::default()
        };
        match self.script.side {
            Side::Sender => {
                self.window = segment.window.unwrap_or(self.window);
                arriving.window = Some(self.window);
                arriving.ack = segment.end;
                arriving.echo = stamp;
            }
            Side::Receiver => {
                arriving.seq = segment.start;
                arriving.payload =
                    u32::try_from(segment.end - segment.start).expect("transcripts are short");
                arriving.ecn = segment.ecn.unwrap_or_default();
                arriving.stamp = stamp;
            }
        }
        self.bench.inject(&arriving, self.now);
    }

    fn exchange(&self) -> Vec<String> {
        let line = |(at, event): &(Time, Event)| {
            let (sign, text) = match event {
                Event::Sent(packet) => (">", describe(packet)),
                Event::Arrived(packet) => ("<", describe(packet)),
                Event::Note(text) => ("*", text.clone()),
            };
            format!("{:>12.6}  {sign} {text}", at.as_secs_f64())
        };
        self.bench.history().iter().map(line).collect()
    }

    /// Fails if the next packet of the host is not the wanted one, now. `data A:B` stands for as
    /// many full segments as these bytes need.
    fn expect(&mut self, wanted: &Segment) -> Result<(), String> {
        let mut start = wanted.start;
        loop {
            let (at, packet) =
                self.bench.next_sent(self.now + self.script.tolerance).ok_or("nothing was sent")?;
            if at.as_ps().abs_diff(self.now.as_ps()) > self.script.tolerance.as_ps() {
                return Err(format!(
                    "sent {} at {:.6} s, expected at {:.6} s",
                    describe(&packet),
                    at.as_secs_f64(),
                    self.now.as_secs_f64()
                ));
            }
            let is_last =
                wanted.kind != Kind::Data || packet.seq + u64::from(packet.payload) == wanted.end;
            let bits = if is_last { wanted.flags } else { wanted.flags & !flags::FIN };
            // CWR is on the first segment of a burst only.
            let bits = if start == wanted.start { bits } else { bits & !flags::CWR };
            self.compare(&packet, wanted, start, bits)
                .map_err(|what| format!("sent {}: {what}", describe(&packet)))?;
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

    fn compare(
        &self,
        packet: &Packet,
        wanted: &Segment,
        start: u64,
        bits: u16,
    ) -> Result<(), String> {
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
            Kind::Fin => says(
                is_empty && packet.has(flags::FIN) && packet.seq == start,
                &format!("fin {start}"),
            )?,
            Kind::Probe => says(is_empty && packet.seq == start, &format!("probe {start}"))?,
        }
        for (bit, name) in [(flags::FIN, "fin"), (flags::ECE, "ece"), (flags::CWR, "cwr")] {
            let should = bits & bit != 0;
            says(packet.has(bit) == should, &format!("{}{name}", if should { "" } else { "no " }))?;
        }
        let sacks: Vec<_> = packet.sack_ranges().collect();
        says(sacks == wanted.sacks, &format!("SACK blocks {:?}", wanted.sacks))?;
        let (window, ecn, marked, echo) = (wanted.window, wanted.ecn, wanted.marked, wanted.echo);
        let clock = self.bench.clock();
        says(window.is_none_or(|it| it == packet.window), &format!("win {window:?}"))?;
        says(ecn.is_none_or(|it| it == packet.ecn), &format!("{ecn:?}"))?;
        says(marked.is_none_or(|it| it == packet.ce_bytes), &format!("marked {marked:?}"))?;
        says(
            echo.is_none_or(|at| clock.at(at) == packet.ts_ecr),
            &format!("echo {echo:?}, not of {} ms", packet.ts_ecr),
        )
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
        let shown = match self.bench.host() {
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
                "timeouts" => sender.stats().timeouts.to_string(),
                "spurious_timeouts" => sender.stats().spurious_timeouts.to_string(),
                "recoveries" => sender.stats().recoveries.to_string(),
                "undos" => sender.stats().undos.to_string(),
                "tail_probes" => sender.stats().tail_probes.to_string(),
                "ecn_reductions" => sender.stats().ecn_reductions.to_string(),
                "finished" => sender
                    .finished_at()
                    .map_or("no".into(), |at| format!("{:.6}", at.as_secs_f64())),
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
