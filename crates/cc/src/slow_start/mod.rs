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

use crate::AckEvent;
use crate::window::Window;

/// A slow start's answer to an ACK.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// Add these bytes and go on.
    Grow(u64),
    /// Add these bytes and hand over to the avoidance.
    Exit(u64),
    /// Hand over to the avoidance with this window, bytes; it may be smaller.
    ExitAt(u64),
}

/// The half of a windowed algorithm that finds the path's capacity.
pub trait SlowStart: Send {
    /// Slow start begins, first or again (after an RTO or an idle period).
    fn begin(&mut self, window: &Window);
    /// Every ACK in every phase, before the decision.
    fn observe(&mut self, _ack: &AckEvent, _window: &Window) {}
    /// An ACK of new data while this half decides.
    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Growth;
    /// Shows internal state by name, for the record.
    fn internals(&self, _show: &mut dyn FnMut(&'static str, f64)) {}
    /// A copy, for undo.
    fn clone_box(&self) -> Box<dyn SlowStart>;
}
