//! Plays a kernel's trace on the simulator's sender and names the first difference.
//!
//! Everything that came from outside (writes, ACKs) happens at the time at which it happened to the
//! kernel. The kernel's timers run in jiffies and a wheel of growing granularity, so the sender's
//! timers wait for the kernel's as long as that explains; the pacer's timer, which is exact, waits
//! for [`PACING_LATE`] only.

use ackclock_sim::testbench::TcpInfo;
use ackclock_sim::transport::plan::TransportPlan;
use ackclock_units::{Duration, Time};
use serde::Serialize;

use super::bench::{Bench, Sent, seeds};
use super::play::{Entry, Info, Trace};
use super::script::{Action, Script};

/// A jiffy of 250 Hz, and the step to which simulated time is aligned: the kernel's jiffies begin
/// at its multiples.
pub const JIFFY: Duration = Duration::from_millis(4);
/// Largest difference between the times of a packet where no timer of jiffies explains more.
pub const TOLERANCE: Duration = Duration::from_millis(2);
/// Largest difference between the times of a paced packet.
pub const PACING_LATE: Duration = Duration::from_millis(2);
/// Longest time in which the kernel answers an ACK or a timer.
const ANSWER: Duration = Duration::from_micros(200);
/// Largest time by which an event's time, taken before the event, precedes the time that the kernel
/// reads.
const CLOCK: Duration = Duration::from_micros(20);
/// Simulated time before the first packet.
const LEAD: Duration = Duration::from_secs(1);
/// Levels of the timer wheel (`kernel/time/timer.c`): up to so many jiffies a timer is late by up
/// to so many.
const WHEEL: [(u64, u64); 4] = [(63, 1), (504, 8), (4032, 64), (u64::MAX, 512)];

/// The first difference between the kernel and the simulator's sender.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Kind of the difference: `extra segment`, `missing segment`, `segment`, `time`, or the name
    /// of a field of `TCP_INFO`.
    pub what: String,
    /// The kernel's `ca_state` before the difference.
    pub ca_state: String,
    /// The kind of the latest event, or `timer`.
    pub after: String,
    /// Index of the latest event.
    pub event: Option<usize>,
    /// Time of the difference, us since the SYN-ACK.
    pub at_us: u64,
    /// Description of both sides.
    pub detail: String,
    /// Index of the trace's entry.
    pub entry: usize,
}

impl Difference {
    /// The class under which differences are counted.
    #[must_use]
    pub fn class(&self) -> String {
        format!("{} in {} after {}", self.what, self.ca_state, self.after)
    }
}

/// Names of `ca_state`.
pub const CA_STATES: [&str; 5] = ["Open", "Disorder", "CWR", "Recovery", "Loss"];

struct Replay<'a> {
    script: &'a Script,
    trace: &'a Trace,
    bench: Bench,
    base_ns: u64,
    /// Due time of the timer that the kernel runs in jiffies, and the time at which it was set.
    timer: Time,
    set_at: Time,
    deadline: Time,
    kernel: Info,
    last_event: Option<usize>,
    /// Highest byte that the kernel has sent.
    sent_end: u64,
    /// Whether the kernel has sent by a timer since the last event.
    by_timer: bool,
    last_event_at: Time,
    last_sent_at: Time,
    /// Possible lateness of the kernel's timers that have started the next timer without sending
    /// anything.
    handed_over: Duration,
    /// Whether due timers run before an event, as in [`Way`].
    is_prompt: bool,
}

/// Plays the trace. Returns the first difference, if there is one.
///
/// # Errors
///
/// If the simulator's sender cannot be made.
pub fn replay(
    script: &Script,
    trace: &Trace,
    transport: &TransportPlan,
) -> Result<Option<Difference>, String> {
    Ok(best(script, trace, transport)?.1)
}

/// Facts about the kernel that a trace does not tell.
#[derive(Clone, Copy)]
struct Way {
    /// Seed of the simulator's sender: the kernel's BBR draws the phase with which its gain cycle
    /// begins.
    seed: u64,
    /// Whether a due timer of the simulator's sender fires before an event, or waits for the
    /// kernel's.
    ///
    /// A timer that sends nothing is not seen, and the kernel's jiffies decide whether it was
    /// before the event.
    is_prompt: bool,
}

/// Plays the trace in each way. Returns the way that goes longest without a difference, and the
/// difference.
fn best(
    script: &Script,
    trace: &Trace,
    transport: &TransportPlan,
) -> Result<(Way, Option<Difference>), String> {
    let mut best: Option<(Way, Difference)> = None;
    for is_prompt in [false, true] {
        for &seed in seeds(&script.cc) {
            let way = Way { seed, is_prompt };
            let Some(difference) = replay_in(way, script, trace, transport)? else {
                return Ok((way, None));
            };
            if best.as_ref().is_none_or(|(_, other)| other.entry < difference.entry) {
                best = Some((way, difference));
            }
        }
    }
    let (way, difference) = best.ok_or("no seed")?;
    Ok((way, Some(difference)))
}

fn replay_in(
    way: Way,
    script: &Script,
    trace: &Trace,
    transport: &TransportPlan,
) -> Result<Option<Difference>, String> {
    let mut replay = Replay::new(script, trace, transport, way)?;
    for (number, entry) in trace.entries.iter().enumerate() {
        if let Err(mut difference) = replay.entry(entry) {
            difference.entry = number;
            return Ok(Some(*difference));
        }
    }
    Ok(None)
}

/// Plays the trace and describes both sides, step by step, as far as the first difference.
///
/// # Errors
///
/// If the simulator's sender cannot be made.
#[expect(clippy::cast_precision_loss, reason = "figures for people")]
pub fn narrate(
    script: &Script,
    trace: &Trace,
    transport: &TransportPlan,
) -> Result<String, String> {
    use core::fmt::Write as _;
    let (way, _) = best(script, trace, transport)?;
    let mut replay = Replay::new(script, trace, transport, way)?;
    let (mut text, mut shown) = (String::new(), String::new());
    for (number, entry) in trace.entries.iter().enumerate() {
        let at = |ns: u64| (ns.saturating_sub(trace.open_ns)) as f64 / 1e6;
        let _ = match entry {
            Entry::Sent { at_ns, seq, payload, fin, .. } => {
                let fin = if *fin { " fin" } else { "" };
                writeln!(text, "{:>10.3} > {seq}:{}{fin}", at(*at_ns), seq + u64::from(*payload))
            }
            Entry::Event { at_ns, index } => {
                writeln!(text, "{:>10.3} {}", at(*at_ns), describe(&script.events[*index].action))
            }
            Entry::State { .. } => Ok(()),
        };
        let outcome = replay.entry(entry);
        if let Entry::State { state, .. } = entry {
            let ours = replay.bench.info();
            let states = both(state, &ours);
            if states != shown {
                let us = |time: Duration| time.as_ps() / 1_000_000;
                let _ = writeln!(text, "{:>10}   {states}", "");
                let _ = writeln!(
                    text,
                    "{:>10}   kernel srtt {} min_rtt {} rto {} us, reordering seen {}, delivered \
                     {}, {} bytes/s; ours srtt {} min_rtt {} rto {} us",
                    "",
                    state.rtt,
                    state.min_rtt,
                    state.rto,
                    state.reord_seen,
                    state.delivered,
                    state.pacing_rate,
                    us(ours.rtt),
                    us(ours.min_rtt),
                    us(ours.rto)
                );
                let _ = writeln!(text, "{:>10}   ours{}", "", replay.bench.internals());
                shown = states;
            }
        }
        if let Err(difference) = outcome {
            let _ =
                writeln!(text, "FIRST DIFFERENCE: {}: {}", difference.class(), difference.detail);
            let then = trace.entries.iter().skip(number).find_map(|entry| match entry {
                Entry::State { state, .. } => Some(state),
                _ => None,
            });
            if let Some(state) = then {
                let _ = writeln!(text, "then {}", both(state, &replay.bench.info()));
            }
            break;
        }
    }
    Ok(text)
}

/// Describes an event in words.
#[must_use]
pub fn describe(action: &Action) -> String {
    match action {
        Action::Write(bytes) => format!("write {bytes}"),
        Action::Close => "close".into(),
        Action::Ack(ack) => {
            let sacks: Vec<String> =
                ack.sacks.iter().map(|(start, end)| format!("{start}:{end}")).collect();
            let sacks =
                if sacks.is_empty() { String::new() } else { format!(" sack {}", sacks.join(",")) };
            let ece = if ack.ece { " ece" } else { "" };
            format!(
                "< ack {}{sacks}{ece} win {} echo {}#{}",
                ack.ack, ack.window, ack.echo.seq, ack.echo.nth
            )
        }
    }
}

impl<'a> Replay<'a> {
    fn new(
        script: &'a Script,
        trace: &'a Trace,
        transport: &TransportPlan,
        way: Way,
    ) -> Result<Self, String> {
        let jiffy_ns = JIFFY.as_ps() / 1000;
        let base_ns = (trace.syn_ns - trace.syn_ns % jiffy_ns).saturating_sub(LEAD.as_ps() / 1000);
        let mut replay = Self {
            script,
            trace,
            bench: Bench::with_seed(
                script,
                transport,
                time(trace.syn_sent_ns(), base_ns),
                way.seed,
            )?,
            base_ns,
            timer: Time::MAX,
            set_at: Time::ZERO,
            deadline: Time::MAX,
            kernel: Info::default(),
            last_event: None,
            sent_end: 0,
            by_timer: false,
            last_event_at: Time::ZERO,
            last_sent_at: Time::ZERO,
            handed_over: Duration::ZERO,
            is_prompt: way.is_prompt,
        };
        let open = replay.time(trace.open_ns);
        replay.bench.establish(script.window, open);
        replay.note_deadline();
        Ok(replay)
    }

    fn time(&self, ns: u64) -> Time {
        time(ns, self.base_ns)
    }

    fn note_deadline(&mut self) {
        self.deadline = self.bench.deadline();
        let timer = self.bench.timer_deadline();
        if timer != self.timer {
            self.timer = timer;
            self.set_at = self.bench.now();
        }
    }

    /// Largest time by which the kernel's timer may fire after the sender's.
    fn slack(&self) -> Duration {
        if self.bench.is_pacing_next() {
            return PACING_LATE;
        }
        // An idle processor's wheel may lag behind by some jiffies.
        let jiffies = self.timer.since(self.set_at).as_ps() / JIFFY.as_ps() + 8;
        let late = WHEEL.iter().find(|(most, _)| jiffies <= *most).map_or(512, |level| level.1);
        // The kernel doubles an RTO that it has already rounded up to a jiffy.
        let rounding = (1 << self.bench.info().backoff.min(6)) - 1;
        JIFFY * (late + 2 + rounding) + TOLERANCE + self.handed_over
    }

    /// Largest time by which the kernel's timer may fire before the sender's: it counts from the
    /// tick before it was set.
    fn early(&self) -> Duration {
        if self.bench.is_pacing_next() || self.deadline == Time::MAX {
            return TOLERANCE;
        }
        let jiffy = JIFFY.as_ps();
        let ticks =
            self.set_at.as_ps() / jiffy + self.deadline.since(self.set_at).as_ps().div_ceil(jiffy);
        self.deadline.since(Time::from_ps(ticks * jiffy)).max(TOLERANCE)
    }

    fn fire(&mut self, at: Time) {
        let slack = self.slack();
        self.bench.fire(at);
        self.note_deadline();
        self.handed_over = if self.bench.peek_sent().is_none() { slack } else { Duration::ZERO };
    }

    /// Fires the timers that the kernel must have fired by now.
    fn run_overdue(&mut self, now: Time) {
        while self.deadline < Time::MAX && self.deadline.saturating_add(self.slack()) < now {
            self.fire(self.deadline);
        }
    }

    fn entry(&mut self, entry: &Entry) -> Result<(), Box<Difference>> {
        match entry {
            Entry::Sent { at_ns, seq, payload, fin, .. } => {
                let at = self.time(*at_ns);
                self.run_overdue(at);
                let sent = Sent { at, seq: *seq, payload: *payload, fin: *fin, cwr: false };
                self.kernel_sent(&sent)
            }
            Entry::Event { at_ns, index } => {
                let at = self.time(*at_ns);
                self.run_overdue(at);
                while self.is_prompt && self.deadline <= at && !self.bench.is_pacing_next() {
                    self.fire(self.deadline);
                }
                self.check_waiting(at)?;
                self.last_event = Some(*index);
                self.by_timer = false;
                self.last_event_at = at;
                self.handed_over = Duration::ZERO;
                self.bench.play(&self.script.events[*index].action, at);
                self.note_deadline();
                Ok(())
            }
            Entry::State { at_ns, state } => {
                let at = self.time(*at_ns);
                self.run_overdue(at);
                self.check_waiting(at)?;
                self.check_state(state, at)?;
                self.kernel = *state;
                Ok(())
            }
        }
    }

    fn kernel_sent(&mut self, kernel: &Sent) -> Result<(), Box<Difference>> {
        if kernel.at > self.last_event_at + TOLERANCE {
            self.by_timer = true;
        }
        self.answer_in_two_looks(kernel);
        let mut early = TOLERANCE;
        while self.bench.peek_sent().is_none() {
            let due = self.bench.deadline();
            early = self.early();
            if due > kernel.at.saturating_add(early) {
                break;
            }
            let pacing = self.bench.pacing_deadline();
            let is_next =
                kernel.seq >= self.sent_end || self.bench.next_to_repair() == Some(kernel.seq);
            if is_next && pacing <= kernel.at.saturating_add(TOLERANCE) {
                // A timer of jiffies that is also due may still be late.
                self.bench.fire_pacer(pacing.max(kernel.at));
                self.note_deadline();
                if self.bench.peek_sent().is_some() {
                    break;
                }
            }
            self.fire(due.max(kernel.at));
        }
        let is_again = kernel.seq < self.sent_end;
        let words = |sent: &Sent, again: bool| {
            format!(
                "{}{}:{}{}",
                if again { "again " } else { "" },
                sent.seq,
                sent.seq + u64::from(sent.payload),
                if sent.fin { " fin" } else { "" }
            )
        };
        let Some(ours) = self.bench.next_sent() else {
            let due = self.bench.deadline();
            let due = if due == Time::MAX {
                "never".into()
            } else {
                format!("at {:.3} ms", self.ms(due))
            };
            let info = self.bench.info();
            let detail = format!(
                "the kernel sent {}, ours nothing: {} cwnd {} out {} sacked {} lost {} retrans \
                 {}, the next timer is due {due}",
                words(kernel, is_again),
                CA_STATES[info.ca_state as usize],
                info.snd_cwnd,
                info.unacked,
                info.sacked,
                info.lost,
                info.retrans
            );
            return Err(Box::new(self.difference(
                if is_again { "missing retransmission" } else { "missing segment" },
                kernel.at,
                detail,
            )));
        };
        if (ours.seq, ours.payload, ours.fin) != (kernel.seq, kernel.payload, kernel.fin) {
            let again = ours.seq < self.sent_end;
            let what = match (is_again, again) {
                (true, true) => "which retransmission",
                (true, false) => "retransmission or new",
                (false, true) => "new or retransmission",
                (false, false) => "size of a segment",
            };
            let detail = format!(
                "the kernel sent {}, ours {}",
                words(kernel, is_again),
                words(&ours, again)
            );
            return Err(Box::new(self.difference(what, kernel.at, detail)));
        }
        if ours.at > kernel.at.saturating_add(early)
            || kernel.at > ours.at.saturating_add(TOLERANCE)
        {
            let detail = format!(
                "{}: the kernel at {:.3} ms, ours at {:.3} ms",
                words(kernel, is_again),
                self.ms(kernel.at),
                self.ms(ours.at)
            );
            let what = if ours.at < kernel.at { "time: ours earlier" } else { "time: ours later" };
            return Err(Box::new(self.difference(what, kernel.at, detail)));
        }
        self.last_sent_at = kernel.at;
        self.sent_end =
            self.sent_end.max(kernel.seq + u64::from(kernel.payload) + u64::from(kernel.fin));
        Ok(())
    }

    /// The kernel looks at the pacer twice while it answers an ACK or the pacer's timer. For
    /// retransmissions it uses the time of arrival, and for new data the present time. If the pacer
    /// opens in between, new data leaves first.
    fn answer_in_two_looks(&mut self, kernel: &Sent) {
        let opens = self.bench.pacing_deadline();
        let is_answer = kernel.at.since(self.last_event_at) < ANSWER
            || kernel.at.since(self.last_sent_at) < ANSWER;
        let is_in_between = is_answer
            && opens <= kernel.at.saturating_add(CLOCK)
            && kernel.at.since(opens) < ANSWER;
        if is_in_between && kernel.seq >= self.sent_end && self.bench.peek_sent().is_none() {
            self.bench.open_for_new_data(kernel.at);
            self.note_deadline();
        }
    }

    /// Checks the segments that the simulator's sender sent and the kernel should have sent by
    /// `now`.
    fn check_waiting(&mut self, now: Time) -> Result<(), Box<Difference>> {
        let Some(ours) = self.bench.peek_sent() else { return Ok(()) };
        if ours.at.saturating_add(TOLERANCE) >= now {
            return Ok(());
        }
        let again = ours.seq < self.sent_end;
        let detail = format!(
            "ours sent {}{}:{} at {:.3} ms, the kernel nothing",
            if again { "again " } else { "" },
            ours.seq,
            ours.seq + u64::from(ours.payload),
            self.ms(ours.at)
        );
        Err(Box::new(self.difference(
            if again { "extra retransmission" } else { "extra segment" },
            ours.at,
            detail,
        )))
    }

    fn check_state(&mut self, kernel: &Info, now: Time) -> Result<(), Box<Difference>> {
        // A connection whose FIN was acknowledged sends nothing more, and the simulator's sender is
        // gone.
        if self.bench.peek_sent().is_some() || self.bench.is_done() {
            return Ok(());
        }
        let mut differs = compare(self.script, kernel, &self.bench.info());
        // The kernel's timer may have fired without a packet, or with a packet that is the next
        // entry.
        if differs.is_some() && self.bench.deadline() <= now.saturating_add(TOLERANCE) {
            self.fire(self.bench.deadline().max(now));
            differs = compare(self.script, kernel, &self.bench.info());
        }
        match differs {
            None => Ok(()),
            Some((what, detail)) => Err(Box::new(self.difference(what, now, detail))),
        }
    }

    fn ms(&self, at: Time) -> f64 {
        at.since(self.time(self.trace.open_ns)).as_secs_f64() * 1e3
    }

    fn difference(&self, what: &str, at: Time, detail: String) -> Difference {
        let after = if self.by_timer {
            "timer".into()
        } else {
            self.last_event.map_or("handshake".into(), |index| self.kind(index))
        };
        Difference {
            what: what.into(),
            ca_state: CA_STATES
                .get(usize::from(self.kernel.ca_state))
                .map_or("?", |name| name)
                .into(),
            after,
            event: self.last_event,
            at_us: at.since(self.time(self.trace.open_ns)).as_ps() / 1_000_000,
            detail,
            entry: 0,
        }
    }

    /// The kind of an event.
    fn kind(&self, index: usize) -> String {
        let Action::Ack(ack) = &self.script.events[index].action else {
            return if self.script.events[index].action == Action::Close {
                "close"
            } else {
                "write"
            }
            .into();
        };
        let mut before =
            self.script.events[..index].iter().filter_map(|event| match &event.action {
                Action::Ack(ack) => Some(ack),
                _ => None,
            });
        let highest = before.clone().map(|ack| ack.ack).max().unwrap_or(0);
        let window = before.next_back().map_or(self.script.window, |ack| ack.window);
        let mut kind = match ack.ack.cmp(&highest) {
            core::cmp::Ordering::Less => "old ack",
            core::cmp::Ordering::Equal if ack.window != window => "window update",
            core::cmp::Ordering::Equal => "dupack",
            core::cmp::Ordering::Greater => "ack",
        }
        .to_owned();
        if let Some(first) = ack.sacks.first() {
            let within =
                ack.sacks.get(1).is_some_and(|next| first.0 >= next.0 && first.1 <= next.1);
            kind += if first.0 < ack.ack || within { "+dsack" } else { "+sack" };
        }
        if ack.ece {
            kind += "+ece";
        }
        kind
    }
}

fn time(ns: u64, base_ns: u64) -> Time {
    Time::from_ps(ns.saturating_sub(base_ns).saturating_mul(1000))
}

/// The first field that differs, and both states.
fn compare(script: &Script, kernel: &Info, ours: &TcpInfo) -> Option<(&'static str, String)> {
    let ca_state = ours.ca_state as u8;
    let ssthresh = kernel.ssthresh.map(u64::from);
    let fields = [
        ("ca_state", kernel.ca_state == ca_state),
        ("out", u64::from(kernel.out) == ours.unacked),
        ("sacked", u64::from(kernel.sacked) == ours.sacked),
        ("lost", u64::from(kernel.lost) == ours.lost),
        ("retrans", u64::from(kernel.retrans) == ours.retrans),
        ("ssthresh", ssthresh == ours.snd_ssthresh),
        ("cwnd", is_cwnd_alike(script, u64::from(kernel.cwnd), ours.snd_cwnd)),
        ("backoff", u32::from(kernel.backoff) == ours.backoff),
        ("reordering", kernel.reordering == ours.reordering),
    ];
    let (what, _) = fields.iter().find(|(_, alike)| !alike)?;
    Some((what, both(kernel, ours)))
}

/// Both states in words.
fn both(kernel: &Info, ours: &TcpInfo) -> String {
    let ca_state = ours.ca_state as u8;
    let ssthresh = kernel.ssthresh.map(u64::from);
    let none = |value: Option<u64>| value.map_or("none".to_owned(), |value| value.to_string());
    let name = |state: u8| CA_STATES.get(usize::from(state)).copied().unwrap_or("?");
    format!(
        "kernel {} cwnd {} ssthresh {} out {} sacked {} lost {} retrans {} backoff {} reordering \
         {}; ours {} cwnd {} ssthresh {} out {} sacked {} lost {} retrans {} backoff {} \
         reordering {}",
        name(kernel.ca_state),
        kernel.cwnd,
        none(ssthresh),
        kernel.out,
        kernel.sacked,
        kernel.lost,
        kernel.retrans,
        kernel.backoff,
        kernel.reordering,
        name(ca_state),
        ours.snd_cwnd,
        none(ours.snd_ssthresh),
        ours.unacked,
        ours.sacked,
        ours.lost,
        ours.retrans,
        ours.backoff,
        ours.reordering
    )
}

/// BBR's window is a product of a rate and a time, which both clocks know to some us only.
fn is_cwnd_alike(script: &Script, kernel: u64, ours: u64) -> bool {
    kernel == ours || (script.cc == "bbr" && kernel.abs_diff(ours) <= 1)
}

#[cfg(test)]
mod tests {
    use super::super::bench::Bench;
    use super::super::generate::generate;
    use super::*;

    const OPEN_NS: u64 = 5_000_000_000;

    fn linux() -> TransportPlan {
        serde_json::from_str(include_str!("../../../sim/tests/support/linux.json"))
            .expect("the fixture is a transport plan")
    }

    fn state_of(bench: &Bench, rtt_us: u64) -> Info {
        let ours = bench.info();
        let small = |count: u64| u32::try_from(count).expect("a window");
        Info {
            ca_state: ours.ca_state as u8,
            cwnd: small(ours.snd_cwnd),
            ssthresh: ours.snd_ssthresh.map(small),
            out: small(ours.unacked),
            sacked: small(ours.sacked),
            lost: small(ours.lost),
            retrans: small(ours.retrans),
            backoff: u8::try_from(ours.backoff).expect("few"),
            reordering: ours.reordering,
            rtt: small(rtt_us),
            ..Info::default()
        }
    }

    /// A kernel that behaves as the simulator's sender, with timers that are late by `late`.
    fn fake_kernel(script: &Script, late: Duration) -> Trace {
        let syn_ns = OPEN_NS - script.handshake_us * 1000;
        let at = |ns: u64| Time::from_ps(ns * 1000);
        let mut bench = Bench::new(script, &linux(), at(syn_ns)).expect("a sender");
        bench.establish(script.window, at(OPEN_NS));
        let mut entries = Vec::new();
        let mut note = |bench: &mut Bench| {
            while let Some(sent) = bench.next_sent() {
                entries.push(Entry::Sent {
                    at_ns: sent.at.as_ps() / 1000,
                    seq: sent.seq,
                    payload: sent.payload,
                    fin: sent.fin,
                    psh: false,
                    cwr: sent.cwr,
                    stamp: 0,
                    more: false,
                });
            }
            let state = state_of(bench, script.handshake_us);
            let at_ns = bench.now().as_ps() / 1000;
            entries.push(Entry::State { at_ns, state });
            entries.len()
        };
        let mut events = Vec::new();
        for (index, event) in script.events.iter().enumerate() {
            let then = at(OPEN_NS + event.at_us * 1000);
            while bench.deadline() + late < then {
                let due = bench.deadline() + late;
                bench.fire(due);
                note(&mut bench);
            }
            let place = note(&mut bench);
            events.push((place, then.as_ps() / 1000, index));
            bench.play(&event.action, then);
            note(&mut bench);
        }
        for (place, at_ns, index) in events.into_iter().rev() {
            entries.insert(place, Entry::Event { at_ns, index });
        }
        Trace { syn_ns, open_ns: OPEN_NS, entries, disturbed: None }
    }

    fn scripts() -> impl Iterator<Item = Script> {
        ["reno", "cubic"].into_iter().flat_map(|cc| {
            (0..40).map(move |number| generate(3, number, cc, &linux()).expect("a script"))
        })
    }

    #[test]
    fn a_kernel_that_is_the_simulators_sender_agrees() {
        for script in scripts() {
            let trace = fake_kernel(&script, Duration::ZERO);
            let difference = replay(&script, &trace, &linux()).expect("a sender");
            assert_eq!(difference, None, "script {} of {}", script.number, script.cc);
        }
    }

    /// Timers that are late by no more than jiffies explain are no difference.
    #[test]
    fn a_kernel_whose_timers_are_late_agrees() {
        let differing = scripts()
            .filter(|script| {
                let trace = fake_kernel(script, Duration::from_millis(4));
                replay(script, &trace, &linux()).expect("a sender").is_some()
            })
            .count();
        assert!(differing <= 2, "{differing} of 80 differ");
    }

    #[test]
    fn another_window_is_a_difference_of_the_window() {
        let mut seen = 0;
        for script in scripts() {
            let mut trace = fake_kernel(&script, Duration::ZERO);
            // Nothing is compared of a connection that is done.
            let last = trace.entries.iter_mut().rev().find_map(|entry| match entry {
                Entry::State { state, .. } if state.out > 0 => Some(state),
                _ => None,
            });
            last.expect("asked at each event").cwnd += 1;
            let difference = replay(&script, &trace, &linux()).expect("a sender").expect("one");
            assert_eq!(difference.what, "cwnd");
            assert!(difference.detail.contains("cwnd"));
            seen += 1;
        }
        assert_eq!(seen, 80);
    }

    #[test]
    fn a_segment_too_few_or_too_many_is_found() {
        for script in scripts() {
            let trace = fake_kernel(&script, Duration::ZERO);
            let first = trace.entries.iter().position(|entry| matches!(entry, Entry::Sent { .. }));
            let Some(first) = first else { continue };
            let mut fewer = trace.clone();
            fewer.entries.remove(first);
            let what = replay(&script, &fewer, &linux()).expect("a sender").expect("one").what;
            assert!(
                ["extra segment", "size of a segment", "new or retransmission"]
                    .contains(&what.as_str()),
                "{what}"
            );
            let mut more = trace;
            let again = more.entries[first].clone();
            more.entries.insert(first + 1, again);
            let what = replay(&script, &more, &linux()).expect("a sender").expect("one").what;
            assert!(
                ["missing retransmission", "retransmission or new", "which retransmission"]
                    .contains(&what.as_str()),
                "{what}"
            );
        }
    }
}
