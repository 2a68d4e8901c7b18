//! An episode: the time from a loss, a mark or a timeout until all data that was out then is
//! acknowledged. With PRR, F-RTO, and the transmissions that the current ACK asks for.

use super::options::Options;
use crate::transport::plan::DupackRecovery;
use crate::transport::recovery::{CaState, Prr};

/// Transmissions in answer to an ACK or a timer.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) enum Repair {
    /// Lost segments are sent again, then new data.
    #[default]
    LostFirst,
    /// Lost segments only, after RACK's timer has run out (Linux's `tcp_rack_reo_timeout`).
    LostOnly,
    /// Nothing: another timer has sent something already.
    Silent,
    /// New data only; lost segments where there is none (RFC 5682 section 3.1 step 2b).
    NewFirst,
    /// New data only, after a write, or while originals of lost segments arrive.
    Nothing,
    /// As [`Repair::LostFirst`], after the original of a lost segment took the recovery back.
    Undone,
}

/// The episode that is under way.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
#[derive(Default)]
pub(super) struct Episode {
    /// SND.NXT when the episode began; 0 before the first.
    point: u64,
    /// The latest PRR, whose box the next one takes. None before the first: most flows have none.
    prr: Option<Box<Prr>>,
    /// Duplicate ACKs in a row, without SACK.
    dupacks: u32,
    state: CaState,
    /// PRR is under way.
    is_reducing: bool,
    /// Transmissions in answer to the current ACK or timer.
    repair: Repair,
    /// F-RTO does not know yet whether the timeout was spurious.
    frto: bool,
    /// A timeout has happened since SND.UNA last advanced.
    has_timed_out: bool,
    /// A partial ACK has restarted the timer in this recovery.
    partial_acked: bool,
    /// The next retransmission waits for no window (fast retransmit, RFC 5681 section 3.2 step 3).
    must_retransmit: bool,
}

impl Episode {
    #[inline]
    pub fn state(&self) -> CaState {
        self.state
    }

    /// Whether no episode is under way, and no duplicate ACK is counted.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.state == CaState::Open && !self.is_reducing && self.dupacks == 0
    }

    /// Whether losses are being repaired.
    #[inline]
    pub fn is_repairing(&self) -> bool {
        self.state >= CaState::Recovery
    }

    /// SND.NXT when the episode began; 0 before the first.
    #[inline]
    pub fn point(&self) -> u64 {
        self.point
    }

    /// The window in force before inflation: PRR's, or the algorithm's `cwnd`.
    #[inline]
    pub fn window(&self, cwnd: u64) -> u64 {
        self.prr().map_or(cwnd, Prr::cwnd)
    }

    /// The window that an unfinished reduction by PRR has come to.
    #[inline]
    pub fn reached(&self) -> Option<u64> {
        self.prr().map(Prr::cwnd)
    }

    /// Whether the window is inflated: without SACK and PRR each duplicate ACK stands for a
    /// segment that has left the network (RFC 5681 section 3.2 step 4).
    pub fn inflates(&self, options: &Options) -> bool {
        self.state == CaState::Recovery && !options.has_sack && !self.is_reducing
    }

    // What an ACK asks for.

    #[inline]
    pub fn repair(&self) -> Repair {
        self.repair
    }

    /// Decides on the answer to the current ACK or timer.
    #[inline]
    pub fn answer_with(&mut self, repair: Repair) {
        self.repair = repair;
    }

    /// Ends the answer, and returns it. The next one repairs losses first.
    #[inline]
    pub fn end_answer(&mut self) -> Repair {
        core::mem::replace(&mut self.repair, Repair::LostFirst)
    }

    /// Whether lost segments are sent again in answer to the current ACK.
    #[inline]
    pub fn repairs_now(&self) -> bool {
        self.is_repairing()
            && matches!(self.repair, Repair::LostFirst | Repair::LostOnly | Repair::Undone)
    }

    #[inline]
    pub fn must_retransmit(&self) -> bool {
        self.must_retransmit
    }

    /// Lets the next retransmission wait for no window.
    pub fn demand_retransmission(&mut self) {
        self.must_retransmit = true;
    }

    /// New data is sent that counts for `weight` bytes.
    #[inline]
    pub fn on_sent(&mut self, weight: u64) {
        if let Some(prr) = self.prr_mut() {
            prr.on_sent(weight);
        }
    }

    /// A lost segment is sent again that counts for `weight` bytes.
    pub fn on_retransmission(&mut self, weight: u64) {
        self.on_sent(weight);
        self.must_retransmit = false;
    }

    /// Bytes that count as in flight when a segment asks to leave.
    pub fn counted_inflight(
        &self,
        inflight: u64,
        sacked: u64,
        is_new: bool,
        options: &Options,
    ) -> u64 {
        if options.ns2_rules {
            self.inflight_by_ns2(inflight, sacked, options)
        } else if is_new && self.state == CaState::Disorder && !options.limited_transmit {
            inflight + sacked
        } else {
            inflight
        }
    }

    /// Bytes in flight under ns-2's `singledup_`: outside of fast recovery the first two duplicate
    /// ACKs allow a segment each, and later ones allow none. After a timeout, that is the next
    /// segment to be sent again.
    fn inflight_by_ns2(&self, inflight: u64, sacked: u64, options: &Options) -> u64 {
        let out = match self.state {
            CaState::Disorder => inflight + sacked,
            CaState::Loss => inflight,
            CaState::Open | CaState::Cwr | CaState::Recovery => return inflight,
        };
        let allowed = if options.limited_transmit { self.dupacks.min(2) } else { 0 };
        out.saturating_sub(u64::from(allowed) * options.mss)
    }

    // Duplicate ACKs, without SACK.

    #[inline]
    pub fn dupacks(&self) -> u32 {
        self.dupacks
    }

    pub fn count_dupack(&mut self) {
        self.dupacks += 1;
    }

    /// Sets the number of duplicate ACKs that still stand for segments in flight.
    pub fn set_dupacks(&mut self, count: u64) {
        self.dupacks = u32::try_from(count).unwrap_or(u32::MAX);
    }

    // Beginning and end.

    /// No loss is to be repaired, but data may be out of order (Linux's `tcp_try_keep_open`).
    pub fn keep_open(&mut self, is_disordered: bool) {
        self.state =
            if is_disordered || self.dupacks > 0 { CaState::Disorder } else { CaState::Open };
    }

    /// The window is reduced for a mark. `next`: SND.NXT.
    pub fn begin_cwr(&mut self, next: u64) {
        self.point = next;
        self.state = CaState::Cwr;
    }

    /// Fast recovery begins. `next`: SND.NXT, or none to go on with an episode after a mark.
    pub fn begin_recovery(&mut self, next: Option<u64>, options: &Options) {
        self.state = CaState::Recovery;
        self.frto = false;
        self.partial_acked = false;
        if let Some(next) = next {
            // PRR always makes room for the first retransmission.
            self.must_retransmit = !options.prr;
            self.point = next;
        }
    }

    /// A timeout, or Tahoe's fast retransmit. `next`: SND.NXT.
    pub fn begin_loss(&mut self, next: u64) {
        self.state = CaState::Loss;
        self.is_reducing = false;
        self.point = next;
    }

    /// The window approaches the algorithm's by PRR.
    pub fn begin_prr(&mut self, prr: Prr) {
        self.is_reducing = true;
        match &mut self.prr {
            Some(last) => **last = prr,
            None => self.prr = Some(Box::new(prr)),
        }
    }

    /// The window is the algorithm's again.
    pub fn end_prr(&mut self) {
        self.is_reducing = false;
    }

    /// The episode is over, or its reaction taken back.
    pub fn end(&mut self) {
        self.state = CaState::Open;
        self.is_reducing = false;
        self.frto = false;
    }

    // PRR.

    /// PRR, if it is under way.
    #[inline]
    fn prr(&self) -> Option<&Prr> {
        if self.is_reducing { self.prr.as_deref() } else { None }
    }

    #[inline]
    fn prr_mut(&mut self) -> Option<&mut Prr> {
        if self.is_reducing { self.prr.as_deref_mut() } else { None }
    }

    /// The algorithm has changed its window to `cwnd`: PRR ends there.
    pub fn aim_at(&mut self, cwnd: u64) {
        if let Some(prr) = self.prr_mut() {
            prr.aim_at(cwnd);
        }
    }

    /// PRR's window shrinks to `window` after idleness. Returns false if PRR is not under way.
    pub fn restart(&mut self, window: u64) -> bool {
        if let Some(prr) = self.prr_mut() {
            prr.restart(window);
        }
        self.is_reducing
    }

    /// PRR takes in an ACK, as [`Prr::on_ack`].
    #[inline]
    pub fn conserve(&mut self, delivered: u64, inflight: u64, is_safe: bool) {
        if let Some(prr) = self.prr_mut() {
            prr.on_ack(delivered, inflight, is_safe);
        }
    }

    // Timeouts and F-RTO.

    pub fn has_timed_out(&self) -> bool {
        self.has_timed_out
    }

    /// A timeout has happened. `may_be_spurious`: F-RTO asks whether it was spurious; `counts`: it
    /// was no probe of a shut window.
    pub fn on_timeout(&mut self, may_be_spurious: bool, counts: bool) {
        self.frto = may_be_spurious;
        self.has_timed_out |= counts;
    }

    /// SND.UNA has advanced, or the timeout was spurious.
    #[inline]
    pub fn forget_timeout(&mut self) {
        self.has_timed_out = false;
    }

    /// Whether F-RTO does not know yet if the timeout was spurious.
    pub fn asks_frto(&self) -> bool {
        self.frto
    }

    /// F-RTO gives up: the conventional recovery goes on.
    pub fn end_frto(&mut self) {
        self.frto = false;
    }

    /// F-RTO takes in an ACK that does not show the timeout to be spurious (RFC 5682 section 3.1).
    /// `next`: SND.NXT; `is_partial`: the ACK advances SND.UNA, but not beyond the episode;
    /// `goes_on`: it is no duplicate and reports nothing above a hole; `can_send`: new data can be
    /// sent. Returns true if new data is to be sent.
    pub fn step_frto(
        &mut self,
        next: u64,
        is_partial: bool,
        goes_on: bool,
        can_send: bool,
    ) -> bool {
        if next > self.point {
            // Step 3a: new data has brought no answer to the originals, so the loss is real.
            self.frto = goes_on;
        } else if is_partial {
            // Step 2b: send new data instead of retransmissions, and wait for the next ACK.
            self.point = next;
            self.frto = can_send;
            return can_send;
        }
        false
    }

    /// An ACK has restarted the retransmission timer.
    #[inline]
    pub fn on_timer_restarted(&mut self) {
        self.partial_acked = self.state == CaState::Recovery;
    }

    /// Whether an ACK does not restart the retransmission timer. RFC 6582 section 3.2 step 3: "For
    /// the first partial ACK that arrives during fast recovery, also reset the retransmit timer",
    /// and for no later one.
    #[inline]
    pub fn is_impatient(&self, options: &Options) -> bool {
        self.partial_acked
            && self.state == CaState::Recovery
            && !options.has_sack
            && options.dupack_recovery == DupackRecovery::Newreno
    }
}
