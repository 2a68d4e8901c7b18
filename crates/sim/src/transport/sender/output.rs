//! How a sender decides what to send after an ACK, a timer or a write, and when to stop.

use ackclock_units::Time;

use super::Sender;
use super::recovery_episode::Repair;
use super::timers::Timer;
use crate::transport::accounting::Limit;
use crate::transport::recovery::CaState;
use crate::transport::scoreboard::Segment;
use crate::wire::Wire;

impl Sender {
    /// [`Sender::answer`] for callers other than a plain ACK, not inlined.
    #[inline(never)]
    pub(super) fn pump(&mut self, now: Time, wire: &mut impl Wire) {
        self.answer(now, wire);
    }

    /// Sends what may be sent, and starts timers.
    #[inline(always)]
    pub(super) fn answer(&mut self, now: Time, wire: &mut impl Wire) {
        if !self.connection.is_established() {
            return;
        }
        let (before, was_empty) = (self.board.next(), self.board.segments() == 0);
        let limit = loop {
            let limit = self.send_all(now, wire);
            let has_new = self.board.next() != self.episode.point();
            if self.episode.repair() != Repair::NewFirst || has_new {
                break limit;
            }
            // RFC 5682 section 3.1 step 2b needs new data; otherwise conventional recovery goes on.
            self.episode.end_frto();
            self.episode.answer_with(Repair::LostFirst);
        };
        let has_sent = self.board.next() > before;
        self.start_timers(has_sent, was_empty, now);
        let repair = self.episode.end_answer();
        self.pacer.end_burst();
        self.wait_for_pacer(limit, repair, now);
        if limit != Limit::Pacing {
            self.control.note_limited();
        }
        if self.buffer.is_bounded() {
            self.cut_what_is_written();
        }
        if !matches!(repair, Repair::LostOnly | Repair::Silent) {
            self.note_usage(limit, has_sent, now);
        }
        self.ledger.note_limit(limit, now);
        self.arm_persist(limit, now);
    }

    /// Starts a timer. After new data it is the probe's, or the RTO's where that is due. Without
    /// new data, the probe's timer starts again if the ACK asked for it.
    #[inline(always)]
    pub(super) fn start_timers(&mut self, has_sent: bool, was_empty: bool, now: Time) {
        if !has_sent {
            self.restart_probe(now);
            return;
        }
        self.probe.set_restart(false);
        let is_first = was_empty || self.timers.purpose() == Timer::Probe;
        if !self.schedule_probe(false, now) && is_first {
            self.rearm_rto(now);
        }
    }

    /// Starts the pacer's timer where the pacer holds something back.
    #[inline(always)]
    fn wait_for_pacer(&mut self, limit: Limit, repair: Repair, now: Time) {
        let opens = if limit == Limit::Pacing {
            self.pacer.shut_until(now).unwrap_or(Time::MAX)
        } else if repair == Repair::Nothing && self.timers.pace_at() > now {
            // The pacer's timer runs on for retransmissions.
            return;
        } else {
            Time::MAX
        };
        self.timers.pace(opens);
    }

    /// Sends until a limit forbids more. Returns that limit.
    #[inline(always)]
    fn send_all(&mut self, now: Time, wire: &mut impl Wire) -> Limit {
        let mut is_repairing = false;
        loop {
            if let Some(number) = self.next_lost() {
                is_repairing = true;
                // Linux's __tcp_retransmit_skb sends only the first segment beyond a shrunk window.
                let is_beyond = self.board.get(number).seq >= self.peer.edge();
                if is_beyond && self.board.first_number() != Some(number) {
                    return Limit::ReceiveWindow;
                }
                let size = self.board.weight(u64::from(self.board.get(number).len));
                if let Err(limit) = self.may_send(size, false, now) {
                    return limit;
                }
                self.retransmit(number, now, wire);
            } else if matches!(self.episode.repair(), Repair::LostOnly | Repair::Silent) {
                // The pacer's timer lets new data go along with the retransmissions it holds back.
                let waits = self.episode.repair() == Repair::LostOnly
                    && self.episode.is_repairing()
                    && self.is_shut(now);
                return if waits { Limit::Pacing } else { self.ledger.limit() };
            } else {
                if core::mem::take(&mut is_repairing) {
                    // New data never shares a host segment with retransmissions.
                    self.pacer.end_burst();
                }
                let (payload, fin) = match self.next_segment(now) {
                    Ok(segment) => segment,
                    Err(limit) => return limit,
                };
                if let Err(limit) = self.may_send(self.board.weight(payload), true, now) {
                    return limit;
                }
                self.send_new(payload, fin, now, wire);
            }
        }
    }

    /// The lost segment to send again next.
    fn next_lost(&mut self) -> Option<u64> {
        if self.episode.repairs_now() { self.board.next_lost() } else { None }
    }

    /// Whether the pacer holds packets back.
    fn is_shut(&self, now: Time) -> bool {
        self.pacer.is_shut(now) && self.pacing_rate().is_some()
    }

    /// Whether a segment of `size` bytes may leave. Returns the limit that forbids it.
    #[inline(always)]
    fn may_send(&mut self, size: u64, is_new: bool, now: Time) -> Result<(), Limit> {
        // Linux's tcp_xmit_retransmit_queue waits for the pacer as new data does.
        if self.is_shut(now) {
            return Err(Limit::Pacing);
        }
        let mut inflight = self.board.inflight();
        if self.episode.state() != CaState::Open {
            let sacked = self.board.sacked_bytes();
            inflight = self.episode.counted_inflight(inflight, sacked, is_new, &self.options);
        }
        let cwnd = self.episode.window(self.control.cwnd());
        if self.episode.must_retransmit() && !is_new {
            return self.go_on(cwnd.saturating_sub(inflight).max(size), cwnd, is_new, now);
        }
        if inflight + size > cwnd {
            return Err(Limit::Cwnd);
        }
        if self.options.max_cwnd.is_some_and(|clamp| inflight + size > clamp.max(self.options.mss))
        {
            return Err(Limit::Clamp);
        }
        self.go_on(cwnd - inflight, cwnd, is_new, now)
    }

    /// Goes on with the current burst, or begins one.
    #[inline]
    fn go_on(&mut self, room: u64, cwnd: u64, is_new: bool, now: Time) -> Result<(), Limit> {
        if self.pacer.is_in_burst() {
            return Ok(());
        }
        self.begin_burst(room, cwnd, is_new, now)
    }

    /// Payload of the next new segment and whether it carries the FIN, or the limit if there is
    /// none.
    #[inline(always)]
    pub(super) fn next_segment(&mut self, now: Time) -> Result<(u64, bool), Limit> {
        let full = self.peer.full_segment();
        let end = self.board.next() + full;
        if end < self.buffer.bytes() && end <= self.peer.edge() {
            return Ok((full, false));
        }
        self.last_segment(now)
    }

    /// [`Sender::next_segment`] if the data or the receiver's window ends within a full segment.
    fn last_segment(&mut self, now: Time) -> Result<(u64, bool), Limit> {
        let next = self.board.next();
        if self.buffer.has_more() && self.is_dry()
            || next >= self.buffer.bytes() && !self.buffer.is_closed()
        {
            self.poll_app(now);
        }
        let left = self.buffer.left(next);
        if left == 0 {
            // The FIN goes with the last data, or alone if the application closed later.
            let fin_due = self.buffer.is_closed() && next == self.buffer.bytes();
            return match fin_due {
                true if next < self.peer.edge() => Ok((0, true)),
                true => Err(Limit::ReceiveWindow),
                false => Err(Limit::Application),
            };
        }
        let payload = left.min(self.peer.full_segment());
        let room = self.peer.room(next);
        if payload > room {
            // The part that fits goes with full segments before it (Linux's tcp_mss_split_point).
            return if room > 0 && self.is_behind_full_segment(now) {
                Ok((room, false))
            } else {
                Err(Limit::ReceiveWindow)
            };
        }
        Ok((payload, self.buffer.is_closed() && payload == left))
    }

    /// Whether the host is handing over a burst whose last segment was new and full.
    fn is_behind_full_segment(&self, now: Time) -> bool {
        let last = self.board.last_number().map(|number| self.board.get(number));
        let is_full = |segment: &Segment| {
            segment.sent_at == now && u64::from(segment.len) == self.peer.full_segment()
        };
        self.options.tso_defer && self.pacer.is_in_burst() && last.is_some_and(is_full)
    }

    /// Asks the application for more, if it has more to say.
    fn poll_app(&mut self, now: Time) {
        if self.buffer.stops(now) {
            self.buffer.close(self.board.next());
        } else if self.buffer.is_due(now) {
            self.ask_app(now);
        }
    }

    /// Asks the application what it has written.
    pub(super) fn ask_app(&mut self, now: Time) {
        let Some(before) = self.buffer.ask(self.is_dry(), now) else { return };
        let next = self.board.next();
        if self.buffer.begins_host_segment(before, next, self.peer.host_segment()) {
            self.restart_after_idle(now);
        }
        // Linux's tcp_rate_check_app_limited: the path had room until this write.
        let was_dry = before.saturating_sub(next) < self.peer.full_segment();
        let has_room = self.board.inflight() < self.cwnd();
        if was_dry && has_room && self.board.lost_bytes() <= self.board.retrans_bytes() {
            self.rate.mark_app_limited(self.board.inflight());
        }
    }

    /// Whether less than a full segment is left of what the application has written.
    fn is_dry(&self) -> bool {
        self.buffer.is_dry(self.board.next(), self.options.mss)
    }

    /// Whether there is new data or a FIN to send.
    pub(super) fn has_unsent(&self) -> bool {
        self.buffer.has_unsent(self.board.next())
    }
}
