//! How much the receiver advertises: what is free of a buffer that its application reads, or a window that follows what arrives per round
//! trip, as Linux tunes its buffers (`tcp_moderate_rcvbuf`).

use ackclock_units::{Duration, Rate, Time};

use crate::plan::TransportPlan;
use crate::transport::rtt::TimestampClock;

/// Segments that a connection begins with, per round trip, for the tuner (`TCP_INIT_CWND`).
const FIRST_ROUND_SEGMENTS: u64 = 10;
/// Smaller segments are no reason to advertise more (`tcp_event_data_recv`).
const LEAST_PAYLOAD: u64 = 128;

/// The receiving application's reading, where it is not at once.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// In order and not read, bytes.
    pub unread: u64,
    since: Time,
}

impl Reader {
    /// Reads until `now`.
    pub fn settle(&mut self, rate: Rate, now: Time) {
        let read = rate.bytes_in(now.since(self.since));
        if read >= self.unread {
            self.unread = 0;
            self.since = now;
        } else if read > 0 {
            // The part of a byte that was read meanwhile stays read.
            self.unread -= read;
            self.since = self.since.saturating_add(rate.time_for(read)).min(now);
        }
    }
}

/// What arrives in order, as the tuner wants to know it.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// `RCV.NXT` with it.
    pub next: u64,
    /// Its payload, bytes.
    pub payload: u64,
    /// Bytes held above a hole.
    pub held: u64,
    /// The end of what is held above a hole; `next` if nothing is.
    pub held_to: u64,
    /// The timestamp that it echoes.
    pub echo: Option<u32>,
    /// Now.
    pub now: Time,
}

/// What a window's growth goes by.
#[derive(PartialEq, Debug)]
pub struct Tuning {
    mss: u64,
    clock: TimestampClock,
    /// The most that it may become.
    largest: u64,
}

impl Tuning {
    /// As the plan has it.
    #[must_use]
    pub fn new(plan: &TransportPlan) -> Self {
        Self {
            mss: u64::from(plan.mss),
            clock: plan.timestamp_clock(),
            largest: plan.receive_buffer_bytes,
        }
    }
}

/// A window that grows with what arrives. All in payload, where Linux counts memory: what a buffer of `tcp_rmem` holds is 5/8 of
/// it in full-sized frames, and taken for half of it before the first of them (`scaling_ratio`).
#[derive(Clone, Debug)]
pub struct Tuner {
    /// What the buffer holds (`window_clamp`).
    space: u64,
    /// What is advertised of it so far (`rcv_ssthresh`).
    offered: u64,
    /// Window of the SYN's answer, until data arrives; then 0.
    first: u64,
    /// The most that arrived in a round trip (`rcvq_space.space`).
    per_round: u64,
    round_from: u64,
    round_since: Time,
    /// Eight times the round-trip time (`rcv_rtt_est`); zero: not known.
    rtt_eighths: Duration,
    /// A window's worth of data, which ends there and began then: the round trip of who has no timestamps. 0: none has begun.
    window_ends: u64,
    window_since: Time,
    last_echo: Option<u32>,
}

impl Tuner {
    /// As the plan has it; none where the buffer is as large as it will ever be.
    #[must_use]
    pub fn new(plan: &TransportPlan) -> Option<Self> {
        if plan.read_rate_bps.is_some() || plan.initial_receive_window_bytes >= plan.receive_buffer_bytes {
            return None;
        }
        let mss = u64::from(plan.mss);
        let space = plan.initial_receive_window_bytes.max(2 * mss);
        let believed = space - space / 5;
        let first = (believed / mss).max(1) * mss;
        Some(Self {
            space,
            offered: first.min(believed.saturating_sub(mss).max(2 * mss)),
            first,
            per_round: first.min(FIRST_ROUND_SEGMENTS * mss),
            round_from: 0,
            round_since: Time::ZERO,
            rtt_eighths: Duration::ZERO,
            window_ends: 0,
            window_since: Time::ZERO,
            last_echo: None,
        })
    }

    /// The connection is established.
    pub fn begin(&mut self, now: Time) {
        self.round_since = now;
    }

    /// What may be advertised while `held` bytes wait above a hole.
    #[must_use]
    pub fn window(&self, held: u64) -> u64 {
        let wanted = if self.first > 0 { self.first } else { self.offered };
        wanted.min(self.space.saturating_sub(held))
    }

    /// Less than half of the buffer is free.
    #[must_use]
    pub fn is_under_pressure(&self, held: u64) -> bool {
        self.space.saturating_sub(held) < self.space / 2
    }

    /// The receiver's estimate of the round-trip time; zero: none.
    #[must_use]
    pub fn rtt(&self) -> Duration {
        self.rtt_eighths / 8
    }

    /// Data arrived, in order: whether the window grows (`tcp_grow_window`).
    #[inline]
    pub fn on_data(&mut self, tuning: &Tuning, arrival: &Arrival, advertised: u64) -> bool {
        self.measure_rtt(tuning, arrival, advertised);
        if self.first > 0 {
            self.offered = self.offered.max(self.first.min(self.space));
            self.first = 0;
        }
        self.grow_offer(tuning, arrival.payload, arrival.held)
    }

    /// Data arrived above a hole; what it needs of the buffer does not count as used (`tcp_data_queue_ofo`).
    pub fn on_hole(&mut self, tuning: &Tuning, arrival: &Arrival) -> bool {
        let grows = self.grow_offer(tuning, arrival.payload, arrival.held);
        self.grow_space(tuning, self.per_round, arrival.held_to - arrival.next);
        grows
    }

    /// The application has read it: once per round trip the buffer is made for twice of what came in the last, and for more while that
    /// grows (`tcp_rcv_space_adjust`, `tcp_rcvbuf_grow`).
    pub fn on_read(&mut self, tuning: &Tuning, arrival: &Arrival) {
        let rtt = self.rtt();
        if rtt == Duration::ZERO || arrival.now.since(self.round_since) < rtt {
            return;
        }
        let copied = arrival.next - self.round_from;
        if copied > self.per_round {
            self.grow_space(tuning, copied, arrival.held_to - arrival.next);
        }
        self.round_from = arrival.next;
        self.round_since = arrival.now;
    }

    fn grow_offer(&mut self, tuning: &Tuning, payload: u64, held: u64) -> bool {
        let room = self.space.saturating_sub(held + payload).saturating_sub(self.offered);
        if room == 0 || payload < LEAST_PAYLOAD {
            return false;
        }
        self.offered += room.min(2 * tuning.mss);
        true
    }

    fn grow_space(&mut self, tuning: &Tuning, per_round: u64, held: u64) {
        let before = std::mem::replace(&mut self.per_round, per_round);
        let twice = 2 * per_round;
        let growth = twice.saturating_mul(per_round - before) / before.max(1);
        self.space = self.space.max((twice + 2 * growth + held).min(tuning.largest));
    }

    fn measure_rtt(&mut self, tuning: &Tuning, arrival: &Arrival, advertised: u64) {
        if arrival.payload >= tuning.mss
            && let Some(echo) = arrival.echo
            && self.last_echo.replace(echo) != Some(echo)
        {
            let sample = tuning.clock.between(echo, tuning.clock.at(arrival.now));
            if sample > Duration::ZERO {
                self.take_sample(sample);
            }
        }
        if arrival.next < self.window_ends {
            return;
        }
        if self.window_ends > 0 {
            let sample = arrival.now.since(self.window_since);
            // A window's time is a bound from above, never a reason to believe in a longer round trip.
            if sample * 8 < self.rtt_eighths || self.rtt_eighths == Duration::ZERO {
                self.rtt_eighths = sample * 8;
            }
        }
        self.window_ends = arrival.next + advertised;
        self.window_since = arrival.now;
    }

    fn take_sample(&mut self, sample: Duration) {
        self.rtt_eighths = if self.rtt_eighths == Duration::ZERO || sample * 8 < self.rtt_eighths {
            sample * 8
        } else {
            self.rtt_eighths - self.rtt_eighths / 8 + sample
        };
    }
}
