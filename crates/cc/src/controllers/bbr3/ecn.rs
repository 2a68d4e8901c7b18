//! The ECN response of `BBRv3` in Linux (`tcp_bbr.c` of Google's v3 branch), as an option. The
//! draft leaves the response open (section "ECN").

use std::collections::VecDeque;

use ackclock_units::Duration;

use super::{Bbr3, UNBOUNDED, ratio, scale};
use crate::AckEvent;

/// Weight of a round's share of marks in alpha (`bbr_ecn_alpha_gain`).
const ALPHA_GAIN: f64 = 1.0 / 16.0;
/// Largest share that is cut from `inflight_shortterm` in a round (`bbr_ecn_factor`).
const FACTOR: f64 = 1.0 / 3.0;
/// Share of marks that says that probing went too far (`bbr_ecn_thresh`).
const THRESH: f64 = 0.5;
/// Rounds in a row above the threshold that end startup (`bbr_full_ecn_cnt`).
const FULL_ECN_COUNT: u32 = 2;
/// Share of `inflight_longterm` by which the first probe after marks have ceased grows it
/// (`bbr_ecn_reprobe_gain`).
const REPROBE_GAIN: f64 = 0.5;

/// Counts of marks, per round and per cycle.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
#[derive(Clone, Debug)]
pub struct EcnResponse {
    /// Largest RTT at which marks are answered, zero for any. `None`: the option is off.
    max_rtt: Option<Duration>,
    /// `bbr->ecn_eligible`: the path's RTT has been short enough.
    is_eligible: bool,
    /// `bbr->ecn_alpha`: smoothed share of marked bytes. It begins with 1, to react at once to a
    /// path that is congested already.
    alpha: f64,
    marked: u64,
    /// Bytes (delivered, marked) at the last update of alpha.
    at_update: (u64, u64),
    /// Bytes (delivered, marked) at each ACK since the latest sample's segment was sent.
    history: VecDeque<(u64, u64)>,
    startup_rounds: u32,
    /// `bbr->ecn_in_round`: there were marks in the round.
    pub is_in_round: bool,
    is_in_cycle: bool,
    is_loss_in_cycle: bool,
}

impl EcnResponse {
    /// A response for paths with an RTT of at most `max_rtt`, zero for any (`bbr_ecn_max_rtt_us`).
    pub fn new(max_rtt: Option<Duration>) -> Self {
        Self {
            max_rtt,
            is_eligible: false,
            alpha: 1.0,
            marked: 0,
            at_update: (0, 0),
            history: VecDeque::new(),
            startup_rounds: 0,
            is_in_round: false,
            is_in_cycle: false,
            is_loss_in_cycle: false,
        }
    }

    pub fn is_on(&self) -> bool {
        self.max_rtt.is_some()
    }

    /// Whether marks are answered by their share.
    pub fn is_answering(&self) -> bool {
        self.is_eligible
    }

    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Share of the inflight that a marked round leaves (`bbr_ecn_cut`).
    pub fn cut(&self) -> f64 {
        1.0 - self.alpha * FACTOR
    }

    pub fn reset_cycle(&mut self) {
        self.is_in_round = false;
        self.is_in_cycle = false;
        self.is_loss_in_cycle = false;
    }

    pub fn note_loss(&mut self) {
        self.is_loss_in_cycle = true;
    }

    /// Share of marks among what was delivered since `since` (delivered, marked).
    fn share(&self, since: (u64, u64), delivered: u64) -> f64 {
        ratio(self.marked - since.1, delivered.saturating_sub(since.0))
    }
}

impl Bbr3 {
    /// `bbr_update_ecn_alpha`, and what `bbr_main` notes of marks.
    pub(super) fn update_ecn(&mut self, ack: &AckEvent) {
        let Some(max_rtt) = self.ecn.max_rtt else { return };
        let ecn = &mut self.ecn;
        ecn.marked += ack.newly_marked;
        ecn.history.push_back((ack.delivered, ecn.marked));
        if let Some(sample) = &ack.rate {
            while ecn
                .history
                .get(1)
                .is_some_and(|&(delivered, _)| delivered <= sample.prior_delivered)
            {
                ecn.history.pop_front();
            }
        }
        if self.rounds.is_start {
            ecn.is_eligible |= max_rtt.is_zero() || self.min_rtt.value <= max_rtt;
            if ecn.is_eligible {
                let share = ecn.share(ecn.at_update, ack.delivered);
                ecn.alpha = ((1.0 - ALPHA_GAIN) * ecn.alpha + ALPHA_GAIN * share).min(1.0);
                ecn.startup_rounds = if share >= THRESH { ecn.startup_rounds + 1 } else { 0 };
            }
            ecn.at_update = (ack.delivered, ecn.marked);
        }
        ecn.is_in_round |= ecn.is_eligible && ack.newly_marked > 0;
        ecn.is_in_cycle |= ack.newly_marked > 0;
        if self.ecn.startup_rounds >= FULL_ECN_COUNT && !self.full_bw.is_reached {
            self.end_startup_for_congestion();
        }
    }

    /// Whether too many bytes were marked in the latest sample's interval: the second half of
    /// `bbr_is_inflight_too_high`.
    pub(super) fn is_ecn_too_high(&self) -> bool {
        let ecn = &self.ecn;
        ecn.history
            .front()
            .is_some_and(|&sent| ecn.is_eligible && ecn.share(sent, self.delivered) > THRESH)
    }

    /// Whether there were marks without losses, and now there are none: the other traffic may be
    /// gone (`bbr_check_time_to_probe_bw`).
    pub(super) fn ecn_has_ceased(&self, ack: &AckEvent) -> bool {
        self.ecn.is_eligible
            && self.ecn.is_in_cycle
            && !self.ecn.is_loss_in_cycle
            && !ack.in_recovery
    }

    /// Round of a probe in which it grows by the wanted share, as a power of two.
    pub(super) fn ecn_reprobe_rounds(&self) -> u32 {
        if !self.ecn.is_on() || self.bounds.inflight_longterm == UNBOUNDED {
            return 0;
        }
        let segments = scale(self.bounds.inflight_longterm, REPROBE_GAIN) / self.options.mss;
        segments.max(1).ilog2().min(super::long_term::MAX_PROBE_UP_ROUNDS)
    }
}
