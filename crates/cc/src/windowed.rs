//! Composes a slow start and an avoidance into a congestion control. Every window-based algorithm
//! plugs into this frame.

use crate::avoidance::Avoidance;
use crate::slow_start::{Growth, SlowStart};
use crate::window::Window;
use crate::{
    AckEvent, Call, CongestionControl, CongestionEvent, Decision, Duration, Rng, RttSample, Rule,
    Ruled, Setup, Signal, Time,
};

/// Half that is in charge. It is state and not derived from `cwnd < ssthresh`: a delay-based
/// avoidance may shrink cwnd below ssthresh without wanting slow start again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The slow start decides.
    SlowStart,
    /// The avoidance decides.
    Avoidance,
}

/// Kind of the latest decision.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Slow start grows the window.
    Growth,
    /// Slow start ends itself.
    End,
    /// The avoidance ends slow start.
    TakeOver,
    /// The avoidance grows or cuts the window.
    Avoidance,
}

/// A window-based congestion control made of two halves.
#[derive(Clone)]
pub struct Windowed {
    window: Window,
    phase: Phase,
    slow_start: Box<dyn SlowStart>,
    avoidance: Box<dyn Avoidance>,
    /// State before the last signal, for undo. None before the first; the box stays for the next.
    before: Option<Box<Before>>,
    /// The last signal may prove spurious.
    may_undo: bool,
    /// Rule of the latest ACK, RTT sample or signal, if the half that decided names its rules. Only
    /// the record of decisions reads it and the kind.
    rule: Option<&'static Rule>,
    kind: Kind,
    /// The window is being reduced after losses or marks.
    is_reducing: bool,
    /// Rule of the window that the avoidance has set at the handshake, or at the end of the last
    /// recovery.
    own_rule: Option<&'static Rule>,
}

impl core::fmt::Debug for Windowed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Windowed")
            .field("window", &self.window)
            .field("phase", &self.phase)
            .finish_non_exhaustive()
    }
}

/// State that an undo puts back.
#[derive(Clone)]
struct Before {
    cwnd: u64,
    ssthresh: Option<u64>,
    phase: Phase,
    /// None if the undo leaves the slow start as it is.
    slow_start: Option<Box<dyn SlowStart>>,
    /// None if the undo leaves the avoidance as it is.
    avoidance: Option<Box<dyn Avoidance>>,
}

/// Smallest ssthresh, segments. RFC 5681 section 3.1, equation 4: `ssthresh = max (FlightSize / 2,
/// 2*SMSS)`.
pub const MIN_SSTHRESH_SEGMENTS: u64 = 2;

impl Windowed {
    /// A controller of two halves, before the first byte.
    #[must_use]
    pub fn new(
        setup: &Setup,
        mut slow_start: Box<dyn SlowStart>,
        mut avoidance: Box<dyn Avoidance>,
    ) -> Self {
        let window =
            Window { cwnd: setup.initial_window, ssthresh: setup.initial_ssthresh, mss: setup.mss };
        slow_start.begin(&window);
        avoidance.set_up(setup);
        Self {
            window,
            phase: Phase::SlowStart,
            slow_start,
            avoidance,
            before: None,
            may_undo: false,
            rule: None,
            kind: Kind::Growth,
            is_reducing: false,
            own_rule: None,
        }
    }

    /// Begins slow start after a timeout. RFC 5681 section 3.1: "upon a timeout [...] cwnd MUST be
    /// set to no more than the loss window, LW, which equals 1 full-sized segment".
    fn start_over(&mut self) {
        self.window.cwnd = self.window.mss;
        self.phase = Phase::SlowStart;
        self.slow_start.begin(&self.window);
    }

    /// Ends slow start because the path's capacity is found. `cwnd` becomes ssthresh too, unless
    /// ssthresh is already lower.
    fn leave_slow_start_at(&mut self, cwnd: u64, now: Time) {
        self.window.cwnd = cwnd.max(self.window.mss);
        self.window.ssthresh = Some(
            self.window
                .ssthresh
                .map_or(self.window.cwnd, |ssthresh| ssthresh.min(self.window.cwnd)),
        );
        self.enter_avoidance(now);
    }

    fn enter_avoidance(&mut self, now: Time) {
        self.phase = Phase::Avoidance;
        self.avoidance.begin(&self.window, now);
    }

    /// Lets the avoidance decide on the window.
    #[inline]
    fn avoid(&mut self, ack: &AckEvent, rng: &mut Rng) -> Option<&'static Rule> {
        let ruled = self.avoidance.next_cwnd(ack, &self.window, rng);
        self.window.cwnd = ruled.answer.max(self.window.mss);
        self.window.ssthresh = self.avoidance.next_ssthresh(&self.window);
        ruled.rule
    }

    /// Takes an answer for the decision, and notes its rule.
    #[inline]
    fn take<T>(&mut self, ruled: Ruled<T>, kind: Kind) -> T {
        (self.rule, self.kind) = (ruled.rule, kind);
        ruled.answer
    }

    /// ssthresh for a window that was in use: at least three quarters of it (RFC 7661 section
    /// 4.4.3; Linux's `tcp_current_ssthresh`). `None` while ssthresh is unknown.
    fn current_ssthresh(&self) -> Option<u64> {
        let segments = self.window.cwnd / self.window.mss;
        let most = (segments / 2 + segments / 4) * self.window.mss;
        self.window.ssthresh.map(|ssthresh| ssthresh.max(most))
    }

    fn keep_for_undo(&mut self) {
        let (cwnd, ssthresh, phase) = (self.window.cwnd, self.current_ssthresh(), self.phase);
        let before = self.before.get_or_insert_with(|| {
            Box::new(Before { cwnd, ssthresh, phase, slow_start: None, avoidance: None })
        });
        (before.cwnd, before.ssthresh, before.phase) = (cwnd, ssthresh, phase);
        if self.slow_start.has_undo_state() {
            self.slow_start.copy_into(&mut before.slow_start);
        }
        if self.avoidance.has_undo_state() {
            self.avoidance.copy_into(&mut before.avoidance);
        }
        self.may_undo = true;
    }

    /// Slow start's part of an ACK. Returns how much of the ACK's `credited` is left for the
    /// avoidance.
    fn grow_in_slow_start(&mut self, ack: &AckEvent, rng: &mut Rng) -> u64 {
        if let Some(ruled) = self.avoidance.take_over(ack, &self.window, rng) {
            let cwnd = self.take(ruled, Kind::TakeOver);
            self.leave_slow_start_at(cwnd, ack.now);
            self.window.ssthresh = self.avoidance.next_ssthresh(&self.window);
            return 0;
        }
        let ruled = self.slow_start.on_ack(ack, &self.window);
        let is_early = matches!(ruled.answer, Growth::ExitAt { .. });
        match self.take(ruled, if is_early { Kind::End } else { Kind::Growth }) {
            Growth::Grow(bytes) => {
                self.window.cwnd += bytes;
                0
            }
            Growth::Exit { bytes, left } => {
                self.window.cwnd += bytes;
                self.window.ssthresh.get_or_insert(self.window.cwnd);
                self.enter_avoidance(ack.now);
                left
            }
            Growth::ExitAt { cwnd, left } => {
                self.leave_slow_start_at(cwnd, ack.now);
                left
            }
        }
    }
}

// Rules against growth.
const NOTHING_NEW: Rule =
    Rule::new("nothing new is acknowledged: the window stays", "RFC 5681 section 3.1");
const IN_RECOVERY: Rule = Rule::new(
    "no growth while losses are repaired or the window is reduced",
    "RFC 5681 section 3.2",
);
const NOT_USED_UP: Rule = Rule::new(
    "the window was not used up, so it does not grow",
    "RFC 7661 section 4.4; Linux 6 include/net/tcp.h, tcp_is_cwnd_limited",
);

/// Whether the window may grow by this ACK; otherwise the rule against it.
#[inline]
fn may_grow(ack: &AckEvent) -> Result<(), &'static Rule> {
    if ack.newly_acked == 0 {
        Err(&NOTHING_NEW)
    } else if ack.in_recovery {
        Err(&IN_RECOVERY)
    } else if !ack.is_cwnd_limited {
        Err(&NOT_USED_UP)
    } else {
        Ok(())
    }
}

impl CongestionControl for Windowed {
    fn on_ack(&mut self, ack: &AckEvent, rng: &mut Rng) {
        self.slow_start.observe(ack, &self.window);
        self.avoidance.observe(ack, &self.window);
        if self.phase == Phase::SlowStart
            && let Some(ruled) = self.slow_start.find_end(ack, &self.window)
        {
            let cwnd = self.take(ruled, Kind::End);
            self.leave_slow_start_at(cwnd, ack.now);
            if may_grow(ack).is_ok() {
                self.avoid(ack, rng);
            }
            return;
        }
        if let Err(rule) = may_grow(ack) {
            self.rule = Some(rule);
            return;
        }
        if self.phase == Phase::Avoidance {
            (self.rule, self.kind) = (self.avoid(ack, rng), Kind::Avoidance);
            return;
        }
        let left = self.grow_in_slow_start(ack, rng);
        if left > 0 && self.avoidance.takes_rest() {
            // The avoidance does not get what slow start has used.
            let used = ack.credited.saturating_sub(left);
            let rest = AckEvent {
                newly_acked: ack.newly_acked.saturating_sub(used),
                credited: left,
                ..*ack
            };
            self.avoid(&rest, rng);
        }
    }

    fn on_handshake(&mut self, rtt: Duration) {
        if let Some(Ruled { answer: segments, rule }) = self.avoidance.on_handshake(rtt) {
            self.own_rule = rule;
            self.window.cwnd = segments * self.window.mss;
            self.slow_start.begin(&self.window);
        }
    }

    fn takes_rtts(&self) -> bool {
        self.slow_start.takes_rtts() || self.avoidance.takes_rtts()
    }

    fn on_rtt(&mut self, sample: &RttSample) -> bool {
        let ruled = self.avoidance.on_rtt(sample, &self.window);
        // A window that is being reduced follows the reduction.
        if let Some(ruled) = ruled.filter(|_| !self.is_reducing) {
            self.window.cwnd = self.take(ruled, Kind::Avoidance).max(self.window.mss);
            self.enter_avoidance(sample.now);
            return true;
        }
        if self.avoidance.discards_rtts(sample.now) {
            return false;
        }
        let is_below = self.window.ssthresh.is_none_or(|ssthresh| sample.cwnd < ssthresh);
        let Some(rule) = self.slow_start.on_rtt(sample, self.window.mss, is_below) else {
            return false;
        };
        self.rule = Some(rule);
        // This holds in recovery too: the sample's window is then where recovery has come to.
        self.window.ssthresh = Some(sample.cwnd);
        self.window.cwnd = sample.cwnd;
        self.enter_avoidance(sample.now);
        true
    }

    fn reduces_itself(&self) -> bool {
        self.avoidance.reduces_itself()
    }

    fn takes_reduction(&mut self) -> bool {
        self.avoidance.takes_reduction()
    }

    fn on_congestion(&mut self, event: &CongestionEvent, _rng: &mut Rng) {
        if event.signal == Signal::Ecn {
            self.may_undo = false;
        } else {
            self.keep_for_undo();
        }
        let floor = MIN_SSTHRESH_SEGMENTS * self.window.mss;
        let ruled = self.avoidance.ssthresh(event, &self.window);
        let ssthresh = self.take(ruled, Kind::Avoidance).max(floor);
        self.window.ssthresh = Some(ssthresh);
        self.is_reducing = event.signal != Signal::Rto;
        if event.signal == Signal::Rto {
            self.start_over();
        } else {
            self.window.cwnd = ssthresh;
            self.enter_avoidance(event.now);
        }
    }

    fn on_loss_window(&mut self, window: u64, _now: Time) {
        self.window.cwnd = window.max(self.window.mss);
    }

    fn on_recovery_exit(&mut self, _now: Time) {
        self.own_rule = None;
        if core::mem::take(&mut self.is_reducing)
            && let Some(ruled) = self.avoidance.on_reduced(&self.window)
        {
            let floor = MIN_SSTHRESH_SEGMENTS * self.window.mss;
            self.own_rule = ruled.rule;
            self.window.cwnd = ruled.answer.max(floor);
            self.window.ssthresh = Some(self.window.cwnd);
        }
    }

    fn on_repeated_timeout(&mut self, _event: &CongestionEvent, _rng: &mut Rng) {
        self.is_reducing = false;
        self.avoidance.on_repeated_timeout();
        self.start_over();
    }

    /// The window restarts at the restart window, and slow start leads back to three quarters of
    /// the window that was in use (RFC 7661 section 4.4.3; Linux's `tcp_cwnd_restart`). RFC 5681
    /// section 4.1 restarts the window likewise and leaves ssthresh where the last loss had put it.
    fn on_idle_restart(&mut self, restart_window: u64, _now: Time) {
        self.window.ssthresh = self.current_ssthresh();
        if restart_window >= self.window.cwnd {
            return;
        }
        self.window.cwnd = restart_window;
        if self.window.ssthresh.is_none_or(|ssthresh| restart_window < ssthresh) {
            self.phase = Phase::SlowStart;
            self.slow_start.resume(&self.window);
        }
    }

    fn on_window_kept(&mut self, window: u64, _now: Time) {
        self.is_reducing = false;
        self.window.cwnd = window.max(self.window.mss);
        if self.window.ssthresh.is_none_or(|ssthresh| window < ssthresh) {
            self.phase = Phase::SlowStart;
            self.slow_start.resume(&self.window);
        }
    }

    fn on_lost_syn(&mut self, window: u64, _now: Time) {
        self.window.cwnd = self.window.cwnd.min(window);
        self.slow_start.begin(&self.window);
    }

    fn on_transmit_start(&mut self, now: Time, idle: Duration, _is_app_limited: bool) {
        self.avoidance.on_transmit_start(now, idle);
    }

    /// As Linux's `tcp_undo_cwnd_reduction`: neither cwnd nor ssthresh is lower than before the
    /// signal.
    fn on_spurious(&mut self, _now: Time) {
        if !core::mem::take(&mut self.may_undo) {
            return;
        }
        let Some(before) = &mut self.before else { return };
        self.is_reducing = false;
        self.window.cwnd = self.window.cwnd.max(before.cwnd);
        self.window.ssthresh = match (self.window.ssthresh, before.ssthresh) {
            (Some(now), Some(before)) => Some(now.max(before)),
            _ => None,
        };
        self.phase = before.phase;
        if let Some(slow_start) = &mut before.slow_start {
            core::mem::swap(&mut self.slow_start, slow_start);
        }
        if let Some(avoidance) = &mut before.avoidance {
            core::mem::swap(&mut self.avoidance, avoidance);
        }
    }

    fn decision(&self) -> Decision {
        Decision { cwnd: self.window.cwnd, ssthresh: self.window.ssthresh, pacing_rate: None }
    }

    fn rule(&self, call: Call) -> String {
        if let (Call::RecoveryExit | Call::Handshake, Some(rule)) = (call, self.own_rule) {
            return rule.text(call);
        }
        let rule = match call {
            Call::Ack | Call::Rtt | Call::Congestion(_) => {
                let is_timeout = call == Call::Congestion(Signal::Rto);
                let more = if is_timeout { "; slow start begins again" } else { "" };
                return match (self.rule, self.kind) {
                    (Some(rule), _) => rule.text_and(call, more),
                    (None, Kind::Growth) => self.slow_start.rule("ack"),
                    (None, Kind::End) => self.slow_start.rule("exit"),
                    (None, Kind::TakeOver) => self.avoidance.rule("take_over"),
                    (None, Kind::Avoidance) => self.avoidance.rule(call.name()) + more,
                };
            }
            Call::RepeatedTimeout => Rule::new(
                "another timeout in a reduced window: slow start again, ssthresh stays",
                "RFC 5681 section 3.1",
            ),
            Call::LossWindow => Rule::new(
                "after a timeout the window is one segment more than is in flight",
                "RFC 5681 section 3.1; Linux 6 net/ipv4/tcp_input.c, tcp_enter_loss",
            ),
            Call::RecoveryInReducedWindow => Rule::new(
                "marks have reduced the window already: losses of the same window take no more",
                "RFC 3168 section 6.1.2",
            ),
            Call::RecoveryExit if self.phase == Phase::SlowStart => Rule::new(
                "what was lost before the timeout is repaired: slow start goes on, up to ssthresh",
                "RFC 5681 section 3.1",
            ),
            Call::RecoveryExit => Rule::new(
                "recovery ends with the window that its beginning has set",
                "RFC 5681 section 3.2, step 6",
            ),
            Call::IdleRestart => Rule::new(
                "an unused window shrinks; slow start leads back to three quarters of it",
                "RFC 2861 section 3.1; RFC 7661 section 4.4.3",
            ),
            Call::WindowKept => Rule::new(
                "the episode ends early: the window stays where the reduction has come to",
                "Linux 6 net/ipv4/tcp_input.c, tcp_undo_cwnd_reduction",
            ),
            Call::LostSyn => Rule::new(
                "the SYN was lost: the initial window is one segment",
                "RFC 5681 section 3.1",
            ),
            Call::Undo => Rule::new(
                "the reaction was a mistake: window and ssthresh are those from before it",
                "RFC 4015 section 3.4; Linux 6 net/ipv4/tcp_input.c, tcp_undo_cwnd_reduction",
            ),
            Call::TransmitStart | Call::Handshake | Call::Interval => {
                Rule::new("the window stays", "RFC 5681 section 3.1")
            }
        };
        rule.text(call)
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("slow_start", f64::from(u8::from(self.phase == Phase::SlowStart)));
        match self.phase {
            Phase::SlowStart => self.slow_start.internals(show),
            Phase::Avoidance => self.avoidance.internals(show),
        }
    }
}
