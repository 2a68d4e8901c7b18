//! When an ACK is due: RFC 1122 section 4.2.3.2 and RFC 5681 section 4.2, with what Linux adds: quick ACKs, ACKs of what was pushed, a
//! delay that adapts, duplicate ACKs that wait for each other. Facts from `net/ipv4/tcp_input.c` and `tcp_output.c` of Linux 6.18.

use ackclock_units::{Duration, Time};

use crate::plan::TransportPlan;

/// Duplicate ACKs that are never held back (`TCP_FASTRETRANS_THRESH`).
const FIRST_DUPLICATES: u8 = 3;
/// Held back at most that many times in a row (`tcp_comp_sack_nr`).
const MOST_HELD_BACK: u8 = 44;
/// The timer of what is held back may come so much later (`tcp_comp_sack_slack_ns`).
const SLACK: Duration = Duration::from_micros(100);
/// What is held back waits a 20th of the round-trip time at most.
const SHARE_OF_RTT: u64 = 20;
/// Quick ACKs after a mark that the sender has not answered (`tcp_data_ecn_check`).
const QUICK_AFTER_MARK: u32 = 2;
/// The longest delay of an ACK whatever the round-trip time (`HZ / 2`).
const LONGEST_DELAY: Duration = Duration::from_millis(500);

/// What is to be done about an arrival.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// An ACK now.
    Now,
    /// An ACK at that time unless one is due before.
    At(Time),
}

/// The rules, which do not change.
#[derive(PartialEq, Debug)]
pub struct AckRules {
    count: u64,
    mss: u64,
    shortest_delay: Duration,
    adapts: bool,
    quick_acks: u32,
    acks_pushed: bool,
    /// How long duplicate ACKs are held back; zero: not at all.
    hold_back: Duration,
    min_rto: Duration,
}

/// Where they stand.
#[derive(Clone, Debug)]
pub struct AckSchedule {
    quick_left: u32,
    /// How long an ACK is delayed.
    delay: Duration,
    /// When data arrived in order; [`Time::MAX`]: not yet.
    last_data: Time,
    duplicates: u8,
    /// `RCV.NXT` that they repeat.
    duplicates_of: u64,
    held_back: u8,
}

impl AckRules {
    /// As the plan has them.
    #[must_use]
    pub fn new(plan: &TransportPlan) -> Self {
        let shortest_delay = Duration::from_ps(plan.delayed_ack_timeout_ps);
        Self {
            count: u64::from(plan.delayed_ack_count),
            mss: u64::from(plan.mss),
            shortest_delay,
            adapts: plan.delayed_ack_adapts,
            quick_acks: plan.quick_acks,
            // Who reads slowly has not read the data when its ACK could go out.
            acks_pushed: plan.ack_pushed && plan.read_rate_bps.is_none(),
            hold_back: Duration::from_ps(plan.sack_delay_ps),
            min_rto: Duration::from_ps(plan.min_rto_ps),
        }
    }

    /// The receiver's own RTO, from the handshake alone.
    fn rto(&self, rtt: Duration) -> Duration {
        rtt + (rtt * 2).max(self.min_rto)
    }
}

impl AckSchedule {
    /// Before any data.
    #[must_use]
    pub fn new(rules: &AckRules) -> Self {
        Self {
            quick_left: 0,
            delay: rules.shortest_delay,
            last_data: Time::MAX,
            duplicates: 0,
            duplicates_of: 0,
            held_back: 0,
        }
    }

    /// Data arrived in order; `window` is advertised, `rtt` the handshake's (`tcp_event_data_recv`).
    #[inline]
    pub fn on_data(&mut self, rules: &AckRules, window: u64, rtt: Duration, now: Time) {
        let last = std::mem::replace(&mut self.last_data, now);
        if last == Time::MAX {
            self.ack_quickly(rules, window, rules.quick_acks);
        } else if rules.adapts {
            let gap = now.since(last);
            let rto = rules.rto(rtt);
            if gap <= rules.shortest_delay / 2 {
                self.delay = self.delay / 2 + rules.shortest_delay / 2;
            } else if gap < self.delay {
                self.delay = (self.delay / 2 + gap).min(rto);
            } else if gap > rto {
                self.ack_quickly(rules, window, rules.quick_acks);
            }
        }
    }

    /// The window that may be advertised grew: the sender is told with each segment (`tcp_grow_window`).
    pub fn on_window_growth(&mut self) {
        self.quick_left |= 1;
    }

    /// The buffer is nearly full: no ACK more than there must be (`__tcp_select_window`).
    pub fn on_pressure(&mut self) {
        self.quick_left = 0;
    }

    /// A segment that had arrived before (`tcp_enter_quickack_mode`).
    pub fn on_duplicate(&mut self, rules: &AckRules, window: u64) {
        self.ack_quickly(rules, window, rules.quick_acks);
        self.delay = rules.shortest_delay;
    }

    /// The first mark that the sender has not answered.
    pub fn on_mark(&mut self, rules: &AckRules, window: u64) {
        self.ack_quickly(rules, window, rules.quick_acks.min(QUICK_AFTER_MARK));
        self.delay = rules.shortest_delay;
    }

    /// The delayed ACK came from its timer: nothing came before it, so the next may wait longer (`tcp_delack_timer_handler`).
    pub fn on_delay_expired(&mut self, rules: &AckRules, rtt: Duration) {
        if rules.adapts {
            self.delay = (self.delay * 2).min(rules.rto(rtt));
        }
    }

    /// An ACK was sent.
    pub fn on_ack_sent(&mut self, rules: &AckRules) {
        self.held_back = 0;
        if self.quick_left == 1 {
            self.delay = rules.shortest_delay;
        }
        self.quick_left = self.quick_left.saturating_sub(1);
    }

    /// Data in order, nothing missing: `unacked` bytes of it without an ACK, this segment's `payload`, pushed or not; `opens`: the window to
    /// advertise is not smaller than before; `pending` is when an ACK is due already.
    #[must_use]
    pub fn in_order(&self, rules: &AckRules, arrival: &InOrder, now: Time) -> Due {
        let enough = arrival.unacked > (rules.count - 1) * rules.mss && arrival.opens;
        if enough || self.quick_left > 0 {
            return Due::Now;
        }
        // Read at once, and the sender may have no more to follow (`tcp_cleanup_rbuf`).
        if rules.acks_pushed && (arrival.is_pushed || arrival.payload < rules.mss) {
            return Due::Now;
        }
        let delay = self.bounded_delay(rules, arrival.rtt);
        if arrival.pending == Time::MAX {
            return Due::At(now + delay);
        }
        // A timer that is about to run out is not waited for (`tcp_send_delayed_ack`).
        if rules.adapts && arrival.pending <= now + delay / 4 {
            Due::Now
        } else {
            Due::At(arrival.pending.min(now + delay))
        }
    }

    /// Data above a hole, with everything below `next` here: three duplicate ACKs go out at once, later ones are held back to tell of
    /// several arrivals at once (`__tcp_ack_snd_check`). `rtt`: the smallest estimate of the round-trip time that there is.
    pub fn out_of_order(&mut self, rules: &AckRules, next: u64, rtt: Duration, pending: Time, now: Time) -> Due {
        if self.quick_left > 0 || rules.hold_back == Duration::ZERO || self.held_back >= MOST_HELD_BACK {
            return Due::Now;
        }
        if self.duplicates_of != next {
            self.duplicates_of = next;
            self.duplicates = 0;
        }
        if self.duplicates < FIRST_DUPLICATES {
            self.duplicates += 1;
            return Due::Now;
        }
        self.held_back += 1;
        if self.held_back > 1 {
            return Due::At(pending);
        }
        Due::At(pending.min(now + rules.hold_back.min(rtt / SHARE_OF_RTT) + SLACK))
    }

    /// Whether a duplicate ACK is held back.
    #[must_use]
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

/// A segment in order.
#[derive(Clone, Copy, Debug)]
pub struct InOrder {
    /// In-order bytes that no ACK has told of.
    pub unacked: u64,
    /// Its payload, bytes.
    pub payload: u64,
    /// It carries PSH.
    pub is_pushed: bool,
    /// The window to advertise is no smaller than the last one.
    pub opens: bool,
    /// The handshake's round-trip time.
    pub rtt: Duration,
    /// When an ACK is due already.
    pub pending: Time,
}
