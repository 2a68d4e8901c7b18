//! A recorder: stands between a sender and its algorithm, passes every call on, and notes it.
//!
//! Only a flow whose decisions are recorded has one, so that a run without the record takes not one
//! instruction more.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ackclock_cc::{
    AckEvent, Call, CongestionControl, CongestionEvent, Decision, Duration, Interval,
    IntervalStart, LostSegment, RttSample, Time,
};

use crate::record::CallKind;
use crate::rng::Rng;

/// Calls since the notes were last taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    /// The weightiest call, with the text of the rule of its answer.
    pub weightiest: Option<(CallKind, String)>,
    /// A bit for each call.
    pub calls: u32,
    /// The latest ACK.
    pub ack: Option<AckEvent>,
}

/// Notes that a recorder shares with the record.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedNotes(Arc<Mutex<Notes>>);

impl SharedNotes {
    fn open(&self) -> MutexGuard<'_, Notes> {
        // A panic while writing leaves whole notes.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The notes since the last call.
    pub fn take(&self) -> Notes {
        std::mem::take(&mut *self.open())
    }
}

/// An algorithm whose calls are noted.
#[derive(Clone)]
pub(crate) struct Recorder {
    cc: Box<dyn CongestionControl>,
    /// Decision after the latest call.
    before: Decision,
    notes: SharedNotes,
}

impl Recorder {
    /// Notes the calls to `cc` in `notes`.
    pub fn new(cc: Box<dyn CongestionControl>, notes: SharedNotes) -> Self {
        Self { before: cc.decision(), cc, notes }
    }

    /// Notes a call that has just been answered.
    fn note(&mut self, call: Call) {
        let (call, rule) = (CallKind::from(call), self.cc.rule(call));
        self.before = self.cc.decision();
        let mut notes = self.notes.open();
        notes.calls |= 1 << call as u8;
        if notes.weightiest.as_ref().is_none_or(|(weightiest, _)| *weightiest <= call) {
            notes.weightiest = Some((call, rule));
        }
    }

    fn note_ack(&mut self, ack: &AckEvent) {
        self.note(Call::Ack);
        self.notes.open().ack = Some(*ack);
    }

    /// Notes a call if it has changed the decision.
    fn note_change(&mut self, call: Call) {
        if self.cc.decision() != self.before {
            self.note(call);
        }
    }
}

impl CongestionControl for Recorder {
    fn on_ack(&mut self, ack: &AckEvent, rng: &mut Rng) {
        self.cc.on_ack(ack, rng);
        self.note_ack(ack);
    }

    fn answer(&mut self, ack: &AckEvent, rng: &mut Rng) -> Decision {
        let decision = self.cc.answer(ack, rng);
        self.note_ack(ack);
        decision
    }

    fn takes_rtts(&self) -> bool {
        self.cc.takes_rtts()
    }

    fn on_rtt(&mut self, sample: &RttSample) -> bool {
        let has_changed = self.cc.on_rtt(sample);
        if has_changed {
            self.note(Call::Rtt);
        }
        has_changed
    }

    fn reduces_itself(&self) -> bool {
        self.cc.reduces_itself()
    }

    fn takes_reduction(&mut self) -> bool {
        self.cc.takes_reduction()
    }

    fn on_congestion(&mut self, event: &CongestionEvent, rng: &mut Rng) {
        self.cc.on_congestion(event, rng);
        self.note(Call::Congestion(event.signal));
    }

    fn on_loss_window(&mut self, window: u64, now: Time) {
        self.cc.on_loss_window(window, now);
        self.note(Call::LossWindow);
    }

    fn on_handshake(&mut self, rtt: Duration) {
        self.cc.on_handshake(rtt);
        self.note(Call::Handshake);
    }

    fn on_recovery_in_reduced_window(&mut self, now: Time) {
        self.cc.on_recovery_in_reduced_window(now);
        self.note(Call::RecoveryInReducedWindow);
    }

    fn on_recovery_exit(&mut self, now: Time) {
        self.cc.on_recovery_exit(now);
        self.note(Call::RecoveryExit);
    }

    fn on_repeated_timeout(&mut self, event: &CongestionEvent, rng: &mut Rng) {
        self.cc.on_repeated_timeout(event, rng);
        self.note(Call::RepeatedTimeout);
    }

    fn on_idle_restart(&mut self, restart_window: u64, now: Time) {
        self.cc.on_idle_restart(restart_window, now);
        self.note(Call::IdleRestart);
    }

    fn on_window_kept(&mut self, window: u64, now: Time) {
        self.cc.on_window_kept(window, now);
        self.note(Call::WindowKept);
    }

    fn on_lost_syn(&mut self, window: u64, now: Time) {
        self.cc.on_lost_syn(window, now);
        self.note(Call::LostSyn);
    }

    fn owns_window(&self) -> bool {
        self.cc.owns_window()
    }

    fn limits_itself(&self) -> bool {
        self.cc.limits_itself()
    }

    fn on_transmit_start(&mut self, now: Time, idle: Duration, is_app_limited: bool) {
        self.cc.on_transmit_start(now, idle, is_app_limited);
        self.note_change(Call::TransmitStart);
    }

    fn on_lost(&mut self, segment: &LostSegment) {
        self.cc.on_lost(segment);
    }

    fn on_spurious(&mut self, now: Time) {
        self.cc.on_spurious(now);
        self.note(Call::Undo);
    }

    fn begin_interval(&mut self, start: &IntervalStart, rng: &mut Rng) -> Option<Duration> {
        let duration = self.cc.begin_interval(start, rng);
        self.note_change(Call::Interval);
        duration
    }

    fn on_interval(&mut self, interval: &Interval, rng: &mut Rng) {
        self.cc.on_interval(interval, rng);
        self.note_change(Call::Interval);
    }

    fn decision(&self) -> Decision {
        self.cc.decision()
    }

    fn rule(&self, call: Call) -> String {
        self.cc.rule(call)
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        self.cc.internals(show);
    }
}
