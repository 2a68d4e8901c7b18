//! The record of decisions: compares a sender before and after each event, adds what a recorder
//! noted of the calls to its algorithm, and writes a row.
//!
//! The state before an event is the state after the one before it. So a look after each event is
//! enough, and the way of an event through the sender knows nothing of the record.

mod recorder;
mod rules;

use ackclock_cc::{CongestionControl, Duration};
use ackclock_units::Time;

use self::recorder::{Notes, Recorder, SharedNotes};
use crate::packet::{Packet, flags};
use crate::record::{CallKind, Cause, DecisionColumns, DecisionRow, NO_RULE, float};
use crate::transport::sender::{Sender, Snapshot};

/// Facts of one event.
struct Facts {
    cause: Cause,
    notes: Notes,
    acked: u64,
    sacked: u64,
    lost: u64,
    sent: u64,
    retransmitted: u64,
    has_dsack: bool,
}

/// A flow whose decisions are recorded.
struct Watched {
    notes: SharedNotes,
    /// The sender after its latest event; none before the first.
    last: Option<Snapshot>,
    /// Round trips counted at the latest ACK.
    round: u64,
    /// Rules of the latest row.
    rules: (u16, u16),
}

/// The record of decisions of some flows.
#[derive(Default)]
pub(crate) struct Decisions {
    /// By flow; empty if no decisions are recorded.
    flows: Vec<Option<Watched>>,
    pub table: DecisionColumns,
}

impl Decisions {
    /// The record of these flows, of `count`.
    pub fn new(recorded: &[u32], count: usize, max_bytes: u64) -> Self {
        let mut flows: Vec<Option<Watched>> = Vec::new();
        if !recorded.is_empty() {
            flows.resize_with(count, || None);
        }
        for flow in recorded {
            flows[*flow as usize] = Some(Watched {
                notes: SharedNotes::default(),
                last: None,
                round: 0,
                rules: (NO_RULE, NO_RULE),
            });
        }
        Self { flows, table: DecisionColumns::bounded(max_bytes) }
    }

    /// Whether a flow's decisions are recorded.
    pub fn is_on(&self) -> bool {
        !self.flows.is_empty()
    }

    /// The algorithm of a flow, with a recorder if its decisions are recorded.
    pub fn watch(&self, flow: u32, cc: Box<dyn CongestionControl>) -> Box<dyn CongestionControl> {
        match self.flows.get(flow as usize).and_then(Option::as_ref) {
            Some(watched) => Box::new(Recorder::new(cc, watched.notes.clone())),
            None => cc,
        }
    }

    /// Notes the senders as they are before their first event.
    pub fn begin(&mut self, senders: &[Sender]) {
        for (watched, sender) in self.flows.iter_mut().zip(senders) {
            if let Some(watched) = watched {
                watched.last = Some(sender.snapshot(watched.last.take()));
            }
        }
    }

    /// Begins the measured part of the run: counters begin again at zero.
    pub fn reset(&mut self) {
        for watched in self.flows.iter_mut().flatten() {
            if let Some(last) = &mut watched.last {
                last.forget_counts();
            }
        }
    }

    /// A sender has handled an event: `packet`, or a timer, or a write.
    pub fn note(&mut self, flow: u32, event: Happened<'_>, sender: &Sender, now: Time) {
        let Some(Some(watched)) = self.flows.get_mut(flow as usize) else { return };
        let Some(before) = watched.last.take() else { return };
        let after = sender.snapshot(None);
        // A session's next connection has not handled anything yet.
        let before =
            if before.connection == after.connection { before } else { before.renewed(&after) };
        let notes = watched.notes.take();
        let has_news = match event {
            Happened::Packet(packet) => sender.is_connection(packet.connection),
            Happened::Timer | Happened::Write => true,
        };
        if has_news {
            let facts = Facts::new(event, notes, &before, &after, now);
            if facts.changed(&before, &after) && self.table.has_room(now) {
                watched.write(&mut self.table, flow, event, &facts, (&before, &after), sender, now);
            }
        }
        watched.last = Some(after);
    }
}

/// An event of a sender.
#[derive(Clone, Copy)]
pub(crate) enum Happened<'a> {
    /// A packet has arrived.
    Packet(&'a Packet),
    /// A timer has run out.
    Timer,
    /// A session opens the connection, or writes to it.
    Write,
}

impl Facts {
    fn new(
        event: Happened<'_>,
        notes: Notes,
        before: &Snapshot,
        after: &Snapshot,
        now: Time,
    ) -> Self {
        let cause = match event {
            Happened::Packet(_) | Happened::Write if !before.is_open => Cause::Start,
            Happened::Packet(_) => Cause::Ack,
            Happened::Write => Cause::Application,
            Happened::Timer => before.timer_event(now),
        };
        let sacked = |view: &Snapshot| -> u64 {
            let from = after.una;
            let ranges = view.sacked.as_slice().iter();
            ranges.map(|(start, end)| end.saturating_sub(from.max(*start))).sum()
        };
        let has_dsack = matches!(event, Happened::Packet(packet) if is_dsack(packet));
        Self {
            cause,
            notes,
            acked: after.acked.saturating_sub(before.acked),
            sacked: sacked(after).saturating_sub(sacked(before)),
            lost: after.lost.saturating_sub(before.lost),
            sent: after.sent.saturating_sub(before.sent),
            retransmitted: after.retransmitted.saturating_sub(before.retransmitted),
            has_dsack,
        }
    }

    /// Whether the event has a row: any does but a timer of the pacer or of the application that
    /// changed nothing.
    fn changed(&self, before: &Snapshot, after: &Snapshot) -> bool {
        !matches!(self.cause, Cause::PacingTimer | Cause::Application)
            || self.sent > 0
            || self.notes.weightiest.is_some()
            || before.limit != after.limit
            || before.cwnd != after.cwnd
    }
}

/// Whether the packet's first SACK block reports a duplicate (RFC 2883 section 4).
fn is_dsack(packet: &Packet) -> bool {
    if packet.sack_count == 0 {
        return false;
    }
    let [first, second, ..] = packet.sacks;
    let is_inside = packet.sack_count > 1 && first.start >= second.start && first.end <= second.end;
    first.start < first.end && (first.start < 0 || is_inside)
}

impl Watched {
    #[expect(clippy::too_many_arguments, reason = "parts of one event")]
    fn write(
        &mut self,
        table: &mut DecisionColumns,
        flow: u32,
        event: Happened<'_>,
        facts: &Facts,
        (before, after): (&Snapshot, &Snapshot),
        sender: &Sender,
        now: Time,
    ) {
        let transport =
            rules::of_transport(facts, before, after, sender, now).map(|rule| rule.to_string());
        let notes = &facts.notes;
        let ack = notes.ack.as_ref();
        let weightiest = notes.weightiest.as_ref();
        // In recovery an ACK says nothing to a window that the transport sets.
        let is_silent = weightiest.is_none_or(|(call, _)| {
            *call == CallKind::Ack
                && ack.is_some_and(|ack| ack.in_recovery)
                && !after.is_own(sender)
        });
        let deciding = match (weightiest, &transport) {
            (_, Some(rule)) if is_silent => Some(rule),
            (Some((_, rule)), _) => Some(rule),
            (None, _) => None,
        };
        let mut number = |rule: Option<&String>, guess: u16| {
            rule.map_or(NO_RULE, |rule| table.number_of(rule, guess))
        };
        self.rules = (number(deciding, self.rules.0), number(transport.as_ref(), self.rules.1));
        self.round = ack.map_or(self.round, |ack| ack.round.count);
        let bits = |rate: Option<u64>| rate.map_or(f64::NAN, float);
        let bytes = |bytes: Option<u64>| bytes.map_or(f64::NAN, float);
        let rtt = sender.rtt();
        let known = |time: Duration| if rtt.has_sample() { time.as_secs_f64() } else { f64::NAN };
        let sample = ack.and_then(|ack| ack.rate);
        let sent_bytes = sender.weight_of_packets(facts.sent);
        let room = (after.window + sent_bytes).saturating_sub(after.inflight) / sender.mss();
        let packets = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let (is_duplicate, has_ece) = match event {
            Happened::Packet(packet) => (
                is_duplicate(packet, before, after),
                packet.has(flags::ECE) || ack.is_some_and(|ack| ack.newly_marked > 0),
            ),
            Happened::Timer | Happened::Write => (false, false),
        };
        table.push(DecisionRow {
            time: now.as_secs_f64(),
            flow,
            cause: facts.cause as u8,
            acked_bytes: facts.acked,
            sacked_bytes: facts.sacked,
            lost_bytes: facts.lost,
            is_duplicate: is_duplicate.into(),
            has_ece: has_ece.into(),
            una: after.acked,
            episode: after.state as u8,
            round: self.round,
            round_start: ack.is_some_and(|ack| ack.round.start).into(),
            delivery_rate: bits(sample.map(|sample| sample.delivery_rate.as_bps())),
            sample_interval: sample.map_or(f64::NAN, |sample| sample.interval.as_secs_f64()),
            is_app_limited: sample.is_some_and(|sample| sample.is_app_limited).into(),
            rtt_sample: ack.and_then(|ack| ack.rtt_sample).map_or(f64::NAN, Duration::as_secs_f64),
            srtt: known(rtt.srtt()),
            rttvar: known(rtt.rttvar()),
            min_rtt: known(rtt.min_rtt()),
            rto: sender.rto().as_secs_f64(),
            told: weightiest.map_or(CallKind::Nothing, |(call, _)| *call) as u8,
            calls: notes.calls,
            cwnd_before: float(before.cwnd),
            cwnd: float(after.cwnd),
            target_cwnd: float(sender.decision().cwnd),
            ssthresh_before: bytes(before.ssthresh),
            ssthresh: bytes(after.ssthresh),
            pacing_before: bits(before.pacing),
            pacing_rate: bits(after.pacing),
            rule: self.rules.0,
            transport_rule: self.rules.1,
            inflight: float(after.inflight),
            window_room: packets(room),
            sent: packets(facts.sent),
            retransmitted: packets(facts.retransmitted),
            held_by: after.limit as u8,
        });
    }
}

impl Snapshot {
    /// Whether the window in force is the algorithm's own.
    fn is_own(&self, sender: &Sender) -> bool {
        !self.is_reducing && !self.inflates && self.cwnd == sender.decision().cwnd
    }
}

/// Whether an ACK is a duplicate (RFC 5681 section 2): it acknowledges nothing new, data is out,
/// and the window is the same.
fn is_duplicate(packet: &Packet, before: &Snapshot, after: &Snapshot) -> bool {
    before.is_open
        && packet.ack == before.una
        && after.una == before.una
        && before.segments > 0
        && after.offered == before.offered
}
