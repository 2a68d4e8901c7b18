//! The congestion control: the algorithm, its latest decision, and its monitor intervals.
//!
//! A call that may change what the algorithm wants ends with [`CcDriver::decide`], so that the
//! decision kept here is always the latest one.

use ackclock_cc::{AckEvent, CongestionControl, CongestionEvent, Decision, LostSegment, RttSample};
use ackclock_units::{Duration, Rate, Time};

use crate::rng::Rng;
use crate::transport::monitor::Monitor;
use crate::transport::rtt::RttEstimator;
use crate::transport::scoreboard::Segment;

/// A congestion control at work.
pub(super) struct CcDriver {
    cc: Box<dyn CongestionControl>,
    decision: Decision,
    rng: Rng,
    /// None for algorithms that do not ask for intervals.
    monitor: Option<Box<Monitor>>,
}

impl CcDriver {
    /// Puts an algorithm to work; it draws its random numbers from `rng`.
    pub fn new(cc: Box<dyn CongestionControl>, rng: Rng) -> Self {
        Self { decision: cc.decision(), cc, rng, monitor: None }
    }

    /// Goes on with the random numbers of the flow's last connection.
    pub fn follow(&mut self, last: Self) {
        self.rng = last.rng;
    }

    /// The algorithm, for its internals.
    pub fn cc(&self) -> &dyn CongestionControl {
        self.cc.as_ref()
    }

    /// The algorithm's latest decision.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// The algorithm's window, bytes.
    pub fn cwnd(&self) -> u64 {
        self.decision.cwnd
    }

    /// The algorithm's pacing rate, if it sets one.
    pub fn pacing_rate(&self) -> Option<Rate> {
        self.decision.pacing_rate
    }

    pub fn is_below_ssthresh(&self) -> bool {
        self.decision.ssthresh.is_none_or(|ssthresh| self.decision.cwnd < ssthresh)
    }

    /// Reads the algorithm's decision.
    pub fn decide(&mut self) {
        self.decision = self.cc.decision();
    }

    /// The handshake measured an RTT.
    pub fn on_handshake(&mut self, rtt: Duration) {
        self.cc.on_handshake(rtt);
        self.decide();
    }

    /// The handshake lost a SYN.
    pub fn on_lost_syn(&mut self, mss: u64, now: Time) {
        self.cc.on_lost_syn(mss, now);
        self.decide();
    }

    /// Shows the algorithm an RTT sample. Returns the window if the algorithm changed it.
    pub fn on_rtt(&mut self, sample: &RttSample) -> Option<u64> {
        if !self.cc.on_rtt(sample) {
            return None;
        }
        self.decide();
        Some(self.decision.cwnd)
    }

    /// A segment is declared lost.
    pub fn on_lost(&mut self, segment: &LostSegment) {
        self.cc.on_lost(segment);
    }

    /// An ACK has arrived. If the algorithm uses monitor intervals, [`CcDriver::settle_intervals`]
    /// and [`CcDriver::decide`] follow.
    #[inline]
    pub fn on_ack(&mut self, ack: &AckEvent) {
        if self.has_intervals() {
            self.cc.on_ack(ack, &mut self.rng);
        } else {
            self.decision = self.cc.answer(ack, &mut self.rng);
        }
    }

    /// Whether the algorithm holds back on purpose, as an application would.
    pub fn limits_itself(&self) -> bool {
        self.cc.limits_itself()
    }

    /// Whether the algorithm wants its window reduced.
    pub fn takes_reduction(&mut self) -> bool {
        self.cc.takes_reduction()
    }

    /// The network is congested. `reached`: the window that an unfinished reduction has come to.
    pub fn on_congestion(&mut self, event: &CongestionEvent, reached: Option<u64>) {
        if let Some(window) = reached {
            self.cc.on_window_kept(window, event.now);
        }
        self.cc.on_congestion(event, &mut self.rng);
        self.decide();
    }

    /// Another timeout in a reduced window. [`CcDriver::on_loss_window`] follows.
    pub fn on_repeated_timeout(&mut self, event: &CongestionEvent) {
        self.cc.on_repeated_timeout(event, &mut self.rng);
    }

    /// After a timeout, the window starts again from `window` bytes.
    pub fn on_loss_window(&mut self, window: u64, now: Time) {
        self.cc.on_loss_window(window, now);
        self.decide();
    }

    /// A fast recovery begins in a window that a mark had reduced.
    pub fn on_recovery_in_reduced_window(&mut self, now: Time) {
        self.cc.on_recovery_in_reduced_window(now);
    }

    /// A recovery is over.
    pub fn on_recovery_exit(&mut self, now: Time) {
        self.cc.on_recovery_exit(now);
        self.decide();
    }

    /// The reaction to congestion was a mistake. `restores`: it is taken back; otherwise the window
    /// stays at `reached`, the window that an unfinished reduction has come to. `owns_window`: the
    /// algorithm sets its window itself, and takes the mistake for the end of the recovery.
    pub fn take_back(
        &mut self,
        restores: bool,
        reached: Option<u64>,
        owns_window: bool,
        now: Time,
    ) {
        if restores {
            self.cc.on_spurious(now);
        } else if let Some(window) = reached {
            self.cc.on_window_kept(window, now);
        } else if owns_window {
            self.cc.on_recovery_exit(now);
        }
        self.decide();
    }

    /// The window shrinks to `window` bytes because it was not used.
    pub fn on_idle_restart(&mut self, window: u64, now: Time) {
        self.cc.on_idle_restart(window, now);
        self.decide();
    }

    /// A segment is about to be sent with nothing in flight. `idle`: time since the last one.
    #[inline]
    pub fn on_transmit_start(&mut self, idle: Duration, is_app_limited: bool, now: Time) {
        self.cc.on_transmit_start(now, idle, is_app_limited);
        self.decide();
    }

    /// Counts a segment of `bytes` that is about to be sent in its monitor interval, which may
    /// begin with the segment. `is_first`: the segment is the connection's first, at which the
    /// algorithm is asked whether it wants intervals.
    #[inline(always)]
    pub fn on_transmit(&mut self, bytes: u64, is_first: bool, rtt: &RttEstimator, now: Time) {
        if is_first {
            self.monitor = Some(Box::default());
        }
        let Some(monitor) = &mut self.monitor else { return };
        let srtt = rtt.has_sample().then(|| rtt.srtt());
        if let Some(start) = monitor.next(now, srtt, self.decision.pacing_rate) {
            let Some(duration) = self.cc.begin_interval(&start, &mut self.rng) else {
                self.monitor = None;
                return;
            };
            self.decision = self.cc.decision();
            monitor.begin(&start, duration, self.decision.pacing_rate);
        }
        monitor.on_sent(bytes, now);
    }

    /// A segment is delivered for the first time.
    #[inline]
    pub fn on_delivered(&mut self, segment: &Segment) {
        if let Some(monitor) = &mut self.monitor {
            monitor.on_delivered(segment);
        }
    }

    /// The receiver has dropped a delivered segment again.
    pub fn on_reneged(&mut self, segment: &Segment) {
        if let Some(monitor) = &mut self.monitor {
            monitor.on_reneged(segment);
        }
    }

    /// Something other than the pacer holds the sender back.
    #[inline]
    pub fn note_limited(&mut self) {
        if let Some(monitor) = &mut self.monitor {
            monitor.note_limited();
        }
    }

    /// Whether the algorithm uses monitor intervals.
    pub fn has_intervals(&self) -> bool {
        self.monitor.is_some()
    }

    /// Tells the algorithm of the intervals that an ACK settles. `sent_at`: when the newest segment
    /// that gives an RTT sample was sent; `oldest`: when the oldest segment in flight was sent.
    pub fn settle_intervals(&mut self, sent_at: Option<Time>, oldest: Option<Time>, now: Time) {
        let Some(monitor) = &mut self.monitor else { return };
        if let Some(sent_at) = sent_at {
            monitor.on_rtt(sent_at, now);
        }
        while let Some(interval) = monitor.resolved(oldest) {
            self.cc.on_interval(&interval, &mut self.rng);
        }
    }
}
