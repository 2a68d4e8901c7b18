//! The receiver's window: the free part of a buffer that the application reads, or a window that
//! follows the data arriving per round trip, as Linux tunes its buffers (`tcp_moderate_rcvbuf`).

use ackclock_units::{Duration, Rate, Time};

use crate::transport::plan::TransportPlan;
use crate::transport::rtt::TimestampClock;

/// Segments that the tuner expects in the first round trip (`TCP_INIT_CWND`).
const FIRST_ROUND_SEGMENTS: u64 = 10;
/// Least payload that is a reason to advertise more, bytes (`tcp_event_data_recv`).
const LEAST_PAYLOAD: u64 = 128;

/// A receiving application that reads at a limited rate.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// Bytes in order that are not read.
    pub unread: u64,
    /// Time up to which reading is settled.
    since: Time,
}

impl Reader {
    /// Settles what the application has read by `now`.
    pub fn settle(&mut self, rate: Rate, now: Time) {
        let read = rate.bytes_in(now.since(self.since));
        if read >= self.unread {
            self.unread = 0;
            self.since = now;
        } else if read > 0 {
            // The fraction of a byte that was read meanwhile counts next time.
            self.unread -= read;
            self.since = self.since.saturating_add(rate.time_for(read)).min(now);
        }
    }
}

/// Facts about a data segment for the tuner.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// `RCV.NXT` after the segment.
    pub next: u64,
    /// The segment's payload, bytes.
    pub payload: u64,
    /// Bytes held above a hole.
    pub held: u64,
    /// End of the data held above a hole; `next` if there is none.
    pub held_to: u64,
    /// The timestamp that the segment echoes.
    pub echo: Option<u32>,
    /// Now.
    pub now: Time,
}

/// Options of a tuned window.
#[derive(PartialEq, Debug)]
pub struct Tuning {
    mss: u64,
    clock: TimestampClock,
    /// Size up to which the buffer may grow, bytes.
    largest: u64,
}

impl Tuning {
    /// The window's options in a plan.
    pub fn new(plan: &TransportPlan) -> Self {
        Self {
            mss: u64::from(plan.mss),
            clock: plan.timestamp_clock(),
            largest: plan.receive_buffer_bytes,
        }
    }
}

/// A window that grows with the data that arrives. Sizes are payload in bytes, where Linux counts
/// memory: a buffer of `tcp_rmem` holds 5/8 of its size in full-sized frames, and Linux assumes
/// half before the first frame (`scaling_ratio`).
#[derive(Clone, Debug, Default)]
pub struct Tuner {
    /// Size of the buffer (`window_clamp`).
    space: u64,
    /// Part of the buffer that is advertised so far (`rcv_ssthresh`).
    offered: u64,
    /// Window of the SYN-ACK until data arrives; then 0.
    first: u64,
    /// Most data that has arrived in a round trip (`rcvq_space.space`).
    per_round: u64,
    /// `RCV.NXT` when the current round trip began.
    round_from: u64,
    /// When the current round trip began.
    round_since: Time,
    /// Eight times the round-trip time (`rcv_rtt_est`); zero: not known.
    rtt_eighths: Duration,
    /// End of a window's worth of data, whose duration bounds the round trip; 0: none has begun.
    window_ends: u64,
    /// When that window's worth of data began.
    window_since: Time,
    last_echo: Option<u32>,
}

impl Tuner {
    /// The tuner that a plan asks for; none if the buffer has its largest size from the start.
    pub fn new(plan: &TransportPlan) -> Option<Self> {
        if plan.read_rate_bps.is_some()
            || plan.initial_receive_window_bytes >= plan.receive_buffer_bytes
        {
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
            ..Self::default()
        })
    }

    /// The connection is established.
    pub fn begin(&mut self, now: Time) {
        self.round_since = now;
    }

    /// Window that may be advertised while `held` bytes wait above a hole.
    #[inline]
    pub fn window(&self, held: u64) -> u64 {
        let wanted = if self.first > 0 { self.first } else { self.offered };
        wanted.min(self.space.saturating_sub(held))
    }

    /// Whether less than half of the buffer is free.
    pub fn is_under_pressure(&self, held: u64) -> bool {
        self.space.saturating_sub(held) < self.space / 2
    }

    /// The receiver's estimate of the round-trip time; zero: none.
    #[inline]
    pub fn rtt(&self) -> Duration {
        self.rtt_eighths / 8
    }

    /// Data has arrived in order. Returns whether the window grows (`tcp_grow_window`).
    #[inline]
    pub fn on_data(&mut self, tuning: &Tuning, arrival: &Arrival, advertised: u64) -> bool {
        self.measure_rtt(tuning, arrival, advertised);
        if self.first > 0 {
            self.offered = self.offered.max(self.first.min(self.space));
            self.first = 0;
        }
        self.grow_offer(tuning, arrival.payload, arrival.held)
    }

    /// Data has arrived above a hole; the buffer grows by what that takes (`tcp_data_queue_ofo`).
    /// Returns whether the window grows.
    pub fn on_hole(&mut self, tuning: &Tuning, arrival: &Arrival) -> bool {
        let grows = self.grow_offer(tuning, arrival.payload, arrival.held);
        self.grow_space(tuning, self.per_round, arrival.held_to - arrival.next);
        grows
    }

    /// The application has read the data. Once per round trip, the buffer gets room for twice the
    /// data of the last one, and for more while that grows (`tcp_rcv_space_adjust`,
    /// `tcp_rcvbuf_grow`).
    #[inline]
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

    #[inline]
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

    #[inline]
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
            // A window's duration is only an upper bound of the round trip.
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
