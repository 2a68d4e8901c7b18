//! Slow starts: how the window grows from its initial value to ssthresh.

pub(crate) mod classic;
pub(crate) mod cos;
pub(crate) mod hybla;
pub(crate) mod hystart;
pub(crate) mod hystartpp;
pub(crate) mod ledbatpp_start;
pub(crate) mod limited;
pub(crate) mod multcp;
pub(crate) mod nv_start;
pub(crate) mod search;
pub(crate) mod vegas_start;

pub use classic::{Classic, double, grow};
pub use cos::Curve;

use crate::window::Window;
use crate::{AckEvent, RttSample};

/// A slow start's answer to an ACK.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// Add these bytes and go on.
    Grow(u64),
    /// ssthresh is reached, or near enough: add `bytes` and hand over. ssthresh stays what it is.
    Exit {
        /// Growth of the window by the slow start's part of the ACK.
        bytes: u64,
        /// The part of the ACK's `credited` that the avoidance grows by, on the same ACK.
        left: u64,
    },
    /// The path's capacity is found: hand over with a window, which may be smaller and becomes
    /// ssthresh.
    ExitAt {
        /// The window, bytes.
        cwnd: u64,
        /// The part of the ACK's `credited` that the avoidance grows by, on the same ACK.
        left: u64,
    },
}

/// The half of a windowed algorithm that finds the path's capacity.
pub trait SlowStart: Send {
    /// Slow start begins: with the connection, or after an RTO.
    fn begin(&mut self, window: &Window);
    /// Slow start begins after an idle period; no loss has said that the path is another.
    fn resume(&mut self, window: &Window) {
        self.begin(window);
    }
    /// Every ACK in every phase, before the decision.
    fn observe(&mut self, _ack: &AckEvent, _window: &Window) {}
    /// Every ACK while this half decides, even where the window may not grow: the window, bytes,
    /// with which slow start ends. It becomes ssthresh, and the avoidance decides on this same ACK.
    fn find_end(&mut self, _ack: &AckEvent, _window: &Window) -> Option<u64> {
        None
    }
    /// Whether it is shown RTT samples by themselves ([`Self::on_rtt`]). Asked once.
    fn takes_rtts(&self) -> bool {
        false
    }
    /// An RTT sample, before what its ACK means is judged; `is_below`: the window in force is below ssthresh. True: slow
    /// start ends with that window, which becomes ssthresh.
    fn on_rtt(&mut self, _sample: &RttSample, _mss: u64, _is_below: bool) -> bool {
        false
    }
    /// An ACK of new data while this half decides.
    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Growth;
    /// Shows internal state by name, for the record.
    fn internals(&self, _show: &mut dyn FnMut(&'static str, f64)) {}
    /// The state that an undo of a congestion signal puts back. `None`: nothing but cwnd and ssthresh
    /// goes back.
    fn undo_state(&self) -> Option<Box<dyn SlowStart>> {
        Some(self.clone_box())
    }
    /// A copy.
    fn clone_box(&self) -> Box<dyn SlowStart>;
}
