//! Slow start x avoidance, composed: the frame that every window-based algorithm plugs into.

use crate::avoidance::Avoidance;
use crate::slow_start::{Growth, SlowStart};
use crate::window::Window;
use crate::{AckEvent, CongestionControl, CongestionEvent, Decision, Rng, Setup, Signal, Time};

/// Which half is in charge. State, never derived from `cwnd < ssthresh`: a delay-based avoidance may shrink cwnd below
/// ssthresh without wanting to be in slow start again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The slow start decides.
    SlowStart,
    /// The avoidance decides.
    Avoidance,
}

/// A window-based congestion control made of two halves.
pub struct Windowed {
    window: Window,
    phase: Phase,
    slow_start: Box<dyn SlowStart>,
    avoidance: Box<dyn Avoidance>,
}

/// RFC 5681 section 3.1, equation 4: ssthresh is never below two segments.
pub const MIN_SSTHRESH_SEGMENTS: u64 = 2;

impl Windowed {
    /// Both halves, before the first byte.
    #[must_use]
    pub fn new(setup: &Setup, mut slow_start: Box<dyn SlowStart>, mut avoidance: Box<dyn Avoidance>) -> Self {
        let window = Window {
            cwnd: setup.initial_window,
            ssthresh: setup.initial_ssthresh,
            mss: setup.mss,
        };
        slow_start.begin(&window);
        avoidance.set_up(setup);
        Self {
            window,
            phase: Phase::SlowStart,
            slow_start,
            avoidance,
        }
    }

    fn enter_slow_start(&mut self) {
        self.phase = Phase::SlowStart;
        self.slow_start.begin(&self.window);
    }

    fn leave_slow_start(&mut self, cwnd: u64, now: Time) {
        self.window.cwnd = cwnd;
        if self.window.ssthresh.is_none_or(|ssthresh| ssthresh > cwnd) {
            self.window.ssthresh = Some(cwnd);
        }
        self.enter_avoidance(now);
    }

    fn enter_avoidance(&mut self, now: Time) {
        self.phase = Phase::Avoidance;
        self.avoidance.begin(&self.window, now);
    }
}

impl CongestionControl for Windowed {
    fn on_ack(&mut self, ack: &AckEvent, rng: &mut Rng) {
        self.slow_start.observe(ack, &self.window);
        self.avoidance.observe(ack, &self.window);
        if ack.in_recovery || !ack.is_cwnd_limited || ack.newly_acked == 0 {
            return;
        }
        if self.phase == Phase::Avoidance {
            self.window.cwnd = self.avoidance.next_cwnd(ack, &self.window, rng).max(self.window.mss);
            return;
        }
        if let Some(cwnd) = self.avoidance.take_over(ack, &self.window, rng) {
            self.leave_slow_start(cwnd.max(self.window.mss), ack.now);
            return;
        }
        match self.slow_start.on_ack(ack, &self.window) {
            Growth::Grow(bytes) => self.window.cwnd += bytes,
            Growth::Exit(bytes) => self.leave_slow_start(self.window.cwnd + bytes, ack.now),
            Growth::ExitAt(cwnd) => self.leave_slow_start(cwnd.max(self.window.mss), ack.now),
        }
    }

    fn on_congestion(&mut self, event: &CongestionEvent, _rng: &mut Rng) {
        let floor = MIN_SSTHRESH_SEGMENTS * self.window.mss;
        let ssthresh = self.avoidance.ssthresh(event, &self.window).max(floor);
        self.window.ssthresh = Some(ssthresh);
        if event.signal == Signal::Rto {
            // RFC 5681 section 3.1: the loss window is one segment, and slow start begins again.
            self.window.cwnd = self.window.mss;
            self.enter_slow_start();
        } else {
            self.window.cwnd = ssthresh;
            self.enter_avoidance(event.now);
        }
    }

    fn on_loss_window(&mut self, window: u64, _now: Time) {
        self.window.cwnd = window.max(self.window.mss);
        if self.phase != Phase::SlowStart {
            self.enter_slow_start();
        }
    }

    fn on_idle_restart(&mut self, restart_window: u64, _now: Time) {
        if restart_window < self.window.cwnd {
            self.window.cwnd = restart_window;
            self.enter_slow_start();
        }
    }

    fn decision(&self) -> Decision {
        Decision {
            cwnd: self.window.cwnd,
            ssthresh: self.window.ssthresh,
            pacing_rate: None,
        }
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("slow_start", f64::from(u8::from(self.phase == Phase::SlowStart)));
        match self.phase {
            Phase::SlowStart => self.slow_start.internals(show),
            Phase::Avoidance => self.avoidance.internals(show),
        }
    }

    fn clone_box(&self) -> Box<dyn CongestionControl> {
        Box::new(Self {
            window: self.window,
            phase: self.phase,
            slow_start: self.slow_start.clone_box(),
            avoidance: self.avoidance.clone_box(),
        })
    }
}
