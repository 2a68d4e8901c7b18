//! Plays a script on the simulator's sender or receiver, in virtual time.

use core::fmt;
use std::collections::BTreeMap;

use ackclock_sim::packet::{self, Ecn, flags};
use ackclock_sim::testbench::{self, Arriving, Bench, Event as BenchEvent, Host as BenchHost};
use ackclock_sim::transport::plan::{EcnMode, LossDetection, PacingMode, TransportPlan};
use ackclock_sim::transport::recovery::CaState;
use ackclock_units::{Duration, Time};

use crate::applicability::{self, CLOSES, LARGEST_SEGMENT, Reading, WRITES, refuse, whole};
use crate::language::{Call, Event, Packet, Script, What, is_whole, is_word};
use crate::segment_size::SegmentSize;
use crate::show;

/// Picoseconds in a microsecond.
const PS: u64 = 1_000_000;
/// SACK blocks that the simulator's packets have room for.
const BLOCKS: usize = 3;
const TIMESTAMP_BYTES: u64 = 12;
/// Delay of a packet's arrival after the time of its line, us. On a kernel no two events are
/// exactly a millisecond apart; with the delay, rules with a limit of 1 ms decide as they do there.
const ARRIVAL_US: i64 = 10;
const OWN_MSS: u64 = 1460;
/// Window that a host is taken to advertise where its SYN in the script has none.
const OWN_WINDOW: u64 = 65_535;
/// TCP header without options.
const HEADER_BYTES: u64 = 20;
const TOLERANCE_US: &str = "4000";
const TOLERANCE_PERCENT: f64 = 12.5;
const LARGEST_WINDOW: u64 = (1 << 30) - 1;
const LATEST_US: i64 = 10 * 24 * 3600 * 1_000_000;
const HOUR_US: i64 = 3_600_000_000;
const INFINITE_SSTHRESH: u64 = 0x7fff_ffff;
/// Timestamp of a script's beginning, ms, where a header makes it exact.
pub(crate) const FIRST_STAMP: u64 = 1000;

/// A script needs something that the simulator's hosts do not have; the text names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotApplicable(pub String);

impl fmt::Display for NotApplicable {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl core::error::Error for NotApplicable {}

/// The host under test, before the script's handshake.
#[derive(Clone, Debug)]
pub struct Host {
    /// Congestion control.
    pub cc: String,
    /// Options of the transport.
    pub transport: TransportPlan,
}

/// Variables of a script's code: packetdrill's `tcpi_...`, times in us, and under a header the
/// simulator's own counters. A window is in segments; under a header it may have a fraction.
#[derive(Clone, Debug, Default)]
pub struct State(BTreeMap<&'static str, f64>);

impl State {
    /// A variable.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.get(name).copied()
    }

    /// All variables, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.0.iter().map(|(name, value)| (*name, *value))
    }

    #[expect(clippy::cast_precision_loss, reason = "no count of a script has 53 bits")]
    fn set(&mut self, name: &'static str, value: u64) {
        self.0.insert(name, value as f64);
    }

    fn set_time(&mut self, name: &'static str, time: Duration) {
        self.set(name, time.as_ps() / PS);
    }

    /// Sets a window in segments.
    #[expect(clippy::cast_precision_loss, reason = "no window has 53 bits")]
    fn set_window(&mut self, name: &'static str, bytes: u64, mss: u32) {
        self.0.insert(name, bytes as f64 / f64::from(mss));
    }
}

/// Runs a script's code.
pub trait Code {
    /// Runs the code between `%{` and `}%`.
    ///
    /// # Errors
    /// If an assertion fails, or the code cannot be run.
    fn run(&mut self, code: &str, state: &State) -> Result<(), CodeError>;
}

/// Code that did not end well.
#[derive(Clone, Debug)]
pub enum CodeError {
    /// An assertion fails, or the code is not allowed.
    Failed(String),
    /// The code reads a variable that the simulator does not have.
    Unknown(String),
}

/// The outcome of a script.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// The host's deviation from the script, if any.
    pub problem: Option<String>,
    /// The exchanged packets, a line each.
    pub exchange: Vec<String>,
    /// Timestamp and echo, ms, of each packet that arrived at a host with a header.
    pub(crate) arrived: Vec<(u64, u64)>,
}

/// Why a script ends early.
enum Stop {
    NotApplicable(NotApplicable),
    /// The host deviated; the text says how.
    Mismatch(String),
}

impl From<NotApplicable> for Stop {
    fn from(reason: NotApplicable) -> Self {
        Self::NotApplicable(reason)
    }
}

type Step = Result<(), Stop>;

fn mismatch(problem: impl Into<String>) -> Step {
    Err(Stop::Mismatch(problem.into()))
}

/// Plays a script.
///
/// # Errors
/// If the script needs something that the simulator's hosts do not have.
pub fn play(script: &Script, host: Host, code: &mut dyn Code) -> Result<Played, NotApplicable> {
    let reading = applicability::read(script)?;
    let host = if script.header.is_some() { host } else { negotiated(host, &reading)? };
    let mut player = Player::new(script, reading, host, code)?;
    let outcome = script.events.iter().try_for_each(|event| player.event(event));
    match outcome.and_then(|()| player.end()) {
        Ok(()) => (),
        Err(Stop::NotApplicable(reason)) => return Err(reason),
        Err(Stop::Mismatch(problem)) => player.played.problem = Some(problem),
    }
    Ok(player.played)
}

/// The host after the script's handshake.
fn negotiated(host: Host, reading: &Reading) -> Result<Host, NotApplicable> {
    let Host { cc, transport } = host;
    let (peer, own) = (reading.syn, reading.own_syn);
    let has_stamps = peer.stamps.is_some() && (own.stamps.is_some() || own.ignores_options);
    let has_sack = peer.sack_permitted && (own.sack_permitted || own.ignores_options);
    let given = |size: Option<u64>| size.filter(|size| *size > 0);
    let offered = given(peer.mss).unwrap_or(536).min(OWN_MSS);
    let offered = offered.min(given(reading.segment).unwrap_or(OWN_MSS));
    let mss = offered.saturating_sub(if has_stamps { TIMESTAMP_BYTES } else { 0 });
    if mss == 0 {
        return refuse(format!("segments of at most {offered} bytes"));
    }
    let before = u64::from(transport.mss);
    let mut made = TransportPlan {
        mss: u32::try_from(mss).unwrap_or(u32::MAX),
        initial_window_bytes: transport.initial_window_bytes / before * mss,
        max_cwnd_bytes: transport.max_cwnd_bytes.map(|clamp| clamp / before * mss),
        timestamps: has_stamps,
        ecn: if peer.has('E') && own.has('E') { EcnMode::Classic } else { EcnMode::Off },
        ..transport
    };
    if !has_sack {
        made.loss_detection = LossDetection::Dupack;
        made.dsack = false;
        made.tail_loss_probe = false;
    }
    if reading.is_paced {
        made.pacing = PacingMode::Cwnd;
    }
    Ok(Host { cc: reading.congestion_control.clone().unwrap_or(cc), transport: made })
}

struct Player<'a> {
    reading: Reading<'a>,
    bench: Bench,
    code: &'a mut dyn Code,
    mss: u32,
    /// `tcpi_rcv_mss`.
    segment_size: SegmentSize,
    /// Size of the segments that an arriving packet is made of, as if GRO had merged them (option
    /// `--mss`), bytes.
    merged_of: u64,
    /// TCP header of a data segment.
    header_bytes: u64,
    /// Whether the script has a header.
    is_exact: bool,
    tolerance_us: i64,
    percent: f64,
    /// Timestamps of the simulator's host by those of the script, which the peer echoes.
    stamps: BTreeMap<u64, u32>,
    scale: u32,
    /// Whether the third ACK of a passive open has come.
    is_answered: bool,
    /// Whether the host's FIN went with an ACK that is a separate packet in the script.
    fin_sent: bool,
    /// Bytes that the application has read.
    taken: u64,
    /// Bytes that it wrote with `MSG_MORE`, which wait for the next call.
    held: u64,
    /// The latest expected packet, if nothing has arrived since.
    last_expected: Option<&'a Packet>,
    /// Delay of all later lines after a line of any time, us.
    late_us: i64,
    /// Time of the line before, us.
    now_us: i64,
    played: Played,
}

impl<'a> Player<'a> {
    fn new(
        script: &'a Script,
        reading: Reading<'a>,
        host: Host,
        code: &'a mut dyn Code,
    ) -> Result<Self, NotApplicable> {
        let mss = host.transport.mss;
        let header_bytes =
            HEADER_BYTES + if host.transport.timestamps { TIMESTAMP_BYTES } else { 0 };
        let advertised = reading.segment.filter(|it| *it > 0).or(reading.own_syn.mss);
        let segment_size = SegmentSize::new(
            advertised.unwrap_or(OWN_MSS).saturating_sub(header_bytes - HEADER_BYTES),
            mss.into(),
            reading.own_syn.window.unwrap_or(OWN_WINDOW),
        );
        let plan = testbench::plan("packetdrill", &host.cc, host.transport);
        let bench = if reading.is_sender {
            // The script may name an algorithm that does not exist.
            Bench::sender(&plan).map_err(|problem| NotApplicable(problem.to_string()))?
        } else {
            Bench::receiver(&plan)
        };
        let option = |name: &str| {
            let of_name = script.options.iter().find(|option| option.0 == name);
            of_name.map(|option| option.1.as_str())
        };
        let merged_of = match option("mss") {
            Some(size) => whole(size, "--mss", LARGEST_SEGMENT)?,
            None => LARGEST_SEGMENT,
        };
        if merged_of == 0 {
            return refuse(format!("--mss '0': from 1 to {LARGEST_SEGMENT} is known"));
        }
        let given = option("tolerance_usecs").unwrap_or(TOLERANCE_US);
        let tolerance = match &script.header {
            Some(header) => u64::from(header.tolerance_us),
            None => whole(given, "--tolerance_usecs", u64::from(u32::MAX))?,
        };
        Ok(Self {
            reading,
            bench,
            code,
            mss,
            segment_size,
            merged_of,
            header_bytes,
            is_exact: script.header.is_some(),
            tolerance_us: tolerance.cast_signed(),
            percent: option("tolerance_percent").map_or(Ok(TOLERANCE_PERCENT), percent)?,
            stamps: BTreeMap::new(),
            scale: 0,
            is_answered: false,
            fin_sent: false,
            taken: 0,
            held: 0,
            last_expected: None,
            late_us: 0,
            now_us: 0,
            played: Played::default(),
        })
    }

    fn event(&mut self, event: &'a Event) -> Step {
        let at_us = event.at_us + self.late_us;
        if at_us > LATEST_US {
            let latest = LATEST_US / 1_000_000;
            return Ok(refuse(format!("line {}: lasts more than {latest} s", event.line))?);
        }
        let step = match &event.what {
            What::Packet(packet) if packet.arrives => self.arrives(packet, at_us),
            What::Packet(packet) => self.expected(packet, event, at_us),
            What::Call(call) => self.call(call, at_us),
            What::Code(code) => self.code(code, at_us),
            What::Command(_) => Ok(()),
        };
        self.now_us = at_us;
        step.map_err(|stop| match stop {
            Stop::Mismatch(problem) => {
                Stop::Mismatch(format!("line {}: {}: {problem}", event.line, event.text))
            }
            Stop::NotApplicable(_) => stop,
        })
    }

    fn end(&mut self) -> Step {
        self.silence(i64::MAX).map_err(|stop| match stop {
            Stop::Mismatch(problem) => Stop::Mismatch(format!("after the last line: {problem}")),
            Stop::NotApplicable(_) => stop,
        })
    }

    /// Under a header, nothing may have been sent that no line up to `at_us` expects.
    fn silence(&mut self, at_us: i64) -> Step {
        if !self.is_exact || at_us <= self.now_us {
            return Ok(());
        }
        if at_us < i64::MAX {
            self.bench.advance(instant(at_us));
        }
        self.all_expected()
    }

    fn all_expected(&self) -> Step {
        match self.bench.waiting() {
            None => Ok(()),
            Some((at, packet)) => mismatch(format!(
                "not expected: {} at {:.6} s",
                show::sent(packet),
                at.as_secs_f64()
            )),
        }
    }

    fn note(&mut self, at_us: f64, sign: char, text: &str) {
        self.played.exchange.push(format!("{:12.6}  {sign} {text}", at_us / 1e6));
    }

    /// Runs the timers that are due before an instant; returns it, or the latest event's time.
    fn until(&mut self, at: Time) -> Time {
        self.bench.advance(at);
        self.bench.latest().max(at)
    }

    // Arriving packets.

    fn arrives(&mut self, packet: &Packet, at_us: i64) -> Step {
        self.silence(at_us)?;
        if self.is_exact {
            self.all_expected()?;
        }
        let at = instant(at_us + if self.is_exact { 0 } else { ARRIVAL_US });
        self.last_expected = None;
        let is_acceptor = self.reading.is_sender && self.reading.is_passive;
        if packet.has('S') && is_acceptor {
            // The bench opens actively: its SYN leaves when the script's SYN-ACK does.
            return Ok(());
        }
        let mut arriving = self.fields(packet);
        let now = self.until(at);
        if is_acceptor && !self.is_answered {
            self.is_answered = true;
            let what = "the ACK of the handshake, as the answer to the bench's SYN";
            self.note(seconds_us(at_us), '<', what);
            let ece = if self.reading.syn.has('E') { flags::ECE } else { 0 };
            arriving.flags = flags::SYN | flags::ACK | ece;
            arriving.ack = 0;
            self.bench.inject(&arriving, now);
            // The bench's ACK of it is in no script.
            let sent = self.bench.drain();
            return match sent.iter().find(|(_, packet)| packet.payload > 0) {
                None => Ok(()),
                Some((_, packet)) => {
                    mismatch(format!("sent {} with nothing written", show::sent(packet)))
                }
            };
        }
        self.note(seconds_us(at_us), '<', &show::described(packet));
        let bits = show::FLAGS.iter().filter(|(letter, _)| packet.has(*letter));
        arriving.flags = bits.map(|(_, bit)| bit).sum();
        let before = self.bench.arrived();
        self.bench.inject(&arriving, now);
        if packet.length > 0 && self.bench.arrived() > before {
            let size = packet.length.min(self.merged_of);
            self.segment_size.on_data(size, self.header_bytes, packet.has('P') || packet.has('F'));
        }
        if self.is_exact {
            let clock = self.bench.clock();
            let ticks = |stamp: u32| u64::from(stamp.wrapping_sub(clock.at(Time::ZERO)));
            if let Some((_, BenchEvent::Arrived(packet))) = self
                .bench
                .history()
                .iter()
                .rfind(|(_, event)| matches!(event, BenchEvent::Arrived(_)))
            {
                let stamps = (ticks(packet.ts_val), ticks(packet.ts_ecr));
                self.played.arrived.push((FIRST_STAMP + stamps.0, FIRST_STAMP + stamps.1));
            }
        }
        Ok(())
    }

    /// The fields of an arriving packet for the bench, whose numbers do not count the SYN.
    fn fields(&mut self, packet: &Packet) -> Arriving {
        let is_syn = packet.has('S');
        let mut scale = 0;
        if is_syn {
            self.scale = packet.scale.unwrap_or(0);
        } else if self.reading.is_passive {
            scale = self.reading.syn.scale.unwrap_or(0);
        } else {
            scale = self.scale;
        }
        let mut arriving = Arriving {
            ack: packet.ack.unwrap_or(0).saturating_sub(1),
            sacks: packet
                .sacks
                .iter()
                .map(|(start, end)| (start.wrapping_sub(1), end.wrapping_sub(1)))
                .collect(),
            window: packet.window.map(|window| shifted(window, scale)),
            ecn: packet.ecn.as_deref().map(ecn).unwrap_or_default(),
            marked: packet.marked.map_or(0, |marked| u32::try_from(marked).unwrap_or(u32::MAX)),
            ..Arriving::default()
        };
        if !self.reading.is_sender {
            // `payload` counts data only, without the FIN.
            arriving.seq = packet.start.saturating_sub(1);
            arriving.payload = u32::try_from(packet.length).unwrap_or(u32::MAX);
        }
        if let Some((stamp, echo)) = packet.stamps {
            if self.is_exact {
                arriving.stamp = Some(self.clock_at(stamp));
                arriving.echo = Some(self.clock_at(echo));
            } else {
                arriving.stamp = u32::try_from(stamp).ok();
                arriving.echo = self.echo(echo);
            }
        }
        arriving
    }

    /// The timestamp of the simulator's clock at a time of an exact script, ms.
    fn clock_at(&self, stamp: u64) -> u32 {
        let at = Time::ZERO + Duration::from_millis(stamp.saturating_sub(FIRST_STAMP));
        self.bench.clock().at(at)
    }

    /// The host's timestamp for one of the script; if unknown, counted from the first one.
    #[expect(clippy::cast_possible_truncation, reason = "a timestamp has 32 bits")]
    fn echo(&self, of_script: u64) -> Option<u32> {
        if let Some(stamp) = self.stamps.get(&of_script) {
            return Some(*stamp);
        }
        let (first, stamp) = self.stamps.first_key_value()?;
        Some((u64::from(*stamp) + of_script).saturating_sub(*first) as u32)
    }

    // Packets that the host sends.

    fn expected(&mut self, packet: &'a Packet, event: &Event, at_us: i64) -> Step {
        if packet.has('S') && self.reading.is_passive && self.reading.is_sender {
            let now = self.until(instant(at_us));
            self.bench.open(now);
            let sent = self.bench.drain();
            if let (Some((stamp, _)), Some((_, syn))) = (packet.stamps, sent.first()) {
                self.stamps.insert(stamp, syn.ts_val);
            }
            return Ok(());
        }
        if !self.is_exact && (packet.has('R') || self.only_tells_of_the_window(packet)) {
            return Ok(());
        }
        #[expect(clippy::cast_possible_truncation, reason = "a share of a day at most")]
        let waited = (seconds_us(event.delay_us) * self.percent / 100.0) as i64;
        let tolerance =
            if self.is_exact { self.tolerance_us } else { self.tolerance_us.max(waited) };
        if self.fin_sent && packet.flags.starts_with('F') && packet.length == 0 {
            // The FIN went with the ACK before.
            self.fin_sent = false;
            return Ok(());
        }
        let mut until = event.to_us.map_or(at_us, |to| to + self.late_us) + tolerance;
        if event.is_any {
            until = (self.bench.latest().as_ps() / PS).cast_signed() + HOUR_US;
        }
        let is_syn = packet.has('S');
        // A SYN counts in the script's numbers.
        let begin = if is_syn { 0 } else { packet.start.wrapping_sub(1) };
        let (mut start, end) = (begin, begin.wrapping_add(packet.length));
        loop {
            let Some((at, sent)) = self.bench.next_sent(instant(until)) else {
                return mismatch(format!("nothing was sent until {:.6} s", seconds(until)));
            };
            #[expect(clippy::cast_precision_loss, reason = "a script lasts ten days at most")]
            let sent_us = at.as_ps() as f64 / 1e6;
            self.note(sent_us, '>', &show::sent(&sent));
            if event.is_any {
                #[expect(clippy::cast_possible_truncation, reason = "ten days at most")]
                let late = sent_us.round_ties_even() as i64 - at_us;
                self.late_us += late;
            } else if !(seconds_us(at_us - tolerance) <= sent_us && sent_us <= seconds_us(until)) {
                return mismatch(format!(
                    "sent {} at {:.6} s, expected at {:.6} s",
                    show::sent(&sent),
                    sent_us / 1e6,
                    seconds(at_us)
                ));
            }
            if let Some((stamp, _)) = packet.stamps {
                self.stamps.insert(stamp, sent.ts_val);
            }
            let after = start.wrapping_add(u64::from(sent.payload));
            self.compare(packet, &sent, (start, end), start == begin)?;
            start = after;
            if start >= end {
                return Ok(());
            }
            if self.is_exact && sent.payload != self.mss {
                return mismatch(format!(
                    "sent {}: only the last segment may be short",
                    show::sent(&sent)
                ));
            }
        }
    }

    /// Whether a receiver's ACK only repeats the last one with another window. Windows are not
    /// compared, so the simulator sends no such ACK.
    fn only_tells_of_the_window(&mut self, packet: &'a Packet) -> bool {
        let last = self.last_expected.replace(packet);
        let is_ack = !self.reading.is_sender
            && packet.flags == "."
            && packet.length == 0
            && packet.sacks.is_empty();
        is_ack
            && last.is_some_and(|last| {
                last.flags == "." && last.ack == packet.ack && last.window != packet.window
            })
    }

    fn compare(
        &mut self,
        packet: &Packet,
        sent: &packet::Packet,
        (start, end): (u64, u64),
        is_first: bool,
    ) -> Step {
        let claim = |holds: bool, wanted: &dyn Fn() -> String| {
            if holds {
                return Ok(());
            }
            mismatch(format!("sent {}, expected {}", show::sent(sent), wanted()))
        };
        let flag = |bit: u16, should: bool, name: &str| {
            let wanted = if should { name } else { name.trim_start_matches("a ") };
            let no = if should { "" } else { "no " };
            claim(sent.has(bit) == should, &|| format!("{no}{wanted}"))
        };
        let payload = u64::from(sent.payload);
        let (is_syn, is_last) = (packet.has('S'), start.wrapping_add(payload) >= end);
        flag(flags::SYN, is_syn, "a SYN")?;
        if self.is_exact && is_syn {
            flag(flags::ACK, packet.has('.'), "ACK")?;
        }
        if self.reading.is_sender {
            // The bench's control packets carry the next byte.
            claim(sent.seq == start || is_syn, &|| {
                format!("sequence number {}", start.wrapping_add(1))
            })?;
            claim((payload > 0) == (packet.length > 0), &|| format!("{} bytes", packet.length))?;
            claim(start.wrapping_add(payload) <= end, &|| {
                format!("bytes up to {}", end.wrapping_add(1))
            })?;
        }
        if let Some(ack) = packet.ack {
            claim(sent.ack + 1 == ack, &|| format!("ack {ack}"))?;
        }
        let wants_fin = packet.has('F') && is_last;
        if !self.is_exact && !self.reading.is_sender && sent.has(flags::FIN) && !wants_fin {
            self.fin_sent = true;
        } else {
            flag(flags::FIN, wants_fin, "a FIN")?;
        }
        if !is_syn {
            flag(flags::ECE, packet.has('E'), "ECE")?;
            flag(flags::CWR, packet.has('W') && is_first, "CWR")?;
        }
        if let Some(name) = packet.ecn.as_deref() {
            claim(sent.ecn == ecn(name), &|| name.to_owned())?;
        }
        if !packet.ignores_options && !is_syn {
            let blocks = sent.sack_ranges().map(|(start, end)| (start + 1, end + 1));
            let wanted = &packet.sacks[..packet.sacks.len().min(BLOCKS)];
            claim(blocks.eq(wanted.iter().copied()), &|| match wanted {
                [] => "no SACK block".to_owned(),
                wanted => format!("sack {}", show::sacks(wanted)),
            })?;
        }
        if !self.is_exact || is_syn {
            return Ok(());
        }
        if let Some(window) = packet.window {
            let wanted = shifted(window, self.reading.own_syn.scale.unwrap_or(0));
            claim(sent.window == wanted, &|| format!("win {wanted} and not {}", sent.window))?;
        }
        if let Some(marked) = packet.marked {
            claim(u64::from(sent.ce_bytes) == marked, &|| {
                format!("ceb {marked} and not {}", sent.ce_bytes)
            })?;
        }
        if let Some((_, echo)) = packet.stamps {
            claim(sent.ts_ecr == self.clock_at(echo), &|| {
                format!("ecr {echo}, and the simulator's is {}", sent.ts_ecr)
            })?;
        }
        Ok(())
    }

    // Calls of the application.

    fn call(&mut self, call: &Call, at_us: i64) -> Step {
        self.silence(at_us)?;
        let at = instant(at_us);
        match call.name.as_str() {
            "connect" => {
                let now = self.until(at);
                self.bench.open(now);
            }
            name if WRITES.contains(&name) && is_whole(&call.result) => {
                let count = whole(&call.result, "a write of", u64::from(u32::MAX))?;
                let now = self.until(at);
                if call.arguments.contains("MSG_MORE") {
                    self.held += count;
                } else {
                    let held = core::mem::take(&mut self.held);
                    self.bench.write(held + count, false, now);
                }
            }
            name if CLOSES.contains(&name)
                && self.reading.is_sender
                && !(self.reading.is_passive && call.arguments.starts_with('3'))
                && !call.arguments.ends_with("SHUT_RD") =>
            {
                let now = self.until(at);
                let held = core::mem::take(&mut self.held);
                self.bench.write(held, true, now);
            }
            "read" | "recv" | "recvfrom" | "ioctl" if !self.reading.is_sender => {
                return self.read(call, at);
            }
            "getsockopt" if call.arguments.contains("TCP_MAXSEG") => {
                let info = self.bench.info().filter(|info| info.rtt > Duration::ZERO);
                if let Some(info) = info
                    && info.snd_mss != bracketed(call)?
                {
                    return mismatch(format!("a segment is {} bytes", info.snd_mss));
                }
            }
            _ => (),
        }
        Ok(())
    }

    fn read(&mut self, call: &Call, at: Time) -> Step {
        if !is_whole(&call.result) {
            return Ok(());
        }
        let result = || whole(&call.result, "a read of", u64::from(u32::MAX));
        if call.is_blocking {
            // The call returns when the data has come; the ACKs show the time.
            self.taken += result()?;
            return Ok(());
        }
        self.bench.advance(at);
        let waiting = self.bench.delivered().unwrap_or(0).saturating_sub(self.taken);
        if call.name == "ioctl" {
            if waiting != bracketed(call)? {
                return mismatch(format!("{waiting} bytes wait to be read"));
            }
            return Ok(());
        }
        let mut lengths = Vec::new();
        for word in call.arguments.split(|letter| !is_word(letter)).filter(|word| is_whole(word)) {
            lengths.push(whole(word, "a read of", u64::from(u32::MAX))?);
        }
        let got = lengths.get(1).copied().unwrap_or(0).min(waiting);
        if got != result()? {
            return mismatch(format!("the application gets {got} bytes"));
        }
        if !call.arguments.contains("MSG_PEEK") {
            self.taken += got;
        }
        Ok(())
    }

    // The state.

    fn code(&mut self, code: &str, at_us: i64) -> Step {
        if self.is_exact {
            self.silence(at_us)?;
            self.bench.advance(instant(at_us));
        } else {
            self.bench.advance(instant(at_us + ARRIVAL_US) + Duration::from_ps(1));
        }
        let mut state = state_of(&self.bench);
        if self.reading.is_sender {
            state.set("tcpi_advmss", self.reading.segment.filter(|it| *it > 0).unwrap_or(OWN_MSS));
        }
        state.set("tcpi_rcv_mss", self.segment_size.estimate());
        if self.is_exact {
            self.own_state(&mut state);
        }
        self.code.run(code, &state).map_err(|problem| match problem {
            CodeError::Failed(problem) => Stop::Mismatch(problem),
            CodeError::Unknown(problem) => Stop::NotApplicable(NotApplicable(problem)),
        })
    }

    /// Adds what no kernel tells.
    fn own_state(&self, state: &mut State) {
        match self.bench.host() {
            BenchHost::Sender(sender) => {
                state.set_window("tcpi_snd_cwnd", sender.cwnd(), self.mss);
                if let Some(ssthresh) = sender.decision().ssthresh {
                    state.set_window("tcpi_snd_ssthresh", ssthresh, self.mss);
                }
                state.set_window("inflight", sender.inflight(), self.mss);
                let counters = sender.stats();
                for (name, count) in [
                    ("spurious_timeouts", counters.spurious_timeouts),
                    ("recoveries", counters.recoveries),
                    ("undos", counters.undos),
                    ("tail_probes", counters.tail_probes),
                    ("ecn_reductions", counters.ecn_reductions),
                ] {
                    state.set(name, count.into());
                }
                let finished = sender.finished_at().unwrap_or(Time::ZERO);
                state.set_time("finished", finished.since(Time::ZERO));
            }
            BenchHost::Receiver(receiver) => {
                state.set("delivered", receiver.delivered());
                // A kernel's socket does not count the SYN-ACK, which was sent before it existed.
                let sent = self.bench.history().iter().filter(|(_, event)| {
                    matches!(event, BenchEvent::Sent(packet) if !packet.has(flags::SYN))
                });
                state.set("tcpi_segs_out", sent.count() as u64);
            }
        }
    }
}

/// The host's state as packetdrill's variables.
fn state_of(bench: &Bench) -> State {
    let mut state = State::default();
    state.set("tcpi_snd_ssthresh", INFINITE_SSTHRESH);
    let Some(info) = bench.info() else { return state };
    let ca_state = match info.ca_state {
        CaState::Open => 0,
        CaState::Disorder => 1,
        CaState::Cwr => 2,
        CaState::Recovery => 3,
        CaState::Loss => 4,
    };
    for (name, count) in [
        ("tcpi_ca_state", Some(ca_state)),
        ("tcpi_snd_ssthresh", info.snd_ssthresh),
        ("tcpi_pacing_rate", info.pacing_rate),
        ("tcpi_snd_cwnd", Some(info.snd_cwnd)),
        ("tcpi_unacked", Some(info.unacked)),
        ("tcpi_sacked", Some(info.sacked)),
        ("tcpi_lost", Some(info.lost)),
        ("tcpi_retrans", Some(info.retrans)),
        ("tcpi_total_retrans", Some(info.total_retrans)),
        ("tcpi_backoff", Some(info.backoff.into())),
        ("tcpi_probes", Some(info.probes.into())),
        ("tcpi_snd_mss", Some(info.snd_mss)),
        ("tcpi_snd_wnd", Some(info.snd_wnd)),
        ("tcpi_bytes_acked", Some(info.bytes_acked)),
        ("tcpi_notsent_bytes", Some(info.notsent_bytes)),
        ("tcpi_delivered", Some(info.delivered)),
        ("tcpi_data_segs_out", Some(info.data_segs_out)),
        ("tcpi_total_rto", Some(info.total_rto)),
        ("tcpi_reordering", Some(info.reordering.into())),
        ("tcpi_reord_seen", Some(info.reord_seen.into())),
    ] {
        if let Some(count) = count {
            state.set(name, count);
        }
    }
    for (name, time) in [
        ("tcpi_rto", info.rto),
        ("tcpi_rtt", info.rtt),
        ("tcpi_rttvar", info.rttvar),
        ("tcpi_min_rtt", info.min_rtt),
        ("tcpi_rwnd_limited", info.rwnd_limited),
        ("tcpi_busy_time", bench.busy_time()),
    ] {
        state.set_time(name, time);
    }
    state
}

fn percent(text: &str) -> Result<f64, NotApplicable> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let is_number = is_whole(whole)
        && whole.len() <= 6
        && part.len() <= 6
        && part.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(percent) if is_number => Ok(percent),
        _ => {
            let begin = crate::language::first_letters(text, 20);
            refuse(format!("--tolerance_percent '{begin}': a number as 12.5 is known"))
        }
    }
}

/// The number that a call is to write into its argument.
fn bracketed(call: &Call) -> Result<u64, NotApplicable> {
    let inside = call.arguments.split('[').skip(1).filter_map(|it| it.split_once(']'));
    if let Some(number) = inside.map(|(number, _)| number).find(|number| is_whole(number)) {
        return whole(number, &call.name, u64::from(u32::MAX));
    }
    let begin = crate::language::first_letters(&call.arguments, 40);
    refuse(format!("{}({begin}) without a number", call.name))
}

fn ecn(name: &str) -> Ecn {
    match name {
        "ect1" => Ecn::Ect1,
        "ect0" => Ecn::Ect0,
        "ce" => Ecn::Ce,
        _ => Ecn::NotEct,
    }
}

/// A window on the wire in bytes.
fn shifted(window: u64, scale: u32) -> u32 {
    let bytes = (u128::from(window) << scale.min(64)).min(LARGEST_WINDOW.into());
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// The instant of a time of the script, us.
fn instant(at_us: i64) -> Time {
    Time::from_ps(u64::try_from(at_us).unwrap_or(0).saturating_mul(PS))
}

#[expect(clippy::cast_precision_loss, reason = "a script lasts ten days at most")]
fn seconds_us(at_us: i64) -> f64 {
    at_us as f64
}

fn seconds(at_us: i64) -> f64 {
    seconds_us(at_us) / 1e6
}
