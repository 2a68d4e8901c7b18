//! When an ACK is due: RFC 1122 section 4.2.3.2 and RFC 5681 section 4.2. Linux adds quick ACKs,
//! ACKs of pushed segments, a delay that adapts, and duplicate ACKs that wait for each other. Facts
//! are from `net/ipv4/tcp_input.c` and `tcp_output.c` of Linux 6.18.

use ackclock_units::{Duration, Time};

use crate::transport::plan::TransportPlan;

/// Duplicate ACKs that are never held back (`TCP_FASTRETRANS_THRESH`).
const FIRST_DUPLICATES: u8 = 3;
/// Most duplicate ACKs that are held back in a row (`tcp_comp_sack_nr`).
const MOST_HELD_BACK: u8 = 44;
/// Time by which the timer of held-back ACKs may come late (`tcp_comp_sack_slack_ns`).
const SLACK: Duration = Duration::from_micros(100);
/// A duplicate ACK is held back for a 20th of the round-trip time at most.
const SHARE_OF_RTT: u64 = 20;
/// Quick ACKs after a mark that the sender has not answered (`tcp_data_ecn_check`).
const QUICK_AFTER_MARK: u32 = 2;
/// The longest delay of an ACK at any round-trip time (`HZ / 2`).
const LONGEST_DELAY: Duration = Duration::from_millis(500);

/// Options of a receiver's schedule. They never change while a connection runs.
#[derive(PartialEq, Debug)]
pub struct AckRules {
    count: u64,
    mss: u64,
    shortest_delay: Duration,
    adapts: bool,
    quick_acks: u32,
    acks_pushed: bool,
    /// Time that duplicate ACKs are held back; zero: none.
    hold_back: Duration,
    min_rto: Duration,
}

/// State of a receiver's schedule.
#[derive(Clone, Debug, Default)]
pub struct AckSchedule {
    /// Latest time for the next ACK; [`Time::MAX`]: none is due.
    due_at: Time,
    /// Segments that are still acknowledged at once.
    quick_left: u32,
    /// Time that an ACK is delayed.
    delay: Duration,
    /// When data last arrived in order; [`Time::MAX`]: not yet.
    last_data: Time,
    /// Duplicate ACKs sent at once.
    duplicates: u8,
    /// `RCV.NXT` that the duplicate ACKs repeat.
    duplicates_of: u64,
    /// Arrivals since the last ACK whose duplicate ACKs are held back.
    held_back: u8,
}

impl AckRules {
    /// The schedule's options in a plan.
    pub fn new(plan: &TransportPlan) -> Self {
        let shortest_delay = Duration::from_ps(plan.delayed_ack_timeout_ps);
        Self {
            // A receiver that misleads by its ACKs delays none.
            count: if plan.misleads_by_acks() { 1 } else { plan.delayed_ack_count.into() },
            mss: u64::from(plan.mss),
            shortest_delay,
            adapts: plan.delayed_ack_adapts,
            quick_acks: plan.quick_acks,
            // A slow reader has not read the data when a quick ACK could go out.
            acks_pushed: plan.ack_pushed && plan.read_rate_bps.is_none(),
            hold_back: Duration::from_ps(plan.sack_delay_ps),
            min_rto: Duration::from_ps(plan.min_rto_ps),
        }
    }

    /// Time without an arrival after which an optimistic receiver takes its ACKs for ignored: a
    /// round trip and the longest delay of an ACK.
    pub fn patience(&self, rtt: Duration) -> Duration {
        rtt + self.shortest_delay
    }

    /// The receiver's own RTO, from the handshake alone.
    fn rto(&self, rtt: Duration) -> Duration {
        rtt + (rtt * 2).max(self.min_rto)
    }
}

impl AckSchedule {
    /// The schedule before any data.
    pub fn new(rules: &AckRules) -> Self {
        Self {
            due_at: Time::MAX,
            delay: rules.shortest_delay,
            last_data: Time::MAX,
            ..Self::default()
        }
    }

    /// Latest time for the next ACK; [`Time::MAX`]: none is due.
    #[inline]
    pub fn due_at(&self) -> Time {
        self.due_at
    }

    /// The next ACK waits until `time` at most.
    pub fn wait_until(&mut self, time: Time) {
        self.due_at = time;
    }

    /// Data has arrived in order (`tcp_event_data_recv`). `window`: the window of the latest ACK,
    /// bytes; `rtt`: the handshake's.
    #[inline]
    pub fn on_data(&mut self, rules: &AckRules, window: u64, rtt: Duration, now: Time) {
        let last = std::mem::replace(&mut self.last_data, now);
        if last == Time::MAX {
            self.ack_quickly(rules, window, rules.quick_acks);
        } else if rules.adapts {
            let gap = now.since(last);
            if gap <= rules.shortest_delay / 2 {
                self.delay = self.delay / 2 + rules.shortest_delay / 2;
            } else if gap < self.delay {
                self.delay = (self.delay / 2 + gap).min(rules.rto(rtt));
            } else if gap > rules.rto(rtt) {
                self.ack_quickly(rules, window, rules.quick_acks);
            }
        }
    }

    /// The window that may be advertised has grown: the next segment is acknowledged at once, to
    /// tell the sender (`tcp_grow_window`).
    pub fn on_window_growth(&mut self) {
        self.quick_left |= 1;
    }

    /// The buffer is nearly full: no segment is acknowledged at once (`__tcp_select_window`).
    pub fn on_pressure(&mut self) {
        self.quick_left = 0;
    }

    /// A segment has arrived that had arrived before (`tcp_enter_quickack_mode`).
    pub fn on_duplicate(&mut self, rules: &AckRules, window: u64) {
        self.ack_quickly(rules, window, rules.quick_acks);
        self.delay = rules.shortest_delay;
    }

    /// The first mark has arrived since the sender answered the last one.
    pub fn on_mark(&mut self, rules: &AckRules, window: u64) {
        self.ack_quickly(rules, window, rules.quick_acks.min(QUICK_AFTER_MARK));
        self.delay = rules.shortest_delay;
    }

    /// No data came until the delayed ACK: the next may wait longer (`tcp_delack_timer_handler`).
    pub fn on_delay_expired(&mut self, rules: &AckRules, rtt: Duration) {
        if rules.adapts {
            self.delay = (self.delay * 2).min(rules.rto(rtt));
        }
    }

    /// An ACK is sent.
    pub fn on_ack_sent(&mut self, rules: &AckRules) {
        self.due_at = Time::MAX;
        self.held_back = 0;
        if self.quick_left == 1 {
            self.delay = rules.shortest_delay;
        }
        self.quick_left = self.quick_left.saturating_sub(1);
    }

    /// Whether the ACK of a segment in order, with nothing missing, is due now. Otherwise it waits.
    #[inline]
    pub fn in_order(&mut self, rules: &AckRules, arrival: &InOrder, now: Time) -> bool {
        let enough = arrival.unacked > (rules.count - 1) * rules.mss && arrival.opens;
        if enough || self.quick_left > 0 {
            return true;
        }
        // The segment is read at once, and may be the sender's last (`tcp_cleanup_rbuf`).
        if rules.acks_pushed && (arrival.is_pushed || arrival.payload < rules.mss) {
            return true;
        }
        let delay = self.bounded_delay(rules, arrival.rtt);
        // An ACK does not wait for a timer that is about to run out (`tcp_send_delayed_ack`).
        if rules.adapts && self.due_at <= now + delay / 4 {
            return true;
        }
        self.due_at = self.due_at.min(now + delay);
        false
    }

    /// Whether the ACK of a segment above a hole is due now (`__tcp_ack_snd_check`). Three
    /// duplicate ACKs go out at once; later ones are held back to report several arrivals in one.
    /// `next`: `RCV.NXT`; `rtt`: the receiver's smallest estimate of the round-trip time.
    pub fn out_of_order(&mut self, rules: &AckRules, next: u64, rtt: Duration, now: Time) -> bool {
        if self.quick_left > 0
            || rules.hold_back == Duration::ZERO
            || self.held_back >= MOST_HELD_BACK
        {
            return true;
        }
        if self.duplicates_of != next {
            self.duplicates_of = next;
            self.duplicates = 0;
        }
        if self.duplicates < FIRST_DUPLICATES {
            self.duplicates += 1;
            return true;
        }
        self.held_back += 1;
        if self.held_back == 1 {
            let delay = rules.hold_back.min(rtt / SHARE_OF_RTT) + SLACK;
            self.due_at = self.due_at.min(now + delay);
        }
        false
    }

    /// Whether a duplicate ACK is held back.
    pub fn is_holding_back(&self) -> bool {
        self.held_back > 0
    }

    fn ack_quickly(&mut self, rules: &AckRules, window: u64, most: u32) {
        let wanted = u32::try_from(window / (2 * rules.mss)).unwrap_or(u32::MAX).max(2).min(most);
        self.quick_left = self.quick_left.max(wanted);
    }

    fn bounded_delay(&self, rules: &AckRules, rtt: Duration) -> Duration {
        if rules.adapts && self.delay > rules.shortest_delay {
            self.delay.min(rtt.max(rules.shortest_delay).min(LONGEST_DELAY))
        } else {
            self.delay.min(rules.shortest_delay)
        }
    }
}

/// A segment that has arrived in order.
#[derive(Clone, Copy, Debug)]
pub struct InOrder {
    /// In-order bytes without an ACK.
    pub unacked: u64,
    /// The segment's payload, bytes.
    pub payload: u64,
    /// The segment carries PSH.
    pub is_pushed: bool,
    /// The window to advertise is no smaller than the last one.
    pub opens: bool,
    /// The handshake's round-trip time.
    pub rtt: Duration,
}
