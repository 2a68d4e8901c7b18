//! A congestion window that was not used shrinks (RFC 5681 section 4.1, RFC 2861).

use ackclock_units::Time;

use super::Sender;
use super::timers;
use crate::transport::accounting::Limit;
use crate::transport::recovery::CaState;

impl Sender {
    /// Halves the window for each RTO of idleness, down to the initial window: RFC 5681 section 4.1
    /// as in Linux (`tcp_slow_start_after_idle_check`, `tcp_cwnd_restart`). Called when the
    /// application writes, and when the receiver changes its window.
    pub(super) fn restart_after_idle(&mut self, now: Time) {
        if !self.options.idle_restart || self.board.segments() > 0 || self.board.next() == 0 {
            return;
        }
        let (idle, rto) = if self.options.rto.min_bounds_variance {
            // Linux counts both in whole jiffies.
            let last = self.connection.last_sent_at();
            (timers::jiffies_between(last, now), timers::jiffies_up(self.rto()))
        } else {
            (self.connection.idle_time(now), self.rto())
        };
        if idle <= rto {
            return;
        }
        let (cwnd, mss) = (self.cwnd(), self.options.mss);
        let floor = self.options.initial_window.min(cwnd);
        // The first RTO of idleness is free.
        let halvings = ((idle.as_ps() - 1) / rto.as_ps()).min(63);
        let window = ((cwnd >> halvings).max(floor) / mss * mss).max(mss);
        if !self.episode.restart(window) {
            self.control.on_idle_restart(window, now);
        }
        self.window_use.restart(now);
    }

    /// Judges how much of the window is used (Linux's `tcp_cwnd_validate`), after each answer to an
    /// ACK. `limit`: the limit that ended the answer.
    #[inline(always)]
    pub(super) fn note_usage(&mut self, limit: Limit, has_sent: bool, now: Time) {
        let cwnd = self.cwnd();
        // A full window counts as used, even if the application has no more to send.
        let is_cwnd_limited =
            limit == Limit::Cwnd || self.board.inflight() + self.options.mss > cwnd;
        if has_sent || is_cwnd_limited && self.has_unsent() {
            let outstanding = u32::try_from(self.board.outstanding()).unwrap_or(u32::MAX);
            self.window_use.judge(&self.board, outstanding, is_cwnd_limited);
            if self.is_cwnd_limited() {
                self.window_use.restart(now);
            } else {
                self.note_starving(outstanding, now);
            }
        }
        self.ledger.note_cwnd(self.control.cwnd());
    }

    /// Gives up half of the unused window, if it was not full for an RTO and no ACK has confirmed
    /// it (RFC 2861, and Linux's `tcp_cwnd_application_limited`).
    fn note_starving(&mut self, outstanding: u32, now: Time) {
        self.window_use.note_used(outstanding);
        if !self.options.idle_restart || self.window_use.unconfirmed_for(now) < self.rto() {
            return;
        }
        if self.episode.state() != CaState::Open {
            self.window_use.confirm(now);
            return;
        }
        let (cwnd, mss) = (self.control.cwnd(), self.options.mss);
        let used = self.window_use.used().max(self.options.initial_window);
        if used < cwnd {
            self.control.on_idle_restart(u64::midpoint(cwnd, used) / mss * mss, now);
        }
        self.window_use.restart(now);
    }

    /// Whether cwnd limits the sender, so that the window may grow. In slow start it may grow
    /// sooner; an algorithm that owns its window has no slow start that the sender knows of.
    pub(super) fn is_cwnd_limited(&self) -> bool {
        let in_slow_start = !self.options.owns_window && self.control.is_below_ssthresh();
        self.window_use.may_grow(self.control.cwnd(), in_slow_start)
    }

    /// Sets the rate at which the window is paced, after an ACK.
    #[inline(always)]
    pub(super) fn note_window_rate(&mut self) {
        let ssthresh = self.control.decision().ssthresh;
        self.window_use.set_rate(self.cwnd(), self.board.outstanding(), ssthresh);
    }
}
