//! CUBIC as Linux 6 computes it (`net/ipv4/tcp_cubic.c`), in whole packets and integer growth
//! intervals.
//!
//! The roundings matter. Linux cuts the distance to the plateau to whole packets, so that its
//! target *is* the plateau as soon as the curve is less than a packet below. From 71 towards 102
//! packets that happens after 2.9 s instead of at K = 4.3 s. `docs/algorithms/cubic.md` lists the
//! differences from RFC 9438.

use super::{CONCAVE, CONVERGENCE, CONVEX, CUT, NO_PEAK, Options, RENO_FRIENDLY, TIMEOUT};
use crate::avoidance::Avoidance;
use crate::cast::{float, integer};
use crate::measure::Jiffies;
use crate::window::{Tally, Window};
use crate::{AckEvent, CongestionEvent, Duration, Rng, Rule, Ruled, Setup, Signal, Time};

/// Fractions of one in which Linux holds beta and C, and of a second in which it holds K
/// (`BICTCP_HZ`).
const SCALE: u32 = 1024;
/// Jiffies for which an unchanged window keeps its growth interval (HZ/32).
const UPDATE_JIFFIES: u64 = Jiffies::PER_SECOND / 32;
/// Longest growth interval before the first congestion: the window grows by at least 1/20 per round
/// trip.
const FIRST_INTERVAL: u64 = 20;
/// Shortest growth interval: below the target the window grows by at most one half per round trip.
const SHORTEST_INTERVAL: u64 = 2;
/// Linux divides by three with this factor and a shift by ten bits, in the one Newton step of its
/// cube root.
const THIRD: u64 = 341;

/// CUBIC in Linux's arithmetic. Windows are whole packets.
#[derive(Clone, Debug)]
pub struct CubicLinux {
    /// Share of the window that congestion leaves, in 1024ths.
    beta: u64,
    /// Steepness of the curve times ten, in 1024ths of a packet/s^3 (`cube_rtt_scale`).
    c: u64,
    fast_convergence: bool,
    reno_friendly: bool,
    /// Acknowledged data for which Reno's estimate grows by a packet, in eighths of a window.
    reno_interval: u64,
    /// Window before the last reduction; zero: unknown.
    last_max: u64,
    delay_min: Option<Duration>,
    epoch: Option<Epoch>,
    /// Acknowledged packets per packet of growth. A reduction leaves it until it is computed again.
    interval: u64,
    /// Rule that gave the interval.
    rule: &'static Rule,
    /// When the interval was last looked up on the curve, in jiffies, and for which window. `None`
    /// since the connection began or timed out.
    updated: Option<(u64, u64)>,
    /// Bytes acknowledged towards the next packet of Reno's window.
    reno_credit: u64,
    tally: Tally,
    jiffies: Jiffies,
}

/// One stage of congestion avoidance.
#[derive(Clone, Copy, Debug)]
struct Epoch {
    /// Start of the stage, jiffies.
    start: u64,
    /// K: time from the start of the stage to the plateau, 1024ths of a second.
    k: u64,
    /// Window of the plateau.
    origin: u64,
    /// Window that Reno would have.
    reno: u64,
}

/// Cube root of a number of at least 64, about as near as Linux comes to it.
///
/// Linux takes one Newton step from a guess that is 3 to 4 % too large, and divides by three 0.1 %
/// too low. Its guesses come from a table refined by hand. Here a straight line through the root's
/// 64ths stands for the table: it is within one 64th of each guess, and the root within 0.07 % of
/// Linux's.
fn cubic_root(a: u64) -> u64 {
    let octal_digits = (a.ilog2() / 3).saturating_sub(1);
    let leading = float(a >> (3 * octal_digits));
    let guess = integer(1.021 * 64.0 * libm::cbrt(leading) + 4.0) << octal_digits >> 6;
    ((2 * guess + a / (guess * (guess - 1))) * THIRD) >> 10
}

impl CubicLinux {
    /// A CUBIC before its first congestion. beta and C are rounded to the 1024ths that Linux has.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        let fine = f64::from(SCALE);
        let beta = integer(libm::round(options.beta * fine));
        let scale = u64::from(SCALE);
        Self {
            beta,
            c: integer(libm::round(options.c / 10.0 * fine)).max(1) * 10,
            fast_convergence: options.fast_convergence,
            reno_friendly: options.reno_friendly,
            reno_interval: 8 * (scale + beta) / 3 / (scale - beta),
            last_max: 0,
            delay_min: None,
            epoch: None,
            interval: SHORTEST_INTERVAL,
            rule: &CONVEX,
            updated: None,
            reno_credit: 0,
            tally: Tally::default(),
            jiffies: Jiffies::default(),
        }
    }

    fn new_epoch(&self, cwnd: u64, now: Time) -> Epoch {
        let distance = self.last_max.saturating_sub(cwnd);
        Epoch {
            start: self.jiffies.at(now),
            k: if distance == 0 {
                0
            } else {
                cubic_root(((1 << 40) / self.c).saturating_mul(distance))
            },
            origin: cwnd.max(self.last_max),
            reno: cwnd,
        }
    }

    /// Growth interval from the curve, before Reno's estimate is considered.
    fn cubic_interval(&self, epoch: &Epoch, cwnd: u64, now: u64) -> u64 {
        let ahead = Jiffies::of(self.delay_min.unwrap_or_default());
        let t = ((now.saturating_sub(epoch.start) + ahead) << 10) / Jiffies::PER_SECOND;
        let offset = u128::from(t.abs_diff(epoch.k));
        let distance = (u128::from(self.c) * offset * offset * offset) >> 40;
        let distance = u64::try_from(distance).unwrap_or(u64::MAX);
        let target = if t < epoch.k {
            epoch.origin.saturating_sub(distance)
        } else {
            epoch.origin.saturating_add(distance)
        };
        let interval = if target > cwnd { cwnd / (target - cwnd) } else { 100 * cwnd };
        if self.last_max == 0 { interval.min(FIRST_INTERVAL) } else { interval }
    }

    /// A timeout: the path may have changed (`bictcp_reset`).
    fn forget(&mut self) {
        self.epoch = None;
        self.updated = None;
        self.reno_credit = 0;
        self.tally.reset();
        self.last_max = 0;
        self.delay_min = None;
    }

    fn update(&mut self, ack: &AckEvent, window: &Window, cwnd: u64) -> Ruled<u64> {
        let now = self.jiffies.at(ack.now);
        self.reno_credit += ack.newly_acked;
        // Asked before there is an epoch. A window that a reduction leaves unchanged goes on
        // growing at the interval from before.
        if self.updated.is_some_and(|(then, window)| window == cwnd && now - then <= UPDATE_JIFFIES)
        {
            return self.rule.gives(self.interval);
        }
        let mut epoch = self.epoch.unwrap_or_else(|| {
            self.reno_credit = ack.newly_acked;
            self.new_epoch(cwnd, ack.now)
        });
        // Linux looks up the curve at most once per jiffy.
        if self.epoch.is_none() || self.updated.is_none_or(|(then, _)| then != now) {
            self.updated = Some((now, cwnd));
            self.interval = self.cubic_interval(&epoch, cwnd, now);
        }
        let t = (now.saturating_sub(epoch.start) << 10) / Jiffies::PER_SECOND;
        self.rule = match self.last_max {
            0 => &NO_PEAK,
            _ if t < epoch.k => &CONCAVE,
            _ => &CONVEX,
        };
        if self.reno_friendly {
            let cost = (cwnd * self.reno_interval / 8).max(1) * window.mss;
            // Reno's window grows for more than a window's cost, not for as much.
            let packets = self.reno_credit.saturating_sub(1) / cost;
            epoch.reno += packets;
            self.reno_credit -= packets * cost;
            if epoch.reno > cwnd {
                self.interval = self.interval.min(cwnd / (epoch.reno - cwnd));
                self.rule = &RENO_FRIENDLY;
            }
        }
        self.interval = self.interval.max(SHORTEST_INTERVAL);
        self.epoch = Some(epoch);
        self.rule.gives(self.interval)
    }
}

impl Avoidance for CubicLinux {
    fn set_up(&mut self, setup: &Setup) {
        self.jiffies = Jiffies::new(setup.clock_phase);
    }

    // Only a reduction or a timeout ends an epoch: slow start after an idle period leads back to
    // the same curve.
    fn on_transmit_start(&mut self, now: Time, idle: Duration) {
        let last_sent = self.jiffies.at(Time::ZERO + now.since(Time::ZERO).saturating_sub(idle));
        let now = self.jiffies.at(now);
        if let Some(epoch) = &mut self.epoch {
            epoch.start = (epoch.start + (now - last_sent)).min(now);
        }
    }

    fn on_repeated_timeout(&mut self) {
        self.forget();
    }

    /// Linux ignores RTT samples in the first second of an epoch.
    fn discards_rtts(&self, now: Time) -> bool {
        self.epoch.is_some_and(|epoch| self.jiffies.at(now) - epoch.start < Jiffies::PER_SECOND)
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        if self.discards_rtts(ack.now) {
            return;
        }
        if let Some(sample) = ack.rtt_sample {
            self.delay_min = Some(self.delay_min.map_or(sample, |min| min.min(sample)));
        }
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        let Ruled { answer: packets, rule } = self.update(ack, window, window.whole_segments());
        Ruled { answer: self.tally.next_cwnd(ack.newly_acked, window, packets), rule }
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        let cwnd = window.whole_segments();
        let scale = u64::from(SCALE);
        self.epoch = None;
        self.tally.reset();
        let rule = if event.signal == Signal::Rto {
            self.forget();
            &TIMEOUT
        } else if cwnd < self.last_max && self.fast_convergence {
            self.last_max = cwnd * (scale + self.beta) / (2 * scale);
            &CONVERGENCE
        } else {
            self.last_max = cwnd;
            &CUT
        };
        rule.gives(cwnd * self.beta / scale * window.mss)
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("w_max", float(self.last_max));
        if let Some(epoch) = &self.epoch {
            show("k", float(epoch.k) / f64::from(SCALE));
            show("w_est", float(epoch.reno));
        }
    }

    // As Linux's `tcp_reno_undo_cwnd`, which its CUBIC uses: the epoch and the plateau stay as the
    // mistaken reduction left them.
    fn has_undo_state(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::cubic_root;

    /// Results of Linux's function for these numbers of packets with its C. For 100 packets it
    /// gives 6.300 s where 6.298 s is exact.
    const OF_LINUX: [(u64, u64); 7] = [
        (1, 1388),
        (2, 1750),
        (31, 4361),
        (100, 6451),
        (201, 8137),
        (1000, 13897),
        (999_999, 138_877),
    ];

    #[test]
    fn the_cube_root_is_linux_s_within_a_thousandth() {
        for (packets, theirs) in OF_LINUX {
            let ours = cubic_root(packets * ((1 << 40) / 410));
            // A Newton step squares the guess's error: an error of 4 %, off by 1/133, gives 2 x 4 %
            // x 0.75 %. One unit more is rounding.
            assert!(
                ours.abs_diff(theirs) <= 1 + theirs * 7 / 10_000,
                "{packets}: {ours}, {theirs}"
            );
        }
    }
}
