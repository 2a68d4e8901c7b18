//! The path's delay, and `ProbeRTT`, which empties the queue to measure it (draft section
//! "`ProbeRTT`").

use ackclock_units::{Duration, Time};

use super::probe_bw::AckPhase;
use super::{Bbr3, State};
use crate::AckEvent;

/// `BBR.MinRTTFilterLen`: time for which a smallest RTT is believed.
const MIN_RTT_FILTER_LEN: Duration = Duration::from_secs(10);
/// `BBR.ProbeRTTInterval`: longest time without a measurement of the delay.
const PROBE_RTT_INTERVAL: Duration = Duration::from_secs(5);
/// `BBR.ProbeRTTDuration`: shortest time with a small inflight.
const PROBE_RTT_DURATION: Duration = Duration::from_millis(200);

/// Smallest delay and the instant at which it was measured.
#[derive(Clone, Copy, Debug)]
pub struct Minimum {
    pub value: Duration,
    pub stamp: Time,
}

impl Default for Minimum {
    fn default() -> Self {
        Self { value: Duration::MAX, stamp: Time::ZERO }
    }
}

/// When to measure the delay again, and how far the measurement is.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProbeRtt {
    /// `BBR.probe_rtt_min_delay` and `BBR.probe_rtt_min_stamp`.
    pub min: Minimum,
    /// `BBR.probe_rtt_expired`: it is time to measure the delay.
    is_expired: bool,
    /// `BBR.probe_rtt_done_stamp`: earliest end of `ProbeRTT`. `None`: inflight is not small yet.
    done_at: Option<Time>,
    /// `BBR.probe_rtt_round_done`: a round trip has passed with a small inflight.
    is_round_done: bool,
    /// `BBR.idle_restart`: data is sent again after an idle period, which has emptied the queue.
    pub is_idle_restart: bool,
}

impl Bbr3 {
    /// `UpdateMinRTT`: takes an RTT sample into both filters.
    pub(super) fn update_min_rtt(&mut self, ack: &AckEvent) {
        let probe = &mut self.probe_rtt;
        probe.is_expired = self.now > probe.min.stamp + PROBE_RTT_INTERVAL;
        if let Some(rtt) = ack.rtt_sample
            && (rtt < probe.min.value || probe.is_expired)
        {
            probe.min = Minimum { value: rtt, stamp: self.now };
        }
        let is_expired = self.now > self.min_rtt.stamp + MIN_RTT_FILTER_LEN;
        if probe.min.value < self.min_rtt.value || is_expired {
            self.min_rtt = probe.min;
        }
    }

    /// `CheckProbeRTT`: enters `ProbeRTT` when it is time, and goes on with it.
    pub(super) fn check_probe_rtt(&mut self, ack: &AckEvent) {
        if self.state != State::ProbeRtt
            && self.probe_rtt.is_expired
            && !self.probe_rtt.is_idle_restart
        {
            self.state = State::ProbeRtt;
            self.save_cwnd();
            self.probe_rtt.done_at = None;
            self.cycle.ack_phase = AckPhase::ProbeStopping;
            self.start_round();
        }
        if self.state == State::ProbeRtt {
            self.handle_probe_rtt(ack);
        }
        if ack.rate.is_some_and(|sample| sample.delivered > 0) {
            self.probe_rtt.is_idle_restart = false;
        }
    }

    /// `HandleProbeRTT`. `limits_itself` says that the samples count as application-limited.
    fn handle_probe_rtt(&mut self, ack: &AckEvent) {
        if self.probe_rtt.done_at.is_some() {
            self.probe_rtt.is_round_done |= self.rounds.is_start;
            if self.probe_rtt.is_round_done {
                self.check_probe_rtt_done();
            }
        } else if ack.inflight <= self.probe_rtt_cwnd() {
            self.probe_rtt.done_at = Some(self.now + PROBE_RTT_DURATION);
            self.probe_rtt.is_round_done = false;
            self.start_round();
        }
    }

    /// `CheckProbeRTTDone` and `ExitProbeRTT`: restores the window and leaves the state when its
    /// time is over.
    pub(super) fn check_probe_rtt_done(&mut self) {
        if self.probe_rtt.done_at.is_none_or(|done_at| self.now <= done_at) {
            return;
        }
        self.probe_rtt.min.stamp = self.now;
        self.restore_cwnd();
        self.reset_short_term_model();
        if self.full_bw.is_reached {
            self.start_probe_bw_down();
            self.start_probe_bw_cruise();
        } else {
            self.enter_startup();
        }
    }
}
