//! A window that follows the data arriving per round trip, as Linux tunes its buffers
//! (`tcp_moderate_rcvbuf`).

use ackclock_units::{Duration, Time};

use super::options::Options;
use crate::transport::plan::TransportPlan;

/// Segments that the tuner expects in the first round trip (`TCP_INIT_CWND`).
const FIRST_ROUND_SEGMENTS: u64 = 10;
/// Least payload that is a reason to advertise more, bytes (`tcp_event_data_recv`).
const LEAST_PAYLOAD: u64 = 128;

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
    pub fn on_data(&mut self, options: &Options, arrival: &Arrival, advertised: u64) -> bool {
        self.measure_rtt(options, arrival, advertised);
        if self.first > 0 {
            self.offered = self.offered.max(self.first.min(self.space));
            self.first = 0;
        }
        self.grow_offer(options, arrival.payload, arrival.held)
    }

    /// Data has arrived above a hole; the buffer grows by what that takes (`tcp_data_queue_ofo`).
    /// Returns whether the window grows.
    pub fn on_hole(&mut self, options: &Options, arrival: &Arrival) -> bool {
        let grows = self.grow_offer(options, arrival.payload, arrival.held);
        self.grow_space(options, self.per_round, arrival.held_to - arrival.next);
        grows
    }

    /// The application has read the data. Once per round trip, the buffer gets room for twice the
    /// data of the last one, and for more while that grows (`tcp_rcv_space_adjust`,
    /// `tcp_rcvbuf_grow`).
    #[inline]
    pub fn on_read(&mut self, options: &Options, arrival: &Arrival) {
        let rtt = self.rtt();
        if rtt == Duration::ZERO || arrival.now.since(self.round_since) < rtt {
            return;
        }
        let copied = arrival.next - self.round_from;
        if copied > self.per_round {
            self.grow_space(options, copied, arrival.held_to - arrival.next);
        }
        self.round_from = arrival.next;
        self.round_since = arrival.now;
    }

    #[inline]
    fn grow_offer(&mut self, options: &Options, payload: u64, held: u64) -> bool {
        let room = self.space.saturating_sub(held + payload).saturating_sub(self.offered);
        if room == 0 || payload < LEAST_PAYLOAD {
            return false;
        }
        self.offered += room.min(2 * options.mss);
        true
    }

    fn grow_space(&mut self, options: &Options, per_round: u64, held: u64) {
        let before = std::mem::replace(&mut self.per_round, per_round);
        let twice = 2 * per_round;
        let growth = twice.saturating_mul(per_round - before) / before.max(1);
        self.space = self.space.max((twice + 2 * growth + held).min(options.buffer));
    }

    #[inline]
    fn measure_rtt(&mut self, options: &Options, arrival: &Arrival, advertised: u64) {
        if arrival.payload >= options.mss
            && let Some(echo) = arrival.echo
            && self.last_echo.replace(echo) != Some(echo)
        {
            let sample = options.clock.between(echo, options.clock.at(arrival.now));
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
