//! Slow starts: how the window grows from its initial value to ssthresh.

pub(crate) mod classic;
pub(crate) mod cos;
pub(crate) mod hystart;
pub(crate) mod hystartpp;
pub(crate) mod limited;
pub(crate) mod search;

pub use classic::Classic;
pub use cos::Curve;

pub use crate::role::{Growth, SlowStart};
