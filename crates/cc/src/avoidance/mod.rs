//! Congestion avoidances: how the window grows after slow start and how it is cut.

pub(crate) mod aimd;
pub(crate) mod bic;
pub(crate) mod binomial;
pub(crate) mod cdg;
pub(crate) mod compound;
mod credit;
pub(crate) mod cubic;
mod cubic_linux;
pub(crate) mod dctcp;
pub(crate) mod fast;
pub(crate) mod highspeed;
pub(crate) mod htcp;
pub(crate) mod hybla;
pub(crate) mod illinois;
mod increase;
pub(crate) mod ledbat;
pub(crate) mod ledbatpp;
pub(crate) mod lp;
pub(crate) mod multcp;
pub(crate) mod nv;
pub(crate) mod nv_estimate;
pub(crate) mod prague;
pub(crate) mod reno;
pub(crate) mod scalable;
pub(crate) mod stabilised_vegas;
pub(crate) mod vegas;
pub(crate) mod veno;
pub(crate) mod westwood;
pub(crate) mod yeah;

pub use aimd::Aimd;
pub use credit::Credit;
pub use cubic_linux::CubicLinux;
pub use highspeed::{HighSpeed, Options as HighSpeedOptions};
pub use increase::Increase;
pub use reno::Reno;

use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Duration, Rng, Setup, Time};

/// The half of a windowed algorithm that decides around the path's capacity.
pub trait Avoidance: Send {
    /// Once, before the first byte.
    fn set_up(&mut self, _setup: &Setup) {}
    /// Avoidance begins: after slow start, or after a cut (in recovery; growth comes when that ends).
    fn begin(&mut self, _window: &Window, _now: Time) {}
    /// Every ACK in every phase, before the decision.
    fn observe(&mut self, _ack: &AckEvent, _window: &Window) {}
    /// Whether RTT samples say nothing of the path now: not even the slow start looks at them.
    fn discards_rtts(&self, _now: Time) -> bool {
        false
    }
    /// A segment is about to be sent while nothing is in flight; data was last sent `idle` ago.
    fn on_transmit_start(&mut self, _now: Time, _idle: Duration) {}
    /// On an ACK of new data in slow start: the window, bytes, with which this half takes over at once. `None`: slow start goes on.
    fn take_over(&mut self, _ack: &AckEvent, _window: &Window, _rng: &mut Rng) -> Option<u64> {
        None
    }
    /// The next window, bytes, on an ACK of new data while this half decides; it may be smaller.
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> u64;
    /// The new ssthresh, bytes, for a signal; the frame applies the floor of two segments and sets cwnd.
    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> u64;
    /// A timeout while losses were being repaired: ssthresh was cut for this window already, and
    /// stays. Slow start begins.
    fn on_repeated_timeout(&mut self) {}
    /// The state that an undo of a congestion signal puts back. `None`: nothing but cwnd and ssthresh
    /// goes back, as with most algorithms in Linux.
    fn undo_state(&self) -> Option<Box<dyn Avoidance>> {
        Some(self.clone_box())
    }
    /// Shows internal state by name, for the record.
    fn internals(&self, _show: &mut dyn FnMut(&'static str, f64)) {}
    /// A copy.
    fn clone_box(&self) -> Box<dyn Avoidance>;
}

/// The smallest window of the delay-based avoidances, segments.
pub const MIN_WINDOW_SEGMENTS: u64 = 2;

/// cwnd in whole segments, rounded down, at least one.
#[must_use]
pub fn whole_segments(window: &Window) -> u64 {
    (window.cwnd / window.mss).max(1)
}

/// cwnd in segments, with fractions.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
pub fn segments(window: &Window) -> f64 {
    window.cwnd as f64 / window.mss as f64
}

/// So many segments, bytes.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
pub fn in_bytes(segments: f64, window: &Window) -> u64 {
    (segments * window.mss as f64) as u64
}

/// What is left when `share` of the window is given up, bytes: whole segments, rounded down, as Linux halves 203 to 101.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 segments")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative: the cast clamps")]
pub fn less_share(window: &Window, share: f64) -> u64 {
    /// A product that is a whole number may come out below it by a rounding.
    const ROUNDING: f64 = 1e-9;
    let left = whole_segments(window) as f64 * (1.0 - share);
    libm::floor(left * (1.0 + ROUNDING)) as u64 * window.mss
}
